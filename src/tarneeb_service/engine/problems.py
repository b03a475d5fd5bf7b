"""What is wrong with data, said in a way that names the place and the remedy.

A problem names no card, but says what is wrong with the whole game, hidden cards included: it is for the backend,
never for players.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum


class ProblemReason(IntEnum):
    """What is wrong with a field; the numbers are those of ``errors.proto``."""

    MISSING = 1
    UNEXPECTED = 2
    UNKNOWN_VALUE = 3
    OUT_OF_RANGE = 4
    WRONG_COUNT = 5
    DUPLICATE = 6
    UNKNOWN_PRESET = 7
    CONTRADICTION = 8
    LOCKED = 9
    NOT_DEALT = 10
    PLAYED_TWICE = 11
    ILLEGAL_HISTORY = 12
    MISMATCH = 13
    WRONG_PHASE = 14
    COMMITMENT = 15


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: ``path`` from the top of what was checked, a reason, a sentence for people.

    ``minimum`` and ``maximum`` are the least and the most that would do of a number, a count or a length in bytes,
    ``remedy`` the one value that would do of a rule; each below 2**31, and none where there is none.
    """

    path: str
    reason: ProblemReason
    message: str
    minimum: int | None = None
    maximum: int | None = None
    remedy: int | None = None

    def under(self, prefix: str) -> "Problem":
        """Return the same problem with its path below ``prefix``."""
        path = f"{prefix}.{self.path}" if self.path else prefix
        return replace(self, path=path)


def out_of_range(path: str, lowest: int, highest: int, message: str = "") -> Problem:
    """Return the problem of a number, or a length in bytes, that is not within a range."""
    text = message or f"must be {lowest} to {highest}"
    return Problem(path, ProblemReason.OUT_OF_RANGE, text, lowest, highest)


def wrong_count(path: str, lowest: int, highest: int, message: str) -> Problem:
    """Return the problem of a list with too few or too many items."""
    return Problem(path, ProblemReason.WRONG_COUNT, message, lowest, highest)


def unknown_card(path: str) -> Problem:
    """Return the problem of a number that is none of the 52 cards."""
    return Problem(path, ProblemReason.UNKNOWN_VALUE, "is none of the 52 cards")


class ProblemsError(ValueError):
    """Data that can't be judged, with every problem found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep the problems; without one this is a ``ValueError`` of another kind, and a fault of the caller."""
        if not problems:
            raise ValueError("an error of problems needs a problem")
        super().__init__("; ".join(f"{problem.path}: {problem.message}" for problem in problems[:8]))
        self.problems = [*problems]
