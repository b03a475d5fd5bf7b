"""Recorded faults of other card-game code, as cases for the engine: points and winners."""

from typing import Any

import pytest

from tarneeb_service.engine.presets import resolve
from tarneeb_service.engine.rules import DefendersScore
from tarneeb_service.engine.scoring import add_points, score_contract, score_individual
from tarneeb_service.engine.state import Contract, GameOver, HandEnd, HandResult
from tests.positions import new_game, play_hand, points, scores, winner

CLASSIC = "saharat_classic"
ALWAYS: dict[str, Any] = {"defenders_score": DefendersScore.ALWAYS}


@pytest.mark.parametrize(
    ("options", "declarer", "bid", "tricks", "expected"),
    [
        pytest.param({}, 1, 9, (6, 7), [6, -9], id="C61"),
        pytest.param({}, 0, 8, (9, 4), [9, 0], id="C62"),
        pytest.param(ALWAYS, 0, 8, (9, 4), [9, 4], id="C62 option"),
        pytest.param({}, 0, 13, (11, 2), [-16, 2], id="C64"),
        pytest.param({"failed_slam_trick_factor": 2}, 0, 13, (11, 2), [-16, 4], id="C64 option"),
        pytest.param({}, 0, 7, (0, 13), [-7, 16], id="C65"),
        pytest.param({}, 0, 13, (0, 13), [-16, 13], id="C65 slam"),
    ],
)
def test_contract(
    options: dict[str, Any], declarer: int, bid: int, tricks: tuple[int, int], expected: list[int]
) -> None:
    result = score_contract(resolve(CLASSIC, options), Contract(declarer, bid, None, doubled=False), tricks)
    assert [line.points for line in result.lines] == expected


def test_c79_a_bid_is_met_by_own_tricks() -> None:
    state = play_hand(new_game("saharat_400"), "1:2 2:4 3:2 0:5", [3, 3, 4, 3])
    assert points(state) == [-10, 2, 4, 2]


def individual(preset: str, own: int, bid: int, taken: int) -> int:
    """The points of a player with an own score who bids and takes some tricks."""
    rules = resolve(preset, {})
    result = score_individual(rules, (bid, 2, 2, 2), (taken, 13 - taken, 0, 0), (own, 0, 0, 0))
    return result.lines[0].points


def test_c80_no_partial_credit() -> None:
    assert individual("saharat_400", 0, 5, 3) == -10


@pytest.mark.parametrize(("own", "taken", "after"), [(28, 5, 38), (38, 5, 43), (31, 4, 26)])
def test_c82_five_from_thirty(own: int, taken: int, after: int) -> None:
    assert own + individual("saharat_400", own, 5, taken) == after


def test_c83_a_failed_bid_costs() -> None:
    assert individual("saharat_syrian_41", 0, 5, 3) == -5


def test_c92_over_right_after_the_last_trick() -> None:
    """With bids that a player at 40 may make in 400: at least 4, and 13 in all (A13, A14)."""
    state = play_hand(new_game("saharat_400", 0, (40, 0, 5, 0)), "1:4 2:2 3:3 0:4", [4, 4, 2, 3])
    assert isinstance(state, GameOver)
    assert (winner(state), scores(state)) == (0, [44, 4, 7, 3])


def test_a_void_hand_adds_nothing() -> None:
    assert add_points((1, 2), HandResult(HandEnd.ALL_PASSED)) == (1, 2)
