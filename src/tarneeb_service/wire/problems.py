"""Problems with the shape of a request, and how problems travel."""

from collections.abc import Iterable, Sequence
from unicodedata import category

from tarneeb.v1 import errors_pb2
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError, out_of_range

# More would not help a person, and the details of a status must stay below 4 kB.
MOST_SHOWN = 32
LONGEST_TEXT = 64


class NewerRulesError(ValueError):
    """A game made by a newer release than this one."""

    def __init__(self, revision: int) -> None:
        """Keep the game's rules revision."""
        super().__init__(f"the game was made under rules revision {revision}")
        self.revision = revision


def fail(path: str, reason: ProblemReason, message: str) -> ProblemsError:
    """Return the error of a single problem."""
    return ProblemsError([Problem(path, reason, message)])


def missing(path: str, message: str = "is required") -> ProblemsError:
    """Return the error of a part that is not there."""
    return fail(path, ProblemReason.MISSING, message)


def text_problem(path: str, text: str) -> Problem | None:
    """Return what is wrong with an id, or none: 1 to 64 bytes of UTF-8 without control characters."""
    if not text:
        return Problem(path, ProblemReason.MISSING, "is required")
    if len(text) > LONGEST_TEXT or len(text.encode()) > LONGEST_TEXT:
        return out_of_range(path, 1, LONGEST_TEXT, f"must be at most {LONGEST_TEXT} bytes")
    if _has_control(text):
        return Problem(path, ProblemReason.OUT_OF_RANGE, "must have no control characters")
    return None


def preset_id_problem(path: str, text: str) -> Problem | None:
    """Return what is wrong with the preset that a game names for display, or none; it may be empty."""
    if len(text.encode()) > LONGEST_TEXT or _has_control(text):
        message = f"must be at most {LONGEST_TEXT} bytes, and no control characters"
        return out_of_range(path, 0, LONGEST_TEXT, message)
    return None


def _has_control(text: str) -> bool:
    # What Python calls printable changes with its release, and leaves out joiners, which Persian and emoji need.
    return not text.isprintable() and any(category(character) == "Cc" for character in text)


def bytes_problem(path: str, value: bytes, shortest: int, longest: int) -> Problem | None:
    """Return what is wrong with the length of some bytes, or none. The bytes themselves are never shown."""
    if shortest and not value:
        message = f"must be {shortest} to {longest} bytes"
        return Problem(path, ProblemReason.MISSING, message, shortest, longest)
    if not shortest <= len(value) <= longest:
        message = f"must be {shortest} to {longest} bytes, not {len(value)}"
        return out_of_range(path, shortest, longest, message)
    return None


def raise_if_any(problems: Iterable[Problem | None], prefix: str = "") -> None:
    """Raise the problems there are, below a prefix."""
    found = [problem.under(prefix) if prefix else problem for problem in problems if problem is not None]
    if found:
        raise ProblemsError(found)


def encode_problems(problems: Sequence[Problem]) -> list[errors_pb2.Problem]:
    """Return problems as messages."""
    return [encode_problem(problem) for problem in problems]


def encode_problem(problem: Problem) -> errors_pb2.Problem:
    """Return a problem as a message."""
    return errors_pb2.Problem(
        path=problem.path,
        reason=errors_pb2.ProblemReason.ValueType(problem.reason),
        message=problem.message,
        minimum=problem.minimum,
        maximum=problem.maximum,
        remedy=problem.remedy,
    )
