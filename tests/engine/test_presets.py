"""The ten presets against the oracle's own reading of the documents, and what a house may change in them."""

import tomllib
from dataclasses import fields
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_service.engine import presets as module
from tarneeb_service.engine.presets import PRESET_IDS, presets, resolve
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rule_checks import problems_in
from tarneeb_service.engine.rules import FIELD_NAMES, RuleSet
from tests.engine.mirror import oracle_rules
from tests.oracle.rule_sets import RULE_SETS
from tests.strategies import sound_overrides

# What a lobby offers, by the documents.
OFFERED = {
    "saharat_classic": (31, 41, 61),
    "saharat_syrian_41": (41,),
    "saharat_400": (41,),
    "mulouk_41": (41,),
    "jawaker_classic": (31,),
    "jawaker_egyptian": (41,),
    "jawaker_syrian_41": (41,),
    "cardgames_zone": (31, 41, 51),
    "cardgames_zone_turned_trump": (31, 41, 51),
    "tarneeb_wikipedia": (31, 41, 61),
}
DOCUMENTS = {"saharat": "001", "mulouk": "000", "jawaker": "002", "cardgames": "003", "tarneeb": "004"}


def problems(preset: str, **overrides: Any) -> list[Problem]:
    with pytest.raises(ProblemsError) as caught:
        resolve(preset, overrides)
    return caught.value.problems


def test_ten_presets_in_lobby_order() -> None:
    assert tuple(presets()) == PRESET_IDS == tuple(OFFERED)
    folder = files("tarneeb_service.engine") / "presets"
    assert {f"{name}.toml" for name in PRESET_IDS} == {entry.name for entry in folder.iterdir()}


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_every_switch_is_as_the_oracle_reads_the_documents(preset: str) -> None:
    ours, theirs = oracle_rules(presets()[preset].rules), dict(RULE_SETS[preset])
    for rules in (ours, theirs):
        rules["bid_values"] = sorted(rules["bid_values"], key=str)
    assert ours == theirs


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_what_a_lobby_shows(preset: str) -> None:
    info = presets()[preset]
    assert info.id == preset
    assert info.title
    assert info.description.endswith(".")
    assert info.source.startswith(DOCUMENTS[preset.split("_", maxsplit=1)[0]])
    assert info.offered_targets == OFFERED[preset]
    assert info.rules.target in info.offered_targets
    assert info.target_locked == (preset == "mulouk_41")


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_presets_are_sound_and_no_file_sets_what_is_neutral_to_something_else(preset: str) -> None:
    assert problems_in(presets()[preset].rules) == []


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_every_override_equal_to_the_preset_is_accepted(preset: str) -> None:
    rules = presets()[preset].rules
    everything = {field.name: getattr(rules, field.name) for field in fields(RuleSet)}
    assert resolve(preset, everything) == rules
    for name, value in everything.items():
        assert resolve(preset, {name: value}) == rules


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_offered_targets_and_any_other_are_overrides(preset: str) -> None:
    for target in (*OFFERED[preset], 1, 1_000_000):
        if preset == "mulouk_41" and target != 41:
            (problem,) = problems(preset, target=target)
            assert (problem.path, problem.reason) == ("overrides.target", ProblemReason.LOCKED)
            assert problem.message == "mulouk_41 is always played to 41"
        else:
            assert resolve(preset, {"target": target}).target == target


@pytest.mark.parametrize("target", [0, -1, 1_000_001])
def test_no_target_out_of_range(target: int) -> None:
    (problem,) = problems("saharat_classic", target=target)
    assert (problem.path, problem.reason) == ("overrides.target", ProblemReason.OUT_OF_RANGE)


def test_unknown_presets() -> None:
    (problem,) = problems("classic")
    assert (problem.path, problem.reason) == ("preset_id", ProblemReason.UNKNOWN_PRESET)
    (problem,) = problems("")
    assert (problem.path, problem.reason) == ("preset_id", ProblemReason.MISSING)


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_a_file_with_an_unknown_key_or_value_is_refused(preset: str) -> None:
    text = (files("tarneeb_service.engine") / "presets" / f"{preset}.toml").read_text("utf-8")
    document = tomllib.loads(text)
    for section, error in (("rules", AttributeError), (None, TypeError)):
        broken = tomllib.loads(text)
        (broken[section] if section else broken)["no_such_switch"] = 1
        with pytest.raises(error):
            module._preset_of(preset, broken)
    document["rules"]["trump"] = "guessed"
    with pytest.raises(KeyError):
        module._preset_of(preset, document)


@given(preset=st.sampled_from([name for name in PRESET_IDS if name != "mulouk_41"]), house=sound_overrides())
def test_every_sound_house_rule_is_an_override(preset: str, house: dict[str, Any]) -> None:
    assert set(house) == set(FIELD_NAMES)
    assert resolve(preset, house) == RuleSet(**house)
