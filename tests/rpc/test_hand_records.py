"""The record of a hand comes with its last move, and what callers append is a record that can be played again."""

import random
from dataclasses import replace

import pytest

from tarneeb.v1 import game_pb2, records_pb2, rules_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.rules import RULES_REVISION, Revoke
from tarneeb_service.rpc import methods
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tarneeb_service.wire.problems import NewerRulesError
from tests.random_games import steps
from tests.rpc.bad_games import sound
from tests.rpc.samples import record as some_record


def played(preset: str, number: int = 0) -> tuple[records_pb2.GameRecord, game_pb2.Game]:
    """A few hands made through ApplyMove, and the record that a caller kept of them."""
    rules = replace(presets()[preset].rules, revoke=Revoke.FORFEITS)
    record = records_pb2.GameRecord(id="g", rules_revision=RULES_REVISION)
    game = game_pb2.Game()
    for step in steps(rules, random.Random(f"{preset} {number}"), hands=4, wildness=0.1):
        if step.move is None:
            if not record.first_dealer:
                first = encode_game(step.before)
                record.first_dealer = first.next_dealer
                overrides = rules_pb2.RuleSet.FromString(first.rules.SerializeToString())
                record.rule_set.CopyFrom(rules_pb2.RuleSetChoice(preset_id=preset, overrides=overrides))
            game = encode_game(step.after)
            continue
        answer = methods.apply_move(pb.ApplyMoveRequest(game=game, move=encode_move(step.move)))
        game = answer.game
        assert answer.HasField("hand_record") == game.hand.HasField("result")
        if answer.HasField("hand_record"):
            record.hands.append(answer.hand_record)
    return record, game


@pytest.mark.parametrize("preset", [name for name in PRESET_IDS if name != "mulouk_41"])
def test_what_a_caller_appends_can_be_played_again(preset: str) -> None:
    record, game = played(preset)
    assert record.hands
    replayed = methods.replay_game(pb.ReplayGameRequest(record=record))
    assert not replayed.HasField("refused")
    game.preset_id = preset
    assert replayed.game == game


def test_hands_of_every_end_have_a_record() -> None:
    ends = set()
    for preset in ("saharat_classic", "mulouk_41", "cardgames_zone"):
        for number in range(6):
            record, _ = played(preset, number)
            request = pb.ReplayGameRequest(record=record, step_detail=pb.STEP_DETAIL_EVENTS)
            for step in methods.replay_game(request).steps:
                ends |= {each.hand_ended.result.end for each in step.events if each.HasField("hand_ended")}
    assert ends == {end for end in game_pb2.HandEnd.values() if end}


def test_a_refused_move_has_no_record() -> None:
    game = game_pb2.Game.FromString(sound("play"))
    move = methods.list_legal_moves(pb.ListLegalMovesRequest(game=game)).moves[0]
    move.revision = game.revision + 1
    answer = methods.apply_move(pb.ApplyMoveRequest(game=game, move=move))
    assert answer.verdict.ruling == verdicts_pb2.RULING_REFUSED
    assert not answer.HasField("hand_record")


def test_revisions_in_a_record_are_checked_when_asked_for() -> None:
    record = some_record()
    for index, move in enumerate(record.hands[0].moves):
        move.revision = index + 1
    right = pb.ReplayGameRequest(record=record, check_revisions=True)
    assert not methods.replay_game(right).HasField("refused")
    record.hands[0].moves[2].revision = 9
    assert not methods.replay_game(pb.ReplayGameRequest(record=record)).HasField("refused")
    refused = methods.replay_game(pb.ReplayGameRequest(record=record, check_revisions=True)).refused
    assert refused.move_number == 3
    assert refused.verdict.reason == verdicts_pb2.REFUSAL_REASON_STALE_REVISION


def test_a_record_of_newer_rules_is_not_played() -> None:
    record = some_record()
    record.rules_revision = RULES_REVISION
    assert methods.replay_game(pb.ReplayGameRequest(record=record)).accepted_steps == 5
    record.rules_revision += 1
    with pytest.raises(NewerRulesError):
        methods.replay_game(pb.ReplayGameRequest(record=record))
