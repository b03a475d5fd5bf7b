"""Recorded faults of other card-game code, as cases for the engine: the auctions."""

import pytest

from tarneeb_service.engine import game
from tarneeb_service.engine.rules import AllPass, RaisedDouble
from tarneeb_service.engine.state import AwaitingDeal, HandEnd, InAuction, InPlay, NamingTrump, State, deal_of
from tarneeb_service.engine.verdicts import RefusalReason
from tests.engine.table import (
    call_of,
    calls,
    deal,
    legal_bids,
    new_game,
    play_hand,
    refused,
    scores,
    turn,
)

CLASSIC, EGYPTIAN = "saharat_classic", "jawaker_egyptian"


def auction(preset: str, text: str = "") -> State:
    return calls(deal(new_game(preset)), text)


def declared(state: State) -> tuple[int, int, bool]:
    assert isinstance(state, NamingTrump | InPlay)
    contract = state.contract if isinstance(state, NamingTrump) else state.play.contract
    assert contract is not None
    return contract.declarer, contract.tricks, contract.doubled


@pytest.mark.parametrize(
    ("preset", "text", "contract"),
    [
        pytest.param(CLASSIC, "1:P 2:P 3:P 0:7", (0, 7, False), id="C20"),
        pytest.param(CLASSIC, "1:7 2:P 3:8 0:P 1:P", (3, 8, False), id="C22"),
        pytest.param(CLASSIC, "1:13", (1, 13, False), id="C31"),
        pytest.param(EGYPTIAN, "1:7S 2:X 3:P 0:P 1:P", (1, 7, True), id="C35a"),
        pytest.param(EGYPTIAN, "1:7S 2:X 3:8H 0:P 1:P 2:P 3:P", (3, 8, False), id="C35b"),
        pytest.param(EGYPTIAN, "1:7S 2:X 3:P 0:P 1:8S 2:P 3:P 0:P 1:P", (1, 8, True), id="C35c"),
        pytest.param(EGYPTIAN, "1:7S 2:P 3:P 0:P 1:8S 2:P 3:P 0:P 1:P", (1, 8, False), id="C37"),
        pytest.param("cardgames_zone", "1:7 2:P 3:8 0:9", (0, 9, False), id="C40"),
    ],
)
def test_auction_is_won(preset: str, text: str, contract: tuple[int, int, bool]) -> None:
    state = auction(preset, text)
    assert declared(state) == contract
    assert turn(state) == contract[0]
    # One call less, and it is still open.
    assert isinstance(auction(preset, text.rpartition(" ")[0]), InAuction)


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
    state = auction(preset, text)
    assert isinstance(state, InAuction)
    assert turn(state) == seat


def test_c23_who_passed_stays_out() -> None:
    state = auction(CLASSIC, "1:7 2:P 3:8 0:P 1:9")
    assert refused(state, call_of("2:10")).reason is RefusalReason.ALREADY_PASSED


@pytest.mark.parametrize("bid", [7, 8, 9])
def test_c25_a_bid_must_be_higher(bid: int) -> None:
    state = auction(CLASSIC, "1:9")
    assert refused(state, call_of(f"2:{bid}")).reason is RefusalReason.BID_TOO_LOW
    assert isinstance(state, InAuction)
    assert state.bidding.high == call_of("1:9")
    assert turn(state) == 2


def test_c26_a_refused_bid_changes_nothing() -> None:
    state = auction(CLASSIC)
    before = repr(state)
    refused(state, call_of("1:14"))
    assert repr(state) == before
    assert turn(state) == 1


def test_c28_four_passes() -> None:
    state: State = new_game(CLASSIC, 0, (5, -3))
    sizes = set()
    for number in range(1000):
        bidding = deal(state)
        assert isinstance(bidding, InAuction)
        assert (bidding.deal.dealer, turn(bidding)) == (number % 4, (number + 1) % 4)
        state = calls(bidding, " ".join(f"{(number + place) % 4}:P" for place in (1, 2, 3, 4)))
        assert isinstance(state, AwaitingDeal)
        assert scores(state) == [5, -3]
        assert state.last is not None
        sizes.add(len(state.last.calls))
    assert sizes == {4}


def test_c29_option_the_last_one_must_bid() -> None:
    state = deal(new_game(CLASSIC, all_pass=AllPass.LAST_MUST_BID))
    state = calls(state, "1:P 2:P 3:P")
    assert refused(state, call_of("0:P")).reason is RefusalReason.PASS_NOT_ALLOWED
    assert legal_bids(state) == [7, 8, 9, 10, 11, 12, 13]
    assert isinstance(auction(CLASSIC, "1:P 2:P 3:P 0:P"), AwaitingDeal)


def test_c31_thirteen_with_a_strain_stays_open() -> None:
    assert legal_bids(auction(EGYPTIAN, "1:13S")) == ["13N", "P", "X"]


def test_c32_bids_start_anew_with_each_hand_and_game() -> None:
    everything = ["P", 7, 8, 9, 10, 11, 12, 13]
    state = play_hand(new_game(CLASSIC), "1:10 2:P 3:P 0:P", [3, 4, 3, 3])
    assert sorted(map(str, legal_bids(deal(state)))) == sorted(map(str, everything))
    one, other = auction(CLASSIC, "1:10"), auction(CLASSIC)
    assert legal_bids(one) == [11, 12, 13, "P"]
    assert sorted(map(str, legal_bids(other))) == sorted(map(str, everything))


def test_c34_apply_checks_what_the_menu_says() -> None:
    state = auction(EGYPTIAN, "1:9S")
    verdict, after, _ = game.apply(state, call_of("2:7S"))
    assert not verdict.accepted
    assert after is state
    assert "7S" not in legal_bids(state)


def test_c35c_option_a_raise_ends_the_double() -> None:
    state = deal(new_game(EGYPTIAN, raised_double=RaisedDouble.GONE))
    state = calls(state, "1:7S 2:X 3:P 0:P 1:8S 2:P 3:P 0:P 1:P")
    assert declared(state) == (1, 8, False)


def test_c38_overbidding_the_partner_is_legal() -> None:
    assert 8 in legal_bids(auction(CLASSIC, "1:7 2:P"))


@pytest.mark.parametrize("preset", ["saharat_400", "saharat_syrian_41", "mulouk_41", "jawaker_syrian_41"])
def test_c71_no_pass_in_individual_auctions(preset: str) -> None:
    assert refused(auction(preset), call_of("1:P")).reason is RefusalReason.PASS_NOT_ALLOWED


@pytest.mark.parametrize(
    ("own", "lowest"), [(-3, 2), (0, 2), (10, 2), (29, 2), (30, 3), (40, 4), (50, 5), (67, 5)]
)
def test_c73_own_minimum(own: int, lowest: int) -> None:
    assert legal_bids(deal(new_game("saharat_400", 0, (0, own, 0, 0))))[0] == lowest


def test_c74_a_step_at_fifty() -> None:
    state = deal(new_game("saharat_400", 0, (0, 52, 0, 0)))
    assert refused(state, call_of("1:4")).reason is RefusalReason.BID_TOO_LOW


def test_c76_a_lower_bid_than_the_last_is_legal() -> None:
    assert turn(auction("saharat_400", "1:5 2:2")) == 3


def test_c77_the_total_climbs_with_the_best_score() -> None:
    after = calls(deal(new_game("saharat_400", 3, (31, 0, 0, 0))), "0:3 1:3 2:3 3:2")
    assert isinstance(after, AwaitingDeal)
    assert after.last is not None
    assert after.last.result.end is HandEnd.LOW_TOTAL
    assert isinstance(calls(deal(new_game("saharat_400", 3, (29, 0, 0, 0))), "0:3 1:3 2:3 3:2"), InPlay)


def test_c127_a_passed_out_hand_has_no_declarer() -> None:
    after = auction(CLASSIC, "1:P 2:P 3:P 0:P")
    assert isinstance(after, AwaitingDeal)
    assert after.last is not None
    assert (after.last.play, after.last.result.lines) == (None, ())
    assert deal_of(after) is not None
