"""One call from arrival to answer.

A call arrives on the server's polling thread, where ``gate`` makes its record, waits in the pool, and is
handled by a worker. What is to be told of it is left on the record, and told later by ``Teller``. Requests
and responses pass as bytes, so that their sizes cost nothing.
"""

import math
import random
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from time import perf_counter, time
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.message import DecodeError, Message

from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.rpc.errors import invalid_request, status_of
from tarneeb_service.telemetry.logs import make_request_id
from tarneeb_service.telemetry.metrics import MethodCounts, Shed

if TYPE_CHECKING:
    from tarneeb_service.server.executor import Pool

REQUEST_ID = "x-request-id"
LONGEST_ID = 64
OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED = 0, 1, 2, 4


class Call:
    """What is known of a call. Defaults are the class's, so that making one sets few fields."""

    code = CANCELLED
    # In seconds since 1970.
    deadline = math.inf
    # Whether its message came, and a handler has seen it.
    heard = False
    request_id = ""
    request: Any = None
    response: Any = None
    request_bytes = response_bytes = 0
    # Empty for a success that was not picked for the log.
    peer = ""
    # Only of a call to no method of ours.
    path = ""
    # Why it failed, when an exception did it; why it was turned away, when it was.
    error: Exception | None = None
    refused: Shed | None = None
    seconds = ended = 0.0
    # Whether it was handed to the teller.
    told = False

    def __init__(self, counts: MethodCounts, metadata: Any) -> None:
        """Begin now."""
        self.began = perf_counter()
        self.counts, self.metadata = counts, metadata

    def end(self, code: int) -> None:
        """Note how it ended, and when."""
        self.code = code
        self.ended = time()
        self.seconds = perf_counter() - self.began
        self.told = True

    def forget(self) -> None:
        """Let go of what was sent and answered. An error holds the frames it went through, and they hold the call."""
        self.request = self.response = self.error = None


def quiet_call(metadata: Any) -> Call:
    """Return the record of a call that is neither counted nor logged, as those of health."""
    call = Call(_QUIET, metadata)
    call.told = True
    return call


_QUIET = MethodCounts("", "")
Tell = Callable[[Call], None]
# gRPC runs the interceptors and the handler of a call in one context of its own.
CURRENT: ContextVar[Call] = ContextVar("call")


def report(error: Exception, _context: grpc.ServicerContext) -> str:
    """Keep why the current call fails, and return the request id that its caller gets."""
    call = CURRENT.get()
    call.error = error
    return call.request_id


def request_id_of(metadata: Any) -> str:
    """Return the caller's request id where it is sane, else a new one."""
    for key, value in metadata:
        if key == REQUEST_ID:
            if 0 < len(value) <= LONGEST_ID and value.isascii() and value.isprintable():
                return str(value)
            break
    return make_request_id()


class WatchedMethod:
    """A method's handler that leaves a record of each call."""

    def __init__(
        self,
        name: str,
        behavior: Callable[[Any, grpc.ServicerContext], Message],
        request_class: type[Message],
        counts: MethodCounts,
        tell: Tell,
        sample: float,
        pool: "Pool | None" = None,
    ) -> None:
        """Watch the method ``name``; tell of each call, and log a ``sample`` of the successful ones.

        With a ``pool``, it runs there.
        """
        self.pool = pool
        if pool is not None:
            # gRPC's name for it.
            self.experimental_thread_pool = pool
        self.name, self.counts = name, counts
        self.behavior, self.tell = behavior, tell
        self._parse = request_class.FromString
        self._sample = sample
        message = f"is not a message of this type: send a {request_class.DESCRIPTOR.full_name}, with stubs of proto/"
        self._malformed = invalid_request([Problem("request", ProblemReason.UNKNOWN_VALUE, message)])

    def __call__(self, data: bytes, context: grpc.ServicerContext) -> bytes:
        """Handle a call."""
        call = CURRENT.get()
        call.heard = True
        call.request_id = request_id = request_id_of(call.metadata)
        call.request_bytes = len(data)
        try:
            call.request = request = self._parse(data)
            call.response = response = self.behavior(request, context)
            answer = response.SerializeToString()
        except Exception as error:
            self._fail(call, error, context)
            raise
        context.set_trailing_metadata(((REQUEST_ID, request_id),))
        sample = self._sample
        if sample >= 1.0 or (sample > 0.0 and random.random() < sample):  # noqa: S311  # a share of lines
            call.peer = context.peer()
        call.response_bytes = len(answer)
        call.end(OK)
        if call.ended > call.deadline:
            # Nobody gets it; and gRPC no longer knows who asked.
            call.code = DEADLINE_EXCEEDED
        self.tell(call)
        return answer

    def _fail(self, call: Call, error: Exception, context: grpc.ServicerContext) -> None:
        if _code_of(context) is None:
            # No answer of the servicer's: what came is no message, or the bug is in what surrounds it.
            status = self._malformed
            if not isinstance(error, DecodeError):
                status = status_of(error, report(error, context))
            with suppress(Exception):
                context.abort_with_status(status)
        metadata = (*(context.trailing_metadata() or ()), (REQUEST_ID, call.request_id))
        context.set_trailing_metadata(metadata)
        call.peer = context.peer()
        call.response = None
        call.end(_code_of(context) or UNKNOWN)
        if call.ended > call.deadline:
            call.code = DEADLINE_EXCEEDED
        self.tell(call)


def _code_of(context: Any) -> int | None:
    """Return the number of the code a call was ended with, or none; the stubs do not know the method."""
    code: grpc.StatusCode | None = context.code()
    return None if code is None else int(code.value[0])
