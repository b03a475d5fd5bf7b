"""The choosing rule, clause by clause, and that games end by it."""

from collections.abc import Sequence
from typing import Any

import pytest

from tarneeb.v1 import cards_pb2, moves_pb2, views_pb2
from tarneeb_client.choosing import choose, quarters
from tarneeb_service.engine.cards import CARD_OF_TEXT
from tarneeb_service.engine.moves import Bid, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.wire.moves import decode_move, encode_move
from tools.choosing import length

NORTH, WEST, SOUTH, EAST = range(4)
STRAINS = {"C": 1, "D": 2, "H": 3, "S": 4, "N": 5}


def cards(text: str) -> list[cards_pb2.Card.ValueType]:
    return [cards_pb2.Card.ValueType(CARD_OF_TEXT[word]) for word in text.split()]


def view(legal: Sequence[Move], holding: str = "", **hand: Any) -> views_pb2.GameView:
    """North's view."""
    made = views_pb2.GameView(viewer=views_pb2.VIEWER_NORTH, scores=[0, 0])
    made.hand.holding.extend(cards(holding))
    made.legal_moves.extend(encode_move(move) for move in legal)
    for name, value in hand.items():
        match name:
            case "trump":
                made.hand.trump = cards_pb2.Strain.ValueType(STRAINS[value])
            case "trick":
                made.hand.trick.cards.extend(cards(value))
            case "last":
                seat, tricks, strain = value
                made.hand.calls.add(
                    seat=seat + 1, kind=moves_pb2.CALL_KIND_BID, tricks=tricks, strain=strain or 0
                )
                made.hand.calls.add(seat=seat % 4 + 1, kind=moves_pb2.CALL_KIND_PASS)
    return made


def chosen(legal: Sequence[Move], holding: str, **hand: Any) -> Move:
    return decode_move(choose(view(legal, holding, **hand)), "")[0]


def test_quarters() -> None:
    holding = cards("SA SK SQ SJ S2 HA HK HQ HJ H2")
    assert quarters(holding, STRAINS["S"]) == 3 + 3 + 3 + 2 + 2 + 4 + 2 + 1
    assert quarters(holding, STRAINS["C"]) == quarters(holding, STRAINS["N"]) == quarters(holding, 0) == 14


def test_trump_is_the_best_suit_and_the_first_of_equals() -> None:
    legal = [NameTrump(NORTH, suit) for suit in (1, 2, 3, 4)]
    assert chosen(legal, "S2 S3 H2 H3 DA") == NameTrump(NORTH, STRAINS["H"])
    assert chosen(legal, "S2 S3 S4 H2 H3 DA") == NameTrump(NORTH, STRAINS["S"])


def bids(first: int, *more: Move) -> list[Move]:
    return [*(Bid(NORTH, tricks, None) for tricks in range(first, 14)), *more]


def test_an_own_bid_is_what_the_holding_is_worth() -> None:
    worth_three = view(bids(2), "SA SK SQ DA", trump="S")
    worth_three.scores[:] = [0, 0, 0, 0]
    assert choose(worth_three).call.tricks == 3
    del worth_three.legal_moves[:3]
    assert choose(worth_three).call.tricks == 5


# 17 quarters with spades, and 11 of the partner: seven tricks.
SEVEN = "SA SK SQ S2 S3 DA"


@pytest.mark.parametrize(
    ("holding", "first", "tricks"), [(SEVEN, 7, 7), (SEVEN, 8, None), ("SK SQ S2 S3 DA", 7, None)]
)
def test_the_lowest_bid_that_the_holding_bears_or_a_pass(
    holding: str, first: int, tricks: int | None
) -> None:
    expected = Pass(NORTH) if tricks is None else Bid(NORTH, tricks, None)
    assert chosen(bids(first, Pass(NORTH)), holding) == expected


def test_who_may_not_pass_bids_the_lowest() -> None:
    assert chosen(bids(9), "C2") == Bid(NORTH, 9, None)


def test_a_bid_with_a_strain_is_of_the_best_suit() -> None:
    legal = [Bid(NORTH, 7, strain) for strain in (1, 2, 3, 4, 5)]
    assert chosen([*legal, Pass(NORTH)], SEVEN) == Bid(NORTH, 7, STRAINS["S"])


def test_trump_that_is_fixed_is_the_best_suit() -> None:
    assert chosen(bids(7, Pass(NORTH)), SEVEN, trump="H") == Pass(NORTH)


@pytest.mark.parametrize(("holder", "passes"), [(NORTH, True), (SOUTH, True), (WEST, False), (EAST, False)])
def test_the_bid_of_one_s_own_side_stands(holder: int, passes: bool) -> None:
    expected = Pass(NORTH) if passes else Bid(NORTH, 8, None)
    better = f"{SEVEN} S4 HA"
    assert chosen(bids(8, Pass(NORTH), Double(NORTH)), better, last=(holder, 7, 3)) == expected


@pytest.mark.parametrize(("tricks", "doubles"), [(9, True), (8, False)])
def test_a_double_by_who_can_beat_the_bid(tricks: int, doubles: bool) -> None:
    # 8 quarters with hearts and 12 of the partner are five tricks: enough against nine.
    call = chosen(bids(10, Pass(NORTH), Double(NORTH)), "HK HQ H2", last=(WEST, tricks, STRAINS["H"]))
    assert call == (Double(NORTH) if doubles else Pass(NORTH))


@pytest.mark.parametrize(
    ("legal", "trick", "card"),
    [
        ("C2 CT DT S9", "", "CT"),  # to lead: the highest, the first of equals
        ("C2 CJ CA", "CT", "CJ"),  # the least that wins
        ("C2 CJ CA", "CT CK CQ", "CA"),
        ("C3 C9", "CT", "C3"),  # what can't win goes low
        ("D4 H2 HA", "CT", "H2"),  # a trump
        ("D4 H2 HA", "CT H3", "HA"),  # a higher one
        ("D4 S4 H2", "CT H3", "H2"),  # none is high enough: the lowest rank
        ("D4 S4", "CT", "D4"),
    ],
)
def test_cards(legal: str, trick: str, card: str) -> None:
    moves = [PlayCard(NORTH, number) for number in cards(legal)]
    assert chosen(moves, legal, trump="H", trick=trick) == PlayCard(NORTH, CARD_OF_TEXT[card])


@pytest.mark.parametrize("preset_id", PRESET_IDS)
def test_a_game_ends(preset_id: str) -> None:
    assert length(preset_id, 101).steps <= 2000
