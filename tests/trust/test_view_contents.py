"""What a view holds: no hidden card, all that is needed to go on, and the same whichever call answers with it."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from hypothesis import given

from tarneeb.v1 import cards_pb2, game_pb2, records_pb2, rules_pb2, views_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import BIT, DECK, cards_of
from tarneeb_service.engine.moves import PlayCard
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.rules import PastTricks, Reveal, Revoke, RuleSet
from tarneeb_service.engine.state import HandEnd, InPlay, State, deal_of, play_of, result_of, seat_to_act
from tarneeb_service.engine.verdicts import Verdict
from tarneeb_service.rpc import methods
from tarneeb_service.wire.cards import encode_card
from tarneeb_service.wire.game import encode_game
from tests import random_games
from tests.rpc.samples import function_of
from tests.strategies import any_rules, seeds
from tests.trust.hidden import SPECTATOR, is_revealed, situations, visible, wire_viewer
from tests.trust.test_views import VIEWERS, house_states

EVERY_VIEWER = [wire_viewer(viewer) for viewer in VIEWERS]


def views_of(state: State) -> list[views_pb2.GameView]:
    request = pb.ViewGameRequest(game=encode_game(state), viewers=EVERY_VIEWER)
    return list(methods.view_game(request).views)


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
    """C140, C142, C143: not as a number in any nested field, and not by name."""
    for state in situations(rules, random.Random(seed), hands=2):
        for viewer, view in zip(VIEWERS, views_of(state), strict=True):
            shown = visible(state, viewer)
            assert set(cards_in(view)) <= shown
            text = MessageToJson(view)
            for card in set(DECK) - shown:
                assert f'"{cards_pb2.Card.Name(encode_card(card))}"' not in text


def test_cards_travel_as_cards_alone() -> None:
    """So that looking at fields of type Card is looking everywhere: a view has no bytes, and texts only for names."""
    # And ids of rules, which follow from a hand that is over.
    texts = {"GameView.id", "GameView.preset_id", "ScoreLine.rule_ids"}
    found, waiting = set(), [views_pb2.GameView.DESCRIPTOR]
    seen = set()
    while waiting:
        kind = waiting.pop()
        seen.add(kind.name)
        for field in kind.fields:
            if field.message_type is not None and field.message_type.name not in {*seen, "RuleSet"}:
                waiting.append(field.message_type)
            elif field.type in (FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_STRING):
                found.add(f"{kind.name}.{field.name}")
    assert found == texts


@given(any_rules(), seeds())
def test_a_view_is_enough_to_go_on_after_a_reconnect(rules: RuleSet, seed: int) -> None:
    """C131: asked for twice it is the same, and it says all that the viewer needs to play on."""
    for state in situations(rules, random.Random(seed), hands=2):
        views = views_of(state)
        assert views == views_of(state)
        snapshot = encode_game(state)
        moves = methods.list_legal_moves(pb.ListLegalMovesRequest(game=snapshot)).moves
        for viewer, view in zip(VIEWERS, views, strict=True):
            for name in PUBLIC:
                assert getattr(view, name) == getattr(snapshot, name), name
            assert list(view.legal_moves) == (list(moves) if seat_to_act(state) == viewer else [])
            assert view.rules_revision == snapshot.rules_revision
            # North is at the left of West, and so on.
            assert view.cutter == {0: 0, 1: 4, 2: 1, 3: 2, 4: 3}[snapshot.next_dealer]
            assert view.HasField("hand") == (deal_of(state) is not None)
            if view.HasField("hand"):
                _assert_hand_is_enough(state, snapshot.hand, view.hand, viewer)


# What a view says just as the game does.
PUBLIC = (
    "id",
    "preset_id",
    "rules",
    "revision",
    "scores",
    "hand_number",
    "dealer",
    "next_dealer",
    "phase",
    "seat_to_act",
    "outcome",
)
PUBLIC_OF_HAND = ("turned_card", "calls", "contract", "trump", "opening_leader", "result")


def _assert_hand_is_enough(
    state: State, stored: game_pb2.Hand, view: views_pb2.HandView, viewer: int
) -> None:
    deal, play = deal_of(state), play_of(state)
    assert deal is not None
    told = views_pb2.HandView.FromString(view.SerializeToString())
    for line in told.result.lines:
        # Told in views, and stored nowhere.
        line.ClearField("rule_ids")
    if not view.HasField("result"):
        told.ClearField("result")
    for name in PUBLIC_OF_HAND:
        assert getattr(told, name) == getattr(stored, name), name
    holdings = deal.dealt if play is None else play.holdings
    held = 0 if viewer == SPECTATOR else holdings[viewer]
    assert list(view.holding) == [card for card in DECK if held & BIT[card]]
    assert list(view.holding_counts) == [holding.bit_count() for holding in holdings]
    assert list(view.trick_counts) == [[*map(int, stored.trick_winners)].count(seat) for seat in (1, 2, 3, 4)]
    revealed = result_of(state) is not None and is_revealed(state.header.rules, viewer)
    assert list(view.revealed) == (list(stored.dealt) if revealed else [])
    _assert_tricks(state, stored, view, revealed=revealed)


def _assert_tricks(state: State, stored: game_pb2.Hand, view: views_pb2.HandView, *, revealed: bool) -> None:
    tricks, complete = [], len(stored.trick_winners)
    leader = stored.opening_leader
    for number, start in enumerate(range(0, len(stored.played), 4), start=1):
        winner = stored.trick_winners[number - 1] if number <= complete else cards_pb2.SEAT_UNSPECIFIED
        cards = stored.played[start : start + 4]
        tricks.append(views_pb2.Trick(number=number, leader=leader, cards=cards, winner=winner))
        leader = winner
    past = tricks[:complete]
    kept = {PastTricks.ALL: past, PastTricks.LAST: past[-1:], PastTricks.NONE: []}
    assert list(view.past_tricks) == (past if revealed else kept[state.header.rules.past_tricks])
    if len(tricks) > complete:
        assert view.trick == tricks[-1]
    elif play_of(state) is not None and result_of(state) is None:
        # C115: the next trick is there at once, and empty.
        assert view.trick == views_pb2.Trick(number=complete + 1, leader=leader)
    else:
        assert not view.HasField("trick")


@pytest.mark.parametrize("past", PastTricks)
def test_views_with_a_step_are_those_of_view_game(past: PastTricks) -> None:
    for number, preset_id in enumerate(PRESET_IDS):
        chance = random.Random(f"{preset_id} {number}")
        for state in house_states(preset_id, past, chance):
            snapshot = encode_game(state)
            moves = methods.list_legal_moves(pb.ListLegalMovesRequest(game=snapshot)).moves
            if not moves:
                continue
            move, viewers = chance.choice(list(moves)), chance.sample(EVERY_VIEWER, 3)
            request = pb.ApplyMoveRequest(game=snapshot, move=move, viewers=viewers)
            answer = methods.apply_move(request)
            asked = methods.view_game(pb.ViewGameRequest(game=answer.game, viewers=viewers))
            assert list(answer.views) == list(asked.views)


@pytest.mark.parametrize("preset_id", PRESET_IDS)
def test_views_of_a_new_game_and_of_a_deal_are_those_of_view_game(preset_id: str) -> None:
    choice = rules_pb2.RuleSetChoice(preset_id=preset_id)
    created = methods.create_game(
        pb.CreateGameRequest(
            id="g", rule_set=choice, first_dealer=cards_pb2.SEAT_EAST, viewers=EVERY_VIEWER[::-1]
        )
    )
    deal = records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=bytes(16)))
    dealt = methods.deal_hand(pb.DealHandRequest(game=created.game, deal=deal, viewers=EVERY_VIEWER[::-1]))
    for answer in (created, dealt):
        asked = methods.view_game(pb.ViewGameRequest(game=answer.game, viewers=EVERY_VIEWER[::-1]))
        assert list(answer.views) == list(asked.views)
        assert [view.viewer for view in answer.views] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("past", PastTricks)
@pytest.mark.parametrize("reveal", Reveal)
def test_hands_are_revealed_when_they_are_over_and_not_before(reveal: Reveal, past: PastTricks) -> None:
    """The cards dealt, and with them every trick, whatever is kept of the past during the hand."""
    chance = random.Random(reveal)
    rules = replace(
        presets()["saharat_classic"].rules, reveal=reveal, past_tricks=past, revoke=Revoke.FORFEITS
    )
    ends = set()
    for state in situations(rules, chance, each=2):
        result, play = result_of(state), play_of(state)
        shown = [False] * 5
        if result is not None and reveal is not Reveal.NOBODY:
            ends.add(result.end)
            shown = [reveal is Reveal.EVERYBODY] * 4 + [True]
        for view, all_is_shown in zip(views_of(state), shown, strict=True):
            assert bool(view.hand.revealed) is all_is_shown
            if all_is_shown:
                winners = [] if play is None else [winner + 1 for winner in play.winners]
                assert [trick.winner for trick in view.hand.past_tricks] == winners
                assert sum(len(trick.cards) for trick in view.hand.past_tricks) == 4 * len(winners)
    assert ends == (
        set() if reveal is Reveal.NOBODY else {HandEnd.SCORED, HandEnd.ALL_PASSED, HandEnd.FORFEITED}
    )


def test_a_refused_move_shows_nothing_of_the_game() -> None:
    """No view, no event, no game: only the mover's verdict."""
    state = next(iter(random_games.states(presets()["saharat_400"].rules, random.Random(1))))
    request = pb.ApplyMoveRequest(game=encode_game(state), viewers=EVERY_VIEWER)
    request.move.seat, request.move.card = cards_pb2.SEAT_NORTH, cards_pb2.CARD_SPADES_ACE
    answer = methods.apply_move(request)
    assert [field.name for field, _ in answer.ListFields()] == ["verdict"]


def test_c151_a_card_not_held_is_refused_in_the_same_words_wherever_it_is() -> None:
    """Whether another seat holds it or somebody played it: one verdict a card."""
    rules = presets()["cardgames_zone_turned_trump"].rules
    verdicts: dict[tuple[int, int], Verdict] = {}
    for seed in range(6):
        for state in random_games.states(rules, random.Random(seed), hands=1):
            if not isinstance(state, InPlay):
                continue
            seat = state.play.turn
            for card in set(DECK) - set(cards_of(state.play.holdings[seat])):
                verdict = game.judge(state, PlayCard(seat, card))
                assert verdicts.setdefault((seat, card), verdict) == verdict
    assert len(verdicts) == 4 * 52


def test_viewers_are_known_and_asked_once() -> None:
    state = next(iter(random_games.states(presets()["saharat_classic"].rules, random.Random(1))))
    for viewers, path in (([9], "viewers[0]"), ([1, 1], "viewers[1]"), ([0], "viewers[0]"), ([], "viewers")):
        request = pb.ViewGameRequest(game=encode_game(state))
        request.viewers.extend(views_pb2.Viewer.ValueType(viewer) for viewer in viewers)
        with pytest.raises(ProblemsError) as caught:
            methods.view_game(request)
        assert [problem.path for problem in caught.value.problems] == [path]


def test_rules_are_left_out_when_asked_for() -> None:
    """In every answer that has views, and nothing else is."""
    viewers = EVERY_VIEWER
    choice = rules_pb2.RuleSetChoice(preset_id="saharat_classic")
    create = pb.CreateGameRequest(id="g", rule_set=choice, first_dealer=cards_pb2.SEAT_EAST, viewers=viewers)
    deck = records_pb2.Deck(cards=[encode_card(card) for card in DECK])
    deal = pb.DealHandRequest(
        game=methods.create_game(create).game, deal=records_pb2.Deal(deck=deck), viewers=viewers
    )
    dealt = methods.deal_hand(deal).game
    move = methods.list_legal_moves(pb.ListLegalMovesRequest(game=dealt)).moves[0]
    apply = pb.ApplyMoveRequest(game=dealt, move=move, viewers=viewers)
    undo = pb.UndoMoveRequest(game=methods.apply_move(apply).game, viewers=viewers)
    record = records_pb2.GameRecord(id="g", rule_set=choice, first_dealer=cards_pb2.SEAT_EAST)
    record.hands.add(deal=deal.deal, moves=[move])
    replay = pb.ReplayGameRequest(record=record, viewers=viewers, step_detail=pb.STEP_DETAIL_VIEWS)
    look = pb.ViewGameRequest(game=dealt, viewers=viewers)
    requests: dict[str, Any] = {
        "CreateGame": create,
        "DealHand": deal,
        "ApplyMove": apply,
        "UndoMove": undo,
        "ReplayGame": replay,
        "ViewGame": look,
    }
    for method, request in requests.items():
        shown = _all_views(function_of(method)(request))
        assert all(view.HasField("rules") for view in shown)
        request.omit_rules = True
        bare = _all_views(function_of(method)(request))
        assert bare
        for view in shown:
            view.ClearField("rules")
        assert bare == shown


def _all_views(answer: Any) -> list[views_pb2.GameView]:
    return [view for holder in getattr(answer, "steps", [answer]) for view in holder.views]
