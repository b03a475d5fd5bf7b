"""What bursts of calls cost, and how many times more one thing costs than another in the same run."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has had, by the scheduler's own count."""
    times = (path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(line.split()[0]) for line in times) / 1e9


class Ratio(NamedTuple):
    """How many times the cost of one thing another has, over pairs of bursts: the middle, and the quartiles."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f} (quartiles {self.low:.2f} to {self.high:.2f})"


def ratio(costs: Sequence[float], others: Sequence[float]) -> Ratio:
    """The ratios of costs to other costs, pair by pair."""
    pairs = [cost / other for cost, other in zip(costs, others, strict=True)]
    low, _, high = quantiles(pairs, n=4)
    return Ratio(median(pairs), low, high)
