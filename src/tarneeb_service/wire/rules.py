"""Rule sets: ``rules.proto``.

Field names and enum numbers are the same on both sides, so one loop serves every field, and a new switch
needs nothing here.
"""

from enum import IntEnum
from functools import lru_cache
from typing import Any

from tarneeb.v1 import cards_pb2, rules_pb2
from tarneeb_service.engine.presets import Preset, resolve
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rule_checks import MOST_ENTRIES, problems_in
from tarneeb_service.engine.rules import BROUGHT_BY, FIELD_NAMES, NEUTRAL, SLAM, RuleSet
from tarneeb_service.wire.problems import missing, raise_if_any

# A rule set with every ladder and table full is shorter.
LONGEST_CACHED = 4096
# What is longer is refused for its length, and need not be read to the end.
_ENOUGH = MOST_ENTRIES + 1
_LOST = (
    "every rule must be set in a game: if it was, the stubs that read the game may be older than it; "
    "store and send the bytes of its snapshot as they came"
)


def decode_choice(
    choice: rules_pb2.RuleSetChoice | None, path: str = "rule_set", revision: int | None = None
) -> RuleSet:
    """Return the full rule set of a preset and its overrides; no choice is one that is missing.

    Where the choice was made under an earlier rules ``revision``, a switch that came later and is not overridden has
    its neutral value, whatever the preset says today.

    Raises:
        ProblemsError: With paths below ``path``.
    """
    if choice is None:
        raise missing(path)
    problems: list[Problem] = []
    overrides = _decode_fields(choice.overrides, problems)
    problems = [problem.under("overrides") for problem in problems]
    if revision is not None:
        later = [name for name in FIELD_NAMES if not _knew(revision, name)]
        overrides = {name: getattr(NEUTRAL, name) for name in later} | overrides
    try:
        rules = resolve(choice.preset_id, overrides)
    except ProblemsError as error:
        # What can't be read has no value, and is not told that it has none.
        named = {problem.path for problem in problems}
        problems += [problem for problem in error.problems if problem.path not in named]
    raise_if_any(problems, path)
    return rules


def decode_rules(message: rules_pb2.RuleSet, revision: int) -> RuleSet:
    """Return the rules that a game carries, where every field is set that its rules revision knew.

    A switch that came later has its neutral value.

    Raises:
        ProblemsError: With paths from the rule set.
    """
    data = message.SerializeToString()
    decode = _decode_rules if len(data) <= LONGEST_CACHED else _decode_rules.__wrapped__
    return decode(data, revision)


# A service sees few rule sets and many games of each: reading one takes 60 times as long as finding it, more than
# all the rest of a call. A hostile caller may only push others out, and fill little, since what has fields beyond
# ours stays outside.
@lru_cache(maxsize=1024)
def _decode_rules(data: bytes, revision: int) -> RuleSet:
    message = rules_pb2.RuleSet.FromString(data)
    problems: list[Problem] = []
    values = _decode_fields(message, problems)
    broken = {problem.path.split(".")[0] for problem in problems}
    known = [name for name in FIELD_NAMES if _knew(revision, name) and name != "fixed_trump"]
    lost = [name for name in known if name not in values and name not in broken]
    problems += [Problem(name, ProblemReason.MISSING, _LOST) for name in lost]
    if not problems:
        rules = RuleSet(**values)
        problems = problems_in(rules)
        if not problems:
            return rules
    raise ProblemsError(problems)


def _knew(revision: int, name: str) -> bool:
    """Say whether a rules revision had a switch."""
    return BROUGHT_BY.get(name, 1) <= revision


def encode_rules(rules: RuleSet) -> rules_pb2.RuleSet:
    """Return a rule set as a message of the caller's own, with every field set."""
    return rules_pb2.RuleSet.FromString(_encode_rules(rules))


# Finding the bytes and parsing them takes a twentieth of setting every field.
@lru_cache(maxsize=1024)
def _encode_rules(rules: RuleSet) -> bytes:
    message = rules_pb2.RuleSet()
    for name in FIELD_NAMES:
        value = getattr(rules, name)
        match name:
            case "barred_bids":
                message.barred_bids.SetInParent()
                message.barred_bids.numbers.extend(sorted(value))
            case "own_minimum" | "total_minimum":
                ladder: rules_pb2.Ladder = getattr(message, name)
                ladder.SetInParent()
                for from_score, step in value:
                    ladder.steps.add(from_score=from_score, value=step)
            case "bid_values":
                message.bid_values.SetInParent()
                for bid, points, least in value:
                    message.bid_values.values.add(bid=bid, points=points, from_score=least)
            case "fixed_trump":
                message.fixed_trump = cards_pb2.Strain.ValueType(value or 0)
            case _:
                setattr(message, name, value)
    return message.SerializeToString()


def encode_preset(preset: Preset) -> rules_pb2.RuleSetInfo:
    """Return a preset as a lobby shows it."""
    return rules_pb2.RuleSetInfo(
        preset_id=preset.id,
        title=preset.title,
        description=preset.description,
        source=preset.source,
        rules=encode_rules(preset.rules),
        offered_targets=preset.offered_targets,
        target_locked=preset.target_locked,
    )


def _decode_fields(message: rules_pb2.RuleSet, problems: list[Problem]) -> dict[str, Any]:
    """Return the values of the fields that are set; an unknown enum number is a problem."""
    values: dict[str, Any] = {}
    for name in FIELD_NAMES:
        if not message.HasField(name):  # type: ignore[arg-type]  # the names are those of the message
            continue
        value = getattr(message, name)
        neutral = getattr(NEUTRAL, name)
        if isinstance(neutral, IntEnum):
            # An enum's zero says the same as leaving it out.
            if value:
                try:
                    values[name] = type(neutral)(value)
                except ValueError:
                    problems.append(Problem(name, ProblemReason.UNKNOWN_VALUE, f"{value} is no {name}"))
            continue
        match name:
            case "barred_bids":
                numbers = value.numbers[:_ENOUGH]
                # A number out of range is named where it stands.
                sound = all(1 <= number <= SLAM for number in numbers)
                values[name] = tuple(sorted(numbers) if sound else numbers)
            case "own_minimum" | "total_minimum":
                values[name] = tuple((step.from_score, step.value) for step in value.steps[:_ENOUGH])
            case "bid_values":
                values[name] = tuple(
                    (entry.bid, entry.points, entry.from_score if entry.HasField("from_score") else None)
                    for entry in value.values[:_ENOUGH]
                )
            case "fixed_trump":
                values[name] = value or None
            case _:
                values[name] = value
    return values
