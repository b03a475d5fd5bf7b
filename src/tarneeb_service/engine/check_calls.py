"""The calls of a stored hand, replayed: where the auction stands, or the first call that can't be."""

from functools import lru_cache

from tarneeb_service.engine import auction
from tarneeb_service.engine.check_parts import problem_in_call
from tarneeb_service.engine.moves import Bid, Call, Double, Pass
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.engine.snapshot import BID, PASS, RawCall
from tarneeb_service.engine.state import Bidding, Scores

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
    problem = problem_in_call(path, raw)
    if problem is not None:
        raise ProblemsError([problem])
    _, kind, tricks, strain = raw
    if raw.seat != turn:
        raise _problem(f"{path}.seat", ProblemReason.MISMATCH, f"it was {SEAT_NAMES[turn]}'s turn")
    if kind == BID:
        return Bid(turn, tricks, strain or None)
    return Pass(turn) if kind == PASS else Double(turn)


def _problem(path: str, reason: ProblemReason, message: str) -> ProblemsError:
    return ProblemsError([Problem(path, reason, message)])
