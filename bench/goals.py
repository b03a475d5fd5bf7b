"""What the measurements must show, a line of README's table each."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Goal:
    """A number found in what a part found, and its limit; ``most`` says that less is better."""

    value: Callable[[Found], float | None]
    limit: float
    unit: str = ""
    most: bool = False

    @property
    def text(self) -> str:
        return f"{'≤' if self.most else '≥'} {self.limit:g}{self.unit}"

    def judged(self, found: Found) -> str:
        """What was measured, and that it misses its goal where it does."""
        number = self.value(found)
        if number is None:
            return "–"
        shown = (
            f"{number:.2f}" if abs(number) < 10 else f"{number:.1f}" if abs(number) < 100 else f"{number:.0f}"
        )
        met = number <= self.limit if self.most else number >= self.limit
        return f"{shown}{self.unit}" if met else f"**{shown}{self.unit}: missed**"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what a part measures, and its goals."""

    what: str
    part: str
    goals: tuple[Goal, ...]


def _of_echo(kind: str, way: str) -> Callable[[Found], float]:
    return lambda found: float(found[kind][way]["ratio_by_cpu"][0])


def _of_unary(way: str) -> Callable[[Found], float]:
    return lambda found: float(found[way]["batch of 100"]["ratio_by_cpu"][0])


def _handler(way: str) -> Callable[[Found], float]:
    return lambda found: float(found["handler_us"]["ValidateMove"][way]["median"])


def _hands_against(peer: str) -> Callable[[Found], float | None]:
    """None where its tools are missing."""
    return lambda found: (
        found["players"][peer]["line_over_it"]["middle"] if peer in found["players"] else None
    )


def _named(name: str) -> Callable[[Found], float]:
    return lambda found: float(found[name])


def _by_hands(found: Found) -> float:
    costs = found["by_hands_us"]
    return float(costs["25"] / costs["1"])


def _by_tricks(found: Found) -> float:
    """How twelve tricks stand to the line through none and six."""
    costs = found["by_tricks_us"]
    return float(costs["12"] / (2 * costs["6"] - costs["0"]))


SAME, OFF = "same replica", "memory off"
ROWS = (
    Row(
        "unary `ValidateMove`, logs and metrics on, against an echo: same replica / memory off",
        "unary",
        (Goal(_of_echo("ValidateMove", SAME), 0.80), Goal(_of_echo("ValidateMove", OFF), 0.50)),
    ),
    Row(
        "`ApplyMove` with four views against the echo, same replica",
        "unary",
        (Goal(_of_echo("ApplyMove", SAME), 0.55),),
    ),
    Row(
        "a move in a batch of 100, against unary: same replica / memory off",
        "batch",
        (Goal(_of_unary(SAME), 12, " ×"), Goal(_of_unary(OFF), 5, " ×")),
    ),
    Row(
        "the handler's CPU in the server, `ValidateMove`, median: same replica / memory off",
        "handler",
        (Goal(_handler(SAME), 12, " µs", most=True), Goal(_handler(OFF), 60, " µs", most=True)),
    ),
    Row(
        "random hands in process, against OpenSpiel's bridge from Python / RLCard's / boardgame.io's",
        "peers",
        (
            Goal(_hands_against("OpenSpiel, bridge"), 1, " ×"),
            Goal(_hands_against("RLCard, bridge"), 8, " ×"),
            Goal(_hands_against("boardgame.io, client"), 150, " ×"),
        ),
    ),
    Row(
        "the 25th hand against the first / twelve tricks against a line through none and six; memory off",
        "handler",
        (Goal(_by_hands, 1.1, " ×", most=True), Goal(_by_tricks, 1.15, " ×", most=True)),
    ),
    Row(
        "two processes on two cores against one, for what the client leaves",
        "processes",
        (Goal(_named("ratio_of_room"), 1.8, " ×"),),
    ),
    Row(
        "start / memory, idle / its growth a 100,000 calls, caches full",
        "soak",
        (
            Goal(_named("start_s"), 0.6, " s", most=True),
            Goal(_named("idle_mb"), 60, " MB", most=True),
            Goal(_named("growth_mb_per_100k"), 1, " MB", most=True),
        ),
    ),
)
