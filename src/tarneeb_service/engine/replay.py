"""What was stored of a hand, made again: its calls up to the first that can't be, and its cards likewise."""

from collections.abc import Sequence
from typing import NamedTuple

from tarneeb_service.engine import auction
from tarneeb_service.engine.cards import BIT
from tarneeb_service.engine.check_parts import problem_in_call_made
from tarneeb_service.engine.play import answers, trick_winner
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.engine.snapshot import RawCall, call_of
from tarneeb_service.engine.state import Bidding, Scores

_OVER = Problem("", ProblemReason.UNEXPECTED, "the auction was over before this call")


def replay_calls(
    rules: RuleSet, dealer: int, scores: Scores, calls: Sequence[RawCall]
) -> tuple[Bidding, bool]:
    """Return the auction that some calls come to, and whether it is over.

    Args:
        rules: The rules.
        dealer: Who dealt.
        scores: The scores before the hand.
        calls: Calls in order.

    Raises:
        ProblemsError: The first call that can't be, with its path from the game.
    """
    bidding, closed = auction.opening(dealer), False
    for index, raw in enumerate(calls):
        turn = bidding.turn
        problem = problem_in_call_made(raw) or (_OVER if closed else None)
        if problem is None and raw.seat != turn:
            problem = Problem("seat", ProblemReason.MISMATCH, f"it was {SEAT_NAMES[turn]}'s turn")
        if problem is None:
            call = call_of(turn, raw.kind, raw.tricks, raw.strain)
            verdict = auction.judge_call(rules, scores, bidding, call)
            if verdict is None:
                bidding = auction.after(rules, bidding, call)
                closed = auction.is_closed(rules, bidding)
                continue
            problem = Problem("", ProblemReason.ILLEGAL_HISTORY, verdict.message)
        raise ProblemsError([problem.under(f"hand.calls[{index}]")])
    return bidding, closed


class ReplayedCards(NamedTuple):
    """Where some cards lead: to their end, or to the first that can't be, by its index, and why it can't."""

    holdings: list[int]
    winners: list[int]
    wrong: int | None = None
    reason: ProblemReason | None = None


def replay_cards(dealt: Sequence[int], leader: int, trump: int, cards: Sequence[int]) -> ReplayedCards:
    """Play cards one after the other up to the first that its seat does not hold, or that does not follow suit.

    Args:
        dealt: The holdings before the first card, as masks.
        leader: Who leads the first trick.
        trump: The strain that is trump.
        cards: Cards of the deck in order of play.
    """
    holdings, winners = list(dealt), list[int]()
    bits = BIT  # A local name: this loop runs for every call of the service.
    seat = leader
    for start in range(0, len(cards), 4):
        trick = cards[start : start + 4]
        first, led = seat, trick[0] >> 4
        for card in trick:
            holding = holdings[seat]
            left = holding ^ bits[card]
            if left > holding:
                # Its bit was not there to be taken.
                twice = dealt[seat] & bits[card]
                reason = ProblemReason.PLAYED_TWICE if twice else ProblemReason.NOT_DEALT
                return ReplayedCards(holdings, winners, start + (seat - first) % 4, reason)
            holdings[seat] = left
            # Most cards are of the suit led, and need not be looked up among the answers.
            if card >> 4 != led and not answers(holding, led) & bits[card]:
                reason = ProblemReason.ILLEGAL_HISTORY
                return ReplayedCards(holdings, winners, start + (seat - first) % 4, reason)
            seat = seat + 1 & 3
        if len(trick) == 4:
            seat = trick_winner(first, trick, trump)
            winners.append(seat)
    return ReplayedCards(holdings, winners)
