"""Who gets in. Runs on the server's polling thread, before a call costs a worker anything.

What is turned away is answered by a thread of its own and its message is not read, so a refusal never waits
behind the work that caused it. Health has workers of its own: it is never turned away, and waits for no move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NoReturn

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2
from grpc_health.v1 import health

from tarneeb.v1 import errors_pb2
from tarneeb_service.rpc.errors import error_info, make_status
from tarneeb_service.server.executor import Pool
from tarneeb_service.server.settings import Settings
from tarneeb_service.telemetry.access_log import clean
from tarneeb_service.telemetry.calls import (
    CURRENT,
    REQUEST_ID,
    Call,
    Tell,
    WatchedMethod,
    quiet_call,
    request_id_of,
)
from tarneeb_service.telemetry.metrics import MethodCounts, Shed

# As gRPC itself says it.
_UNIMPLEMENTED = make_status(grpc.StatusCode.UNIMPLEMENTED, "Method not found!")
# Callers who may check health, watch it, or reflect at once; each has a thread.
MOST_ASIDE = 256
_HEALTH, REFLECTION = f"/{health.SERVICE_NAME}/", "/grpc.reflection.v1alpha.ServerReflection/"

if TYPE_CHECKING:
    from tarneeb_service.server.tokens import Tokens

    # Generic in the stubs alone.
    Handler = grpc.RpcMethodHandler[Any, Any]
    Continuation = Callable[[grpc.HandlerCallDetails], Handler | None]


class Refusal:
    """A handler that answers every call with the same status."""

    def __init__(
        self,
        reason: Shed | None,
        status: grpc.Status,
        counts: MethodCounts,
        path: str,
        tell: Tell,
        pool: ThreadPoolExecutor,
    ) -> None:
        """Answer the calls that ``counts`` counts with ``status``, on ``pool``; log a ``path`` of no method."""
        # gRPC's name for "run this handler there".
        self.experimental_thread_pool = pool
        self._reason, self._status, self._counts, self._path = reason, status, counts, path
        self._tell = tell

    def __call__(self, _requests: Iterator[bytes], context: grpc.ServicerContext) -> NoReturn:
        """Refuse a call."""
        call, status = Call(self._counts, context.invocation_metadata()), self._status
        call.request_id = request_id_of(call.metadata)
        call.peer, call.path = context.peer(), self._path
        call.refused = self._reason
        call.end(status.code.value[0])
        self._tell(call)
        metadata = (*(status.trailing_metadata or ()), (REQUEST_ID, call.request_id))
        context.abort_with_status(Answer(status.code, status.details, metadata))
        raise AssertionError("abort_with_status returned")


class Answer(grpc.Status):
    """A status with its metadata."""

    def __init__(self, code: grpc.StatusCode, details: str, trailing_metadata: Any) -> None:
        """Keep the parts."""
        self.code, self.details, self.trailing_metadata = code, details, trailing_metadata


class Aside(grpc.ServerInterceptor):
    """Has all calls handled on a pool of its own, neither counted nor logged."""

    def __init__(self, pool: Pool) -> None:
        """Use ``pool``."""
        self._pool = pool

    def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Return what handles a call."""
        handler = continuation(handler_call_details)
        if handler is None:
            return None
        self._pool.arriving = call = quiet_call(handler_call_details.invocation_metadata)
        codec = (handler.request_deserializer, handler.response_serializer)
        if handler.unary_unary:
            return grpc.unary_unary_rpc_method_handler(self._heard(handler.unary_unary, call), *codec)
        if handler.unary_stream:
            return grpc.unary_stream_rpc_method_handler(self._heard(handler.unary_stream, call), *codec)
        return grpc.stream_stream_rpc_method_handler(self._heard(handler.stream_stream, call), *codec)

    def _heard(self, behavior: Any, call: Call) -> _Heard:
        return _Heard(behavior, self._pool, call)


class _Heard:
    """The behavior of one call, which notes that its message came."""

    def __init__(self, behavior: Callable[..., Any], pool: Pool, call: Call) -> None:
        # gRPC's name for "run this handler there".
        self.experimental_thread_pool = pool
        self._behavior, self._call = behavior, call

    def __call__(self, *arguments: Any) -> Any:
        self._call.heard = True
        return self._behavior(*arguments)


class HealthGate(grpc.ServerInterceptor):
    """Lets calls of health in: checks always, watchers as many as there may be threads for."""

    def __init__(self, tell: Tell) -> None:
        """Start with one worker for either."""
        self._checkers = Pool("health", 1, MOST_ASIDE, tell, waits=True)
        self._watchers = Pool("watcher", 1, MOST_ASIDE, tell, waits=True)
        self._checks, self._watches = Aside(self._checkers), Aside(self._watchers)

    def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Return what handles a call."""
        if not handler_call_details.method.endswith("/Watch"):
            return self._checks.intercept_service(continuation, handler_call_details)
        if self._watchers.pending >= MOST_ASIDE:
            # Unimplemented, which tells a caller to go by his connection alone.
            return None
        return self._watches.intercept_service(continuation, handler_call_details)

    def close(self) -> None:
        """End the threads."""
        for pool in (self._checkers, self._watchers):
            pool.shutdown(wait=False, cancel_futures=True)


class Gate(grpc.ServerInterceptor):
    """Lets calls in, or answers why not."""

    def __init__(
        self,
        watched: Mapping[str, WatchedMethod],
        pool: Pool,
        settings: Settings,
        tokens: Tokens | None,
        other: MethodCounts,
        tell: Tell,
    ) -> None:
        """Guard the ``watched`` methods, by path; ``other`` counts the calls of none of them.

        A method without a pool of its own runs on ``pool``.
        """
        self.stopping = False
        self._most_calls, self._tokens = settings.max_calls, tokens
        apart = (method.pool for method in watched.values() if method.pool is not None)
        self._pools = (pool, *dict.fromkeys(apart))
        self._other_counts, self._tell = other, tell
        # Threads start with their first call.
        self._refusing = ThreadPoolExecutor(1, thread_name_prefix="refuse")
        self._reflections = Pool("reflect", 1, MOST_ASIDE, tell, waits=True)
        self._reflection, self._health = Aside(self._reflections), HealthGate(tell)
        self._handlers: dict[str, tuple[MethodCounts, Handler, Pool]] = {
            path: (method.counts, grpc.unary_unary_rpc_method_handler(method), method.pool or pool)
            for path, method in watched.items()
        }
        statuses = _statuses(settings.retry_after_ms)
        self._refusals = {
            reason: {path: self._refusal(reason, status, method.counts) for path, method in watched.items()}
            for reason, status in statuses.items()
        }
        self._other_refusal = self._refusal(
            Shed.UNAUTHENTICATED, statuses[Shed.UNAUTHENTICATED], self._other_counts
        )

    def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Return what handles a call."""
        path = handler_call_details.method
        known = self._handlers.get(path)
        if known is None:
            return self._other(continuation, handler_call_details)
        counts, handler, pool = known
        counts.started += 1
        if self.stopping:
            return self._refusals[Shed.STOPPING][path]
        if self._tokens is not None and not self._tokens.accepts(handler_call_details.invocation_metadata):
            return self._refusals[Shed.UNAUTHENTICATED][path]
        if self.pending >= self._most_calls:
            return self._refusals[Shed.OVERLOADED][path]
        call = Call(counts, handler_call_details.invocation_metadata)
        CURRENT.set(call)
        pool.arriving = call
        return handler

    @property
    def pending(self) -> int:
        """How many calls wait or run."""
        return sum([pool.pending for pool in self._pools])

    def close(self) -> None:
        """End the workers, and the gate's own threads."""
        self._health.close()
        for pool in (*self._pools, self._refusing, self._reflections):
            pool.shutdown(wait=False, cancel_futures=True)

    def _other(self, continuation: Continuation, details: grpc.HandlerCallDetails) -> Handler | None:
        path = details.method
        if path.startswith(_HEALTH):
            return self._health.intercept_service(continuation, details)
        if self._tokens is not None and not self._tokens.accepts(details.invocation_metadata):
            self._other_counts.started += 1
            return self._other_refusal
        if path.startswith(REFLECTION):
            return self._reflection.intercept_service(continuation, details)
        self._other_counts.started += 1
        return self._refusal(None, _UNIMPLEMENTED, self._other_counts, clean(path))

    def _refusal(
        self, reason: Shed | None, status: grpc.Status, counts: MethodCounts, path: str = ""
    ) -> Handler:
        # As if the request were a stream: gRPC then does not wait for a message before it answers.
        return grpc.stream_unary_rpc_method_handler(
            Refusal(reason, status, counts, path, self._tell, self._refusing)
        )


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
