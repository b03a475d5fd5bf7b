"""Cards before the first call: four hands checked, a deck dealt, and fair deals from a seed (C1, C3, C4).

``docs/fair-deals.md`` describes the shuffle to the byte; whoever implements it elsewhere gets the same cards.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256

from tarneeb_service.engine.cards import BIT, DECK, FULL_DECK, HAND_SIZE, mask_of
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.rules import DealOrder
from tarneeb_service.engine.seats import SEATS

SHORTEST_SEED, LONGEST_SEED, LONGEST_CUT = 16, 64, 64

Masks = tuple[int, int, int, int]

FOUR_HANDS = [HAND_SIZE] * 4
_BIT_OF = BIT.__getitem__


def masks_of_hands(hands: Sequence[Sequence[int]]) -> Masks | None:
    """Return four hands as masks, or none unless they are four times 13 and together the deck (C1)."""
    if [*map(len, hands)] != FOUR_HANDS:
        return None
    try:
        north, west, south, east = [sum(map(_BIT_OF, hand)) for hand in hands]
    except KeyError:
        return None
    # 52 bits add up to the full deck only when all are different.
    return (north, west, south, east) if north + west + south + east == FULL_DECK else None


def problems_in_hands(hands: Sequence[Sequence[int]], path: str, item: str) -> list[Problem]:
    """Return what is wrong with four hands that ``masks_of_hands`` did not take."""
    if len(hands) != 4:
        return [Problem(path, ProblemReason.WRONG_COUNT, f"must have four {item}, not {len(hands)}")]
    problems = []
    seen: set[int] = set()
    for seat, hand in enumerate(hands):
        place = f"{path}[{seat}].cards"
        if len(hand) != HAND_SIZE:
            problems.append(Problem(place, ProblemReason.WRONG_COUNT, f"must have 13 cards, not {len(hand)}"))
        for index, card in enumerate(hand[:52]):
            if card not in BIT:
                problems.append(unknown_card(f"{place}[{index}]"))
            elif card in seen:
                problems.append(
                    Problem(f"{place}[{index}]", ProblemReason.DUPLICATE, "this card was dealt before")
                )
            seen.add(card)
    return problems


def unknown_card(path: str) -> Problem:
    """Return the problem of a number that is none of the 52 cards."""
    return Problem(path, ProblemReason.UNKNOWN_VALUE, "is none of the 52 cards")


def turned_card_problem(
    path: str, turned: int | None, *, turns_card: bool, dealers: Sequence[int] | None
) -> Problem | None:
    """Return what is wrong with the card that is turned, or none (T3, T5).

    Args:
        path: Where it stands.
        turned: The card, or none when there is none.
        turns_card: Whether the rules turn one.
        dealers: The cards of the dealer, or none when they are not known.
    """
    if not turns_card:
        if turned is None:
            return None
        return Problem(path, ProblemReason.UNEXPECTED, "these rules turn no card")
    if turned is None:
        return Problem(path, ProblemReason.MISSING, "these rules turn the dealer's last card")
    if turned not in BIT:
        return unknown_card(path)
    if dealers is not None and turned not in dealers:
        return Problem(path, ProblemReason.NOT_DEALT, "must be a card of the dealer")
    return None


def deal_deck(deck: Sequence[int], dealer: int, order: DealOrder) -> tuple[Masks, int]:
    """Deal a deck of 52 distinct cards from the dealer's right (C4).

    Returns:
        The hands as masks in seat order, and the last card dealt, which is the dealer's.
    """
    hands: list[list[int]] = [[], [], [], []]
    for index, card in enumerate(deck):
        place = index % 4 if order is DealOrder.SINGLY else index // HAND_SIZE
        hands[(dealer + 1 + place) % 4].append(card)
    north, west, south, east = (mask_of(hand) for hand in hands)
    return (north, west, south, east), deck[-1]


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
