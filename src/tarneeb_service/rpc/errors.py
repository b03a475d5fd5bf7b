"""The one place where exceptions and refusals of calls become statuses.

``docs/errors.md`` has the table. Details are ``ErrorInfo`` and, where they fit, ``BadRequest`` or ``RetryInfo``;
together they stay below 4 kB, since trailers above 8 kB are lost on the way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from google.protobuf import any_pb2, duration_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from tarneeb.v1 import errors_pb2
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.rpc.texts import problems_in_texts
from tarneeb_service.wire.problems import MOST_SHOWN, NewerRulesError

DOMAIN = "tarneeb.v1.TarneebService"
MOST_DETAIL_BYTES = 3_600
# An upgraded replica made the game, so one is there already: this is time to reach it.
NEWER_RULES_RETRY_MS = 100


class AbandonedError(Exception):
    """Nobody waits for the answer any more."""


class Shed(StrEnum):
    """Why a call was turned away before any work."""

    OVERLOADED = "overloaded"
    UNAUTHENTICATED = "unauthenticated"
    QUOTA = "quota"


@dataclass(frozen=True, slots=True)
class Status:
    """How a call failed: a number of ``google.rpc.Code``, a sentence, and a serialised ``google.rpc.Status``."""

    code: int
    message: str
    details: bytes = b""


def status_of(error: Exception, request_id: str) -> Status:
    """Return the status of an exception; one that is not ours is a bug, and tells nothing but its request id."""
    if isinstance(error, ProblemsError):
        return _invalid_request(error.problems)
    if isinstance(error, NewerRulesError):
        metadata = {"game_rules_revision": str(error.revision), "service_rules_revision": str(RULES_REVISION)}
        message = f"{error}, this service knows {RULES_REVISION}: send it to an upgraded replica"
        return _status(
            code_pb2.UNAVAILABLE,
            message,
            _info(errors_pb2.ERROR_REASON_NEWER_RULES, metadata),
            _retry_after(NEWER_RULES_RETRY_MS),
        )
    if isinstance(error, AbandonedError):
        return Status(code_pb2.CANCELLED, "the caller did not wait for the answer")
    return _status(
        code_pb2.INTERNAL,
        f"internal error; request id {request_id}",
        _info(errors_pb2.ERROR_REASON_INTERNAL, {"request_id": request_id}),
    )


def unreadable(kind: Descriptor, data: bytes) -> ProblemsError:
    """Return the error of bytes that are no message of the type that a method takes."""
    message = f"is not a message of this type: send a {kind.full_name}, with stubs of proto/"
    whole = [Problem("request", ProblemReason.UNKNOWN_VALUE, message)]
    return ProblemsError(problems_in_texts(kind, data) or whole)


def no_message(kind: str) -> ProblemsError:
    """Return the error of a call that ended its side without a message."""
    return ProblemsError([Problem("request", ProblemReason.MISSING, f"is required: send a {kind}")])


def refusals(retry_after_ms: int) -> dict[Shed, Status]:
    """Return the statuses of calls that are turned away; callers are told to wait so long, in milliseconds."""
    retry = _retry_after(retry_after_ms)
    return {
        Shed.OVERLOADED: _status(
            code_pb2.UNAVAILABLE,
            "too many calls at once: try again later, or elsewhere",
            _info(errors_pb2.ERROR_REASON_OVERLOADED),
            retry,
        ),
        Shed.UNAUTHENTICATED: _status(
            code_pb2.UNAUTHENTICATED,
            "send the metadata `authorization: Bearer <token>` with a token that this server knows",
            _info(errors_pb2.ERROR_REASON_UNAUTHENTICATED),
        ),
        Shed.QUOTA: _status(
            code_pb2.RESOURCE_EXHAUSTED,
            "more calls a second than one caller may make: call less often",
            _info(errors_pb2.ERROR_REASON_QUOTA_EXCEEDED),
            retry,
        ),
    }


# As gRPC itself says it.
NO_SUCH_METHOD = Status(code_pb2.UNIMPLEMENTED, "Method not found!")


def _invalid_request(problems: Sequence[Problem]) -> Status:
    """Return INVALID_ARGUMENT with the first problems, as many as 4 kB hold and at most 32, and their total."""
    bad_request = error_details_pb2.BadRequest()
    for problem in problems[:MOST_SHOWN]:
        bad_request.field_violations.add(
            field=problem.path, description=problem.message, reason=problem.reason.name
        )
        if bad_request.ByteSize() > MOST_DETAIL_BYTES:
            bad_request.field_violations.pop()
            break
    first, more = problems[0], len(problems) - 1
    message = f"{first.path}: {first.message}" + (f" (and {more} more)" if more else "")
    info = _info(errors_pb2.ERROR_REASON_INVALID_REQUEST, {"problems": str(len(problems))})
    return _status(code_pb2.INVALID_ARGUMENT, message, info, bad_request)


def _info(
    reason: errors_pb2.ErrorReason.ValueType, metadata: dict[str, str] | None = None
) -> error_details_pb2.ErrorInfo:
    """Return the detail that names a reason of ``errors.proto``, without its prefix."""
    name = errors_pb2.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")
    return error_details_pb2.ErrorInfo(reason=name, domain=DOMAIN, metadata=metadata or {})


def _retry_after(milliseconds: int) -> error_details_pb2.RetryInfo:
    delay = duration_pb2.Duration()
    delay.FromMilliseconds(milliseconds)
    return error_details_pb2.RetryInfo(retry_delay=delay)


def _status(code: int, message: str, *details: Message) -> Status:
    packed = []
    for detail in details:
        packed.append(any_pb2.Any())
        packed[-1].Pack(detail)
    whole = status_pb2.Status(code=code, message=message, details=packed)
    return Status(code, message, whole.SerializeToString())
