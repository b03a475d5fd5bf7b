"""Verdicts: ``verdicts.proto``."""

from tarneeb.v1 import cards_pb2, verdicts_pb2
from tarneeb_service.engine.verdicts import BidLimit, Verdict
from tarneeb_service.wire.cards import encode_cards, encode_seat, encode_strain
from tarneeb_service.wire.game import encode_phase


def encode_verdict(verdict: Verdict) -> verdicts_pb2.Verdict:
    """Return a verdict."""
    ruling = verdicts_pb2.Ruling.ValueType(verdict.ruling)
    if verdict.reason is None:
        # Nearly all: a legal move has nothing but its ruling.
        return verdicts_pb2.Verdict(ruling=ruling)
    return verdicts_pb2.Verdict(
        ruling=ruling,
        reason=verdicts_pb2.RefusalReason.ValueType(verdict.reason),
        rule_id=verdict.rule_id,
        message=verdict.message,
        game_revision=verdict.game_revision,
        phase=encode_phase(verdict.phase or 0),
        seat_to_act=encode_seat(verdict.seat_to_act),
        lowest_bid=None if verdict.lowest_bid is None else _encode_bid_limit(verdict.lowest_bid),
        highest_bid=verdict.highest_bid or 0,
        barred_bids=verdict.barred_bids,
        bid_holder=encode_seat(verdict.bid_holder),
        led_suit=cards_pb2.Suit.ValueType(verdict.led_suit or 0),
        playable_cards=encode_cards(verdict.playable_cards),
        trump=encode_strain(verdict.trump),
        may_pass=verdict.may_pass,
    )


def _encode_bid_limit(limit: BidLimit) -> verdicts_pb2.BidLimit:
    return verdicts_pb2.BidLimit(tricks=limit[0], strain=encode_strain(limit[1]))
