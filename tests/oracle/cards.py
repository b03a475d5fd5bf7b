"""Cards, seats and tricks, as lists of strings and small numbers (C1, C2, C5, C6)."""

# Clubs lowest: the order in which strains beat each other (A8).
SUITS = ["clubs", "diamonds", "hearts", "spades"]
STRAINS = ["clubs", "diamonds", "hearts", "spades", "no_trump"]
LETTERS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
# The other suit of the same colour (T3).
SISTERS = {"hearts": "diamonds", "diamonds": "hearts", "spades": "clubs", "clubs": "spades"}
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
DECK = [letter + rank for letter in LETTERS for rank in RANKS]

NORTH, WEST, SOUTH, EAST = 0, 1, 2, 3
SEATS = [NORTH, WEST, SOUTH, EAST]


def right_of(seat: int) -> int:
    """Return the seat at a seat's right hand, who is next in everything (C2)."""
    return {NORTH: WEST, WEST: SOUTH, SOUTH: EAST, EAST: NORTH}[seat]


def team_of(seat: int) -> int:
    """Return 0 for North and South, 1 for West and East (C2)."""
    return 0 if seat in (NORTH, SOUTH) else 1


def suit_of(card: str) -> str:
    """Return the name of a card's suit."""
    return LETTERS[card[0]]


def rank_of(card: str) -> int:
    """Return a card's place from the lowest, the two, to the ace (C1)."""
    return RANKS.index(card[1])


def trick_winner(leader: int, cards: list[str], trump: str | None) -> int:
    """Return the seat that takes a full trick (C6).

    Args:
        leader: The seat that played the first card.
        cards: The four cards in order of play.
        trump: The name of the trump suit; "no_trump" or None if there is none.
    """
    trumps = [card for card in cards if suit_of(card) == trump]
    followers = [card for card in cards if suit_of(card) == suit_of(cards[0])]
    best = max(trumps or followers, key=rank_of)
    seat = leader
    for card in cards:
        if card == best:
            return seat
        seat = right_of(seat)
    raise AssertionError("the best card is one of the four")


def following_cards(holding: list[str], led: str) -> list[str]:
    """Return the cards of a holding that may be played to a led card (C5)."""
    same_suit = [card for card in holding if suit_of(card) == suit_of(led)]
    return same_suit or list(holding)
