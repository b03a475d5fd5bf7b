"""Recorded faults of other card-game code, as cases for the engine: the auctions."""

import pytest

from tarneeb_service.engine import game
from tarneeb_service.engine.state import InAuction
from tarneeb_service.engine.verdicts import RefusalReason
from tests.positions import (
    bidding,
    contract,
    deal,
    legal_bids,
    move_of,
    new_game,
    play_hand,
    refused,
    turn,
)

CLASSIC, EGYPTIAN = "saharat_classic", "jawaker_egyptian"


@pytest.mark.parametrize(
    ("preset", "text", "won"),
    [
        pytest.param(CLASSIC, "1:P 2:P 3:P 0:7", (0, 7, False), id="C20"),
        pytest.param(CLASSIC, "1:7 2:P 3:8 0:P 1:P", (3, 8, False), id="C22"),
        pytest.param(CLASSIC, "1:13", (1, 13, False), id="C31"),
        pytest.param(EGYPTIAN, "1:7S 2:P 3:P 0:P 1:8S 2:P 3:P 0:P 1:P", (1, 8, False), id="C37"),
        pytest.param("cardgames_zone", "1:7 2:P 3:8 0:9", (0, 9, False), id="C40"),
    ],
)
def test_auction_is_won(preset: str, text: str, won: tuple[int, int, bool]) -> None:
    state = bidding(preset, text)
    declarer, tricks, _, doubled = contract(state)
    assert (declarer, tricks, doubled) == won
    assert turn(state) == declarer
    # One call less, and it is still open.
    assert isinstance(bidding(preset, text.rpartition(" ")[0]), InAuction)


@pytest.mark.parametrize(
    ("preset", "text", "seat"),
    [
        pytest.param(CLASSIC, "1:7 2:P 3:8 0:P", 1, id="C22"),
        pytest.param(CLASSIC, "1:7 2:P 3:8 0:P 1:9", 3, id="C23"),
        pytest.param(EGYPTIAN, "1:7S 2:P 3:P 0:P", 1, id="C37"),
        pytest.param(CLASSIC, "1:7 2:P 3:8 0:9", 1, id="C40"),
    ],
)
def test_auction_goes_on(preset: str, text: str, seat: int) -> None:
    state = bidding(preset, text)
    assert isinstance(state, InAuction)
    assert turn(state) == seat


@pytest.mark.parametrize("bid", [7, 8, 9])
def test_c25_a_bid_must_be_higher(bid: int) -> None:
    state = bidding(CLASSIC, "1:9")
    assert refused(state, move_of(f"2:{bid}")).reason is RefusalReason.BID_TOO_LOW
    assert isinstance(state, InAuction)
    assert state.bidding.high == move_of("1:9")
    assert turn(state) == 2


def test_c26_a_refused_bid_changes_nothing() -> None:
    state = bidding(CLASSIC)
    before = repr(state)
    refused(state, move_of("1:14"))
    assert repr(state) == before
    assert turn(state) == 1


def test_c32_bids_start_anew_with_each_hand_and_game() -> None:
    everything = ["P", 7, 8, 9, 10, 11, 12, 13]
    state = play_hand(new_game(CLASSIC), "1:10 2:P 3:P 0:P", [3, 4, 3, 3])
    assert sorted(map(str, legal_bids(deal(state)))) == sorted(map(str, everything))
    one, other = bidding(CLASSIC, "1:10"), bidding(CLASSIC)
    assert legal_bids(one) == [11, 12, 13, "P"]
    assert sorted(map(str, legal_bids(other))) == sorted(map(str, everything))


def test_c34_apply_checks_what_the_menu_says() -> None:
    state = bidding(EGYPTIAN, "1:9S")
    verdict, after, _ = game.apply(state, move_of("2:7S"))
    assert not verdict.accepted
    assert after is state
    assert "7S" not in legal_bids(state)


def test_c76_a_lower_bid_than_the_last_is_legal() -> None:
    assert turn(bidding("saharat_400", "1:5 2:2")) == 3
