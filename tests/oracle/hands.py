"""Deals that lead to wanted tricks, and short ways to make calls, for the tests of the oracle."""

from typing import Any

from tests.oracle.cards import LETTERS, RANKS, SEATS, right_of
from tests.oracle.referee import Referee
from tests.oracle.rule_sets import RULE_SETS

SUIT_LETTERS = {name: letter for letter, name in LETTERS.items()}

# One suit each: whose suit is trump takes every trick.
ONE_SUIT_EACH = [[letter + rank for rank in RANKS] for letter in "SHDC"]


def new_game(rule_set: str, dealer: int = 0, scores: list[int] | None = None, **changes: Any) -> Referee:
    """Return a game of a rule set, with some switches changed, at given scores."""
    referee = Referee({**RULE_SETS[rule_set], **changes}, dealer)
    if scores is not None:
        referee.scores = list(scores)
    return referee


def any_deal(referee: Referee) -> None:
    """Deal a suit to each seat, turning the dealer's last card where the rules turn one."""
    assert referee.next_dealer is not None
    turns = referee.rules["trump"] in ("sister", "turned")
    referee.deal(ONE_SUIT_EACH, ONE_SUIT_EACH[referee.next_dealer][-1] if turns else None)


def calls(referee: Referee, text: str) -> None:
    """Make calls written as in "1:7 2:P 3:8H 0:X": seat, then a bid with its strain, pass or double."""
    strains = {**LETTERS, "N": "no_trump"}
    for item in text.split():
        seat, call = item.split(":")
        if call == "P":
            referee.move(int(seat), ("pass",))
        elif call == "X":
            referee.move(int(seat), ("double",))
        elif call[-1] in strains:
            referee.move(int(seat), ("bid", int(call[:-1]), strains[call[-1]]))
        else:
            referee.move(int(seat), ("bid", int(call), None))


def arranged_tricks(takers: list[int], trump: str) -> list[dict[int, str]]:
    """Return thirteen tricks, each a card by seat, that fall to the wanted takers.

    Everybody follows suit in the first twelve tricks, trump first; the last one is of four suits and goes to
    its trump.
    """
    order = [trump] + [suit for suit in ("clubs", "diamonds", "hearts", "spades") if suit != trump]
    tricks = []
    for number in range(12):
        letter = SUIT_LETTERS[order[number // 3]]
        four_ranks = RANKS[1 + 4 * (number % 3) : 5 + 4 * (number % 3)]
        others = [seat for seat in SEATS if seat != takers[number]]
        trick = {takers[number]: letter + four_ranks[3]}
        for seat, rank in zip(others, four_ranks[:3], strict=True):
            trick[seat] = letter + rank
        tricks.append(trick)
    last = {takers[12]: SUIT_LETTERS[trump] + "2"}
    others = [seat for seat in SEATS if seat != takers[12]]
    for seat, suit in zip(others, order[1:], strict=True):
        last[seat] = SUIT_LETTERS[suit] + "2"
    return [*tricks, last]


def takers_of(counts: list[int]) -> list[int]:
    """Return thirteen takers, seat by seat, from the tricks that each seat is to take."""
    return [seat for seat in SEATS for _ in range(counts[seat])]


def play_hand(referee: Referee, auction: str, counts: list[int], trump: str = "hearts") -> None:
    """Deal, call and play a hand in which each seat takes a wanted number of tricks.

    A sister or turned trump follows from the turned card, which is picked to fit.
    """
    assert referee.next_dealer is not None
    tricks = arranged_tricks(takers_of(counts), trump)
    hands = [[trick[seat] for trick in tricks] for seat in SEATS]
    turned = None
    wanted = {"sister": {"hearts": "D", "diamonds": "H", "spades": "C", "clubs": "S"}, "turned": SUIT_LETTERS}
    if referee.rules["trump"] in wanted:
        letter = wanted[referee.rules["trump"]][trump]
        turned = next(card for card in hands[referee.next_dealer] if card[0] == letter)
    referee.deal(hands, turned)
    calls(referee, auction)
    if referee.phase == "naming_trump":
        assert referee.turn is not None
        referee.move(referee.turn, ("trump", trump))
    play_tricks(referee, tricks)


def play_tricks(referee: Referee, tricks: list[dict[int, str]]) -> None:
    """Play arranged tricks, whoever leads."""
    for trick in tricks:
        seat = referee.turn
        for _ in SEATS:
            assert seat is not None
            referee.move(seat, ("card", trick[seat]))
            seat = right_of(seat)


def points_of(result: dict[str, Any] | None) -> list[int]:
    """Return the points of a result's lines in order of sides."""
    assert result is not None
    return [line["points"] for line in result["lines"]]


def lines_of(result: dict[str, Any] | None) -> list[tuple[Any, ...]]:
    """Return a result's lines as (bid, tricks, points, made)."""
    assert result is not None
    return [(line["bid"], line["tricks"], line["points"], line["made"]) for line in result["lines"]]
