"""The grpcio front: hangs ``rpc.dispatch`` on a server, one handler a method."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn

import grpc

from tarneeb_service.rpc.dispatch import Method, dispatch
from tarneeb_service.rpc.errors import AbandonedError, Status
from tarneeb_service.server.executor import Crew, Executor
from tarneeb_service.telemetry.access_log import Reporter
from tarneeb_service.telemetry.call import CANCELLED, DEADLINE_EXCEEDED, OK, REQUEST_ID, Call

_CODES = {code.value[0]: code for code in grpc.StatusCode}
# Seconds.
_MOMENT = 0.05
_DETAILS = "grpc-status-details-bin"


class _Failure(grpc.Status):
    """A status as grpcio takes it."""

    def __init__(self, status: Status, request_id: str) -> None:
        self.code, self.details = _CODES[status.code], status.message
        details = ((_DETAILS, status.details),) if status.details else ()
        self.trailing_metadata = (*details, (REQUEST_ID, request_id))


def fail(context: grpc.ServicerContext, status: Status, request_id: str) -> NoReturn:
    """End a call with a status and its request id."""
    context.abort_with_status(_Failure(status, request_id))
    raise AssertionError("abort_with_status returned")


class MethodHandler:
    """Answers the calls of one method."""

    def __init__(self, method: Method, executor: Executor, reporter: Reporter) -> None:
        """Answer on the threads of ``executor``."""
        self.method, self.executor = method, executor
        self._reporter = reporter

    def answer(
        self, call: Call, crew: Crew, requests: Iterator[bytes], context: grpc.ServicerContext
    ) -> bytes:
        """Answer a call that was let in; one that ended before its message came gets nothing."""
        call.read_ids()
        data = crew.message_of(requests, context)
        with self.executor.at_work:
            # Others may have been at work for longer than the caller waited.
            if not context.is_active() or (data is None and _ends_soon(context)):
                return self._unheard(call, context)
            call.request_bytes = 0 if data is None else len(data)
            outcome = call.outcome = dispatch(self.method, data, call.request_id, partial(_rest, context))
        status = outcome.status
        call.end(OK if status is None else status.code)
        if context.time_remaining() == 0:
            # Nobody gets it.
            call.code = DEADLINE_EXCEEDED
        self._reporter.ended(call, context.peer)
        # An error holds the frames it went through, and they hold the request.
        outcome.error = None
        if status is not None:
            fail(context, status, call.request_id)
        context.set_trailing_metadata(((REQUEST_ID, call.request_id),))
        return outcome.answer

    def _unheard(self, call: Call, context: grpc.ServicerContext) -> bytes:
        call.ended = "before it was handled: cancelled, past its deadline, too large a message, or none"
        call.end(DEADLINE_EXCEEDED if context.time_remaining() == 0 else CANCELLED)
        self._reporter.ended(call, context.peer)
        return b""


def as_stream(
    behavior: Callable[[Iterator[bytes], grpc.ServicerContext], bytes],
) -> grpc.RpcMethodHandler[Any, Any]:
    """Return a handler of calls with one message each way, hung up as if requests were streams (see ``executor``)."""
    return grpc.stream_unary_rpc_method_handler(behavior)


def _ends_soon(context: grpc.ServicerContext) -> bool:
    """Say whether a call without a message was cancelled; gRPC may tell so a moment later."""
    end = time.monotonic() + _MOMENT
    while context.is_active():
        if time.monotonic() > end:
            return False
        time.sleep(_MOMENT / 10)
    return True


def _rest(context: grpc.ServicerContext) -> None:
    """Let other calls have the interpreter, which this one would keep for 5 ms at a time, and end in time.

    Raises:
        AbandonedError: The caller has gone, or his deadline has passed.
    """
    time.sleep(0)
    if not context.is_active():
        raise AbandonedError
