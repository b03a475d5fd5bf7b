"""The game of a request, read in either form and checked, and the next game of an answer in the form asked for."""

from google.protobuf.message import DecodeError

from tarneeb.v1 import game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.check import check
from tarneeb_service.engine.check_parts import problems_in_scores
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError, out_of_range
from tarneeb_service.engine.state import LAST_NUMBER, AwaitingDeal, State
from tarneeb_service.rpc.memory import NOTHING, Memory
from tarneeb_service.rpc.texts import problems_in_texts
from tarneeb_service.wire.game import decode_game, encode_game
from tarneeb_service.wire.problems import fail, missing

GAME, SNAPSHOT = "game", "snapshot"

WithGame = (
    pb.DealHandRequest
    | pb.ListLegalMovesRequest
    | pb.ValidateMoveRequest
    | pb.ApplyMoveRequest
    | pb.UndoMoveRequest
    | pb.ValidateGameRequest
    | pb.ViewGameRequest
)
NextGame = (
    pb.CreateGameResponse
    | pb.DealHandResponse
    | pb.ApplyMoveResponse
    | pb.UndoMoveResponse
    | pb.ReplayGameResponse
    | pb.ReplayedStep
)


_LAST = f"is {LAST_NUMBER}, the last there is: the game can't go on"
# The names of the fields that hold a game: one or both.
Form = tuple[str, ...]
_FORMS: dict[int, Form] = {
    pb.GAME_FORM_UNSPECIFIED: (GAME, SNAPSHOT),
    pb.GAME_FORM_GAME: (GAME,),
    pb.GAME_FORM_SNAPSHOT: (SNAPSHOT,),
}


def take_game(request: WithGame, memory: Memory = NOTHING) -> tuple[State, str]:
    """Return the checked state of a request's game, and the name of the field it came in.

    The ids of a snapshot's game end up in the request's ``game``, so that whoever tells of the call finds them there.

    Raises:
        ProblemsError: It is missing or contradicts itself; paths below ``game`` or ``snapshot``.
        NewerRulesError: A newer release made it.
    """
    match request.WhichOneof("stored"):
        case "snapshot":
            data = request.snapshot
            if not data:
                # What is stored of a refused move.
                raise missing(SNAPSHOT, "is empty: send the bytes of the last answer that had a next game")
            game = request.game
            state = memory.find(data)
            if state is not None:
                game.id, game.preset_id = state.header.id, state.header.preset_id
                return state, SNAPSHOT
            try:
                game.MergeFromString(data)
            except DecodeError:
                raise _unreadable(data) from None
            state = state_of(game, SNAPSHOT)
            memory.keep(data, state)
            return state, SNAPSHOT
        case "game":
            return state_of(request.game), GAME
    raise missing(GAME, "is required, or snapshot")


def _unreadable(snapshot: bytes) -> ProblemsError:
    texts = problems_in_texts(game_pb2.Game.DESCRIPTOR, snapshot)
    if texts:
        return ProblemsError([problem.under(SNAPSHOT) for problem in texts])
    message = "is no serialised Game: send the bytes of an earlier answer as they came"
    return fail(SNAPSHOT, ProblemReason.UNKNOWN_VALUE, message)


def state_of(game: game_pb2.Game, path: str = GAME) -> State:
    """Return the checked state of a game.

    Raises:
        ProblemsError: It contradicts itself; paths below ``path``.
        NewerRulesError: A newer release made it.
    """
    try:
        return check(decode_game(game))
    except ProblemsError as error:
        raise ProblemsError([problem.under(path) for problem in error.problems]) from None


def form_of(number: pb.GameForm.ValueType) -> Form:
    """Return the form that a request names.

    Raises:
        ProblemsError: The number is no form; the path is ``form``.
    """
    form = _FORMS.get(number)
    if form is None:
        raise fail("form", ProblemReason.UNKNOWN_VALUE, f"{number} is no form of a game")
    return form


def put_game(response: NextGame, state: State, form: Form, memory: Memory = NOTHING) -> None:
    """Set the next game of an answer, in the forms asked for, and its revision; the next call brings its snapshot."""
    game = encode_game(state)
    response.revision = state.revision
    if SNAPSHOT in form:
        response.snapshot = snapshot = game.SerializeToString(deterministic=True)
        memory.keep(snapshot, state)
    if GAME in form:
        response.game.CopyFrom(game)


def last_revision_problem(state: State, path: str) -> Problem | None:
    """Return what keeps a game at the last revision from another one, or none; it is below ``path``."""
    if state.revision < LAST_NUMBER:
        return None
    return out_of_range(f"{path}.revision", 0, LAST_NUMBER - 1, _LAST)


def last_step_problem(state: State, path: str) -> Problem | None:
    """Return what keeps a game at the end of its numbers from another step, or none; it is below ``path``.

    No table gets there, but what is answered must be good to send.
    """
    problem = last_revision_problem(state, path)
    if problem is not None or not isinstance(state, AwaitingDeal):
        return problem
    if state.next_number > LAST_NUMBER:
        return out_of_range(f"{path}.hand_number", 0, LAST_NUMBER - 1, _LAST)
    return next(iter(problems_in_scores(f"{path}.scores", state.scores, state.header.rules)), None)
