"""Who wins a game of individual bids."""

from typing import Any

from conformance.statements.notation import choice, outcome
from conformance.statements.scores import check
from conformance.statements.section import Section
from tests.oracle.rule_sets import RULE_SETS

JSON = Any


def players(made: Section) -> None:
    north, west = outcome("N"), outcome("W")
    highest, total = ("saharat_syrian_41", "saharat_400"), ("mulouk_41", "jawaker_syrian_41")
    every = (*highest, *total)
    # Scores wanted after the hand, the winner, and for which rule sets.
    rows: tuple[tuple[str, str, str, list[int], JSON, tuple[str, ...]], ...] = (
        ("partner-negative", "45, but the partner is below zero", "W5 C91", [45, 10, -3, 10], None, every),
        ("partner-zero", "45, but the partner is at zero", "W5", [45, 10, 0, 10], None, every),
        ("partner-one", "One point is above zero", "W5", [45, 10, 1, 10], north, every),
        ("partner-wins", "It may be the partner who has 41", "W5", [5, 10, 41, 10], north, every),
        ("nobody", "Nobody near the target", "W5 C97", [10, 10, 10, 10], None, every),
        ("team-total", "The team's total is no matter", "W5 C98", [20, 0, 21, 0], None, every),
        ("forty", "Forty is not enough", "W5", [40, 10, 40, 10], None, every),
        (
            "both-highest",
            "Both qualify: the team of the highest player",
            "W6 C94",
            [41, 42, 20, 1],
            west,
            highest,
        ),
        ("both-total", "Both qualify: the higher team total", "W6 C94", [41, 42, 20, 1], north, total),
        (
            "highest-equal",
            "Both qualify, equal players: another hand",
            "W6 C94",
            [43, 43, 6, 5],
            None,
            highest,
        ),
        ("total-unequal", "Both qualify, the totals decide", "W6 C94", [43, 43, 6, 5], north, total),
        ("all-equal", "Equal in every way: another hand", "W6 C95", [43, 43, 5, 5], None, every),
        ("one-qualifies", "Only one of two teams at 41 qualifies", "W5 W6", [44, 42, -5, 3], west, every),
        (
            "lower-qualifies",
            "A higher player without a partner above zero counts for nothing",
            "W5 W6",
            [50, 41, 0, 2],
            west,
            every,
        ),
    )
    for slug, title, shows, after, ended, presets in rows:
        for preset in presets:
            # Three bids of 3 and one of 2 or more; North and West make theirs, South and East just miss or make.
            bids, tricks = [4, 4, 4, 5], [4, 4, 4, 1]
            points = [4, 4, 4, -10 if preset == "saharat_400" else -5]
            before = [score - point for score, point in zip(after, points, strict=True)]
            if preset == "saharat_400":
                before, bids, points = _of_400(after)
            check(slug, RULE_SETS[preset], before, bids, tricks, after, ended)
            request = {"rule_set": choice(preset), "scores": before, "bids": bids, "tricks": tricks}
            name = preset.replace("_", "-")
            fields = {"scores": after, "outcome": ended}
            made.add(
                f"player-{slug}-{name}",
                f"{title} ({preset})",
                shows,
                "ScoreHand",
                request,
                {"fields": fields},
            )
    pad = {"win_floor": "none"}
    request = {
        "rule_set": choice("saharat_syrian_41", pad),
        "scores": [41, 6, -7, 15],
        "bids": [4, 4, 4, 5],
        "tricks": [4, 4, 4, 1],
    }
    after = [45, 10, -3, 10]
    rules = {**RULE_SETS["saharat_syrian_41"], **pad}
    check("no-floor", rules, [41, 6, -7, 15], [4, 4, 4, 5], [4, 4, 4, 1], after, north)
    made.add(
        "player-no-floor",
        "A house where the partner's score is no matter",
        "W5",
        "ScoreHand",
        request,
        {"fields": {"scores": after, "outcome": north}},
    )


def _of_400(after: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Scores before, bids and points in 400, where four are worth four and a failed five depends on the score."""
    cost = 5 if after[3] + 5 >= 30 else 10
    points = [4, 4, 4, -cost]
    return [score - point for score, point in zip(after, points, strict=True)], [4, 4, 4, 5], points
