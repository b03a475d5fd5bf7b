"""A game that lies is refused by every method that takes one, with the same problems, all at once."""

from typing import Any

import pytest

from tarneeb.v1 import cards_pb2, errors_pb2, game_pb2, moves_pb2, records_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.rpc import methods
from tests.rpc.bad_games import SCORE_CASES, SEAT_CASES, Spoil, sound
from tests.rpc.bad_hands import CALL_CASES, DEALT_CASES, FRAME_CASES, PLAYED_CASES, SEVERAL, TRUMP_CASES
from tests.rpc.checks import assert_names_no_card

CASES = [
    *SEAT_CASES,
    *SCORE_CASES,
    *DEALT_CASES,
    *PLAYED_CASES,
    *CALL_CASES,
    *TRUMP_CASES,
    *FRAME_CASES,
    *SEVERAL,
]
REASON = errors_pb2.ProblemReason
MOVE = moves_pb2.Move(seat=cards_pb2.SEAT_NORTH, card=cards_pb2.CARD_SPADES_ACE)


def spoiled(name: str, spoil: Spoil) -> game_pb2.Game:
    game = game_pb2.Game.FromString(sound(name))
    spoil(game)
    return game


def problems(game: game_pb2.Game) -> list[str]:
    found = methods.validate_game(pb.ValidateGameRequest(game=game)).problems
    for problem in found:
        assert_names_no_card(problem.message)
        assert problem.path == "game" or problem.path.startswith("game.")
    return [
        f"{problem.path.removeprefix('game.')} {REASON.Name(problem.reason).removeprefix('PROBLEM_REASON_')}"
        for problem in found
    ]


@pytest.mark.parametrize("name", sorted({case.values[0] for case in CASES} | {"naming"}))
def test_the_games_are_sound_before_they_are_spoiled(name: str) -> None:
    assert problems(game_pb2.Game.FromString(sound(name))) == []


@pytest.mark.parametrize(("name", "spoil", "expected"), CASES)
def test_lie_is_named(name: str, spoil: Spoil, expected: list[str]) -> None:
    game = spoiled(name, spoil)
    assert problems(game) == expected


@pytest.mark.parametrize(("name", "spoil", "expected"), CASES)
def test_every_method_refuses_it_alike(name: str, spoil: Spoil, expected: list[str]) -> None:
    game = spoiled(name, spoil)
    named = methods.validate_game(pb.ValidateGameRequest(game=game)).problems
    whole = [(problem.path, problem.message) for problem in named]
    calls: list[tuple[Any, Any]] = [
        (methods.list_legal_moves, pb.ListLegalMovesRequest(game=game)),
        (methods.validate_move, pb.ValidateMoveRequest(game=game, move=MOVE)),
        (methods.apply_move, pb.ApplyMoveRequest(game=game, move=MOVE)),
        (methods.deal_hand, pb.DealHandRequest(game=game, deal=records_pb2.Deal())),
        (methods.view_game, pb.ViewGameRequest(game=game, viewers=[1])),  # type: ignore[list-item]
    ]
    for method, request in calls:
        with pytest.raises(ProblemsError) as caught:
            method(request)
        assert [(problem.path, problem.message) for problem in caught.value.problems] == whole
