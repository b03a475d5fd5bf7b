"""Recorded faults of other card-game code, as cases for the engine: play, deal and dealer.

The C-numbers are those of the project's list of cases; ``tests/test_case_index.py`` counts them.
"""

from collections import Counter
from typing import Any

import pytest

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import DECK, HEARTS, SPADES, SUITS, cards_of
from tarneeb_service.engine.deals import deal_deck
from tarneeb_service.engine.rules import DealOrder
from tarneeb_service.engine.shuffle import first_dealer, shuffled_deck
from tarneeb_service.engine.state import AwaitingDeal, InAuction, State
from tarneeb_service.engine.verdicts import RefusalReason
from tests.positions import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    bidding,
    card,
    deal,
    legal_cards,
    make,
    move_of,
    name_trump,
    new_game,
    play_hand,
    refused,
    turn,
)

# West: a spade, trumps and diamonds; North leads.
HANDS = (
    "S7 S5 S8 S9 ST SJ SQ SK SA C2 C3 C4 C5",
    "S2 H3 D9 H2 H4 H5 H6 H7 H8 H9 HT HJ HQ",
    "D2 D3 D4 D5 D6 D7 D8 DT DJ DQ DK DA CA",
    "S3 S4 S6 HK HA C6 C7 C8 C9 CT CJ CQ CK",
)
ROUND = {
    "saharat_classic": "1:7 2:P 3:P 0:P",
    "saharat_400": "1:4 2:4 3:4 0:4",
}


def north_leads(trump: int) -> State:
    return name_trump(bidding("saharat_classic", "0:7 1:P 2:P 3:P", EAST, HANDS), trump)


def test_c01_a_ruff_is_refused_with_the_suit_in_hand() -> None:
    state = make(north_leads(HEARTS), "0:S7")
    assert legal_cards(state) == "S2"
    assert refused(state, move_of("1:H3")).reason is RefusalReason.MUST_FOLLOW_SUIT


def test_c02_a_led_trump_is_followed_too() -> None:
    state = make(north_leads(SPADES), "0:S5")
    assert legal_cards(state) == "S2"
    assert refused(state, move_of("1:D9")).reason is RefusalReason.MUST_FOLLOW_SUIT


def test_c10_the_taker_leads() -> None:
    state = bidding("saharat_400", ROUND["saharat_400"])
    state = make(state, "1:H2 2:D2 3:C2 0:S2")
    assert turn(state) == WEST


def test_c11_deck() -> None:
    assert len(set(DECK)) == 52
    assert {value >> 4 for value in DECK} == set(SUITS)
    assert {value & 15 for value in DECK} == set(range(2, 15))
    assert Counter(value >> 4 for value in DECK if value & 15 == 14) == dict.fromkeys(SUITS, 1)


def test_c14_a_card_is_played_once() -> None:
    state = make(north_leads(HEARTS), "0:S7 1:S2 2:CA 3:S3 0:C2 1:H9 2:D2 3:C6")
    assert turn(state) == WEST
    verdict = refused(state, move_of("1:H9"))
    assert verdict.reason is RefusalReason.CARD_NOT_HELD
    # The words are those for a card that somebody else holds (C151).
    other = refused(state, move_of("1:HA"))
    assert other.message == verdict.message.replace("H9", "HA")


def test_c17_the_leader_is_not_bound_by_the_trick_before() -> None:
    state = make(north_leads(HEARTS), "0:S5 1:S2 2:D2 3:S6")
    assert turn(state) == EAST
    assert len(game.legal_moves(state)) == 12


@pytest.mark.parametrize(
    ("first", "dealers", "bidders"),
    [
        pytest.param(0, [0, 1, 2, 3], [1, 2, 3, 0], id="C41"),
        pytest.param(2, [2, 3, 0, 1], [3, 0, 1, 2], id="C43"),
    ],
)
def test_dealers_rotate(first: int, dealers: list[int], bidders: list[int]) -> None:
    state: State = new_game("saharat_classic", first, target=1000)
    seen: list[tuple[int, int]] = []
    for _ in range(4):
        assert isinstance(state, AwaitingDeal)
        dealer = state.next_dealer
        bidding = deal(state)
        assert isinstance(bidding, InAuction)
        seen.append((bidding.deal.dealer, turn(bidding)))
        text = " ".join(
            f"{(dealer + place) % 4}:{call}" for place, call in ((1, "7"), (2, "P"), (3, "P"), (4, "P"))
        )
        state = play_hand(state, text, [3, 3, 4, 3])
    assert seen == list(zip(dealers, bidders, strict=True))


def test_c44_first_bidder_and_opening_lead() -> None:
    state = deal(new_game("saharat_syrian_41", SOUTH))
    assert turn(state) == EAST
    assert turn(make(state, "3:3 0:3 1:3 2:3")) == EAST


def test_c47_each_seat_deals_first_as_often() -> None:
    picked = Counter(first_dealer(number.to_bytes(16, "big"), "g") for number in range(40_000))
    assert set(picked) == {0, 1, 2, 3}
    assert all(abs(count - 10_000) <= 400 for count in picked.values())


@pytest.mark.parametrize(
    ("preset", "dealer", "bidder"),
    [("saharat_syrian_41", NORTH, WEST), ("saharat_400", NORTH, WEST), ("mulouk_41", EAST, NORTH)],
)
def test_c49_a_low_total(preset: str, dealer: int, bidder: int) -> None:
    after = bidding(preset, "0:2 1:3 2:2 3:3", EAST)
    assert isinstance(after, AwaitingDeal)
    assert after.next_dealer == dealer
    assert turn(deal(after)) == bidder


def test_c50_a_low_total_asks_for_new_cards() -> None:
    after = bidding("saharat_400", "1:2 2:2 3:3 0:2")
    assert isinstance(after, AwaitingDeal)
    assert refused(after, move_of("1:2")).reason is RefusalReason.WRONG_PHASE
    following = deal(after, *HANDS)
    assert isinstance(following, InAuction)
    assert following.bidding.calls == ()
    decks = {shuffled_deck(b"s" * 16, b"", "g", number) for number in (1, 2)}
    assert len(decks) == 2


@pytest.mark.parametrize("number", [0, 2**31 - 1, 2147473674])
def test_c52_no_seed_is_special(number: int) -> None:
    deck = shuffled_deck(number.to_bytes(16, "big"), b"", "g", 1)
    assert sorted(deck) == sorted(DECK)
    start = deck.index(DECK[0])
    assert deck[start:] + deck[:start] != DECK


def test_c53_hands_of_neighbouring_seeds_differ() -> None:
    keys: list[Any] = [(100, "g", 1), (101, "g", 0), (100, "g", 2), (100, "h", 1), (101, "g", 1)]
    decks = {shuffled_deck(seed.to_bytes(16, "big"), b"", name, number) for seed, name, number in keys}
    assert len(decks) == len(keys)


def test_c55_the_turned_card_is_the_last_one_dealt() -> None:
    rest = [value for value in DECK if value != card("D7")]
    dealt, turned = deal_deck([*rest, card("D7")], NORTH, DealOrder.SINGLY)
    # Sorted, the dealer's hand ends in a spade.
    assert cards_of(dealt[NORTH])[-1] >> 4 == SPADES
    assert turned == card("D7")
    state, _ = game.deal(new_game("saharat_syrian_41"), dealt, turned)
    assert game.trump_with_deal(state.header.rules, turned) == HEARTS


def test_c55_each_trump_comes_as_often() -> None:
    rules = new_game("saharat_syrian_41").header.rules
    trumps = Counter(
        game.trump_with_deal(rules, shuffled_deck(b"s" * 16, b"", "g", number)[-1])
        for number in range(10_000)
    )
    assert set(trumps) == set(SUITS)
    assert all(abs(count - 2_500) <= 200 for count in trumps.values())
