"""A1 to A16: the three auctions, and each option in them."""

from typing import Any

import pytest

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import CLUBS, HEARTS, SPADES
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.rules import (
    AllPass,
    Auction,
    CallLimit,
    Doubling,
    NextDealer,
    Passing,
    RaisedDouble,
    SlamBid,
)
from tarneeb_service.engine.state import HandEnd, InAuction, InPlay
from tarneeb_service.engine.verdicts import RefusalReason
from tests.positions import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    bidding,
    contract,
    deal,
    ended,
    legal_bids,
    make,
    move_of,
    refused,
    scores,
    turn,
)

COMPETITIVE = ("saharat_classic", "jawaker_classic", "tarneeb_wikipedia")
INDIVIDUAL = ("saharat_syrian_41", "saharat_400", "mulouk_41", "jawaker_syrian_41")
EGYPTIAN = "jawaker_egyptian"


@pytest.mark.rule("A1")
@pytest.mark.parametrize("preset", [*COMPETITIVE, "cardgames_zone"])
def test_c38_a_pass_or_a_bid_above_the_last(preset: str) -> None:
    state = bidding(preset)
    assert turn(state) == WEST
    assert legal_bids(state) == [7, 8, 9, 10, 11, 12, 13, "P"]
    state = make(state, "1:9 2:P")
    # Overbidding the partner is allowed.
    assert legal_bids(state) == [10, 11, 12, 13, "P"]
    verdict = refused(state, move_of("3:9"))
    assert (verdict.reason, verdict.rule_id, verdict.lowest_bid) == (
        RefusalReason.BID_TOO_LOW,
        "A1",
        (10, None),
    )
    assert refused(state, move_of("3:14")).rule_id == "A1"


@pytest.mark.rule("A2")
@pytest.mark.parametrize("preset", COMPETITIVE)
def test_c23_a_pass_is_final(preset: str) -> None:
    state = bidding(preset, "1:7 2:P 3:8 0:P 1:9")
    assert turn(state) == EAST
    verdict = refused(state, move_of("2:10"))
    assert (verdict.reason, verdict.rule_id) == (RefusalReason.ALREADY_PASSED, "A2")


@pytest.mark.rule("A2")
def test_option_open_passing_without_strain() -> None:
    state = bidding("saharat_classic", "1:7 2:P 3:8 0:P 1:9", passing=Passing.OPEN)
    assert turn(state) == SOUTH
    assert contract(make(state, "2:10 3:P 0:P 1:P 2:P")) == (SOUTH, 10, None, False)


@pytest.mark.rule("A3")
def test_it_ends_when_all_but_the_highest_bidder_have_passed() -> None:
    state = bidding("saharat_classic", "1:7 2:8 3:P 0:P")
    assert isinstance(state, InAuction)
    assert contract(make(state, "1:P")) == (SOUTH, 8, None, False)
    # A last bidder who is left alone is not asked again.
    assert contract(bidding("saharat_classic", "1:P 2:P 3:P 0:7")) == (NORTH, 7, None, False)


@pytest.mark.rule("A4")
@pytest.mark.parametrize("preset", [*COMPETITIVE, "cardgames_zone"])
def test_thirteen_ends_it_at_once(preset: str) -> None:
    assert contract(bidding(preset, "1:7 2:13")) == (SOUTH, 13, None, False)


@pytest.mark.rule("A4")
@pytest.mark.parametrize("preset", [*COMPETITIVE, "cardgames_zone"])
def test_option_thirteen_does_not_end_it(preset: str) -> None:
    state = bidding(preset, "1:13", slam_bid=SlamBid.CONTINUES)
    assert legal_bids(state) == ["P"]
    assert refused(state, move_of("2:13")).message == "No bid beats the last one: pass."
    assert contract(make(state, "2:P 3:P 0:P")) == (WEST, 13, None, False)


@pytest.mark.rule("A5")
def test_one_call_each() -> None:
    state = bidding("cardgames_zone", "1:7 2:P 3:8")
    assert isinstance(state, InAuction)
    assert contract(make(state, "0:9")) == (NORTH, 9, None, False)
    assert contract(bidding("cardgames_zone", "1:7 2:P 3:8 0:P")) == (EAST, 8, None, False)
    assert [name for name in PRESET_IDS if presets()[name].rules.call_limit is CallLimit.ONE_EACH] == [
        "cardgames_zone"
    ]


@pytest.mark.rule("A6")
@pytest.mark.parametrize("preset", [*COMPETITIVE, "cardgames_zone", EGYPTIAN])
def test_c127_four_passes_void_the_hand_and_the_next_dealer_deals(preset: str) -> None:
    before = bidding(preset, "1:P 2:P 3:P", scores=(5, -3))
    after = make(before, "0:P")
    assert ended(after) == (HandEnd.ALL_PASSED, WEST)
    assert scores(after) == [5, -3]
    following = deal(after)
    assert isinstance(following, InAuction)
    assert (following.deal.number, following.deal.dealer, turn(following)) == (2, WEST, SOUTH)


@pytest.mark.rule("A6")
def test_option_same_dealer_after_four_passes() -> None:
    after = bidding("saharat_classic", "1:P 2:P 3:P 0:P", dealer_after_all_pass=NextDealer.SAME)
    assert ended(after) == (HandEnd.ALL_PASSED, NORTH)


@pytest.mark.rule("A6")
@pytest.mark.parametrize("preset", [*COMPETITIVE, "cardgames_zone", EGYPTIAN])
def test_c29_option_the_fourth_must_bid(preset: str) -> None:
    state = bidding(preset, "1:P 2:P", all_pass=AllPass.LAST_MUST_BID)
    assert "P" in legal_bids(state)
    state = make(state, "3:P")
    assert "P" not in legal_bids(state)
    verdict = refused(state, move_of("0:P"))
    strain = 1 if preset == EGYPTIAN else None
    assert (verdict.reason, verdict.rule_id, verdict.lowest_bid) == (
        RefusalReason.PASS_NOT_ALLOWED,
        "A6",
        (7, strain),
    )
    # After a bid the fourth may pass.
    assert "P" in legal_bids(
        bidding(preset, "1:7C 2:P 3:P" if strain else "1:7 2:P 3:P", all_pass=AllPass(2))
    )


@pytest.mark.rule("A7")
@pytest.mark.parametrize("preset", [*COMPETITIVE, "cardgames_zone"])
def test_the_highest_bidder_names_trump_and_leads(preset: str) -> None:
    # West holds nothing but hearts, and may name spades.
    state = bidding(preset, "1:7 2:8 3:9 0:10" if preset == "cardgames_zone" else "1:7 2:P 3:P 0:P")
    declarer = contract(state)[0]
    assert [move for move in game.legal_moves(state) if move.seat != declarer] == []
    assert len(game.legal_moves(state)) == 4
    state = make(state, f"{declarer}:=S")
    assert isinstance(state, InPlay)
    assert (state.play.trump, turn(state)) == (SPADES, declarer)


@pytest.mark.rule("A8")
def test_a_bid_with_strain_beats_a_lower_number_or_a_lower_strain() -> None:
    state = bidding(EGYPTIAN, "1:7H")
    assert legal_bids(state)[:4] == ["7S", "7N", "8C", "8D"]
    for low in ("2:7C", "2:7D", "2:7H"):
        verdict = refused(state, move_of(low))
        assert (verdict.reason, verdict.rule_id, verdict.lowest_bid) == (
            RefusalReason.BID_TOO_LOW,
            "A8",
            (7, SPADES),
        )
    # Raising one's own bid is allowed.
    assert contract(make(state, "2:P 3:P 0:P 1:7S 2:P 3:P 0:P 1:P")) == (WEST, 7, SPADES, False)
    assert refused(state, move_of("2:8")).reason is RefusalReason.STRAIN_MISSING
    assert legal_bids(make(state, "2:13N")) == ["P", "X"]


@pytest.mark.rule("A9")
def test_only_four_passes_in_a_row_end_it() -> None:
    state = bidding(EGYPTIAN, "1:7S 2:P 3:P 0:P")
    assert isinstance(state, InAuction)
    assert turn(state) == WEST
    assert contract(make(state, "1:P")) == (WEST, 7, SPADES, False)
    state = make(state, "1:8S 2:P 3:P 0:P")
    assert isinstance(state, InAuction)
    # Who passed may come back.
    assert contract(make(state, "1:P")) == (WEST, 8, SPADES, False)
    assert contract(bidding(EGYPTIAN, "1:P 2:7S 3:P 0:P 1:9H 2:P 3:P 0:P 1:P")) == (WEST, 9, HEARTS, False)


@pytest.mark.rule("A9", "A4")
def test_c31_thirteen_does_not_end_an_auction_with_strains() -> None:
    state = bidding(EGYPTIAN, "1:13S")
    assert legal_bids(state) == ["13N", "P", "X"]
    assert contract(make(state, "2:X 3:P 0:P 1:P")) == (WEST, 13, SPADES, True)


@pytest.mark.rule("A9", "A6")
def test_four_passes_without_a_bid_void_an_auction_with_strains() -> None:
    assert ended(bidding(EGYPTIAN, "1:P 2:P 3:P 0:P")) == (HandEnd.ALL_PASSED, WEST)


@pytest.mark.rule("A10")
@pytest.mark.parametrize(
    ("text", "won"),
    [
        pytest.param("1:7S 2:X 3:P 0:P 1:P", (WEST, 7, SPADES, True), id="C35a: it counts as a pass"),
        pytest.param("1:7S 2:P 3:P 0:X 1:P", (WEST, 7, SPADES, True), id="the third pass"),
        pytest.param("1:7S 2:X 3:8H 0:P 1:P 2:P 3:P", (EAST, 8, HEARTS, False), id="C35b: gone when outbid"),
        pytest.param("1:7S 2:X 3:8H 0:P 1:8S 2:P 3:P 0:P 1:P", (WEST, 8, SPADES, True), id="returns"),
        pytest.param("1:7C 2:X 3:7D 0:P 1:8C 2:P 3:P 0:P 1:P", (WEST, 8, CLUBS, True), id="in any strain"),
        pytest.param(
            "1:7S 2:X 3:P 0:P 1:8S 2:P 3:P 0:P 1:P", (WEST, 8, SPADES, True), id="C35c: stays when raised"
        ),
    ],
)
def test_a_double(text: str, won: tuple[int, int, int, bool]) -> None:
    assert contract(bidding(EGYPTIAN, text)) == won


@pytest.mark.rule("A10")
def test_each_keeps_his_own_double_and_has_one() -> None:
    state = bidding(EGYPTIAN, "1:7S 2:X 3:8H")
    assert "X" in legal_bids(state)
    both = make(state, "0:X 1:8S")
    assert refused(both, move_of("2:X")).reason is RefusalReason.ALREADY_DOUBLED
    assert contract(make(both, "2:P 3:P 0:P 1:P")) == (WEST, 8, SPADES, True)
    assert contract(make(both, "2:P 3:9H 0:P 1:P 2:P 3:P")) == (EAST, 9, HEARTS, True)
    assert contract(make(both, "2:P 3:P 0:9C 1:P 2:P 3:P 0:P")) == (NORTH, 9, CLUBS, False)


@pytest.mark.rule("A10")
@pytest.mark.parametrize("option", [RaisedDouble.STAYS, RaisedDouble.GONE])
def test_option_a_double_falls_when_another_outbids(option: RaisedDouble) -> None:
    state = bidding(EGYPTIAN, "1:7S 2:X 3:8H 0:P 1:8S", raised_double=option)
    assert "X" in legal_bids(state)
    assert contract(make(state, "2:P 3:P 0:P 1:P")) == (WEST, 8, SPADES, False)


@pytest.mark.rule("A10")
def test_option_a_double_stays_while_the_holder_raises() -> None:
    state = bidding(EGYPTIAN, "1:7S 2:X 3:P 0:P 1:8S", raised_double=RaisedDouble.STAYS)
    assert contract(make(state, "2:P 3:P 0:P 1:P")) == (WEST, 8, SPADES, True)


@pytest.mark.rule("A10")
def test_a_double_returns_where_a_pass_is_final_too() -> None:
    house: dict[str, Any] = {"doubling": Doubling.ANYONE, "raised_double": RaisedDouble.RETURNS}
    state = bidding("saharat_classic", "1:7 2:X 3:8 0:P 1:9", **house)
    assert contract(make(state, "3:P")) == (WEST, 9, None, True)


@pytest.mark.rule("A10")
def test_c35_option_a_double_is_gone_when_the_holder_raises() -> None:
    state = bidding(EGYPTIAN, "1:7S 2:X 3:P 0:P 1:8S", raised_double=RaisedDouble.GONE)
    assert "X" in legal_bids(state)
    assert contract(make(state, "2:P 3:P 0:P 1:P")) == (WEST, 8, SPADES, False)
    # North is the first seat, and no other.
    north = bidding(EGYPTIAN, "1:P 2:P 3:P 0:7S 1:X 2:P 3:P 0:8S", raised_double=RaisedDouble.GONE)
    assert contract(make(north, "1:P 2:P 3:P 0:P")) == (NORTH, 8, SPADES, False)


@pytest.mark.rule("A10")
def test_option_doubling_where_a_pass_is_final() -> None:
    state = bidding("saharat_classic", "1:7 2:X", doubling=Doubling.ANYONE)
    assert refused(make(state, "3:8 0:9"), move_of("2:P")).reason is RefusalReason.ALREADY_PASSED
    assert contract(make(state, "3:P 0:P")) == (WEST, 7, None, True)


@pytest.mark.rule("A11")
def test_anyone_but_the_holder_may_double_once() -> None:
    assert "X" not in legal_bids(bidding(EGYPTIAN))
    assert refused(bidding(EGYPTIAN, "1:P"), move_of("2:X")).reason is RefusalReason.NOTHING_TO_DOUBLE
    for passes in ("", " 2:P", " 2:P 3:P"):
        # South, East, the holder's partner, and North.
        assert "X" in legal_bids(bidding(EGYPTIAN, "1:7S" + passes))
    assert refused(bidding(EGYPTIAN, "1:7S 2:P 3:P 0:P"), move_of("1:X")).reason is RefusalReason.OWN_BID
    # Not twice on the same holder, and no redouble by him.
    doubled = bidding(EGYPTIAN, "1:7S 2:X")
    assert refused(doubled, move_of("3:X")).reason is RefusalReason.ALREADY_DOUBLED
    assert "X" not in legal_bids(make(doubled, "3:P 0:P"))
    # A new holder may be doubled anew.
    assert "X" in legal_bids(make(doubled, "3:8S"))


@pytest.mark.rule("A11")
def test_option_only_opponents_double() -> None:
    state = bidding(EGYPTIAN, "1:7S", doubling=Doubling.OPPONENTS)
    assert "X" in legal_bids(state)
    partner = make(state, "2:P")
    assert "X" not in legal_bids(partner)
    assert refused(partner, move_of("3:X")).reason is RefusalReason.OWN_BID
    assert "X" in legal_bids(make(partner, "3:P"))


@pytest.mark.rule("A12")
@pytest.mark.parametrize("preset", INDIVIDUAL)
def test_c71_one_bid_each_from_two_to_thirteen_and_no_pass(preset: str) -> None:
    state = bidding(preset)
    expected = [bid for bid in range(2, 14) if (preset, bid) != ("mulouk_41", 6)]
    for seat in (WEST, SOUTH, EAST, NORTH):
        assert turn(state) == seat
        # It need not beat anybody's.
        assert legal_bids(state) == expected
        assert refused(state, move_of(f"{seat}:P")).rule_id == "A12"
        for bid in (0, 1, 14):
            assert refused(state, move_of(f"{seat}:{bid}")).rule_id == "A12"
        state = make(state, f"{seat}:{13 - 2 * seat}")
    assert isinstance(state, InPlay)
    assert turn(state) == WEST


@pytest.mark.rule("A12")
def test_six_is_barred_in_mulouk() -> None:
    verdict = refused(bidding("mulouk_41"), move_of("1:6"))
    assert (verdict.reason, verdict.rule_id, verdict.barred_bids) == (RefusalReason.BID_BARRED, "A12", (6,))


@pytest.mark.rule("A13")
@pytest.mark.parametrize(
    ("score", "lowest"),
    [
        (-3, 2),
        (0, 2),
        (10, 2),
        (29, 2),
        (30, 3),
        (39, 3),
        (40, 4),
        (49, 4),
        (50, 5),
        pytest.param(52, 5, id="C74"),
        (67, 5),
    ],
)
def test_c73_own_minimum_climbs_with_the_own_score(score: int, lowest: int) -> None:
    state = bidding("saharat_400", scores=(60, score, -9, 70))
    assert legal_bids(state)[0] == lowest
    verdict = refused(state, move_of(f"1:{lowest - 1}"))
    rule = "A12" if lowest == 2 else "A13"
    assert (verdict.rule_id, verdict.lowest_bid) == (rule, (lowest, None))
    for other in ("saharat_syrian_41", "mulouk_41", "jawaker_syrian_41"):
        assert legal_bids(bidding(other, scores=(60, score, -9, 70)))[0] == 2


@pytest.mark.rule("A14")
@pytest.mark.parametrize(
    ("best", "total"),
    [(-5, 11), (0, 11), (29, 11), (30, 12), (39, 12), (40, 13), (49, 13), (50, 14), (90, 14)],
)
def test_c77_total_climbs_with_the_best_score_in_400(best: int, total: int) -> None:
    before = (-5, -5, best, -5)
    # South has the best score, and with it the highest own minimum.
    south = 5 if best >= 50 else 4
    for preset, needed in (("saharat_400", total), ("saharat_syrian_41", 11), ("jawaker_syrian_41", 11)):
        east = needed - south - 4
        assert isinstance(bidding(preset, f"1:2 2:{south} 3:{east} 0:2", scores=before), InPlay)
        low = bidding(preset, f"1:2 2:{south} 3:{east - 1} 0:2", scores=before) if east > 2 else None
        if low is not None:
            assert ended(low)[0] is HandEnd.LOW_TOTAL
            assert scores(low) == list(before)


@pytest.mark.rule("A15")
@pytest.mark.parametrize("preset", INDIVIDUAL)
def test_who_deals_after_a_low_total(preset: str) -> None:
    dealer = NORTH if preset == "mulouk_41" else WEST
    assert ended(bidding(preset, "1:2 2:2 3:3 0:3")) == (HandEnd.LOW_TOTAL, dealer)
    other = NextDealer.RIGHT if preset == "mulouk_41" else NextDealer.SAME
    changed = bidding(preset, "1:2 2:2 3:3 0:3", dealer_after_low_total=other)
    assert ended(changed)[1] == WEST - dealer


@pytest.mark.rule("A16")
def test_no_calls_play_starts_at_once() -> None:
    state = bidding("cardgames_zone_turned_trump", dealer=SOUTH)
    assert isinstance(state, InPlay)
    assert state.play.contract is None
    assert refused(state, move_of("3:7")).reason is RefusalReason.WRONG_PHASE
    assert [name for name in PRESET_IDS if presets()[name].rules.auction is Auction.NONE] == [
        "cardgames_zone_turned_trump"
    ]
