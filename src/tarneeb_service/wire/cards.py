"""Cards, seats, teams and strains: ``cards.proto``.

Cards and strains have the same numbers on both sides. Seats and teams are numbered from 1 on the wire and from
0 inside, and zero on the wire is none.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from tarneeb.v1 import cards_pb2
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.seats import SEATS


def encode_seat(index: int | None) -> cards_pb2.Seat.ValueType:
    """Return a seat, or unspecified for none."""
    return cards_pb2.Seat.ValueType(0 if index is None else index + 1)


def encode_seats(indices: Iterable[int]) -> list[cards_pb2.Seat.ValueType]:
    """Return seats."""
    return cast(list[cards_pb2.Seat.ValueType], [index + 1 for index in indices])


def encode_team(index: int) -> cards_pb2.Team.ValueType:
    """Return a team."""
    return cards_pb2.Team.ValueType(index + 1)


def encode_card(card: int | None) -> cards_pb2.Card.ValueType:
    """Return a card, or unspecified for none."""
    return cards_pb2.Card.ValueType(card or 0)


def encode_cards(cards: Iterable[int]) -> list[cards_pb2.Card.ValueType]:
    """Return cards."""
    return cast(list[cards_pb2.Card.ValueType], list(cards))


def encode_card_sets(masks: Iterable[int]) -> list[cards_pb2.CardSet]:
    """Return sets of cards in ascending order."""
    return [cards_pb2.CardSet(cards=encode_cards(cards_of(mask))) for mask in masks]


def encode_strain(strain: int | None) -> cards_pb2.Strain.ValueType:
    """Return a strain, or unspecified for none."""
    return cards_pb2.Strain.ValueType(strain or 0)


def decode_seat(number: int) -> int | None:
    """Return a seat, or a team, as it stands, wrong or not; none where it is unset."""
    return number - 1 if number else None


def decode_card_sets(sets: Sequence[cards_pb2.CardSet]) -> tuple[tuple[int, ...], ...]:
    """Return the cards of four sets; of another number of sets just how many there are."""
    return tuple([tuple(held.cards) for held in sets]) if len(sets) == len(SEATS) else ((),) * len(sets)


def seat_problem(path: str, number: int) -> Problem | None:
    """Return what is wrong with the number of a seat that must be named, or none."""
    if 1 <= number <= len(SEATS):
        return None
    if number:
        return Problem(path, ProblemReason.UNKNOWN_VALUE, f"{number} is no seat")
    return Problem(path, ProblemReason.MISSING, "name a seat")
