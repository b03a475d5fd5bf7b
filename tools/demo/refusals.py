"""Moves that the rules refuse, each with the reason that must be given."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from tarneeb.v1 import moves_pb2
from tarneeb.v1.verdicts_pb2 import RefusalReason as Reason
from tests.oracle.cards import SEATS, following_cards, suit_of
from tests.oracle.referee import Referee
from tools.demo.oracle import move_message

Move = tuple[Any, ...]


class Trial(NamedTuple):
    move: moves_pb2.Move
    reason: Reason.ValueType


def refused_trial(referee: Referee, steps: int, chance: random.Random) -> Trial:
    """One of the moves that this state refuses."""
    trials = list(_trials(referee, chance))
    seat, move, reason = chance.choice(trials)
    message = move_message(seat, move)
    if chance.random() < 0.05 and referee.phase != "game_over":
        message.revision = steps - 1
        reason = Reason.REFUSAL_REASON_STALE_REVISION
    return Trial(message, reason)


def _trials(referee: Referee, chance: random.Random) -> Iterator[tuple[int, Move, Reason.ValueType]]:
    seat = referee.turn
    if referee.phase == "game_over":
        yield chance.choice(SEATS), ("pass",), Reason.REFUSAL_REASON_GAME_OVER
        return
    if seat is None:
        yield chance.choice(SEATS), ("pass",), Reason.REFUSAL_REASON_WRONG_PHASE
        return
    other = chance.choice([one for one in SEATS if one != seat])
    if referee.phase == "play":
        yield from _in_play(referee, seat, other, chance)
    elif referee.phase == "naming_trump":
        yield other, ("trump", "hearts"), Reason.REFUSAL_REASON_NOT_DECLARER
        yield seat, ("trump", "no_trump"), Reason.REFUSAL_REASON_TRUMP_NOT_A_SUIT
        yield seat, ("card", referee.holdings[seat][0]), Reason.REFUSAL_REASON_WRONG_PHASE
    else:
        yield from _in_auction(referee, seat, other)


def _in_play(
    referee: Referee, seat: int, other: int, chance: random.Random
) -> Iterator[tuple[int, Move, Reason.ValueType]]:
    yield seat, ("pass",), Reason.REFUSAL_REASON_WRONG_PHASE
    yield seat, ("trump", "spades"), Reason.REFUSAL_REASON_WRONG_PHASE
    if referee.holdings[other]:
        card = ("card", chance.choice(referee.holdings[other]))
        yield other, card, Reason.REFUSAL_REASON_OUT_OF_TURN
        yield seat, card, Reason.REFUSAL_REASON_CARD_NOT_HELD
    if referee.played:
        yield seat, ("card", chance.choice(referee.played)), Reason.REFUSAL_REASON_CARD_NOT_HELD
    table = referee.trick_on_table()
    if table:
        follows = following_cards(referee.holdings[seat], table[0])
        revokes = [card for card in referee.holdings[seat] if card not in follows]
        if revokes:
            # Twice: the refusal that matters most.
            yield seat, ("card", chance.choice(revokes)), Reason.REFUSAL_REASON_MUST_FOLLOW_SUIT
            yield seat, ("card", chance.choice(revokes)), Reason.REFUSAL_REASON_MUST_FOLLOW_SUIT


def _in_auction(referee: Referee, seat: int, other: int) -> Iterator[tuple[int, Move, Reason.ValueType]]:
    rules = referee.rules
    strain = "hearts" if rules["trump"] == "in_bid" else None
    passed = rules["passing"] == "final" and (other, ("pass",)) in referee.calls
    wrong_seat = Reason.REFUSAL_REASON_ALREADY_PASSED if passed else Reason.REFUSAL_REASON_OUT_OF_TURN
    yield other, ("bid", 13, strain), wrong_seat
    yield seat, ("card", referee.holdings[seat][0]), Reason.REFUSAL_REASON_WRONG_PHASE
    yield seat, ("trump", suit_of(referee.holdings[seat][0])), Reason.REFUSAL_REASON_WRONG_PHASE
    yield seat, ("bid", rules["minimum_bid"] - 1, strain), Reason.REFUSAL_REASON_BID_OUT_OF_RANGE
    yield seat, ("bid", 14, strain), Reason.REFUSAL_REASON_BID_OUT_OF_RANGE
    if strain:
        yield seat, ("bid", 13, None), Reason.REFUSAL_REASON_STRAIN_MISSING
    else:
        yield seat, ("bid", 13, "spades"), Reason.REFUSAL_REASON_STRAIN_NOT_ALLOWED
    if rules["auction"] == "individual":
        yield seat, ("pass",), Reason.REFUSAL_REASON_PASS_NOT_ALLOWED
    if rules["barred_bids"]:
        yield seat, ("bid", rules["barred_bids"][0], None), Reason.REFUSAL_REASON_BID_BARRED
    bids = [call for _, call in referee.calls if call[0] == "bid"]
    if rules["doubling"] == "none":
        yield seat, ("double",), Reason.REFUSAL_REASON_DOUBLE_NOT_ALLOWED
    elif not bids:
        yield seat, ("double",), Reason.REFUSAL_REASON_NOTHING_TO_DOUBLE
    if bids and rules["auction"] == "competitive":
        yield seat, bids[-1], Reason.REFUSAL_REASON_BID_TOO_LOW
    legal_bids = [call[1] for call in referee.legal() if call[0] == "bid"]
    if rules["own_minimum"] and legal_bids[0] > rules["minimum_bid"]:
        yield seat, ("bid", legal_bids[0] - 1, None), Reason.REFUSAL_REASON_BID_TOO_LOW
