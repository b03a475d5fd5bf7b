"""Engine values to messages. Seats are 0 to 3 inside and 1 to 4 on the wire."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import cast

from tarneeb.v1 import cards_pb2, events_pb2, game_pb2, moves_pb2, tarneeb_service_pb2, verdicts_pb2
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.events import (
    AuctionWon,
    CallMade,
    CardPlayed,
    Event,
    GameWon,
    HandDealt,
    HandEnded,
    TrickWon,
    TrumpNamed,
)
from tarneeb_service.engine.moves import Bid, Call, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.position import derived_of
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.engine.state import (
    Contract,
    HandResult,
    Outcome,
    State,
    calls_of,
    hand_of,
    play_of,
)
from tarneeb_service.engine.verdicts import LEGAL, BidLimit, Verdict
from tarneeb_service.wire.rules import encode_rules

# Most verdicts say this; it is shared, and nobody changes an answer.
LEGAL_ANSWER = tarneeb_service_pb2.ValidateMoveResponse(
    verdict=verdicts_pb2.Verdict(ruling=verdicts_pb2.RULING_LEGAL)
)


def seat(index: int | None) -> cards_pb2.Seat.ValueType:
    """Return a seat, or unspecified for none."""
    return cards_pb2.Seat.ValueType(0 if index is None else index + 1)


def team(index: int) -> cards_pb2.Team.ValueType:
    """Return a team."""
    return cards_pb2.Team.ValueType(index + 1)


def card(value: int | None) -> cards_pb2.Card.ValueType:
    """Return a card, or unspecified for none."""
    return cards_pb2.Card.ValueType(value or 0)


def cards(values: Iterable[int]) -> list[cards_pb2.Card.ValueType]:
    """Return cards; the numbers are the same on both sides."""
    return cast(list[cards_pb2.Card.ValueType], list(values))


def seats(indices: Iterable[int]) -> list[cards_pb2.Seat.ValueType]:
    """Return seats."""
    return cast(list[cards_pb2.Seat.ValueType], [index + 1 for index in indices])


def strain(value: int | None) -> cards_pb2.Strain.ValueType:
    """Return a strain, or unspecified for none."""
    return cards_pb2.Strain.ValueType(value or 0)


def phase(value: int) -> game_pb2.Phase.ValueType:
    """Return a phase, or unspecified for zero."""
    return game_pb2.Phase.ValueType(value)


def game(state: State) -> game_pb2.Game:
    """Return the snapshot of a game that callers keep."""
    header, derived, deal = state.header, derived_of(state), hand_of(state)
    message = game_pb2.Game(
        id=header.id,
        preset_id=header.preset_id,
        rules=encode_rules(header.rules),
        rules_revision=RULES_REVISION,
        revision=state.revision,
        scores=derived.scores,
        next_dealer=seat(derived.next_dealer),
        phase=phase(derived.phase),
        seat_to_act=seat(derived.seat_to_act),
        outcome=None if derived.outcome is None else outcome(derived.outcome),
    )
    if deal is None:
        return message
    message.hand_number = deal.number
    message.dealer = seat(deal.dealer)
    play, hand = play_of(state), message.hand
    hand.CopyFrom(_dealt_and_called(deal.dealt, calls_of(state)))
    hand.scores_before.extend(deal.scores_before)
    if deal.turned is not None:
        hand.turned_card = card(deal.turned)
    if derived.contract is not None:
        hand.contract.CopyFrom(contract(derived.contract))
    if derived.trump is not None:
        hand.trump = strain(derived.trump)
    if play is not None:
        hand.opening_leader = seat(play.opening_leader)
        hand.played.extend(cards(play.played))
        hand.trick_winners.extend(seats(play.winners))
    if derived.result is not None:
        hand.result.CopyFrom(result(derived.result))
    return message


# The same in every answer from the first card of a hand to the last; copying it takes a tenth of making it.
@lru_cache(maxsize=2048)
def _dealt_and_called(dealt: tuple[int, ...], calls: tuple[Call, ...]) -> game_pb2.Hand:
    return game_pb2.Hand(
        dealt=[cards_pb2.CardSet(cards=cards(cards_of(mask))) for mask in dealt],
        calls=[call_made(call) for call in calls],
    )


def call_made(call: Call) -> moves_pb2.CallMade:
    """Return a call with its seat."""
    match call:
        case Bid(by, tricks, named):
            return moves_pb2.CallMade(
                seat=seat(by), kind=moves_pb2.CALL_KIND_BID, tricks=tricks, strain=strain(named)
            )
        case Pass(by):
            return moves_pb2.CallMade(seat=seat(by), kind=moves_pb2.CALL_KIND_PASS)
        case Double(by):
            return moves_pb2.CallMade(seat=seat(by), kind=moves_pb2.CALL_KIND_DOUBLE)


# There are a few hundred moves.
@lru_cache(maxsize=1024)
def move(value: Move) -> moves_pb2.Move:
    """Return a move; the message is shared, so copy it to change it."""
    match value:
        case PlayCard(by, played):
            return moves_pb2.Move(seat=seat(by), card=card(played))
        case NameTrump(by, named):
            return moves_pb2.Move(seat=seat(by), trump=strain(named))
        case Bid() | Pass() | Double():
            made = call_made(value)
            call = moves_pb2.Call(kind=made.kind, tricks=made.tricks, strain=made.strain)
            return moves_pb2.Move(seat=made.seat, call=call)


def verdict(value: Verdict) -> verdicts_pb2.Verdict:
    """Return a verdict."""
    if value is LEGAL:
        return LEGAL_ANSWER.verdict
    return verdicts_pb2.Verdict(
        ruling=verdicts_pb2.Ruling.ValueType(value.ruling),
        reason=verdicts_pb2.RefusalReason.ValueType(value.reason or 0),
        rule_id=value.rule_id,
        message=value.message,
        game_revision=value.game_revision,
        phase=phase(value.phase or 0),
        seat_to_act=seat(value.seat_to_act),
        lowest_bid=None if value.lowest_bid is None else _bid_limit(value.lowest_bid),
        highest_bid=value.highest_bid or 0,
        barred_bids=value.barred_bids,
        bid_holder=seat(value.bid_holder),
        led_suit=cards_pb2.Suit.ValueType(value.led_suit or 0),
        playable_cards=cards(value.playable_cards),
    )


def contract(value: Contract) -> game_pb2.Contract:
    """Return a contract."""
    return game_pb2.Contract(
        declarer=seat(value.declarer), tricks=value.tricks, strain=strain(value.strain), doubled=value.doubled
    )


def result(value: HandResult) -> game_pb2.HandResult:
    """Return how a hand ended; two lines are those of teams, four those of seats."""
    by_seat = len(value.lines) == 4
    lines = [
        game_pb2.ScoreLine(bid=line.bid, tricks=line.tricks, points=line.points, made=line.made)
        for line in value.lines
    ]
    for message, line in zip(lines, value.lines, strict=True):
        if by_seat:
            message.seat = seat(line.side)
        else:
            message.team = team(line.side)
    return game_pb2.HandResult(
        end=game_pb2.HandEnd.ValueType(value.end), lines=lines, offender=seat(value.offender)
    )


def outcome(value: Outcome) -> game_pb2.Outcome:
    """Return how a game ended."""
    return game_pb2.Outcome(
        winner=team(value.winner), loser=team(value.loser), reason=game_pb2.WinReason.ValueType(value.reason)
    )


def events(values: Sequence[Event]) -> list[events_pb2.Event]:
    """Return what happened."""
    return [_event(value) for value in values]


def _event(value: Event) -> events_pb2.Event:
    match value:
        case HandDealt(number, dealer, turned, trump):
            dealt = events_pb2.HandDealt(
                hand_number=number, dealer=seat(dealer), turned_card=card(turned), trump=strain(trump)
            )
            return events_pb2.Event(hand_dealt=dealt)
        case CallMade(call):
            return events_pb2.Event(call_made=call_made(call))
        case AuctionWon(won):
            return events_pb2.Event(auction_won=contract(won))
        case TrumpNamed(by, named):
            return events_pb2.Event(trump_named=events_pb2.TrumpNamed(seat=seat(by), trump=strain(named)))
        case CardPlayed(by, played):
            return events_pb2.Event(card_played=events_pb2.CardPlayed(seat=seat(by), card=card(played)))
        case TrickWon(by, number):
            return events_pb2.Event(trick_won=events_pb2.TrickWon(seat=seat(by), trick_number=number))
        case HandEnded(number, ended, scores):
            over = events_pb2.HandEnded(hand_number=number, result=result(ended), scores=scores)
            return events_pb2.Event(hand_ended=over)
        case GameWon(won_by):
            return events_pb2.Event(game_won=outcome(won_by))


def _bid_limit(value: BidLimit) -> verdicts_pb2.BidLimit:
    return verdicts_pb2.BidLimit(tricks=value[0], strain=strain(value[1]))
