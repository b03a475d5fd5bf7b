"""What one viewer may know of a game.

A view is built by naming what is shown: what is not named here stays hidden, new fields included. Two games
that differ only in what a viewer may not see give him equal views.
"""

from collections.abc import Iterable
from typing import NamedTuple

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


class Trick(NamedTuple):
    """A trick, complete or on the table; ``winner`` is none while it is on the table."""

    number: int
    leader: int
    cards: tuple[int, ...]
    winner: int | None


class PublicHand(NamedTuple):
    """What everybody may know of a hand."""

    holding_counts: Four
    turned: int | None
    calls: tuple[Call, ...]
    trick: Trick | None
    past_tricks: tuple[Trick, ...]
    trick_counts: Four


class Public(NamedTuple):
    """What everybody may know of a game; ``derived`` is public as a whole, ``cutter`` is that of the next deal."""

    header: Header
    revision: int
    hand_number: int
    dealer: int | None
    cutter: int | None
    derived: Derived
    hand: PublicHand | None


class Revealed(NamedTuple):
    """A hand that is over, laid open: every trick of it, and as masks the cards that were dealt."""

    tricks: tuple[Trick, ...]
    dealt: Four


class View(NamedTuple):
    """What one viewer may know of a game: what everybody may, and what is his; ``holding`` is a mask."""

    viewer: int
    public: Public
    holding: int
    legal_moves: tuple[Move, ...]
    revealed: Revealed | None


def view(state: State, viewer: int) -> View:
    """Return the view of a seat, or of a ``SPECTATOR``."""
    return views(state, (viewer,))[0]


def views(state: State, viewers: Iterable[int]) -> list[View]:
    """Return the views of seats and ``SPECTATOR``; what everybody may know is made once, and shared."""
    derived, deal = derived_of(state), deal_of(state)
    tricks = _tricks(state, derived)
    public = Public(
        header=state.header,
        revision=state.revision,
        hand_number=0 if deal is None else deal.number,
        dealer=None if deal is None else deal.dealer,
        cutter=seat_before(state.next_dealer) if isinstance(state, AwaitingDeal) else None,
        derived=derived,
        hand=None if deal is None else _public_hand(state, deal, derived, tricks),
    )
    return [_view(state, viewer, public, tricks) for viewer in viewers]


def _view(state: State, viewer: int, public: Public, tricks: list[Trick]) -> View:
    deal = deal_of(state)
    holding, revealed = 0, None
    if deal is not None:
        if viewer != SPECTATOR:
            holding = _holdings(state, deal)[viewer]
        if public.derived.result is not None and _is_revealed(state.header.rules, viewer):
            revealed = Revealed(tuple(_complete(tricks)), deal.dealt)
    is_to_act = viewer == public.derived.seat_to_act
    return View(viewer, public, holding, tuple(game.legal_moves(state)) if is_to_act else (), revealed)


def _public_hand(state: State, deal: Deal, derived: Derived, tricks: list[Trick]) -> PublicHand:
    on_table = tricks[-1] if tricks and tricks[-1].winner is None else None
    if on_table is not None and not on_table.cards and derived.result is not None:
        on_table = None
    north, west, south, east = (derived.trick_winners.count(seat) for seat in SEATS)
    return PublicHand(
        holding_counts=_counts(_holdings(state, deal)),
        turned=deal.turned,
        calls=calls_of(state),
        trick=on_table,
        past_tricks=_shown_tricks(state.header.rules, _complete(tricks)),
        trick_counts=(north, west, south, east),
    )


def _tricks(state: State, derived: Derived) -> list[Trick]:
    """Return the tricks of a hand; while it is played, and after a revoke that ended it, the last is incomplete."""
    play = play_of(state)
    if play is None:
        return []
    leaders = (play.opening_leader, *derived.trick_winners)
    return [
        Trick(number + 1, leaders[number], play.played[4 * number : 4 * number + 4], winner)
        for number, winner in enumerate((*derived.trick_winners, None))
        if number < TRICKS
    ]


def _complete(tricks: list[Trick]) -> list[Trick]:
    return [trick for trick in tricks if trick.winner is not None]


def _holdings(state: State, deal: Deal) -> Four:
    play = play_of(state)
    return deal.dealt if play is None else play.holdings


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
