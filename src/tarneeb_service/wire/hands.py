"""A stored hand, read the quick way or the plain way; both give the same.

Packed enums below 128 are one byte each, so a twin of the message, with the same field numbers and bytes
for its lists, is read whole: in a third of the time, and a call reads some eighty numbers. What the twin can't show,
like a number above 127 or a set that is not 13 cards, is left to the plain way.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any, cast

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from tarneeb.v1 import cards_pb2, game_pb2, moves_pb2
from tarneeb_service.engine.cards import STRAINS
from tarneeb_service.engine.position import HandPosition, RawCall
from tarneeb_service.engine.rules import SLAM
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import Contract, HandEnd, HandResult, ScoreLine
from tarneeb_service.wire import encode

DerivedHand = tuple[Contract | None, int | None, int | None, tuple[int, ...], HandResult | None]

# Four sets of 13 cards as the wire has them, each field 1 with 13 bytes.
_FOUR_SETS, _FIELD_1, _LENGTH_13 = [15] * 4, b"\x0a" * 4, b"\x0d" * 4
_LONGEST_CONTRACT = 16
# No auction is half as long, so one of these is refused, and the rest need not be read.
_MOST_CALLS = 1024
# Seats are 1 to 4 on the wire and 0 to 3 inside.
_SEATS = bytes([0, *range(255)])


def _twin() -> Any:
    kind = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="tarneeb_service/hand_twin.proto", syntax="proto2")
    twin = file.message_type.add(name="HandTwin")
    for name, field_type, label in (
        ("scores_before", kind.TYPE_INT32, kind.LABEL_REPEATED),
        ("dealt", kind.TYPE_BYTES, kind.LABEL_REPEATED),
        ("turned_card", kind.TYPE_INT32, kind.LABEL_OPTIONAL),
        ("calls", kind.TYPE_BYTES, kind.LABEL_REPEATED),
        ("contract", kind.TYPE_BYTES, kind.LABEL_OPTIONAL),
        ("trump", kind.TYPE_INT32, kind.LABEL_OPTIONAL),
        ("opening_leader", kind.TYPE_INT32, kind.LABEL_OPTIONAL),
        ("played", kind.TYPE_BYTES, kind.LABEL_OPTIONAL),
        ("trick_winners", kind.TYPE_BYTES, kind.LABEL_OPTIONAL),
    ):
        number = game_pb2.Hand.DESCRIPTOR.fields_by_name[name].number
        twin.field.add(name=name, number=number, type=field_type, label=label)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("HandTwin"))


_parse_twin = _twin().FromString
# Every call there is, by its bytes.
_CALLS = {
    moves_pb2.CallMade(
        seat=encode.seat(seat),
        kind=moves_pb2.CallKind.ValueType(kind),
        tricks=tricks,
        strain=encode.strain(strain),
    ).SerializeToString(): RawCall(seat, kind, tricks, strain)
    for seat in SEATS
    for kind, tricks, strain in (
        *product((moves_pb2.CALL_KIND_BID,), range(1, SLAM + 1), (0, *STRAINS)),
        (moves_pb2.CALL_KIND_PASS, 0, 0),
        (moves_pb2.CALL_KIND_DOUBLE, 0, 0),
    )
}


def read_hand(message: game_pb2.Hand, individual: bool) -> tuple[HandPosition, DerivedHand]:
    """Return a hand as it was stored, and what it says of what follows from it."""
    # Written anew, lists are packed, whatever way they came.
    twin = _parse_twin(message.SerializeToString())
    dealt, played, winners, contract = twin.dealt[:], twin.played, twin.trick_winners, twin.contract
    calls = tuple(map(_CALLS.get, twin.calls[:]))
    sets = b"".join(dealt)
    if not (
        [*map(len, dealt)] == _FOUR_SETS
        and sets[0::15] == _FIELD_1
        and sets[1::15] == _LENGTH_13
        and (sets + played + winners).isascii()
        and 0 not in winners
        and None not in calls
        and len(contract) <= _LONGEST_CONTRACT
    ):
        return read_plainly(message, individual)
    return (
        HandPosition(
            tuple(twin.scores_before[:]),
            tuple([hand[2:] for hand in dealt]),
            twin.turned_card or None,
            cast(tuple[RawCall, ...], calls),
            tuple(played),
        ),
        (
            _contract_of(contract) if twin.HasField("contract") else None,
            twin.trump or None,
            seat_index(twin.opening_leader),
            tuple(winners.translate(_SEATS)),
            _result(message.result, individual) if message.HasField("result") else None,
        ),
    )


def read_sets(sets: Sequence[cards_pb2.CardSet]) -> tuple[tuple[int, ...], ...]:
    """Return the cards of four sets; of another number of sets just how many there are."""
    return tuple([tuple(held.cards) for held in sets]) if len(sets) == len(SEATS) else ((),) * len(sets)


def decode_contract(message: game_pb2.Contract) -> Contract:
    """Return a contract as it stands, wrong or not."""
    return Contract(message.declarer - 1, message.tricks, message.strain or None, message.doubled)


# There are a few hundred contracts; junk of their length can only push them out.
@lru_cache(maxsize=1024)
def _contract_of(data: bytes) -> Contract:
    return decode_contract(game_pb2.Contract.FromString(data))


def read_plainly(message: game_pb2.Hand, individual: bool) -> tuple[HandPosition, DerivedHand]:
    """Return the same as ``read_hand``, field by field."""
    calls = [
        RawCall(seat_index(call.seat), call.kind, call.tricks, call.strain)
        for call in message.calls[:_MOST_CALLS]
    ]
    return (
        HandPosition(
            tuple(message.scores_before),
            read_sets(message.dealt),
            message.turned_card or None,
            tuple(calls),
            tuple(message.played),
        ),
        (
            decode_contract(message.contract) if message.HasField("contract") else None,
            message.trump or None,
            seat_index(message.opening_leader),
            tuple([winner - 1 for winner in message.trick_winners]),
            _result(message.result, individual) if message.HasField("result") else None,
        ),
    )


def _result(message: game_pb2.HandResult, individual: bool) -> HandResult:
    lines = [
        ScoreLine(
            # A line of the wrong kind names no side, and so follows from no hand.
            (line.seat if individual else line.team) - 1,
            line.bid if line.HasField("bid") else None,
            line.tricks,
            line.points,
            line.made if line.HasField("made") else None,
        )
        # One more than sides is wrong already.
        for line in message.lines[: len(SEATS) + 1]
    ]
    return HandResult(cast(HandEnd, message.end), tuple(lines), seat_index(message.offender))


def seat_index(number: int) -> int | None:
    """Return a seat, 0 to 3, of its number on the wire; none where it is unset."""
    return number - 1 if number else None
