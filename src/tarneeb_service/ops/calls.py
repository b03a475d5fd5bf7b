"""One call from arrival to answer: timed, counted, logged, and given back its request id.

A call arrives on the server's polling thread, where ``gate`` makes its record, waits in the pool, and is
handled by a worker. Requests and responses pass as bytes, so that their sizes cost nothing.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from threading import Lock
from time import perf_counter
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message

from tarneeb.v1 import errors_pb2
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.ops import facts
from tarneeb_service.ops.call_log import REQUEST_ID, CallLog, Ids, ids_of
from tarneeb_service.ops.logs import Log, frames_of
from tarneeb_service.ops.metrics import MethodCounts, Metrics
from tarneeb_service.rpc.errors import error_info, make_status, status_of

CANCELLED, UNKNOWN, INTERNAL = 1, 2, 13


class Call:
    """The record of a call that was let in."""

    __slots__ = ("began", "counts", "error", "ids", "seen")

    def __init__(self, counts: MethodCounts) -> None:
        """Begin now."""
        self.counts = counts
        self.began = perf_counter()
        self.ids = Ids("", "")
        # Why it fails, once known.
        self.error: Exception | None = None
        # Whether a handler got it.
        self.seen = False


# gRPC runs the interceptors and the handler of a call in one context of its own.
CURRENT: ContextVar[Call] = ContextVar("call")


def report(error: Exception, _context: grpc.ServicerContext) -> str:
    """Keep why the current call fails, and return the request id that its caller gets."""
    call = CURRENT.get()
    call.error = error
    return call.ids.request_id


class Pool(ThreadPoolExecutor):
    """The workers. It knows how many calls wait or run, and of those that end before a handler sees them."""

    def __init__(self, threads: int, unseen: Callable[[Call], None]) -> None:
        """Take what is told of calls that no handler saw."""
        super().__init__(threads, thread_name_prefix="worker")
        # Set by the gate just before gRPC submits the call, on the same thread.
        self.arriving: Call | None = None
        self.pending = 0
        self._count = Lock()
        self._unseen = unseen

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a call."""
        call, self.arriving = self.arriving, None
        if call is None:
            return super().submit(fn, *args, **kwargs)
        with self._count:
            self.pending += 1
        return super().submit(self._handle, call, fn, args)

    def _handle(self, call: Call, handle: Callable[..., Any], args: tuple[Any, ...]) -> None:
        try:
            handle(*args)
        finally:
            with self._count:
                self.pending -= 1
            if not call.seen:
                self._unseen(call)


class WatchedMethod:
    """A method's handler with all that is told of its calls."""

    def __init__(
        self,
        name: str,
        behavior: Callable[[Any, grpc.ServicerContext], Message],
        request_class: type[Message],
        metrics: Metrics,
        counts: MethodCounts,
        log: Log,
        call_log: CallLog,
    ) -> None:
        """Watch the method ``name``, which ``behavior`` answers."""
        self.counts = counts
        self._name = name
        self._behavior = behavior
        self._parse = request_class.FromString
        self._read = facts.READERS.get(name, facts.of_nothing)
        self._is_batch = name == "ValidateMoves"
        self._answers_problems = name == "ValidateGame"
        self._metrics, self._log, self._call_log = metrics, log, call_log
        message = f"the request is no {request_class.DESCRIPTOR.full_name}: make stubs of proto/ and send one"
        self._malformed = make_status(
            grpc.StatusCode.INVALID_ARGUMENT,
            message,
            error_info(errors_pb2.ERROR_REASON_INVALID_REQUEST, {"problems": "1"}),
        )

    def __call__(self, data: bytes, context: grpc.ServicerContext) -> bytes:
        """Handle a call."""
        call = CURRENT.get()
        call.seen = True
        call.ids = ids_of(context.invocation_metadata())
        request = None
        try:
            request = self._parse(data)
            response = self._behavior(request, context)
            answer = response.SerializeToString()
        except Exception as error:
            self._fail(call, request, len(data), error, context)
            raise
        context.set_trailing_metadata(((REQUEST_ID, call.ids.request_id),))
        try:
            self._tell(call, request, response, len(data), len(answer), context)
        except Exception as error:  # noqa: BLE001  # a good answer does not fail for its log line
            self._log_bug(call, error)
        return answer

    def unseen(self, call: Call) -> None:
        """Tell of a call that ended before its handler ran; the core does not say which way."""
        seconds = perf_counter() - call.began
        self._metrics.handled(call.counts, CANCELLED, seconds)
        if self._call_log.wants(CANCELLED):
            more = {"ended": "before it was handled: cancelled, past its deadline, or too large a message"}
            self._call_log.write(ids_of(()), self._name, CANCELLED, facts.NONE, seconds, "", 0, 0, more)

    def _tell(
        self,
        call: Call,
        request: Any,
        response: Any,
        request_bytes: int,
        response_bytes: int,
        context: grpc.ServicerContext,
    ) -> None:
        seconds = perf_counter() - call.began
        told = self._read(request, response)
        metrics = self._metrics
        more = None
        if told.move:
            key = (facts.label_of(told.rule_set), told.move, told.ruling, told.reason)
            metrics.handled_move(call.counts, seconds, key)
        else:
            metrics.handled(call.counts, 0, seconds)
            if self._is_batch:
                moves = facts.moves_of(request, response)
                items = len(response.results)
                metrics.judged(items, moves)
                metrics.found(facts.snapshot_problems(response))
                more = {"items": items, "unjudged": items - len(moves)}
            elif self._answers_problems:
                metrics.found(facts.snapshot_problems(response))
                more = {"problem_count": len(response.problems)}
        if self._call_log.wants(0):
            self._call_log.write(
                call.ids, self._name, 0, told, seconds, context.peer(), request_bytes, response_bytes, more
            )

    def _fail(
        self, call: Call, request: Any, request_bytes: int, error: Exception, context: grpc.ServicerContext
    ) -> None:
        if _code_of(context) is None:
            # No answer of the servicer's: what came is no message, or the bug is in what surrounds it.
            status = self._malformed
            if not isinstance(error, DecodeError):
                status = status_of(error, report(error, context))
            with suppress(Exception):
                context.abort_with_status(status)
        context.set_trailing_metadata(
            (*(context.trailing_metadata() or ()), (REQUEST_ID, call.ids.request_id))
        )
        seconds = perf_counter() - call.began
        code = _code_of(context) or UNKNOWN
        self._metrics.handled(call.counts, code, seconds)
        self._metrics.found(facts.snapshot_problems(call.error))
        if call.error is not None and code == INTERNAL:
            self._log_bug(call, call.error)
        if self._call_log.wants(code):
            told = facts.NONE if request is None else self._read(request, None)
            more: dict[str, Any] = {}
            if isinstance(call.error, ProblemsError):
                first = call.error.problems[0]
                more = {
                    "problem_count": len(call.error.problems),
                    "problem_path": first.path,
                    "problem_reason": first.reason.name.lower(),
                }
            self._call_log.write(
                call.ids, self._name, code, told, seconds, context.peer(), request_bytes, 0, more
            )

    def _log_bug(self, call: Call, error: Exception) -> None:
        self._log.event(
            "error",
            "bug",
            request_id=call.ids.request_id,
            method=self._name,
            type=type(error).__name__,
            frames=frames_of(error),
        )


def _code_of(context: Any) -> int | None:
    """Return the number of the code a call was ended with, or none; the stubs do not know the method."""
    code: grpc.StatusCode | None = context.code()
    return None if code is None else int(code.value[0])
