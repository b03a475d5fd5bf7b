"""What one viewer may know of a game.

A view is built by naming what is shown: what is not named here stays hidden, new fields included. Two games
that differ only in what a viewer may not see give him equal views.
"""

from dataclasses import dataclass

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import TRICKS
from tarneeb_service.engine.derived import Derived, derived_of
from tarneeb_service.engine.moves import Call, Move
from tarneeb_service.engine.rules import PastTricks, Reveal, RuleSet
from tarneeb_service.engine.seats import SEATS, seat_before
from tarneeb_service.engine.state import AwaitingDeal, Deal, Header, State, calls_of, deal_of, play_of

SPECTATOR = 4
VIEWERS = (*SEATS, SPECTATOR)

Four = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, complete or on the table; ``winner`` is none while it is on the table."""

    number: int
    leader: int
    cards: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class HandView:
    """What one viewer may know of a hand; ``holding`` and ``revealed`` are masks."""

    holding: int
    holding_counts: Four
    turned: int | None
    calls: tuple[Call, ...]
    trick: Trick | None
    past_tricks: tuple[Trick, ...]
    trick_counts: Four
    revealed: Four | None


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer may know of a game; ``derived`` is public as a whole, ``cutter`` is that of the next deal."""

    viewer: int
    header: Header
    revision: int
    hand_number: int
    dealer: int | None
    cutter: int | None
    derived: Derived
    hand: HandView | None
    legal_moves: tuple[Move, ...]


def view(state: State, viewer: int) -> View:
    """Return the view of a seat, or of a ``SPECTATOR``."""
    derived, deal = derived_of(state), deal_of(state)
    return View(
        viewer=viewer,
        header=state.header,
        revision=state.revision,
        hand_number=0 if deal is None else deal.number,
        dealer=None if deal is None else deal.dealer,
        cutter=seat_before(state.next_dealer) if isinstance(state, AwaitingDeal) else None,
        derived=derived,
        hand=None if deal is None else _hand_view(state, deal, derived, viewer),
        legal_moves=tuple(game.legal_moves(state)) if viewer == derived.seat_to_act else (),
    )


def _hand_view(state: State, deal: Deal, derived: Derived, viewer: int) -> HandView:
    rules, play = state.header.rules, play_of(state)
    holdings = deal.dealt if play is None else play.holdings
    tricks: list[Trick] = []
    if play is not None:
        leaders = (play.opening_leader, *play.winners)
        tricks = [
            Trick(number + 1, leaders[number], play.played[4 * number : 4 * number + 4], winner)
            for number, winner in enumerate((*play.winners, None))
            if number < TRICKS
        ]
    on_table = tricks.pop() if tricks and tricks[-1].winner is None else None
    if on_table is not None and not on_table.cards and derived.result is not None:
        on_table = None
    is_revealed = derived.result is not None and _is_revealed(rules, viewer)
    north, west, south, east = (derived.trick_winners.count(seat) for seat in SEATS)
    return HandView(
        holding=0 if viewer == SPECTATOR else holdings[viewer],
        holding_counts=_counts(holdings),
        turned=deal.turned,
        calls=calls_of(state),
        trick=on_table,
        past_tricks=tuple(tricks) if is_revealed else _shown_tricks(rules, tricks),
        trick_counts=(north, west, south, east),
        revealed=deal.dealt if is_revealed else None,
    )


def _counts(holdings: Four) -> Four:
    north, west, south, east = holdings
    return north.bit_count(), west.bit_count(), south.bit_count(), east.bit_count()


def _shown_tricks(rules: RuleSet, tricks: list[Trick]) -> tuple[Trick, ...]:
    match rules.past_tricks:
        case PastTricks.ALL:
            return tuple(tricks)
        case PastTricks.LAST:
            return tuple(tricks[-1:])
    return ()


def _is_revealed(rules: RuleSet, viewer: int) -> bool:
    return rules.reveal is Reveal.EVERYBODY or (rules.reveal is Reveal.SPECTATORS and viewer == SPECTATOR)
