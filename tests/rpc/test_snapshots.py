"""A game as bytes: every method says the same of it as of the message, and answers in the form it was asked in."""

import random
from typing import Any

import pytest
from google.protobuf.unknown_fields import UnknownFieldSet
from hypothesis import given

from tarneeb.v1 import cards_pb2, errors_pb2, game_pb2, moves_pb2, records_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.state import AwaitingDeal, State
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.dispatch import dispatch, methods_table
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tests.random_games import any_moves, states
from tests.rpc.bad_games import Spoil, sound
from tests.rpc.samples import choice, function_of, hands_of, record, samples, some_games
from tests.rpc.test_bad_games import CASES, MOVE, spoiled
from tests.strategies import any_rules, seeds

WITH_A_GAME = ("DealHand", "ListLegalMoves", "ValidateMove", "ApplyMove", "ValidateGame", "ViewGame")
REASON = errors_pb2.ProblemReason
# Field 1000, a text: what a later release might have added.
LATER = b"\xc2\x3e\x05later"


def stored(game: game_pb2.Game) -> bytes:
    return game.SerializeToString(deterministic=True)


def by_snapshot(request: Any) -> Any:
    """The same request with its game as bytes."""
    other = type(request)()
    other.CopyFrom(request)
    items = other.items if "items" in other.DESCRIPTOR.fields_by_name else [other]
    for item in items:
        item.snapshot = stored(item.game)
        assert item.WhichOneof("stored") == "snapshot"
    return other


def same_but_for_form(by_game: Any, by_bytes: Any) -> None:
    """Two answers differ in the form of the next game alone; it is the same game."""
    if "snapshot" in by_game.DESCRIPTOR.fields_by_name:
        assert by_game.snapshot == b""
        assert not by_bytes.HasField("game")
        if by_game.HasField("game"):
            assert by_bytes.snapshot == stored(by_game.game)
            assert by_bytes.revision == by_game.revision == by_game.game.revision
        by_game.ClearField("game")
        by_bytes.ClearField("snapshot")
    assert by_bytes == by_game


def answer_alike(method: str, request: Any) -> None:
    function = function_of(method)
    expected, found = (outcome(function, each) for each in (request, by_snapshot(request)))
    if isinstance(expected, list):
        assert found == expected
    else:
        same_but_for_form(expected, found)


def outcome(function: Any, request: Any) -> Any:
    """An answer, or the problems of a request that is wrong beside its game."""
    try:
        return function(request)
    except ProblemsError as error:
        return error.problems


@pytest.mark.parametrize("method", [*WITH_A_GAME, "ValidateMoves"])
def test_every_method_says_the_same_of_both_forms(method: str) -> None:
    for request in samples(method):
        answer_alike(method, request)


@given(rules=any_rules(), seed=seeds())
def test_whatever_the_rules_the_state_and_the_move(rules: Any, seed: int) -> None:
    chance = random.Random(seed)
    state: State = chance.choice(list(states(rules, chance, hands=2)))
    message = encode_game(state)
    viewers: Any = [1, 2, 3, 4, 5]
    moves = [encode_move(move) for move in (*any_moves(state, chance, 4), *game.legal_moves(state)[:2])]
    batch = pb.ValidateMovesRequest()
    for move in moves:
        answer_alike("ApplyMove", pb.ApplyMoveRequest(game=message, move=move, viewers=viewers))
        batch.items.add(game=message, move=move)
    answer_alike("ValidateMoves", batch)
    answer_alike("ListLegalMoves", pb.ListLegalMovesRequest(game=message))
    answer_alike("ValidateGame", pb.ValidateGameRequest(game=message))
    answer_alike("ViewGame", pb.ViewGameRequest(game=message, viewers=viewers))
    if isinstance(state, AwaitingDeal):
        answer_alike("DealHand", pb.DealHandRequest(game=message, deal=hands_of(state), viewers=viewers))


def test_a_game_is_played_on_by_its_bytes_alone() -> None:
    request = pb.CreateGameRequest(
        id="g", rule_set=choice(), first_dealer=cards_pb2.SEAT_NORTH, form=pb.GAME_FORM_SNAPSHOT
    )
    made = methods.create_game(request)
    dealt = methods.deal_hand(
        pb.DealHandRequest(
            snapshot=made.snapshot, deal=records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=bytes(16)))
        )
    )
    snapshot, revision = dealt.snapshot, dealt.revision
    for _ in range(60):
        moves = methods.list_legal_moves(pb.ListLegalMovesRequest(snapshot=snapshot)).moves
        if not moves:
            break
        answer = methods.apply_move(pb.ApplyMoveRequest(snapshot=snapshot, move=moves[0]))
        assert answer.verdict.ruling == verdicts_pb2.RULING_LEGAL
        assert answer.revision == revision + 1
        # The order of compare-and-set needs nothing from inside.
        assert answer.revision == game_pb2.Game.FromString(answer.snapshot).revision
        snapshot, revision = answer.snapshot, answer.revision
    assert game_pb2.Game.FromString(snapshot).phase == game_pb2.PHASE_AWAITING_DEAL


def test_a_refused_move_has_no_next_game_in_any_form() -> None:
    for request in (
        pb.ApplyMoveRequest(game=game_pb2.Game.FromString(sound("play")), move=MOVE),
        pb.ApplyMoveRequest(snapshot=sound("play"), move=MOVE),
    ):
        answer = methods.apply_move(request)
        assert answer.verdict.ruling == verdicts_pb2.RULING_REFUSED
        assert (answer.HasField("game"), answer.snapshot, answer.revision) == (False, b"", 0)


FORMS = [
    (pb.GAME_FORM_UNSPECIFIED, True, True),
    (pb.GAME_FORM_GAME, True, False),
    (pb.GAME_FORM_SNAPSHOT, False, True),
]


def assert_in_form(answer: Any, message: bool, snapshot: bool) -> None:
    assert answer.HasField("game") is message
    assert bool(answer.snapshot) is snapshot
    if message and snapshot:
        assert answer.snapshot == stored(answer.game)
    held = answer.game if message else game_pb2.Game.FromString(answer.snapshot)
    assert answer.revision == held.revision


@pytest.mark.parametrize(("form", "message", "snapshot"), FORMS)
def test_a_new_game_and_a_replay_come_in_the_form_asked_for(form: Any, message: bool, snapshot: bool) -> None:
    created = methods.create_game(
        pb.CreateGameRequest(id="g", rule_set=choice(), first_dealer=cards_pb2.SEAT_WEST, form=form)
    )
    assert_in_form(created, message, snapshot)
    assert created.revision == 0
    replayed = methods.replay_game(
        pb.ReplayGameRequest(record=record(), step_detail=pb.STEP_DETAIL_GAMES, form=form)
    )
    assert_in_form(replayed, message, snapshot)
    assert len(replayed.steps) == 5
    for number, step in enumerate(replayed.steps, start=1):
        assert_in_form(step, message, snapshot)
        assert step.revision == number


@pytest.mark.parametrize("detail", [pb.STEP_DETAIL_UNSPECIFIED, pb.STEP_DETAIL_EVENTS, pb.STEP_DETAIL_VIEWS])
def test_the_steps_of_a_replay_have_games_only_when_asked(detail: Any) -> None:
    viewers: Any = [1] if detail == pb.STEP_DETAIL_VIEWS else []
    request = pb.ReplayGameRequest(record=record(), step_detail=detail, viewers=viewers)
    for step in methods.replay_game(request).steps:
        assert (step.HasField("game"), step.snapshot, step.revision) == (False, b"", 0)


@pytest.mark.parametrize("method", ["CreateGame", "ReplayGame"])
def test_an_unknown_form_is_refused(method: str) -> None:
    request: Any = type(samples(method)[0])()
    request.CopyFrom(samples(method)[0])
    request.form = 3
    with pytest.raises(ProblemsError) as refused:
        function_of(method)(request)
    (problem,) = refused.value.problems
    assert (problem.path, problem.reason.name) == ("form", "UNKNOWN_VALUE")


@pytest.mark.parametrize(("name", "spoil", "expected"), CASES[::3])
def test_a_lie_in_a_snapshot_is_named_below_it(name: str, spoil: Spoil, expected: list[str]) -> None:
    snapshot = stored(spoiled(name, spoil))
    requests: dict[str, Any] = {
        "ListLegalMoves": pb.ListLegalMovesRequest(snapshot=snapshot),
        "ValidateMove": pb.ValidateMoveRequest(snapshot=snapshot, move=MOVE),
        "ApplyMove": pb.ApplyMoveRequest(snapshot=snapshot, move=MOVE),
        "ViewGame": pb.ViewGameRequest(snapshot=snapshot, viewers=[cards_pb2.Seat.ValueType(1)]),  # type: ignore[list-item]
        "DealHand": pb.DealHandRequest(snapshot=snapshot),
    }
    for method, request in requests.items():
        with pytest.raises(ProblemsError) as refused:
            function_of(method)(request)
        assert told(refused.value.problems, "snapshot") == expected, method
    listed = methods.validate_game(pb.ValidateGameRequest(snapshot=snapshot)).problems
    assert told(listed, "snapshot") == expected
    items = [pb.ValidateMoveRequest(snapshot=snapshot, move=MOVE)]
    (result,) = methods.validate_moves(pb.ValidateMovesRequest(items=items)).results
    assert told(result.problems.problems, "snapshot") == expected[:32]


def told(problems: Any, top: str) -> list[str]:
    """Problems as the cases have them; all of them lie below one field."""
    assert all(problem.path == top or problem.path.startswith(f"{top}.") for problem in problems)
    return [
        f"{problem.path.removeprefix(f'{top}.')} {REASON.Name(problem.reason).removeprefix('PROBLEM_REASON_')}"
        for problem in problems
    ]


def problems_of(method: str, snapshot: bytes) -> list[tuple[str, str]]:
    """What a method says of bytes, as a status or, of ``ValidateGame``, as an answer."""
    request = type(samples(method)[0])()
    request.CopyFrom(samples(method)[0])
    request.snapshot = snapshot  # type: ignore[attr-defined]
    outcome = dispatch(methods_table()[method], request.SerializeToString(), "request-7", lambda: None)
    found: Any = outcome.error if method != "ValidateGame" else outcome.response
    return [(problem.path, REASON.Name(problem.reason)) for problem in found.problems]


@pytest.mark.parametrize("method", WITH_A_GAME)
@pytest.mark.parametrize(
    "data", [b"\xff", b"\x0a\x05g", b'{"id": "g"}', sound("play")[:-1], b"\x00" + sound("play")]
)
def test_bytes_that_are_no_game_are_the_callers_fault(method: str, data: bytes) -> None:
    assert problems_of(method, data) == [("snapshot", "PROBLEM_REASON_UNKNOWN_VALUE")]


@pytest.mark.parametrize("method", WITH_A_GAME)
def test_empty_bytes_are_what_a_refused_move_left(method: str) -> None:
    assert problems_of(method, b"") == [("snapshot", "PROBLEM_REASON_MISSING")]


def test_a_bad_snapshot_and_a_bad_move_are_named_at_once() -> None:
    with pytest.raises(ProblemsError) as refused:
        methods.apply_move(pb.ApplyMoveRequest(snapshot=b"\xff", move=moves_pb2.Move(seat=9)))  # type: ignore[arg-type]
    assert [problem.path for problem in refused.value.problems][:2] == ["snapshot", "move.seat"]


@pytest.mark.parametrize("method", WITH_A_GAME)
def test_without_either_form_the_game_is_missing(method: str) -> None:
    with pytest.raises(ProblemsError) as refused:
        function_of(method)(type(samples(method)[0])())
    first = refused.value.problems[0]
    assert (first.path, first.reason.name) == ("game", "MISSING")
    assert "snapshot" in first.message


def test_of_two_forms_the_last_on_the_wire_counts() -> None:
    message, snapshot = game_pb2.Game.FromString(sound("play")), sound("auction")
    one = pb.ViewGameRequest(game=message, viewers=[cards_pb2.Seat.ValueType(1)])  # type: ignore[list-item]
    other = pb.ViewGameRequest(snapshot=snapshot)
    for parts, phase in (
        ((one, other), game_pb2.PHASE_AUCTION),
        ((other, one), game_pb2.PHASE_PLAY),
    ):
        both = pb.ViewGameRequest.FromString(b"".join(part.SerializeToString() for part in parts))
        (view,) = methods.view_game(both).views
        assert view.phase == phase


@pytest.mark.parametrize("index", range(0, len(some_games()), 7))
def test_what_a_later_release_added_is_passed_over_and_never_answered(index: int) -> None:
    message = some_games()[index]
    snapshot = stored(message) + LATER
    # In the rules and in the hand too.
    message = game_pb2.Game.FromString(snapshot)
    message.rules.MergeFromString(LATER)
    if message.HasField("hand"):
        message.hand.MergeFromString(LATER)
    snapshot = message.SerializeToString()
    assert b"later" in snapshot
    request = pb.ListLegalMovesRequest(snapshot=snapshot)
    moves = methods.list_legal_moves(request).moves
    assert moves == methods.list_legal_moves(pb.ListLegalMovesRequest(game=some_games()[index])).moves
    assert not methods.validate_game(pb.ValidateGameRequest(snapshot=snapshot)).problems
    for move in moves[:2]:
        answer = methods.apply_move(pb.ApplyMoveRequest(snapshot=snapshot, move=move))
        assert answer.verdict.ruling == verdicts_pb2.RULING_LEGAL
        assert b"later" not in answer.SerializeToString()
        assert not len(UnknownFieldSet(game_pb2.Game.FromString(answer.snapshot)))


def test_the_callers_bytes_are_sent_again_as_they_are() -> None:
    """A call changes nothing that its caller holds: the same bytes get the same answer."""
    snapshot = sound("play") + LATER
    data = pb.ListLegalMovesRequest(snapshot=snapshot).SerializeToString()
    answers = {
        dispatch(methods_table()["ListLegalMoves"], data, "request-7", lambda: None).answer for _ in range(3)
    }
    assert len(answers) == 1
    assert pb.ListLegalMovesRequest.FromString(data).snapshot == snapshot
