"""Who gets in. Runs on the server's polling thread, before a call costs a worker anything.

What is turned away is answered by a thread of its own and its message is not read, so a refusal never waits behind the
work that caused it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NoReturn

import grpc

from tarneeb_service.rpc.dispatch import SERVICE
from tarneeb_service.rpc.errors import NO_SUCH_METHOD, Shed, Status, refusals
from tarneeb_service.server.handler import MethodHandler, as_stream, fail
from tarneeb_service.server.health import HEALTH
from tarneeb_service.server.quotas import Quotas, caller_of
from tarneeb_service.server.reflection import REFLECTION
from tarneeb_service.server.settings import Settings
from tarneeb_service.server.tokens import Tokens
from tarneeb_service.telemetry.access_log import Reporter
from tarneeb_service.telemetry.call import Call, clean
from tarneeb_service.telemetry.labels import OTHER

if TYPE_CHECKING:
    # Generic in the stubs alone.
    Handler = grpc.RpcMethodHandler[Any, Any]
    Continuation = Callable[[grpc.HandlerCallDetails], Handler | None]


class Limit:
    """How many calls wait or run, and how many may."""

    def __init__(self, most: int) -> None:
        """Let ``most`` in."""
        self.most, self.pending = most, 0
        self._lock = threading.Lock()

    def enter(self) -> bool:
        """Say whether one more may come in, and count it."""
        with self._lock:
            if self.pending >= self.most:
                return False
            self.pending += 1
            return True

    def leave(self) -> None:
        """Count one that has ended."""
        with self._lock:
            self.pending -= 1


class Admission(grpc.ServerInterceptor):
    """Lets calls in, or answers why not."""

    def __init__(
        self,
        handlers: Mapping[str, MethodHandler],
        settings: Settings,
        tokens: Tokens | None,
        reporter: Reporter,
    ) -> None:
        """Guard the methods that ``handlers`` answer, by name; those of ReplayGame have a limit of their own."""
        self.calls, self.replays = Limit(settings.max_calls), Limit(settings.max_replays)
        self._methods = {
            f"/{SERVICE}/{name}": (handler, self.replays if name == "ReplayGame" else self.calls)
            for name, handler in handlers.items()
        }
        self._tokens, self._reporter = tokens, reporter
        rate = settings.calls_per_second_per_caller
        self._quotas = Quotas(rate) if rate else None
        self._refusals = refusals(settings.retry_after_ms)
        # Its thread starts with the first refusal.
        self._refusing = ThreadPoolExecutor(1, thread_name_prefix="refuse")

    def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Return what handles a call."""
        path, metadata = handler_call_details.method, handler_call_details.invocation_metadata
        known = self._methods.get(path)
        if known is None:
            return self._other(continuation, handler_call_details)
        handler, limit = known
        name = handler.method.name
        call = Call(SERVICE, name, metadata)
        self._reporter.arrived(name)
        if self._tokens is not None:
            digest = self._tokens.digest(metadata)
            if digest is None:
                return self._refuse(call, Shed.UNAUTHENTICATED)
            if self._quotas is not None and not self._quotas.take(digest):
                return self._refuse(call, Shed.QUOTA)
        if not limit.enter():
            return self._refuse(call, Shed.OVERLOADED)
        if self._quotas is None or self._tokens is not None:
            return as_stream(_Admitted(call, handler, limit))
        return as_stream(_Metered(call, handler, limit, self._quotas, self._refused(call, Shed.QUOTA)))

    @property
    def pending(self) -> int:
        """How many calls wait or run."""
        return self.calls.pending + self.replays.pending

    def close(self) -> None:
        """End the thread that refuses."""
        self._refusing.shutdown(wait=False, cancel_futures=True)

    def _other(self, continuation: Continuation, details: grpc.HandlerCallDetails) -> Handler | None:
        path = details.method
        # Neither counted nor logged: they would drown the others.
        if path.startswith(HEALTH):
            return continuation(details)
        authentic = self._tokens is None or self._tokens.digest(details.invocation_metadata) is not None
        if authentic and path.startswith(REFLECTION):
            return continuation(details)
        call = Call(OTHER, OTHER, details.invocation_metadata, clean(path))
        self._reporter.arrived(OTHER)
        return self._refuse(call, None if authentic else Shed.UNAUTHENTICATED)

    def _refuse(self, call: Call, reason: Shed | None) -> Handler:
        return as_stream(self._refused(call, reason))

    def _refused(self, call: Call, reason: Shed | None) -> _Refused:
        status = NO_SUCH_METHOD if reason is None else self._refusals[reason]
        return _Refused(call, reason, status, self._reporter, self._refusing)


class _Admitted:
    """Answers one call that was let in. It runs whatever becomes of the call, so the count is kept."""

    def __init__(self, call: Call, handler: MethodHandler, limit: Limit) -> None:
        self._call, self._handler, self._limit = call, handler, limit
        self._crew = handler.executor.crew
        # gRPC's name for "run this handler there"; documented nowhere, hence grpcio's pin.
        self.experimental_thread_pool = self._crew.pool

    def __call__(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        try:
            return self._handler.answer(self._call, self._crew, requests, context)
        finally:
            self._limit.leave()


class _Refused:
    """Turns one call away, without a look at its message."""

    def __init__(
        self, call: Call, reason: Shed | None, status: Status, reporter: Reporter, pool: ThreadPoolExecutor
    ) -> None:
        self._call, self._reason, self._status, self._reporter = call, reason, status, reporter
        self.experimental_thread_pool = pool

    def __call__(self, _requests: Iterator[bytes], context: grpc.ServicerContext) -> NoReturn:
        call = self._call
        call.refused = self._reason
        call.read_ids()
        call.end(self._status.code)
        self._reporter.ended(call, context.peer)
        fail(context, self._status, call.request_id)


class _Metered(_Admitted):
    """Answers one call if its peer has calls left. gRPC names the peer no sooner than on the thread that serves."""

    def __init__(
        self, call: Call, handler: MethodHandler, limit: Limit, quotas: Quotas, refused: _Refused
    ) -> None:
        super().__init__(call, handler, limit)
        self._quotas, self._refused = quotas, refused

    def __call__(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        if self._quotas.take(caller_of(context.peer())):
            return super().__call__(requests, context)
        try:
            self._refused(requests, context)
        finally:
            self._limit.leave()
