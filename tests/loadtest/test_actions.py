"""What the users of the load test do, without Locust: by the real methods, and through a socket."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import ParseDict

from loadtest import requests
from loadtest.actions import ACTIONS, User
from loadtest.caller import Caller, Target, UnexpectedError
from loadtest.table import Position, Table, illegal_moves, positions
from tarneeb.v1 import moves_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import presets
from tarneeb_service.rpc.dispatch import dispatch, methods_table
from tests.rpc.samples import response_class
from tests.server.support import Service
from tests.server.test_tls import Authority

METHODS = methods_table()
# The longest game seen took 1,060 calls.
MOST_CALLS = 4_000


def in_process(method: str, request: Any, problem: Any = None) -> Any:
    """As a Caller, without a socket."""
    outcome = dispatch(METHODS[method], request.SerializeToString(), "", lambda: None)
    assert outcome.status is None, outcome.status
    response = response_class(method).FromString(outcome.answer)
    assert not (problem and problem(response)), problem(response)
    return response


@pytest.fixture(scope="module")
def some() -> list[Position]:
    return positions(in_process, ["saharat_classic", "saharat_400"])


@pytest.mark.parametrize("rule_set", presets())
def test_games_of_every_rule_set_end(rule_set: str) -> None:
    table, calls = Table(in_process, [rule_set], random.Random(1)), 0
    while not table.games_ended:
        table.step()
        calls += 1
        assert calls < MOST_CALLS
    assert table.hands_ended > 3


def test_every_illegal_move_is_refused_and_the_chosen_one_is_legal(some: list[Position]) -> None:
    rulings: Counter[int] = Counter()
    for here in some:
        for move in (here.move, *here.illegal):
            verdict = in_process(
                "ValidateMove", pb.ValidateMoveRequest(snapshot=here.snapshot, move=move)
            ).verdict
            rulings[verdict.ruling] += 1
            assert (verdict.ruling == verdicts_pb2.RULING_LEGAL) == (move is here.move)
    assert rulings[verdicts_pb2.RULING_REFUSED] > 3 * len(some)
    # A revoke is among them, which no move out of turn is.
    assert max(len(here.illegal) for here in some) == 5


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_is_one_call_that_is_answered_as_it_must(
    service: Service, some: list[Position], action: str
) -> None:
    reported: list[tuple[str, Exception | None]] = []
    call = Caller(service.channel, report=lambda name, _seconds, _size, error: reported.append((name, error)))
    chance = random.Random(1)
    user = User(call, Table(call, ["saharat_classic"], chance), some, chance, batch=5)
    for _ in range(20):
        user.act(action)
    assert len(reported) == 20
    assert [error for _, error in reported if error] == []


def test_an_unseen_game_differs_from_every_other(service: Service, some: list[Position]) -> None:
    sent = []

    def call(_method: str, request: Any, **_: Any) -> None:
        sent.append(request.snapshot)

    chance = random.Random(1)
    user = User(call, Table(call, ["saharat_classic"], chance), some, chance, batch=5)  # type: ignore[arg-type]
    for _ in range(2 * len(some)):
        user.act("validate_unseen")
    assert len(set(sent)) == 2 * len(some)
    assert not set(sent) & {here.snapshot for here in some}


@pytest.mark.parametrize(
    "action, wrong",
    [
        ("validate", lambda here: Position(here.snapshot, here.illegal[0], here.illegal)),
        ("batch", lambda here: Position(here.snapshot, here.illegal[0], here.illegal)),
        ("illegal", lambda here: Position(here.snapshot, here.move, (here.move,))),
        ("list", lambda here: Position(here.snapshot, moves_pb2.Move(), here.illegal)),
    ],
)
def test_a_wrong_answer_is_a_failure(service: Service, some: list[Position], action: str, wrong: Any) -> None:
    errors: list[Exception | None] = []
    call = Caller(service.channel, report=lambda _name, _seconds, _size, error: errors.append(error))
    spoilt = [wrong(here) for here in some]
    user = User(call, Table(call, ["saharat_classic"], random.Random(1)), spoilt, random.Random(1), batch=5)
    with pytest.raises(UnexpectedError):
        user.act(action)
    assert [type(error) for error in errors] == [UnexpectedError]


def test_a_call_that_must_fail_and_does_not_is_a_failure(service: Service, some: list[Position]) -> None:
    request = pb.ValidateMoveRequest(snapshot=some[0].snapshot, move=some[0].move)
    with pytest.raises(UnexpectedError, match="answered, not INVALID_ARGUMENT"):
        Caller(service.channel)("ValidateMove", request, code=grpc.StatusCode.INVALID_ARGUMENT)


def test_a_failed_call_leaves_the_table_where_it_was(service: Service) -> None:
    failing = True

    def call(method: str, request: Any, **options: Any) -> Any:
        if failing:
            raise UnexpectedError(method)
        return in_process(method, request, **options)

    table = Table(call, ["saharat_classic"], random.Random(1))
    for _ in range(40):
        failing = True
        with pytest.raises(UnexpectedError):
            table.step()
        failing = False
        table.step()
    assert table.position()


def test_requests_for_other_tools_are_legal_moves(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "some/requests.json"
    count = requests.write(Target(service.address), path)
    said = [
        ParseDict(each, pb.ValidateMoveRequest()) for each in json.loads(path.read_text(encoding="utf-8"))
    ]
    assert len(said) == count > 10 * len(presets())
    for request in said[::7]:
        assert service.stub.ValidateMove(request).verdict.ruling == verdicts_pb2.RULING_LEGAL


def test_a_target_speaks_as_it_is_told(tmp_path: Path) -> None:
    token, authority = tmp_path / "token", Authority(tmp_path, "authority")
    token.write_text("a-token-of-the-lobby\n", encoding="utf-8")
    cert, key = authority.sign("server")
    mine, my_key = authority.sign("client")
    files: dict[str, Any] = {
        "tls_cert_file": str(cert),
        "tls_key_file": str(key),
        "tls_client_ca_file": str(authority.cert),
        "tokens_file": str(token),
    }
    with Service(credentials=grpc.ssl_channel_credentials(), **files) as service:
        told = Target(
            service.address, ca=str(authority.cert), cert=str(mine), key=str(my_key), token_file=str(token)
        )
        assert requests.write(told, tmp_path / "requests.json")
        nameless = replace(told, token_file="")
        with pytest.raises(grpc.RpcError) as error:
            requests.write(nameless, tmp_path / "none.json")
        assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.RpcError) as error:
            requests.write(replace(told, cert="", key=""), tmp_path / "none.json")
        assert error.value.code() is grpc.StatusCode.UNAVAILABLE


def test_illegal_moves_of_an_auction_and_of_play_differ() -> None:
    kinds = {tuple(move.WhichOneof("action") for move in moves) for moves in _illegal_by_phase()}
    assert len(kinds) > 1


def _illegal_by_phase() -> list[list[moves_pb2.Move]]:
    found: list[list[moves_pb2.Move]] = []

    def call(method: str, request: Any, **options: Any) -> Any:
        response = in_process(method, request, **options)
        view = next((each for each in response.views if each.viewer == each.seat_to_act), None)
        if view:
            found.append(illegal_moves(view))
        return response

    table = Table(call, ["saharat_classic"], random.Random(1))
    while not table.hands_ended:
        table.step()
    return found
