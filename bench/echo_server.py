"""gRPC's own server with handlers that do nothing: a request is read, and a message of the real answer's size sent."""

from __future__ import annotations

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message_factory import GetMessageClass

from bench.streams import read
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.rpc.dispatch import SERVICE

THREADS = 4


def handlers(answers: Path) -> grpc.GenericRpcHandler:
    """A handler for each method that has an answer in this file."""
    service = pb.DESCRIPTOR.services_by_name["TarneebService"]
    methods = {}
    for name, data in read(answers).items():
        method = service.methods_by_name[name]
        request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
        methods[name] = _echo(request, response.FromString(data))
    return grpc.method_handlers_generic_handler(SERVICE, methods)


def _echo(request: Any, answer: Any) -> grpc.RpcMethodHandler[Any, Any]:
    return grpc.unary_unary_rpc_method_handler(
        lambda _request, _context: answer, request.FromString, type(answer).SerializeToString
    )


def main(answers: str) -> None:
    server = grpc.server(
        ThreadPoolExecutor(THREADS), handlers=[handlers(Path(answers))], options=[("grpc.so_reuseport", 0)]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    server.start()
    print(f"serving on port {port}", flush=True)
    stop.wait()
    server.stop(None).wait()


if __name__ == "__main__":
    main(sys.argv[1])
