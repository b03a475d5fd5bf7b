"""Every method through the front: in grpcio-testing's server and through a real socket, with the same answers."""

import random
from typing import Any

import grpc
import grpc_testing  # type: ignore[import-untyped]
import pytest
from google.rpc import error_details_pb2

from tarneeb.v1 import cards_pb2, game_pb2, moves_pb2, records_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.errors import NEWER_RULES_RETRY_MS
from tests.rpc.bad_games import Spoil, sound
from tests.rpc.checks import assert_names_no_card, details
from tests.rpc.samples import METHODS, SERVICE, function_of, request_class, samples, spoil
from tests.rpc.test_bad_games import CASES, MOVE, spoiled
from tests.scale import SCALE
from tests.server.support import Service, detail

Answered = tuple[Any, Any, grpc.StatusCode, str]
DETAILS = "grpc-status-details-bin"


def ask(server: grpc_testing.Server, method: str, request: Any) -> Answered:
    call = server.invoke_unary_unary(SERVICE.methods_by_name[method], (), request, None)
    answered: Answered = call.termination()
    return answered


def over_socket(stub: TarneebServiceStub, method: str, request: Any) -> Any:
    """The answer, or the error."""
    try:
        return getattr(stub, method)(request, timeout=20)
    except grpc.RpcError as error:
        return error


def failed(answer: Any) -> bool:
    return isinstance(answer, grpc.RpcError)


@pytest.mark.parametrize("method", METHODS)
def test_answers_are_those_of_the_plain_functions(
    method: str, in_process: grpc_testing.Server, stub: TarneebServiceStub
) -> None:
    for request in samples(method)[:12]:
        expected = function_of(method)(request)
        answer, _, code, _ = ask(in_process, method, request)
        assert code is grpc.StatusCode.OK
        assert answer == expected
        assert over_socket(stub, method, request) == expected


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_request_is_answered_or_refused(
    method: str, in_process: grpc_testing.Server, stub: TarneebServiceStub
) -> None:
    request = request_class(method)()
    _, _, code, _ = ask(in_process, method, request)
    answered = method in ("ListRuleSets", "ResolveRuleSet", "ValidateMoves")
    assert code is (grpc.StatusCode.OK if answered else grpc.StatusCode.INVALID_ARGUMENT)
    error = over_socket(stub, method, request)
    if not answered:
        info, bad = details(error)
        assert info.reason == "INVALID_REQUEST"
        assert {violation.reason for violation in bad.field_violations} <= {"MISSING", "WRONG_COUNT"}


@pytest.mark.parametrize(("name", "lie", "expected"), CASES[::4])
def test_a_lie_over_the_socket(
    name: str, lie: Spoil, expected: list[str], stub: TarneebServiceStub, in_process: grpc_testing.Server
) -> None:
    request = pb.ValidateMoveRequest(game=spoiled(name, lie), move=MOVE)
    if request.ByteSize() > 3_000_000:
        pytest.skip("larger than gRPC takes by default")
    error = over_socket(stub, "ValidateMove", request)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    info, bad = details(error)
    assert (info.reason, info.domain) == ("INVALID_REQUEST", "tarneeb.v1.TarneebService")
    assert info.metadata["problems"] == str(len(expected))
    assert [f"{item.field.removeprefix('game.')} {item.reason}" for item in bad.field_violations] == expected
    assert all(item.description for item in bad.field_violations)
    assert error.details().startswith(f"game.{expected[0].split()[0]}: ")
    assert_names_no_card(error.details())
    _, _, code, text = ask(in_process, "ValidateMove", request)
    assert (code, text) == (error.code(), error.details())


def liar(count: int) -> pb.ValidateMoveRequest:
    """A request with as many problems as unknown cards dealt."""
    game = game_pb2.Game.FromString(sound("play"))
    for index in range(count):
        cards: Any = game.hand.dealt[index // 13].cards
        cards[index % 13] = 1
    return pb.ValidateMoveRequest(game=game, move=MOVE)


@pytest.mark.parametrize(("count", "shown"), [(1, 1), (31, 31), (32, 32), (33, 32), (52, 32)])
def test_the_first_32_and_the_total(count: int, shown: int, stub: TarneebServiceStub) -> None:
    error = over_socket(stub, "ValidateMove", liar(count))
    info, bad = details(error)
    assert info.metadata["problems"] == str(count)
    assert len(bad.field_violations) == shown
    assert bad.field_violations[0].field == "game.hand.dealt[0].cards[0]"
    more = "" if count == 1 else f" (and {count - 1} more)"
    assert error.details() == f"game.hand.dealt[0].cards[0]: is none of the 52 cards{more}"
    assert len(dict(error.trailing_metadata())[DETAILS]) < 4096
    listed = methods.validate_game(pb.ValidateGameRequest(game=liar(count).game)).problems
    assert len(listed) == count


def test_long_problems_stay_below_four_kilobytes(stub: TarneebServiceStub) -> None:
    """Contradictions have long sentences: then fewer than 32 are shown, and the total is still right."""
    request = pb.CreateGameRequest(id="\n" * 64, first_dealer_seed=b"s")
    request.rule_set.preset_id = "cardgames_zone_turned_trump"
    overrides = request.rule_set.overrides
    numbers = [field.name for field in overrides.DESCRIPTOR.fields if field.enum_type]
    for name in numbers:
        setattr(overrides, name, 2)
    overrides.own_minimum.steps.add(from_score=3, value=5_000_000)
    for _ in range(50):
        overrides.bid_values.values.add(bid=99, points=5_000_000, from_score=-2_000_000)
    error = over_socket(stub, "CreateGame", request)
    info, bad = details(error)
    assert int(info.metadata["problems"]) > 150
    assert 20 < len(bad.field_violations) <= 32
    assert len(dict(error.trailing_metadata())[DETAILS]) < 4096


def test_newer_rules_are_left_to_another_replica(
    stub: TarneebServiceStub, in_process: grpc_testing.Server
) -> None:
    game = game_pb2.Game.FromString(sound("play"))
    game.rules_revision = RULES_REVISION + 1
    # What a newer release meant is not for this one to judge.
    game.hand.played.append(cards_pb2.CARD_UNSPECIFIED)
    requests: dict[str, Any] = {
        "ListLegalMoves": pb.ListLegalMovesRequest(game=game),
        "ValidateMove": pb.ValidateMoveRequest(game=game, move=MOVE),
        "ApplyMove": pb.ApplyMoveRequest(game=game, move=moves_pb2.Move()),
        "DealHand": pb.DealHandRequest(game=game),
        "UndoMove": pb.UndoMoveRequest(game=game),
        "ValidateGame": pb.ValidateGameRequest(game=game),
        "ViewGame": pb.ViewGameRequest(game=game),
        "ReplayGame": pb.ReplayGameRequest(record=records_pb2.GameRecord(rules_revision=RULES_REVISION + 1)),
    }
    for method, request in requests.items():
        error = over_socket(stub, method, request)
        assert error.code() is grpc.StatusCode.UNAVAILABLE
        info, bad = details(error)
        assert info.reason == "NEWER_RULES"
        assert dict(info.metadata) == {
            "game_rules_revision": str(RULES_REVISION + 1),
            "service_rules_revision": str(RULES_REVISION),
        }
        assert not bad.field_violations
        assert detail(error, error_details_pb2.RetryInfo).retry_delay.ToMilliseconds() == NEWER_RULES_RETRY_MS
        _, _, code, _ = ask(in_process, method, request)
        assert code is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("method", METHODS)
def test_spoiled_requests_over_the_socket(method: str, stub: TarneebServiceStub, service: Service) -> None:
    chance = random.Random(method)
    for _ in range(15 * SCALE):
        sample = chance.choice(samples(method))
        request = type(sample).FromString(sample.SerializeToString())
        spoil(request, chance)
        spoil(request, chance)
        answer = over_socket(stub, method, request)
        if failed(answer):
            assert answer.code() in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.UNAVAILABLE)
    assert service.lines("bug") == []
