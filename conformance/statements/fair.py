"""Fair deals once more, in a few lines, from their description alone; nothing of the service is used."""

from hashlib import sha256

DECK = [suit + rank for suit in "CDHS" for rank in "23456789TJQKA"]
SEATS = "NWSE"


def digest(*parts: bytes) -> bytes:
    joined = b""
    for part in parts:
        joined += len(part).to_bytes(2, "big") + part
    return sha256(joined).digest()


def deck(seed: bytes, cut: bytes, game_id: str, hand: int) -> list[str]:
    key = digest(b"tarneeb.deal.v1", seed, cut, game_id.encode(), hand.to_bytes(4, "big"))
    # 51 numbers with at most half thrown away: 16 blocks of 32 bytes always do in practice.
    stream = list(b"".join(sha256(key + block.to_bytes(4, "big")).digest() for block in range(16)))
    cards = list(DECK)
    for size in range(52, 1, -1):
        usable = 256 // size * size
        while stream[0] >= usable:
            stream.pop(0)
        other = stream.pop(0) % size
        cards[size - 1], cards[other] = cards[other], cards[size - 1]
    return cards


def commitment(seed: bytes, game_id: str, hand: int) -> bytes:
    return digest(b"tarneeb.commit.v1", seed, game_id.encode(), hand.to_bytes(4, "big"))


def first_dealer(seed: bytes, game_id: str) -> str:
    return SEATS[digest(b"tarneeb.dealer.v1", seed, game_id.encode())[0] % 4]


def hands(cards: list[str], dealer: str, *, packets: bool = False) -> dict[str, list[str]]:
    """Deal a deck from the dealer's right."""
    start = SEATS.index(dealer) + 1
    dealt: dict[str, list[str]] = {seat: [] for seat in SEATS}
    for place, card in enumerate(cards):
        turn = place // 13 if packets else place
        dealt[SEATS[(start + turn) % 4]].append(card)
    return dealt
