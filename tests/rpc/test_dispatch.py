"""From bytes to bytes or a status, without any front."""

import gc
import sys
from collections.abc import Callable
from typing import Any

import pytest
from google.rpc import code_pb2, error_details_pb2, status_pb2

from tarneeb.v1 import cards_pb2, moves_pb2, records_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.dispatch import Outcome, dispatch, methods_table
from tarneeb_service.rpc.errors import AbandonedError, Status, status_of
from tests.rpc.samples import METHODS, choice, function_of, samples


def answered(name: str, data: bytes | None, rest: Callable[[], object] = lambda: None) -> Outcome:
    return dispatch(methods_table()[name], data, "request-7", rest)


def details_of(status: Status | None) -> tuple[error_details_pb2.ErrorInfo, error_details_pb2.BadRequest]:
    assert status is not None
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status_pb2.Status.FromString(status.details).details:
        detail.Unpack(info) or detail.Unpack(bad)
    return info, bad


@pytest.mark.parametrize("method", METHODS)
def test_the_answer_is_that_of_the_function_of_the_same_name(method: str) -> None:
    for request in samples(method)[:6]:
        outcome = answered(method, request.SerializeToString())
        assert outcome.answer == function_of(method)(request).SerializeToString()
        assert (outcome.status, outcome.error, outcome.request) == (None, None, request)


def test_one_answer_can_be_changed_and_the_next_is_as_it_was() -> None:
    for method in METHODS:
        data = samples(method)[0].SerializeToString()
        first: Any = answered(method, data)
        for message in (first.response, first.request):
            message.Clear()
        assert answered(method, data).answer == first.answer


@pytest.mark.parametrize(
    ("data", "reason", "message"),
    [
        (b"\xff\xff", "UNKNOWN_VALUE", "is not a message of this type: send a tarneeb.v1.ViewGameRequest"),
        (None, "MISSING", "is required: send a tarneeb.v1.ViewGameRequest"),
    ],
)
def test_what_is_no_message_is_the_callers_fault(data: bytes | None, reason: str, message: str) -> None:
    outcome = answered("ViewGame", data)
    assert outcome.status
    assert outcome.status.code == code_pb2.INVALID_ARGUMENT
    (violation,) = details_of(outcome.status)[1].field_violations
    assert (violation.field, violation.reason) == ("request", reason)
    assert violation.description.startswith(message)


def test_a_bug_of_ours_is_internal_and_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_asked: object) -> None:
        raise ValueError("SA is secret")

    monkeypatch.setattr(methods, "list_legal_moves", broken)
    outcome = answered("ListLegalMoves", b"")
    assert outcome.status
    assert outcome.status.code == code_pb2.INTERNAL
    assert outcome.status.message == "internal error; request id request-7"
    assert b"secret" not in outcome.status.details
    assert str(outcome.error) == "SA is secret"
    info, _ = details_of(outcome.status)
    assert (info.reason, dict(info.metadata)) == ("INTERNAL", {"request_id": "request-7"})


def test_a_failure_to_serialise_is_a_bug_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unserialisable:
        def SerializeToString(self) -> bytes:
            raise RuntimeError("no bytes")

    monkeypatch.setattr(methods, "list_rule_sets", lambda _request: Unserialisable())
    outcome = answered("ListRuleSets", b"")
    assert outcome.status
    assert (outcome.status.code, outcome.response) == (code_pb2.INTERNAL, None)


@pytest.mark.parametrize("length", [10, 80, 120, 200, 1000])
def test_however_long_problems_are_they_fit_into_four_kilobytes(length: int) -> None:
    problems = [Problem(f"game.item[{index}]", ProblemReason.MISMATCH, "x" * length) for index in range(500)]
    status = status_of(ProblemsError(problems), "")
    assert len(status.details) < 4096 + length
    info, bad = details_of(status)
    assert info.metadata["problems"] == "500"
    shown = len(bad.field_violations)
    assert shown == 32 if length <= 80 else 2 < shown < 32


def voided(hands: int) -> records_pb2.GameRecord:
    """A record of hands that all pass out."""
    record = records_pb2.GameRecord(id="long", rule_set=choice(), first_dealer=cards_pb2.SEAT_NORTH)
    for number in range(hands):
        hand = record.hands.add()
        hand.deal.seeded.seed = number.to_bytes(16, "big")
        for step in range(4):
            call = hand.moves.add()
            call.seat = cards_pb2.Seat.ValueType((number + 1 + step) % 4 + 1)
            call.call.kind = moves_pb2.CALL_KIND_PASS
    return record


def test_a_long_replay_ends_when_its_caller_has_gone() -> None:
    looks = iter([None, None])

    def rest() -> None:
        if next(looks, "gone"):
            raise AbandonedError

    long = pb.ReplayGameRequest(record=voided(100)).SerializeToString()
    outcome = answered("ReplayGame", long, rest)
    assert outcome.status
    assert outcome.status.code == code_pb2.CANCELLED
    # Nobody is asked about a short one.
    short = pb.ReplayGameRequest(record=voided(5)).SerializeToString()
    assert answered("ReplayGame", short, rest).status is None


def test_the_error_is_all_that_holds_on_to_a_failed_call() -> None:
    outcome = answered("ValidateMove", b"")
    outcome.error = None
    gc.collect()
    gc.disable()
    try:
        assert sys.getrefcount(outcome) == 2
    finally:
        gc.enable()
