"""Cards before the first call: four hands checked, and a deck dealt (C1, C4)."""

from collections.abc import Sequence

from tarneeb_service.engine.cards import BIT, DECK, FULL_DECK, HAND_SIZE, mask_of
from tarneeb_service.engine.problems import Problem, ProblemReason, unknown_card, wrong_count
from tarneeb_service.engine.rules import DealOrder

Masks = tuple[int, int, int, int]

_FOUR_HANDS = [HAND_SIZE] * 4
_BIT_OF = BIT.__getitem__


def masks_of_hands(hands: Sequence[Sequence[int]]) -> Masks | None:
    """Return four hands as masks, or none unless they are four times 13 and together the deck (C1)."""
    if [*map(len, hands)] != _FOUR_HANDS:
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
        return [wrong_count(path, 4, 4, f"must have four {item}, not {len(hands)}")]
    problems = []
    seen: set[int] = set()
    for seat, hand in enumerate(hands):
        place = f"{path}[{seat}].cards"
        if len(hand) != HAND_SIZE:
            problems.append(
                wrong_count(place, HAND_SIZE, HAND_SIZE, f"must have {HAND_SIZE} cards, not {len(hand)}")
            )
        for index, card in enumerate(hand[: len(DECK)]):
            if card not in BIT:
                problems.append(unknown_card(f"{place}[{index}]"))
            elif card in seen:
                problems.append(
                    Problem(f"{place}[{index}]", ProblemReason.DUPLICATE, "this card was dealt before")
                )
            seen.add(card)
    return problems


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
    if turned is None:
        if not turns_card:
            return None
        return Problem(path, ProblemReason.MISSING, "these rules turn the dealer's last card")
    if turned not in BIT:
        return unknown_card(path)
    if not turns_card:
        return Problem(path, ProblemReason.UNEXPECTED, "these rules turn no card")
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
