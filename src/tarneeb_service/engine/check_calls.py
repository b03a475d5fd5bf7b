"""The calls of a stored hand, replayed: where the auction stands, or the first call that can't be."""

from functools import lru_cache

from tarneeb_service.engine import auction
from tarneeb_service.engine.cards import STRAIN_NAMES
from tarneeb_service.engine.moves import Bid, Call, Double, Pass
from tarneeb_service.engine.position import RawCall
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.engine.state import Bidding, Scores

BID, PASS, DOUBLE = 1, 2, 3
NO_SCORES = (0, 0, 0, 0)


def replay(rules: RuleSet, dealer: int, scores: Scores, calls: tuple[RawCall, ...]) -> tuple[Bidding, bool]:
    """Return the auction that some calls come to, and whether it is over.

    Args:
        rules: The rules.
        dealer: Who dealt.
        scores: The scores before the hand.
        calls: Calls in order.

    Raises:
        ProblemsError: The first call that can't be, with its path from the game.
    """
    # Scores matter to nothing but the own minimum (A13); without them more hands share an auction.
    return _replay(rules, dealer, scores if rules.own_minimum else NO_SCORES, calls)


# A hand is sent some fifty times with the same calls, and hands share auctions. Only legal auctions get in,
# since what is wrong is raised: they are short, and nobody can fill the cache with much.
@lru_cache(maxsize=1024)
def _replay(rules: RuleSet, dealer: int, scores: Scores, calls: tuple[RawCall, ...]) -> tuple[Bidding, bool]:
    bidding, closed = auction.opening(dealer), False
    for index, raw in enumerate(calls):
        path = f"hand.calls[{index}]"
        if closed:
            raise _problem(path, ProblemReason.UNEXPECTED, "the auction was over before this call")
        call = _call(path, raw, bidding.turn)
        verdict = auction.judge_call(rules, scores, bidding, call)
        if verdict is not None:
            raise _problem(path, ProblemReason.ILLEGAL_HISTORY, verdict.message)
        bidding = auction.after(rules, bidding, call)
        closed = auction.is_closed(rules, bidding)
    return bidding, closed


def _call(path: str, raw: RawCall, turn: int) -> Call:
    seat, kind, tricks, strain = raw
    if seat is None:
        raise _problem(f"{path}.seat", ProblemReason.MISSING, "name a seat")
    if not 0 <= seat < 4:
        raise _problem(f"{path}.seat", ProblemReason.UNKNOWN_VALUE, "is no seat")
    if seat != turn:
        raise _problem(f"{path}.seat", ProblemReason.MISMATCH, f"it was {SEAT_NAMES[turn]}'s turn")
    if kind == BID:
        if not 0 <= strain < len(STRAIN_NAMES):
            raise _problem(f"{path}.strain", ProblemReason.UNKNOWN_VALUE, "is no strain")
        return Bid(seat, tricks, strain or None)
    if tricks or strain:
        raise _problem(path, ProblemReason.UNEXPECTED, "only a bid has tricks and a strain")
    if kind == PASS:
        return Pass(seat)
    if kind == DOUBLE:
        return Double(seat)
    reason = ProblemReason.UNKNOWN_VALUE if kind else ProblemReason.MISSING
    raise _problem(f"{path}.kind", reason, "must be a bid, a pass or a double")


def _problem(path: str, reason: ProblemReason, message: str) -> ProblemsError:
    return ProblemsError([Problem(path, reason, message)])
