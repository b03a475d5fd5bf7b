"""UndoMove: the game before the last move of the hand, its revision risen."""

import random

import pytest

from tarneeb.v1 import game_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.problems import ProblemReason, ProblemsError
from tarneeb_service.engine.state import LAST_NUMBER, GameOver
from tarneeb_service.rpc import methods
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tests.random_games import steps
from tests.rpc.bad_games import sound
from tests.trust.wrong import raw

EVERY_VIEWER: list[int] = [1, 2, 3, 4, 5]


def undone(game: game_pb2.Game, **fields: object) -> pb.UndoMoveResponse:
    return methods.undo_move(pb.UndoMoveRequest(game=game, **fields))  # type: ignore[arg-type]


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_an_undo_answers_with_the_game_before_and_its_views(preset: str) -> None:
    for step in steps(presets()[preset].rules, random.Random(preset), hands=1):
        if step.move is None:
            continue
        before, after = encode_game(step.before), encode_game(step.after)
        answer = undone(after, viewers=EVERY_VIEWER)
        assert answer.revision == answer.game.revision == after.revision + 1
        assert answer.undone == encode_move(step.move)
        [event] = answer.events
        assert event.move_undone.move == answer.undone
        assert event.move_undone.hand_number == after.hand_number
        assert event.move_undone.hand_reopened == after.hand.HasField("result")
        shown = methods.view_game(pb.ViewGameRequest(game=before, viewers=EVERY_VIEWER)).views  # type: ignore[arg-type]
        for view in shown:
            view.revision = answer.revision
        # To the byte.
        assert [raw(view) for view in answer.views] == [raw(view) for view in shown]
        before.revision = answer.revision
        assert answer.game == before


def test_a_game_comes_back_in_the_form_it_came_in() -> None:
    game = game_pb2.Game.FromString(sound("play"))
    assert not undone(game).snapshot
    answer = methods.undo_move(pb.UndoMoveRequest(snapshot=game.SerializeToString()))
    assert not answer.HasField("game")
    assert game_pb2.Game.FromString(answer.snapshot) == undone(game).game
    assert answer.revision == game.revision + 1


def test_a_move_for_the_game_taken_back_is_stale() -> None:
    game = game_pb2.Game.FromString(sound("play"))
    move = methods.list_legal_moves(pb.ListLegalMovesRequest(game=game)).moves[0]
    move.revision = game.revision
    verdict = methods.validate_move(pb.ValidateMoveRequest(game=undone(game).game, move=move)).verdict
    assert verdict.reason == verdicts_pb2.REFUSAL_REASON_STALE_REVISION
    assert verdict.game_revision == game.revision + 1


def test_a_won_game_is_open_again() -> None:
    *_, step = steps(presets()["saharat_classic"].rules, random.Random(5))
    assert isinstance(step.after, GameOver)
    answer = undone(encode_game(step.after))
    assert answer.game.phase == game_pb2.PHASE_PLAY
    assert not answer.game.HasField("outcome")
    assert answer.game.scores == answer.game.hand.scores_before
    assert answer.events[0].move_undone.hand_reopened


@pytest.mark.parametrize("form", ["game", "snapshot"])
@pytest.mark.parametrize("dealt", [False, True])
def test_a_deal_is_not_undone(dealt: bool, form: str) -> None:
    for step in steps(presets()["mulouk_41"].rules, random.Random(1), hands=2):
        if step.move is None:
            game = encode_game(step.after)
            if not dealt:
                game = encode_game(step.before)
                if game.hand.HasField("result"):
                    # The hand before is still open to an undo.
                    assert undone(game).game.phase != game_pb2.PHASE_AWAITING_DEAL
                    continue
            request = pb.UndoMoveRequest(game=game)
            if form == "snapshot":
                request = pb.UndoMoveRequest(snapshot=game.SerializeToString())
            with pytest.raises(ProblemsError) as caught:
                methods.undo_move(request)
            [problem] = caught.value.problems
            assert (problem.path, problem.reason) == (form, ProblemReason.WRONG_PHASE)


def test_the_last_revision_is_the_last() -> None:
    game = game_pb2.Game.FromString(sound("play"))
    game.revision = LAST_NUMBER
    with pytest.raises(ProblemsError) as caught:
        undone(game)
    assert [problem.path for problem in caught.value.problems] == ["game.revision"]
    game.revision -= 1
    assert undone(game).revision == LAST_NUMBER


def test_viewers_are_checked() -> None:
    game = game_pb2.Game.FromString(sound("play"))
    with pytest.raises(ProblemsError) as caught:
        undone(game, viewers=[1, 1])
    assert [problem.path for problem in caught.value.problems] == ["viewers[1]"]
    with pytest.raises(ProblemsError) as caught:
        methods.undo_move(pb.UndoMoveRequest())
    assert [problem.path for problem in caught.value.problems] == ["game"]
