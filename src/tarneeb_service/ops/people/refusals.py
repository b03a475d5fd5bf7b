"""Why a record went no further, in lines for people."""

from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.ops.people import words
from tarneeb_service.ops.people.reading import problem_lines
from tarneeb_service.ops.people.words import Signs
from tarneeb_service.wire.decode import decode_move_message
from tarneeb_service.wire.records import Refusal, Step


def step_words(step: Step, signs: Signs) -> str:
    """Return what was tried: a move as a sentence."""
    if step.move is None:
        return "the deal"
    try:
        move, made_for = decode_move_message(step.move, "move")
    except ProblemsError:
        return "a move that is none"
    said = words.move_words(move, signs)
    return said if made_for is None else f"{said}, at revision {made_for}"


def refusal_lines(refusal: Refusal, signs: Signs, viewer: int | None = None) -> list[str]:
    """Return where a record is wrong, and why.

    Args:
        refusal: The step that was refused.
        signs: How cards are written.
        viewer: Who reads it, or none for whoever has the record. A refusal tells what the mover holds.
    """
    step, verdict = refusal.step, refusal.verdict
    place = f"hand {step.hand_number}, " + (f"move {step.move_number}" if step.move else "the deal")
    if step.move is not None and viewer is not None and viewer != step.move.seat - 1:
        return [f"Refused at {place}; the move and the reason are for the seat that moved"]
    tried = f": {step_words(step, signs)}" if step.move is not None else ""
    lines = [f"Refused at {place}{tried}"]
    if verdict is not None:
        reason = verdict.reason.name if verdict.reason is not None else "REFUSED"
        return [*lines, f"  {reason} ({verdict.rule_id}): {verdict.message}"]
    return lines + [f"  {line}" for line in problem_lines(refusal.problems)]
