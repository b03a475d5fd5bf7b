"""The examples that the rule documents themselves work out."""

import pytest

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import HEARTS
from tarneeb_service.engine.moves import Bid
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.scoring import outcome_of
from tarneeb_service.engine.state import AwaitingDeal, GameOver, HandEnd, HandResult, InPlay, ScoreLine
from tests.positions import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    bidding,
    deal,
    legal_bids,
    legal_cards,
    lines,
    make,
    name_trump,
    new_game,
    play_hand,
    points,
    scores,
    turn,
    winner,
)

# 003, "Пример": player 1 (North) has seven hearts with ace and king; player 4 (South), his partner, no spades.
HANDS_003 = (
    "HA HK HQ H9 H8 H7 H6 S2 D2 D3 C2 C3 C4",
    "H2 H3 SA S3 S4 S5 DA DK DQ D4 D5 C5 C6",
    "H4 H5 HJ D7 D8 D9 DT C9 CT CJ CQ CK CA",
    "HT S6 S7 S8 S9 ST SJ SQ SK D6 DJ C7 C8",
)


def test_003_hand_with_hearts() -> None:
    """North bids 8 and draws trumps, South ruffs the ace of spades with the four: nine tricks, nine points."""
    state = name_trump(bidding("cardgames_zone", "0:8 1:P 2:P 3:P", EAST, HANDS_003), HEARTS)
    assert turn(state) == NORTH
    state = make(state, "0:HA")
    # The opponents must follow, and lose their trumps.
    assert legal_cards(state) == "H2 H3"
    state = make(state, "1:H2 2:H5 3:HT 0:HK")
    assert legal_cards(state) == "H3"
    state = make(state, "1:H3 2:HJ 3:S6 0:D2 1:DA 2:D7 3:DJ 1:SA")
    assert "H4" in legal_cards(state).split()
    state = make(state, "2:H4 3:S7 0:S2")
    assert turn(state) == SOUTH
    state = make(state, "2:CA 3:C7 0:C2 1:C5 2:D8 3:D6 0:D3 1:DK 1:S3 2:D9 3:S8 0:C4 3:S9 0:C3 1:S4 2:DT")
    state = make(state, "3:ST 0:H6 1:S5 2:C9 0:H7 1:DQ 2:CT 3:SJ 0:H8 1:D4 2:CJ 3:SQ 0:H9 1:D5 2:CQ 3:SK")
    state = make(state, "0:HQ 1:C6 2:CK 3:C8")
    assert [(line.bid, line.tricks, line.points, line.made) for line in lines(state)] == [
        (8, 9, 9, True),
        (None, 4, 0, None),
    ]
    assert scores(state) == [9, 0]


@pytest.mark.parametrize("preset", ["saharat_classic", "jawaker_classic"])
@pytest.mark.parametrize(
    ("auction", "counts", "expected"),
    [
        pytest.param("1:8 2:P 3:P 0:P", [0, 13, 0, 0], [0, 16], id="13 without bidding them"),
        pytest.param("1:8 2:P 3:P 0:P", [6, 0, 7, 0], [16, -8], id="13 by the other side"),
        pytest.param("1:13", [0, 6, 0, 7], [0, 26], id="13 bid and made"),
        pytest.param("1:13", [1, 6, 0, 6], [1, -16], id="13 bid and failed"),
    ],
)
def test_001_and_002_thirteen_tricks(
    preset: str, auction: str, counts: list[int], expected: list[int]
) -> None:
    assert points(play_hand(new_game(preset), auction, counts)) == expected


# 001: the defenders' tricks. 002: 16 for either team that takes thirteen without bidding them.
@pytest.mark.parametrize(("preset", "defence"), [("saharat_classic", 13), ("jawaker_classic", 16)])
def test_thirteen_bid_and_none_taken(preset: str, defence: int) -> None:
    assert points(play_hand(new_game(preset), "1:13", [6, 0, 7, 0])) == [defence, -16]


def test_002_egyptian_order_of_strains() -> None:
    """No-trump, spades, hearts, diamonds, clubs, from strong to weak."""
    state = deal(new_game("jawaker_egyptian"))
    assert legal_bids(state)[:5] == ["7C", "7D", "7H", "7S", "7N"]
    state = make(state, "1:7C 2:7D 3:7H 0:7S 1:7N")
    assert legal_bids(state)[0] == "8C"


@pytest.mark.parametrize(("turned", "trump"), [("HA", "diamonds"), ("SA", "clubs")])
def test_002_turned_card(turned: str, trump: str) -> None:
    """The examples: a heart makes diamonds trump, a spade makes clubs trump."""
    dealer = WEST if turned == "HA" else NORTH
    state = deal(new_game("jawaker_syrian_41", dealer), turned=turned)
    first = (dealer + 1) % 4
    state = make(state, " ".join(f"{(first + place) % 4}:3" for place in range(4)))
    assert isinstance(state, InPlay)
    assert ("", "clubs", "diamonds", "hearts", "spades")[state.play.trump] == trump


def test_000_both_teams_qualify_in_the_same_hand() -> None:
    """The higher sum of the partners wins; equal sums play another hand."""
    # 40 + 8 against 41 + 5 before the last bids are made.
    state = play_hand(new_game("mulouk_41", scores=(38, 39, 20, 5)), "1:3 2:3 3:2 0:3", [4, 3, 4, 2])
    assert scores(state) == [41, 42, 23, 7]
    assert winner(state) == 0
    state = play_hand(new_game("mulouk_41", scores=(38, 39, 9, 8)), "1:3 2:3 3:3 0:3", [3, 3, 4, 3])
    assert scores(state) == [41, 42, 12, 11]
    assert isinstance(state, AwaitingDeal)


def test_001_both_teams_qualify_in_the_same_hand() -> None:
    """The highest player's team wins; equal ones play on."""
    state = play_hand(new_game("saharat_syrian_41", scores=(38, 39, 20, 5)), "1:3 2:3 3:2 0:3", [4, 3, 4, 2])
    assert winner(state) == 1
    state = play_hand(new_game("saharat_syrian_41", scores=(39, 39, 20, 5)), "1:3 2:3 3:2 0:3", [4, 3, 4, 2])
    assert scores(state)[:2] == [42, 42]
    assert isinstance(state, AwaitingDeal)


def test_000_not_enough_with_a_partner_at_zero_or_below() -> None:
    for partner, over in ((-2, False), (-3, False), (0, True), (1, True)):
        state = play_hand(new_game("mulouk_41", scores=(39, 0, partner, 0)), "1:4 2:2 3:2 0:3", [3, 4, 3, 3])
        assert isinstance(state, GameOver) == over


def test_000_the_dealer_deals_again_after_less_than_eleven() -> None:
    state = bidding("mulouk_41", "3:2 0:2 1:3 2:3", SOUTH)
    assert isinstance(state, AwaitingDeal)
    assert state.next_dealer == SOUTH
    assert state.last is not None
    assert state.last.result.end is HandEnd.LOW_TOTAL


def test_001_400_ten_is_worth_forty_and_can_end_the_game() -> None:
    state = play_hand(new_game("saharat_400", scores=(1, 0, 1, 0)), "1:2 2:2 3:2 0:10", [10, 0, 3, 0])
    assert scores(state)[0] == 41
    assert winner(state) == NORTH


def test_001_400_minimums() -> None:
    """30 to 39 asks 3 and 12, 40 to 49 asks 4 and 13, 50 and more asks 5 and 14."""
    for score, own, total in ((29, 2, 11), (30, 3, 12), (40, 4, 13), (50, 5, 14)):
        rules = presets()["saharat_400"].rules
        assert (rules.own_minimum_at(score), rules.minimum_total_at(score)) == (own, total)
        state = deal(new_game("saharat_400", scores=(-1, score, -1, -1)))
        assert next(move.tricks for move in game.legal_moves(state) if isinstance(move, Bid)) == own


def test_004_thirteen_tricks_win_the_game() -> None:
    """At any score, bid or not."""
    state = play_hand(new_game("tarneeb_wikipedia", scores=(0, -30)), "1:7 2:P 3:P 0:P", [0, 13, 0, 0])
    assert winner(state) == 1


def test_004_forty_one_on_either_side() -> None:
    rules = presets()["tarneeb_wikipedia"].rules
    lines = (ScoreLine(0, 9, 7, -9, False), ScoreLine(1, None, 6, 6, None))
    outcome = outcome_of(rules, (38, 35), HandResult(HandEnd.SCORED, lines))
    assert outcome is not None
    assert outcome.winner == 1
