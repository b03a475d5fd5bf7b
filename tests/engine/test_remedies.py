"""What the sentence of a refusal says would do is accepted: every bid, card, suit, seat and phase it names."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import CARD_OF_TEXT, STRAIN_NAMES, STRAINS, SUITS
from tarneeb_service.engine.moves import Bid, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.rules import Revoke, RuleSet
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.engine.state import (
    AwaitingDeal,
    GameOver,
    InAuction,
    InPlay,
    NamingTrump,
    State,
)
from tarneeb_service.engine.verdicts import LEGAL, RefusalReason, Ruling, Verdict
from tests.engine import test_refusals, test_refusals_auction
from tests.random_games import any_moves, random_deal, states
from tests.scale import SCALE
from tests.strategies import any_rules, seeds

BIDS = re.compile(
    r"(?:bid|bid:) (?P<tricks>\d+)(?P<strain>NT|[CDHS])?"
    r"(?P<more> or more(?:, (?P<most>\d+) at most)?(?:, but not (?P<barred>\d+(?: or \d+)*))?)?\.$"
)
LETTERS = {"C": 1, "D": 2, "H": 3, "S": 4, "NT": 5, None: None}
CARDS = re.compile(r"\b[CDHS][2-9TJQKA]\b")
SEATS = {name: seat for seat, name in enumerate(SEAT_NAMES)}
KINDS: dict[str, tuple[type[State], type | tuple[type, ...]]] = {
    "a call": (InAuction, (Bid, Pass, Double)),
    "the declarer to name trump": (NamingTrump, NameTrump),
    "a card": (InPlay, PlayCard),
}


@dataclass(frozen=True)
class Refused:
    """A refusal: of which move, where, and made for which revision."""

    state: State
    move: Move
    verdict: Verdict
    made_for: int | None = None

    def accepts(self, move: Move, made_for: int | None = None) -> None:
        verdict = game.judge(self.state, move, made_for)
        assert verdict == LEGAL, (self.verdict.message, move, verdict.message)

    def end_of_sentence(self, pattern: str) -> str:
        found = re.search(pattern, self.verdict.message)
        assert found is not None, self.verdict.message
        return found[1]


def bids_named(sentence: str, *, strains: bool) -> set[tuple[int, int | None]]:
    """The bids that a sentence says would do, from ``9 or more``, ``7C or more, 12 at most, but not 8``, ``13``."""
    found = BIDS.search(sentence)
    if found is None:
        return set()
    assert (found["strain"] is not None) == strains, sentence
    lowest = (int(found["tricks"]), LETTERS[found["strain"]])
    if not found["more"]:
        return {lowest}
    barred = {int(number) for number in (found["barred"] or "").split(" or ") if number}
    every = {
        (tricks, strain)
        for tricks in range(lowest[0], int(found["most"] or 13) + 1)
        for strain in (STRAINS if strains else (None,))
    }
    return {
        bid for bid in every if bid[0] not in barred and (bid[0], bid[1] or 0) >= (lowest[0], lowest[1] or 0)
    }


def a_call_would_do(refused: Refused) -> None:
    state, verdict, seat = refused.state, refused.verdict, refused.move.seat
    assert isinstance(state, InAuction)
    legal = {move for move in game.legal_moves(state) if not isinstance(move, Double)}
    open_bids = {(move.tricks, move.strain) for move in legal if isinstance(move, Bid)}
    named = bids_named(verdict.message, strains=state.header.rules.bids_strain)
    for tricks, strain in named:
        refused.accepts(Bid(seat, tricks, strain))
    # No bid that would do is left out either.
    assert named in (set(), open_bids), verdict.message
    if re.search(r"\bbid(?: or pass)?\.$", verdict.message):
        assert open_bids, verdict.message
        named = open_bids
    says_pass = re.search(r"\bpass\.$", verdict.message) is not None
    if says_pass:
        refused.accepts(Pass(seat))
    assert named or says_pass, verdict.message
    # The parameters say the same, and where the sentence names a bid whether a pass would do too.
    strains: tuple[int | None, ...] = STRAINS if state.header.rules.bids_strain else (None,)
    low = verdict.lowest_bid
    assert open_bids == {
        (tricks, strain)
        for tricks in range(1, (verdict.highest_bid or 0) + 1)
        for strain in strains
        if low is not None
        and (tricks, strain or 0) >= (low[0], low[1] or 0)
        and tricks not in verdict.barred_bids
    }
    assert verdict.may_pass == (Pass(seat) in legal)
    assert verdict.may_pass or not says_pass


def the_seat_named_can_act(refused: Refused) -> None:
    name = refused.end_of_sentence(r"[Ii]t is (\w+)'s turn")
    moves = game.legal_moves(refused.state)
    assert {move.seat for move in moves} == {SEATS[name]} == {refused.verdict.seat_to_act}
    refused.accepts(moves[0])


def the_declarer_can_name_trump(refused: Refused) -> None:
    declarer = SEATS[refused.end_of_sentence(r"^(\w+) won the auction and names trump")]
    assert declarer == refused.verdict.seat_to_act
    for suit in SUITS:
        refused.accepts(NameTrump(declarer, suit))


def the_thing_awaited_can_be_done(refused: Refused) -> None:
    what = refused.end_of_sentence(r"^The game waits for (.*)\.$")
    state = refused.state
    if what == "the next deal":
        assert isinstance(state, AwaitingDeal)
        game.deal(state, *random_deal(state, random.Random(1)))
        return
    phase, kind = KINDS[what]
    assert isinstance(state, phase)
    for move in game.legal_moves(state):
        assert isinstance(move, kind)
        refused.accepts(move)


def a_new_game_can_be_started(refused: Refused) -> None:
    assert refused.verdict.message.endswith(": start a new one.")
    assert isinstance(refused.state, GameOver)
    new = game.create(refused.state.header, 0)
    following, _ = game.deal(new, *random_deal(new, random.Random(1)))
    assert game.legal_moves(following)


def a_move_for_this_revision_would_do(refused: Refused) -> None:
    revision = int(refused.end_of_sentence(r"the game is at (\d+): look again and decide anew\.$"))
    assert revision == refused.verdict.game_revision
    for move in game.legal_moves(refused.state):
        refused.accepts(move, revision)


def every_suit_named_would_do(refused: Refused) -> None:
    names = re.findall(r"clubs|diamonds|hearts|spades", refused.verdict.message)
    assert len(names) == 4
    for name in names:
        refused.accepts(NameTrump(refused.move.seat, STRAIN_NAMES.index(name)))


def a_legal_card_is_held(refused: Refused) -> None:
    assert refused.verdict.message.endswith(": play a legal card from the holding.")
    assert isinstance(refused.state, InPlay)
    moves = game.legal_moves(refused.state)
    assert moves
    for move in moves:
        assert isinstance(move, PlayCard)
        assert move.seat == refused.move.seat
        assert refused.state.play.holdings[move.seat] >> move.card & 1
        refused.accepts(move)


def every_card_named_would_do(refused: Refused) -> None:
    named = [CARD_OF_TEXT[text] for text in CARDS.findall(refused.verdict.message)]
    assert named == list(refused.verdict.playable_cards) != []
    for card in named:
        refused.accepts(PlayCard(refused.move.seat, card))


REMEDIES: dict[RefusalReason, Callable[[Refused], None]] = {
    RefusalReason.GAME_OVER: a_new_game_can_be_started,
    RefusalReason.STALE_REVISION: a_move_for_this_revision_would_do,
    RefusalReason.WRONG_PHASE: the_thing_awaited_can_be_done,
    RefusalReason.ALREADY_PASSED: the_seat_named_can_act,
    RefusalReason.NOT_DECLARER: the_declarer_can_name_trump,
    RefusalReason.OUT_OF_TURN: the_seat_named_can_act,
    RefusalReason.PASS_NOT_ALLOWED: a_call_would_do,
    RefusalReason.DOUBLE_NOT_ALLOWED: a_call_would_do,
    RefusalReason.STRAIN_MISSING: a_call_would_do,
    RefusalReason.STRAIN_NOT_ALLOWED: a_call_would_do,
    RefusalReason.BID_OUT_OF_RANGE: a_call_would_do,
    RefusalReason.BID_BARRED: a_call_would_do,
    RefusalReason.BID_TOO_LOW: a_call_would_do,
    RefusalReason.NOTHING_TO_DOUBLE: a_call_would_do,
    RefusalReason.OWN_BID: a_call_would_do,
    RefusalReason.ALREADY_DOUBLED: a_call_would_do,
    RefusalReason.TRUMP_NOT_A_SUIT: every_suit_named_would_do,
    RefusalReason.CARD_NOT_HELD: a_legal_card_is_held,
    RefusalReason.MUST_FOLLOW_SUIT: every_card_named_would_do,
    RefusalReason.MUST_LEAD_TRUMP: every_card_named_would_do,
}


def test_every_reason_has_a_remedy_to_try() -> None:
    assert list(REMEDIES) == list(RefusalReason)


@pytest.mark.parametrize(
    ("state", "move", "made_for", "expected"), [*test_refusals.CASES, *test_refusals_auction.CASES]
)
def test_the_remedy_of_every_case(state: State, move: Move, made_for: int | None, expected: Verdict) -> None:
    """The cases of ``test_refusals`` have every reason."""
    verdict = game.judge(state, move, made_for)
    assert verdict.reason is not None
    REMEDIES[verdict.reason](Refused(state, move, verdict, made_for))


@settings(max_examples=60 * SCALE)
@given(any_rules(), seeds())
def test_what_a_refused_move_is_told_is_accepted(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    for state in states(rules, chance, hands=3, wildness=0.4):
        for move in _attempts(state, chance):
            made_for = chance.choice((None, None, None, state.revision, state.revision + 1))
            verdict = game.judge(state, move, made_for)
            if verdict.reason is not None:
                assert verdict.ruling is Ruling.REFUSED or rules.revoke is Revoke.FORFEITS
                REMEDIES[verdict.reason](Refused(state, move, verdict, made_for))


def _attempts(state: State, chance: random.Random) -> list[Move]:
    """More calls in an auction, where there are most reasons; a few moves elsewhere."""
    if not isinstance(state, InAuction):
        return any_moves(state, chance, 4)
    moves = any_moves(state, chance, 60)
    return [move for move in moves if move.seat == state.bidding.turn] + moves[:4]


@pytest.mark.parametrize(
    ("sentence", "strains", "count"),
    [
        ("West must bid 2 or more, but not 6.", False, 11),
        ("6 may not be bid under these rules: bid 2 or more, 12 at most, but not 6 or 8.", False, 9),
        ("South must bid 7NT or more.", True, 31),
        ("14 is no bid: bid 13.", False, 1),
        ("There is no bid to double yet: bid or pass.", False, 0),
    ],
)
def test_the_bids_of_a_sentence_are_read(sentence: str, strains: bool, count: int) -> None:
    assert len(bids_named(sentence, strains=strains)) == count
