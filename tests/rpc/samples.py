"""Sound requests of every method, and ways to spoil them.

The methods are those of the service's descriptor: one that is added is called too, with an empty request until
it has a sample here.
"""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tarneeb.v1 import cards_pb2, game_pb2, records_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.moves import Pass
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.state import AwaitingDeal, State, phase_of
from tarneeb_service.engine.undo import undo
from tarneeb_service.rpc import methods
from tarneeb_service.wire.cards import encode_card, encode_cards
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tests.random_games import random_deal, states

SERVICE = pb.DESCRIPTOR.services_by_name["TarneebService"]
METHODS = [method.name for method in SERVICE.methods]
SEED = b"0123456789abcdef"


def function_of(method: str) -> Callable[[Any], Any]:
    """The plain function behind a method."""
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in method)
    function: Callable[[Any], Any] = getattr(methods, words.lstrip("_"))
    return function


def request_class(method: str) -> type[Message]:
    return GetMessageClass(SERVICE.methods_by_name[method].input_type)


def response_class(method: str) -> type[Message]:
    return GetMessageClass(SERVICE.methods_by_name[method].output_type)


@cache
def some_states(preset: str) -> list[State]:
    """One state of each phase, and a few of the play."""
    chance = random.Random(preset)
    kept: list[State] = []
    phases: dict[Any, int] = {}
    for state in states(presets()[preset].rules, chance):
        phase = phase_of(state)
        phases[phase] = phases.get(phase, 0) + 1
        if phases[phase] in (1, 3, 12, 22, 47):
            kept.append(state)
    kept.append(state)
    return kept


@cache
def some_games() -> list[game_pb2.Game]:
    return [encode_game(state) for preset in PRESET_IDS for state in some_states(preset)]


def hands_of(state: AwaitingDeal) -> records_pb2.Deal:
    dealt, turned = random_deal(state, random.Random(1))
    sets = [
        cards_pb2.CardSet(cards=encode_cards(card for card in range(80) if mask >> card & 1))
        for mask in dealt
    ]
    return records_pb2.Deal(hands=records_pb2.DealtHands(hands=sets, turned_card=encode_card(turned)))


def choice(preset: str = "saharat_classic", **overrides: Any) -> rules_pb2.RuleSetChoice:
    return rules_pb2.RuleSetChoice(preset_id=preset, overrides=rules_pb2.RuleSet(**overrides))


def record() -> records_pb2.GameRecord:
    state = next(state for state in some_states("saharat_classic") if isinstance(state, AwaitingDeal))
    passes = [encode_move(Pass(seat)) for seat in (1, 2, 3, 0)]
    return records_pb2.GameRecord(
        id="g",
        rule_set=choice(),
        first_dealer=cards_pb2.SEAT_NORTH,
        hands=[records_pb2.RecordedHand(deal=hands_of(state), moves=passes)],
    )


@cache
def samples(method: str) -> list[Message]:
    """Sound requests of a method."""
    every = [state for preset in PRESET_IDS for state in some_states(preset)]
    waiting = [state for state in every if isinstance(state, AwaitingDeal)]
    moving = [
        (encode_game(state), encode_move(game.legal_moves(state)[0]))
        for state in every
        if game.legal_moves(state)
    ]
    committed = methods.commit_deal(pb.CommitDealRequest(game_id="g", hand_number=1, seed=SEED)).commitment
    seeded = records_pb2.SeededDeal(seed=SEED, commitment=committed, cut=b"cut")
    deck = records_pb2.Deck(
        cards=encode_cards(card for card in range(80) if 2 <= card & 15 <= 14 and card > 16)
    )
    viewers: Any = [1, 5]
    made: dict[str, list[Message]] = {
        "ListRuleSets": [pb.ListRuleSetsRequest()],
        "ResolveRuleSet": [
            pb.ResolveRuleSetRequest(rule_set=choice(preset, past_tricks=2)) for preset in PRESET_IDS
        ],
        "CreateGame": [
            pb.CreateGameRequest(
                id="g", rule_set=choice(), first_dealer=cards_pb2.SEAT_WEST, viewers=viewers
            ),
            pb.CreateGameRequest(id="g", rule_set=choice("mulouk_41"), first_dealer_seed=SEED),
        ],
        "DealHand": [
            pb.DealHandRequest(game=encode_game(state), deal=deal, viewers=viewers)
            for state in waiting
            for deal in (
                hands_of(state),
                records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED, cut=b"cut")),
                records_pb2.Deal(deck=deck),
            )
        ],
        "ListLegalMoves": [pb.ListLegalMovesRequest(game=value) for value in some_games()],
        "ValidateMove": [pb.ValidateMoveRequest(game=value, move=move) for value, move in moving],
        "ApplyMove": [pb.ApplyMoveRequest(game=value, move=move, viewers=viewers) for value, move in moving],
        "UndoMove": [
            pb.UndoMoveRequest(game=encode_game(state), viewers=viewers) for state in every if undo(state)
        ],
        "ValidateMoves": [
            pb.ValidateMovesRequest(items=[pb.ValidateMoveRequest(game=value, move=move)] * 2)
            for value, move in moving
        ],
        "ReplayGame": [
            pb.ReplayGameRequest(record=record(), step_detail=pb.STEP_DETAIL_VIEWS, viewers=viewers)
        ],
        "ValidateGame": [pb.ValidateGameRequest(game=value) for value in some_games()],
        "ViewGame": [pb.ViewGameRequest(game=value, viewers=viewers) for value in some_games()],
        "CommitDeal": [pb.CommitDealRequest(game_id="g", hand_number=1, seed=SEED)],
        "VerifyDeal": [
            pb.VerifyDealRequest(
                game_id="g",
                hand_number=1,
                dealer=cards_pb2.SEAT_NORTH,
                deal_order=rules_pb2.DEAL_ORDER_SINGLY,
                seeded=seeded,
                dealt=hands_of(waiting[0]).hands,
            )
        ],
        "ScoreHand": [
            pb.ScoreHandRequest(
                rule_set=choice(),
                scores=[3, 4],
                contract=game_pb2.Contract(declarer=cards_pb2.SEAT_NORTH, tricks=8),
                tricks=[9, 4],
            ),
            pb.ScoreHandRequest(
                rule_set=choice("saharat_400"), scores=[0, 0, 0, 0], bids=[2, 3, 4, 5], tricks=[3, 3, 3, 4]
            ),
            pb.ScoreHandRequest(rule_set=choice("cardgames_zone_turned_trump"), scores=[0, 0], tricks=[9, 4]),
        ],
    }
    return made.get(method, [request_class(method)()])


NUMBERS = (0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 33, 47, 79, 255, 2**31 - 1)
SIGNED = (*NUMBERS, -1, -13, -(2**31))
UNSIGNED = (*NUMBERS, 2**31, 2**32 - 1)


def spoil(message: Message, chance: random.Random) -> None:
    """Change one thing somewhere in a message; it stays a message, but hardly a sound one."""
    target = message
    while True:
        fields = [field for field in target.DESCRIPTOR.fields if _weight(target, field)]
        if not fields:
            return
        field = chance.choice(fields)
        value = getattr(target, field.name)
        if field.message_type is None or chance.random() < 0.15:
            break
        if field.is_repeated:
            if not value:
                break
            target = chance.choice(list(value))
        elif target.HasField(field.name):
            target = value
        else:
            break
    if field.is_repeated:
        _spoil_list(target, field, chance)
    elif chance.random() < 0.3:
        target.ClearField(field.name)
    elif field.message_type is not None:
        value.SetInParent()
    else:
        setattr(target, field.name, _scalar(field, chance))


def _weight(target: Message, field: Any) -> bool:
    # Unset members of a oneof would push out the one that is set; now and then is enough.
    return field.containing_oneof is None or target.HasField(field.name) or field.number % 4 == 3


def _spoil_list(target: Message, field: Any, chance: random.Random) -> None:
    values = getattr(target, field.name)
    kind = chance.randrange(6)
    if not values or kind == 0:
        if field.message_type is None:
            values.extend(_scalar(field, chance) for _ in range(chance.choice((1, 2, 60, 300))))
        else:
            for _ in range(chance.choice((1, 2, 70))):
                values.add()
    elif kind == 1:
        del values[chance.randrange(len(values))]
    elif kind == 2:
        target.ClearField(field.name)
    elif kind == 3:
        items = list(values)
        values.extend(items[chance.randrange(len(items)) :])
    elif kind == 4 or field.message_type is not None:
        items = list(values)
        chance.shuffle(items)
        copies = (
            [type(item).FromString(item.SerializeToString()) for item in items]
            if field.message_type
            else items
        )
        target.ClearField(field.name)
        getattr(target, field.name).extend(copies)
    else:
        values[chance.randrange(len(values))] = _scalar(field, chance)


def _scalar(field: Any, chance: random.Random) -> Any:
    kinds = FieldDescriptor
    if field.type == kinds.TYPE_BOOL:
        return chance.random() < 0.5
    if field.type == kinds.TYPE_STRING:
        return chance.choice(("", "g", "x" * 65, "é" * 40, "a\n", "saharat_400", "\u200c", "y" * 70_000))
    if field.type == kinds.TYPE_BYTES:
        return chance.choice((b"", b"s" * 15, b"s" * 16, b"s" * 65, b"s" * 70_000))
    if field.type in (kinds.TYPE_INT32, kinds.TYPE_ENUM):
        return chance.choice(SIGNED)
    return chance.choice(UNSIGNED)
