"""Moves that are tried before a turn, most of which are refused."""

from collections.abc import Iterator

from tarneeb.v1.cards_pb2 import (
    CARD_CLUBS_TWO,
    STRAIN_HEARTS,
    STRAIN_NO_TRUMP,
    STRAIN_UNSPECIFIED,
    Seat,
    Strain,
)
from tarneeb.v1.moves_pb2 import CALL_KIND_BID, CALL_KIND_DOUBLE, CALL_KIND_PASS, Call, Move
from tarneeb.v1.views_pb2 import GameView


def before_a_turn(seat: Seat.ValueType, view: GameView, revision: int) -> Iterator[Move]:
    """What is tried while it is a seat's turn; the view is its own."""
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
