"""Fair deals from a seed: the shuffle, the commitment before it, and the first dealer (C3, C4).

``docs/fair-deals.md`` describes all three to the byte; whoever implements them elsewhere gets the same cards.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256

from tarneeb_service.engine.cards import DECK
from tarneeb_service.engine.seats import SEATS

# In bytes.
SHORTEST_SEED, LONGEST_SEED, LONGEST_CUT, COMMITMENT_SIZE = 16, 64, 64, 32


def shuffled_deck(seed: bytes, cut: bytes, game_id: str, hand_number: int) -> tuple[int, ...]:
    """Return the deck of a seed and a cut, for this game and hand and no other.

    A Fisher–Yates shuffle of the deck in ascending order. Its numbers are bytes of SHA-256 in counter mode;
    bytes that would favour some places are thrown away, so that all 52! orders are equally likely.
    """
    stream = _byte_stream(_digest(b"tarneeb.deal.v1", seed, cut, game_id.encode(), _number(hand_number)))
    deck = list(DECK)
    for last in range(51, 0, -1):
        places = last + 1
        fair = 256 - 256 % places
        byte = next(stream)
        while byte >= fair:
            byte = next(stream)
        place = byte % places
        deck[last], deck[place] = deck[place], deck[last]
    return tuple(deck)


def commitment(seed: bytes, game_id: str, hand_number: int) -> bytes:
    """Return 32 bytes that bind whoever shows them to the seed, and tell nothing of it."""
    return _digest(b"tarneeb.commit.v1", seed, game_id.encode(), _number(hand_number))


def belongs(seed: bytes, committed: bytes, game_id: str, hand_number: int) -> bool:
    """Return whether a commitment is that of a seed."""
    return hmac.compare_digest(commitment(seed, game_id, hand_number), committed)


def first_dealer(seed: bytes, game_id: str) -> int:
    """Return the seat that a seed picks as the first dealer, each with the same chance (C3)."""
    return _digest(b"tarneeb.dealer.v1", seed, game_id.encode())[0] % len(SEATS)


def _digest(purpose: bytes, *parts: bytes) -> bytes:
    """Hash parts so that no two lists of parts read alike: each after its length, as two bytes big-endian."""
    return sha256(b"".join(len(part).to_bytes(2, "big") + part for part in (purpose, *parts))).digest()


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _byte_stream(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from sha256(key + _number(block)).digest()
        block += 1
