"""Every vector, against the methods as functions and through a socket."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from google.rpc import code_pb2, status_pb2

from conformance import runner
from tarneeb_service.rpc.dispatch import dispatch, methods_table
from tests.server.support import Service


def cases() -> list[Any]:
    return [
        pytest.param(vector, document.get("deals", {}), id=vector["id"])
        for document in map(runner.load, runner.files())
        for vector in document["vectors"]
    ]


CASES = cases()


TABLE = methods_table()


def in_process(rpc: str, request: bytes) -> bytes | runner.Failure:
    """Answer as a server would, without one."""
    outcome = dispatch(TABLE[rpc], request, "no request", lambda: None)
    if outcome.status is not None:
        code = code_pb2.Code.Name(outcome.status.code)
        return runner.failure_of(status_pb2.Status.FromString(outcome.status.details), code)
    assert outcome.response is not None
    return outcome.response.SerializeToString(deterministic=True)


@pytest.fixture(scope="module")
def over_socket() -> Iterator[runner.Send]:
    with Service() as service:
        yield runner.over_channel(service.channel)


@pytest.mark.parametrize("vector, deals", CASES)
def test_in_process(vector: dict[str, Any], deals: dict[str, Any]) -> None:
    assert runner.run(in_process, vector, deals) == []


@pytest.mark.parametrize("vector, deals", CASES)
def test_over_a_socket(over_socket: runner.Send, vector: dict[str, Any], deals: dict[str, Any]) -> None:
    assert runner.run(over_socket, vector, deals) == []


def first(section: str, rpc: str) -> tuple[dict[str, Any], dict[str, Any]]:
    document = runner.load(runner.HERE / f"{section}.json")
    vector = next(vector for vector in document["vectors"] if vector["rpc"] == rpc)
    return json.loads(json.dumps(vector)), document.get("deals", {})


def test_the_runner_sees_every_kind_of_difference() -> None:
    vector, deals = first("auctions", "ListLegalMoves")
    vector["expect"]["response"]["seat_to_act"] = "SEAT_EAST"
    assert runner.run(in_process, vector, deals)[0].startswith("response: expected")
    vector["expect"] = {"fields": {"seat_to_act": None}}
    assert runner.run(in_process, vector, deals) == ['seat_to_act: expected null, got "SEAT_WEST"']
    vector["expect"] = {"hides": [{"at": "moves", "cards": "H2"}]}
    assert runner.run(in_process, vector, deals) == []
    vector["rpc"], vector["request"] = "ApplyMove", {"game": "$game", "move": "$move W:7"}
    vector["expect"] = {"hides": [{"at": "game.hand.dealt[1]", "cards": "H2 S2"}]}
    assert runner.run(in_process, vector, deals) == ["game.hand.dealt[1] shows H2"]
    vector["setup"]["hands"][0]["moves"] = ["S:7"]
    assert runner.run(in_process, vector, deals)[0].startswith("setup: ApplyMove")


def test_the_runner_looks_into_snapshots() -> None:
    document = runner.load(runner.HERE / "refusals.json")
    vector = next(each for each in document["vectors"] if each["id"] == "refusals-snapshot-apply")
    vector["expect"] = {"fields": {"snapshot.revision": 4}}
    (difference,) = runner.run(in_process, vector, document["deals"])
    assert difference.startswith("snapshot.revision")
    vector["expect"] = {"fields": {"snapshot.nothing": None}}
    assert runner.run(in_process, vector, document["deals"]) == [
        "snapshot.nothing: ApplyMove answers with no such field"
    ]


def test_the_runner_sees_another_status() -> None:
    vector, deals = first("malformed", "CreateGame")
    good = vector["expect"]["status"]
    for wrong in (
        {**good, "code": "UNAVAILABLE"},
        {**good, "reason": "NEWER_RULES"},
        {**good, "violations": []},
        {**good, "problems": 7},
    ):
        vector["expect"] = {"status": wrong}
        assert len(runner.run(in_process, vector, deals)) == 1
    vector["expect"] = {"fields": {"game": None}}
    assert runner.run(in_process, vector, deals)[0].startswith("expected an answer, got Failure")
    other, deals = first("auctions", "ListLegalMoves")
    other["expect"] = {"status": good}
    assert runner.run(in_process, other, deals) == ["expected INVALID_ARGUMENT, got an answer"]


def test_the_runner_sees_answers_that_vary() -> None:
    vector, deals = first("rules", "ListRuleSets")
    answers = [in_process("ListRuleSets", b""), b""]
    vector["repeat"] = 2
    assert runner.run(lambda _rpc, _request: answers.pop(), vector, deals) == [
        "the same request got different answers"
    ]


@pytest.mark.parametrize(
    "path",
    [
        "game.hand",
        "hands",
        "moves.seat",
        "moves[0][0]",
        "seat_to_act.name",
        "moves[0].call.bid",
        "moves[0].0",
    ],
)
def test_the_runner_refuses_a_path_of_no_field(path: str) -> None:
    vector, deals = first("auctions", "ListLegalMoves")
    words = [f"{path}: ListLegalMoves answers with no such field"]
    # Nothing is there, and that is no proof that the service has nothing to say.
    vector["expect"] = {"fields": {path: None}}
    assert runner.run(in_process, vector, deals) == words
    vector["expect"] = {"hides": [{"at": path, "cards": "H2"}]}
    assert runner.run(in_process, vector, deals) == words


@pytest.mark.parametrize("path", ["moves", "moves[0]", "moves[99].call.tricks", "moves[0].card"])
def test_the_runner_takes_a_path_of_a_field(path: str) -> None:
    vector, deals = first("auctions", "ListLegalMoves")
    vector["expect"] = {"fields": {path: "other"}}
    assert runner.run(in_process, vector, deals)[0].startswith(f'{path}: expected "other", got ')


def test_the_runner_wants_something_to_hide_in() -> None:
    vector, deals = first("views", "ViewGame")
    assert runner.run(in_process, vector, deals) == []
    vector["expect"]["hides"][0]["at"] = "views[1]"
    assert runner.run(in_process, vector, deals) == ["views[1] is not there"]


@pytest.mark.parametrize(
    ("place", "section", "rpc"),
    [
        ("", "auctions", "ApplyMove"),
        ("setup", "auctions", "ApplyMove"),
        ("setup.hands[0]", "auctions", "ApplyMove"),
        ("expect", "auctions", "ApplyMove"),
        ("expect.status", "malformed", "CreateGame"),
        ("expect.status.violations[0]", "malformed", "CreateGame"),
        ("expect.hides[0]", "views", "ViewGame"),
    ],
)
def test_the_runner_refuses_what_it_does_not_know(place: str, section: str, rpc: str) -> None:
    vector, deals = first(section, rpc)
    assert runner.run(in_process, vector, deals) == []
    part = runner.value_at(vector, place)
    part["unless"] = True
    name = place.rpartition(".")[2].removesuffix("[0]") or "vector"
    assert runner.run(in_process, vector, deals) == [f"unknown key: unless in {name}"]


def test_the_runner_refuses_edits_and_problems_that_it_does_not_know() -> None:
    vector, deals = first("auctions", "ListLegalMoves")
    vector["edits"] = [{"remove": "game.id", "when": 1}]
    vector["expect"] = {"problems": [{"path": "game", "reason": "MISSING", "sentence": "no"}]}
    assert runner.run(in_process, vector, deals) == [
        "unknown key: when in edits",
        "unknown key: sentence in violations",
    ]


def test_the_runner_knows_all_that_the_schema_takes() -> None:
    definitions = json.loads((runner.HERE / "schema.json").read_text("utf-8"))["$defs"]
    parts = {name: definitions[name]["properties"] for name in ("vector", "setup", "expect")}
    parts["hands"] = parts["setup"]["hands"]["items"]["properties"]
    parts["edits"] = parts["vector"]["edits"]["items"]["properties"]
    parts["hides"] = parts["expect"]["hides"]["items"]["properties"]
    parts["status"] = parts["expect"]["status"]["properties"]
    parts["violations"] = definitions["problems"]["items"]["properties"]
    assert {name: set(part) for name, part in parts.items()} == {
        name: set(keys.split()) for name, keys in runner.KEYS.items()
    }
