"""The choosing rule of clients/PROGRAM.md: what a seat does, told by its own view alone. Whole numbers only."""

from tarneeb.v1 import cards_pb2, moves_pb2, views_pb2

SUITS = (1, 2, 3, 4)
# What a partner is taken to be worth, in quarters of a trick.
PARTNER = 11


def choose(view: views_pb2.GameView) -> moves_pb2.Move:
    """The move that the seat to act makes; the view must be its own."""
    legal = view.legal_moves
    action = legal[0].WhichOneof("action")
    if action == "card":
        return _card(view)
    if action == "trump":
        return max(legal, key=lambda move: quarters(view.hand.holding, move.trump))
    return _call(view)


def quarters(holding: list[int], trump: int) -> int:
    """What a holding is worth with a trump, in quarters of a trick."""
    total = 0
    for card in holding:
        suit, rank = card >> 4, card & 15
        if suit == trump:
            total += 3 if rank >= 12 else 2
        else:
            total += {14: 4, 13: 2, 12: 1}.get(rank, 0)
    return total


def _call(view):
    hand, legal = view.hand, view.legal_moves
    bids = [move for move in legal if move.call.kind == moves_pb2.CALL_KIND_BID]
    if len(view.scores) == 4:
        own = quarters(hand.holding, hand.trump) // 4
        fitting = [move for move in bids if move.call.tricks <= own]
        return fitting[-1] if fitting else bids[0]
    passes = [move for move in legal if move.call.kind == moves_pb2.CALL_KIND_PASS]
    doubles = [move for move in legal if move.call.kind == moves_pb2.CALL_KIND_DOUBLE]
    made = [call for call in hand.calls if call.kind == moves_pb2.CALL_KIND_BID]
    if made:
        last = made[-1]
        if (last.seat - view.viewer) % 2 == 0 and passes:
            return passes[0]
        if doubles and quarters(hand.holding, last.strain) >= 4 * (14 - last.tricks) - DOUBLE:
            return doubles[0]
    best = hand.trump or max(SUITS, key=lambda suit: quarters(hand.holding, suit))
    limit = (quarters(hand.holding, best) + PARTNER) // 4
    for bid in bids:
        if bid.call.tricks <= limit and bid.call.strain in (0, best):
            return bid
    return passes[0] if passes else legal[0]

DOUBLE = 12

def _card(view):
    cards = [m.card for m in view.legal_moves]
    trick, trump = view.hand.trick.cards, view.hand.trump
    if not trick:
        chosen = max(cards, key=lambda c: c & 15)
    else:
        led = trick[0] >> 4
        def power(card):
            suit = card >> 4
            return (card & 15) + (32 if suit == trump else 16 if suit == led else 0)
        best = max(power(c) for c in trick)
        beating = [c for c in cards if power(c) > best]
        chosen = min(beating, key=power) if beating else min(cards, key=lambda c: c & 15)
    return next(m for m in view.legal_moves if m.card == chosen)
