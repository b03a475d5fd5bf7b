"""The oracle against every example and every number in the rule documents."""

from itertools import pairwise

import pytest

from tests.oracle.cards import DECK, right_of, trick_winner
from tests.oracle.hands import any_deal, calls, lines_of, new_game, play_hand, play_tricks, points_of
from tests.oracle.rule_sets import COMMON, RULE_SETS
from tests.oracle.scoring import bid_value, find_winner, outright_winner, score_hand

FORTY_ONES = ["mulouk_41", "saharat_syrian_41", "jawaker_syrian_41"]
INDIVIDUAL = [*FORTY_ONES, "saharat_400"]
KABOOT_16 = ["saharat_classic", "jawaker_classic", "jawaker_egyptian"]
COMPETITIVE = [*KABOOT_16, "cardgames_zone", "tarneeb_wikipedia"]


def contract(bid: int, doubled: bool = False) -> tuple[int, int, str | None, bool]:
    """Return a contract of North's."""
    return (0, bid, None, doubled)


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_has_every_switch(name: str) -> None:
    assert sorted(RULE_SETS[name]) == sorted(COMMON)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("mulouk_41", 41),
        ("saharat_classic", 41),
        ("saharat_syrian_41", 41),
        ("saharat_400", 41),
        ("jawaker_classic", 31),
        ("jawaker_egyptian", 41),
        ("jawaker_syrian_41", 41),
        ("cardgames_zone", 31),
        ("cardgames_zone_turned_trump", 31),
        ("tarneeb_wikipedia", 41),
    ],
)
def test_targets(name: str, target: int) -> None:
    assert RULE_SETS[name]["target"] == target


# 000, 001 §3, 002: the other suit of the turned card's colour.
@pytest.mark.parametrize("name", FORTY_ONES)
@pytest.mark.parametrize(
    ("turned", "trump"), [("H9", "diamonds"), ("DK", "hearts"), ("S2", "clubs"), ("CA", "spades")]
)
def test_trump_is_the_sister_suit_and_known_before_the_bids(name: str, turned: str, trump: str) -> None:
    referee = new_game(name)
    rest = [card for card in DECK if card != turned]
    hands = [[*rest[:12], turned], rest[12:25], rest[25:38], rest[38:]]
    referee.deal(hands, turned)
    assert (referee.phase, referee.trump) == ("auction", trump)
    assert turned in referee.holdings[0]


# 003 §8: the card itself determines trump, and play starts without calls.
def test_turned_trump_plays_at_once() -> None:
    referee = new_game("cardgames_zone_turned_trump")
    any_deal(referee)
    assert referee.turned == "SA"
    assert (referee.phase, referee.trump, referee.turn, referee.calls) == ("play", "spades", 1, [])


# 001 §4: hearts always.
def test_400_is_played_in_hearts() -> None:
    referee = new_game("saharat_400")
    any_deal(referee)
    assert (referee.trump, referee.turned) == ("hearts", None)


# 000: two to thirteen but for six, no pass, no need to beat anybody; the dealer's right calls first.
def test_mulouk_bids() -> None:
    referee = new_game("mulouk_41", dealer=2)
    any_deal(referee)
    assert referee.turn == 3
    legal = [("bid", number, None) for number in (2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13)]
    assert referee.legal() == legal
    calls(referee, "3:9")
    assert referee.legal() == legal


@pytest.mark.parametrize("name", ["saharat_syrian_41", "jawaker_syrian_41", "saharat_400"])
def test_other_individual_bids_are_two_to_thirteen(name: str) -> None:
    referee = new_game(name)
    any_deal(referee)
    assert referee.legal() == [("bid", number, None) for number in range(2, 14)]


# 000: the same dealer; 001 §3: the deal moves to the right.
@pytest.mark.parametrize(
    ("name", "dealer"),
    [("mulouk_41", 0), ("saharat_syrian_41", 1), ("saharat_400", 1), ("jawaker_syrian_41", 1)],
)
def test_less_than_eleven_is_void(name: str, dealer: int) -> None:
    referee = new_game(name)
    any_deal(referee)
    calls(referee, "1:2 2:3 3:2 0:3")
    assert referee.result == {"end": "low_total", "lines": [], "offender": None}
    assert (referee.next_dealer, referee.scores) == (dealer, [0, 0, 0, 0])


@pytest.mark.parametrize("name", INDIVIDUAL)
def test_eleven_is_played_and_the_dealers_right_leads(name: str) -> None:
    referee = new_game(name)
    any_deal(referee)
    calls(referee, "1:2 2:3 3:3 0:3")
    assert (referee.phase, referee.opening_leader, referee.turn) == ("play", 1, 1)


# 000, 001 §3, 002: the bid and no overtricks; less is the bid off; scores fall below zero.
@pytest.mark.parametrize("name", FORTY_ONES)
def test_each_player_is_scored_alone(name: str) -> None:
    referee = new_game(name)
    play_hand(referee, "1:4 2:5 3:2 0:3", [5, 4, 1, 3])
    assert lines_of(referee.result) == [(3, 5, 3, True), (4, 4, 4, True), (5, 1, -5, False), (2, 3, 2, True)]
    assert referee.scores == [3, 4, -5, 2]


# 000, 001 §3, 002: one at 41, the partner above zero.
@pytest.mark.parametrize("name", INDIVIDUAL)
@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ([41, 0, 1, 0], 0),
        ([41, 0, 0, 0], None),
        ([50, 0, -1, 0], None),
        ([0, 1, 0, 41], 1),
        ([40, 40, 40, 40], None),
    ],
)
def test_individual_winner(name: str, scores: list[int], winner: int | None) -> None:
    assert find_winner(RULE_SETS[name], [0, 0, 0, 0], scores, None)[0] == winner


# 000: the higher total, else another hand; 001: the highest player, else they go on.
@pytest.mark.parametrize(
    ("scores", "by_total", "by_player"),
    [([41, 42, 20, 1], 0, 1), ([41, 41, 5, 6], 1, None), ([44, 43, 4, 5], None, 0)],
)
def test_both_teams_qualify(scores: list[int], by_total: int | None, by_player: int | None) -> None:
    for name in ("mulouk_41", "jawaker_syrian_41"):
        assert find_winner(RULE_SETS[name], [0, 0, 0, 0], scores, None)[0] == by_total
    for name in ("saharat_syrian_41", "saharat_400"):
        assert find_winner(RULE_SETS[name], [0, 0, 0, 0], scores, None)[0] == by_player


# 001 §4.
@pytest.mark.parametrize(
    ("score", "own", "total"), [(29, 2, 11), (30, 3, 12), (39, 3, 12), (40, 4, 13), (49, 4, 13), (50, 5, 14)]
)
def test_400_minimums_climb(score: int, own: int, total: int) -> None:
    for enough in (True, False):
        referee = new_game("saharat_400", dealer=0, scores=[0, score, 0, 0])
        any_deal(referee)
        assert referee.legal()[0] == ("bid", own, None)
        rest = total - own - 4 - (0 if enough else 1)
        calls(referee, f"1:{own} 2:2 3:2 0:{rest}")
        assert (referee.phase == "play") is enough


# 001 §4: ten is worth forty and may end the game in one big hand.
def test_400_ten_is_worth_forty() -> None:
    referee = new_game("saharat_400", scores=[0, 1, 0, 1])
    play_hand(referee, "1:10 2:2 3:2 0:2", [1, 10, 0, 2])
    assert referee.scores == [-2, 41, -2, 3]
    assert (referee.winner, referee.win_reason) == (1, "target")


# 001 §4: from 30 only five and six change.
def test_400_values_from_thirty() -> None:
    rules = RULE_SETS["saharat_400"]
    changed = [bid for bid in range(2, 14) if bid_value(rules, bid, 29) != bid_value(rules, bid, 30)]
    assert changed == [5, 6]
    assert [bid_value(rules, bid, 30) for bid in (5, 6)] == [5, 6]


# 001 §2, 002, 003, 004: what was taken for a bid that was made, the others nothing.
@pytest.mark.parametrize("name", COMPETITIVE)
@pytest.mark.parametrize(
    ("bid", "tricks", "points"),
    [(7, [7, 6], [7, 0]), (8, [9, 4], [9, 0]), (8, [7, 6], [-8, 6]), (12, [12, 1], [12, 0])],
)
def test_made_and_failed(name: str, bid: int, tricks: list[int], points: list[int]) -> None:
    assert score_hand(RULE_SETS[name], [0, 0], contract(bid), tricks)["scores"] == points


# 001 §2 and 002: 16 for whichever side, 26, −16. 003: no more than the tricks, by default. 004: none.
@pytest.mark.parametrize(
    ("bid", "tricks", "with_bonus", "without"),
    [
        (9, [13, 0], [16, 0], [13, 0]),
        (9, [0, 13], [-9, 16], [-9, 13]),
        (13, [13, 0], [26, 0], [13, 0]),
        (13, [12, 1], [-16, 1], [-13, 1]),
    ],
)
def test_thirteen_tricks(bid: int, tricks: list[int], with_bonus: list[int], without: list[int]) -> None:
    for name in COMPETITIVE:
        points = with_bonus if name in KABOOT_16 else without
        assert points_of(score_hand(RULE_SETS[name], [0, 0], contract(bid), tricks)) == points


# 002: 16 for either team that takes thirteen it did not bid, against a bid of thirteen too; 001: its tricks.
def test_thirteen_tricks_against_a_bid_of_thirteen() -> None:
    for name in COMPETITIVE:
        lost = -16 if name in KABOOT_16 else -13
        defence = 16 if name.startswith("jawaker") else 13
        assert points_of(score_hand(RULE_SETS[name], [0, 0], contract(13), [0, 13])) == [lost, defence]


# 003 §8, "double kaboot": for the declaring side.
def test_double_kaboot() -> None:
    rules = {**RULE_SETS["cardgames_zone"], "sweep_points": 26, "slam_made_points": 26}
    assert score_hand(rules, [0, 0], contract(8), [13, 0])["scores"] == [26, 0]
    assert score_hand(rules, [0, 0], contract(13), [13, 0])["scores"] == [26, 0]
    assert score_hand(rules, [0, 0], contract(8), [0, 13])["scores"] == [-8, 13]


# 003 §5: players 1 and 4 against 2 and 3, in the order 1, 3, 4, 2; here North, West, South, East.
def test_003_example_with_players_one_to_four() -> None:
    hands = [
        "HA HK HQ HJ HT H9 H8 S2 D2 CA C2 C3 C4",
        "H6 H5 SA SK SQ SJ ST DA DK CK CQ CJ CT",
        "H7 H4 H2 D3 D4 D5 D6 D7 D8 C5 C6 C7 C8",
        "H3 S3 S4 S5 S6 S7 S8 S9 D9 DT DJ DQ C9",
    ]
    tricks = [
        "HA H6 H2 H3",
        "HK H5 H7 C9",
        "D2 DA D3 D9",
        "S2 SA H4 S3",
        "C2 CT C5 S4",
        "C3 CK C6 S5",
        "C4 CQ C7 S6",
        "CA CJ C8 S7",
        "HQ SK D4 S8",
        "HJ SQ D5 S9",
        "HT SJ D6 DT",
        "H9 ST D7 DJ",
        "H8 DK D8 DQ",
    ]
    referee = new_game("cardgames_zone", dealer=3)
    referee.deal([hand.split() for hand in hands], None)
    calls(referee, "0:8 1:P 2:P 3:P")
    assert (referee.phase, referee.turn) == ("naming_trump", 0)
    referee.move(0, ("trump", "hearts"))
    play_tricks(referee, [dict(enumerate(trick.split())) for trick in tricks])
    # The four of hearts ruffs the ace of spades.
    assert referee.trick_winners[:4] == [0, 0, 1, 2]
    assert lines_of(referee.result) == [(8, 9, 9, True), (None, 4, 0, None)]
    assert referee.scores == [9, 0]


# 004: thirteen tricks win the game; somewhere only when they were bid; somewhere not from below zero.
def test_004_thirteen_tricks_win() -> None:
    rules = RULE_SETS["tarneeb_wikipedia"]
    for tricks, winner in (([13, 0], 0), ([0, 13], 1)):
        answer = score_hand(rules, [-5, -5], contract(8), tricks)
        assert (answer["winner"], answer["win_reason"]) == (winner, "sweep")
    assert score_hand(rules, [0, 0], contract(8), [12, 1])["winner"] is None

    only_bid = {**rules, "sweep_wins": "when_bid"}
    assert outright_winner(only_bid, contract(8), [13, 0]) is None
    assert outright_winner(only_bid, contract(13), [0, 13]) is None
    assert outright_winner(only_bid, contract(13), [13, 0]) == 0

    with_floor = {**rules, "win_floor": "before_hand"}
    assert score_hand(with_floor, [-1, 0], contract(8), [13, 0])["winner"] is None
    assert score_hand(with_floor, [0, -1], contract(8), [13, 0])["winner"] == 0


# 004: in some regions the declarer starts with trump.
def test_004_first_card_is_trump() -> None:
    for strain, first in (("spades", 13), ("hearts", 13)):
        referee = new_game("tarneeb_wikipedia", dealer=3, first_card="trump")
        any_deal(referee)
        calls(referee, "0:13")
        referee.move(0, ("trump", strain))
        # North holds all the spades: all are trumps, or none is.
        assert len(referee.legal()) == first
    rest = [card for card in DECK if card not in ("S2", "HA")]
    referee = new_game("tarneeb_wikipedia", dealer=3, first_card="trump")
    referee.deal([[*rest[:11], "S2", "HA"], rest[11:24], rest[24:37], rest[37:]], None)
    calls(referee, "0:13")
    referee.move(0, ("trump", "spades"))
    assert referee.legal() == [("card", "S2")]


# All documents: to the right, which is counter-clockwise.
def test_everything_turns_to_the_right() -> None:
    north, west, south, east = range(4)
    assert [right_of(seat) for seat in (north, west, south, east)] == [west, south, east, north]


# 001 §1: ace, king, queen, jack, ten down to two, in trumps too.
@pytest.mark.parametrize("trump", ["spades", "hearts", "no_trump"])
def test_rank_order(trump: str) -> None:
    order = ["SA", "SK", "SQ", "SJ", "ST", "S9", "S8", "S7", "S6", "S5", "S4", "S3", "S2"]
    for better, worse in pairwise(order):
        assert trick_winner(0, [worse, better, "D2", "D3"], trump) == 1
        assert trick_winner(0, [better, worse, "D2", "D3"], trump) == 0


# 002, Egyptian: no-trump, spades, hearts, diamonds, clubs; the number first.
def test_002_strains_decide_between_equal_numbers() -> None:
    referee = new_game("jawaker_egyptian")
    any_deal(referee)
    calls(referee, "1:7C 2:7D 3:7H 0:7S 1:7N 2:8C")
    with pytest.raises(ValueError, match="may not"):
        calls(referee, "3:7N")


# 002, Egyptian: the result is doubled when the holder at that moment wins the auction.
def test_002_double() -> None:
    rules = RULE_SETS["jawaker_egyptian"]
    assert points_of(score_hand(rules, [0, 0], contract(8, doubled=True), [9, 4])) == [18, 0]
    assert points_of(score_hand(rules, [0, 0], contract(8, doubled=True), [7, 6])) == [-16, 12]
    assert points_of(score_hand(rules, [0, 0], contract(8, doubled=True), [13, 0])) == [32, 0]
    assert points_of(score_hand(rules, [0, 0], contract(13, doubled=True), [12, 1])) == [-32, 2]
    only_made = {**rules, "doubled_result": "when_made"}
    assert points_of(score_hand(only_made, [0, 0], contract(8, doubled=True), [9, 4])) == [18, 0]
    assert points_of(score_hand(only_made, [0, 0], contract(8, doubled=True), [7, 6])) == [-8, 6]
