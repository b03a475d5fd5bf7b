"""Players for the demo: they choose among legal moves, bid what they hold, and play plainly.

They know what a player at the table knows: the own holding, the calls, the trick on the table, the cards played.
"""

import random
from typing import Any

from tests.oracle.cards import RANKS, STRAINS, SUITS, rank_of, right_of, suit_of, team_of, trick_winner
from tests.oracle.referee import Referee

Move = tuple[Any, ...]

# How many tricks a high card is worth, with this many cards of its suit beside it.
HIGH_CARDS = {"A": (0.95, 0), "K": (0.7, 1), "Q": (0.35, 2)}
# What a partner is expected to add to one's own tricks.
PARTNER = 3.0


def tricks_held(holding: list[str], trump: str | None) -> float:
    """Guess the tricks that a holding takes alone."""
    tricks = 0.0
    trumps = [card for card in holding if suit_of(card) == trump]
    for suit in SUITS:
        cards = [card for card in holding if suit_of(card) == suit]
        for card in cards:
            worth, guards = HIGH_CARDS.get(card[1], (0.0, 0))
            tricks += worth if len(cards) > guards else worth / 2
        if suit == trump:
            tricks += 0.85 * max(0, len(cards) - 3)
        elif len(cards) < 2:
            tricks += 0.5 * min(len(trumps), 2 - len(cards))
        elif trump is None:
            tricks += 0.3 * max(0, len(cards) - 4)
    return tricks


def best_strain(holding: list[str], strains: list[str]) -> tuple[str, float]:
    """The strain in which a holding is worth most, and its worth."""
    worth = {
        strain: tricks_held(holding, None if strain == "no_trump" else strain) - (strain == "no_trump")
        for strain in strains
    }
    best = max(strains, key=lambda strain: worth[strain])
    return best, worth[best]


def choose(referee: Referee, legal: list[Move], chance: random.Random) -> Move:
    """Choose one of the legal moves of the seat to act; now and then any of them."""
    seat = referee.turn
    assert seat is not None
    holding = referee.holdings[seat]
    if referee.phase == "naming_trump":
        return ("trump", best_strain(holding, SUITS)[0])
    if referee.phase == "auction":
        if referee.rules["auction"] == "individual":
            return _individual_bid(referee, holding, legal, chance)
        return _competitive_call(referee, seat, holding, legal, chance)
    cards = [move[1] for move in legal]
    return ("card", chance.choice(cards) if chance.random() < 0.03 else _card(referee, seat, cards))


def _individual_bid(referee: Referee, holding: list[str], legal: list[Move], chance: random.Random) -> Move:
    wanted = tricks_held(holding, referee.trump) + chance.choice((-0.2, 0.1, 0.4))
    others = [call[1] for _, call in referee.calls]
    if len(others) == 3 and 10 <= sum(others) + int(wanted) < 13:
        # The last one stretches by a trick to have the hand played.
        wanted += 1
    return max((move for move in legal if move[1] <= wanted), default=legal[0], key=lambda move: int(move[1]))


def _competitive_call(
    referee: Referee, seat: int, holding: list[str], legal: list[Move], chance: random.Random
) -> Move:
    bids = [move for move in legal if move[0] == "bid"]
    in_bid = referee.rules["trump"] == "in_bid"
    strain, own = best_strain(holding, STRAINS if in_bid else SUITS)
    holder = next((who for who, call in reversed(referee.calls) if call[0] == "bid"), None)
    if ("double",) in legal and holder is not None and team_of(holder) != team_of(seat):
        against = next(call for _, call in reversed(referee.calls) if call[0] == "bid")
        if own + against[1] > 13 and chance.random() < 0.5:
            return ("double",)
    limit = own + PARTNER + chance.choice((-0.5, 0.0, 0.5, 1.0))
    worth = [bid for bid in bids if bid[1] <= limit and bid[2] == (strain if in_bid else None)]
    # A partner's bid stands unless the own hand is far better.
    partner_holds = holder is not None and team_of(holder) == team_of(seat)
    if not worth or holder == seat or (partner_holds and limit < worth[0][1] + 1.5):
        return ("pass",) if ("pass",) in legal else bids[0]
    return worth[0]


def _card(referee: Referee, seat: int, cards: list[str]) -> str:
    table, trump = referee.trick_on_table(), referee.trump
    cheap = min(cards, key=lambda card: (suit_of(card) == trump, rank_of(card)))
    if not _wants_tricks(referee, seat):
        losing = [card for card in cards if not _wins(referee, card)] if table else []
        return max(losing, key=rank_of) if losing else cheap
    if not table:
        return _lead(referee, cards, cheap)
    winning = [card for card in cards if _wins(referee, card)]
    if not winning or _partner_has_it(referee, seat):
        return cheap
    if len(table) == 3 or suit_of(winning[0]) != suit_of(table[0]):
        return min(winning, key=rank_of)
    best = max(winning, key=rank_of)
    return best if rank_of(best) >= RANKS.index("Q") else cheap


def _lead(referee: Referee, cards: list[str], cheap: str) -> str:
    sure = [card for card in cards if _is_highest(referee, card)]
    trumps = [card for card in cards if suit_of(card) == referee.trump]
    # Trumps are drawn by whoever has many, so that side aces live.
    if len(trumps) >= 4:
        return max(trumps, key=rank_of)
    if sure:
        return max(sure, key=rank_of)
    return cheap


def _is_highest(referee: Referee, card: str) -> bool:
    above = [card[0] + rank for rank in RANKS[rank_of(card) + 1 :]]
    return all(other in referee.played for other in above)


def _wants_tricks(referee: Referee, seat: int) -> bool:
    if referee.rules["auction"] != "individual":
        return True
    bid = next(call[1] for who, call in referee.calls if who == seat)
    return bool(referee.trick_winners.count(seat) < bid)


def _wins(referee: Referee, card: str) -> bool:
    return _winner(referee, [*referee.trick_on_table(), card]) == referee.turn


def _partner_has_it(referee: Referee, seat: int) -> bool:
    if referee.rules["auction"] == "individual":
        return False
    table = referee.trick_on_table()
    return len(table) >= 2 and team_of(_winner(referee, table)) == team_of(seat)


def _winner(referee: Referee, cards: list[str]) -> int:
    """Who is winning an unfinished trick."""
    leader = referee.turn
    assert leader is not None
    for _ in range((4 - len(referee.trick_on_table())) % 4):
        leader = right_of(leader)
    return trick_winner(leader, cards, referee.trump)
