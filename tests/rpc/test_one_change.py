"""One change in a sound game is named where it was made; nothing is said of what only hangs on it."""

import random
from dataclasses import replace

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given, settings

from tarneeb.v1 import errors_pb2, game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.rule_checks import problems_in
from tarneeb_service.engine.rules import FIELD_NAMES, Revoke, RuleSet
from tarneeb_service.engine.state import Phase, State, phase_of
from tarneeb_service.rpc import methods
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.rules import encode_rules
from tests.random_games import states
from tests.rpc.bad_games import sound
from tests.rpc.one_change import UNKNOWN, any_change, places_in
from tests.scale import SCALE
from tests.strategies import any_rules, seeds

# A rule may change every side's points, or how many sides there are; all else is named once, or where it is.
MOST_OF_A_RULE = 4
MOST_AT_A_PLACE = 2
UNKNOWN_VALUE = errors_pb2.PROBLEM_REASON_UNKNOWN_VALUE


def problems(game: game_pb2.Game) -> list[errors_pb2.Problem]:
    return [*methods.validate_game(pb.ValidateGameRequest(game=game)).problems]


def is_at(place: str, path: str) -> bool:
    """Whether a path is a place in the game, or below it."""
    return path == f"game.{place}" or path.startswith((f"game.{place}.", f"game.{place}["))


def change_and_look(state: State, chance: random.Random) -> None:
    game = encode_game(state)
    place = any_change(game, chance)
    found = [problem.path for problem in problems(game)]
    # In play the scores are those before the hand.
    places = (place, "scores") if place == "hand.scores_before" else (place,)
    if all(any(is_at(one, path) for one in places) for path in found):
        assert len(found) <= MOST_AT_A_PLACE * len(places), (place, found)
    else:
        assert len(found) == 1, (place, found)


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_a_change_is_named_once(preset: str) -> None:
    chance = random.Random(preset)
    met: set[Phase] = set()
    for revoke in Revoke:
        rules = replace(presets()[preset].rules, revoke=revoke)
        for state in states(rules, chance, hands=2 * SCALE, wildness=0.3):
            met.add(phase_of(state))
            change_and_look(state, chance)
            change_and_look(state, chance)
    assert {Phase.AWAITING_DEAL, Phase.PLAY} <= met


@settings(max_examples=40 * SCALE)
@given(any_rules(), seeds())
def test_a_change_under_house_rules_is_named_once(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    for state in states(rules, chance, hands=2, wildness=0.3):
        if chance.random() < 0.2:
            change_and_look(state, chance)


@settings(max_examples=40 * SCALE)
@given(any_rules(), any_rules(), seeds())
def test_another_rule_is_named_by_little(rules: RuleSet, others: RuleSet, seed: int) -> None:
    """A game whose rules were changed in one switch, where that makes sense."""
    chance = random.Random(seed)
    changed = [replace(rules, **{name: getattr(others, name)}) for name in FIELD_NAMES]
    changed = [one for one in changed if one != rules and not problems_in(one)]
    for state in states(rules, chance, hands=2, wildness=0.3):
        if changed and chance.random() < 0.2:
            game = encode_game(state)
            game.rules.CopyFrom(encode_rules(chance.choice(changed)))
            assert len(problems(game)) <= MOST_OF_A_RULE


def is_open(message: Message, field: FieldDescriptor) -> bool:
    """Whether a field may be set without unsetting another, as the side of a score line would."""
    return field.containing_oneof is None or message.HasField(field.name)


GAMES = ("waiting", "auction", "naming", "play", "egyptian", "400", "sister", "turned", "scored", "over")


@pytest.mark.parametrize("name", GAMES)
def test_an_unknown_number_is_named_as_such_where_it_is(name: str) -> None:
    """Every enum of a game, set or not, rules aside; their unknown numbers are named below."""
    whole = game_pb2.Game.FromString(sound(name))
    paths = [
        path for one, field, path in places_in(whole) if field.enum_type is not None and is_open(one, field)
    ]
    assert len(paths) >= (10 if whole.HasField("hand") else 4)
    for wanted in paths:
        game = game_pb2.Game.FromString(sound(name))
        message, field = next((one, field) for one, field, path in places_in(game) if path == wanted)
        path = f"game.{wanted}"
        if field.is_repeated:
            items = getattr(message, field.name)
            if not items:
                continue
            items[-1] = UNKNOWN
            path += f"[{len(items) - 1}]"
        else:
            setattr(message, field.name, UNKNOWN)
        assert [(problem.path, problem.reason) for problem in problems(game)] == [(path, UNKNOWN_VALUE)]
