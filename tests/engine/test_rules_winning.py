"""W1 to W6: who has won, and who has not yet."""

from typing import Any

import pytest

from tarneeb_service.engine.presets import PRESET_IDS, presets, resolve
from tarneeb_service.engine.rules import DefendersScore, SweepWins, TieBreak, WinFloor
from tarneeb_service.engine.scoring import outcome_of
from tarneeb_service.engine.state import (
    AwaitingDeal,
    GameOver,
    HandEnd,
    HandResult,
    InAuction,
    InPlay,
    ScoreLine,
    WinReason,
)
from tests.positions import deal, new_game, play_hand, scores, winner

TEAM_PRESETS = [name for name in PRESET_IDS if presets()[name].rules.auction.name == "COMPETITIVE"]
INDIVIDUAL = [name for name in PRESET_IDS if presets()[name].rules.individual]
TARGETS = {name: 31 if name in ("jawaker_classic", "cardgames_zone") else 41 for name in TEAM_PRESETS}


def team_winner(
    preset: str, *after: int, before: tuple[int, int] | None = None, **options: Any
) -> int | None:
    """Who wins when a hand without a sweep leaves these scores."""
    return _winner(preset, after, before or (0, 0), options)


def _winner(
    preset: str, after: tuple[int, ...], before: tuple[int, ...], options: dict[str, Any]
) -> int | None:
    gains = [end - start for end, start in zip(after, before, strict=True)]
    lines = tuple(ScoreLine(side, None, 1, points, None) for side, points in enumerate(gains))
    outcome = outcome_of(resolve(preset, options), before, HandResult(HandEnd.SCORED, lines))
    if outcome is None:
        return None
    assert (outcome.loser, outcome.reason) == (1 - outcome.winner, WinReason.TARGET)
    return outcome.winner


def player_winner(preset: str, *after: int, **options: Any) -> int | None:
    return _winner(preset, after, (0, 0, 0, 0), options)


@pytest.mark.rule("W1")
@pytest.mark.parametrize("preset", TEAM_PRESETS)
def test_the_first_team_at_the_target(preset: str) -> None:
    target = TARGETS[preset]
    assert team_winner(preset, target - 1, target - 2) is None
    assert team_winner(preset, target, target - 1) == 0
    assert team_winner(preset, -3, target + 9) == 1


@pytest.mark.rule("W1")
def test_c101_reached_on_defence_and_over_right_after_the_last_trick() -> None:
    after = play_hand(new_game("saharat_classic", scores=(38, 36)), "1:P 2:9 3:P 0:P", [3, 3, 4, 3])
    assert (winner(after), scores(after)) == (1, [29, 42])


@pytest.mark.rule("W1")
@pytest.mark.parametrize("target", [1, 61, 1_000_000])
def test_option_another_target(target: int) -> None:
    assert team_winner("saharat_classic", target, 0, target=target) == 0
    assert team_winner("saharat_classic", target - 1, 0, target=target) is None


@pytest.mark.rule("W1")
@pytest.mark.parametrize(("after", "team"), [((33, 20), 0), ((25, 31), 1), ((25, 20), None)])
def test_c100_the_winner_follows_from_the_scores(after: tuple[int, int], team: int | None) -> None:
    assert team_winner("saharat_classic", *after, target=31) == team


@pytest.mark.rule("W2")
@pytest.mark.parametrize("preset", PRESET_IDS)
def test_no_game_ends_by_a_low_score(preset: str) -> None:
    sides = presets()[preset].rules.sides
    assert _winner(preset, (-500,) * sides, (0,) * sides, {}) is None
    assert isinstance(deal(new_game(preset, scores=(-500,) * sides)), InAuction | InPlay)


def sweep(
    preset: str, auction: str, taker: int, before: tuple[int, int] = (0, 0), **options: Any
) -> AwaitingDeal | GameOver:
    counts = [13 if seat == taker else 0 for seat in range(4)]
    return play_hand(new_game(preset, scores=before, **options), auction, counts)


@pytest.mark.rule("W3")
@pytest.mark.parametrize("auction", ["1:7 2:P 3:P 0:P", "1:13", "1:P 2:7 3:P 0:P", "1:P 2:13"])
def test_all_thirteen_win_the_game_outright(auction: str) -> None:
    after = sweep("tarneeb_wikipedia", auction, 1)
    assert isinstance(after, GameOver)
    assert (after.outcome.winner, after.outcome.loser, after.outcome.reason) == (1, 0, WinReason.SWEEP)


@pytest.mark.rule("W3")
def test_a_sweep_wins_before_the_target_counts() -> None:
    # North–South stand above the target as well.
    after = sweep("tarneeb_wikipedia", "1:7 2:P 3:P 0:P", 1, before=(60, -40))
    assert isinstance(after, GameOver)
    assert after.outcome.winner == 1


@pytest.mark.rule("W3")
def test_option_a_sweep_wins_only_when_thirteen_was_bid() -> None:
    option: dict[str, Any] = {"sweep_wins": SweepWins.WHEN_BID}
    assert winner(sweep("tarneeb_wikipedia", "1:13", 1, **option)) == 1
    assert winner(sweep("tarneeb_wikipedia", "1:12 2:P 3:P 0:P", 1, **option)) is None
    # Then only the declarers can.
    assert winner(sweep("tarneeb_wikipedia", "1:P 2:13", 1, **option)) is None


@pytest.mark.rule("W3")
def test_never_elsewhere() -> None:
    for preset in PRESET_IDS:
        wins = presets()[preset].rules.sweep_wins
        assert wins is (SweepWins.ALWAYS if preset == "tarneeb_wikipedia" else SweepWins.NEVER)
    assert winner(sweep("saharat_classic", "1:13", 1)) is None


@pytest.mark.rule("W4")
def test_option_not_by_a_side_that_was_below_zero() -> None:
    option: dict[str, Any] = {"win_floor": WinFloor.BEFORE_HAND}
    assert winner(sweep("tarneeb_wikipedia", "1:7 2:P 3:P 0:P", 1, before=(0, -1), **option)) is None
    assert winner(sweep("tarneeb_wikipedia", "1:7 2:P 3:P 0:P", 1, before=(-1, 0), **option)) == 1
    assert team_winner("tarneeb_wikipedia", 45, 3, before=(-1, 0), **option) is None
    assert team_winner("tarneeb_wikipedia", 45, 3, before=(0, 0), **option) == 0
    # The other side is not held back by it.
    assert team_winner("tarneeb_wikipedia", 45, 41, before=(-1, 30), **option) == 1
    assert all(preset.rules.win_floor is not WinFloor.BEFORE_HAND for preset in presets().values())


@pytest.mark.rule("W5")
@pytest.mark.parametrize("preset", INDIVIDUAL)
@pytest.mark.parametrize(
    ("after", "team"),
    [
        ((41, 0, 1, 0), 0),
        ((1, 0, 41, 0), 0),
        ((0, 41, 0, 1), 1),
        ((41, 0, 0, 0), None),
        ((41, 0, -3, 0), None),
        pytest.param((45, 10, -3, 10), None, id="C91"),
        pytest.param((43, 2, 7, 2), 0, id="C92"),
        pytest.param((40, 40, 40, 40), None, id="C97"),
        pytest.param((20, 0, 21, 0), None, id="C98"),
        ((50, 41, 0, 1), 1),
    ],
)
def test_one_partner_at_the_target_and_the_other_above_zero(
    preset: str, after: tuple[int, ...], team: int | None
) -> None:
    assert player_winner(preset, *after) == team


@pytest.mark.rule("W5")
def test_option_without_the_floor() -> None:
    assert player_winner("saharat_syrian_41", 41, 0, -9, 0, win_floor=WinFloor.NONE) == 0


@pytest.mark.rule("W6")
@pytest.mark.parametrize(
    ("after", "by_total", "by_player"),
    [
        pytest.param((41, 42, 20, 1), 0, 1, id="C94"),
        pytest.param((43, 43, 6, 5), 0, None, id="C94 equal"),
        pytest.param((43, 43, 5, 5), None, None, id="C95"),
        ((41, 50, 41, 32), None, 1),
        # A higher score of a team that does not qualify decides nothing.
        ((41, 90, 1, 0), 0, 0),
    ],
)
def test_both_teams_qualify(after: tuple[int, ...], by_total: int | None, by_player: int | None) -> None:
    for preset in ("mulouk_41", "jawaker_syrian_41"):
        assert player_winner(preset, *after) == by_total
    for preset in ("saharat_syrian_41", "saharat_400"):
        assert player_winner(preset, *after) == by_player


@pytest.mark.rule("W6")
def test_option_the_other_tie_break() -> None:
    assert player_winner("jawaker_syrian_41", 41, 42, 20, 1, tie_break=TieBreak.HIGHEST_PLAYER) == 1
    assert player_winner("saharat_400", 41, 42, 20, 1, tie_break=TieBreak.TEAM_TOTAL) == 0


@pytest.mark.rule("W6", "S8")
def test_c70_option_equal_teams_play_on() -> None:
    option: dict[str, Any] = {"defenders_score": DefendersScore.ALWAYS}
    after = play_hand(new_game("saharat_classic", scores=(35, 36), **option), "1:P 2:7 3:P 0:P", [3, 3, 4, 3])
    assert isinstance(after, AwaitingDeal)
    assert scores(after) == [42, 42]
    assert team_winner("saharat_classic", 43, 42, **option) == 0
