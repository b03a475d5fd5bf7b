"""The client's own computation of a deal agrees with the document's vectors and with the service."""

import re
from pathlib import Path

import pytest

from tarneeb.v1.cards_pb2 import Seat
from tarneeb_client import fair_deals
from tarneeb_service.engine import deals, shuffle
from tarneeb_service.engine.cards import CARD_TEXT, cards_of
from tarneeb_service.engine.rules import DealOrder

PAGE = Path(__file__).parents[2] / "docs" / "fair-deals.md"
VECTORS = [
    dict(line.split(" ", 1) for line in block.splitlines())
    for block in re.search(r"## Vectors\n.*?```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[1]  # type: ignore[index]
    .strip()
    .split("\n\n")
]


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_the_document(vector: dict[str, str]) -> None:
    seed, hand = bytes.fromhex(vector["seed"]), int(vector["hand"])
    cut = b"" if vector["cut"] == "-" else bytes.fromhex(vector["cut"])
    assert fair_deals.commitment(seed, vector["game"], hand).hex() == vector["commitment"]
    deck = fair_deals.deck(seed, cut, vector["game"], hand)
    assert " ".join(CARD_TEXT[card] for card in deck) == vector["deck"]


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("order", DealOrder)
def test_hands(dealer: int, order: DealOrder) -> None:
    deck = fair_deals.deck(bytes(16), b"cut", "g", 1)
    hands = fair_deals.hands(deck, dealer + 1, packets=order is DealOrder.PACKETS)
    assert hands == [list(cards_of(mask)) for mask in deals.deal_deck(deck, dealer, order)[0]]
    assert deck[-1] in hands[dealer]


def test_the_first_dealer() -> None:
    seeds = [bytes([number]) * 16 for number in range(50)]
    dealers = [fair_deals.first_dealer(seed, "طاولة") for seed in seeds]
    assert dealers == [shuffle.first_dealer(seed, "طاولة") + 1 for seed in seeds]
    assert set(dealers) == {Seat.SEAT_NORTH, Seat.SEAT_WEST, Seat.SEAT_SOUTH, Seat.SEAT_EAST}
