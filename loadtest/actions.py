"""What a user of the load test does: one call an action. A new one is a function and its line in ACTIONS."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import grpc

from loadtest.caller import Caller
from loadtest.table import SEATS, Position, Table, not_legal
from tarneeb.v1 import game_pb2, moves_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb

INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT


@dataclass
class User:
    """Who acts: a table of his own, and positions that others share."""

    call: Caller
    table: Table
    positions: Sequence[Position]
    chance: random.Random
    batch: int

    def __post_init__(self) -> None:
        # Not all users at the same position at the same time.
        start = self.chance.randrange(len(self.positions))
        self._turns = cycle((*self.positions[start:], *self.positions[:start]))

    def act(self, action: str) -> None:
        """Do one of ACTIONS.

        Raises:
            grpc.RpcError: A call failed.
            UnexpectedError: An answer is wrong.
        """
        ACTIONS[action](self)

    def position(self) -> Position:
        """The next of the shared positions: hand by hand, as played."""
        return next(self._turns)


def play(user: User) -> None:
    """Go on with the own game."""
    user.table.step()


def validate(user: User) -> None:
    """Ask about a legal move, of a game that the service has answered before."""
    here = user.position()
    request = pb.ValidateMoveRequest(snapshot=here.snapshot, move=here.move)
    user.call("ValidateMove", request, problem=not_legal)


def validate_unseen(user: User) -> None:
    """The same of a game that nobody has seen: the position of another game, by its id."""
    here = user.position()
    game = game_pb2.Game.FromString(here.snapshot)
    game.id = f"new-{user.chance.getrandbits(64):016x}"
    request = pb.ValidateMoveRequest(snapshot=game.SerializeToString(), move=here.move)
    user.call("ValidateMove", request, problem=not_legal, name="ValidateMove unseen")


def illegal(user: User) -> None:
    """Ask about a move that is not allowed."""
    here = user.position()
    request = pb.ValidateMoveRequest(snapshot=here.snapshot, move=user.chance.choice(here.illegal))
    user.call("ValidateMove", request, problem=_legal, name="ValidateMove illegal")


def view(user: User) -> None:
    """Ask for one seat's view."""
    request = pb.ViewGameRequest(snapshot=user.position().snapshot, viewers=[user.chance.choice(SEATS)])
    user.call("ViewGame", request, problem=lambda response: "" if len(response.views) == 1 else "no view")


def list_moves(user: User) -> None:
    """Ask what may be done."""
    here = user.position()
    user.call(
        "ListLegalMoves",
        pb.ListLegalMovesRequest(snapshot=here.snapshot),
        problem=lambda response: "" if here.move in response.moves else "the chosen move is not listed",
    )


def batch(user: User) -> None:
    """Ask about many moves at once."""
    request = pb.ValidateMovesRequest()
    for _ in range(user.batch):
        here = user.position()
        request.items.add(snapshot=here.snapshot, move=here.move)
    user.call("ValidateMoves", request, problem=_any_not_legal, name=f"ValidateMoves of {user.batch}")


def malformed(user: User) -> None:
    """Send what can't be judged."""
    request = user.chance.choice(_MALFORMED)(user.position())
    user.call("ValidateMove", request, name="ValidateMove malformed", code=INVALID_ARGUMENT)


ACTIONS: dict[str, Callable[[User], None]] = {
    "play": play,
    "validate": validate,
    "validate_unseen": validate_unseen,
    "illegal": illegal,
    "view": view,
    "list": list_moves,
    "batch": batch,
    "malformed": malformed,
}


def _legal(response: Any) -> str:
    return "an illegal move was accepted" if response.verdict.ruling == verdicts_pb2.RULING_LEGAL else ""


def _any_not_legal(response: Any) -> str:
    return next((problem for result in response.results if (problem := not_legal(result))), "")


def _without_a_move(here: Position) -> pb.ValidateMoveRequest:
    return pb.ValidateMoveRequest(snapshot=here.snapshot)


def _without_a_game(here: Position) -> pb.ValidateMoveRequest:
    return pb.ValidateMoveRequest(move=here.move)


def _no_game_at_all(here: Position) -> pb.ValidateMoveRequest:
    return pb.ValidateMoveRequest(snapshot=b"\xff" * 40, move=here.move)


def _cards_dealt_twice(here: Position) -> pb.ValidateMoveRequest:
    game = game_pb2.Game.FromString(here.snapshot)
    game.hand.dealt[0].CopyFrom(game.hand.dealt[1])
    return pb.ValidateMoveRequest(snapshot=game.SerializeToString(), move=here.move)


def _no_such_card(here: Position) -> pb.ValidateMoveRequest:
    move = moves_pb2.Move.FromString(here.move.SerializeToString())
    # An open enum takes any number; 97 is a rank of no suit.
    move.MergeFromString(b"\x28\x61")
    return pb.ValidateMoveRequest(snapshot=here.snapshot, move=move)


_MALFORMED = (_without_a_move, _without_a_game, _no_game_at_all, _cards_dealt_twice, _no_such_card)
