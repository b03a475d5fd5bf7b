"""The presets: one TOML file a rule set, and the making of a full rule set from one and its overrides."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from typing import Any

from tarneeb_service.engine.cards import STRAIN_NAMES
from tarneeb_service.engine.idle import idle_options, settled
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rule_checks import problems_in
from tarneeb_service.engine.rules import NEUTRAL, RuleSet

# The order of rules.md, for lobbies.
PRESET_IDS = (
    "saharat_classic",
    "saharat_syrian_41",
    "saharat_400",
    "mulouk_41",
    "jawaker_classic",
    "jawaker_egyptian",
    "jawaker_syrian_41",
    "cardgames_zone",
    "cardgames_zone_turned_trump",
    "tarneeb_wikipedia",
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule set as a document describes it, and what a lobby shows of it."""

    id: str
    title: str
    description: str
    source: str
    offered_targets: tuple[int, ...]
    target_locked: bool
    rules: RuleSet


@cache
def presets() -> Mapping[str, Preset]:
    """Return all presets by id, in lobby order."""
    # Late, since they load a lot that serving does not need at once.
    import tomllib
    from importlib.resources import files

    folder = files("tarneeb_service.engine") / "presets"
    return {
        preset_id: _preset_of(preset_id, tomllib.loads((folder / f"{preset_id}.toml").read_text("utf-8")))
        for preset_id in PRESET_IDS
    }


def resolve(preset_id: str, overrides: Mapping[str, Any]) -> RuleSet:
    """Return a preset's rules with some fields replaced; what the preset brought and now does nothing is taken out.

    Args:
        preset_id: The preset.
        overrides: Values by field name, of the types of ``RuleSet``.

    Raises:
        ProblemsError: The preset is unknown, the target is locked, the result makes no sense, or an override does
            nothing; paths are below ``preset_id`` and ``overrides``.
    """
    preset = presets().get(preset_id)
    if preset is None:
        reason = ProblemReason.UNKNOWN_PRESET if preset_id else ProblemReason.MISSING
        raise ProblemsError([Problem("preset_id", reason, "name one of the presets")])
    if not overrides:
        return preset.rules
    rules = settled(replace(preset.rules, **overrides), overrides.keys())
    found = problems_in(rules)
    # Of what is wrong already nothing more is said.
    wrong = {problem.path.split(".")[0] for problem in found}
    found += [idle.problem() for idle in idle_options(rules) if idle.name not in wrong]
    problems = [problem.under("overrides") for problem in found]
    if preset.target_locked and rules.target != preset.rules.target:
        message = f"{preset_id} is always played to {preset.rules.target}"
        locked = Problem("overrides.target", ProblemReason.LOCKED, message, remedy=preset.rules.target)
        problems.append(locked)
    if problems:
        raise ProblemsError(problems)
    return rules


def _preset_of(preset_id: str, document: dict[str, Any]) -> Preset:
    rules = replace(NEUTRAL, **{name: _value(name, value) for name, value in document.pop("rules").items()})
    document["offered_targets"] = tuple(document["offered_targets"])
    document.setdefault("target_locked", False)
    return Preset(id=preset_id, rules=rules, **document)


def _value(name: str, value: Any) -> Any:
    """Turn a TOML value into that of a rule set field; a name that is none is a ``KeyError``."""
    neutral = getattr(NEUTRAL, name)
    if isinstance(neutral, IntEnum):
        return type(neutral)[value.upper()]
    match name:
        case "fixed_trump":
            return STRAIN_NAMES.index(value)
        case "own_minimum" | "total_minimum":
            return tuple((from_score, step) for from_score, step in value)
        case "bid_values":
            return tuple((entry[0], entry[1], entry[2] if len(entry) > 2 else None) for entry in value)
        case "barred_bids":
            return tuple(value)
    return value
