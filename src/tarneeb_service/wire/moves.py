"""Moves and calls: ``moves.proto``."""

from tarneeb.v1 import moves_pb2
from tarneeb_service.engine.cards import BIT, STRAINS
from tarneeb_service.engine.check_parts import problem_in_call
from tarneeb_service.engine.moves import Bid, Call, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError, unknown_card
from tarneeb_service.engine.snapshot import call_of
from tarneeb_service.wire.cards import encode_card, encode_seat, encode_strain, seat_problem


def decode_move(message: moves_pb2.Move, path: str) -> tuple[Move, int | None]:
    """Return a move and the revision it was made for, if it names one.

    Raises:
        ProblemsError: With paths below ``path``.
    """
    seat = message.seat - 1
    no_seat = seat_problem(f"{path}.seat", message.seat)
    problems = [] if no_seat is None else [no_seat]
    move: Move | None = None
    match message.WhichOneof("action"):
        case "card":
            if message.card not in BIT:
                problems.append(unknown_card(f"{path}.card"))
            move = PlayCard(seat, message.card)
        case "call":
            move = _decode_call(message.call, seat, f"{path}.call", problems)
        case "trump":
            if message.trump not in STRAINS:
                problems.append(Problem(f"{path}.trump", ProblemReason.UNKNOWN_VALUE, "is no strain"))
            move = NameTrump(seat, message.trump)
        case None:
            problems.append(Problem(path, ProblemReason.MISSING, "must have one of call, trump and card"))
    if problems or move is None:
        raise ProblemsError(problems)
    return move, message.revision if message.HasField("revision") else None


def encode_move(move: Move) -> moves_pb2.Move:
    """Return a move."""
    match move:
        case PlayCard(seat, card):
            return moves_pb2.Move(seat=encode_seat(seat), card=encode_card(card))
        case NameTrump(seat, strain):
            return moves_pb2.Move(seat=encode_seat(seat), trump=encode_strain(strain))
        case Bid() | Pass() | Double():
            made = encode_call_made(move)
            call = moves_pb2.Call(kind=made.kind, tricks=made.tricks, strain=made.strain)
            return moves_pb2.Move(seat=made.seat, call=call)


def encode_call_made(call: Call) -> moves_pb2.CallMade:
    """Return a call with its seat."""
    match call:
        case Bid(seat, tricks, strain):
            return moves_pb2.CallMade(
                seat=encode_seat(seat),
                kind=moves_pb2.CALL_KIND_BID,
                tricks=tricks,
                strain=encode_strain(strain),
            )
        case Pass(seat):
            return moves_pb2.CallMade(seat=encode_seat(seat), kind=moves_pb2.CALL_KIND_PASS)
        case Double(seat):
            return moves_pb2.CallMade(seat=encode_seat(seat), kind=moves_pb2.CALL_KIND_DOUBLE)


def _decode_call(message: moves_pb2.Call, seat: int, path: str, problems: list[Problem]) -> Call:
    kind, tricks, strain = message.kind, message.tricks, message.strain
    problem = problem_in_call(kind, tricks, strain)
    if problem is not None:
        problems.append(problem.under(path))
    if kind == moves_pb2.CALL_KIND_BID and not tricks:
        problems.append(Problem(f"{path}.tricks", ProblemReason.MISSING, "a bid names its tricks"))
    return call_of(seat, kind, tricks, strain)
