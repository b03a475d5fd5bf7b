"""S1 to S12: what a hand is worth, from the cards where it matters and from numbers elsewhere."""

from typing import Any

import pytest

from tarneeb_service.engine.cards import HEARTS
from tarneeb_service.engine.presets import presets, resolve
from tarneeb_service.engine.rules import DefendersScore, DoubledResult, Doubling, SlamDefenceSweep
from tarneeb_service.engine.scoring import score_contract, score_individual, score_majority
from tarneeb_service.engine.state import AwaitingDeal, Contract
from tests.positions import NORTH, new_game, play_hand, points, scores

BONUS = ("saharat_classic", "jawaker_classic", "jawaker_egyptian")
PLAIN = ("cardgames_zone", "tarneeb_wikipedia")
CONTRACTS = (*BONUS, *PLAIN)
INDIVIDUAL = ("saharat_syrian_41", "mulouk_41", "jawaker_syrian_41")
KABOOT: dict[str, Any] = {"sweep_points": 26, "slam_made_points": 26}


def score(
    preset: str, bid: int, tricks: int, *, doubled: bool = False, declarer: int = NORTH, **options: Any
) -> list[int]:
    """Points of declarers and defenders when the declarers take some tricks."""
    rules = resolve(preset, options)
    strain = HEARTS if rules.bids_strain else None
    by_team = (tricks, 13 - tricks) if declarer % 2 == 0 else (13 - tricks, tricks)
    result = score_contract(rules, Contract(declarer, bid, strain, doubled), by_team)
    found = [line.points for line in result.lines]
    assert [line.made for line in result.lines][declarer % 2] == (tricks >= bid)
    assert [line.bid for line in result.lines][declarer % 2] == bid
    return found if declarer % 2 == 0 else found[::-1]


@pytest.mark.rule("S1")
@pytest.mark.parametrize("preset", CONTRACTS)
@pytest.mark.parametrize("declarer", [0, 1, 2, 3])
def test_made_scores_the_tricks_and_defenders_nothing(preset: str, declarer: int) -> None:
    for bid in range(7, 13):
        for tricks in range(bid, 13):
            assert score(preset, bid, tricks, declarer=declarer) == [tricks, 0]


@pytest.mark.rule("S1")
def test_made_from_the_cards() -> None:
    after = play_hand(new_game("saharat_classic"), "1:8 2:P 3:P 0:P", [2, 5, 2, 4])
    assert points(after) == [0, 9]


@pytest.mark.rule("S2")
@pytest.mark.parametrize("preset", CONTRACTS)
@pytest.mark.parametrize("declarer", [0, 1, 2, 3])
def test_failed_loses_the_bid_and_defenders_score_their_tricks(preset: str, declarer: int) -> None:
    for bid in range(7, 13):
        for tricks in range(1, bid):
            assert score(preset, bid, tricks, declarer=declarer) == [-bid, 13 - tricks]


@pytest.mark.rule("S2")
def test_failed_from_the_cards() -> None:
    after = play_hand(new_game("jawaker_classic"), "1:9 2:P 3:P 0:P", [2, 3, 4, 4])
    assert points(after) == [6, -9]


@pytest.mark.rule("S3")
@pytest.mark.parametrize(
    ("preset", "worth"), [*((name, 16) for name in BONUS), *((name, 13) for name in PLAIN)]
)
def test_all_thirteen_without_having_bid_them(preset: str, worth: int) -> None:
    for bid in range(7, 13):
        assert score(preset, bid, 13) == [worth, 0]
        assert score(preset, bid, 0) == [-bid, worth]


@pytest.mark.rule("S3", "S4")
def test_option_doubled_kaboot() -> None:
    assert score("cardgames_zone", 8, 13, **KABOOT) == [26, 0]
    assert score("cardgames_zone", 13, 13, **KABOOT) == [26, 0]
    # It is for the declaring side.
    assert score("cardgames_zone", 8, 0, **KABOOT) == [-8, 13]


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    ("preset", "worth"), [*((name, 26) for name in BONUS), *((name, 13) for name in PLAIN)]
)
def test_thirteen_bid_and_made(preset: str, worth: int) -> None:
    assert score(preset, 13, 13) == [worth, 0]


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("preset", "lost"), [*((name, 16) for name in BONUS), *((name, 13) for name in PLAIN)]
)
def test_thirteen_bid_and_failed(preset: str, lost: int) -> None:
    for tricks in range(1, 13):
        assert score(preset, 13, tricks) == [-lost, 13 - tricks]


@pytest.mark.rule("S6")
def test_option_defenders_sweep_of_a_failed_thirteen_counts_as_a_sweep() -> None:
    assert score("saharat_classic", 13, 0) == [-16, 13]
    option: dict[str, Any] = {"slam_defence_sweep": SlamDefenceSweep.POINTS}
    assert score("saharat_classic", 13, 0, **option) == [-16, 16]
    assert score("saharat_classic", 13, 1, **option) == [-16, 12]
    assert score("saharat_classic", 12, 0, **option) == [-12, 16]


@pytest.mark.rule("S6")
@pytest.mark.parametrize("preset", ["jawaker_classic", "jawaker_egyptian"])
def test_defenders_who_take_all_against_thirteen_did_not_bid_it(preset: str) -> None:
    assert score(preset, 13, 0) == [-16, 16]
    assert score(preset, 13, 1) == [-16, 12]


@pytest.mark.rule("S7")
@pytest.mark.parametrize(
    ("bid", "tricks", "expected"),
    [
        (7, 9, [18, 0]),
        (9, 7, [-18, 12]),
        (7, 13, [32, 0]),
        (13, 13, [52, 0]),
        (13, 4, [-32, 18]),
        (7, 0, [-14, 32]),
        (13, 0, [-32, 32]),
    ],
)
def test_doubled_points_of_both_sides(bid: int, tricks: int, expected: list[int]) -> None:
    assert score("jawaker_egyptian", bid, tricks, doubled=True) == expected


@pytest.mark.rule("S7", "A10")
def test_option_a_double_counts_only_when_made() -> None:
    option: dict[str, Any] = {"doubled_result": DoubledResult.WHEN_MADE}
    assert score("jawaker_egyptian", 7, 9, doubled=True, **option) == [18, 0]
    assert score("jawaker_egyptian", 9, 7, doubled=True, **option) == [-9, 6]


@pytest.mark.rule("S7")
def test_doubled_from_the_cards() -> None:
    after = play_hand(new_game("jawaker_egyptian"), "1:7H 2:X 3:P 0:P 1:P", [2, 4, 3, 4])
    assert scores(after) == [0, 16]


@pytest.mark.rule("A10", "S7")
def test_option_doubled_for_the_bidders_alone() -> None:
    option: dict[str, Any] = {"doubled_result": DoubledResult.BIDDERS}
    assert score("jawaker_egyptian", 8, 9, doubled=True, **option) == [18, 0]
    assert score("jawaker_egyptian", 8, 7, doubled=True, **option) == [-16, 6]
    assert score("jawaker_egyptian", 7, 0, doubled=True, **option) == [-14, 16]
    assert score("jawaker_egyptian", 8, 7, **option) == [-8, 6]


@pytest.mark.rule("S8")
def test_option_defenders_never_score() -> None:
    option: dict[str, Any] = {"defenders_score": DefendersScore.NEVER}
    assert score("saharat_classic", 8, 7, **option) == [-8, 0]
    assert score("saharat_classic", 7, 0, **option) == [-7, 0]
    assert score("jawaker_classic", 13, 0, **option) == [-16, 0]
    assert score("saharat_classic", 8, 9, **option) == [9, 0]


@pytest.mark.rule("S8")
def test_option_defenders_tricks_count_twice_on_a_failed_thirteen() -> None:
    assert score("saharat_classic", 13, 11, failed_slam_trick_factor=2) == [-16, 4]
    assert score("saharat_classic", 12, 11, failed_slam_trick_factor=2) == [-12, 2]


@pytest.mark.rule("S8")
def test_option_defenders_always_score() -> None:
    option: dict[str, Any] = {"defenders_score": DefendersScore.ALWAYS}
    assert score("saharat_classic", 8, 9, **option) == [9, 4]
    assert score("saharat_classic", 9, 8, **option) == [-9, 5]
    assert score("saharat_classic", 8, 9, doubled=True, doubling=Doubling.ANYONE, **option) == [18, 8]


@pytest.mark.rule("S9")
@pytest.mark.parametrize("tricks", range(14))
def test_without_an_auction_the_majority_scores_its_tricks(tricks: int) -> None:
    rules = presets()["cardgames_zone_turned_trump"].rules
    result = score_majority(rules, (tricks, 13 - tricks))
    expected = [tricks, 0] if tricks >= 7 else [0, 13 - tricks]
    assert [line.points for line in result.lines] == expected
    assert [(line.bid, line.made) for line in result.lines] == [(None, None)] * 2


@pytest.mark.rule("S9")
def test_option_doubled_kaboot_without_an_auction() -> None:
    rules = resolve("cardgames_zone_turned_trump", {"sweep_points": 26})
    assert [line.points for line in score_majority(rules, (0, 13)).lines] == [0, 26]
    assert [line.points for line in score_majority(rules, (12, 1)).lines] == [12, 0]


@pytest.mark.rule("S9")
def test_turned_trump_from_the_cards() -> None:
    after = play_hand(new_game("cardgames_zone_turned_trump", scores=(4, 5)), "", [3, 3, 3, 4])
    assert scores(after) == [4, 12]


@pytest.mark.rule("S10")
@pytest.mark.parametrize("preset", INDIVIDUAL)
def test_each_is_scored_alone_without_overtricks(preset: str) -> None:
    after = play_hand(new_game(preset, scores=(1, 1, 1, 1)), "1:3 2:5 3:2 0:4", [4, 5, 4, 0])
    assert isinstance(after, AwaitingDeal)
    assert points(after) == [4, 3, -5, -2]
    assert scores(after) == [5, 4, -4, -1]


def worth(bid: int, own: int, tricks: int = 13, **options: Any) -> int:
    rules = resolve("saharat_400", options)
    taken = (tricks, 13 - tricks, 0, 0)
    return score_individual(rules, (bid, 13, 13, 13), taken, (own, 0, 0, 0)).lines[0].points


@pytest.mark.rule("S11")
def test_c85_values_of_bids_in_400() -> None:
    values = [2, 3, 4, 10, 12, 14, 16, 27, 40, 40, 40, 40]
    assert [worth(bid, 0) for bid in range(2, 14)] == values
    assert [worth(bid, 29, bid - 1) for bid in range(2, 14)] == [-value for value in values]


@pytest.mark.rule("S11")
def test_the_value_is_the_bid_elsewhere() -> None:
    for preset in INDIVIDUAL:
        rules = presets()[preset].rules
        worth = [rules.bid_value(bid, own) for own in (0, 45) for bid in range(2, 14)]
        assert worth == [(bid, False) for bid in range(2, 14)] * 2


@pytest.mark.rule("S11")
def test_option_another_table() -> None:
    # One public table has 44, 48 and 52 for 11 to 13.
    table = ((10, 40, None), (11, 44, None), (12, 48, None), (13, 52, None), (13, 60, -5), (13, 70, -10))
    assert [worth(bid, -20, bid_values=table) for bid in (9, 10, 11, 12, 13)] == [9, 40, 44, 48, 52]
    # Of the entries that fit, the one with the highest score reached counts, in whatever order they stand.
    assert [worth(13, own, bid_values=table) for own in (-11, -10, -6, -5, 9)] == [52, 70, 70, 60, 60]


@pytest.mark.rule("S12")
def test_five_and_six_are_worth_their_face_from_thirty() -> None:
    values = [3, 4, 5, 6, 14, 16, 27, 40, 40, 40, 40]
    assert [worth(bid, 30) for bid in range(3, 14)] == values
    assert [worth(bid, 30, bid - 1) for bid in range(3, 14)] == [-value for value in values]
    assert (worth(5, 29), worth(6, 29), worth(5, 30), worth(6, 31)) == (10, 12, 5, 6)


@pytest.mark.rule("S12")
def test_the_own_score_before_the_hand_counts() -> None:
    # West had 28 before the hand, though he stands at 38 after it.
    after = play_hand(new_game("saharat_400", scores=(0, 28, 0, 31)), "1:5 2:2 3:5 0:2", [2, 5, 2, 4])
    assert points(after) == [2, 10, 2, -5]
