"""Whether a deal was fair, by one's own computation: docs/fair-deals.md in code; nothing asks the service."""

from collections.abc import Iterator
from hashlib import sha256

from tarneeb.v1.cards_pb2 import Seat

DECK = [suit << 4 | rank for suit in (1, 2, 3, 4) for rank in range(2, 15)]


def commitment(seed: bytes, game_id: str, hand_number: int) -> bytes:
    """The commitment to a seed; hand 0 is that of a first dealer."""
    return _hash(b"tarneeb.commit.v1", seed, game_id.encode(), hand_number.to_bytes(4, "big"))


def first_dealer(seed: bytes, game_id: str) -> Seat.ValueType:
    """The seat that a seed picks to deal first."""
    return Seat.ValueType(_hash(b"tarneeb.dealer.v1", seed, game_id.encode())[0] % 4 + 1)


def deck(seed: bytes, cut: bytes, game_id: str, hand_number: int) -> list[int]:
    """The shuffled deck, the first card dealt first."""
    key = _hash(b"tarneeb.deal.v1", seed, cut, game_id.encode(), hand_number.to_bytes(4, "big"))
    stream, cards = _stream(key), DECK.copy()
    for last in range(51, 0, -1):
        places = last + 1
        byte = next(byte for byte in stream if byte < 256 - 256 % places)
        place = byte % places
        cards[last], cards[place] = cards[place], cards[last]
    return cards


def hands(cards: list[int], dealer: int, *, packets: bool) -> list[list[int]]:
    """The four hands of a deck, in order North to East, each ascending; the last card is the dealer's."""
    dealt: list[list[int]] = [[], [], [], []]
    for index, card in enumerate(cards):
        # The seat at the dealer's right is first; a seat's number is one more than its place.
        dealt[(dealer + (index // 13 if packets else index)) % 4].append(card)
    return [sorted(hand) for hand in dealt]


def _hash(purpose: bytes, *parts: bytes) -> bytes:
    return sha256(b"".join(len(part).to_bytes(2, "big") + part for part in (purpose, *parts))).digest()


def _stream(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from sha256(key + block.to_bytes(4, "big")).digest()
        block += 1
