"""What is to be run, out of mixes.toml, and what it must keep to, out of thresholds.toml."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loadtest.actions import ACTIONS

HERE = Path(__file__).resolve().parent
MIXES, THRESHOLDS = HERE / "mixes.toml", HERE / "thresholds.toml"
ALL = "all"
# What is at most, and what is at least.
CEILINGS, FLOORS = ("failed_share", "p50_ms", "p95_ms", "p99_ms"), ("calls_per_second",)


class PlanError(Exception):
    """A file says what can't be done; the text names it."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Actions with their weights, the rule sets to play (none: all), and the items of a batch."""

    weights: dict[str, float]
    rule_sets: tuple[str, ...]
    batch: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the result: a name, how many calls, and their figures by the names of thresholds."""

    name: str
    calls: int
    figures: dict[str, float]


def read_mix(path: Path, name: str) -> Mix:
    """Read a mix.

    Raises:
        PlanError: There is none of the name, or it can't be run.
    """
    content = _read(path)
    mixes = content.get("mixes", {})
    if name not in mixes:
        raise PlanError(f"{path} has no mix {name!r}: it has {', '.join(mixes)}")
    weights, batch = mixes[name], content.get("batch", 100)
    if unknown := [action for action in weights if action not in ACTIONS]:
        raise PlanError(
            f"{path}: no action {', '.join(unknown)} in mix {name}: there are {', '.join(ACTIONS)}"
        )
    if not all(_is_number(weight) and weight >= 0 for weight in weights.values()) or not sum(
        weights.values()
    ):
        raise PlanError(f"{path}: the weights of mix {name} must be numbers, 0 or more, and not all 0")
    if not isinstance(batch, int) or not 1 <= batch <= 256:
        raise PlanError(f"{path}: batch must be 1 to 256, not {batch!r}")
    return Mix(dict(weights), tuple(content.get("rule_sets", ())), batch)


def read_thresholds(path: Path) -> dict[str, dict[str, float]]:
    """Read thresholds, by the name of the line that they are for.

    Raises:
        PlanError: One is no threshold.
    """
    content = _read(path)
    for name, limits in content.items():
        if not isinstance(limits, dict):
            raise PlanError(f"{path}: {name} must be in a table, [all] or that of a line")
        for key, limit in limits.items():
            if key not in (*CEILINGS, *FLOORS) or not _is_number(limit):
                raise PlanError(f"{path}: [{name}] {key} = {limit!r} is no threshold")
    return content


def missed(thresholds: Mapping[str, Mapping[str, float]], lines: Iterable[Line]) -> list[str]:
    """What was missed, a sentence each. A run without calls keeps to nothing."""
    by_name = {line.name: line for line in lines}
    if ALL not in by_name or not by_name[ALL].calls:
        return ["no call was made"]
    return [
        f"{name}: {key} is {figure:.4g}, {'at most' if key in CEILINGS else 'at least'} {limit:g} is allowed"
        for name, limits in thresholds.items()
        # A mix need not have every kind of call.
        if name in by_name
        for key, limit in limits.items()
        if ((figure := by_name[name].figures[key]) > limit and key in CEILINGS)
        or (key in FLOORS and figure < limit)
    ]


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise PlanError(f"{path}: {error}") from None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
