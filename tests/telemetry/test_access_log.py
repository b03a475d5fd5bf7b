import re
from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bench.positions import mid_hand
from tarneeb.v1 import cards_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.verdicts import RefusalReason, Ruling
from tarneeb_service.rpc import methods
from tarneeb_service.telemetry.call import Call, clean
from tests.rpc.samples import METHODS, SEED, request_class, samples
from tests.server.support import Service, detail, failure, reason, wait_for

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = ("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01")


def test_the_line_of_a_call(legal: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        metadata = (("x-request-id", "mine-1"), TRACEPARENT)
        answer, call = service.stub.ValidateMove.with_call(legal, metadata=metadata)
        assert ("x-request-id", "mine-1") in call.trailing_metadata()
        line = service.line()
        peer = line.pop("peer")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", line.pop("time"))
        assert 0 < line.pop("duration_ms") < 10_000
        assert re.match(r"ipv[46]:", peer)
        assert line == {
            "level": "info",
            "event": "call",
            "method": "ValidateMove",
            "code": "OK",
            "request_id": "mine-1",
            "trace_id": TRACE,
            "game_id": "bench-saharat_classic",
            "rule_set": "saharat_classic",
            "move": "card",
            "verdict": "legal",
            "request_bytes": legal.ByteSize(),
            "response_bytes": answer.ByteSize(),
        }


def test_the_line_of_a_refused_move(refused: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        service.stub.ValidateMove(refused)
        line = service.line()
        assert (line["level"], line["code"]) == ("info", "OK")
        assert (line["verdict"], line["reason"]) == ("refused", "card_not_held")


def test_the_line_of_a_bad_request(lying: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        error = failure(lambda: service.stub.ValidateMove(lying))
        line = service.line()
        assert (line["level"], line["code"]) == ("warning", "InvalidArgument")
        assert line["problem_count"] >= 1
        assert line["problem_path"] == "game.hand.trick_winners[0]"
        assert line["problem_reason"] == "mismatch"
        assert ("x-request-id", line["request_id"]) in error.trailing_metadata()
        assert reason(error) == "INVALID_REQUEST"


def test_the_line_of_a_call_with_a_snapshot(legal: pb.ValidateMoveRequest) -> None:
    snapshot = legal.game.SerializeToString()
    with Service() as service:
        request = pb.ValidateMoveRequest(snapshot=snapshot, move=legal.move)
        service.stub.ValidateMove(request)
        line = service.line()
        named = {"game_id": "bench-saharat_classic", "rule_set": "saharat_classic"}
        assert line.items() >= {**named, "move": "card", "verdict": "legal"}.items()
        # The bytes that came, not those of the game in them.
        assert line["request_bytes"] == request.ByteSize()
        service.stub.ApplyMove(pb.ApplyMoveRequest(snapshot=snapshot, move=legal.move))
        assert service.line().items() >= {**named, "move": "card", "verdict": "legal"}.items()
        service.stub.ListLegalMoves(pb.ListLegalMovesRequest(snapshot=snapshot))
        assert service.line().items() >= named.items()
        service.stub.ValidateMoves(pb.ValidateMovesRequest(items=[request, request]))
        assert service.sample("tarneeb_moves_total", rule_set="saharat_classic", verdict="legal") == 4


def test_the_line_of_a_bad_snapshot(lying: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        snapshot = lying.game.SerializeToString()
        failure(lambda: service.stub.ValidateMove(pb.ValidateMoveRequest(snapshot=snapshot)))
        line = service.line()
        assert (line["level"], line["code"]) == ("warning", "InvalidArgument")
        assert line["problem_path"] == "snapshot.hand.trick_winners[0]"
        assert (line["game_id"], line["rule_set"]) == ("bench-saharat_classic", "saharat_classic")
        failure(lambda: service.stub.ValidateMove(pb.ValidateMoveRequest(snapshot=b"\xff" * 1000)))
        line = service.line()
        assert (line["problem_path"], line["problem_reason"]) == ("snapshot", "unknown_value")
        assert "game_id" not in line


def test_the_line_of_a_batch(legal: pb.ValidateMoveRequest, lying: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        service.stub.ValidateMoves(pb.ValidateMovesRequest(items=[legal, lying, legal]))
        assert (service.line()["items"], service.line()["unjudged"]) == (3, 1)


def test_what_is_no_message_is_the_callers_fault() -> None:
    with Service() as service:
        call: Any = service.channel.unary_unary("/tarneeb.v1.TarneebService/ValidateMove")
        error = failure(lambda: call(b"\xff\xff\xff"))
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert reason(error) == "INVALID_REQUEST"
        assert "tarneeb.v1.ValidateMoveRequest" in error.details()
        assert service.line()["code"] == "InvalidArgument"


# Where in a request its line finds what it names.
GAME_AND_RULES = {"game_id": "game.id", "rule_set": "game.preset_id"}
NAMED = {
    "ListRuleSets": {},
    "ResolveRuleSet": {"rule_set": "rule_set.preset_id"},
    "CreateGame": {"game_id": "id", "rule_set": "rule_set.preset_id"},
    "DealHand": GAME_AND_RULES,
    "ListLegalMoves": GAME_AND_RULES,
    "ValidateMove": GAME_AND_RULES,
    "ApplyMove": GAME_AND_RULES,
    "UndoMove": GAME_AND_RULES,
    "ValidateMoves": {},
    "ReplayGame": {"game_id": "record.id", "rule_set": "record.rule_set.preset_id"},
    "ValidateGame": GAME_AND_RULES,
    "ViewGame": GAME_AND_RULES,
    "CommitDeal": {"game_id": "game_id"},
    "VerifyDeal": {"game_id": "game_id"},
    "ScoreHand": {"rule_set": "rule_set.preset_id"},
}
MOVE_KINDS = {"card", "trump", "bid", "pass", "double"}


def test_no_line_holds_a_card_a_score_or_a_seed() -> None:
    """Every method's line, of success and of failure, has just the fields it may have, and just the values."""
    assert NAMED.keys() == set(METHODS)
    calls: list[tuple[str, Any, Any]] = []
    with Service() as service:
        for method in METHODS:
            for request in requests_of(method):
                try:
                    answer = getattr(service.stub, method)(request, metadata=(("x-request-id", "mine-1"),))
                except grpc.RpcError as error:
                    answer = error
                calls.append((method, request, answer))
        lines = service.lines()
        assert service.raw().count("\n") == len(lines) == len(calls)
    assert {method for method, _, answer in calls if isinstance(answer, Message)} == set(METHODS)
    # What can be asked of these alone is never wrong, or wrong as an answer.
    failed = {method for method, _, answer in calls if not isinstance(answer, Message)}
    assert failed == set(METHODS) - {"ListRuleSets", "ResolveRuleSet", "ValidateMoves"}
    for line, (method, request, answer) in zip(lines, calls, strict=True):
        assert_says_no_more(line, method, request, answer)


def requests_of(method: str) -> Iterator[Any]:
    """Sound requests, refused ones, and those that fail although they have cards or a seed."""
    yield request_class(method)()
    sound = samples(method)
    for sample in sound[:: max(1, len(sound) // 8)]:
        request: Any = type(sample)()
        request.CopyFrom(sample)
        if "game" in request.DESCRIPTOR.fields_by_name:
            request.game.preset_id = "saharat_400"
        yield request
        for spoil in SPOILS:
            spoilt: Any = type(sample)()
            spoilt.CopyFrom(request)
            with suppress(AttributeError):
                spoil(spoilt)
                yield spoilt


def lie(request: Any) -> None:
    request.game.hand.trick_winners.append(cards_pb2.SEAT_SOUTH)


def lie_in_a_batch(request: Any) -> None:
    lie(request.items[0])


def move_too_late(request: Any) -> None:
    request.move.revision = request.game.revision + 1


def commit_to_another_seed(request: Any) -> None:
    request.deal.seeded.commitment = b"x" * 32


def shorten_the_seed(request: Any) -> None:
    request.seed = request.seed[1:]


def shorten_the_seed_of_a_deal(request: Any) -> None:
    request.seeded.seed = request.seeded.seed[1:]


def shorten_the_first_seed(request: Any) -> None:
    request.first_dealer_seed = SEED[1:]


# Each fits the requests that have its fields.
SPOILS = (
    lie,
    lie_in_a_batch,
    move_too_late,
    commit_to_another_seed,
    shorten_the_seed,
    shorten_the_seed_of_a_deal,
    shorten_the_first_seed,
)


def assert_says_no_more(line: dict[str, Any], method: str, request: Any, answer: Any) -> None:
    """Take a line apart: what is left at the end is what the request says of itself."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", line.pop("time"))
    assert re.fullmatch(r"ipv[46]:[^a-zA-Z]+", line.pop("peer"))
    assert type(line["duration_ms"]) is float
    assert 0 < line.pop("duration_ms") < 10_000
    expected: dict[str, Any] = {
        name: attrgetter(path)(request) for name, path in NAMED[method].items() if attrgetter(path)(request)
    }
    if isinstance(answer, Message):
        expected |= {"level": "info", "code": "OK", "response_bytes": answer.ByteSize()}
        expected |= told_of_answer(line, method, request, answer)
    else:
        expected |= {"level": "warning", "code": "InvalidArgument", "response_bytes": 0}
        info = detail(answer, error_details_pb2.ErrorInfo)
        first = detail(answer, error_details_pb2.BadRequest).field_violations[0]
        expected["problem_count"] = int(info.metadata["problems"])
        expected |= {"problem_path": first.field, "problem_reason": first.reason.lower()}
    expected |= {"event": "call", "method": method, "request_id": "mine-1"}
    assert line == expected | {"request_bytes": request.ByteSize()}


def told_of_answer(line: dict[str, Any], method: str, request: Any, answer: Any) -> dict[str, Any]:
    if method == "ValidateMoves":
        unjudged = sum(result.HasField("problems") for result in answer.results)
        return {"items": len(request.items), "unjudged": unjudged}
    if method == "ValidateGame":
        return {"problem_count": len(answer.problems)}
    if method not in ("ValidateMove", "ApplyMove"):
        return {}
    assert line["move"] in MOVE_KINDS
    ruling = Ruling(answer.verdict.ruling).name.lower()
    if not answer.verdict.reason:
        return {"move": line["move"], "verdict": ruling}
    return {
        "move": line["move"],
        "verdict": ruling,
        "reason": RefusalReason(answer.verdict.reason).name.lower(),
    }


@pytest.mark.parametrize(
    "given, kept",
    [
        ("a", True),
        ("x" * 64, True),
        ("x" * 65, False),
        ("", False),
        ("with space", True),
        ("tab\there", False),
        ("é", False),
    ],
)
def test_a_callers_request_id_is_kept_when_it_is_sane(given: str, kept: bool) -> None:
    assert (call_with(("x-request-id", given)).request_id == given) is kept


def call_with(*metadata: tuple[str, str]) -> Call:
    call = Call("service", "method", metadata)
    call.read_ids()
    return call


def test_made_request_ids_differ() -> None:
    assert len({call_with().request_id for _ in range(100)}) == 100


@pytest.mark.parametrize(
    "given",
    [
        "",
        "00",
        f"00-{TRACE}",
        f"00-{TRACE.upper()}-00f067aa0ba902b7-01",
        f"00-{'0' * 32}-00f067aa0ba902b7-01",
    ],
)
def test_a_bad_traceparent_is_no_trace(given: str) -> None:
    assert call_with(("traceparent", given)).trace_id == ""


def test_text_from_outside_is_cut_and_escaped(legal: pb.ValidateMoveRequest) -> None:
    assert clean("x" * 1000) == "x" * 64
    assert clean("\x1b[31m\n") == "\\x1b[31m\\n"
    assert len(clean("\n" * 1000)) == 64
    assert clean("لعبة") == "لعبة"
    for console in (False, True):
        with Service(console=console) as service:
            request = pb.ValidateMoveRequest()
            request.CopyFrom(legal)
            request.game.id = 'quote" \x1b[2J\nline' + "x" * 100
            request.game.preset_id = "\x07bell"
            failure(lambda: service.stub.ValidateMove(request))  # noqa: B023  # called at once
            raw = service.raw()
            assert raw.count("\n") == 1
            assert "\x1b[2J" not in raw
            assert "\x07" not in raw


def test_successes_have_a_budget_that_failures_do_not_use(
    legal: pb.ValidateMoveRequest, lying: pb.ValidateMoveRequest
) -> None:
    with Service(log_successes_per_second=0) as service:
        for _ in range(20):
            service.stub.ValidateMove(legal)
            failure(lambda: service.stub.ValidateMove(lying))
        assert [line["code"] for line in service.lines()] == ["InvalidArgument"] * 20
        assert service.sample("tarneeb_moves_total", verdict="legal") == 20
        # What was left out is said within two seconds, and counted.
        wait_for(lambda: service.lines("lines left out"))
        (said,) = service.lines("lines left out")
        assert (said["kind"], said["count"], said["level"]) == ("success", 20, "warning")
        assert service.sample("tarneeb_log_lines_left_out_total", kind="success") == 20


def test_a_flood_of_refused_calls_is_no_flood_of_lines() -> None:
    with Service(log_failures_per_second=5) as service:
        call: Any = service.channel.unary_unary("/x.Y/Z")
        for _ in range(200):
            failure(lambda: call(b""))
        wait_for(lambda: service.lines("lines left out"))
        written = len(service.lines())
        assert 5 <= written <= 25
        left_out = service.sample("tarneeb_log_lines_left_out_total", kind="refusal")
        assert written + left_out <= 200
        assert service.sample("grpc_server_handled_total", grpc_code="Unimplemented") == 200


def test_the_least_level(legal: pb.ValidateMoveRequest, lying: pb.ValidateMoveRequest) -> None:
    with Service(log_level="warning") as service:
        service.stub.ValidateMove(legal)
        failure(lambda: service.stub.ValidateMove(lying))
        assert [line["level"] for line in service.lines()] == ["warning"]


def test_health_and_reflection_are_quiet() -> None:
    with Service() as service:
        assert service.status() == 1
        reflect: Any = reflection_pb2_grpc.ServerReflectionStub(service.channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        answers = list(reflect.ServerReflectionInfo(iter([request])))
        assert "tarneeb.v1.TarneebService" in str(answers)
        assert service.raw() == ""


def test_a_method_that_is_none() -> None:
    with Service() as service:
        call: Any = service.channel.unary_unary("/x.Y/Z" + "z" * 100)
        error = failure(lambda: call(b""))
        assert error.code() is grpc.StatusCode.UNIMPLEMENTED
        line = service.line()
        assert (line["method"], line["code"]) == ("other", "Unimplemented")
        assert line["called"].startswith("/x.Y/Zzz")
        assert len(line["called"]) == 64


def test_a_bug_is_found_by_its_request_id_and_shows_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_request: pb.ListRuleSetsRequest) -> pb.ListRuleSetsResponse:
        raise ValueError("the seed is 987654321")

    monkeypatch.setattr(methods, "list_rule_sets", broken)
    with Service() as service:
        error = failure(lambda: service.stub.ListRuleSets(pb.ListRuleSetsRequest()))
        assert error.code() is grpc.StatusCode.INTERNAL
        assert reason(error) == "INTERNAL"
        line = service.line()
        assert (line["level"], line["code"]) == ("error", "Internal")
        assert line["request_id"] in error.details()
        assert ("x-request-id", line["request_id"]) in error.trailing_metadata()
        bug = service.lines("bug")[0]
        assert bug["request_id"] == line["request_id"]
        assert bug["type"] == "ValueError"
        assert any("test_access_log.py" in frame for frame in bug["frames"])
        assert "987654321" not in re.sub(
            r'"(time|request_id|peer|frames)": ?("[^"]*"|\[[^]]*\])', "", service.raw()
        )


def test_console(refused: pb.ValidateMoveRequest) -> None:
    with Service(console=True) as service:
        service.stub.ValidateMove(refused)
        raw = service.raw()
        assert "card_not_held" in raw
        assert "rule_set=saharat_classic" in raw


def test_every_preset_has_its_label() -> None:
    with Service() as service:
        for preset in PRESET_IDS:
            state = mid_hand(preset, 0)
            request = pb.ResolveRuleSetRequest()
            request.rule_set.preset_id = state.header.preset_id
            service.stub.ResolveRuleSet(request)
            assert service.line()["rule_set"] == preset
