"""A call that failed, with what the service says of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from tarneeb.v1 import errors_pb2

DOMAIN = "tarneeb.v1.TarneebService"
# Where gRPC keeps the whole status.
TRAILER = "grpc-status-details-bin"
REASONS = frozenset(errors_pb2.ErrorReason.keys())


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong with a request."""

    path: str
    reason: str
    message: str


class TarneebError(Exception):
    """A call failed; without details from the service, only code and message say how."""

    def __init__(self, code: grpc.StatusCode, message: str, details: bytes = b"") -> None:
        """Read the details, a serialised ``google.rpc.Status``."""
        super().__init__(f"{code.name}: {message}")
        self.code = code
        self.message = message
        self.reason: errors_pb2.ErrorReason.ValueType = errors_pb2.ERROR_REASON_UNSPECIFIED
        self.metadata: Mapping[str, str] = {}
        self.violations: tuple[Violation, ...] = ()
        # Seconds.
        self.retry_after: float | None = None
        self._read(details)

    @property
    def reason_name(self) -> str:
        """The reason without its prefix, as ``INVALID_REQUEST``; ``UNSPECIFIED`` when there is none."""
        return errors_pb2.ErrorReason.Name(self.reason).removeprefix("ERROR_REASON_")

    @property
    def problems(self) -> int:
        """How many problems there are in all; ``violations`` has the first 32."""
        return int(self.metadata.get("problems", "0"))

    def _read(self, details: bytes) -> None:
        for detail in _status(details).details:
            info, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
            retry = error_details_pb2.RetryInfo()
            if detail.Unpack(info) and info.domain == DOMAIN:
                self.metadata = dict(info.metadata)
                name = f"ERROR_REASON_{info.reason}"
                if name in REASONS:
                    self.reason = errors_pb2.ErrorReason.Value(name)
            elif detail.Unpack(bad_request):
                self.violations = tuple(
                    Violation(each.field, each.reason, each.description)
                    for each in bad_request.field_violations
                )
            elif detail.Unpack(retry):
                self.retry_after = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9


def error_of(error: grpc.RpcError) -> TarneebError:
    """What a failed call of a stub, sync or asyncio, says."""
    # What a unary call raises is the call itself, though the types do not say so.
    failed: Any = error
    trailers = dict(failed.trailing_metadata() or ())
    return TarneebError(failed.code(), failed.details() or "", trailers.get(TRAILER, b""))


def _status(details: bytes) -> Any:
    try:
        return status_pb2.Status.FromString(details)
    except DecodeError:
        # Something between us and the service put it there.
        return status_pb2.Status()
