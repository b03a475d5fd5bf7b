"""A table as somebody sees it: what ``show`` and ``table`` draw.

Either everything, as the caller's store has it, or what one viewer may know; the views are those of the
engine, so that a picture shows a viewer no more than the service would.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tarneeb.v1 import game_pb2, views_pb2
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.rules import PastTricks
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import State, deal_of, play_of, result_of
from tarneeb_service.engine.views import SPECTATOR, view
from tarneeb_service.wire.views import encode_view

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A view, and the cards that are drawn face up.

    ``hands`` has none for a hand whose cards are hidden; after the hand it has what was ``dealt``.
    """

    view: views_pb2.GameView
    hands: tuple[Cards | None, ...]
    dealt: bool
    everything: bool

    @property
    def hand(self) -> views_pb2.HandView:
        """The hand; empty before the first deal."""
        return self.view.hand

    @property
    def has_hand(self) -> bool:
        """Whether a hand was dealt yet."""
        return self.view.HasField("hand")

    @property
    def result(self) -> game_pb2.HandResult | None:
        """How the hand ended, when it did."""
        return self.hand.result if self.hand.HasField("result") else None

    @property
    def trick(self) -> dict[int, int]:
        """The cards on the table by seat; none once the hand is over."""
        return by_seat(self.hand.trick) if self.result is None else {}

    @property
    def last_trick(self) -> views_pb2.Trick | None:
        """The last trick that is off the table, where the rules show it: complete, or cut short by a revoke."""
        if self.result is not None and self.hand.trick.cards:
            return self.hand.trick
        return self.hand.past_tricks[-1] if self.hand.past_tricks else None

    @property
    def has_play(self) -> bool:
        """Whether cards are or were played in this hand."""
        return self.hand.opening_leader != 0

    @property
    def to_act(self) -> int | None:
        """Who moves next."""
        return self.view.seat_to_act - 1 if self.view.seat_to_act else None

    @property
    def dealer(self) -> int | None:
        """Who dealt, or deals, before the first hand."""
        number = self.view.dealer or self.view.next_dealer
        return number - 1 if number else None

    def count(self, seat: int) -> int:
        """How many cards are drawn at a seat."""
        cards = self.hands[seat]
        if cards is not None:
            return len(cards)
        return self.hand.holding_counts[seat] if self.has_hand else 0


def by_seat(trick: views_pb2.Trick) -> dict[int, int]:
    """Return the cards of a trick by the seats that played them."""
    return {(trick.leader - 1 + place) % 4: card for place, card in enumerate(trick.cards)}


def sorted_for_people(cards: Iterable[int]) -> Cards:
    """Return cards from spades to clubs and from high to low."""
    return tuple(sorted(cards, reverse=True))


def seen_by(state: State, viewer: int | None) -> Seen:
    """Return a game as a viewer sees it, or with all its cards for none."""
    if viewer is not None:
        return seen_of_view(encode_view(view(state, viewer)))
    header = state.header
    # The rules hide past tricks from players; whoever has the game has them anyway.
    opened = header._replace(rules=replace(header.rules, past_tricks=PastTricks.ALL))
    shown = encode_view(view(state._replace(header=opened), SPECTATOR))
    deal, play = deal_of(state), play_of(state)
    if deal is None:
        return Seen(shown, ((),) * len(SEATS), dealt=False, everything=True)
    over = result_of(state) is not None
    masks = play.holdings if play is not None and not over else deal.dealt
    hands = tuple(sorted_for_people(cards_of(mask)) for mask in masks)
    return Seen(shown, hands, dealt=over, everything=True)


def seen_of_view(message: views_pb2.GameView) -> Seen:
    """Return what a view shows."""
    hand = message.hand
    if hand.revealed:
        hands = tuple(sorted_for_people(dealt.cards) for dealt in hand.revealed)
        return Seen(message, hands, dealt=True, everything=False)
    own = message.viewer - 1
    shown = tuple(sorted_for_people(hand.holding) if seat == own else None for seat in SEATS)
    if not message.HasField("hand"):
        shown = ((),) * len(SEATS)
    return Seen(message, shown, dealt=False, everything=False)
