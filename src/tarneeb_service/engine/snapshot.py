"""A game as it is stored: what was given, and what follows from it.

A ``Position`` may hold anything and nobody vouches for it; ``check.check`` makes a state of it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tarneeb_service.engine import game
from tarneeb_service.engine.state import (
    AwaitingDeal,
    Contract,
    Deal,
    GameOver,
    HandResult,
    Header,
    InPlay,
    NamingTrump,
    Outcome,
    Phase,
    Play,
    Scores,
    State,
    hand_of,
    phase_of,
    play_of,
    result_of,
    scores_of,
    seat_to_act,
)
from tarneeb_service.engine.values import value

BID, PASS, DOUBLE = 1, 2, 3


class Derived(NamedTuple):
    """All of a game that follows from what was given; unset is none."""

    scores: Scores
    next_dealer: int | None
    phase: int
    seat_to_act: int | None
    outcome: Outcome | None
    contract: Contract | None
    trump: int | None
    opening_leader: int | None
    trick_winners: tuple[int, ...]
    result: HandResult | None


class RawCall(NamedTuple):
    """A call as it was stored: ``kind`` is ``BID``, ``PASS`` or ``DOUBLE``; zero is unset."""

    seat: int | None
    kind: int
    tricks: int
    strain: int


@value
class HandPosition:
    """A hand as it was stored."""

    scores_before: Scores
    dealt: tuple[Sequence[int], ...]
    turned: int | None
    calls: tuple[RawCall, ...]
    played: tuple[int, ...]


@value
class Position:
    """A game as it was stored: any values, for ``check`` to judge. Seats are 0 to 3, unset is none."""

    header: Header
    revision: int
    hand_number: int
    dealer: int | None
    hand: HandPosition | None
    derived: Derived


def derived_of(state: State) -> Derived:
    """Return all that a stored game says beyond what is given."""
    if isinstance(state, InPlay):
        # Nearly every call is about a hand in play: the shortest way for these.
        return _derived_of_play(state.deal, state.play)
    rules, deal, play = state.header.rules, hand_of(state), play_of(state)
    contract = state.contract if isinstance(state, NamingTrump) else None
    trump = None if deal is None else game.trump_with_deal(rules, deal.turned)
    if play is not None:
        contract, trump = play.contract, play.trump
    return Derived(
        scores_of(state),
        state.next_dealer if isinstance(state, AwaitingDeal) else None,
        phase_of(state),
        seat_to_act(state),
        state.outcome if isinstance(state, GameOver) else None,
        contract,
        trump,
        None if play is None else play.opening_leader,
        () if play is None else play.winners,
        result_of(state),
    )


def _derived_of_play(deal: Deal, play: Play) -> Derived:
    return Derived(
        deal.scores_before,
        None,
        Phase.PLAY,
        play.turn,
        None,
        play.contract,
        play.trump,
        play.opening_leader,
        play.winners,
        None,
    )
