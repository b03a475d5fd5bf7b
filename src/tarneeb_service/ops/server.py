"""A gRPC server with the service, health and reflection on it."""

import logging
import uuid
from concurrent.futures import ThreadPoolExecutor

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from tarneeb.v1 import tarneeb_service_pb2, tarneeb_service_pb2_grpc
from tarneeb_service.rpc.servicer import Servicer

SERVICE = tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"].full_name
# Handlers are pure CPU: four threads hide the hand-over, more only compete.
THREADS = 4


def report_bug(error: Exception, _context: grpc.ServicerContext) -> str:
    """Log where a bug of ours struck, without its values, and return the id under which it is found."""
    request_id = str(uuid.uuid4())
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    logging.getLogger("tarneeb_service").error(
        "bug %s in request %s at %s", type(error).__name__, request_id, " > ".join(frames)
    )
    return request_id


class RunningServer:
    """A started server and the health it reports."""

    def __init__(self, address: str) -> None:
        """Start to listen at ``host:port``; port 0 picks a free one.

        Raises:
            RuntimeError: The address is taken or can't be bound.
        """
        # Two servers must not share a port unnoticed.
        self._server = grpc.server(ThreadPoolExecutor(THREADS), options=[("grpc.so_reuseport", 0)])
        self._health = health.HealthServicer()
        tarneeb_service_pb2_grpc.add_TarneebServiceServicer_to_server(Servicer(report_bug), self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), self._server
        )
        self.port = self._server.add_insecure_port(address)
        self._server.start()
        for name in ("", SERVICE):
            self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    def stop(self, grace: float) -> None:
        """Report NOT_SERVING, let calls in flight finish for up to ``grace`` seconds, and end."""
        self._health.enter_graceful_shutdown()
        self._server.stop(grace).wait()
