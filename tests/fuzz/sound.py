"""Sound requests of every method, from random games by presets and by house rules."""

import random
from functools import cache
from typing import Any

from google.protobuf.message import Message

from tarneeb.v1 import cards_pb2, records_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.moves import Bid
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.rules import RULES_REVISION, RuleSet
from tarneeb_service.engine.state import AwaitingDeal, GameOver, State
from tarneeb_service.engine.undo import undo
from tarneeb_service.rpc import methods
from tarneeb_service.wire.cards import encode_card, encode_cards, encode_seat
from tarneeb_service.wire.game import encode_contract, encode_game
from tarneeb_service.wire.moves import encode_move
from tarneeb_service.wire.rules import decode_rules
from tests.fuzz.spoiling import as_snapshot
from tests.random_games import Step, any_moves, steps
from tests.rpc.samples import METHODS, request_class, samples

HANDS = 2
# The methods that are asked about a game.
STORED = [method for method in METHODS if "snapshot" in request_class(method).DESCRIPTOR.fields_by_name]
# Games to draw from in a normal run; the long run makes new ones all the time.
GAMES = 24


def house_choice(chance: random.Random) -> tuple[rules_pb2.RuleSetChoice, RuleSet]:
    """A preset, and often a few fields that a house changes in it."""
    preset = chance.choice(PRESET_IDS)
    overrides = rules_pb2.RuleSet()
    for _ in range(chance.choice((0, 4, 12))):
        field: Any = chance.choice(overrides.DESCRIPTOR.fields)
        if field.message_type is not None:
            continue
        tried = rules_pb2.RuleSet.FromString(overrides.SerializeToString())
        top = len(field.enum_type.values) - 1 if field.enum_type else 26
        setattr(tried, field.name, chance.randint(1, top))
        request = pb.ResolveRuleSetRequest(
            rule_set=rules_pb2.RuleSetChoice(preset_id=preset, overrides=tried)
        )
        if not methods.resolve_rule_set(request).problems:
            overrides = tried
    choice = rules_pb2.RuleSetChoice(preset_id=preset, overrides=overrides)
    answer = methods.resolve_rule_set(pb.ResolveRuleSetRequest(rule_set=choice))
    return choice, decode_rules(answer.rules, RULES_REVISION)


def requests_of_a_game(chance: random.Random) -> dict[str, list[Message]]:
    """Sound requests of every method that takes a game, a record or rules."""
    choice, rules = house_choice(chance)
    played = list(steps(rules, chance, hands=HANDS, wildness=0.3))
    made: dict[str, list[Message]] = {name: [] for name in METHODS}
    made["ResolveRuleSet"].append(pb.ResolveRuleSetRequest(rule_set=choice))
    made["CreateGame"].append(
        pb.CreateGameRequest(
            id="g", rule_set=choice, first_dealer_seed=chance.randbytes(16), viewers=viewers(5, 1)
        )
    )
    made["ReplayGame"].append(
        pb.ReplayGameRequest(
            record=_record(choice, played),
            step_detail=pb.StepDetail.ValueType(chance.randrange(4)),
            viewers=viewers(2, 5),
            first_step=chance.randrange(9),
            step_limit=chance.choice((0, 3)),
        )
    )
    for step in played:
        if step.dealt is not None:
            deal = _deal(step)
            made["DealHand"].append(
                pb.DealHandRequest(game=encode_game(step.before), deal=deal, viewers=viewers(3))
            )
            made["VerifyDeal"].append(_verify(deal, chance))
    kept = chance.sample(played, min(len(played), 8))
    for step in kept:
        _add_of_a_state(made, step.after, chance)
    items: Any = made["ValidateMove"][:6]
    made["ValidateMoves"].append(pb.ValidateMovesRequest(items=items))
    ended = [step.after for step in played if isinstance(step.after, AwaitingDeal | GameOver)]
    made["ScoreHand"] += [_score(choice, state) for state in ended if state.last and state.last.result.lines]
    return {
        method: [_in_a_form(request, chance) for request in requests] for method, requests in made.items()
    }


def _in_a_form(request: Message, chance: random.Random) -> Message:
    """A request as half of the callers ask: with snapshots; and for either form, or both, where it may say so."""
    asked: Any = request
    if isinstance(asked, pb.ValidateMovesRequest):
        items: Any = [_in_a_form(item, chance) for item in asked.items]
        return pb.ValidateMovesRequest(items=items)
    if isinstance(asked, pb.CreateGameRequest | pb.ReplayGameRequest):
        asked.form = pb.GameForm.ValueType(chance.randrange(3))
        return request
    return as_snapshot(request) if chance.random() < 0.5 else request


@cache
def pool(method: str) -> list[Message]:
    """Sound requests of a method: the same in every run."""
    found = [as_snapshot(each) if index % 2 else each for index, each in enumerate(samples(method))]
    for seed in range(GAMES):
        found += _game(seed)[method]
    return [message for message in found if message.ByteSize() or method == "ListRuleSets"]


@cache
def _game(seed: int) -> dict[str, list[Message]]:
    return requests_of_a_game(random.Random(seed))


def viewers(*numbers: int) -> Any:
    return list(numbers)


def _add_of_a_state(made: dict[str, list[Message]], state: State, chance: random.Random) -> None:
    stored = encode_game(state)
    made["ListLegalMoves"].append(pb.ListLegalMovesRequest(game=stored))
    made["ValidateGame"].append(pb.ValidateGameRequest(game=stored))
    made["ViewGame"].append(pb.ViewGameRequest(game=stored, viewers=viewers(1, 2, 3, 4, 5)))
    if undo(state):
        made["UndoMove"].append(pb.UndoMoveRequest(game=stored, viewers=viewers(4, 5)))
    for move in [*game.legal_moves(state)[:1], *any_moves(state, chance, 1)]:
        if isinstance(move, Bid) and not move.tricks:
            # On the wire that is a bid which names no tricks.
            continue
        asked = encode_move(move)
        made["ValidateMove"].append(pb.ValidateMoveRequest(game=stored, move=asked))
        made["ApplyMove"].append(pb.ApplyMoveRequest(game=stored, move=asked, viewers=viewers(5, 2)))


def _deal(step: Step) -> records_pb2.Deal:
    hands = [cards_pb2.CardSet(cards=encode_cards(cards_of(mask))) for mask in step.dealt or ()]
    return records_pb2.Deal(hands=records_pb2.DealtHands(hands=hands, turned_card=encode_card(step.turned)))


def _record(choice: rules_pb2.RuleSetChoice, played: list[Step]) -> records_pb2.GameRecord:
    start = played[0].before
    assert isinstance(start, AwaitingDeal)
    record = records_pb2.GameRecord(id="g", rule_set=choice, first_dealer=encode_seat(start.next_dealer))
    for step in played:
        if step.move is None:
            record.hands.add(deal=_deal(step))
        else:
            record.hands[-1].moves.append(encode_move(step.move))
    return record


def _verify(deal: records_pb2.Deal, chance: random.Random) -> pb.VerifyDealRequest:
    seed = chance.randbytes(16)
    committed = methods.commit_deal(pb.CommitDealRequest(game_id="g", hand_number=1, seed=seed)).commitment
    return pb.VerifyDealRequest(
        game_id="g",
        hand_number=1,
        dealer=cards_pb2.SEAT_EAST,
        deal_order=rules_pb2.DEAL_ORDER_PACKETS,
        seeded=records_pb2.SeededDeal(seed=seed, commitment=committed),
        dealt=deal.hands,
    )


def _score(choice: rules_pb2.RuleSetChoice, state: AwaitingDeal | GameOver) -> pb.ScoreHandRequest:
    hand = state.last
    assert hand is not None
    request = pb.ScoreHandRequest(
        rule_set=choice,
        scores=hand.deal.scores_before,
        tricks=[line.tricks for line in hand.result.lines],
        bids=[line.bid or 0 for line in hand.result.lines] if state.header.rules.individual else (),
        offender=encode_seat(hand.result.offender),
    )
    if hand.play and hand.play.contract:
        request.contract.CopyFrom(encode_contract(hand.play.contract))
    return request
