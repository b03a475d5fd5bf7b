"""The bare servicer and an echo with the same messages, side by side on one server; `bench.unary` starts it.

The echo reads the same request and answers with the same message, so that what differs is our work alone.
"""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1 import verdicts_pb2
from tarneeb.v1.tarneeb_service_pb2_grpc import add_TarneebServiceServicer_to_server
from tarneeb_service.rpc.servicer import Servicer

LEGAL_ANSWER = pb.ValidateMoveResponse(verdict=verdicts_pb2.Verdict(ruling=verdicts_pb2.RULING_LEGAL))
ECHO_SERVICE = "tarneeb.bench.Echo"
THREADS = 4


def echo(_request: pb.ValidateMoveRequest, _context: grpc.ServicerContext) -> pb.ValidateMoveResponse:
    return LEGAL_ANSWER


def echo_batch(request: pb.ValidateMovesRequest, _context: grpc.ServicerContext) -> pb.ValidateMovesResponse:
    result = pb.MoveResult(verdict=LEGAL_ANSWER.verdict)
    return pb.ValidateMovesResponse(results=[result] * len(request.items))


def main() -> None:
    server = grpc.server(ThreadPoolExecutor(THREADS), options=[("grpc.so_reuseport", 0)])
    add_TarneebServiceServicer_to_server(Servicer(lambda _error, _context: ""), server)
    methods: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "ValidateMove": grpc.unary_unary_rpc_method_handler(
            echo, pb.ValidateMoveRequest.FromString, pb.ValidateMoveResponse.SerializeToString
        ),
        "ValidateMoves": grpc.unary_unary_rpc_method_handler(
            echo_batch, pb.ValidateMovesRequest.FromString, pb.ValidateMovesResponse.SerializeToString
        ),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(ECHO_SERVICE, methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    server.start()
    print(f"serving on port {port}", flush=True)
    stop.wait()
    server.stop(None).wait()


if __name__ == "__main__":
    main()
