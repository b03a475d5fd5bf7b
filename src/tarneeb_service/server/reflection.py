"""gRPC reflection, loaded when somebody first asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import grpc

REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/"
# Callers who may reflect at once; each holds a thread.
_MOST = 16


class Reflection(grpc.GenericRpcHandler):
    """Answers what a server's services look like."""

    def __init__(self, *services: str) -> None:
        """Show these services, and itself."""
        self._services = services
        self._pool = ThreadPoolExecutor(_MOST, thread_name_prefix="reflect")

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return what handles a call, if it is one of reflection."""
        if handler_call_details.method != f"{REFLECTION}ServerReflectionInfo":
            return None
        return self._handler

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def _handler(self) -> grpc.RpcMethodHandler[Any, Any]:
        from grpc_reflection.v1alpha import reflection, reflection_pb2

        servicer = reflection.ReflectionServicer((*self._services, reflection.SERVICE_NAME))

        def reflect(requests: Iterator[Any], context: grpc.ServicerContext) -> Iterator[Any]:
            yield from servicer.ServerReflectionInfo(requests, context)

        # Not on the threads of games: a caller keeps his stream open for as long as he likes.
        reflect.experimental_thread_pool = self._pool  # type: ignore[attr-defined]
        return grpc.stream_stream_rpc_method_handler(
            reflect,
            reflection_pb2.ServerReflectionRequest.FromString,
            reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
