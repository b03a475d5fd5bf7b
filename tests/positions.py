"""Positions for tests: games at given scores, hands with wanted tricks, and one notation for moves.

A move is a seat and what it does, as in ``1:7 2:P 3:8H 0:X 3:=H 3:C7``: a bid with its strain (``N`` is no-trump), a
pass, a double, trump named, a card. Seats are 0 to 3, North to East.
"""

from typing import Any

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import BIT, CARD_OF_TEXT, CLUBS, DIAMONDS, HEARTS, NO_TRUMP, SPADES, mask_of
from tarneeb_service.engine.moves import Bid, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.presets import resolve
from tarneeb_service.engine.state import (
    AwaitingDeal,
    GameOver,
    HandEnd,
    Header,
    InAuction,
    InPlay,
    NamingTrump,
    ScoreLine,
    State,
    result_of,
    scores_of,
)
from tarneeb_service.engine.verdicts import Verdict
from tests.oracle.hands import arranged_tricks, takers_of

NORTH, WEST, SOUTH, EAST = 0, 1, 2, 3
STRAIN_OF = {"C": CLUBS, "D": DIAMONDS, "H": HEARTS, "S": SPADES, "N": NO_TRUMP}
SUIT_NAMES = {CLUBS: "clubs", DIAMONDS: "diamonds", HEARTS: "hearts", SPADES: "spades"}
SUIT_LETTERS = {suit: letter for letter, suit in STRAIN_OF.items()}
SISTER = {HEARTS: DIAMONDS, DIAMONDS: HEARTS, SPADES: CLUBS, CLUBS: SPADES}
RANKS = "23456789TJQKA"
# North holds the spades, West the hearts, South the diamonds, East the clubs.
ONE_SUIT_EACH = tuple(" ".join(suit + rank for rank in RANKS) for suit in "SHDC")


def card(text: str) -> int:
    return CARD_OF_TEXT[text]


def cards(text: str) -> tuple[int, ...]:
    return tuple(card(name) for name in text.split())


def new_game(
    preset: str,
    dealer: int = NORTH,
    scores: tuple[int, ...] | None = None,
    revision: int = 0,
    **overrides: Any,
) -> AwaitingDeal:
    """A game of a preset, with some switches changed, that awaits a deal at given scores."""
    rules = resolve(preset, overrides)
    return AwaitingDeal(Header("g", preset, rules), revision, scores or (0,) * rules.sides, dealer, None)


def deal(state: State, *hands: str, turned: str | None = None) -> State:
    """Deal four hands; without any, a suit to each. A turned card is the dealer's last unless named."""
    assert isinstance(state, AwaitingDeal)
    hands = hands or ONE_SUIT_EACH
    masks = [mask_of(cards(hand)) for hand in hands]
    assert [mask.bit_count() for mask in masks] == [13] * 4
    shown = None
    if state.header.rules.turns_card:
        shown = card(turned or hands[state.next_dealer].split()[-1])
        assert masks[state.next_dealer] & BIT[shown]
    following, _ = game.deal(state, (masks[0], masks[1], masks[2], masks[3]), shown)
    return following


def move_of(text: str) -> Move:
    seat, word = int(text[0]), text[2:]
    if word in CARD_OF_TEXT:
        return PlayCard(seat, card(word))
    if word[0] == "=":
        return NameTrump(seat, STRAIN_OF[word[1]])
    if word in ("P", "X"):
        return Pass(seat) if word == "P" else Double(seat)
    number = word.rstrip("CDHSN")
    return Bid(seat, int(number), STRAIN_OF.get(word[len(number) :]))


def make(state: State, text: str) -> State:
    """Make moves that the rules accept."""
    for move in map(move_of, text.split()):
        verdict, state, _ = game.apply(state, move)
        assert verdict.accepted, (move, verdict.message)
    return state


def bidding(
    preset: str, text: str = "", dealer: int = NORTH, hands: tuple[str, ...] = (), **options: Any
) -> State:
    """A hand that was dealt, after some moves; ``options`` are those of ``new_game``."""
    return make(deal(new_game(preset, dealer, **options), *hands), text)


def name_trump(state: State, suit: int = HEARTS) -> State:
    assert isinstance(state, NamingTrump)
    return make(state, f"{state.contract.declarer}:={SUIT_LETTERS[suit]}")


def refused(state: State, move: Move, made_for: int | None = None) -> Verdict:
    """The verdict on a move that must be refused and change nothing."""
    verdict, following, events = game.apply(state, move, made_for)
    assert not verdict.accepted
    assert following is state
    assert events == []
    return verdict


def contract(state: State) -> tuple[int, int, int | None, bool]:
    """The contract of a hand whose auction was won."""
    assert isinstance(state, NamingTrump | InPlay)
    won = state.contract if isinstance(state, NamingTrump) else state.play.contract
    assert won is not None
    return (won.declarer, won.tricks, won.strain, won.doubled)


def ended(state: State) -> tuple[HandEnd, int]:
    """How a void hand ended, and who deals next."""
    assert isinstance(state, AwaitingDeal)
    assert state.last is not None
    assert (state.last.play, state.last.result.lines) == (None, ())
    return state.last.result.end, state.next_dealer


def legal_bids(state: State) -> list[object]:
    """The legal calls in short: a bid as its number, or number and strain; P and X."""
    short: list[object] = []
    for move in game.legal_moves(state):
        match move:
            case Bid(_, tricks, None):
                short.append(tricks)
            case Bid(_, tricks, strain):
                short.append(f"{tricks}{SUIT_LETTERS[strain or 0]}")
            case Pass():
                short.append("P")
            case Double():
                short.append("X")
    return short


def legal_cards(state: State) -> str:
    names = {value: text for text, value in CARD_OF_TEXT.items()}
    return " ".join(names[move.card] for move in game.legal_moves(state) if isinstance(move, PlayCard))


def turn(state: State) -> int:
    """Whose turn it is; there must be one."""
    assert isinstance(state, InAuction | NamingTrump | InPlay)
    match state:
        case InAuction():
            return state.bidding.turn
        case NamingTrump():
            return state.contract.declarer
    return state.play.turn


def play_hand(state: State, auction: str, counts: list[int], trump: int = HEARTS) -> AwaitingDeal | GameOver:
    """Deal, call and play a hand in which each seat takes a wanted number of tricks."""
    assert isinstance(state, AwaitingDeal)
    tricks = arranged_tricks(takers_of(counts), SUIT_NAMES[trump])
    hands = [" ".join(trick[seat] for trick in tricks) for seat in range(4)]
    turned = None
    if state.header.rules.turns_card:
        shown = SISTER[trump] if state.header.rules.trump.name == "SISTER" else trump
        turned = next(name for name in hands[state.next_dealer].split() if name[0] == SUIT_LETTERS[shown])
    following = make(deal(state, *hands, turned=turned), auction)
    if isinstance(following, NamingTrump):
        following = name_trump(following, trump)
    for trick in tricks:
        leader = turn(following)
        following = make(
            following, " ".join(f"{seat % 4}:{trick[seat % 4]}" for seat in range(leader, leader + 4))
        )
    assert isinstance(following, AwaitingDeal | GameOver)
    return following


def lines(state: State) -> tuple[ScoreLine, ...]:
    result = result_of(state)
    assert result is not None
    return result.lines


def points(state: State) -> list[int]:
    return [line.points for line in lines(state)]


def scores(state: State) -> list[int]:
    return list(scores_of(state))


def winner(state: State) -> int | None:
    return state.outcome.winner if isinstance(state, GameOver) else None
