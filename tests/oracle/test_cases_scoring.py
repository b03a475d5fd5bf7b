"""The oracle against recorded faults of other card-game code, sections D to F, and forfeited hands."""

from typing import Any

import pytest

from tests.oracle.hands import ONE_SUIT_EACH, calls, lines_of, new_game, play_hand, points_of
from tests.oracle.rule_sets import RULE_SETS
from tests.oracle.scoring import bid_value, find_winner, forfeited_lines, score_hand

CLASSIC = RULE_SETS["saharat_classic"]


@pytest.mark.parametrize(
    ("changes", "scores", "declarer", "bid", "tricks", "after"),
    [
        pytest.param({}, [0, 0], 1, 9, [6, 7], [6, -9], id="C61"),
        pytest.param({}, [0, 0], 0, 8, [9, 4], [9, 0], id="C62"),
        pytest.param({"defenders_score": "always"}, [0, 0], 0, 8, [9, 4], [9, 4], id="C62 option"),
        pytest.param({}, [0, 0], 0, 13, [11, 2], [-16, 2], id="C64"),
        pytest.param({"failed_slam_trick_factor": 2}, [0, 0], 0, 13, [11, 2], [-16, 4], id="C64 option"),
        pytest.param({}, [0, 0], 0, 7, [0, 13], [-7, 16], id="C65"),
        pytest.param({}, [0, 0], 0, 13, [0, 13], [-16, 13], id="C65 slam"),
        pytest.param({"slam_defence_sweep": "points"}, [0, 0], 0, 13, [0, 13], [-16, 16], id="S6 option"),
        pytest.param({}, [3, 0], 0, 8, [5, 8], [-5, 8], id="C68"),
    ],
)
def test_classic_scores(
    changes: dict[str, Any], scores: list[int], declarer: int, bid: int, tricks: list[int], after: list[int]
) -> None:
    answer = score_hand({**CLASSIC, **changes}, scores, (declarer, bid, None, False), tricks)
    assert answer["scores"] == after


def test_c61_from_the_cards() -> None:
    referee = new_game("saharat_classic")
    play_hand(referee, "1:9 2:P 3:P 0:P", [2, 3, 4, 4])
    assert lines_of(referee.result) == [(None, 6, 6, None), (9, 7, -9, False)]
    assert (referee.scores, referee.next_dealer, referee.turn) == ([6, -9], 1, None)


@pytest.mark.parametrize("tricks", [[9, 5], [-1, 14], [6.5, 6.5], [13], [4, 3, 3, 3]])
def test_c67_impossible_tricks(tricks: list[Any]) -> None:
    with pytest.raises(ValueError, match="tricks"):
        score_hand(CLASSIC, [0, 0], (0, 7, None, False), tricks)
    if len(tricks) != 4:
        with pytest.raises(ValueError, match="tricks"):
            score_hand(RULE_SETS["mulouk_41"], [0] * 4, [3, 3, 3, 3], tricks)


def test_c70_equal_at_the_target() -> None:
    rules = {**CLASSIC, "defenders_score": "always"}
    answer = score_hand(rules, [35, 36], (0, 7, None, False), [7, 6])
    assert (answer["scores"], answer["winner"], answer["win_reason"]) == ([42, 42], None, None)
    assert score_hand(rules, [35, 37], (0, 7, None, False), [7, 6])["winner"] == 1
    assert score_hand(CLASSIC, [35, 36], (0, 7, None, False), [7, 6])["winner"] == 0


@pytest.mark.parametrize(
    ("tricks", "points"), [([7, 6], [7, 0]), ([3, 10], [0, 10]), ([13, 0], [13, 0]), ([0, 13], [0, 13])]
)
def test_turned_trump_scores(tricks: list[int], points: list[int]) -> None:
    rules = RULE_SETS["cardgames_zone_turned_trump"]
    answer = score_hand(rules, [0, 0], None, tricks)
    assert lines_of(answer) == [(None, tricks[team], points[team], None) for team in (0, 1)]
    kaboot = score_hand({**rules, "sweep_points": 26}, [0, 0], None, tricks)
    assert points_of(kaboot) == [26 if points[team] == 13 else points[team] for team in (0, 1)]


def test_c79_bids_are_met_by_own_tricks() -> None:
    referee = new_game("saharat_400", dealer=3)
    play_hand(referee, "0:5 1:2 2:4 3:2", [3, 3, 4, 3])
    assert referee.scores == [-10, 2, 4, 2]


def test_c80_c83_no_partial_credit() -> None:
    answer = score_hand(RULE_SETS["saharat_400"], [0] * 4, [5, 2, 2, 2], [3, 4, 3, 3])
    assert lines_of(answer)[0] == (5, 3, -10, False)
    answer = score_hand(RULE_SETS["saharat_syrian_41"], [0] * 4, [5, 2, 2, 2], [3, 4, 3, 3])
    assert points_of(answer) == [-5, 2, 2, 2]


@pytest.mark.parametrize(("own", "taken", "after"), [(28, 5, 38), (38, 5, 43), (31, 4, 26)])
def test_c82_five_from_thirty(own: int, taken: int, after: int) -> None:
    tricks = [taken, 13 - taken, 0, 0]
    assert score_hand(RULE_SETS["saharat_400"], [own, 0, 0, 0], [5, 4, 2, 2], tricks)["scores"][0] == after


def test_c85_values() -> None:
    rules = RULE_SETS["saharat_400"]
    assert [bid_value(rules, bid, 0) for bid in range(2, 14)] == [2, 3, 4, 10, 12, 14, 16, 27, 40, 40, 40, 40]
    assert [bid_value(rules, bid, 30) for bid in range(3, 14)] == [3, 4, 5, 6, 14, 16, 27, 40, 40, 40, 40]


@pytest.mark.parametrize(
    ("scores", "highest_player", "team_total"),
    [
        pytest.param([45, 10, -3, 10], None, None, id="C91"),
        pytest.param([43, 2, 7, 2], 0, 0, id="C92"),
        pytest.param([41, 42, 20, 1], 1, 0, id="C94"),
        pytest.param([43, 43, 6, 5], None, 0, id="C94 equal"),
        pytest.param([43, 43, 5, 5], None, None, id="C95"),
        pytest.param([10, 10, 10, 10], None, None, id="C97"),
        pytest.param([20, 0, 21, 0], None, None, id="C98"),
    ],
)
def test_individual_winners(scores: list[int], highest_player: int | None, team_total: int | None) -> None:
    for name in ("saharat_syrian_41", "saharat_400"):
        assert find_winner(RULE_SETS[name], [0] * 4, scores, None)[0] == highest_player
    assert find_winner(RULE_SETS["mulouk_41"], [0] * 4, scores, None)[0] == team_total


# As C92, but with bids that a player at 40 may make in 400 (A13, A14).
def test_c92_over_right_after_the_last_trick() -> None:
    referee = new_game("saharat_400", dealer=3, scores=[40, 0, 5, 0])
    play_hand(referee, "0:4 1:4 2:2 3:3", [4, 4, 2, 3])
    assert (referee.scores, referee.winner, referee.win_reason) == ([44, 4, 7, 3], 0, "target")
    assert (referee.phase, referee.legal()) == ("game_over", [])
    assert (referee.turn, referee.next_dealer) == (None, None)
    with pytest.raises(ValueError, match="no deal"):
        referee.deal(ONE_SUIT_EACH, None)


@pytest.mark.parametrize(("totals", "winner"), [([33, 20], 0), ([25, 31], 1), ([25, 20], None)])
def test_c100_winner_follows_from_the_scores(totals: list[int], winner: int | None) -> None:
    assert find_winner({**CLASSIC, "target": 31}, [0, 0], totals, None)[0] == winner


def test_c101_target_reached_on_defence() -> None:
    referee = new_game("saharat_classic", dealer=3, scores=[38, 36])
    play_hand(referee, "0:9 1:P 2:P 3:P", [4, 3, 3, 3])
    assert (referee.scores, referee.winner, referee.phase) == ([29, 42], 1, "game_over")


def test_sweep_from_the_cards() -> None:
    referee = new_game("tarneeb_wikipedia")
    play_hand(referee, "1:7 2:P 3:P 0:P", [9, 0, 4, 0])
    assert lines_of(referee.result) == [(None, 13, 13, None), (7, 0, -7, False)]
    assert (referee.winner, referee.win_reason) == (0, "sweep")


# A side below zero before the hand may not win in it, but may in the next (W4).
def test_win_floor() -> None:
    rules = {**CLASSIC, "win_floor": "before_hand", "target": 20}
    answer = score_hand(rules, [-1, 0], (0, 13, None, False), [13, 0])
    assert (answer["scores"], answer["winner"]) == ([25, 0], None)
    assert score_hand(rules, [25, 0], (0, 7, None, False), [7, 6])["winner"] == 0


@pytest.mark.parametrize(
    ("changes", "contract", "tricks", "offender", "lines"),
    [
        # The declarers' revoke: no slam values, the rest of the tricks to the defenders.
        ({}, (0, 8, None, False), [5, 2], 2, [(8, 5, -8, False), (None, 8, 8, None)]),
        ({}, (0, 13, None, False), [5, 0], 0, [(13, 5, -13, False), (None, 8, 8, None)]),
        (
            {"failed_slam_trick_factor": 2},
            (0, 13, None, False),
            [0, 0],
            0,
            [(13, 0, -13, False), (None, 13, 13, None)],
        ),
        ({}, (0, 8, None, True), [5, 2], 2, [(8, 5, -16, False), (None, 8, 16, None)]),
        (
            {"doubled_result": "when_made"},
            (0, 8, None, True),
            [5, 2],
            2,
            [(8, 5, -8, False), (None, 8, 8, None)],
        ),
        (
            {"doubled_result": "bidders"},
            (0, 8, None, True),
            [5, 2],
            2,
            [(8, 5, -16, False), (None, 8, 8, None)],
        ),
        (
            {"defenders_score": "never"},
            (0, 8, None, False),
            [5, 2],
            2,
            [(8, 5, -8, False), (None, 8, 0, None)],
        ),
        # The defenders' revoke: the larger of bid and tricks.
        ({}, (0, 8, None, False), [3, 6], 1, [(8, 7, 8, True), (None, 6, 0, None)]),
        ({}, (0, 8, None, False), [3, 2], 1, [(8, 11, 11, True), (None, 2, 0, None)]),
        ({}, (0, 8, None, False), [3, 0], 1, [(8, 13, 13, True), (None, 0, 0, None)]),
        ({}, (0, 13, None, False), [3, 0], 3, [(13, 13, 13, True), (None, 0, 0, None)]),
        (
            {"defenders_score": "always"},
            (0, 8, None, False),
            [3, 4],
            1,
            [(8, 9, 9, True), (None, 4, 4, None)],
        ),
        (
            {"doubled_result": "when_made"},
            (0, 8, None, True),
            [3, 4],
            1,
            [(8, 9, 18, True), (None, 4, 0, None)],
        ),
        # Without an auction: the larger of seven and the tricks.
        ({}, None, [7, 2], 0, [(None, 7, 0, None), (None, 6, 7, None)]),
        ({}, None, [2, 2], 0, [(None, 2, 0, None), (None, 11, 11, None)]),
    ],
)
def test_forfeited_team_hands(
    changes: dict[str, Any],
    contract: tuple[int, int, str | None, bool] | None,
    tricks: list[int],
    offender: int,
    lines: list[tuple[Any, ...]],
) -> None:
    got = forfeited_lines({**CLASSIC, **changes}, [0, 0], contract, tricks, offender)
    assert lines_of({"lines": got}) == lines


def test_forfeited_individual_hand() -> None:
    rules = RULE_SETS["saharat_400"]
    got = forfeited_lines(rules, [30, 0, 0, 0], [5, 5, 2, 7], [5, 0, 2, 0], 2)
    # North's five was already made: it fails with his partner's revoke.
    assert lines_of({"lines": got}) == [
        (5, 5, -5, False),
        (5, 0, 10, True),
        (2, 2, -2, False),
        (7, 0, 14, True),
    ]


def test_revoke_refused_or_forfeits() -> None:
    for revoke in ("refused", "forfeits"):
        referee = new_game("tarneeb_wikipedia", dealer=3, revoke=revoke)
        hands = [["S" + rank for rank in "3456789TJQKA"] + ["H2"], ["S2"], [], []]
        rest = [letter + rank for letter in "DCH" for rank in "23456789TJQKA" if letter + rank != "H2"]
        hands[1] += rest[:12]
        hands[2], hands[3] = rest[12:25], rest[25:]
        referee.deal(hands, None)
        calls(referee, "0:7 1:P 2:P 3:P")
        referee.move(0, ("trump", "spades"))
        referee.move(0, ("card", "SA"))
        assert referee.legal() == [("card", "S2")]
        with pytest.raises(ValueError, match="may not"):
            referee.move(1, ("card", "S3"))
        if revoke == "refused":
            with pytest.raises(ValueError, match="may not"):
                referee.move(1, ("card", rest[0]))
            continue
        referee.move(1, ("card", rest[0]))
        assert referee.result is not None
        assert (referee.result["end"], referee.result["offender"]) == ("forfeited", 1)
        # All thirteen tricks fall to North-South, but that is no sweep.
        assert lines_of(referee.result) == [(7, 13, 13, True), (None, 0, 0, None)]
        assert (referee.played, referee.trick_winners) == (["SA", rest[0]], [])
        assert (referee.phase, referee.next_dealer, referee.winner) == ("awaiting_deal", 0, None)
