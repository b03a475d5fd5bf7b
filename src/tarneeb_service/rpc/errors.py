"""The one place where our exceptions become gRPC statuses.

``docs/errors.md`` has the table. Details are ``ErrorInfo`` and, for a bad request, ``BadRequest``; together
they stay below 4 kB, since trailers above 8 kB are lost on the way.
"""

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from tarneeb.v1 import errors_pb2
from tarneeb_service.engine.problems import Problem, ProblemsError
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.wire.problems import MOST_SHOWN, NewerRulesError

DOMAIN = "tarneeb.v1.TarneebService"
MOST_DETAIL_BYTES = 3_600


def status_of(error: Exception, request_id: str) -> grpc.Status:
    """Return the status of an exception; one that is not ours is a bug, and tells nothing but its request id."""
    if isinstance(error, ProblemsError):
        return invalid_request(error.problems)
    if isinstance(error, NewerRulesError):
        metadata = {"game_rules_revision": str(error.revision), "service_rules_revision": str(RULES_REVISION)}
        message = f"{error}, this service knows {RULES_REVISION}: send it to an upgraded replica"
        return make_status(
            grpc.StatusCode.FAILED_PRECONDITION,
            message,
            error_info(errors_pb2.ERROR_REASON_NEWER_RULES, metadata),
        )
    return make_status(
        grpc.StatusCode.INTERNAL,
        f"internal error; request id {request_id}",
        error_info(errors_pb2.ERROR_REASON_INTERNAL, {"request_id": request_id}),
    )


def invalid_request(problems: list[Problem]) -> grpc.Status:
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
    info = error_info(errors_pb2.ERROR_REASON_INVALID_REQUEST, {"problems": str(len(problems))})
    return make_status(grpc.StatusCode.INVALID_ARGUMENT, message, info, bad_request)


def error_info(
    reason: errors_pb2.ErrorReason.ValueType, metadata: dict[str, str]
) -> error_details_pb2.ErrorInfo:
    """Return the detail that names a reason of ``errors.proto``, without its prefix."""
    name = errors_pb2.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")
    return error_details_pb2.ErrorInfo(reason=name, domain=DOMAIN, metadata=metadata)


def make_status(code: grpc.StatusCode, message: str, *details: Message) -> grpc.Status:
    """Return a status that carries details in the standard way."""
    packed = []
    for detail in details:
        packed.append(any_pb2.Any())
        packed[-1].Pack(detail)
    number: int = code.value[0]
    return rpc_status.to_status(status_pb2.Status(code=number, message=message, details=packed))
