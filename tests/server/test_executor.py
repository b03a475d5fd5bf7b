"""Callers who open calls and send nothing."""

import time
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.server import executor
from tests.rpc.samples import METHODS, SERVICE
from tests.server.http2 import count_of_resets, headers_frame, open_calls
from tests.server.support import Answer, Service, detail, failure, reason, wait_for


def test_callers_that_never_send_their_message_do_not_hold_up_refusals(
    legal: pb.ValidateMoveRequest,
) -> None:
    with Service(threads=1, max_calls=1) as service:
        with open_calls(service, 1) as connection:
            wait_for(lambda: service.pending == 1)
            # The next such call is refused, and its message not waited for.
            connection.sendall(headers_frame("/tarneeb.v1.TarneebService/ValidateMove", stream=3))
            wait_for(lambda: service.sample("tarneeb_shed_calls_total", reason="overloaded") == 1)
            assert reason(failure(lambda: service.stub.ValidateMove(legal, timeout=5))) == "OVERLOADED"
            assert service.status() == Answer.SERVING
        wait_for(lambda: service.pending == 0)
        service.stub.ValidateMove(legal, timeout=5)


def test_calls_that_never_send_their_message_do_not_hold_up_the_others(
    legal: pb.ValidateMoveRequest,
) -> None:
    with Service(threads=2) as service, open_calls(service, 20):
        wait_for(lambda: service.pending == 20)
        began = time.monotonic()
        for _ in range(20):
            assert service.stub.ValidateMove(legal, timeout=5).verdict.ruling
        # Three looks of the long kind, and for each two of the silent ahead three of the quick.
        assert time.monotonic() - began < 3


def test_very_many_silent_calls_are_hung_up_on_at_once(legal: pb.ValidateMoveRequest) -> None:
    with (
        Service(threads=2, max_calls=1_000, max_streams=200) as service,
        open_calls(service, 150) as connection,
    ):
        wait_for(lambda: service.pending == 150)
        for _ in range(20):
            assert service.stub.ValidateMove(legal, timeout=5).verdict.ruling
        wait_for(lambda: service.pending < 100)
        assert count_of_resets(connection, 50) >= 50


def test_the_silent_are_hung_up_on(legal: pb.ValidateMoveRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "MOST_LOOKS", 3)
    with Service(threads=8, max_calls=3) as service, open_calls(service, 3) as connection:
        wait_for(lambda: service.pending == 3)
        wait_for(lambda: service.pending == 0)
        service.stub.ValidateMove(legal, timeout=5)
        silent = [line for line in service.lines() if line["code"] == "Canceled"]
        assert len(silent) == 3
        assert all("before it was handled" in line["ended"] for line in silent)
        assert count_of_resets(connection, 3) == 3


def calling(service: Service, method: str, *messages: bytes) -> Any:
    """The answer to a call with any number of messages, where the contract has one."""
    call: Any = service.channel.stream_unary(f"/{SERVICE.full_name}/{method}")
    return call(iter(messages), timeout=5)


@pytest.mark.parametrize("method", METHODS)
def test_a_call_that_ends_without_a_message_is_told_what_to_send(method: str, service: Service) -> None:
    """Not UNIMPLEMENTED, as gRPC's own servers say: there is such a method, and the details say what it wants."""
    error = failure(lambda: calling(service, method))
    assert (error.code(), reason(error)) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST")
    assert error.details() == f"request: is required: send a tarneeb.v1.{method}Request"
    (violation,) = detail(error, error_details_pb2.BadRequest).field_violations
    assert (violation.field, violation.reason) == ("request", "MISSING")
    assert (service.line()["method"], service.line()["problem_reason"]) == (method, "missing")


def test_an_empty_message_is_a_message(service: Service) -> None:
    assert calling(service, "ListRuleSets", b"")


def test_of_several_messages_the_first_is_answered(service: Service) -> None:
    first = pb.CommitDealRequest(game_id="g", hand_number=1, seed=bytes(16))
    second = pb.CommitDealRequest(game_id="another", hand_number=1, seed=bytes(16))
    one = first.SerializeToString()
    answer = calling(service, "CommitDeal", one, second.SerializeToString())
    assert answer == calling(service, "CommitDeal", one)
    assert answer != calling(service, "CommitDeal", second.SerializeToString())
