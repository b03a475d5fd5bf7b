"""gRPC health: for probes on a port of its own, which no caller shares, and for callers on the main one.

Two connections with 500 silent checks made liveness on a shared port fail five times of six, while every game call was
answered: the kubelet would have restarted the pod.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health, health_pb2

from tarneeb_service.rpc.dispatch import SERVICE
from tarneeb_service.server.executor import LOOK, Crew

HEALTH = f"/{health.SERVICE_NAME}/"
# Readiness is the empty name, and the service's own; both turn when the drain begins.
READINESS, LIVENESS = ("", SERVICE), "liveness"
# Callers who may check, and who may watch, at once. A watcher holds a thread.
CHECKS, WATCHERS = 64, 256


class Health:
    """What the service says of itself, on every server it is hung on."""

    def __init__(self) -> None:
        """Say SERVING."""
        # The library's other kind sends while it holds a lock that a closing watcher needs, and freezes the process.
        self._servicer: Any = health.HealthServicer(experimental_non_blocking=False)
        self._ports: list[_Port] = []
        for name in (*READINESS, LIVENESS):
            self._servicer.set(name, health_pb2.HealthCheckResponse.SERVING)

    def handlers(self, name: str) -> grpc.GenericRpcHandler:
        """Return the handlers for one server, with threads of their own."""
        port = _Port(name, self._servicer)
        self._ports.append(port)
        methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "Check": grpc.stream_unary_rpc_method_handler(port.check),
            "Watch": grpc.stream_stream_rpc_method_handler(port.watch),
        }
        return grpc.method_handlers_generic_handler(health.SERVICE_NAME, methods)

    def drain(self) -> None:
        """Say NOT_SERVING for readiness; the process is alive all the same."""
        for name in READINESS:
            self._servicer.set(name, health_pb2.HealthCheckResponse.NOT_SERVING)

    def end_watches(self) -> None:
        """End the watchers, who would stay for ever."""
        for port in self._ports:
            port.end_watches()

    def close(self) -> None:
        """End the threads, once no server hands them calls any more."""
        for port in self._ports:
            port.close()


class _Port:
    """Health on one server."""

    def __init__(self, name: str, servicer: Any) -> None:
        self._servicer = servicer
        self._checkers = Crew(f"{name} check", CHECKS)
        # Some to spare, for those who are told that there are enough.
        self._watchers = Crew(f"{name} watch", WATCHERS + CHECKS)
        self._closed = threading.Event()
        threading.Thread(target=self._look_on, name=f"{name} looks", daemon=True).start()
        self._watching: set[grpc.ServicerContext] = set()
        self.check, self.watch = (
            _Behavior(self._check, self._checkers),
            _Behavior(self._watch, self._watchers),
        )

    def _check(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        request = _read(self._checkers, requests, context)
        if request is None:
            return b""
        response: bytes = self._servicer.Check(request, context).SerializeToString()
        return response

    def _watch(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        request = _read(self._watchers, requests, context)
        if request is None:
            return
        if request.service not in (*READINESS, LIVENESS):
            # The library keeps every name that it was ever asked for; callers may not fill it.
            request.service = "unknown"
        if len(self._watching) >= WATCHERS:
            # Which tells a caller to go by his connection alone.
            context.abort(grpc.StatusCode.UNIMPLEMENTED, "too many watchers: do without")
        self._watching.add(context)
        try:
            for response in self._servicer.Watch(request, context):
                yield response.SerializeToString()
        finally:
            self._watching.discard(context)

    def end_watches(self) -> None:
        for context in self._watching.copy():
            context.cancel()

    def close(self) -> None:
        self._closed.set()
        for crew in (self._checkers, self._watchers):
            crew.pool.shutdown(wait=False, cancel_futures=True)

    def _look_on(self) -> None:
        while not self._closed.wait(LOOK):
            self._checkers.look()
            self._watchers.look()


class _Behavior:
    """A handler's function with the pool it runs on, by gRPC's name for it."""

    def __init__(self, behavior: Any, crew: Crew) -> None:
        self._behavior = behavior
        self.experimental_thread_pool = crew.pool

    def __call__(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Any:
        return self._behavior(requests, context)


def _read(
    crew: Crew, requests: Iterator[bytes], context: grpc.ServicerContext
) -> health_pb2.HealthCheckRequest | None:
    data = crew.message_of(requests, context)
    if data is None:
        return None
    try:
        return health_pb2.HealthCheckRequest.FromString(data)
    except DecodeError:
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "send a grpc.health.v1.HealthCheckRequest")
