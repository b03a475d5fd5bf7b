"""Views tell nothing: games that differ only in what a viewer may not see look the same to him, to the byte."""

import random
from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from hypothesis import given

from tarneeb.v1 import cards_pb2, views_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import BIT, DECK
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import GameOver, State, hand_of, play_of, seat_to_act
from tarneeb_service.rpc import methods
from tarneeb_service.wire import encode
from tests.engine import driver
from tests.scale import SCALE
from tests.strategies import any_rules, seeds
from tests.trust.hidden import SPECTATOR, is_revealed, twin, visible, without_cards

VIEWERS = (*SEATS, SPECTATOR)
PAIRS_A_GAME = 8


def wire_viewer(viewer: int) -> views_pb2.Viewer.ValueType:
    return views_pb2.Viewer.ValueType(viewer + 1)


def view_of(state: State, viewer: int) -> views_pb2.GameView:
    request = pb.ViewGameRequest(game=encode.game(state), viewers=[wire_viewer(viewer)])
    return methods.view_game(request).views[0]


def raw(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def sampled_states(rules: RuleSet, chance: random.Random) -> list[State]:
    """States of every phase of a game: all that open or end a hand, and some of the others."""
    states = list(driver.states(rules, chance, hands=3, wildness=0.3))
    return chance.sample(states, min(len(states), PAIRS_A_GAME)) + states[-1:]


def pairs(rules: RuleSet, seed: int) -> Iterator[tuple[State, State, int, random.Random]]:
    chance = random.Random(seed)
    for state in sampled_states(rules, chance):
        for viewer in VIEWERS:
            other = twin(state, viewer, chance)
            assert without_cards(state) == without_cards(other)
            yield state, other, viewer, chance


def assert_looks_the_same(state: State, other: State, viewer: int, chance: random.Random) -> None:
    assert raw(view_of(state, viewer)) == raw(view_of(other, viewer))
    # The viewer's own moves get the same verdict, word for word, whoever holds what.
    for move in driver.any_moves(state, chance, 8):
        if move.seat == viewer:
            assert game.judge(state, move) == game.judge(other, move)
    _assert_next_step_looks_the_same(state, other, viewer, chance)
    _assert_errors_read_the_same(state, other, chance)


def _assert_next_step_looks_the_same(state: State, other: State, viewer: int, chance: random.Random) -> None:
    """A move that both games accept has the same events, and leads to the same view."""
    legal = pb.ListLegalMovesRequest(game=encode.game(state))
    twins = pb.ListLegalMovesRequest(game=encode.game(other))
    ours = [raw(move) for move in methods.list_legal_moves(legal).moves]
    shared = [move for move in methods.list_legal_moves(twins).moves if raw(move) in ours]
    if seat_to_act(state) == viewer:
        assert ours == [raw(move) for move in shared]
    if not shared:
        return
    move = chance.choice(shared)
    answers = [
        methods.apply_move(
            pb.ApplyMoveRequest(game=encode.game(each), move=move, viewers=[wire_viewer(viewer)])
        )
        for each in (state, other)
    ]
    assert [raw(event) for event in answers[0].events] == [raw(event) for event in answers[1].events]
    if not (answers[0].game.hand.HasField("result") and is_revealed(state.header.rules, viewer)):
        assert raw(answers[0].views[0]) == raw(answers[1].views[0])


def _assert_errors_read_the_same(state: State, other: State, chance: random.Random) -> None:
    """A lie about a public fact is named in the same words, whatever is hidden."""
    texts = []
    seat, phase = chance.randrange(6), chance.randrange(7)
    for each in (state, other):
        message = encode.game(each)
        message.seat_to_act, message.phase = cards_pb2.Seat.ValueType(seat), encode.phase(phase)
        try:
            methods.view_game(pb.ViewGameRequest(game=message, viewers=[wire_viewer(0)]))
        except ProblemsError as error:
            texts.append(str(error))
    assert texts in ([], texts[:1] * 2)


@pytest.mark.parametrize("preset_id", PRESET_IDS)
def test_twins_look_the_same_under_every_preset(preset_id: str) -> None:
    moved = 0
    for seed in range(2 * SCALE):
        for state, other, viewer, chance in pairs(presets()[preset_id].rules, seed):
            moved += state != other
            assert_looks_the_same(state, other, viewer, chance)
    assert moved > 20 * SCALE, "the twins must differ, or nothing was shown"


@given(any_rules(), seeds())
def test_twins_look_the_same_under_house_rules(rules: RuleSet, seed: int) -> None:
    for state, other, viewer, chance in list(pairs(rules, seed))[::5]:
        assert_looks_the_same(state, other, viewer, chance)


def cards_in(message: Message) -> Iterator[int]:
    """Every card in a message, wherever it stands."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for item in values:
                yield from cards_in(item)
        elif field.enum_type is not None and field.enum_type.full_name == "tarneeb.v1.Card":
            yield from values


@given(any_rules(), seeds())
def test_no_view_holds_a_hidden_card(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    for state in sampled_states(rules, chance):
        for viewer in VIEWERS:
            view = view_of(state, viewer)
            shown = visible(state, viewer)
            assert set(cards_in(view)) <= shown
            text = MessageToJson(view)
            for card in set(DECK) - shown:
                assert f'"{cards_pb2.Card.Name(encode.card(card))}"' not in text


@given(any_rules(), seeds())
def test_a_view_is_enough_to_go_on_after_a_reconnect(rules: RuleSet, seed: int) -> None:
    """C131: asked for twice it is the same, and it says all that the viewer needs to play on."""
    chance = random.Random(seed)
    for state in sampled_states(rules, chance):
        for viewer in SEATS:
            view = view_of(state, viewer)
            assert raw(view) == raw(view_of(state, viewer))
            snapshot = encode.game(state)
            assert (view.phase, view.seat_to_act, view.revision) == (
                snapshot.phase,
                snapshot.seat_to_act,
                snapshot.revision,
            )
            moves = methods.list_legal_moves(pb.ListLegalMovesRequest(game=snapshot)).moves
            assert list(view.legal_moves) == (list(moves) if seat_to_act(state) == viewer else [])
            deal, play = hand_of(state), play_of(state)
            if deal is not None:
                held = deal.dealt[viewer] if play is None else play.holdings[viewer]
                assert {card for card in DECK if held & BIT[card]} == set(view.hand.holding)
                assert sum(view.hand.holding_counts) == 52 - len(snapshot.hand.played)
                assert list(view.hand.calls) == list(snapshot.hand.calls)
                assert view.hand.trump == snapshot.hand.trump
                assert sum(view.hand.trick_counts) == len(snapshot.hand.trick_winners)


@given(any_rules(), seeds())
def test_views_with_a_step_are_those_of_view_game(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    viewers = [wire_viewer(viewer) for viewer in VIEWERS]
    for state in sampled_states(rules, chance):
        if isinstance(state, GameOver):
            continue
        snapshot = encode.game(state)
        moves = methods.list_legal_moves(pb.ListLegalMovesRequest(game=snapshot)).moves
        if not moves:
            continue
        answer = methods.apply_move(
            pb.ApplyMoveRequest(game=snapshot, move=chance.choice(list(moves)), viewers=viewers)
        )
        asked = methods.view_game(pb.ViewGameRequest(game=answer.game, viewers=viewers))
        assert list(answer.views) == list(asked.views)


def test_viewers_are_known_and_asked_once() -> None:
    state = next(iter(driver.states(presets()["saharat_classic"].rules, random.Random(1))))
    for viewers, path in (([9], "viewers[0]"), ([1, 1], "viewers[1]"), ([0], "viewers[0]"), ([], "viewers")):
        request = pb.ViewGameRequest(game=encode.game(state))
        request.viewers.extend(views_pb2.Viewer.ValueType(viewer) for viewer in viewers)
        with pytest.raises(ProblemsError) as caught:
            methods.view_game(request)
        assert [problem.path for problem in caught.value.problems] == [path]
