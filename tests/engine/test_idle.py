"""Options that do nothing are refused, and only those; what a preset brought gives way to what a house says.

The search compares each rule set with the one that lacks an option. `TARNEEB_TEST_SCALE` makes it longer.
"""

import random
from dataclasses import replace
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given

from conformance.statements.rules import IDLE
from conformance.statements.tables import options, rows, rules_of
from tarneeb_service.engine.idle import idle_options, settled
from tarneeb_service.engine.presets import PRESET_IDS, _value, presets, resolve
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rule_checks import problems_in
from tarneeb_service.engine.rules import (
    FIELD_NAMES,
    NEUTRAL,
    Auction,
    Doubling,
    OpeningLead,
    RuleSet,
    SweepWins,
    Trump,
    WinFloor,
)
from tests.engine.rule_differences import differ
from tests.strategies import houses, seeds, sound_rules

CLASSIC, MULOUK, FOUR_HUNDRED = "saharat_classic", "mulouk_41", "saharat_400"
# These always do something; what, other tests show.
NEVER_IDLE = {
    "auction",
    "minimum_bid",
    "maximum_bid",
    "all_pass",
    "trump",
    "opening_lead",
    "deal_order",
    "cut",
    "dealer_after_scored",
    "target",
    "tie_break",
    "revoke",
    "past_tricks",
    "reveal",
}
ENTRIES = ("barred_bids", "own_minimum", "total_minimum", "bid_values")


def problems_of(preset: str, house: dict[str, Any]) -> list[Problem]:
    try:
        resolve(preset, house)
    except ProblemsError as error:
        return error.problems
    return []


def all_of(rules: RuleSet) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in FIELD_NAMES}


def engine_values(house: dict[str, Any]) -> dict[str, Any]:
    """Values of the engine for those of a statement."""
    named = {"no_trump": "no-trump"}
    return {name: _value(name, named.get(str(value), value)) for name, value in house.items()}


@pytest.mark.parametrize(("title", "_", "chosen", "path", "remedy"), rows(IDLE, 5))
def test_an_option_that_does_nothing_is_refused(
    title: str, _: str, chosen: str, path: str, remedy: str
) -> None:
    preset, stated = rules_of(chosen)
    house = engine_values(stated)
    (problem,) = problems_of(preset, house)
    assert (problem.path, problem.reason) == (f"overrides.{path}", ProblemReason.CONTRADICTION)
    assert problem.message.startswith("does nothing: ")
    assert "; leave it out" in problem.message
    # Both remedies: without it, and beside what it needs.
    beside = settled(replace(presets()[preset].rules, **house), house.keys())
    (idle,) = idle_options(beside)
    assert problems_of(preset, {**house, idle.name: idle.without}) == []
    assert problems_of(preset, {**house, **engine_values(options(remedy.split()))}) == []


@pytest.mark.parametrize("preset", PRESET_IDS)
@pytest.mark.parametrize("auction", Auction)
def test_another_kind_of_auction_keeps_what_means_something_under_it(preset: str, auction: Auction) -> None:
    before, after = presets()[preset].rules, resolve(preset, {"auction": auction})
    assert (after.auction, problems_in(after), [*idle_options(after)]) == (auction, [], [])
    assert after.target == before.target
    for name in set(FIELD_NAMES) - {"auction", "trump", "opening_lead"}:
        assert getattr(after, name) in (getattr(before, name), getattr(NEUTRAL, name))
    if auction is before.auction:
        assert after == before


def test_where_nobody_declares_trump_and_lead_are_those_of_the_documents() -> None:
    alone, none = (resolve(CLASSIC, {"auction": kind}) for kind in (Auction.INDIVIDUAL, Auction.NONE))
    assert (alone.trump, alone.opening_lead) == (Trump.SISTER, OpeningLead.DEALERS_RIGHT)
    assert (none.trump, none.opening_lead) == (Trump.TURNED, OpeningLead.DEALERS_RIGHT)
    assert (none.minimum_bid, none.maximum_bid, none.sweep_points) == (7, 13, 16)


def test_only_what_was_sent_is_judged() -> None:
    sent = {"auction": Auction.INDIVIDUAL, "slam_made_points": 30, "opening_lead": OpeningLead.DEALER}
    assert [problem.path for problem in problems_of(CLASSIC, sent)] == ["overrides.slam_made_points"]
    assert resolve(FOUR_HUNDRED, {"trump": Trump.TURNED}).fixed_trump is None
    assert resolve(MULOUK, {"minimum_bid": 7}).barred_bids == ()
    assert resolve(FOUR_HUNDRED, {"barred_bids": (9,)}).bid_values == tuple(
        value for value in presets()[FOUR_HUNDRED].rules.bid_values if value[0] != 9
    )


def test_where_nothing_can_be_bid_nothing_is_called_idle() -> None:
    for house in ({"minimum_bid": 14}, {"maximum_bid": 0}, {"barred_bids": tuple(range(7, 14))}):
        assert [*idle_options(replace(presets()[CLASSIC].rules, doubling=Doubling.ANYONE, **house))] == []


def test_of_what_is_wrong_nothing_more_is_said() -> None:
    (problem,) = problems_of(CLASSIC, {"maximum_bid": 12, "slam_made_points": 1001})
    assert (problem.path, problem.reason) == ("overrides.slam_made_points", ProblemReason.OUT_OF_RANGE)


@pytest.mark.parametrize(
    ("option", "value"), [("win_floor", WinFloor.PARTNER_ABOVE_ZERO), ("sweep_wins", SweepWins.WHEN_BID)]
)
def test_a_game_that_has_an_idle_option_plays_on(option: str, value: Any) -> None:
    rules = replace(presets()["cardgames_zone_turned_trump"].rules, **{option: value})
    assert problems_in(rules) == []
    assert [idle.name for idle in idle_options(rules)] == [option]


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_nothing_of_a_preset_is_idle_and_the_full_rules_of_a_house_say_the_same(preset: str) -> None:
    rules = presets()[preset].rules
    assert [*idle_options(rules)] == []
    for name in set(FIELD_NAMES) - NEVER_IDLE | {"auction", "minimum_bid", "maximum_bid"}:
        for value in values_of(name):
            if problems_of(preset, {name: value}) == []:
                house = resolve(preset, {name: value})
                assert resolve(preset, all_of(house)) == house


@given(rules=houses(), seed=seeds())
def test_what_is_called_idle_changes_no_hand(rules: RuleSet, seed: int) -> None:
    assert not differ(rules, settled(rules, frozenset()), random.Random(seed), 40)


@given(rules=sound_rules(), seed=seeds())
def test_what_is_accepted_does_something(rules: RuleSet, seed: int) -> None:
    assert_all_act(rules, random.Random(seed))


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_what_one_override_brings_does_something(preset: str) -> None:
    chance = random.Random(preset)
    assert_all_act(presets()[preset].rules, chance)
    for name in set(FIELD_NAMES) - NEVER_IDLE | {"auction", "minimum_bid", "maximum_bid"}:
        for value in values_of(name):
            if value != getattr(presets()[preset].rules, name) and problems_of(preset, {name: value}) == []:
                assert_all_act(resolve(preset, {name: value}), chance)


def assert_all_act(rules: RuleSet, chance: random.Random) -> None:
    """Take each option out, and each entry of a list: some hand must be another one."""
    for name in sorted(set(FIELD_NAMES) - NEVER_IDLE):
        value = getattr(rules, name)
        without = [getattr(NEUTRAL, name)]
        if name in ENTRIES:
            without = [(*value[:index], *value[index + 1 :]) for index in range(len(value))]
        for other in without:
            if other != value and not (name == "fixed_trump" and rules.trump is Trump.FIXED):
                assert differ(rules, replace(rules, **{name: other}), chance), (name, value, rules)


def values_of(name: str) -> list[Any]:
    match name:
        case "minimum_bid" | "maximum_bid":
            return [1, 2, 5, 8, 12, 13]
        case "barred_bids":
            return [(number,) for number in range(1, 13)]
        case "own_minimum":
            return [(), ((0, 3),), ((10, 9),)]
        case "minimum_total":
            return [0, 8, 9, 11, 14, 28]
        case "total_minimum":
            return [(), ((0, 12),), ((5, 20),)]
        case "bid_values":
            return [(), *(((bid, 9, None),) for bid in (3, 7, 9))]
        case "fixed_trump":
            return [None, 1, 5]
        case "failed_slam_trick_factor":
            return [1, 2]
    if name.endswith("points"):
        return [0, 13, 16, 26]
    kind: type[IntEnum] = type(getattr(NEUTRAL, name))
    return list(kind)
