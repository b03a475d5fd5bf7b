"""The bare service and an echo with the same messages, side by side on one server; `bench.unary` starts it.

The bare service is gRPC's own server with a plain handler for each method, which calls `rpc.dispatch`: no admission, no
metrics, no log. The echo reads the same request and answers with the same message, so that what differs is our work
alone.
"""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1 import verdicts_pb2
from tarneeb_service.rpc.dispatch import SERVICE, Method, dispatch, methods_table

LEGAL_ANSWER = pb.ValidateMoveResponse(verdict=verdicts_pb2.Verdict(ruling=verdicts_pb2.RULING_LEGAL))
ECHO_SERVICE = "tarneeb.bench.Echo"
THREADS = 4


def echo(_request: pb.ValidateMoveRequest, _context: grpc.ServicerContext) -> pb.ValidateMoveResponse:
    return LEGAL_ANSWER


def echo_batch(request: pb.ValidateMovesRequest, _context: grpc.ServicerContext) -> pb.ValidateMovesResponse:
    result = pb.MoveResult(verdict=LEGAL_ANSWER.verdict)
    return pb.ValidateMovesResponse(results=[result] * len(request.items))


def bare_handlers() -> grpc.GenericRpcHandler:
    """Every method of the service, bytes to bytes, with nothing around it."""
    methods = {name: _bare(method) for name, method in methods_table().items()}
    return grpc.method_handlers_generic_handler(SERVICE, methods)


def _bare(method: Method) -> grpc.RpcMethodHandler[Any, Any]:
    def answer(data: bytes, context: grpc.ServicerContext) -> bytes:
        outcome = dispatch(method, data, "", lambda: None)
        if outcome.status is not None:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, outcome.status.message)
        return outcome.answer

    return grpc.unary_unary_rpc_method_handler(answer)


def main() -> None:
    methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "ValidateMove": grpc.unary_unary_rpc_method_handler(
            echo, pb.ValidateMoveRequest.FromString, pb.ValidateMoveResponse.SerializeToString
        ),
        "ValidateMoves": grpc.unary_unary_rpc_method_handler(
            echo_batch, pb.ValidateMovesRequest.FromString, pb.ValidateMovesResponse.SerializeToString
        ),
    }
    server = grpc.server(
        ThreadPoolExecutor(THREADS),
        handlers=[bare_handlers(), grpc.method_handlers_generic_handler(ECHO_SERVICE, methods)],
        options=[("grpc.so_reuseport", 0)],
    )
    port = server.add_insecure_port("127.0.0.1:0")
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    server.start()
    print(f"serving on port {port}", flush=True)
    stop.wait()
    server.stop(None).wait()


if __name__ == "__main__":
    main()
