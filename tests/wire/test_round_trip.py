"""Games to messages and back: what comes back is equal, and equal games are the same bytes."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tarneeb.v1 import game_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import CARD_OF_TEXT
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.rules import RULES_REVISION, RuleSet
from tarneeb_service.engine.state import GameOver, NamingTrump, State
from tarneeb_service.rpc.games import state_of
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import decode_move, encode_move
from tarneeb_service.wire.rules import decode_rules, encode_rules
from tests.random_games import all_moves, states, steps
from tests.scale import SCALE
from tests.strategies import any_rules, seeds, sound_rules

# Fields that follow from the others.
DERIVED_OF_GAME = ("scores", "next_dealer", "phase", "seat_to_act", "outcome")
DERIVED_OF_HAND = ("contract", "trump", "opening_leader", "trick_winners", "result")


def bytes_of(state: State) -> bytes:
    return encode_game(state).SerializeToString(deterministic=True)


def back(data: bytes) -> State:
    return state_of(game_pb2.Game.FromString(data))


@given(rules=any_rules(), seed=seeds())
def test_every_state_comes_back_equal(rules: RuleSet, seed: int) -> None:
    for state in states(rules, random.Random(seed), hands=2, wildness=0.3):
        again = back(bytes_of(state))
        assert again == state
        assert type(again) is type(state)
        assert bytes_of(again) == bytes_of(state)


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_every_state_of_a_whole_game_comes_back_equal(preset: str) -> None:
    for state in states(presets()[preset].rules, random.Random(preset)):
        assert back(bytes_of(state)) == state
    assert isinstance(state, GameOver)


@given(rules=any_rules(), seed=seeds())
@settings(max_examples=15 * SCALE)
def test_playing_the_same_again_gives_the_same_bytes(rules: RuleSet, seed: int) -> None:
    """Moves made one by one, each on a game that went over the wire, give what the engine has in one go."""
    for step in steps(rules, random.Random(seed), hands=2):
        before = back(bytes_of(step.before))
        if step.move is None:
            assert step.dealt is not None
            assert not isinstance(before, GameOver)
            after: State = game.deal(before, step.dealt, step.turned)[0]  # type: ignore[arg-type]
        else:
            _, after, events = game.apply(before, step.move)
            assert events == step.events
        assert bytes_of(after) == bytes_of(step.after)


@given(rules=sound_rules())
def test_rules_come_back_equal(rules: RuleSet) -> None:
    message = encode_rules(rules)
    assert all(message.HasField(field.name) for field in message.DESCRIPTOR.fields)  # type: ignore[arg-type]
    assert decode_rules(message, RULES_REVISION) == rules
    assert decode_rules(rules_pb2.RuleSet.FromString(message.SerializeToString()), RULES_REVISION) == rules


def test_writing_to_an_answer_changes_no_other() -> None:
    rules = presets()["saharat_classic"].rules
    before = encode_rules(rules).SerializeToString()
    encode_rules(rules).target = 1
    assert encode_rules(rules).SerializeToString() == before


def test_every_move_comes_back_equal() -> None:
    for move in all_moves():
        tricks = getattr(move, "tricks", 1)
        if tricks == 0:
            continue
        for revision in (None, 0, 7):
            request = pb.ValidateMoveRequest(move=encode_move(move))
            if revision is not None:
                request.move.revision = revision
            assert decode_move(request.move, "move") == (move, revision)


@given(rules=any_rules(), seed=seeds(), data=st.data())
@settings(max_examples=60 * SCALE)
def test_any_change_of_a_derived_field_is_found(rules: RuleSet, seed: int, data: st.DataObject) -> None:
    chance = random.Random(seed)
    played = list(states(rules, chance, hands=2))
    state = data.draw(st.sampled_from(played))
    message = game_pb2.Game.FromString(bytes_of(state))
    of_hand = message.HasField("hand") and data.draw(st.booleans())
    target: Any = message.hand if of_hand else message
    # Before the first deal scores and next dealer are given, and so is the trump that a declarer named.
    names = list(DERIVED_OF_HAND if of_hand else DERIVED_OF_GAME)
    if not message.HasField("hand"):
        names = ["phase", "seat_to_act", "outcome"]
    if of_hand and rules.trump.name == "NAMED" and (message.hand.trump or isinstance(state, NamingTrump)):
        names.remove("trump")
    name = data.draw(st.sampled_from(names))
    before = target.SerializeToString(deterministic=True)
    change(target, name, data)
    if target.SerializeToString(deterministic=True) == before:
        return
    with pytest.raises(ProblemsError) as caught:
        back(message.SerializeToString())
    path = f"game.hand.{name}" if of_hand else f"game.{name}"
    assert any(problem.path.startswith(path) for problem in caught.value.problems)


def change(target: Any, name: str, data: st.DataObject) -> None:
    field = target.DESCRIPTOR.fields_by_name[name]
    if field.is_repeated:
        values = getattr(target, name)
        if values and data.draw(st.booleans()):
            values[data.draw(st.integers(0, len(values) - 1))] = data.draw(st.integers(-3, 9))
        else:
            values.append(data.draw(st.integers(0, 4)))
    elif field.message_type is not None:
        inner = data.draw(
            st.sampled_from([part.name for part in field.message_type.fields if not part.is_repeated])
        )
        if target.HasField(name) and data.draw(st.booleans()):
            target.ClearField(name)
        else:
            value = getattr(target, name)
            value.SetInParent()
            setattr(value, inner, data.draw(st.integers(0, 1 if inner == "doubled" else 9)))
    else:
        setattr(target, name, data.draw(st.integers(0, 9)))


def test_cards_may_come_in_any_order() -> None:
    state = next(
        state
        for state in states(presets()["saharat_classic"].rules, random.Random(1), hands=1)
        if state.revision == 3
    )
    message = encode_game(state)
    for dealt in message.hand.dealt:
        cards = list(dealt.cards)
        random.Random(2).shuffle(cards)
        del dealt.cards[:]
        dealt.cards.extend(cards)
    again = state_of(message)
    assert again == state
    # Answers list them in ascending order.
    assert all(list(dealt.cards) == sorted(dealt.cards) for dealt in encode_game(again).hand.dealt)


def test_numbers_of_cards_are_those_of_the_engine() -> None:
    assert CARD_OF_TEXT["C2"] == 18
    assert CARD_OF_TEXT["SA"] == 78
