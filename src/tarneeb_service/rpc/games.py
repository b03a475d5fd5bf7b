"""The game of a request: read, checked, and fit for another step."""

from tarneeb.v1 import game_pb2
from tarneeb_service.engine.check import check
from tarneeb_service.engine.check_parts import problems_in_scores
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.state import LAST_NUMBER, AwaitingDeal, State
from tarneeb_service.wire.game import decode_game
from tarneeb_service.wire.problems import missing


def state_of(game: game_pb2.Game | None, path: str = "game") -> State:
    """Return the checked state of a game.

    Raises:
        ProblemsError: It is missing or contradicts itself; paths below ``path``.
        NewerRulesError: A newer release made it.
    """
    if game is None:
        raise missing(path)
    try:
        return check(decode_game(game))
    except ProblemsError as error:
        raise ProblemsError([problem.under(path) for problem in error.problems]) from None


def last_step_problem(state: State) -> Problem | None:
    """Return what keeps a game at the end of its numbers from another step, or none.

    No table gets there, but what is answered must be good to send.
    """
    message = f"is {LAST_NUMBER}, the last there is: the game can't go on"
    if state.revision >= LAST_NUMBER:
        return Problem("game.revision", ProblemReason.OUT_OF_RANGE, message)
    if not isinstance(state, AwaitingDeal):
        return None
    if state.next_number > LAST_NUMBER:
        return Problem("game.hand_number", ProblemReason.OUT_OF_RANGE, message)
    return next(iter(problems_in_scores("game.scores", state.scores, state.header.rules)), None)
