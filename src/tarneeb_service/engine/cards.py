"""Cards, suits and strains as small numbers, and hands of cards as bit masks.

A card is ``suit * 16 + rank`` (suits clubs 1, diamonds 2, hearts 3, spades 4; ranks 2 to 14). A set of
cards is an ``int`` whose bit ``card`` says whether the card is in it, so that "does he hold the suit led"
is one ``&``. The numbers are those of the wire (``cards.proto``) and frozen.
"""

from collections.abc import Iterable

CLUBS, DIAMONDS, HEARTS, SPADES = 1, 2, 3, 4
NO_TRUMP = 5
SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)
STRAINS = (CLUBS, DIAMONDS, HEARTS, SPADES, NO_TRUMP)
STRAIN_NAMES = ("", "clubs", "diamonds", "hearts", "spades", "no-trump")

DECK = tuple(suit * 16 + rank for suit in SUITS for rank in range(2, 15))
BIT = {card: 1 << card for card in DECK}
# Indexed by strain: no-trump has no cards.
SUIT_MASK = (0, *(sum(BIT[suit * 16 + rank] for rank in range(2, 15)) for suit in SUITS), 0)
FULL_DECK = sum(SUIT_MASK)
HAND_SIZE = 13
# Each seat plays a card to every trick.
TRICKS = HAND_SIZE

# T3: the other suit of the same colour.
SISTER_SUIT = (0, SPADES, HEARTS, DIAMONDS, CLUBS)

_SUIT_LETTERS = " CDHS"
_RANK_LETTERS = "  23456789TJQKA"
CARD_TEXT = {card: _SUIT_LETTERS[card >> 4] + _RANK_LETTERS[card & 15] for card in DECK}
CARD_OF_TEXT = {text: card for card, text in CARD_TEXT.items()}


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of distinct cards; a ``KeyError`` names what is no card."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def cards_of(mask: int) -> tuple[int, ...]:
    """Return the cards of a mask in ascending order."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cards)


def cards_text(cards: Iterable[int]) -> str:
    """Return cards as people write them, as ``S9 SA``."""
    return " ".join(CARD_TEXT[card] for card in cards)
