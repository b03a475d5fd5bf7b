"""Replays and batches answer as the single calls do, and stop or go on where they should."""

import random
import time
from typing import Any

import pytest
from google.protobuf.message import Message

from tarneeb.v1 import cards_pb2, errors_pb2, moves_pb2, records_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.presets import PRESET_IDS, presets, resolve
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.rpc import methods
from tarneeb_service.wire.cards import encode_card, encode_cards, encode_seat
from tarneeb_service.wire.events import encode_events
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tarneeb_service.wire.problems import encode_problems
from tarneeb_service.wire.verdicts import encode_verdict
from tests import random_games

SPECTATOR = 5


def played(
    preset_id: str, seed: int, hands: int = 200, target: int | None = None
) -> tuple[records_pb2.GameRecord, list[random_games.Step]]:
    """A record of a random game, and its steps."""
    rules = resolve(preset_id, {} if target is None else {"target": target})
    steps = list(random_games.steps(rules, random.Random(seed), hands=hands, name="r"))
    overrides = rules_pb2.RuleSet(target=target)
    record = records_pb2.GameRecord(
        id="r",
        rule_set=rules_pb2.RuleSetChoice(preset_id=preset_id, overrides=overrides),
        first_dealer=encode_seat(steps[0].before.next_dealer),  # type: ignore[union-attr]  # the first awaits a deal
    )
    for step in steps:
        if step.move is not None:
            record.hands[-1].moves.append(encode_move(step.move))
            continue
        assert step.dealt is not None
        hands_dealt = [cards_pb2.CardSet(cards=encode_cards(cards_of(mask))) for mask in step.dealt]
        dealt = records_pb2.DealtHands(hands=hands_dealt, turned_card=encode_card(step.turned))
        record.hands.add(deal=records_pb2.Deal(hands=dealt))
    return record, steps


def replay(record: records_pb2.GameRecord, **fields: object) -> pb.ReplayGameResponse:
    request = pb.ReplayGameRequest(record=record)
    for name, value in fields.items():
        if isinstance(value, list):
            getattr(request, name).extend(value)
        else:
            setattr(request, name, value)
    return methods.replay_game(request)


def without_preset(message: Message) -> Message:
    copy = type(message)()
    copy.CopyFrom(message)
    copy.ClearField("preset_id")
    return copy


@pytest.mark.parametrize("preset_id", PRESET_IDS)
def test_a_replay_is_the_game_step_by_step(preset_id: str) -> None:
    record, steps = played(preset_id, 3, hands=3)
    answer = replay(record, step_detail=pb.STEP_DETAIL_GAMES)
    assert answer.accepted_steps == answer.total_steps == len(steps)
    assert not answer.HasField("refused")
    for ours, step in zip(answer.steps, steps, strict=True):
        assert without_preset(ours.game) == encode_game(step.after)
        assert list(ours.events) == encode_events(step.events)
    assert answer.game == answer.steps[-1].game
    views = replay(record, step_detail=pb.STEP_DETAIL_VIEWS, viewers=[1, SPECTATOR])
    assert [step.views[1].revision for step in views.steps] == list(range(1, len(steps) + 1))
    assert not any(step.HasField("game") for step in views.steps)


def test_a_replay_shows_the_steps_asked_for() -> None:
    record, steps = played("saharat_classic", 1, hands=2)
    everything = replay(record, step_detail=pb.STEP_DETAIL_EVENTS)
    some = replay(record, step_detail=pb.STEP_DETAIL_EVENTS, first_step=10, step_limit=5)
    assert list(some.steps) == list(everything.steps)[9:14]
    assert not replay(record).steps
    assert replay(record).accepted_steps == len(steps)
    with pytest.raises(ProblemsError, match="step_limit"):
        replay(record, step_detail=pb.STEP_DETAIL_EVENTS, step_limit=1001)
    with pytest.raises(ProblemsError, match="step_detail"):
        replay(record, step_detail=9)


def test_a_replay_stops_before_the_first_wrong_move() -> None:
    record, _ = played("saharat_classic", 2, hands=2)
    legal = record.hands[0].moves[7]
    wrong = record.hands[0].moves[7].seat % 4 + 1
    legal.seat = cards_pb2.Seat.ValueType(wrong)
    answer = replay(record)
    assert (answer.refused.hand_number, answer.refused.move_number, answer.accepted_steps) == (1, 8, 8)
    assert answer.refused.verdict.reason
    assert answer.refused.move == legal
    assert answer.game.revision == 8


def test_a_replay_says_why_a_step_can_not_be_judged() -> None:
    record, _ = played("saharat_classic", 2, hands=2)
    record.hands[0].moves[4].ClearField("seat")
    answer = replay(record)
    assert [problem.path for problem in answer.refused.problems] == ["record.hands[0].moves[4].seat"]
    record, _ = played("saharat_classic", 2, hands=2)
    record.hands[1].deal.hands.hands[2].cards.pop()
    answer = replay(record)
    assert (answer.refused.hand_number, answer.refused.move_number) == (2, 0)
    assert answer.refused.problems[0].path == "record.hands[1].deal.hands.hands[2].cards"
    del record.hands[0].moves[9:]
    answer = replay(record)
    assert answer.refused.problems[0].path == "record.hands[1].deal"
    assert answer.refused.problems[0].reason == errors_pb2.PROBLEM_REASON_WRONG_PHASE
    record.hands[1].ClearField("deal")
    assert replay(record).refused.problems[0].path == "record.hands[1].deal"


def test_a_replay_keeps_to_the_revisions_named_when_asked_to() -> None:
    record, _ = played("saharat_classic", 2, hands=1)
    record.hands[0].moves[3].revision = 4
    assert not replay(record, check_revisions=True).HasField("refused")
    record.hands[0].moves[3].revision = 5
    assert not replay(record).HasField("refused")
    assert replay(record, check_revisions=True).refused.verdict.game_revision == 4


def test_records_are_limited() -> None:
    base = records_pb2.GameRecord(
        id="r",
        rule_set=rules_pb2.RuleSetChoice(preset_id="saharat_classic"),
        first_dealer=cards_pb2.SEAT_EAST,
    )
    hands = records_pb2.GameRecord()
    hands.CopyFrom(base)
    hands.hands.extend(records_pb2.RecordedHand() for _ in range(1001))
    moves = records_pb2.GameRecord()
    moves.CopyFrom(base)
    moves.hands.add().moves.extend(moves_pb2.Move() for _ in range(100_001))
    for record, words in ((hands, "1000 hands"), (moves, "100000 moves")):
        with pytest.raises(ProblemsError, match=words):
            replay(record)
    base.rule_set.preset_id = "nobody_plays_this"
    with pytest.raises(ProblemsError, match=r"record\.rule_set\.preset_id"):
        replay(base)
    with pytest.raises(ProblemsError, match="record"):
        methods.replay_game(pb.ReplayGameRequest())


def test_a_record_of_thousands_of_moves_is_the_game_step_by_step() -> None:
    """A hundred hands to a target that nobody reaches; every step of some windows, and the end."""
    record, steps = played("saharat_classic", 8, hands=100, target=100_000)
    moves = sum(len(hand.moves) for hand in record.hands)
    assert moves > 5_000
    began = time.perf_counter()
    answer = replay(record)
    print(f"{moves} moves of {len(record.hands)} hands replayed in {time.perf_counter() - began:.2f} s")
    assert not answer.HasField("refused")
    assert answer.accepted_steps == answer.total_steps == len(steps)
    assert without_preset(answer.game) == encode_game(steps[-1].after)
    for first in (1, 777, len(steps) - 60):
        games = replay(record, step_detail=pb.STEP_DETAIL_GAMES, first_step=first, step_limit=100).steps
        views = replay(
            record, step_detail=pb.STEP_DETAIL_VIEWS, viewers=[3, SPECTATOR], first_step=first, step_limit=100
        ).steps
        window = steps[first - 1 : first + 99]
        for ours, shown, step in zip(games, views, window, strict=True):
            assert without_preset(ours.game) == encode_game(step.after)
            assert list(ours.events) == list(shown.events) == encode_events(step.events)
            request = pb.ViewGameRequest(game=ours.game, viewers=[3, SPECTATOR])  # type: ignore[list-item]
            assert list(shown.views) == list(methods.view_game(request).views)
    assert not replay(record, step_detail=pb.STEP_DETAIL_EVENTS, first_step=len(steps) + 1).steps
    default = replay(record, step_detail=pb.STEP_DETAIL_EVENTS, first_step=2)
    assert len(default.steps) == 1_000
    assert (default.steps[0].hand_number, default.steps[0].move_number) == (1, 1)


def test_each_step_is_what_apply_move_and_deal_hand_answer() -> None:
    """The same record, sent one step at a time as a backend does."""
    record, _ = played("jawaker_egyptian", 5, hands=2)
    steps = iter(replay(record, step_detail=pb.STEP_DETAIL_VIEWS, viewers=[2, SPECTATOR]).steps)
    stored = methods.create_game(
        pb.CreateGameRequest(id=record.id, rule_set=record.rule_set, first_dealer=record.first_dealer)
    ).game
    viewers: Any = [2, SPECTATOR]
    for hand in record.hands:
        dealt = methods.deal_hand(pb.DealHandRequest(game=stored, deal=hand.deal, viewers=viewers))
        _assert_same_step(next(steps), dealt)
        stored = dealt.game
        for move in hand.moves:
            made = methods.apply_move(pb.ApplyMoveRequest(game=stored, move=move, viewers=viewers))
            _assert_same_step(next(steps), made)
            stored = made.game
    assert replay(record).game == stored
    assert next(steps, None) is None


def _assert_same_step(step: pb.ReplayedStep, answer: pb.DealHandResponse | pb.ApplyMoveResponse) -> None:
    assert list(step.events) == list(answer.events)
    assert list(step.views) == list(answer.views)


@pytest.mark.parametrize("preset_id", PRESET_IDS)
def test_one_wrong_move_anywhere_is_found_where_it_is(preset_id: str) -> None:
    """One move changed for one that is refused: all before it counts, nothing after it."""
    record, steps = played(preset_id, 4, hands=3)
    chance = random.Random(preset_id)
    places = [(number, step) for number, step in enumerate(steps) if step.move is not None]
    for number, step in chance.sample(places, 12):
        assert step.move is not None
        refused = [
            move
            for move in random_games.any_moves(step.before, chance, 40)
            # A bid of nothing has no form on the wire.
            if not game.judge(step.before, move).accepted and getattr(move, "tricks", True)
        ]
        wrong = chance.choice(refused)
        hand = sum(1 for earlier in steps[: number + 1] if earlier.move is None)
        move_number = number - max(index for index, other in enumerate(steps[:number]) if other.move is None)
        changed = records_pb2.GameRecord()
        changed.CopyFrom(record)
        changed.hands[hand - 1].moves[move_number - 1].CopyFrom(encode_move(wrong))
        answer = replay(changed, step_detail=pb.STEP_DETAIL_GAMES, first_step=max(number, 1), step_limit=1)
        assert (answer.refused.hand_number, answer.refused.move_number) == (hand, move_number)
        assert answer.accepted_steps == number
        assert answer.total_steps == len(steps)
        assert answer.refused.verdict == encode_verdict(game.judge(step.before, wrong))
        assert without_preset(answer.game) == encode_game(step.before)


def items() -> list[pb.ValidateMoveRequest]:
    chance = random.Random(4)
    requests = [
        pb.ValidateMoveRequest(game=encode_game(state), move=encode_move(move))
        for state in random_games.states(presets()["jawaker_egyptian"].rules, chance, hands=2)
        for move in random_games.any_moves(state, chance, 2)
    ]
    return chance.sample(requests, 100)


def alone(request: pb.ValidateMoveRequest) -> pb.MoveResult:
    """The result that a call of its own would lead to."""
    try:
        return pb.MoveResult(verdict=methods.validate_move(request).verdict)
    except ProblemsError as error:
        reason, problems = errors_pb2.ERROR_REASON_INVALID_REQUEST, error.problems
    return pb.MoveResult(
        problems=pb.RequestProblems(
            reason=reason, problems=encode_problems(problems), problem_count=len(problems)
        )
    )


def test_a_batch_answers_each_item_as_a_call_would() -> None:
    requests = items()
    requests[10].ClearField("game")
    requests[20].game.hand.dealt[0].cards.pop()
    requests[40].ClearField("move")
    results = methods.validate_moves(pb.ValidateMovesRequest(items=requests)).results
    assert list(results) == [alone(request) for request in requests]
    assert [index for index, result in enumerate(results) if result.HasField("problems")] == [10, 20, 40]


def test_a_newer_game_in_a_batch_answers_for_itself() -> None:
    requests = items()[:3]
    requests[1].game.rules_revision = 99
    results = methods.validate_moves(pb.ValidateMovesRequest(items=requests)).results
    assert [result.problems.reason for result in results] == [0, errors_pb2.ERROR_REASON_NEWER_RULES, 0]


def test_a_batch_has_a_maximum() -> None:
    batch = pb.ValidateMovesRequest(items=[pb.ValidateMoveRequest()] * 256)
    assert len(methods.validate_moves(batch).results) == 256
    batch.items.add()
    with pytest.raises(ProblemsError, match="at most 256"):
        methods.validate_moves(batch)
    assert not methods.validate_moves(pb.ValidateMovesRequest()).results
