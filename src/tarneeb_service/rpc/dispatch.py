"""A call from bytes to bytes, or to a status: the one way in for every front.

Here a request is parsed, its method called, the answer serialised, and every exception mapped; nothing is raised. What
telemetry tells of a call is in the ``Outcome``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.errors import Status, no_message, status_of, unreadable
from tarneeb_service.rpc.memory import NOTHING, Memory
from tarneeb_service.rpc.methods import MOST_ITEMS, Rest

SERVICE = pb.DESCRIPTOR.services_by_name["TarneebService"].full_name


# Made on every call, so not frozen.
@dataclass(slots=True)
class Outcome:
    """What a call came to: ``answer``, or ``status`` and the ``error`` behind it; and the messages it had."""

    answer: bytes = b""
    status: Status | None = None
    request: Message | None = None
    response: Message | None = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the service: what it takes, and the function that answers it."""

    name: str
    kind: Descriptor
    parse: Callable[[bytes], Any]
    answer: Callable[[Any, Rest], Message]


def methods_table(most_items: int = MOST_ITEMS, memory: Memory = NOTHING) -> Mapping[str, Method]:
    """Return every method by its name; a batch has ``most_items`` at the most, and ``memory`` keeps what they check."""
    functions: dict[str, Callable[[Any, Rest], Message]] = {
        "ListRuleSets": _short(methods.list_rule_sets),
        "ResolveRuleSet": _short(methods.resolve_rule_set),
        "CreateGame": _short(methods.create_game, memory),
        "DealHand": _short(methods.deal_hand, memory),
        "ListLegalMoves": _short(methods.list_legal_moves, memory),
        "ValidateMove": _short(methods.validate_move, memory),
        "ApplyMove": _short(methods.apply_move, memory),
        "UndoMove": _short(methods.undo_move, memory),
        "ValidateMoves": partial(methods.validate_moves, most=most_items, memory=memory),
        "ReplayGame": methods.replay_game,
        "ValidateGame": _short(methods.validate_game, memory),
        "ViewGame": _short(methods.view_game, memory),
        "CommitDeal": _short(methods.commit_deal),
        "VerifyDeal": _short(methods.verify_deal),
        "ScoreHand": _short(methods.score_hand),
    }
    table = {}
    for descriptor in pb.DESCRIPTOR.services_by_name["TarneebService"].methods:
        kind = descriptor.input_type
        parse = GetMessageClass(kind).FromString
        table[descriptor.name] = Method(descriptor.name, kind, parse, functions[descriptor.name])
    return table


def dispatch(method: Method, data: bytes | None, request_id: str, rest: Rest) -> Outcome:
    """Answer a call.

    Args:
        method: The method called.
        data: The request's bytes; none when the caller ended his side without one.
        request_id: What the caller of a bug is told to report.
        rest: Called now and then by what takes long; what it raises ends the call.
    """
    outcome = Outcome()
    try:
        outcome.request = request = _parsed(method, data)
        response = method.answer(request, rest)
        outcome.answer = response.SerializeToString()
        outcome.response = response
    except Exception as error:  # noqa: BLE001  # a bug of ours must not reach the caller
        outcome.error, outcome.status = error, status_of(error, request_id)
    return outcome


def _parsed(method: Method, data: bytes | None) -> Any:
    if data is None:
        raise no_message(method.kind.full_name)
    try:
        return method.parse(data)
    except DecodeError:
        raise unreadable(method.kind, data) from None


def _short(function: Callable[..., Message], *more: object) -> Callable[[Any, Rest], Message]:
    """Take a function that never takes long, and so needs no rest; it gets ``more`` after the request."""
    return lambda request, _rest: function(request, *more)
