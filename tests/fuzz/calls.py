"""Calls of the real server, and what may come of them."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from tarneeb.v1 import game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tests.fuzz.answers import check_answer, check_problem
from tests.rpc.checks import assert_names_no_card, details
from tests.rpc.samples import METHODS, SERVICE
from tests.server.support import Service

Code = grpc.StatusCode
MOST_SECONDS = 1.0
MOST_DETAILS = 4096
REASONS = {Code.INVALID_ARGUMENT: "INVALID_REQUEST", Code.UNAVAILABLE: "NEWER_RULES"}


@dataclass(frozen=True)
class Answered:
    """What came back: an answer's bytes, or an error."""

    code: grpc.StatusCode
    data: bytes = b""
    error: Any = None


class FindingError(AssertionError):
    """A request that got what none may get; the text has it as hex."""

    def __init__(self, method: str, request: bytes, why: str) -> None:
        shown = (
            request.hex() if len(request) <= 50_000 else f"{request[:100].hex()}... ({len(request)} bytes)"
        )
        super().__init__(f"{method}: {why}\nrequest {shown}")
        self.method, self.request, self.why = method, request, why


class Target:
    """A server to throw requests at, with a count of what came back."""

    def __init__(self, address: str, most_seconds: float = MOST_SECONDS) -> None:
        # An answer may be longer than what a channel takes by default.
        self._channel = grpc.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)])
        self._calls: dict[str, Any] = {
            method: self._channel.unary_unary(f"/{SERVICE.full_name}/{method}") for method in METHODS
        }
        self._most_seconds = most_seconds
        self.outcomes: Counter[tuple[str, str]] = Counter()

    def send(self, method: str, request: bytes) -> Answered:
        """Call a method, and return what came of it when that is one of the things that may.

        Raises:
            FindingError: It is not.
        """
        answered, seconds = self._timed(method, request)
        for _ in range(2):
            if seconds <= self._most_seconds:
                break
            # The machine may have been busy with something else.
            answered, again = self._timed(method, request)
            seconds = min(seconds, again)
        self.outcomes[method, answered.code.name] += 1
        if seconds > self._most_seconds:
            raise FindingError(method, request, f"took {seconds:.1f} s three times")
        try:
            games = check(method, request, answered)
            for game in games:
                self._check_game(game)
        except AssertionError as error:
            raise FindingError(method, request, str(error)) from error
        return answered

    def close(self) -> None:
        self._channel.close()

    def _check_game(self, game: game_pb2.Game) -> None:
        """A game that was answered can be sent again."""
        request = pb.ValidateGameRequest(game=game).SerializeToString()
        answered, _ = self._timed("ValidateGame", request)
        assert answered.code is Code.OK, f"ValidateGame of the answer's game got {answered.code.name}"
        found = pb.ValidateGameResponse.FromString(answered.data).problems
        assert not found, (
            f"the answer's game has problems: {[f'{one.path}: {one.message}' for one in found[:4]]}"
        )

    def _timed(self, method: str, request: bytes) -> tuple[Answered, float]:
        began = time.monotonic()
        try:
            answered = Answered(Code.OK, self._calls[method](request, timeout=30))
        except grpc.RpcError as error:
            answered = Answered(error.code(), error=error)
        return answered, time.monotonic() - began


def check(method: str, request: bytes, answered: Answered) -> list[game_pb2.Game]:
    """Hold what came back against docs/errors.md and against what was asked; return the games in it."""
    code, error = answered.code, answered.error
    if code is Code.OK:
        return check_answer(method, request, answered.data)
    check_failure(code, error)
    return []


def check_failure(code: grpc.StatusCode, error: Any) -> None:
    text = error.details() or ""
    if code is Code.RESOURCE_EXHAUSTED:
        # The core's own, for what is too long.
        assert "larger than max" in text, text
        return
    assert code in REASONS, f"{code.name}: {text}"
    assert rpc_status.from_call(error) is not None, "no details"
    sent = sum(len(value) for key, value in error.trailing_metadata() if key == "grpc-status-details-bin")
    assert sent < MOST_DETAILS, f"{sent} bytes of details"
    assert 0 < len(text) < 400, f"a message of {len(text)} characters"
    assert_names_no_card(text)
    info, bad = details(error)
    assert (info.reason, info.domain) == (REASONS[code], SERVICE.full_name), info
    if code is Code.INVALID_ARGUMENT:
        check_violations(int(info.metadata["problems"]), bad)


def check_violations(total: int, bad: error_details_pb2.BadRequest) -> None:
    shown = len(bad.field_violations)
    assert 0 < shown <= min(32, total), (shown, total)
    for violation in bad.field_violations:
        check_problem(violation.field, f"PROBLEM_REASON_{violation.reason}", violation.description)


@contextmanager
def serving() -> Iterator[str]:
    """The real server, in this process; its address."""
    with Service(log_level="error") as service:
        yield service.address
