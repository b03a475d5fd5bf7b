"""Health is answered whatever callers do."""

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.server import health as health_of_service
from tests.server.http2 import headers_frame, open_calls
from tests.server.support import Answer, Service, failure


@pytest.mark.parametrize("port_name", ["port", "health_port"])
def test_health_survives_watchers_who_come_and_go(legal: pb.ValidateMoveRequest, port_name: str) -> None:
    with Service() as service:
        port = getattr(service.server, port_name)
        end = time.monotonic() + 3

        def watch(_number: int) -> int:
            seen = 0
            options = [("grpc.use_local_subchannel_pool", 1)]
            with grpc.insecure_channel(f"127.0.0.1:{port}", options) as channel:
                health: Any = health_pb2_grpc.HealthStub(channel)
                while time.monotonic() < end:
                    stream = health.Watch(health_pb2.HealthCheckRequest(), timeout=10)
                    assert next(stream).status == Answer.SERVING
                    stream.cancel()
                    seen += 1
            return seen

        with ThreadPoolExecutor(4) as threads:
            assert sum(threads.map(watch, range(4))) > 40
        service.stub.ValidateMove(legal, timeout=5)
        assert service.status() == Answer.SERVING


def test_a_watcher_who_does_not_read_stops_nobody(legal: pb.ValidateMoveRequest) -> None:
    with Service() as service, socket.create_connection(("127.0.0.1", service.server.port)) as connection:
        # A window of zero: nothing may be sent to him.
        settings = bytes([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0])
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings)
        connection.sendall(headers_frame("/grpc.health.v1.Health/Watch", stream=1))
        connection.sendall(bytes([0, 0, 5, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0]))
        time.sleep(0.5)
        for _ in range(3):
            assert service.status() == Answer.SERVING
        service.server.drain()
        assert service.status() == Answer.NOT_SERVING
        service.stub.ValidateMove(legal, timeout=5)


def test_more_watchers_than_threads_are_told_to_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_of_service, "WATCHERS", 3)
    with Service() as service:
        streams = [service.health.Watch(health_pb2.HealthCheckRequest(), timeout=20) for _ in range(3)]
        assert [next(stream).status for stream in streams] == [Answer.SERVING] * 3
        more = service.health.Watch(health_pb2.HealthCheckRequest(), timeout=20)
        assert failure(lambda: next(more)).code() is grpc.StatusCode.UNIMPLEMENTED
        assert service.status() == Answer.SERVING
        service.server.drain()
        assert [next(stream).status for stream in streams] == [Answer.NOT_SERVING] * 3


@pytest.mark.parametrize("port_name", ["port", "health_port"])
def test_health_is_answered_whoever_is_silent(port_name: str) -> None:
    with Service() as service:
        port = getattr(service.server, port_name)
        with (
            open_calls(service, 100, "/grpc.health.v1.Health/Check", port),
            grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
        ):
            health: Any = health_pb2_grpc.HealthStub(channel)
            for _ in range(5):
                answer = health.Check(health_pb2.HealthCheckRequest(), timeout=3)
                assert answer.status == Answer.SERVING


def test_the_port_of_probes_has_health_alone(legal: pb.ValidateMoveRequest) -> None:
    with (
        Service() as service,
        grpc.insecure_channel(f"localhost:{service.server.health_port}") as channel,
    ):
        stub: Any = health_pb2_grpc.HealthStub(channel)
        assert stub.Check(health_pb2.HealthCheckRequest(service="liveness")).status == Answer.SERVING
        call: Any = channel.unary_unary("/tarneeb.v1.TarneebService/ListRuleSets")
        assert failure(lambda: call(b"")).code() is grpc.StatusCode.UNIMPLEMENTED
