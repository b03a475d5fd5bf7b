"""What is wrong with a game or record, in lines for people."""

from collections.abc import Sequence

from tarneeb.v1 import moves_pb2
from tarneeb_service.cli.seen import words
from tarneeb_service.cli.seen.words import Signs
from tarneeb_service.engine.problems import Problem, ProblemsError
from tarneeb_service.rpc.replay import Refusal
from tarneeb_service.wire.moves import decode_move

MOST_SHOWN = 20


def problem_lines(problems: Sequence[Problem]) -> list[str]:
    """Return problems as lines, the first of very many."""
    lines = [f"{problem.path}: {problem.message}" for problem in problems[:MOST_SHOWN]]
    if len(problems) > MOST_SHOWN:
        lines.append(f"and {len(problems) - MOST_SHOWN} problems more")
    return lines


def refusal_lines(refusal: Refusal, signs: Signs, viewer: int | None = None) -> list[str]:
    """Return where a record is wrong, and why.

    Args:
        refusal: The step that was refused.
        signs: How cards are written.
        viewer: Who reads it, or none for whoever has the record. A refusal tells what the mover holds.
    """
    step, verdict = refusal.step, refusal.verdict
    place = f"Refused at hand {step.hand_number}"
    if step.move is None:
        lines = [f"{place}, the deal"]
    else:
        place += f", move {step.move_number}"
        if viewer is not None and viewer != step.move.seat - 1:
            return [f"{place}; the move and the reason are for the seat that moved"]
        lines = [f"{place}: {_tried(step.move, signs)}"]
    if verdict is not None:
        reason = verdict.reason.name if verdict.reason is not None else "REFUSED"
        return [*lines, f"  {reason} ({verdict.rule_id}): {verdict.message}"]
    return lines + [f"  {line}" for line in problem_lines(refusal.problems)]


def _tried(message: moves_pb2.Move, signs: Signs) -> str:
    """Return a move that was tried, as a sentence."""
    try:
        move, made_for = decode_move(message, "move")
    except ProblemsError:
        return "a move that is none"
    said = words.move_words(move, signs)
    return said if made_for is None else f"{said}, at revision {made_for}"
