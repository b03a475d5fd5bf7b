"""The position that a command is about: what a file holds, at the step and for the viewer asked for."""

from dataclasses import dataclass

from tarneeb.v1 import records_pb2, views_pb2
from tarneeb_service.cli.choices import VIEWERS, At
from tarneeb_service.cli.files.read import Read, UnreadableError, kind_of
from tarneeb_service.cli.files.view_checks import view_problems
from tarneeb_service.cli.seen.table import Seen, seen_by, seen_of_view
from tarneeb_service.engine.problems import Problem, ProblemsError
from tarneeb_service.engine.state import AwaitingDeal, State
from tarneeb_service.rpc import replay
from tarneeb_service.rpc.games import state_of
from tarneeb_service.wire.problems import NewerRulesError


class WrongError(Exception):
    """A game, view or record that can be read, but is not in order."""

    def __init__(self, what: str, problems: list[Problem]) -> None:
        """Keep every problem."""
        super().__init__(what)
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Position:
    """What is drawn, and why a record went no further."""

    seen: Seen
    refusal: replay.Refusal | None = None


def position_of(message: Read, viewer: int | None, at: At | None) -> Position:
    """Return the position to draw.

    Args:
        message: What was read.
        viewer: Who looks, or none for everything there is.
        at: Where to stop in a record, or none for its end.

    Raises:
        UnreadableError: What was asked for is not in the file.
        WrongError: The game contradicts itself, or the record can't start.
    """
    if isinstance(message, records_pb2.GameRecord):
        state, refusal = _play_to(message, at)
        return Position(seen_by(state, viewer), refusal)
    if at is not None:
        raise UnreadableError(f"holds {kind_of(message)}: only a record has steps for --at")
    if isinstance(message, views_pb2.GameView):
        return Position(_seen_of_view(message, viewer))
    try:
        state = state_of(message)
    except ProblemsError as error:
        raise WrongError("the game contradicts itself", error.problems) from None
    except NewerRulesError as error:
        raise _newer(error) from None
    return Position(seen_by(state, viewer))


def start_of(record: records_pb2.GameRecord) -> AwaitingDeal:
    """Return the game of a record before its first deal.

    Raises:
        WrongError: Its id, rules or first dealer are unsound.
        UnreadableError: A newer release made it.
    """
    try:
        return replay.start(record)
    except NewerRulesError as error:
        raise _newer(error) from None
    except ProblemsError as error:
        raise WrongError("the record can't be played", error.problems) from None


def _newer(error: NewerRulesError) -> UnreadableError:
    return UnreadableError(f"{error}, which this release does not know: use a newer one")


def _seen_of_view(view: views_pb2.GameView, viewer: int | None) -> Seen:
    problems = view_problems(view)
    if problems:
        raise WrongError("the view is not one that the service made", problems)
    if viewer is not None and viewer != view.viewer - 1:
        whose = VIEWERS[view.viewer - 1]
        raise UnreadableError(f"is the view of {whose}: it does not hold what {VIEWERS[viewer]} sees")
    return seen_of_view(view)


def _play_to(record: records_pb2.GameRecord, at: At | None) -> tuple[State, replay.Refusal | None]:
    start = start_of(record)
    state: State = start
    if at in ((0, None), (0, 0)):
        return state, None
    if at is not None:
        _check_place(record, at)
    for step in replay.play(record, start):
        if isinstance(step, replay.Refusal):
            return state, step
        place = (step.step.hand_number, step.step.move_number)
        if at is not None and at[1] is None and place[0] > at[0]:
            return state, None
        state = step.state
        if place == at:
            return state, None
    return state, None


def _check_place(record: records_pb2.GameRecord, at: At) -> None:
    hand, move = at
    if not 1 <= hand <= len(record.hands):
        raise UnreadableError(f"has {len(record.hands)} hands: there is no hand {hand}")
    moves = len(record.hands[hand - 1].moves)
    if move is not None and move > moves:
        raise UnreadableError(f"has {moves} moves in hand {hand}: there is no move {move}")
