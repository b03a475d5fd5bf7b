"""The moves of the current hand, and the game without the last of them."""

from tarneeb_service.engine import game
from tarneeb_service.engine.events import Event, MoveUndone
from tarneeb_service.engine.moves import Move, NameTrump, PlayCard
from tarneeb_service.engine.rules import Trump
from tarneeb_service.engine.state import State, calls_of, deal_of, play_of, result_of


def moves_of_hand(state: State) -> list[Move]:
    """Return every move made in the current hand, over or not, in order."""
    moves: list[Move] = [*calls_of(state)]
    play = play_of(state)
    if play is None:
        return moves
    if play.contract is not None and state.header.rules.trump is Trump.NAMED:
        moves.append(NameTrump(play.contract.declarer, play.trump))
    leaders = (play.opening_leader, *play.winners)
    for index, card in enumerate(play.played):
        moves.append(PlayCard((leaders[index // 4] + index) % 4, card))
    return moves


def undo(state: State) -> tuple[State, Move, list[Event]] | None:
    """Take back the last move of the current hand, ended or not; none when it has none: a deal stays.

    Returns:
        The game as it was before that move, but with a revision one above that of ``state``, so that a move made for
        ``state`` is stale; the move; what happened.
    """
    deal, moves = deal_of(state), moves_of_hand(state)
    if deal is None or not moves:
        return None
    *kept, last = moves
    before: State = game.start_of_hand(state.header, state.revision, deal)
    for move in kept:
        _, before, _ = game.apply(before, move)
    undone = MoveUndone(deal.number, last, result_of(state) is not None)
    return before._replace(revision=state.revision + 1), last, [undone]
