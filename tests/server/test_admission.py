"""Who gets in, what the others hear, and what no call leaves behind."""

import contextlib
import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.telemetry.call import Call
from tests.server.http2 import count_of_resets, open_calls
from tests.server.support import Answer, Service, Slow, detail, failure, reason, wait_for

LIST = pb.ListRuleSetsRequest()


def test_too_many_calls_are_turned_away_at_once_and_health_never_is(
    legal: pb.ValidateMoveRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(monkeypatch)
    with Service(threads=2, max_calls=5, retry_after_ms=1_500) as service:
        # Two at work, three that wait.
        calls = [service.stub.ListRuleSets.future(LIST) for _ in range(5)]
        wait_for(lambda: slow.entered == 2 and service.pending == 5)
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
        wait_for(lambda: service.pending == 0)
        service.stub.ValidateMove(legal)
        assert service.sample("tarneeb_shed_calls_total", reason="overloaded") == 20
        lines = [line for line in service.lines() if line.get("refused") == "overloaded"]
        assert len(lines) == 20
        assert all(line["request_id"] and line["peer"] for line in lines)


def test_a_call_whose_deadline_passed_in_the_queue_is_not_worked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    with Service(threads=1) as service:
        first = service.stub.ListRuleSets.future(LIST)
        wait_for(lambda: slow.entered == 1)
        named = (("x-request-id", "late"),)
        late = [service.stub.ListRuleSets.future(LIST, timeout=0.1, metadata=named) for _ in range(3)]
        for call in late:
            assert failure(call.result).code() is grpc.StatusCode.DEADLINE_EXCEEDED
        gone = service.stub.ListRuleSets.future(LIST)
        wait_for(lambda: service.pending == 5)
        gone.cancel()
        # The core must have heard of it before the worker is free.
        time.sleep(0.3)
        slow.may.set()
        assert first.result(10).rule_sets
        wait_for(lambda: service.pending == 0)
        assert slow.entered == 1
        ended = [line for line in service.lines() if line["code"] != "OK"]
        assert sorted(line["code"] for line in ended) == ["Canceled", *["DeadlineExceeded"] * 3]
        assert all("before it was handled" in line["ended"] for line in ended)
        assert [line["request_id"] for line in ended].count("late") == 3
        assert service.sample("grpc_server_handled_total", grpc_code="DeadlineExceeded") == 3


def test_an_answer_that_comes_too_late_counts_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    with Service() as service:
        error = failure(lambda: service.stub.ListRuleSets(LIST, timeout=0.1))
        assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        slow.may.set()
        wait_for(lambda: service.pending == 0)
        line = service.line()
        assert (line["code"], line["level"]) == ("DeadlineExceeded", "warning")
        assert line["request_id"]
        assert line["response_bytes"]
        assert service.sample("grpc_server_handled_total", grpc_code="OK") == 0


def test_a_failed_call_is_let_go_at_once(legal: pb.ValidateMoveRequest) -> None:
    # What waits for the garbage collector can be a hundred megabytes, and kill the process.
    batch = pb.ValidateMovesRequest(items=[legal] * 257)
    empty = pb.ApplyMoveRequest(game=legal.game)

    def held() -> int:
        return sum(isinstance(it, Call) for it in gc.get_objects())

    with Service() as service:
        gc.collect()
        before = held()
        gc.disable()
        try:
            for _ in range(10):
                failure(lambda: service.stub.ValidateMoves(batch))
                failure(lambda: service.stub.ApplyMove(empty))
            # A worker may have the last ones still.
            wait_for(lambda: held() - before < 3)
        finally:
            gc.enable()


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
        wait_for(lambda: service.pending == 0)
        assert service.line()["code"] == "Canceled"
        service.stub.ValidateMove(legal, compression=compression)


def test_a_batch_has_a_most(legal: pb.ValidateMoveRequest) -> None:
    with Service(max_batch=3) as service:
        assert len(service.stub.ValidateMoves(pb.ValidateMovesRequest(items=[legal] * 3)).results) == 3
        error = failure(lambda: service.stub.ValidateMoves(pb.ValidateMovesRequest(items=[legal] * 4)))
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert "at most 3 items, not 4" in error.details()
        assert service.line()["problem_reason"] == "wrong_count"


def test_calls_are_counted_right_when_many_come_at_once(
    legal: pb.ValidateMoveRequest, lying: pb.ValidateMoveRequest
) -> None:
    with Service(max_calls=8) as service:

        def work(number: int) -> None:
            with contextlib.suppress(grpc.RpcError):
                service.stub.ValidateMove(legal if number % 3 else lying)

        with ThreadPoolExecutor(16) as callers:
            list(callers.map(work, range(600)))
        wait_for(lambda: service.pending == 0)
        method = {"grpc_method": "ValidateMove"}
        assert service.sample("grpc_server_started_total", **method) == 600
        assert service.sample("grpc_server_handled_total", **method) == 600
        assert service.sample("grpc_server_handling_seconds_count", **method) == 600
        shed = service.sample("tarneeb_shed_calls_total", reason="overloaded")
        assert service.sample("grpc_server_handled_total", grpc_code="Unavailable") == shed
        assert service.sample("tarneeb_moves_total") + shed >= 400


def test_replays_have_threads_and_a_limit_of_their_own(
    legal: pb.ValidateMoveRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(monkeypatch, "replay_game")
    with Service(threads=2, max_calls=1, max_replays=6) as service:
        replays = [service.stub.ReplayGame.future(pb.ReplayGameRequest()) for _ in range(6)]
        wait_for(lambda: slow.entered == 2 and service.pending == 6)
        # However many replays there are, one call is let in.
        assert service.stub.ValidateMove(legal, timeout=5).verdict.ruling
        refused = failure(lambda: service.stub.ReplayGame(pb.ReplayGameRequest(), timeout=5))
        assert (refused.code(), reason(refused)) == (grpc.StatusCode.UNAVAILABLE, "OVERLOADED")
        slow.may.set()
        for call in replays:
            assert failure(lambda: call.result(10)).code() is grpc.StatusCode.INVALID_ARGUMENT  # noqa: B023  # at once


def test_one_connection_holds_only_so_many_calls(legal: pb.ValidateMoveRequest) -> None:
    with Service(threads=8, max_streams=3) as service, open_calls(service, 10) as connection:
        # The other seven are refused by the core, on its own thread, and cost the service nothing.
        assert count_of_resets(connection, 7) == 7
        wait_for(lambda: service.pending == 3)
        assert service.stub.ValidateMove(legal, timeout=5).verdict.ruling
