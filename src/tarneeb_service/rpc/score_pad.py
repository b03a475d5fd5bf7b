"""Hands without cards, for score pads: contract or bids, and tricks, to a scored hand."""

from dataclasses import dataclass

from tarneeb.v1 import game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import auction, scoring
from tarneeb_service.engine.cards import STRAINS, TRICKS
from tarneeb_service.engine.check_parts import problems_in_scores
from tarneeb_service.engine.problems import Problem, ProblemReason, out_of_range, wrong_count
from tarneeb_service.engine.rules import Auction, Doubling, Revoke, RuleSet
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import Contract, HandEnd, HandResult, Scores
from tarneeb_service.wire.cards import seat_problem
from tarneeb_service.wire.problems import raise_if_any
from tarneeb_service.wire.rules import decode_choice

# Who revokes has two cards left at least, and the trick he does it in is not his (R2).
MOST_BEFORE_REVOKE = TRICKS - 2


@dataclass(frozen=True, slots=True)
class ScoredHand:
    """A result, and what it is added to."""

    rules: RuleSet
    scores: Scores
    result: HandResult


def decode_score(request: pb.ScoreHandRequest) -> ScoredHand:
    """Return the scored hand of a request.

    Raises:
        ProblemsError: The choice of rules is unsound, or the numbers fit no hand under them.
    """
    rules = decode_choice(request.rule_set if request.HasField("rule_set") else None)
    problems: list[Problem | None] = [
        *problems_in_scores("scores", tuple(request.scores), rules),
        *_problems_in_contract(request, rules),
        *_problems_in_bids(request, rules),
    ]
    offender = request.offender - 1 if request.offender else None
    if offender is not None:
        problems.append(seat_problem("offender", request.offender))
        if rules.revoke is not Revoke.FORFEITS:
            problems.append(
                Problem("offender", ProblemReason.UNEXPECTED, "no revoke forfeits under these rules")
            )
    raise_if_any(problems)
    scores, bids, tricks = tuple(request.scores), tuple(request.bids), tuple(request.tricks)
    if rules.individual and auction.total_is_low(rules, scores, list(bids)):
        if tricks or offender is not None:
            message = "must be empty: the bids total too little, so the hand is void"
            raise_if_any([Problem("tricks", ProblemReason.UNEXPECTED, message)])
        return ScoredHand(rules, scores, HandResult(HandEnd.LOW_TOTAL))
    raise_if_any(_problems_in_tricks(tricks, rules, offender))
    if rules.individual:
        result = scoring.score_individual(rules, bids, tricks, scores, offender)
    elif rules.auction is Auction.NONE:
        result = scoring.score_majority(rules, tricks, offender)
    else:
        result = scoring.score_contract(rules, _contract(request.contract), tricks, offender)
    return ScoredHand(rules, scores, result)


def _contract(message: game_pb2.Contract) -> Contract:
    """Return a contract without problems."""
    return Contract(message.declarer - 1, message.tricks, message.strain or None, message.doubled)


def _problems_in_contract(request: pb.ScoreHandRequest, rules: RuleSet) -> list[Problem | None]:
    if rules.auction is not Auction.COMPETITIVE:
        if request.HasField("contract"):
            return [Problem("contract", ProblemReason.UNEXPECTED, "these rules have no contract")]
        return []
    if not request.HasField("contract"):
        return [Problem("contract", ProblemReason.MISSING, "these rules need the bid that won")]
    contract = request.contract
    problems = [seat_problem("contract.declarer", contract.declarer)]
    if not rules.minimum_bid <= contract.tricks <= rules.maximum_bid or contract.tricks in rules.barred_bids:
        # The highest is never barred.
        highest = rules.maximum_bid
        lowest = min({*range(rules.minimum_bid, highest + 1)}.difference(rules.barred_bids))
        message = f"is no bid: bids are {lowest} to {highest}"
        problems.append(out_of_range("contract.tricks", lowest, highest, message))
    if contract.strain and not rules.bids_strain:
        problems.append(Problem("contract.strain", ProblemReason.UNEXPECTED, "a bid names no strain here"))
    elif contract.strain and contract.strain not in STRAINS:
        problems.append(Problem("contract.strain", ProblemReason.UNKNOWN_VALUE, "is no strain"))
    if contract.doubled and rules.doubling is Doubling.NONE:
        problems.append(Problem("contract.doubled", ProblemReason.UNEXPECTED, "these rules have no double"))
    return problems


def _problems_in_bids(request: pb.ScoreHandRequest, rules: RuleSet) -> list[Problem]:
    bids = request.bids
    if not rules.individual:
        return (
            [Problem("bids", ProblemReason.UNEXPECTED, "these rules have no individual bids")] if bids else []
        )
    if len(bids) != len(SEATS):
        return [wrong_count("bids", 4, 4, f"must have 4 bids, not {len(bids)}")]
    if len(request.scores) != len(SEATS):
        return []
    judged = [
        auction.judge_individual_bid(rules, score, seat, bid)
        for seat, (score, bid) in enumerate(zip(request.scores, bids, strict=True))
    ]
    return [
        out_of_range(
            f"bids[{seat}]",
            rules.minimum_bid if verdict.lowest_bid is None else verdict.lowest_bid[0],
            rules.maximum_bid,
            verdict.message,
        )
        for seat, verdict in enumerate(judged)
        if verdict is not None
    ]


def _problems_in_tricks(tricks: Scores, rules: RuleSet, offender: int | None) -> list[Problem]:
    if len(tricks) != rules.sides:
        message = f"must have {rules.sides} counts, not {len(tricks)}"
        return [wrong_count("tricks", rules.sides, rules.sides, message)]
    total = sum(tricks)
    # Teams are awarded the tricks that a revoke left; a player's count holds only those he took (R2).
    if total != TRICKS and not (offender is not None and rules.individual):
        return [out_of_range("tricks", TRICKS, TRICKS, f"must total {TRICKS}, not {total}")]
    if offender is not None and (total if rules.individual else tricks[offender % 2]) > MOST_BEFORE_REVOKE:
        who = "all seats" if rules.individual else "the side that revoked"
        message = f"{who} took at most {MOST_BEFORE_REVOKE} before the revoke"
        path = "tricks" if rules.individual else f"tricks[{offender % 2}]"
        return [out_of_range(path, 0, MOST_BEFORE_REVOKE, message)]
    return []
