"""What is wrong with data, said in a way that names the place and the remedy.

A problem names no card, but says what is wrong with the whole game, hidden cards included: it is for the backend,
never for players.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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
    """One problem: ``path`` from the top of what was checked, a reason, a sentence for people."""

    path: str
    reason: ProblemReason
    message: str

    def under(self, prefix: str) -> "Problem":
        """Return the same problem with its path below ``prefix``."""
        path = f"{prefix}.{self.path}" if self.path else prefix
        return Problem(path, self.reason, self.message)


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
