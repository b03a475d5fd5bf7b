"""gRPC reflection, v1 and v1alpha, loaded when somebody first asks for it.

The library knows v1alpha alone. The messages of v1 are the same, byte for byte, so one handler serves both.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.message import DecodeError

from tarneeb_service.server.executor import LOOK, Crew

if TYPE_CHECKING:
    from google.protobuf.descriptor import FileDescriptor

V1, V1ALPHA = (f"grpc.reflection.{version}.ServerReflection" for version in ("v1", "v1alpha"))
REFLECTION = (f"/{V1}/", f"/{V1ALPHA}/")
# Callers who may reflect at once; each holds a thread.
_MOST = 16


class Reflection(grpc.GenericRpcHandler):
    """Answers what a server's services look like."""

    def __init__(self, *services: str) -> None:
        """Show these services, and itself."""
        self._services = services
        # Not on the threads of games: a caller keeps his stream open for as long as he likes.
        self._crew = Crew("reflect", _MOST)
        self._closed = threading.Event()

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return what handles a call, if it is one of reflection."""
        if handler_call_details.method not in [f"{path}ServerReflectionInfo" for path in REFLECTION]:
            return None
        return self._handler

    def close(self) -> None:
        """End the threads."""
        self._closed.set()
        self._crew.pool.shutdown(wait=False, cancel_futures=True)

    @cached_property
    def _handler(self) -> grpc.RpcMethodHandler[Any, Any]:
        from grpc_reflection.v1alpha import reflection

        servicer = reflection.ReflectionServicer((*self._services, V1, V1ALPHA), Shown(*self._services))

        def reflect(messages: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
            for response in servicer.ServerReflectionInfo(self._requests(messages, context), context):
                yield response.SerializeToString()

        reflect.experimental_thread_pool = self._crew.pool  # type: ignore[attr-defined]
        threading.Thread(target=self._look_on, name="reflect looks", daemon=True).start()
        return grpc.stream_stream_rpc_method_handler(reflect)

    def _requests(self, messages: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[Any]:
        from grpc_reflection.v1alpha import reflection_pb2

        while (data := self._crew.message_of(messages, context)) is not None:
            try:
                yield reflection_pb2.ServerReflectionRequest.FromString(data)
            except DecodeError:
                context.abort(grpc.StatusCode.INVALID_ARGUMENT, "send a ServerReflectionRequest")

    def _look_on(self) -> None:
        while not self._closed.wait(LOOK):
            self._crew.look()


class Shown:
    """The files that callers may see, as the library asks for them: those of some services and of error details.

    A pool apart from the process's own, which holds whatever else was imported, and where another library may have
    put a v1 of its own.
    """

    def __init__(self, *services: str) -> None:
        """Show the files of these services, with all that they import."""
        from google.protobuf import descriptor_pb2, descriptor_pool, text_format
        from google.rpc import error_details_pb2
        from grpc_reflection.v1alpha import reflection_pb2

        self._pool = descriptor_pool.DescriptorPool()
        known = descriptor_pool.Default()
        for name in services:
            self._add(known.FindServiceByName(name).file)
        # Whoever prints an error's details asks for them.
        self._add(error_details_pb2.DESCRIPTOR)
        self._add(reflection_pb2.DESCRIPTOR)
        v1alpha = descriptor_pb2.FileDescriptorProto()
        reflection_pb2.DESCRIPTOR.CopyToProto(v1alpha)
        v1alpha.options.ClearField("deprecated")
        text = text_format.MessageToString(v1alpha).replace("v1alpha", "v1")
        self._pool.Add(text_format.Parse(text, descriptor_pb2.FileDescriptorProto()))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:  # noqa: N802  # as the library has it
        """Return the file that a name is declared in.

        Raises:
            KeyError: There is none.
        """
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            # To protobuf all but a method is a symbol; to the protocol a method is one too.
            return self._pool.FindMethodByName(symbol).containing_service.file

    def _add(self, file: Any) -> None:
        for imported in file.dependencies:
            self._add(imported)
        self._pool.AddSerializedFile(file.serialized_pb)
