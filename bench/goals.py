"""What the measurements must show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Goal:
    """A line of the table: ``value`` finds the number in what a part found; ``most`` says that less is better."""

    what: str
    part: str
    value: Callable[[Found], float]
    limit: float
    unit: str = ""
    most: bool = False

    @property
    def text(self) -> str:
        return f"{'≤' if self.most else '≥'} {self.limit:g}{self.unit}"

    def met(self, number: float) -> bool:
        return number <= self.limit if self.most else number >= self.limit

    def judged(self, number: float) -> str:
        """What was measured, and that it misses its goal where it does."""
        shown = (
            f"{number:.2f}" if abs(number) < 10 else f"{number:.1f}" if abs(number) < 100 else f"{number:.0f}"
        )
        return f"{shown}{self.unit}" if self.met(number) else f"**{shown}{self.unit}: missed**"


def _of_echo(kind: str, way: str) -> Callable[[Found], float]:
    return lambda found: float(found[kind][way]["ratio_by_cpu"][0])


def _of_unary(way: str) -> Callable[[Found], float]:
    return lambda found: float(found[way]["batch of 100"]["ratio_by_cpu"][0])


def _handler(way: str) -> Callable[[Found], float]:
    return lambda found: float(found["handler_us"]["ValidateMove"][way]["median"])


def _hands_against(peer: str) -> Callable[[Found], float]:
    return lambda found: float(found["ratios"][peer])


def _named(name: str) -> Callable[[Found], float]:
    return lambda found: float(found[name])


def _by_hands(found: Found) -> float:
    costs = found["by_hands_us"]
    return float(costs["25"] / costs["1"])


def _by_tricks(found: Found) -> float:
    """How twelve tricks stand to the line through none and six."""
    costs = found["by_tricks_us"]
    return float(costs["12"] / (2 * costs["6"] - costs["0"]))


GOALS = (
    Goal(
        "unary `ValidateMove`, logs and metrics on, against an echo of the same bytes: same replica",
        "unary",
        _of_echo("ValidateMove", "same replica"),
        0.80,
    ),
    Goal("– memory off", "unary", _of_echo("ValidateMove", "memory off"), 0.50),
    Goal("`ApplyMove` with four views, same replica", "unary", _of_echo("ApplyMove", "same replica"), 0.55),
    Goal(
        "a move in a batch of 100, against a single call: same replica",
        "batch",
        _of_unary("same replica"),
        12,
        " ×",
    ),
    Goal("– memory off", "batch", _of_unary("memory off"), 5, " ×"),
    Goal(
        "the handler's CPU inside the server, `ValidateMove`, median: same replica",
        "handler",
        _handler("same replica"),
        12,
        " µs",
        most=True,
    ),
    Goal("– memory off", "handler", _handler("memory off"), 60, " µs", most=True),
    Goal("– the 25th hand of a game against the first", "handler", _by_hands, 1.1, " ×", most=True),
    Goal("– twelve tricks against a line through none and six", "handler", _by_tricks, 1.15, " ×", most=True),
    Goal(
        "random hands in process, against OpenSpiel's bridge from Python",
        "peers",
        _hands_against("openspiel"),
        1,
        " ×",
    ),
    Goal("– against RLCard's", "peers", _hands_against("rlcard"), 8, " ×"),
    Goal("– against boardgame.io's client", "peers", _hands_against("boardgame.io"), 150, " ×"),
    Goal(
        "two processes on two cores against one, for what the client leaves",
        "processes",
        _named("ratio_of_room"),
        1.8,
        " ×",
    ),
    Goal("start to serving", "soak", _named("start_s"), 0.6, " s", most=True),
    Goal("memory, idle", "soak", _named("idle_mb"), 60, " MB", most=True),
    Goal("growth a 100,000 calls, caches full", "soak", _named("growth_mb_per_100k"), 1, " MB", most=True),
)
