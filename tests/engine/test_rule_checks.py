"""Options out of range and contradictions, each with its path."""

from typing import Any

import pytest

from tarneeb_service.engine.presets import presets, resolve
from tarneeb_service.engine.problems import ProblemReason, ProblemsError
from tarneeb_service.engine.rule_checks import _MEANT_FOR, _RANGES
from tarneeb_service.engine.rules import (
    NEUTRAL,
    AllPass,
    Auction,
    CallLimit,
    DefendersScore,
    DoubledResult,
    Doubling,
    FirstCard,
    NextDealer,
    OpeningLead,
    Passing,
    RaisedDouble,
    SlamBid,
    SlamDefenceSweep,
    SweepWins,
    TieBreak,
    Trump,
    WinFloor,
)

CLASSIC, EGYPTIAN, SYRIAN, TURNED = (
    "saharat_classic",
    "jawaker_egyptian",
    "saharat_syrian_41",
    "cardgames_zone_turned_trump",
)
CONTRADICTION, OUT_OF_RANGE = ProblemReason.CONTRADICTION, ProblemReason.OUT_OF_RANGE
# A value that is not neutral, for each field that has no meaning under some auction.
OTHER: dict[str, Any] = {
    "minimum_bid": 5,
    "maximum_bid": 12,
    "barred_bids": (8,),
    "passing": Passing.OPEN,
    "call_limit": CallLimit.ONE_EACH,
    "slam_bid": SlamBid.CONTINUES,
    "all_pass": AllPass.LAST_MUST_BID,
    "doubling": Doubling.ANYONE,
    "raised_double": RaisedDouble.GONE,
    "doubled_result": DoubledResult.WHEN_MADE,
    "dealer_after_all_pass": NextDealer.SAME,
    "own_minimum": ((30, 8),),
    "minimum_total": 11,
    "total_minimum": ((30, 12),),
    "dealer_after_low_total": NextDealer.SAME,
    "bid_values": ((7, 14, None),),
    "tie_break": TieBreak.HIGHEST_PLAYER,
    "sweep_points": 16,
    "sweep_wins": SweepWins.ALWAYS,
    "defenders_sweep_points": 16,
    "slam_made_points": 26,
    "slam_failed_points": 16,
    "slam_defence_sweep": SlamDefenceSweep.POINTS,
    "failed_slam_trick_factor": 2,
    "defenders_score": DefendersScore.ALWAYS,
    "first_card": FirstCard.TRUMP,
}
# Fields that each auction leaves alone, as docs/rules.md lists them.
INDIVIDUAL_ONLY = {
    "own_minimum",
    "minimum_total",
    "total_minimum",
    "dealer_after_low_total",
    "bid_values",
    "tie_break",
}
NOT_INDIVIDUAL = {"sweep_points", "sweep_wins"}
BIDDING = {"minimum_bid", "maximum_bid", "barred_bids"}
COMPETITIVE_ONLY = set(OTHER) - INDIVIDUAL_ONLY - NOT_INDIVIDUAL - BIDDING


def found(preset: str, overrides: dict[str, Any]) -> list[tuple[str, ProblemReason]]:
    try:
        resolve(preset, overrides)
    except ProblemsError as error:
        return [(problem.path.removeprefix("overrides."), problem.reason) for problem in error.problems]
    return []


def without_meaning() -> list[tuple[str, str]]:
    cases = [(SYRIAN, name) for name in sorted(COMPETITIVE_ONLY | NOT_INDIVIDUAL)]
    cases += [(TURNED, name) for name in sorted(COMPETITIVE_ONLY | INDIVIDUAL_ONLY | BIDDING)]
    return cases + [(CLASSIC, name) for name in sorted(INDIVIDUAL_ONLY)]


@pytest.mark.parametrize(("preset", "field"), without_meaning())
def test_an_option_without_meaning_must_stay_neutral(preset: str, field: str) -> None:
    assert OTHER[field] != getattr(NEUTRAL, field)
    assert (field, CONTRADICTION) in found(preset, {field: OTHER[field]})
    assert found(preset, {field: getattr(NEUTRAL, field)}) == []


@pytest.mark.parametrize("field", OTHER)
def test_each_has_a_meaning_somewhere(field: str) -> None:
    house = {field: OTHER[field]}
    if field in ("raised_double", "doubled_result"):
        house |= {"doubling": Doubling.ANYONE, "passing": Passing.OPEN}
    assert any(found(preset, house) == [] for preset in (CLASSIC, SYRIAN, "saharat_400"))


def test_the_tables_cover_every_such_field() -> None:
    assert set(OTHER) == set(_MEANT_FOR)
    assert set(_MEANT_FOR) >= COMPETITIVE_ONLY | INDIVIDUAL_ONLY


@pytest.mark.parametrize(
    ("preset", "overrides", "path"),
    [
        (CLASSIC, {"maximum_bid": 6}, "maximum_bid"),
        (CLASSIC, {"minimum_bid": 9, "maximum_bid": 8}, "maximum_bid"),
        (CLASSIC, {"barred_bids": tuple(range(7, 14))}, "barred_bids"),
        (CLASSIC, {"barred_bids": (13,)}, "barred_bids"),
        (TURNED, {"minimum_bid": 6}, "minimum_bid"),
        (TURNED, {"maximum_bid": 12}, "maximum_bid"),
        (SYRIAN, {"trump": Trump.NAMED}, "trump"),
        (SYRIAN, {"trump": Trump.IN_BID}, "trump"),
        (TURNED, {"trump": Trump.NAMED}, "trump"),
        (CLASSIC, {"trump": Trump.FIXED}, "fixed_trump"),
        (CLASSIC, {"fixed_trump": 3}, "fixed_trump"),
        ("saharat_400", {"fixed_trump": None}, "fixed_trump"),
        (SYRIAN, {"opening_lead": OpeningLead.DECLARER}, "opening_lead"),
        (TURNED, {"opening_lead": OpeningLead.DECLARER}, "opening_lead"),
        (CLASSIC, {"first_card": FirstCard.TRUMP, "opening_lead": OpeningLead.DEALER}, "first_card"),
        (CLASSIC, {"raised_double": RaisedDouble.GONE}, "raised_double"),
        (CLASSIC, {"doubled_result": DoubledResult.WHEN_MADE}, "doubled_result"),
        ("cardgames_zone", {"passing": Passing.OPEN}, "passing"),
        (TURNED, {"sweep_wins": SweepWins.WHEN_BID}, "sweep_wins"),
        (CLASSIC, {"win_floor": WinFloor.PARTNER_ABOVE_ZERO}, "win_floor"),
        (TURNED, {"win_floor": WinFloor.PARTNER_ABOVE_ZERO}, "win_floor"),
        (SYRIAN, {"win_floor": WinFloor.BEFORE_HAND}, "win_floor"),
        (SYRIAN, {"own_minimum": ((30, 14),)}, "own_minimum.steps[0].value"),
        (SYRIAN, {"own_minimum": ((30, 3), (40, 1))}, "own_minimum.steps[1].value"),
        (SYRIAN, {"maximum_bid": 5, "own_minimum": ((30, 6),)}, "own_minimum.steps[0].value"),
        (SYRIAN, {"own_minimum": ((40, 3), (30, 4))}, "own_minimum.steps"),
        (SYRIAN, {"own_minimum": ((40, 3), (40, 4))}, "own_minimum.steps"),
        (SYRIAN, {"total_minimum": ((40, 12), (30, 13))}, "total_minimum.steps"),
        (SYRIAN, {"maximum_bid": 5, "total_minimum": ((30, 21),)}, "total_minimum.steps[0].value"),
        (SYRIAN, {"maximum_bid": 5, "minimum_total": 21}, "minimum_total"),
        (CLASSIC, {"auction": Auction.INDIVIDUAL, "opening_lead": OpeningLead.DECLARER}, "opening_lead"),
        (CLASSIC, {"auction": Auction.NONE, "trump": Trump.NAMED}, "trump"),
    ],
)
def test_contradiction(preset: str, overrides: dict[str, Any], path: str) -> None:
    assert (path, CONTRADICTION) in found(preset, overrides)


@pytest.mark.parametrize(
    ("preset", "overrides", "path", "reason"),
    [
        *(
            (CLASSIC, {name: low - 1}, name, OUT_OF_RANGE)
            for name, (low, _) in _RANGES.items()
            if name != "minimum_total"
        ),
        *((CLASSIC, {name: high + 1}, name, OUT_OF_RANGE) for name, (_, high) in _RANGES.items()),
        (CLASSIC, {"maximum_bid": 2**32 - 1}, "maximum_bid", OUT_OF_RANGE),
        (CLASSIC, {"minimum_bid": 0, "maximum_bid": 2**32 - 1}, "maximum_bid", OUT_OF_RANGE),
        (CLASSIC, {"barred_bids": (8, 14)}, "barred_bids.numbers[1]", OUT_OF_RANGE),
        (CLASSIC, {"barred_bids": (0, 8)}, "barred_bids.numbers[0]", OUT_OF_RANGE),
        (CLASSIC, {"barred_bids": (8, 8)}, "barred_bids", ProblemReason.DUPLICATE),
        (CLASSIC, {"barred_bids": (8,) * 65}, "barred_bids", ProblemReason.WRONG_COUNT),
        (SYRIAN, {"own_minimum": ((1, 3),) * 65}, "own_minimum", ProblemReason.WRONG_COUNT),
        (SYRIAN, {"own_minimum": ((2_000_000, 3),)}, "own_minimum.steps[0].from_score", OUT_OF_RANGE),
        (SYRIAN, {"total_minimum": ((0, 53),)}, "total_minimum.steps[0].value", OUT_OF_RANGE),
        (SYRIAN, {"bid_values": ((14, 1, None),)}, "bid_values.values[0].bid", OUT_OF_RANGE),
        (SYRIAN, {"bid_values": ((2, 1, None), (0, 1, None))}, "bid_values.values[1].bid", OUT_OF_RANGE),
        (SYRIAN, {"bid_values": ((2, 1001, None),)}, "bid_values.values[0].points", OUT_OF_RANGE),
        (SYRIAN, {"bid_values": ((2, 1, -1_000_001),)}, "bid_values.values[0].from_score", OUT_OF_RANGE),
        (
            SYRIAN,
            {"bid_values": ((2, 1, 30), (2, 2, None), (2, 3, 30))},
            "bid_values.values[2]",
            ProblemReason.DUPLICATE,
        ),
        (CLASSIC, {"trump": Trump.FIXED, "fixed_trump": 6}, "fixed_trump", ProblemReason.UNKNOWN_VALUE),
    ],
)
def test_out_of_range(preset: str, overrides: dict[str, Any], path: str, reason: ProblemReason) -> None:
    assert (path, reason) in found(preset, overrides)


@pytest.mark.parametrize(("field", "limits"), _RANGES.items())
def test_the_ends_of_a_range_are_in_it(field: str, limits: tuple[int, int]) -> None:
    preset = SYRIAN if field == "minimum_total" else CLASSIC
    for value in limits:
        house = {field: value, **({"barred_bids": ()} if field.endswith("_bid") else {})}
        if field == "maximum_bid":
            house["minimum_bid"] = 1
        assert found(preset, house) == []


def test_every_problem_is_named_at_once() -> None:
    house = {"target": 0, "sweep_points": 1001, "minimum_total": 11, "win_floor": WinFloor.PARTNER_ABOVE_ZERO}
    assert {path for path, _ in found(CLASSIC, house)} == set(house)


def test_no_preset_is_changed_by_overrides() -> None:
    before = repr(presets())
    resolve(CLASSIC, {"target": 31})
    found(CLASSIC, {"target": 0})
    assert repr(presets()) == before


def test_an_error_has_a_problem() -> None:
    with pytest.raises(ValueError, match="needs a problem") as caught:
        ProblemsError([])
    assert not isinstance(caught.value, ProblemsError)
