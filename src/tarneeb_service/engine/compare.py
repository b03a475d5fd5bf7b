"""What a snapshot says of what follows, held against what does follow."""

from tarneeb_service.engine.cards import STRAIN_NAMES
from tarneeb_service.engine.check_parts import is_known
from tarneeb_service.engine.derived import Derived, derived_of
from tarneeb_service.engine.problems import Problem, ProblemReason, wrong_count
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.engine.snapshot import RawContract, RawDerived, RawOutcome, RawResult, RawScoreLine
from tarneeb_service.engine.state import HandResult, Phase, State

_OF_GAME = ("scores", "next_dealer", "phase", "seat_to_act", "outcome")


def differences(given: RawDerived, state: State) -> list[Problem]:
    """Return every derived field that says something else than the state, with paths from the game."""
    right = _raw(derived_of(state))
    if given == right:
        return []
    problems: list[Problem] = []
    for name in RawDerived._fields:
        is_, should_be = getattr(given, name), getattr(right, name)
        path = name if name in _OF_GAME else f"hand.{name}"
        if name in ("scores", "trick_winners"):
            problems += _differences_of_lists(path, is_, should_be)
        elif is_ != should_be:
            problems.append(_difference(path, name, is_, should_be))
    return problems


def _raw(derived: Derived) -> RawDerived:
    outcome, contract, result = derived.outcome, derived.contract, derived.result
    return RawDerived(
        derived.scores,
        derived.next_dealer,
        derived.phase,
        derived.seat_to_act,
        None if outcome is None else RawOutcome(*outcome),
        None if contract is None else RawContract(*contract),
        derived.trump,
        derived.opening_leader,
        derived.trick_winners,
        None if result is None else _raw_result(result),
    )


def _raw_result(result: HandResult) -> RawResult:
    # Why a line has its points is told, not stored.
    lines = tuple(RawScoreLine(*line[:-1]) for line in result.lines)
    return RawResult(result.end, lines, result.offender)


def _difference(path: str, name: str, given: object, right: object) -> Problem:
    if right is None:
        return Problem(path, ProblemReason.UNEXPECTED, "must be unset at this point of the game")
    if given is None or (name == "phase" and given == 0):
        return Problem(path, ProblemReason.MISSING, f"must be {_text(name, right)}")
    reason = ProblemReason.MISMATCH if is_known(name, given) else ProblemReason.UNKNOWN_VALUE
    return Problem(path, reason, f"does not follow from the game: must be {_text(name, right)}")


def _differences_of_lists(path: str, given: tuple[int, ...], right: tuple[int, ...]) -> list[Problem]:
    problems = []
    if len(given) != len(right):
        message = f"must have {len(right)} entries, not {len(given)}"
        problems.append(wrong_count(path, len(right), len(right), message))
    for index, (is_, should_be) in enumerate(zip(given, right, strict=False)):
        if is_ != should_be:
            text = SEAT_NAMES[should_be] if path.endswith("winners") else str(should_be)
            message = f"does not follow from the game: must be {text}"
            problems.append(Problem(f"{path}[{index}]", ProblemReason.MISMATCH, message))
    return problems


def _text(name: str, value: object) -> str:
    match name, value:
        case (("next_dealer" | "seat_to_act" | "opening_leader"), int(seat)):
            return SEAT_NAMES[seat]
        case "trump", int(strain):
            return STRAIN_NAMES[strain]
        case "phase", int(phase):
            return Phase(phase).name.lower().replace("_", " ")
    return f"the {name} that the rules and the hand give"
