"""A move taken back: the game is the one before it, but for a revision that goes on."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given

from tarneeb_service.engine import game
from tarneeb_service.engine.events import HandEnded, MoveUndone
from tarneeb_service.engine.moves import Move, NameTrump
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.rules import Revoke, RuleSet
from tarneeb_service.engine.state import AwaitingDeal, GameOver, HandEnd, State, phase_of
from tarneeb_service.engine.undo import moves_of_hand, undo
from tarneeb_service.engine.verdicts import RefusalReason
from tarneeb_service.engine.views import VIEWERS, view
from tests.positions import deal, make, move_of, new_game
from tests.random_games import Step, steps
from tests.strategies import any_rules, seeds


@given(rules=any_rules(), seed=seeds())
def test_an_undone_move_can_be_made_again(rules: RuleSet, seed: int) -> None:
    for step in steps(rules, random.Random(seed), hands=2, wildness=0.3):
        if step.move is not None:
            _taken_back_and_made_again(step, step.move)
        else:
            # A deal stays.
            assert undo(step.after) is None


def _taken_back_and_made_again(step: Step, move: Move) -> None:
    undone = undo(step.after)
    assert undone is not None
    before, taken, events = undone
    assert before == step.before._replace(revision=step.after.revision + 1)
    assert type(before) is type(step.before)
    assert taken == move
    ended = any(isinstance(event, HandEnded) for event in step.events)
    assert [(event.move, event.reopened) for event in events if isinstance(event, MoveUndone)] == [
        (move, ended)
    ]
    for viewer in VIEWERS:
        now, then = view(before, viewer), view(step.before, viewer)
        assert now._replace(public=now.public._replace(revision=0)) == then._replace(
            public=then.public._replace(revision=0)
        )
    # Whoever moves for the game that was taken back is late.
    for made_for in (step.before.revision, step.after.revision):
        assert game.judge(before, move, made_for).reason is RefusalReason.STALE_REVISION
    verdict, after, happened = game.apply(before, move, before.revision)
    assert (verdict, happened) == (step.verdict, step.events)
    assert after == step.after._replace(revision=before.revision + 1)


@given(rules=any_rules(), seed=seeds())
def test_a_hand_is_taken_back_move_by_move(rules: RuleSet, seed: int) -> None:
    *_, (start, made, state) = _hands(rules, seed)
    revision = state.revision
    for number, move in enumerate(reversed(made), start=1):
        undone = undo(state)
        assert undone is not None
        state, taken, _ = undone
        assert taken == move
        assert state.revision == revision + number
    assert state == start._replace(revision=state.revision)
    assert undo(state) is None


@given(rules=any_rules(), seed=seeds())
def test_a_hand_knows_its_moves(rules: RuleSet, seed: int) -> None:
    for _, made, state in _hands(rules, seed):
        assert moves_of_hand(state) == made


def _hands(rules: RuleSet, seed: int) -> Iterator[tuple[State, list[Move], State]]:
    """Each hand of a short game: its first state, its moves, and where they led."""
    hand: list[Step] = []
    for step in steps(rules, random.Random(seed), hands=3, wildness=0.3):
        if step.move is None and hand:
            yield _hand_of(hand)
            hand = []
        hand.append(step)
    yield _hand_of(hand)


def _hand_of(hand: list[Step]) -> tuple[State, list[Move], State]:
    return hand[0].after, [step.move for step in hand if step.move is not None], hand[-1].after


def test_a_hand_is_opened_again_however_it_ended() -> None:
    """Else the properties above would say nothing of it."""
    opened = set()
    for preset in PRESET_IDS:
        rules = replace(presets()[preset].rules, revoke=Revoke.FORFEITS, target=1)
        for number in range(6):
            for step in steps(rules, random.Random(number), hands=6, wildness=0.2):
                if step.move is not None and isinstance(step.after, AwaitingDeal | GameOver):
                    assert step.after.last is not None
                    opened.add((step.after.last.result.end, isinstance(step.after, GameOver)))
                    _taken_back_and_made_again(step, step.move)
    assert {end for end, _ in opened} == set(HandEnd)
    assert {end for end, won in opened if won} >= {HandEnd.SCORED, HandEnd.FORFEITED}


def test_naming_trump_is_taken_back() -> None:
    bid = make(deal(new_game("saharat_classic")), "1:13")
    named = game.apply(bid, NameTrump(1, 3))[1]
    undone = undo(named)
    assert undone is not None
    assert undone[:2] == (bid._replace(revision=4), NameTrump(1, 3))


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_there_is_nothing_to_take_back_before_the_first_deal(preset: str) -> None:
    assert undo(new_game(preset)) is None


def test_the_last_pass_of_a_void_hand_is_taken_back() -> None:
    """The scores, the dealer and the turn are those before it, and the next deal is not made."""
    void = make(deal(new_game("saharat_classic")), "1:P 2:P 3:P 0:P")
    undone = undo(void)
    assert undone is not None
    state, move, events = undone
    assert move == move_of("0:P")
    assert events == [MoveUndone(1, move, reopened=True)]
    assert phase_of(state).name == "AUCTION"
    assert game.legal_moves(state)[0].seat == 0
