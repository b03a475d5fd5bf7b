"""Requests that can't be answered: wrong ones about a sound game, and any about a game that lies.

``CreateGame`` is not among them: it is asked before there is anything to hide.
"""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from google.protobuf.message import Message

from tarneeb.v1 import cards_pb2, game_pb2, moves_pb2, records_pb2, rules_pb2, views_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.cards import CARD_TEXT, DECK
from tarneeb_service.engine.moves import Move, NameTrump, PlayCard
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.rules import Trump
from tarneeb_service.engine.state import State, calls_of, deal_of, play_of
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.errors import status_of
from tarneeb_service.wire.cards import encode_card, encode_cards
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tarneeb_service.wire.problems import NewerRulesError
from tests.trust.hidden import stored, visible, wire_viewer
from tests.trust.lies import LIES, NO_CARD

Viewers = list[views_pb2.Viewer.ValueType]


class Parts(NamedTuple):
    """What requests are made of; each takes the parts it has."""

    game: game_pb2.Game | None
    move: moves_pb2.Move | None
    deal: records_pb2.Deal | None
    viewers: Viewers


REQUESTS: dict[str, Callable[[Parts], Message]] = {
    "view_game": lambda parts: pb.ViewGameRequest(game=parts.game, viewers=parts.viewers),
    "validate_game": lambda parts: pb.ValidateGameRequest(game=parts.game),
    "list_legal_moves": lambda parts: pb.ListLegalMovesRequest(game=parts.game),
    "validate_move": lambda parts: pb.ValidateMoveRequest(game=parts.game, move=parts.move),
    "validate_moves": lambda parts: pb.ValidateMovesRequest(
        items=[pb.ValidateMoveRequest(game=parts.game, move=parts.move)]
    ),
    "apply_move": lambda parts: pb.ApplyMoveRequest(game=parts.game, move=parts.move, viewers=parts.viewers),
    "undo_move": lambda parts: pb.UndoMoveRequest(game=parts.game, viewers=parts.viewers),
    "deal_hand": lambda parts: pb.DealHandRequest(game=parts.game, deal=parts.deal, viewers=parts.viewers),
}
MOVERS = ("validate_move", "validate_moves", "apply_move")
STATUS = b"status "
# The field of a game, or of its hand, that the path of a problem leads to.
_FIELD = re.compile(r"game\.((?:hand\.)?\w+)")
# A card, a rule's id, which may look alike, stands in brackets.
_CARD = re.compile(rf"(?<!\()\b({'|'.join(filter(None, CARD_TEXT.values()))})\b|CARD_")
# Among seats, strains, kinds of call and viewers.
NO_NUMBER: Any = 9
BID, PASS = moves_pb2.CALL_KIND_BID, moves_pb2.CALL_KIND_PASS
# The first one is sound; so with deals.
MOVES = (
    moves_pb2.Move(seat=cards_pb2.SEAT_NORTH, call=moves_pb2.Call(kind=PASS)),
    None,
    moves_pb2.Move(seat=cards_pb2.SEAT_NORTH),
    moves_pb2.Move(seat=NO_NUMBER, card=NO_CARD),
    moves_pb2.Move(card=encode_card(DECK[0])),
    moves_pb2.Move(seat=cards_pb2.SEAT_WEST, card=NO_CARD),
    moves_pb2.Move(seat=cards_pb2.SEAT_SOUTH, trump=NO_NUMBER),
    moves_pb2.Move(seat=cards_pb2.SEAT_EAST, call=moves_pb2.Call(kind=NO_NUMBER)),
    moves_pb2.Move(seat=cards_pb2.SEAT_NORTH, call=moves_pb2.Call(kind=BID, strain=NO_NUMBER)),
    moves_pb2.Move(seat=cards_pb2.SEAT_WEST, call=moves_pb2.Call(kind=PASS, tricks=7)),
)
SEED = b"0123456789abcdef"
_ALIKE = [cards_pb2.CardSet(cards=encode_cards(DECK[:13]))] * 4
DEALS = (
    records_pb2.Deal(deck=records_pb2.Deck(cards=encode_cards(DECK))),
    None,
    records_pb2.Deal(),
    records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED[1:], cut=b"x")),
    records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED, cut=b"x", commitment=2 * SEED)),
    records_pb2.Deal(deck=records_pb2.Deck(cards=encode_cards(DECK[1:]))),
    records_pb2.Deal(deck=records_pb2.Deck(cards=[NO_CARD, *encode_cards((*DECK[2:], DECK[2]))])),
    records_pb2.Deal(hands=records_pb2.DealtHands(hands=_ALIKE[1:])),
    records_pb2.Deal(hands=records_pb2.DealtHands(hands=_ALIKE, turned_card=NO_CARD)),
)


def raw(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def answer_to(method: str, request: Message) -> bytes:
    """What a caller gets: the bytes of the answer, or of the status."""
    function: Callable[[Any], Message] = getattr(methods, method)
    try:
        return raw(function(request))
    except (ProblemsError, NewerRulesError) as error:
        status = status_of(error, "")
        return STATUS + repr(status).encode()


def assert_errors_read_the_same(
    state: State, other: State, viewer: int, chance: random.Random
) -> set[tuple[str, str]]:
    """Compare errors about twins, byte for byte.

    Returns:
        The methods that were asked about games that lie, each with the fields lied about.
    """
    games, viewers = (stored(state), stored(other, chance)), [wire_viewer(viewer)]
    for method, parts in chance.sample(_wrong_parts(viewers), 2):
        one, two = [answer_to(method, REQUESTS[method](parts._replace(game=game))) for game in games]
        assert one == two
        # A batch answers for each item.
        assert one.startswith(STATUS) or method == "validate_moves"
    _assert_replays_stop_the_same(state, other, viewers, chance)
    fields = _lie(games, visible(state, viewer), chance)
    asked = chance.sample([*REQUESTS], 3) if fields else []
    parts = Parts(None, chance.choice(MOVES), chance.choice(DEALS), viewers)
    for method in asked:
        one, two = [answer_to(method, REQUESTS[method](parts._replace(game=game))) for game in games]
        assert one == two
    return {(method, field) for method in asked for field in fields}


def _wrong_parts(viewers: Viewers) -> list[tuple[str, Parts]]:
    """Methods, and parts of which one is wrong."""
    parts = Parts(None, MOVES[0], DEALS[0], viewers)
    no_viewers = [parts._replace(viewers=wrong) for wrong in ([NO_NUMBER], viewers * 2)]
    return [
        *((method, parts._replace(move=move)) for method in MOVERS for move in MOVES[1:]),
        *(("deal_hand", parts._replace(deal=deal)) for deal in DEALS[1:]),
        *(
            (method, wrong)
            for method in ("view_game", "apply_move", "undo_move", "deal_hand")
            for wrong in no_viewers
        ),
        ("view_game", parts._replace(viewers=[])),
    ]


def _lie(games: Sequence[game_pb2.Game], known: set[int], chance: random.Random) -> set[str]:
    """Tell the same lies about twins; returned are the fields that they are found in."""
    lies, seed = chance.sample([*LIES.values()], chance.choice((1, 1, 2, 3))), chance.getrandbits(32)
    found = []
    for game in games:
        numbers = random.Random(seed)
        for lie in lies:
            lie(game, numbers, known)
        found.append(_fields_named(game))
    assert found[0] == found[1]
    return found[0]


def _fields_named(game: game_pb2.Game) -> set[str]:
    try:
        problems = methods.validate_game(pb.ValidateGameRequest(game=game)).problems
    except NewerRulesError:
        return {"rules_revision"}
    assert not any(_CARD.search(problem.message) for problem in problems)
    return {field for problem in problems for field in _FIELD.findall(problem.path)}


def _assert_replays_stop_the_same(
    state: State, other: State, viewers: Viewers, chance: random.Random
) -> None:
    """A record that ends with what is wrong; of a first hand, since more of a game than its last hand isn't known."""
    hand = deal_of(state)
    if hand is None or hand.number > 1 or chance.random() < 0.5:
        return
    move, deal = chance.choice(MOVES[1:]), chance.choice(DEALS[1:])
    answers = []
    for each in (state, other):
        record = _record_of(each)
        if move is not None:
            record.hands[-1].moves.append(move)
        record.hands.add(deal=deal)
        answer = methods.replay_game(pb.ReplayGameRequest(record=record, viewers=viewers))
        assert answer.accepted_steps == 1 + len(record.hands[0].moves) - (move is not None)
        answers.append(raw(answer.refused))
    assert answers[0] == answers[1]


def _record_of(state: State) -> records_pb2.GameRecord:
    """A first hand as a record."""
    deal, play, rules = deal_of(state), play_of(state), state.header.rules
    assert deal is not None
    moves: list[Move] = [*calls_of(state)]
    if play is not None:
        if rules.trump is Trump.NAMED and play.contract is not None:
            moves.append(NameTrump(play.contract.declarer, play.trump))
        leaders = (play.opening_leader, *play.winners)
        moves += [
            PlayCard((leaders[index // 4] + index % 4) % 4, card) for index, card in enumerate(play.played)
        ]
    message = encode_game(state)
    hands = records_pb2.DealtHands(hands=message.hand.dealt, turned_card=message.hand.turned_card)
    record = records_pb2.GameRecord(
        id=message.id,
        rule_set=rules_pb2.RuleSetChoice(preset_id=PRESET_IDS[0], overrides=message.rules),
        first_dealer=message.dealer,
    )
    record.hands.add(deal=records_pb2.Deal(hands=hands), moves=[encode_move(move) for move in moves])
    return record
