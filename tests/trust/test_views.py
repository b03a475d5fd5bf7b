"""Views tell nothing: games that differ only in what a viewer may not see look the same to him, to the byte."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given

from tarneeb.v1 import game_pb2, records_pb2, verdicts_pb2, views_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import DECK, cards_of
from tarneeb_service.engine.moves import Move, PlayCard
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.rules import (
    AllPass,
    Auction,
    PastTricks,
    Reveal,
    Revoke,
    RuleSet,
    Trump,
    WinFloor,
)
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import AwaitingDeal, State, deal_of, play_of, seat_to_act
from tarneeb_service.engine.undo import undo
from tarneeb_service.rpc import methods
from tarneeb_service.wire.moves import encode_move
from tests import random_games
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
    visible,
    wire_viewer,
    without_cards,
)
from tests.trust.lies import LIES
from tests.trust.wrong import REQUESTS, answer_to, assert_errors_read_the_same, raw

VIEWERS = (*SEATS, SPECTATOR)
# Whatever the rules: without a hand nothing is hidden, after 13 tricks something only where past tricks are not shown.
ALWAYS_HIDDEN = {
    "PLAY, trick off the table, none past",
    "PLAY, trick on the table, none past",
    "PLAY, trick off the table, some past",
    "PLAY, trick on the table, some past",
    "AWAITING_DEAL after FORFEITED",
    "GAME_OVER after FORFEITED",
}
SCORED = ("AWAITING_DEAL after SCORED", "GAME_OVER after SCORED")
APART_IN_PAST_TRICKS = {
    "PLAY, trick off the table, some past",
    "PLAY, trick on the table, some past",
    "AWAITING_DEAL after SCORED",
    "AWAITING_DEAL after FORFEITED",
    "GAME_OVER after SCORED",
}


def assert_looks_the_same(
    state: State, other: State, viewer: int, chance: random.Random
) -> set[tuple[str, str]]:
    """Compare all that a viewer may get of twins; returned are the methods and the lies of the errors compared."""
    games = stored(state), stored(other, chance)
    shown = [
        raw(methods.view_game(pb.ViewGameRequest(game=each, viewers=[wire_viewer(viewer)]))) for each in games
    ]
    assert shown[0] == shown[1]
    if seat_to_act(state) == viewer:
        listed = [raw(methods.list_legal_moves(pb.ListLegalMovesRequest(game=each))) for each in games]
        assert listed[0] == listed[1]
    moves = _moves_of(state, other, viewer, chance)
    if moves:
        _assert_verdicts_read_the_same(games, moves, chance)
    _assert_undone_looks_the_same(games, state, viewer)
    _assert_next_step_looks_the_same(games, state, other, viewer, chance)
    return assert_errors_read_the_same(state, other, viewer, chance)


def _assert_verdicts_read_the_same(
    games: tuple[game_pb2.Game, game_pb2.Game], moves: list[Move], chance: random.Random
) -> None:
    """All in a batch, which judges each as if it came alone; one alone too, and made where that changes nothing."""
    asked = [[pb.ValidateMoveRequest(game=each, move=encode_move(move)) for move in moves] for each in games]
    results = [methods.validate_moves(pb.ValidateMovesRequest(items=items)).results for items in asked]
    assert results[0] == results[1]
    one, two, result = chance.choice(list(zip(*asked, results[0], strict=True)))
    assert answer_to("validate_move", one) == answer_to("validate_move", two)
    if result.verdict.ruling in (verdicts_pb2.RULING_UNSPECIFIED, verdicts_pb2.RULING_REFUSED):
        made = [pb.ApplyMoveRequest(game=each.game, move=each.move) for each in (one, two)]
        assert answer_to("apply_move", made[0]) == answer_to("apply_move", made[1])


def _assert_undone_looks_the_same(
    games: tuple[game_pb2.Game, game_pb2.Game], state: State, viewer: int
) -> None:
    """Where an undo leads back to nothing that the viewer does not see now."""
    undone = undo(state)
    if undone is None:
        return
    before, move, _ = undone
    shown = visible(before, viewer) | ({move.card} if isinstance(move, PlayCard) else set())
    if shown <= visible(state, viewer):
        assert _undone(games[0], viewer) == _undone(games[1], viewer)


def _undone(message: game_pb2.Game, viewer: int) -> list[bytes]:
    """What players get of an undo."""
    answer = methods.undo_move(pb.UndoMoveRequest(game=message, viewers=[wire_viewer(viewer)]))
    return [raw(part) for part in (answer.undone, *answer.events, *answer.views)]


def _moves_of(state: State, other: State, viewer: int, chance: random.Random) -> list[Move]:
    """Some moves of the viewer: any, and on his turn cards that he holds and cards that the twin has elsewhere."""
    if viewer == SPECTATOR:
        return []
    moves = [replace(move, seat=viewer) for move in random_games.any_moves(state, chance, 3)]
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
                pb.ApplyMoveRequest(game=each, move=encode_move(move), viewers=[wire_viewer(viewer)])
            )
            for each in games
        ]
        assert [raw(event) for event in one.events] == [raw(event) for event in two.events]
        if viewer == move.seat:
            assert raw(one.verdict) == raw(two.verdict)
        # Both took the same step from games that look the same, so it is no secret where an undo leads.
        assert _undone(one.game, viewer) == _undone(two.game, viewer)
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
    dealt = game.deal(state, *random_games.random_deal(state, chance))[0]
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


def house_states(preset_id: str, past: PastTricks, chance: random.Random) -> Iterator[State]:
    """A state of every situation that games of a preset come to, short ones and long, whatever a revoke does."""
    found: dict[str, list[State]] = {}
    for target, revoke in product((1, 200), Revoke):
        rules = replace(
            presets()[preset_id].rules,
            past_tricks=past,
            # Where everybody sees all there are no twins after the hand.
            reveal=chance.choice((Reveal.NOBODY, Reveal.SPECTATORS)),
            revoke=revoke,
            target=target,
        )
        if target == 1:
            # A floor can keep all sides from winning for very long.
            rules = replace(rules, win_floor=WinFloor.NONE)
        for state in situations(rules, chance):
            found.setdefault(situation(state), []).append(state)
    for alike in found.values():
        chance.shuffle(alike)
        yield alike[0]
        # Near the end of a hand cards can hardly change places; then another state of the kind too.
        if _hidden_at_most(alike[0]) < 8:
            yield from [state for state in alike if _hidden_at_most(state) >= 8][:1]


def _hidden_at_most(state: State) -> int:
    return max(len(DECK) - len(visible(state, viewer)) for viewer in VIEWERS)


def hidden_in(rules: RuleSet) -> set[str]:
    """The situations that games of a preset come to in which something is hidden."""
    void = rules.all_pass is AllPass.VOID and rules.auction is Auction.COMPETITIVE
    return ALWAYS_HIDDEN | {
        name
        for name, comes in (
            ("AUCTION", rules.has_auction),
            ("NAMING_TRUMP", rules.trump is Trump.NAMED),
            ("AWAITING_DEAL after ALL_PASSED", void),
            ("AWAITING_DEAL after LOW_TOTAL", rules.individual),
        )
        if comes
    }


@pytest.mark.parametrize("past", PastTricks)
def test_twins_look_the_same_under_every_preset(past: PastTricks) -> None:
    """Every preset, every situation of a game, every viewer; and the twins are worth their name."""
    reached, apart, deep = set(), set(), set()
    told: set[tuple[str, str]] = set()
    for number, preset_id in enumerate(PRESET_IDS * SCALE):
        chance = random.Random(f"{preset_id} {number}")
        for state in house_states(preset_id, past, chance):
            here = preset_id, situation(state)
            reached.add(here)
            for viewer in VIEWERS:
                other = twin(state, viewer, chance)
                assert without_cards(state) == without_cards(other)
                lies = assert_looks_the_same(state, other, viewer, chance)
                if state != other:
                    apart.add(here)
                    told |= lies
                if played_apart(state, other):
                    deep.add(here)
    for preset_id in PRESET_IDS:
        hidden = {(preset_id, name) for name in hidden_in(presets()[preset_id].rules)}
        scored = set(product([preset_id], SCORED))
        assert not (hidden | scored) - reached
        assert not hidden - apart
        assert past is PastTricks.ALL or not scored - apart
    if past is PastTricks.ALL:
        assert not deep
    else:
        assert {name for _, name in deep} >= APART_IN_PAST_TRICKS
    assert not set(product(REQUESTS, LIES)) - told


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
    for step in random_games.steps(rules, random.Random(1), hands=1):
        if not isinstance(step.move, PlayCard) or deal_of(step.after) is None:
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


@given(any_rules(), seeds())
def test_views_asked_for_together_are_those_asked_for_alone(rules: RuleSet, seed: int) -> None:
    """What is written once for all viewers takes nothing from one to another, in any order of theirs."""
    chance = random.Random(seed)
    for state in chance.choices(list(situations(rules, chance, hands=1)), k=5):
        viewers = [wire_viewer(viewer) for viewer in chance.sample(VIEWERS, 5)]
        together = methods.view_game(pb.ViewGameRequest(game=stored(state), viewers=viewers)).views
        alone = [
            methods.view_game(pb.ViewGameRequest(game=stored(state), viewers=[viewer])).views[0]
            for viewer in viewers
        ]
        assert [view.SerializeToString() for view in together] == [view.SerializeToString() for view in alone]
