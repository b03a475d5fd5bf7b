"""Games at which moves are refused, and the form of a case."""

from typing import Any

import pytest

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import HEARTS
from tarneeb_service.engine.moves import Move
from tarneeb_service.engine.state import State
from tarneeb_service.engine.verdicts import RefusalReason, Ruling, Verdict
from tests.positions import EAST, NORTH, deal, make, move_of, name_trump, new_game, refused

# West holds two spades, South none.
HANDS = (
    "SK SQ SJ ST S8 S7 S6 S5 S4 S3 S2 H2 C2",
    "SA S9 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK",
    "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA",
    "HA C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA",
)


def auction(preset: str, text: str = "", dealer: int = NORTH, **options: Any) -> State:
    return make(deal(new_game(preset, dealer, revision=7, **options), *HANDS), text)


def north_plays(preset: str = "saharat_classic", trump: int = HEARTS, **options: Any) -> State:
    """North has won the auction at 7 and leads."""
    return name_trump(auction(preset, "0:7 1:P 2:P 3:P", EAST, **options), trump)


def case(
    name: str,
    state: State,
    move: str,
    refusal: str,
    made_for: int | None = None,
    ruling: Ruling = Ruling.REFUSED,
    **parameters: Any,
) -> Any:
    """A refused move, with reason, rule and sentence."""
    reason, rule, message = refusal.split(" ", 2)
    expected = Verdict(ruling, RefusalReason[reason], rule, message, **parameters)
    return pytest.param(state, move_of(move), made_for, expected, id=f"{reason}: {name}")


def assert_verdict(state: State, move: Move, made_for: int | None, expected: Verdict) -> None:
    assert game.judge(state, move, made_for) == expected
    if expected.ruling is Ruling.REFUSED:
        assert refused(state, move, made_for) == expected
