"""The auction: which calls are legal, what a call does, and when the auction is over (A1 to A16)."""

from tarneeb_service.engine import verdicts
from tarneeb_service.engine.cards import CLUBS, NO_TRUMP, STRAINS
from tarneeb_service.engine.moves import Bid, Call, Double, Pass
from tarneeb_service.engine.rules import (
    SLAM,
    AllPass,
    CallLimit,
    Doubling,
    Passing,
    RaisedDouble,
    RuleSet,
    SlamBid,
)
from tarneeb_service.engine.seats import next_seat, partner
from tarneeb_service.engine.state import Bidding, Contract, Scores
from tarneeb_service.engine.verdicts import BidLimit, OpenCalls, Verdict


def opening(dealer: int) -> Bidding:
    """Return an auction without calls; the dealer's right speaks first (A1, A12)."""
    return Bidding(next_seat(dealer))


def is_closed(rules: RuleSet, bidding: Bidding) -> bool:
    """Return whether the auction is over (A3, A4, A5, A9, A12)."""
    if rules.individual:
        return len(bidding.calls) == 4
    high = bidding.high
    if high is not None and high.tricks == SLAM and rules.slam_bid is SlamBid.ENDS_AUCTION:
        return True
    if rules.call_limit is CallLimit.ONE_EACH:
        return len(bidding.calls) == 4
    if rules.passing is Passing.OPEN:
        return bidding.passes == 4
    return bidding.passed.bit_count() == (4 if high is None else 3)


def after(rules: RuleSet, bidding: Bidding, call: Call) -> Bidding:
    """Return the auction after a legal call of the seat whose turn it is."""
    calls = (*bidding.calls, call)
    high, doubled, passed, passes = bidding.high, bidding.doubled_seats, bidding.passed, bidding.passes
    if isinstance(call, Bid):
        high, doubled, passes = call, doubled & _doubles_kept(rules, call.seat), 0
    else:
        if isinstance(call, Double) and high is not None:
            doubled |= 1 << high.seat
        passes += 1
        if rules.passing is Passing.FINAL:
            passed |= 1 << call.seat
    turn = next_seat(call.seat)
    while passed >> turn & 1 and passed != 0b1111:
        turn = next_seat(turn)
    return Bidding(turn, calls, high, doubled, passed, passes)


def _doubles_kept(rules: RuleSet, bidder: int) -> int:
    """Return the seats, as bits, that stay doubled when a seat makes a higher bid (A10)."""
    match rules.raised_double:
        case RaisedDouble.RETURNS:
            return 0b1111
        case RaisedDouble.STAYS:
            return 1 << bidder
    return 0


def judge_call(rules: RuleSet, scores: Scores, bidding: Bidding, call: Call) -> Verdict | None:
    """Return why the seat to act may not make a call, or none when it may.

    Args:
        rules: The rules.
        scores: The scores before the hand; they set the own minimum (A13).
        bidding: The auction so far, not closed.
        call: A call of the seat whose turn it is.
    """
    if isinstance(call, Bid):
        return _judge_bid(rules, scores, bidding, call)
    if isinstance(call, Pass):
        rule_id = _must_bid_by(rules, bidding)
        if rule_id is None:
            return None
        return verdicts.pass_not_allowed(call.seat, rule_id, open_calls(rules, scores, bidding))
    return _judge_double(rules, scores, bidding, call)


def lowest_bid(rules: RuleSet, scores: Scores, bidding: Bidding) -> BidLimit | None:
    """Return the lowest bid open to the seat to act, or none when only a pass is left."""
    tricks, strain = rules.minimum_bid, CLUBS
    if rules.individual:
        tricks = rules.own_minimum_at(scores[bidding.turn])
    elif bidding.high is not None:
        tricks, strain = bidding.high.tricks, (bidding.high.strain or NO_TRUMP) + 1
        if strain > NO_TRUMP:
            tricks, strain = tricks + 1, CLUBS
    while tricks in rules.barred_bids:
        tricks, strain = tricks + 1, CLUBS
    if tricks > rules.maximum_bid:
        return None
    return tricks, strain if rules.bids_strain else None


def open_calls(rules: RuleSet, scores: Scores, bidding: Bidding) -> OpenCalls:
    """Return what the seat to act may call other than double."""
    lowest, highest = lowest_bid(rules, scores, bidding), rules.maximum_bid
    barred = () if lowest is None else tuple(each for each in rules.barred_bids if lowest[0] < each < highest)
    return OpenCalls(lowest, highest, barred, _must_bid_by(rules, bidding) is None)


def legal_calls(rules: RuleSet, scores: Scores, bidding: Bidding) -> list[Call]:
    """Return the legal calls of the seat to act: bids by tricks and strain, then pass, then double."""
    seat = bidding.turn
    lowest = lowest_bid(rules, scores, bidding)
    calls: list[Call] = []
    if lowest is not None:
        strains: tuple[int | None, ...] = STRAINS if rules.bids_strain else (None,)
        calls += [
            Bid(seat, tricks, strain)
            for tricks in range(lowest[0], rules.maximum_bid + 1)
            if tricks not in rules.barred_bids
            for strain in strains
            if not _is_below(tricks, strain, lowest)
        ]
    others: tuple[Call, ...] = (Pass(seat), Double(seat))
    return calls + [call for call in others if judge_call(rules, scores, bidding, call) is None]


def contract_of(bidding: Bidding) -> Contract | None:
    """Return the contract that a closed competitive auction came to; none when all passed (A6)."""
    high = bidding.high
    if high is None:
        return None
    return Contract(high.seat, high.tricks, high.strain, bidding.doubled)


def total_is_low(rules: RuleSet, scores: Scores, bids: list[int]) -> bool:
    """Return whether four individual bids total too little to play for (A14)."""
    return sum(bids) < rules.minimum_total_at(max(scores))


def judge_individual_bid(rules: RuleSet, score: int, seat: int, tricks: int) -> Verdict | None:
    """Return why a player with this score may not make an individual bid, without the turn (A12, A13)."""
    scores = tuple(score if other == seat else 0 for other in range(4))
    return _judge_bid(rules, scores, Bidding(seat), Bid(seat, tricks))


def _judge_bid(rules: RuleSet, scores: Scores, bidding: Bidding, bid: Bid) -> Verdict | None:
    rule_id = "A12" if rules.individual else "A1"
    if rules.bids_strain:
        if bid.strain is None:
            return verdicts.strain_missing(open_calls(rules, scores, bidding))
    elif bid.strain is not None:
        return verdicts.strain_not_allowed(rule_id, open_calls(rules, scores, bidding))
    if not rules.minimum_bid <= bid.tricks <= rules.maximum_bid:
        return verdicts.bid_out_of_range(rule_id, bid.tricks, open_calls(rules, scores, bidding))
    if bid.tricks in rules.barred_bids:
        return verdicts.bid_barred(bid.tricks, rules.barred_bids, open_calls(rules, scores, bidding))
    lowest = lowest_bid(rules, scores, bidding)
    if lowest is None or _is_below(bid.tricks, bid.strain, lowest):
        if rules.individual:
            rule_id = "A13"
        elif rules.bids_strain:
            rule_id = "A8"
        return verdicts.bid_too_low(bid.seat, rule_id, open_calls(rules, scores, bidding))
    return None


def _is_below(tricks: int, strain: int | None, lowest: BidLimit) -> bool:
    return (tricks, strain or 0) < (lowest[0], lowest[1] or 0)


def _judge_double(rules: RuleSet, scores: Scores, bidding: Bidding, call: Double) -> Verdict | None:
    if rules.doubling is Doubling.NONE:
        return verdicts.double_not_allowed(open_calls(rules, scores, bidding))
    high = bidding.high
    if high is None:
        return verdicts.nothing_to_double(open_calls(rules, scores, bidding))
    if call.seat == high.seat or (rules.doubling is Doubling.OPPONENTS and call.seat == partner(high.seat)):
        return verdicts.own_bid(call.seat, high.seat, open_calls(rules, scores, bidding))
    if bidding.doubled:
        return verdicts.already_doubled(open_calls(rules, scores, bidding))
    return None


def _must_bid_by(rules: RuleSet, bidding: Bidding) -> str | None:
    """Return the rule by which the seat to act may not pass, or none; rule_checks leaves it a legal bid then."""
    if rules.individual:
        return "A12"
    if rules.all_pass is AllPass.LAST_MUST_BID and bidding.high is None and len(bidding.calls) == 3:
        return "A6"
    return None
