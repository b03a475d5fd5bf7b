"""The choosing rule of clients/PROGRAM.md: what a seat does, by its own view alone."""

from collections.abc import Sequence

from tarneeb.v1.moves_pb2 import CALL_KIND_BID, CALL_KIND_DOUBLE, CALL_KIND_PASS, Move
from tarneeb.v1.views_pb2 import GameView

SUITS = (1, 2, 3, 4)
# In quarters of a trick: what a partner is taken to be worth to a bidder, and to one who doubles.
BIDDERS_PARTNER, DOUBLERS_PARTNER = 11, 12


def choose(view: GameView) -> Move:
    """The move of the seat to act; the view must be its own, and has its legal moves."""
    legal = view.legal_moves
    match legal[0].WhichOneof("action"):
        case "card":
            return _card(view)
        case "trump":
            return max(legal, key=lambda move: quarters(view.hand.holding, move.trump))
    return _own_bid(view) if len(view.scores) == 4 else _call(view)


def quarters(holding: Sequence[int], trump: int) -> int:
    """What a holding is worth with a trump, in quarters of a trick."""
    total = 0
    for card in holding:
        suit, rank = card >> 4, card & 15
        if suit == trump:
            total += 3 if rank >= 12 else 2
        else:
            total += {14: 4, 13: 2, 12: 1}.get(rank, 0)
    return total


def _own_bid(view: GameView) -> Move:
    worth = quarters(view.hand.holding, view.hand.trump) // 4
    # Bids are listed from low to high.
    return next((bid for bid in reversed(view.legal_moves) if bid.call.tricks <= worth), view.legal_moves[0])


def _call(view: GameView) -> Move:
    hand, legal = view.hand, view.legal_moves
    first = {move.call.kind: move for move in reversed(legal)}
    last = next((call for call in reversed(hand.calls) if call.kind == CALL_KIND_BID), None)
    if last is not None:
        if (last.seat - view.viewer) % 2 == 0 and CALL_KIND_PASS in first:
            return first[CALL_KIND_PASS]
        worth = quarters(hand.holding, last.strain) + DOUBLERS_PARTNER
        if CALL_KIND_DOUBLE in first and worth >= 4 * (14 - last.tricks):
            return first[CALL_KIND_DOUBLE]
    best = hand.trump or max(SUITS, key=lambda suit: quarters(hand.holding, suit))
    limit = (quarters(hand.holding, best) + BIDDERS_PARTNER) // 4
    for move in legal:
        call = move.call
        if call.kind == CALL_KIND_BID and call.tricks <= limit and call.strain in (0, best):
            return move
    return first.get(CALL_KIND_PASS, legal[0])


def _card(view: GameView) -> Move:
    legal, trick, trump = view.legal_moves, view.hand.trick.cards, view.hand.trump

    def rank(move: Move) -> int:
        return move.card & 15

    if not trick:
        return max(legal, key=rank)

    def power(card: int) -> int:
        suit = card >> 4
        return (card & 15) + (32 if suit == trump else 16 if suit == trick[0] >> 4 else 0)

    highest = max(power(card) for card in trick)
    beating = [move for move in legal if power(move.card) > highest]
    return min(beating, key=lambda move: power(move.card)) if beating else min(legal, key=rank)
