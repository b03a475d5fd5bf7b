"""Moves that are tried before a turn; most are refused, and the first refusal of each kind is said."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.cards_pb2 import (
    CARD_CLUBS_TWO,
    SEAT_NORTH,
    STRAIN_HEARTS,
    STRAIN_NO_TRUMP,
    STRAIN_UNSPECIFIED,
    Seat,
    Strain,
)
from tarneeb.v1.moves_pb2 import CALL_KIND_BID, CALL_KIND_DOUBLE, CALL_KIND_PASS, Call, Move
from tarneeb.v1.verdicts_pb2 import RULING_REFUSED
from tarneeb.v1.views_pb2 import GameView

if TYPE_CHECKING:
    from program.game import Game


def before_a_turn(game: "Game") -> None:
    """Try all of them at once."""
    seat = game.seats.to_act
    _try(game, list(_moves(seat, game.seats.view_of(seat), game.row.revision)))


def after_the_end(game: "Game") -> None:
    _try(game, [passing(SEAT_NORTH)])


def _try(game: "Game", moves: list[Move]) -> None:
    snapshot = game.row.snapshot
    items = [pb.ValidateMoveRequest(snapshot=snapshot, move=move) for move in moves]
    results = game.client.validate_moves(pb.ValidateMovesRequest(items=items)).results
    for move, result in zip(moves, results, strict=True):
        verdict = result.verdict
        if result.WhichOneof("result") != "verdict":
            raise RuntimeError(f"{move} could not be judged: {result.problems}")
        kind = (verdict.reason, verdict.rule_id)
        if verdict.ruling == RULING_REFUSED and kind not in game.said:
            game.said.add(kind)
            game.refused(move, verdict)


def _moves(seat: Seat.ValueType, view: GameView, revision: int) -> Iterator[Move]:
    right = at_the_right(seat)
    yield passing(right)
    yield Move(seat=right, trump=STRAIN_HEARTS)
    yield passing(seat)
    yield bidding(seat, 7, STRAIN_HEARTS)
    yield bidding(seat, 7)
    yield bidding(seat, 6)
    yield bidding(seat, 14)
    yield Move(seat=seat, call=Call(kind=CALL_KIND_DOUBLE))
    yield Move(seat=seat, trump=STRAIN_NO_TRUMP)
    yield Move(seat=seat, card=CARD_CLUBS_TWO)
    legal = {move.card for move in view.legal_moves if move.WhichOneof("action") == "card"}
    for card in view.hand.holding:
        if card not in legal:
            yield Move(seat=seat, card=card)
            break
    late = passing(seat)
    late.revision = revision - 1
    yield late


def at_the_right(seat: int) -> Seat.ValueType:
    return Seat.ValueType(seat % 4 + 1)


def passing(seat: Seat.ValueType) -> Move:
    return Move(seat=seat, call=Call(kind=CALL_KIND_PASS))


def bidding(seat: Seat.ValueType, tricks: int, strain: Strain.ValueType = STRAIN_UNSPECIFIED) -> Move:
    return Move(seat=seat, call=Call(kind=CALL_KIND_BID, tricks=tricks, strain=strain))
