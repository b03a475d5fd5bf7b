"""All of a game that follows from what was given: what a snapshot repeats, and a view shows."""

from typing import NamedTuple

from tarneeb_service.engine import game
from tarneeb_service.engine.state import (
    AwaitingDeal,
    Contract,
    GameOver,
    HandResult,
    NamingTrump,
    Outcome,
    Phase,
    Scores,
    State,
    deal_of,
    phase_of,
    play_of,
    result_of,
    scores_of,
    seat_to_act,
)


class Derived(NamedTuple):
    """What follows; unset is none."""

    scores: Scores
    next_dealer: int | None
    phase: Phase
    seat_to_act: int | None
    outcome: Outcome | None
    contract: Contract | None
    trump: int | None
    opening_leader: int | None
    trick_winners: tuple[int, ...]
    result: HandResult | None


def derived_of(state: State) -> Derived:
    """Return all of a game that follows from what was given."""
    deal, play = deal_of(state), play_of(state)
    contract = state.contract if isinstance(state, NamingTrump) else None
    trump = None if deal is None else game.trump_with_deal(state.header.rules, deal.turned)
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
