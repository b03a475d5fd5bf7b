"""Who gets in. Runs on the server's polling thread, before a call costs a worker anything.

What is turned away is answered by a thread of its own and its message is not read, so a refusal never waits
behind the work that caused it. Health has its own thread too: it is never turned away, and never waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2
from grpc_health.v1 import health
from grpc_reflection.v1alpha import reflection

from tarneeb.v1 import errors_pb2
from tarneeb_service.ops import facts
from tarneeb_service.ops.call_log import REQUEST_ID, CallLog, clean, ids_of
from tarneeb_service.ops.calls import CURRENT, Call, Pool, WatchedMethod
from tarneeb_service.ops.metrics import MethodCounts, Metrics, Shed
from tarneeb_service.ops.tokens import Tokens
from tarneeb_service.rpc.errors import error_info, make_status

UNIMPLEMENTED: int = grpc.StatusCode.UNIMPLEMENTED.value[0]
_HEALTH, _REFLECTION = f"/{health.SERVICE_NAME}/", f"/{reflection.SERVICE_NAME}/"

if TYPE_CHECKING:
    # Generic in the stubs alone.
    Handler = grpc.RpcMethodHandler[Any, Any]
    Continuation = Callable[[grpc.HandlerCallDetails], Handler | None]


class Refusal:
    """A handler that answers every call with the same status."""

    def __init__(
        self,
        reason: Shed,
        status: grpc.Status,
        method: str,
        counts: MethodCounts,
        metrics: Metrics,
        call_log: CallLog,
        pool: ThreadPoolExecutor,
    ) -> None:
        """Answer calls of ``method`` with ``status`` on ``pool``."""
        # gRPC's name for "run this handler there".
        self.experimental_thread_pool = pool
        self._reason, self._status = reason, status
        self._method, self._counts, self._metrics, self._call_log = method, counts, metrics, call_log
        code: int = status.code.value[0]
        self._code = code

    def __call__(self, _requests: Iterator[bytes], context: grpc.ServicerContext) -> NoReturn:
        """Refuse a call."""
        began = perf_counter()
        ids = ids_of(context.invocation_metadata())
        status = Answer(
            self._status.code,
            self._status.details,
            (*(self._status.trailing_metadata or ()), (REQUEST_ID, ids.request_id)),
        )
        self._metrics.turned_away(self._counts, self._reason, self._code, perf_counter() - began)
        if self._call_log.wants(self._code):
            more = {"refused": str(self._reason)}
            self._call_log.write(
                ids, self._method, self._code, facts.NONE, perf_counter() - began, context.peer(), 0, 0, more
            )
        context.abort_with_status(status)
        raise AssertionError("abort_with_status returned")


class Answer(grpc.Status):
    """A status with its metadata."""

    def __init__(self, code: grpc.StatusCode, details: str, trailing_metadata: Any) -> None:
        """Keep the parts."""
        self.code, self.details, self.trailing_metadata = code, details, trailing_metadata


class OnPool:
    """A behavior that runs on a pool of its own."""

    def __init__(self, behavior: Callable[..., Any], pool: ThreadPoolExecutor) -> None:
        """Run ``behavior`` on ``pool``."""
        self.experimental_thread_pool = pool
        self.experimental_non_blocking = getattr(behavior, "experimental_non_blocking", False)
        self._behavior = behavior

    def __call__(self, *args: Any) -> Any:
        """Behave."""
        return self._behavior(*args)


class Gate(grpc.ServerInterceptor):
    """Lets calls in, or answers why not."""

    def __init__(
        self,
        watched: Mapping[str, WatchedMethod],
        pool: Pool,
        most_calls: int,
        retry_after_ms: int,
        tokens: Tokens | None,
        metrics: Metrics,
        call_log: CallLog,
    ) -> None:
        """Guard the ``watched`` methods, by path; at most ``most_calls`` at once."""
        self.stopping = False
        self._pool, self._most_calls, self._tokens = pool, most_calls, tokens
        self._metrics, self._call_log = metrics, call_log
        # Threads start with their first call.
        self._refusing = ThreadPoolExecutor(1, thread_name_prefix="refuse")
        self._health = ThreadPoolExecutor(1, thread_name_prefix="health")
        # A reflection stream holds its thread.
        self._reflection = ThreadPoolExecutor(2, thread_name_prefix="reflect")
        self._handlers: dict[str, tuple[MethodCounts, Handler]] = {
            path: (method.counts, grpc.unary_unary_rpc_method_handler(method))
            for path, method in watched.items()
        }
        statuses = _statuses(retry_after_ms)
        self._refusals = {
            reason: {
                path: self._refusal(reason, status, path.rpartition("/")[2], method.counts)
                for path, method in watched.items()
            }
            for reason, status in statuses.items()
        }
        self._other_refusal = self._refusal(
            Shed.UNAUTHENTICATED, statuses[Shed.UNAUTHENTICATED], metrics.other.method, metrics.other
        )

    def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Return what handles a call."""
        path = handler_call_details.method
        known = self._handlers.get(path)
        if known is None:
            return self._other(continuation, handler_call_details)
        counts, handler = known
        counts.started += 1
        if self.stopping:
            return self._refusals[Shed.STOPPING][path]
        if self._tokens is not None and not self._tokens.accepts(handler_call_details.invocation_metadata):
            return self._refusals[Shed.UNAUTHENTICATED][path]
        if self._pool.pending >= self._most_calls:
            return self._refusals[Shed.OVERLOADED][path]
        call = Call(counts)
        CURRENT.set(call)
        self._pool.arriving = call
        return handler

    def close(self) -> None:
        """End the gate's own threads."""
        for pool in (self._refusing, self._health, self._reflection):
            pool.shutdown(wait=False, cancel_futures=True)

    def _other(self, continuation: Continuation, details: grpc.HandlerCallDetails) -> Handler | None:
        path = details.method
        handler = continuation(details)
        if handler is not None and path.startswith(_HEALTH):
            return _on_pool(handler, self._health)
        if self._tokens is not None and not self._tokens.accepts(details.invocation_metadata):
            self._metrics.other.started += 1
            return self._other_refusal
        if handler is not None:
            return _on_pool(handler, self._reflection) if path.startswith(_REFLECTION) else handler
        self._metrics.other.started += 1
        self._metrics.handled(self._metrics.other, UNIMPLEMENTED, 0.0)
        if self._call_log.wants(UNIMPLEMENTED):
            self._call_log.write(
                ids_of(details.invocation_metadata),
                self._metrics.other.method,
                UNIMPLEMENTED,
                facts.NONE,
                0.0,
                "",
                0,
                0,
                {"called": clean(path)},
            )
        return None

    def _refusal(self, reason: Shed, status: grpc.Status, method: str, counts: MethodCounts) -> Handler:
        refusal = Refusal(reason, status, method, counts, self._metrics, self._call_log, self._refusing)
        # As if the request were a stream: gRPC then does not wait for a message before it answers.
        return grpc.stream_unary_rpc_method_handler(refusal)


def _on_pool(handler: Handler, pool: ThreadPoolExecutor) -> Handler:
    codec = (handler.request_deserializer, handler.response_serializer)
    if handler.unary_unary:
        return grpc.unary_unary_rpc_method_handler(OnPool(handler.unary_unary, pool), *codec)
    if handler.unary_stream:
        return grpc.unary_stream_rpc_method_handler(OnPool(handler.unary_stream, pool), *codec)
    if handler.stream_stream:
        return grpc.stream_stream_rpc_method_handler(OnPool(handler.stream_stream, pool), *codec)
    return handler


def _statuses(retry_after_ms: int) -> dict[Shed, grpc.Status]:
    delay = Duration()
    delay.FromMilliseconds(retry_after_ms)
    retry = error_details_pb2.RetryInfo(retry_delay=delay)
    return {
        Shed.OVERLOADED: make_status(
            grpc.StatusCode.UNAVAILABLE,
            "too many calls at once: try again later, or elsewhere",
            error_info(errors_pb2.ERROR_REASON_OVERLOADED, {}),
            retry,
        ),
        Shed.STOPPING: make_status(
            grpc.StatusCode.UNAVAILABLE,
            "this server is stopping: try another",
            error_info(errors_pb2.ERROR_REASON_STOPPING, {}),
            retry,
        ),
        Shed.UNAUTHENTICATED: make_status(
            grpc.StatusCode.UNAUTHENTICATED,
            "send the metadata `authorization: Bearer <token>` with a token that this server knows",
            error_info(errors_pb2.ERROR_REASON_UNAUTHENTICATED, {}),
        ),
    }
