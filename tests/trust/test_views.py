"""Views tell nothing: games that differ only in what a viewer may not see look the same to him, to the byte."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import given

from tarneeb.v1 import cards_pb2, game_pb2, records_pb2, views_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.moves import Move, PlayCard
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.rules import PastTricks, Reveal, Revoke, RuleSet
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import AwaitingDeal, State, hand_of, play_of, seat_to_act
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.errors import status_of
from tarneeb_service.wire import encode
from tests.engine import driver
from tests.scale import SCALE
from tests.strategies import any_rules, seeds
from tests.trust.hidden import (
    SPECTATOR,
    cards_apart,
    is_revealed,
    played_apart,
    situation,
    situations,
    stored,
    twin,
    without_cards,
)

VIEWERS = (*SEATS, SPECTATOR)
# Without a hand nothing is hidden; after 13 tricks something is only where past tricks are not shown.
APART = {
    "AUCTION",
    "NAMING_TRUMP",
    "PLAY, trick off the table, none past",
    "PLAY, trick on the table, none past",
    "PLAY, trick off the table, some past",
    "PLAY, trick on the table, some past",
    "AWAITING_DEAL after ALL_PASSED",
    "AWAITING_DEAL after LOW_TOTAL",
    "AWAITING_DEAL after FORFEITED",
    "GAME_OVER after FORFEITED",
}
APART_IN_PAST_TRICKS = {
    "PLAY, trick off the table, some past",
    "PLAY, trick on the table, some past",
    "AWAITING_DEAL after SCORED",
    "AWAITING_DEAL after FORFEITED",
    "GAME_OVER after SCORED",
}


def wire_viewer(viewer: int) -> views_pb2.Viewer.ValueType:
    return views_pb2.Viewer.ValueType(viewer + 1)


def raw(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def answer_to(method: Callable[[Any], Message], request: Message) -> bytes:
    """What a caller gets: the bytes of the answer, or of the status."""
    try:
        return raw(method(request))
    except ProblemsError as error:
        status = status_of(error, "")
        return repr((status.code, status.details, status.trailing_metadata)).encode()


def assert_looks_the_same(state: State, other: State, viewer: int, chance: random.Random) -> None:
    games = stored(state), stored(other, chance)
    shown = [
        answer_to(methods.view_game, pb.ViewGameRequest(game=each, viewers=[wire_viewer(viewer)]))
        for each in games
    ]
    assert shown[0] == shown[1]
    if seat_to_act(state) == viewer:
        listed = [answer_to(methods.list_legal_moves, pb.ListLegalMovesRequest(game=each)) for each in games]
        assert listed[0] == listed[1]
    for move in _moves_of(state, other, viewer, chance):
        judged = [pb.ValidateMoveRequest(game=each, move=encode.move(move)) for each in games]
        verdicts = [answer_to(methods.validate_move, request) for request in judged]
        assert verdicts[0] == verdicts[1]
    _assert_next_step_looks_the_same(games, state, other, viewer, chance)
    _assert_errors_read_the_same(games, viewer, chance)


def _moves_of(state: State, other: State, viewer: int, chance: random.Random) -> list[Move]:
    """Some moves of the viewer: any, and on his turn cards that he holds and cards that the twin has elsewhere."""
    if viewer == SPECTATOR:
        return []
    moves = [replace(move, seat=viewer) for move in driver.any_moves(state, chance, 3)]
    play = play_of(state)
    if play is not None and viewer == seat_to_act(state):
        held, moved = cards_of(play.holdings[viewer]), cards_apart(state, other)
        tried = chance.sample(held, min(3, len(held))) + chance.sample(moved, min(4, len(moved)))
        moves += [PlayCard(viewer, card) for card in tried]
    return moves


def _assert_next_step_looks_the_same(
    games: tuple[game_pb2.Game, game_pb2.Game],
    state: State,
    other: State,
    viewer: int,
    chance: random.Random,
) -> None:
    """A step that both games take has the same events, and leads to the same view."""
    if isinstance(state, AwaitingDeal):
        _assert_deals_look_the_same(games[0], state, viewer, chance)
        return
    moves = _moves_both_take(state, other, chance)
    for move in chance.sample(moves, min(2, len(moves))):
        one, two = [
            methods.apply_move(
                pb.ApplyMoveRequest(game=each, move=encode.move(move), viewers=[wire_viewer(viewer)])
            )
            for each in games
        ]
        assert [raw(event) for event in one.events] == [raw(event) for event in two.events]
        if viewer == move.seat:
            assert raw(one.verdict) == raw(two.verdict)
        if not (one.game.hand.HasField("result") and is_revealed(state.header.rules, viewer)):
            assert raw(one.views[0]) == raw(two.views[0])


def _moves_both_take(state: State, other: State, chance: random.Random) -> list[Move]:
    """Moves, revokes too, that are legal in both games, or lose the hand in both."""
    seat = seat_to_act(state)
    if seat is None:
        return []
    play = play_of(state)
    tried: list[Move] = [PlayCard(seat, card) for card in cards_of(play.holdings[seat])] if play else []
    tried = tried or game.legal_moves(state)
    tried = chance.sample(tried, min(6, len(tried)))
    rulings = [[game.judge(each, move) for move in tried] for each in (state, other)]
    return [
        move
        for move, one, two in zip(tried, *rulings, strict=True)
        if one.accepted and one.ruling is two.ruling
    ]


def _assert_deals_look_the_same(
    waiting: game_pb2.Game, state: AwaitingDeal, viewer: int, chance: random.Random
) -> None:
    """Two deals that give the viewer the same cards."""
    dealt = game.deal(state, *driver.random_deal(state, chance))[0]
    answers = []
    for each in (dealt, twin(dealt, viewer, chance)):
        message = stored(each, chance).hand
        hands = records_pb2.DealtHands(hands=message.dealt, turned_card=message.turned_card)
        request = pb.DealHandRequest(
            game=waiting, deal=records_pb2.Deal(hands=hands), viewers=[wire_viewer(viewer)]
        )
        answer = methods.deal_hand(request)
        answers.append([raw(part) for part in (*answer.events, *answer.views)])
    assert answers[0] == answers[1]


def _assert_errors_read_the_same(
    games: tuple[game_pb2.Game, game_pb2.Game], viewer: int, chance: random.Random
) -> None:
    """A lie about a public fact that follows from the game is named in the same words, whatever is hidden."""
    lie = chance.choice(LIES)
    number = chance.randrange(7)
    answers = []
    for each in games:
        message = game_pb2.Game.FromString(raw(each))
        lie(message, number)
        request = pb.ViewGameRequest(game=message, viewers=[wire_viewer(viewer)])
        try:
            methods.view_game(request)
        except ProblemsError:
            answers.append(answer_to(methods.validate_game, pb.ValidateGameRequest(game=message)))
            answers.append(answer_to(methods.view_game, request))
    assert answers[:2] == answers[2:]


def _set_seats(message: game_pb2.Game, number: int) -> None:
    message.seat_to_act = message.next_dealer = cards_pb2.Seat.ValueType(number)
    message.hand.opening_leader = cards_pb2.Seat.ValueType((number + 3) % 5)


def _set_winners(message: game_pb2.Game, number: int) -> None:
    winners = message.hand.trick_winners
    if number and winners:
        winners[-1] = cards_pb2.Seat.ValueType(number % 5)
    else:
        winners.append(cards_pb2.SEAT_WEST)


def _set_result(message: game_pb2.Game, number: int) -> None:
    message.hand.result.end = game_pb2.HandEnd.ValueType(number)
    message.hand.result.lines.add(points=number)
    message.scores.append(number)


def _set_contract(message: game_pb2.Game, number: int) -> None:
    message.hand.contract.tricks = number
    message.hand.contract.doubled = True
    message.phase = encode.phase(number)


def _set_calls(message: game_pb2.Game, number: int) -> None:
    message.hand.calls.add(seat=cards_pb2.Seat.ValueType(number))
    message.outcome.winner = cards_pb2.TEAM_WEST_EAST


# Not the trump that was named: that is given, and under another the hidden tricks are another history.
LIES = (_set_seats, _set_winners, _set_result, _set_contract, _set_calls)


def house_rules(preset_id: str, past: PastTricks, turn: int, chance: random.Random) -> RuleSet:
    """A preset by the rules that decide what is seen; short games, so that they come to an end."""
    return replace(
        presets()[preset_id].rules,
        past_tricks=past,
        # Where everybody sees all there are no twins after the hand.
        reveal=chance.choice((Reveal.NOBODY, Reveal.SPECTATORS)),
        revoke=Revoke.REFUSED if turn % 4 == 0 else Revoke.FORFEITS,
        target=(1, 200)[turn % 2],
    )


@pytest.mark.parametrize("past", PastTricks)
def test_twins_look_the_same_under_every_preset(past: PastTricks) -> None:
    """Every preset, every situation of a game, every viewer; and the twins are worth their name."""
    apart: Counter[str] = Counter()
    deep: Counter[str] = Counter()
    for number, preset_id in enumerate(PRESET_IDS * SCALE):
        chance = random.Random(f"{preset_id} {number}")
        for state in situations(house_rules(preset_id, past, number, chance), chance):
            for viewer in VIEWERS:
                other = twin(state, viewer, chance)
                assert without_cards(state) == without_cards(other)
                apart[situation(state)] += state != other
                deep[situation(state)] += played_apart(state, other)
                assert_looks_the_same(state, other, viewer, chance)
    assert (+apart).keys() >= APART
    if past is PastTricks.ALL:
        assert not +deep
    else:
        assert (+deep).keys() >= APART_IN_PAST_TRICKS


def some_pairs(rules: RuleSet, seed: int, count: int) -> Iterator[tuple[State, State, int, random.Random]]:
    chance = random.Random(seed)
    states = list(situations(rules, chance, hands=2))
    for _ in range(count):
        state, viewer = chance.choice(states), chance.choice(VIEWERS)
        yield state, twin(state, viewer, chance), viewer, chance


@given(any_rules(), seeds())
def test_twins_look_the_same_under_house_rules(rules: RuleSet, seed: int) -> None:
    for state, other, viewer, chance in some_pairs(rules, seed, 10):
        assert_looks_the_same(state, other, viewer, chance)


def test_the_other_cards_are_a_number() -> None:
    """C152: after a card is played, each other holding is one less or the same, and nothing else of it changes."""
    rules = presets()["saharat_classic"].rules
    seen = 0
    for step in driver.steps(rules, random.Random(1), hands=1):
        if not isinstance(step.move, PlayCard) or hand_of(step.after) is None:
            continue
        before, after = [
            methods.view_game(pb.ViewGameRequest(game=stored(state), viewers=[views_pb2.VIEWER_SPECTATOR]))
            for state in (step.before, step.after)
        ]
        counts = list(before.views[0].hand.holding_counts)
        counts[step.move.seat] -= 1
        assert list(after.views[0].hand.holding_counts) == counts
        seen += 1
    assert seen == 52
