"""What holds for every rule set, every state and every move."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import BIT, FULL_DECK, SUIT_MASK, mask_of
from tarneeb_service.engine.events import GameWon, HandEnded, TrickWon
from tarneeb_service.engine.moves import Move, PlayCard
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.rules import Revoke, RuleSet
from tarneeb_service.engine.scoring import add_points, outcome_of
from tarneeb_service.engine.state import (
    AwaitingDeal,
    GameOver,
    HandEnd,
    InAuction,
    InPlay,
    State,
    result_of,
    scores_of,
    seat_to_act,
)
from tarneeb_service.engine.verdicts import LEGAL, RefusalReason, Ruling
from tests.positions import deal, make, new_game
from tests.random_games import all_moves, any_moves, pick, random_deal, states, steps
from tests.scale import SCALE
from tests.strategies import any_rules, seeds

EVERY_MOVE = all_moves()


def is_revoke(state: State, move: Move) -> bool:
    if not isinstance(state, InPlay) or not isinstance(move, PlayCard) or not state.play.trick:
        return False
    holding = state.play.holdings[move.seat]
    led = SUIT_MASK[state.play.trick[0] >> 4]
    return bool(holding & BIT[move.card] and not BIT[move.card] & led and holding & led)


def judged_as_listed(state: State, candidates: list[Move]) -> None:
    listed = game.legal_moves(state)
    assert len(set(listed)) == len(listed)
    assert {move.seat for move in listed} <= {seat_to_act(state)}
    forfeits = state.header.rules.revoke is Revoke.FORFEITS
    for move in {*candidates, *listed}:
        verdict = game.judge(state, move)
        assert (verdict is LEGAL) == (move in listed)
        assert (verdict.ruling is Ruling.LEGAL) == (move in listed)
        if verdict.ruling is Ruling.FORFEITS:
            # A revoke is accepted without being listed, and nothing else is.
            assert forfeits
            assert is_revoke(state, move)
            assert move.seat == seat_to_act(state)
        elif forfeits and move.seat == seat_to_act(state):
            assert not is_revoke(state, move)


@given(rules=any_rules(), seed=seeds())
def test_judge_accepts_what_legal_moves_lists(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    for state in states(rules, chance, hands=2, wildness=0.3):
        judged_as_listed(state, any_moves(state, chance, 12))


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_judge_accepts_what_legal_moves_lists_of_all_moves(preset: str) -> None:
    chance = random.Random(preset)
    for state in states(presets()[preset].rules, chance, hands=1):
        judged_as_listed(state, EVERY_MOVE)


@given(rules=any_rules(), seed=seeds())
def test_apply_refuses_what_judge_refuses_and_changes_nothing(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    for state in states(rules, chance, hands=2, wildness=0.3):
        before = repr(state)
        for move in [*any_moves(state, chance, 4), *game.legal_moves(state)[:1]]:
            made_for = chance.choice((None, state.revision, state.revision + 1))
            verdict, after, events = game.apply(state, move, made_for)
            assert verdict == game.judge(state, move, made_for)
            if verdict.accepted:
                assert after.revision == state.revision + 1
                assert events
            else:
                assert after is state
                assert events == []
                assert verdict.reason is not None
                assert verdict.rule_id
                assert verdict.message
        assert repr(state) == before


@given(rules=any_rules(), seed=seeds())
def test_cards_are_conserved(rules: RuleSet, seed: int) -> None:
    for state in states(rules, random.Random(seed), hands=2):
        if isinstance(state, InPlay):
            holdings, played = state.play.holdings, state.play.played
            assert sum(holdings) + mask_of(played) == FULL_DECK
            assert len(set(played)) == len(played)
            # Dealt is what is held and what was played.
            for seat in range(4):
                assert holdings[seat] & state.deal.dealt[seat] == holdings[seat]
            counts = [mask.bit_count() for mask in holdings]
            assert max(counts) - min(counts) <= 1
            assert len(state.play.winners) == len(played) // 4


@given(rules=any_rules(), seed=seeds())
def test_scores_follow_from_the_hands(rules: RuleSet, seed: int) -> None:
    scores = (0,) * rules.sides
    for step in steps(rules, random.Random(seed), hands=6):
        result = result_of(step.after)
        if result is None or step.before.revision == step.after.revision:
            assert scores_of(step.after) == scores
            continue
        ended = [event for event in step.events if isinstance(event, HandEnded)]
        assert [event.result for event in ended] == [result]
        void = result.end in (HandEnd.ALL_PASSED, HandEnd.LOW_TOTAL)
        assert (result.lines == ()) == void
        if not void:
            counts = sum(line.tricks for line in result.lines)
            assert counts == 13 or (rules.individual and result.end is HandEnd.FORFEITED)
        outcome = None if void else outcome_of(rules, scores, result)
        scores = add_points(scores, result)
        assert scores_of(step.after) == scores == ended[0].scores
        won = [event.outcome for event in step.events if isinstance(event, GameWon)]
        assert won == ([] if outcome is None else [outcome])
        assert isinstance(step.after, GameOver) == (outcome is not None)


@given(rules=any_rules(), seed=seeds())
def test_tricks_are_awarded_once(rules: RuleSet, seed: int) -> None:
    awarded = 0
    for step in steps(rules, random.Random(seed), hands=2):
        awarded = 0 if step.dealt is not None else awarded
        for event in step.events:
            if isinstance(event, TrickWon):
                awarded += 1
                assert event.number == awarded
        if isinstance(step.after, InPlay):
            assert len(step.after.play.winners) == awarded


@given(rules=any_rules(), seed=seeds())
def test_the_same_inputs_give_the_same_game(rules: RuleSet, seed: int) -> None:
    one = [repr(step) for step in steps(rules, random.Random(seed), hands=2)]
    other = [repr(step) for step in steps(rules, random.Random(seed), hands=2)]
    assert one == other


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_c13_looking_changes_nothing(preset: str) -> None:
    for state in states(presets()[preset].rules, random.Random(preset), hands=1):
        before = repr(state)
        first = game.legal_moves(state)
        for _ in range(20):
            game.legal_moves(state).clear()
        assert game.legal_moves(state) == first
        assert repr(state) == before


@pytest.mark.parametrize("preset", ["saharat_classic", "jawaker_egyptian", "mulouk_41", "saharat_400"])
def test_c28_a_thousand_void_hands(preset: str) -> None:
    state: State = new_game(preset)
    size = 0
    for number in range(1, 1001):
        assert isinstance(state, AwaitingDeal)
        dealer = state.next_dealer
        state = deal(state)
        assert isinstance(state, InAuction)
        assert state.deal.number == number
        individual = state.header.rules.individual
        word = "2" if individual else "P"
        state = make(state, " ".join(f"{(dealer + place) % 4}:{word}" for place in (1, 2, 3, 4)))
        assert isinstance(state, AwaitingDeal)
        assert scores_of(state) == (0,) * state.header.rules.sides
        # Nothing of earlier hands is kept.
        if number == 8:
            size = len(repr(state))
    assert len(repr(state)) - size < 20
    assert state.revision == 5000


@given(one=any_rules(), other=any_rules(), seed=seeds())
@settings(max_examples=15 * SCALE)
def test_interleaved_games_do_not_influence_each_other(one: RuleSet, other: RuleSet, seed: int) -> None:
    alone = [
        [repr(step.after) for step in steps(rules, random.Random(seed), hands=2)] for rules in (one, other)
    ]
    games = [steps(rules, random.Random(seed), hands=2) for rules in (one, other)]
    together: list[list[str]] = [[], []]
    while any(len(seen) < len(whole) for seen, whole in zip(together, alone, strict=True)):
        for seen, running in zip(together, games, strict=True):
            step = next(running, None)
            if step is not None:
                seen.append(repr(step.after))
    assert together == alone


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_an_undo_is_keeping_the_old_state(preset: str) -> None:
    chance = random.Random(preset)
    for state in states(presets()[preset].rules, chance, hands=1):
        if isinstance(state, AwaitingDeal | GameOver):
            continue
        moves = {pick(state, chance, 1.0) for _ in range(2)}
        again = [game.apply(state, move) for move in moves for _ in range(2)]
        assert again[0] == again[1]


def test_no_move_is_legal_when_none_is_due() -> None:
    waiting = new_game("saharat_classic")
    assert game.legal_moves(waiting) == []
    assert {game.judge(waiting, move).reason for move in EVERY_MOVE} == {RefusalReason.WRONG_PHASE}


def test_random_games_end_hands_in_every_way() -> None:
    """Else the properties above would say nothing of void and forfeited hands."""
    ends = set()
    for preset in PRESET_IDS:
        rules = replace(presets()[preset].rules, revoke=Revoke.FORFEITS)
        for number in range(4):
            for step in steps(rules, random.Random(number), hands=40):
                ends |= {event.result.end for event in step.events if isinstance(event, HandEnded)}
    assert ends == set(HandEnd)


def test_random_deals_are_whole() -> None:
    for preset in PRESET_IDS:
        dealt, turned = random_deal(new_game(preset), random.Random(1))
        assert sum(dealt) == FULL_DECK
        assert (turned is not None) == presets()[preset].rules.turns_card
