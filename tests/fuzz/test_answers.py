"""What the fuzzers take for an answer: a server that says nothing, or another thing, is found out."""

import copy
import random
from contextlib import suppress
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from tarneeb.v1 import game_pb2, rules_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tests.fuzz.answers import CHECKS, check_answer
from tests.fuzz.calls import Answered, FindingError, Target
from tests.fuzz.sound import STORED, pool
from tests.fuzz.spoiling import as_game, as_snapshot, garbage, has_snapshot
from tests.rpc.samples import METHODS, SERVICE, function_of, samples


def sound(method: str) -> tuple[Any, Any]:
    """A sound request that is answered with all that a method answers with, in messages."""
    accepting = (
        message
        for message in pool(method)
        if not has_snapshot(message) and not getattr(message, "form", 0) and _accepted(method, message)
    )
    request: Any = next(accepting)
    answer = function_of(method)(request)
    # Copies, since both may be kept and given again.
    return copy.deepcopy(request), copy.deepcopy(answer)


def _accepted(method: str, request: Any) -> bool:
    if method == "DealHand":
        return request.deal.WhichOneof("source") == "hands" and bool(request.viewers)
    if method in ("ReplayGame", "ApplyMove"):
        return bool(request.viewers) and len(function_of(method)(request).SerializeToString()) > 400
    if method == "ValidateMoves":
        return len(request.items) > 1
    if method == "ListLegalMoves":
        return bool(request.game.seat_to_act)
    return True


def found(method: str, request: Any, answer: Any) -> bool:
    try:
        check_answer(method, request.SerializeToString(), answer.SerializeToString())
    except AssertionError:
        return True
    return False


def test_every_method_is_checked() -> None:
    assert list(CHECKS) == METHODS


# Nothing is what ValidateGame says of a sound game.
@pytest.mark.parametrize("method", [method for method in METHODS if method != "ValidateGame"])
def test_an_empty_answer_is_found(method: str) -> None:
    request, answer = sound(method)
    assert not found(method, request, answer)
    assert found(method, request, GetMessageClass(SERVICE.methods_by_name[method].output_type)())


# By method: a path of an answer that is cleared.
CLEARED = [
    ("ListRuleSets", "rules_revision"),
    ("ResolveRuleSet", "rules.trump"),
    ("CreateGame", "views"),
    ("DealHand", "events"),
    ("DealHand", "views"),
    ("DealHand", "game.revision"),
    ("ListLegalMoves", "seat_to_act"),
    ("ValidateMove", "verdict.ruling"),
    ("ApplyMove", "verdict.ruling"),
    ("ApplyMove", "game"),
    ("ApplyMove", "game.id"),
    ("ApplyMove", "game.revision"),
    ("ApplyMove", "game.rules.cut"),
    ("ApplyMove", "events"),
    ("ApplyMove", "views"),
    ("ReplayGame", "game"),
    ("ReplayGame", "accepted_steps"),
    ("ReplayGame", "total_steps"),
    ("ReplayGame", "steps"),
    ("VerifyDeal", "message"),
    ("ScoreHand", "result.end"),
    ("ScoreHand", "scores"),
]


@pytest.mark.parametrize(("method", "path"), CLEARED)
def test_a_part_that_is_missing_is_found(method: str, path: str) -> None:
    request, answer = sound(method)
    *way, last = path.split(".")
    place = answer
    for name in way:
        place = getattr(place, name)
    place.ClearField(last)
    assert found(method, request, answer)


@pytest.mark.parametrize("method", ["ViewGame", "ApplyMove", "DealHand", "CreateGame"])
def test_views_of_others_are_found(method: str) -> None:
    request, answer = sound(method)
    answer.views[0].viewer = 3
    assert found(method, request, answer)


def test_a_result_too_few_or_too_many_is_found() -> None:
    request, answer = sound("ValidateMoves")
    more = pb.ValidateMovesResponse(results=[*answer.results, answer.results[0]])
    assert found("ValidateMoves", request, more)
    assert found("ValidateMoves", request, pb.ValidateMovesResponse(results=answer.results[1:]))
    empty = pb.ValidateMovesResponse(results=[pb.MoveResult()] * len(answer.results))
    assert found("ValidateMoves", request, empty)


def test_a_verdict_that_contradicts_itself_is_found() -> None:
    request, _ = sound("ValidateMove")
    refused: dict[str, Any] = {
        "ruling": verdicts_pb2.RULING_REFUSED,
        "reason": 1,
        "rule_id": "W1",
        "message": "no",
    }
    assert not found(
        "ValidateMove", request, pb.ValidateMoveResponse(verdict=verdicts_pb2.Verdict(**refused))
    )
    for name, value in (
        ("reason", 0),
        ("reason", 99),
        ("rule_id", ""),
        ("message", ""),
        ("ruling", 1),
        ("ruling", 9),
    ):
        verdict = verdicts_pb2.Verdict(**{**refused, name: value})
        assert found("ValidateMove", request, pb.ValidateMoveResponse(verdict=verdict))


def test_a_deal_that_is_fair_but_in_no_part_is_found() -> None:
    request, answer = sound("VerifyDeal")
    assert not (answer.fair or answer.cards_match)
    answer.fair = True
    assert found("VerifyDeal", request, answer)


def test_fields_that_nobody_knows_are_found() -> None:
    request, answer = sound("CommitDeal")
    data = answer.SerializeToString() + b"\xc2\x3e\x01x"
    with pytest.raises(AssertionError, match="unknown fields"):
        check_answer("CommitDeal", request.SerializeToString(), data)


class Forged(Target):
    """A server that answers with a game which it would not take back."""

    def __init__(self, address: str, answer: bytes) -> None:
        super().__init__(address)
        self._answer = answer

    def _timed(self, method: str, request: bytes) -> tuple[Answered, float]:
        if method == "ApplyMove":
            return Answered(grpc.StatusCode.OK, self._answer), 0.0
        return super()._timed(method, request)


def test_a_game_that_is_not_taken_back_is_found(address: str) -> None:
    request, answer = sound("ApplyMove")
    server = Forged(address, answer.SerializeToString())
    server.send("ApplyMove", request.SerializeToString())
    server.close()
    answer.game.scores[0] += 1
    server = Forged(address, answer.SerializeToString())
    with pytest.raises(FindingError, match=r"the answer's game has problems: \['game\.scores"):
        server.send("ApplyMove", request.SerializeToString())
    server.close()


def test_every_game_of_a_replay_is_looked_at_or_enough_of_them() -> None:
    request, _ = sound("ReplayGame")
    request.step_detail = pb.STEP_DETAIL_GAMES
    request.ClearField("viewers")
    request.ClearField("first_step")
    request.ClearField("step_limit")
    answer: Any = function_of("ReplayGame")(request)
    assert len(answer.steps) > 4
    games = check_answer("ReplayGame", request.SerializeToString(), answer.SerializeToString())
    assert 2 < len(games) < 9
    assert all(isinstance(game, game_pb2.Game) for game in games)
    assert rules_pb2.RuleSet() not in [game.rules for game in games]


@pytest.mark.parametrize(
    ("form", "spoil", "why"),
    [
        (pb.GAME_FORM_SNAPSHOT, lambda answer: answer.ClearField("snapshot"), "another id"),
        (pb.GAME_FORM_SNAPSHOT, lambda answer: answer.game.SetInParent(), "asked for"),
        (pb.GAME_FORM_GAME, lambda answer: setattr(answer, "snapshot", b"x"), "asked for"),
        (pb.GAME_FORM_UNSPECIFIED, lambda answer: answer.game.scores.append(1), "two games"),
    ],
)
def test_a_game_in_another_form_is_found(form: Any, spoil: Any, why: str) -> None:
    asked: Any = pb.CreateGameRequest.FromString(samples("CreateGame")[0].SerializeToString())
    asked.form = form
    answer = function_of("CreateGame")(asked)
    check_answer("CreateGame", asked.SerializeToString(), answer.SerializeToString())
    spoil(answer)
    with pytest.raises(AssertionError, match=why):
        check_answer("CreateGame", asked.SerializeToString(), answer.SerializeToString())


@pytest.mark.parametrize("method", [*STORED, "ValidateMoves"])
def test_half_of_the_requests_have_snapshots(method: str) -> None:
    requests = pool(method)
    share = sum(map(has_snapshot, requests)) / len(requests)
    # A list of moves may have some of each.
    assert 0.35 < share < (1 if method == "ValidateMoves" else 0.65)


def test_every_form_is_asked_for() -> None:
    for method in ("CreateGame", "ReplayGame"):
        assert {request.form for request in pool(method)} == set(pb.GameForm.values())  # type: ignore[attr-defined]


def test_moves_are_taken_back_in_every_phase() -> None:
    games: Any = [as_game(request) for request in pool("UndoMove")]
    assert {asked.game.phase for asked in games} >= {
        game_pb2.PHASE_AWAITING_DEAL,
        game_pb2.PHASE_AUCTION,
        game_pb2.PHASE_PLAY,
    }


@pytest.mark.parametrize("method", STORED)
def test_either_form_is_the_same_request(method: str) -> None:
    request: Any = as_game(pool(method)[0])
    snapshot: Any = as_snapshot(request)
    assert snapshot.snapshot == request.game.SerializeToString()
    assert has_snapshot(snapshot)
    assert not has_snapshot(request)
    assert as_game(snapshot) == request


def test_the_game_in_a_snapshot_is_spoiled_too() -> None:
    request: Any = as_snapshot(pool("ApplyMove")[0])
    whole: Any = as_game(request)
    changed = 0
    for number in range(400):
        data = garbage(request, random.Random(number))
        with suppress(DecodeError):
            spoiled = game_pb2.Game.FromString(pb.ApplyMoveRequest.FromString(data).snapshot)
            spoiled.DiscardUnknownFields()
            # Bytes that were flipped or cut are hardly ever what a serializer gives.
            if spoiled.SerializeToString() in data and spoiled.id == "g":
                changed += spoiled != whole.game
    assert changed > 40
