"""What happened: ``events.proto``."""

from collections.abc import Sequence

from tarneeb.v1 import events_pb2
from tarneeb_service.engine.events import (
    AuctionWon,
    CallMade,
    CardPlayed,
    Event,
    GameWon,
    HandDealt,
    HandEnded,
    MoveUndone,
    TrickWon,
    TrumpNamed,
)
from tarneeb_service.wire.cards import encode_card, encode_seat, encode_strain
from tarneeb_service.wire.game import encode_contract, encode_outcome, encode_result
from tarneeb_service.wire.moves import encode_call_made, encode_move


def encode_events(events: Sequence[Event]) -> list[events_pb2.Event]:
    """Return what happened, in order."""
    return [_encode_event(event) for event in events]


def _encode_event(event: Event) -> events_pb2.Event:
    match event:
        case HandDealt(number, dealer, turned, trump):
            dealt = events_pb2.HandDealt(
                hand_number=number,
                dealer=encode_seat(dealer),
                turned_card=encode_card(turned),
                trump=encode_strain(trump),
            )
            return events_pb2.Event(hand_dealt=dealt)
        case CallMade(call):
            return events_pb2.Event(call_made=encode_call_made(call))
        case AuctionWon(contract):
            return events_pb2.Event(auction_won=encode_contract(contract))
        case TrumpNamed(seat, strain):
            named = events_pb2.TrumpNamed(seat=encode_seat(seat), trump=encode_strain(strain))
            return events_pb2.Event(trump_named=named)
        case CardPlayed(seat, card):
            played = events_pb2.CardPlayed(seat=encode_seat(seat), card=encode_card(card))
            return events_pb2.Event(card_played=played)
        case TrickWon(seat, number):
            won = events_pb2.TrickWon(seat=encode_seat(seat), trick_number=number)
            return events_pb2.Event(trick_won=won)
        case HandEnded(number, result, scores):
            ended = events_pb2.HandEnded(hand_number=number, result=encode_result(result), scores=scores)
            return events_pb2.Event(hand_ended=ended)
        case GameWon(outcome):
            return events_pb2.Event(game_won=encode_outcome(outcome))
        case MoveUndone(number, move, reopened):
            undone = events_pb2.MoveUndone(hand_number=number, move=encode_move(move), hand_reopened=reopened)
            return events_pb2.Event(move_undone=undone)
