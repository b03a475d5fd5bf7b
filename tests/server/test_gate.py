"""What protects the service: limits, refusals that wait for nothing, and health that is always answered."""

import contextlib
import gc
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.server import admission as gate
from tarneeb_service.server import executor as pool
from tarneeb_service.server.settings import AUTO
from tarneeb_service.telemetry.calls import Call
from tests.server.support import Answer, Service, Slow, detail, failure, reason, wait_for

LIST = pb.ListRuleSetsRequest()


def slow_of(service: Service) -> Slow:
    """The servicer behind a service."""
    watched: Any = service.server.watched["/tarneeb.v1.TarneebService/ListRuleSets"]
    found = watched.behavior.__self__
    assert isinstance(found, Slow)
    return found


def test_too_many_calls_are_turned_away_at_once_and_health_never_is(legal: pb.ValidateMoveRequest) -> None:
    with Service(Slow, threads=2, max_calls=5, retry_after_ms=1_500) as service:
        slow = slow_of(service)
        # Two at work, three that wait.
        calls = [service.stub.ListRuleSets.future(LIST) for _ in range(5)]
        wait_for(lambda: slow.entered == 2 and service.server.pool.pending == 5)
        assert service.sample("tarneeb_calls_in_flight") == 5
        began = time.monotonic()
        errors = [failure(lambda: service.stub.ValidateMove(legal, timeout=5)) for _ in range(20)]
        assert service.status() == Answer.SERVING
        # No worker was free in all that time.
        assert time.monotonic() - began < 4
        assert slow.entered == 2
        for error in errors:
            assert error.code() is grpc.StatusCode.UNAVAILABLE
            assert reason(error) == "OVERLOADED"
            delay = detail(error, error_details_pb2.RetryInfo).retry_delay
            assert (delay.seconds, delay.nanos) == (1, 500_000_000)
        slow.may.set()
        assert all(call.result(10).rule_sets for call in calls)
        wait_for(lambda: service.server.pool.pending == 0)
        service.stub.ValidateMove(legal)
        assert service.sample("tarneeb_shed_calls_total", reason="overloaded") == 20
        lines = [line for line in service.lines() if line.get("refused") == "overloaded"]
        assert len(lines) == 20
        assert all(line["request_id"] and line["peer"] for line in lines)


def test_a_call_whose_deadline_passed_in_the_queue_is_not_worked_on() -> None:
    with Service(Slow, threads=1) as service:
        slow = slow_of(service)
        first = service.stub.ListRuleSets.future(LIST)
        wait_for(lambda: slow.entered == 1)
        named = (("x-request-id", "late"),)
        late = [service.stub.ListRuleSets.future(LIST, timeout=0.1, metadata=named) for _ in range(3)]
        for call in late:
            assert failure(call.result).code() is grpc.StatusCode.DEADLINE_EXCEEDED
        gone = service.stub.ListRuleSets.future(LIST)
        wait_for(lambda: service.server.pool.pending == 5)
        gone.cancel()
        # The core must have heard of it before the worker is free.
        time.sleep(0.3)
        slow.may.set()
        assert first.result(10).rule_sets
        wait_for(lambda: service.server.pool.pending == 0)
        assert slow.entered == 1
        ended = [line for line in service.lines() if line["code"] != "OK"]
        assert sorted(line["code"] for line in ended) == ["Canceled", *["DeadlineExceeded"] * 3]
        assert all("before it was handled" in line["ended"] for line in ended)
        assert [line["request_id"] for line in ended].count("late") == 3
        assert service.sample("grpc_server_handled_total", grpc_code="DeadlineExceeded") == 3


def test_an_answer_that_comes_too_late_counts_as_such() -> None:
    with Service(Slow) as service:
        error = failure(lambda: service.stub.ListRuleSets(LIST, timeout=0.1))
        assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        slow_of(service).may.set()
        wait_for(lambda: service.server.pool.pending == 0)
        line = service.line()
        assert (line["code"], line["level"]) == ("DeadlineExceeded", "warning")
        assert line["request_id"]
        assert line["response_bytes"]
        assert service.sample("grpc_server_handled_total", grpc_code="OK") == 0


def test_callers_that_never_send_their_message_do_not_hold_up_refusals(
    legal: pb.ValidateMoveRequest,
) -> None:
    with Service(threads=1, max_calls=1) as service:
        with _open_calls(service, 1) as connection:
            wait_for(lambda: service.server.pool.pending == 1)
            # The next such call is refused, and its message not waited for.
            connection.sendall(_headers("/tarneeb.v1.TarneebService/ValidateMove", stream=3))
            wait_for(lambda: service.sample("tarneeb_shed_calls_total", reason="overloaded") == 1)
            assert reason(failure(lambda: service.stub.ValidateMove(legal, timeout=5))) == "OVERLOADED"
            assert service.status() == Answer.SERVING
        wait_for(lambda: service.server.pool.pending == 0)
        service.stub.ValidateMove(legal, timeout=5)


def test_calls_that_never_send_their_message_do_not_hold_up_the_others(
    legal: pb.ValidateMoveRequest,
) -> None:
    with Service(Slow, threads=2, max_calls=8) as service, _open_calls(service, 5):
        wait_for(lambda: service.server.pool.pending == 5)
        slow = service.stub.ListRuleSets.future(LIST)
        for _ in range(3):
            assert service.stub.ValidateMove(legal, timeout=5).verdict.ruling
        # One for each of the silent, and the two.
        assert service.sample("tarneeb_workers") == 7
        # Calls at work get no help: more of them would only compete.
        slow_ones = [service.stub.ListRuleSets.future(LIST) for _ in range(2)]
        wait_for(lambda: slow_of(service).entered == 2)
        time.sleep(3 * pool.PATIENCE)
        assert service.sample("tarneeb_workers") == 7
        slow_of(service).may.set()
        assert all(call.result(10).rule_sets for call in [slow, *slow_ones])


def test_replays_have_workers_of_their_own(legal: pb.ValidateMoveRequest) -> None:
    class SlowReplays(Slow):
        def ReplayGame(
            self, request: pb.ReplayGameRequest, context: grpc.ServicerContext
        ) -> pb.ReplayGameResponse:
            self.entered += 1
            assert self.may.wait(20)
            return pb.ReplayGameResponse()

    with Service(SlowReplays, threads=1, max_calls=8) as service:
        slow = slow_of(service)
        replays = [service.stub.ReplayGame.future(pb.ReplayGameRequest()) for _ in range(6)]
        wait_for(lambda: slow.entered == 2 and service.sample("tarneeb_calls_in_flight") == 6)
        service.stub.ValidateMove(legal, timeout=5)
        # They count as any call does.
        late = [service.stub.ReplayGame.future(pb.ReplayGameRequest()) for _ in range(2)]
        wait_for(lambda: service.sample("tarneeb_calls_in_flight") == 8)
        assert reason(failure(lambda: service.stub.ValidateMove(legal, timeout=5))) == "OVERLOADED"
        slow.may.set()
        assert all(call.result(10) is not None for call in [*replays, *late])


def test_spare_workers_stay_while_they_are_needed_and_go_then(legal: pb.ValidateMoveRequest) -> None:
    with Service(threads=2, max_calls=8) as service:

        def workers() -> int:
            service.stub.ValidateMove(legal, timeout=5)
            return service.server.pool.workers

        with _open_calls(service, 3):
            wait_for(lambda: service.server.pool.pending == 3)
            wait_for(lambda: workers() == 5)
            began = time.monotonic()
            assert {workers() for _ in range(20)} == {5}
            # Each would have waited for a new one.
            assert time.monotonic() - began < 20 * pool.PATIENCE
        wait_for(lambda: workers() == 2)


@pytest.mark.parametrize("health_port", [0, AUTO])
def test_health_survives_watchers_who_come_and_go(legal: pb.ValidateMoveRequest, health_port: int) -> None:
    with Service(health_port=health_port) as service:
        port = service.server.health_port or service.server.port
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
        connection.sendall(_headers("/grpc.health.v1.Health/Watch", stream=1))
        connection.sendall(bytes([0, 0, 5, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0]))
        time.sleep(0.5)
        for _ in range(3):
            assert service.status() == Answer.SERVING
        service.server.drain()
        assert service.status() == Answer.NOT_SERVING
        service.stub.ValidateMove(legal, timeout=5)


def test_more_watchers_than_threads_are_told_to_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "MOST_ASIDE", 3)
    with Service() as service:
        streams = [service.health.Watch(health_pb2.HealthCheckRequest(), timeout=20) for _ in range(3)]
        assert [next(stream).status for stream in streams] == [Answer.SERVING] * 3
        more = service.health.Watch(health_pb2.HealthCheckRequest(), timeout=20)
        assert failure(lambda: next(more)).code() is grpc.StatusCode.UNIMPLEMENTED
        assert service.status() == Answer.SERVING
        service.server.drain()
        assert [next(stream).status for stream in streams] == [Answer.NOT_SERVING] * 3


@pytest.mark.parametrize("health_port", [0, AUTO])
def test_health_is_answered_whoever_is_silent(health_port: int) -> None:
    with Service(health_port=health_port) as service:
        port = service.server.health_port or service.server.port
        with (
            _open_calls(service, 100, "/grpc.health.v1.Health/Check", port),
            grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
        ):
            health: Any = health_pb2_grpc.HealthStub(channel)
            for _ in range(5):
                answer = health.Check(health_pb2.HealthCheckRequest(), timeout=3)
                assert answer.status == Answer.SERVING


def test_the_silent_are_hung_up_on(legal: pb.ValidateMoveRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MOST_SILENCE", 0.3)
    with Service(threads=1, max_calls=3) as service, _open_calls(service, 3) as connection:
        wait_for(lambda: service.server.pool.pending == 3)
        wait_for(lambda: service.server.pool.pending == 0)
        service.stub.ValidateMove(legal, timeout=5)
        silent = [line for line in service.lines() if line["code"] == "Canceled"]
        assert len(silent) == 3
        # He hears of it: a RST_STREAM frame for each call.
        connection.settimeout(5)
        heard = b""
        while heard.count(bytes([0, 0, 4, 3, 0])) < 3:
            heard += connection.recv(4096)


def test_a_failed_call_is_let_go_at_once(legal: pb.ValidateMoveRequest) -> None:
    # What waits for the garbage collector can be a hundred megabytes, and kill the process.
    batch = pb.ValidateMovesRequest(items=[legal] * 257)
    empty = pb.ApplyMoveRequest(game=legal.game)

    def held() -> int:
        return sum(isinstance(it, Call) and it.request_bytes > 0 for it in gc.get_objects())

    with Service() as service:
        gc.collect()
        before = held()
        gc.disable()
        try:
            for _ in range(10):
                failure(lambda: service.stub.ValidateMoves(batch))
                failure(lambda: service.stub.ApplyMove(empty))
            service.tell()
            # A worker may have the last ones still.
            wait_for(lambda: held() - before < 3)
        finally:
            gc.enable()


@contextlib.contextmanager
def _open_calls(
    service: Service, count: int, path: str = "/tarneeb.v1.TarneebService/ValidateMove", port: int = 0
) -> Iterator[socket.socket]:
    """Calls in HTTP/2 by hand: their heads, and no body ever."""
    with socket.create_connection(("127.0.0.1", port or service.server.port)) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
        for number in range(count):
            connection.sendall(_headers(path, stream=2 * number + 1))
        yield connection


def _headers(path: str, stream: int) -> bytes:
    """A HEADERS frame, in literals, as HPACK writes them without an index or Huffman's code."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "localhost",
        "content-type": "application/grpc",
        "te": "trailers",
    }
    block = b""
    for name, value in fields.items():
        block += b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
    return len(block).to_bytes(3, "big") + bytes([1, 4]) + stream.to_bytes(4, "big") + block


def test_reflection_streams_hold_no_worker(legal: pb.ValidateMoveRequest) -> None:
    with Service(threads=1) as service:
        reflect: Any = reflection_pb2_grpc.ServerReflectionStub(service.channel)
        more = threading.Event()

        def requests() -> Any:
            yield reflection_pb2.ServerReflectionRequest(list_services="")
            more.wait(60)

        streams = [reflect.ServerReflectionInfo(requests(), timeout=seconds) for seconds in (60, 8)]
        for stream in streams:
            next(stream)
        service.stub.ValidateMove(legal, timeout=5)
        assert service.status() == Answer.SERVING
        more.set()
        for stream in streams:
            stream.cancel()


def test_reflection_can_be_off() -> None:
    with Service(reflection=False) as service:
        reflect: Any = reflection_pb2_grpc.ServerReflectionStub(service.channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        error = failure(lambda: list(reflect.ServerReflectionInfo(iter([request]))))
        assert error.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_too_large_a_message_is_the_cores_to_refuse(
    legal: pb.ValidateMoveRequest, compression: grpc.Compression
) -> None:
    with Service(max_message_bytes=4_096) as service:
        # It shrinks well, and counts in full.
        request = pb.ValidateMoveRequest()
        request.game.id = "x" * 5_000
        error = failure(lambda: service.stub.ValidateMove(request, compression=compression))
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        wait_for(lambda: service.server.pool.pending == 0)
        assert service.line()["code"] == "Canceled"
        service.stub.ValidateMove(legal, compression=compression)


def test_a_batch_has_a_most(legal: pb.ValidateMoveRequest) -> None:
    with Service(max_batch=3) as service:
        assert len(service.stub.ValidateMoves(pb.ValidateMovesRequest(items=[legal] * 3)).results) == 3
        error = failure(lambda: service.stub.ValidateMoves(pb.ValidateMovesRequest(items=[legal] * 4)))
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert "at most 3 items, not 4" in error.details()
        assert service.line()["problem_reason"] == "wrong_count"


def test_a_stopping_server_sends_callers_elsewhere(legal: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        service.server.gate.stopping = True
        error = failure(lambda: service.stub.ValidateMove(legal))
        assert error.code() is grpc.StatusCode.UNAVAILABLE
        assert reason(error) == "STOPPING"
        assert detail(error, error_details_pb2.RetryInfo) is not None
        assert service.sample("tarneeb_shed_calls_total", reason="stopping") == 1
        assert service.status() == Answer.SERVING


def test_the_second_health_port_has_health_alone(legal: pb.ValidateMoveRequest) -> None:
    with (
        Service(health_port=AUTO) as service,
        grpc.insecure_channel(f"localhost:{service.server.health_port}") as channel,
    ):
        stub: Any = health_pb2_grpc.HealthStub(channel)
        assert stub.Check(health_pb2.HealthCheckRequest(service="liveness")).status == Answer.SERVING
        call: Any = channel.unary_unary("/tarneeb.v1.TarneebService/ListRuleSets")
        assert failure(lambda: call(b"")).code() is grpc.StatusCode.UNIMPLEMENTED


def test_calls_are_counted_right_when_many_come_at_once(
    legal: pb.ValidateMoveRequest, lying: pb.ValidateMoveRequest
) -> None:
    with Service(max_calls=8, log_sample=0.0) as service:

        def work(number: int) -> None:
            with contextlib.suppress(grpc.RpcError):
                service.stub.ValidateMove(legal if number % 3 else lying)

        with ThreadPoolExecutor(16) as callers:
            list(callers.map(work, range(600)))
        wait_for(lambda: service.server.pool.pending == 0)
        method = {"grpc_method": "ValidateMove"}
        assert service.sample("grpc_server_started_total", **method) == 600
        assert service.sample("grpc_server_handled_total", **method) == 600
        assert service.sample("grpc_server_handling_seconds_count", **method) == 600
        shed = service.sample("tarneeb_shed_calls_total", reason="overloaded")
        assert service.sample("grpc_server_handled_total", grpc_code="Unavailable") == shed
        assert service.sample("tarneeb_moves_total") + shed >= 400
