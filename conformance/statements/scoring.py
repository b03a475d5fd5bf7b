"""Scores of hands, through ScoreHand, which needs no cards; what is no hand is refused."""

from typing import Any

from conformance.statements import scoring_odd, scoring_seats
from conformance.statements.notation import choice, plain_lines
from conformance.statements.scores import by_team, score
from conformance.statements.section import Section

JSON = Any
# Rule sets in which all 13 tricks are 16, or 26 when bid, and those in which they are 13.
SIXTEEN = ("saharat_classic", "jawaker_classic", "jawaker_egyptian")
THIRTEEN = ("cardgames_zone", "tarneeb_wikipedia")


def section() -> Section:
    made = Section("scoring", "Scores of hands: contract or bids and tricks in, lines and new scores out.")
    for preset in (*SIXTEEN, *THIRTEEN):
        _contracts(made, preset)
    _named_cases(made)
    _options(made)
    _doubled(made)
    _without_auction(made)
    scoring_seats.individual(made)
    scoring_seats.four_hundred(made)
    scoring_odd.forfeited(made)
    scoring_odd.no_hand(made)
    return made


def _contracts(made: Section, preset: str) -> None:
    sixteen = preset in SIXTEEN
    name = preset.replace("_", "-")
    strain = "S" if preset == "jawaker_egyptian" else ""
    # What it is, rules, declarer and bid, tricks, points.
    sweep, slam, lost = (16, 26, 16) if sixteen else (13, 13, 13)
    rows = (
        ("made with overtricks", "S1", "N:8", [9, 4], [9, 0]),
        ("made exactly", "S1", "W:9", [4, 9], [0, 9]),
        ("one short", "S2", "N:8", [7, 6], [-8, 6]),
        ("failed badly", "S2", "E:12", [9, 4], [9, -12]),
        ("all 13 unbid", "S3", "S:8", [13, 0], [sweep, 0]),
        ("13 bid and made", "S4", "W:13", [0, 13], [0, slam]),
        ("13 bid, one short", "S5", "N:13", [12, 1], [-lost, 1]),
        ("defenders take all against 7", "S6 S3", "N:7", [0, 13], [-7, sweep]),
        ("defenders take all against 13", "S6 S5", "N:13", [0, 13], [-lost, 13]),
    )
    for title, shows, bid, tricks, points in rows:
        swept = 13 in tricks and preset == "tarneeb_wikipedia"
        winner = "TEAM_NORTH_SOUTH" if tricks[0] == 13 else "TEAM_WEST_EAST"
        loser = "TEAM_WEST_EAST" if tricks[0] == 13 else "TEAM_NORTH_SOUTH"
        ended = {"winner": winner, "loser": loser, "reason": "WIN_REASON_SWEEP"} if swept else None
        slug = f"{name}-{title.replace(' ', '-').replace(',', '')}"
        by_team(
            made,
            slug,
            f"{preset}: {bid}{strain}, {title}",
            f"{shows} W3" if swept else shows,
            preset,
            bid + strain,
            tricks,
            points,
            outcome=ended,
        )


def _named_cases(made: Section) -> None:
    classic = "saharat_classic"
    by_team(
        made,
        "bid-not-tricks",
        "A failed bid costs the bid, not the tricks",
        "S2 C61",
        classic,
        "W:9",
        [6, 7],
        [6, -9],
    )
    by_team(
        made,
        "defenders-nothing",
        "Defenders get nothing when it is made",
        "S1 C62",
        classic,
        "N:8",
        [9, 4],
        [9, 0],
    )
    by_team(made, "slam-two-short", "13 bid, eleven taken", "S5 C64", classic, "N:13", [11, 2], [-16, 2])
    by_team(
        made, "defence-sweep", "All 13 by the defenders are 16", "S6 C65", classic, "N:7", [0, 13], [-7, 16]
    )
    by_team(
        made,
        "defence-sweep-slam",
        "But 13 against a bid of 13 (open)",
        "S6 C65",
        classic,
        "N:13",
        [0, 13],
        [-16, 13],
    )
    by_team(
        made,
        "below-zero",
        "There is no floor at nought",
        "C8 W2 C68",
        classic,
        "N:8",
        [5, 8],
        [-8, 8],
        [3, 0],
    )
    by_team(
        made,
        "deep-below-zero",
        "Nor does a low score end a game",
        "C8 W2",
        classic,
        "N:13",
        [5, 8],
        [-16, 8],
        [-200, 10],
    )


def _options(made: Section) -> None:
    classic, zone = "saharat_classic", "cardgames_zone"
    always: dict[str, JSON] = {"defenders_score": "always"}
    by_team(
        made,
        "always",
        "A house where defenders always score",
        "S8 C62",
        classic,
        "N:8",
        [9, 4],
        [9, 4],
        **always,
    )
    by_team(
        made,
        "always-slam",
        "Also against a made 13: no tricks, no points",
        "S8",
        classic,
        "N:13",
        [13, 0],
        [26, 0],
        **always,
    )
    by_team(
        made,
        "twice",
        "Defenders' tricks twice on a failed 13",
        "S8 C64",
        classic,
        "N:13",
        [11, 2],
        [-16, 4],
        failed_slam_trick_factor=2,
    )
    by_team(
        made,
        "twice-only-slam",
        "But once on a failed 12",
        "S8",
        classic,
        "N:12",
        [11, 2],
        [-12, 2],
        failed_slam_trick_factor=2,
    )
    by_team(
        made,
        "twice-defence-sweep",
        "All 13 on a failed 13 are tricks as well (open in S6): twice, 26",
        "S8 S6",
        classic,
        "N:13",
        [0, 13],
        [-16, 26],
        failed_slam_trick_factor=2,
    )
    by_team(
        made,
        "twice-defence-sweep-points",
        "Where all 13 against a 13 are 16, they are no tricks: once",
        "S8 S6",
        classic,
        "N:13",
        [0, 13],
        [-16, 16],
        failed_slam_trick_factor=2,
        slam_defence_sweep="points",
    )
    by_team(
        made,
        "twice-seven",
        "Nor do the 13 on a failed seven count twice",
        "S8 S6",
        classic,
        "N:7",
        [0, 13],
        [-7, 16],
        failed_slam_trick_factor=2,
    )
    by_team(
        made,
        "slam-defence-points",
        "A house where all 13 against a 13 are 16",
        "S6 C65",
        classic,
        "N:13",
        [0, 13],
        [-16, 16],
        slam_defence_sweep="points",
    )
    kaboot: dict[str, JSON] = {"sweep_points": 26, "slam_made_points": 26}
    by_team(made, "kaboot", "Doubled kaboot, unbid", "S3", zone, "N:8", [13, 0], [26, 0], **kaboot)
    by_team(made, "kaboot-bid", "Doubled kaboot, bid", "S4", zone, "N:13", [13, 0], [26, 0], **kaboot)
    by_team(
        made,
        "kaboot-defence",
        "Doubled kaboot is the declarers'",
        "S3",
        zone,
        "N:8",
        [0, 13],
        [-8, 13],
        **kaboot,
    )
    by_team(
        made, "made-thirteen", "Sweep points of nought", "S3", zone, "N:7", [13, 0], [0, 0], sweep_points=0
    )


def _doubled(made: Section) -> None:
    egypt = "jawaker_egyptian"
    rows = (
        ("made", "S7", "W:8H", [4, 9], [0, 18]),
        ("failed", "S7 A10", "W:8H", [6, 7], [12, -16]),
        ("sweep", "S7", "W:8N", [0, 13], [0, 32]),
        ("slam", "S7", "W:13S", [0, 13], [0, 52]),
        ("slam-failed", "S7", "W:13S", [1, 12], [2, -32]),
        ("defence-sweep", "S7", "W:7C", [13, 0], [32, -14]),
    )
    for name, shows, bid, tricks, points in rows:
        ended = None
        if 52 in points:
            ended = {"winner": "TEAM_WEST_EAST", "loser": "TEAM_NORTH_SOUTH", "reason": "WIN_REASON_TARGET"}
        by_team(
            made,
            f"doubled-{name}",
            f"Doubled, {name}: both sides' points twice",
            shows,
            egypt,
            bid,
            tricks,
            points,
            outcome=ended,
            doubled=True,
        )
    when_made: dict[str, JSON] = {"doubled_result": "when_made"}
    by_team(
        made,
        "when-made",
        "A house that doubles only what is made: made",
        "A10",
        egypt,
        "W:8H",
        [4, 9],
        [0, 18],
        doubled=True,
        **when_made,
    )
    by_team(
        made,
        "when-made-failed",
        "And failed",
        "A10",
        egypt,
        "W:8H",
        [6, 7],
        [6, -8],
        doubled=True,
        **when_made,
    )


def _without_auction(made: Section) -> None:
    preset = "cardgames_zone_turned_trump"
    for slug, title, tricks, points, rules in (
        ("majority", "Seven tricks score, six do not", [7, 6], [7, 0], {}),
        ("majority-west", "Whichever side it is", [3, 10], [0, 10], {}),
        ("none-sweep", "All 13 are 13", [13, 0], [13, 0], {}),
        ("none-kaboot", "Doubled kaboot", [0, 13], [0, 26], {"sweep_points": 26}),
    ):
        request = {"rule_set": choice(preset, rules), "scores": [0, 0], "tricks": tricks}
        lines = plain_lines(tricks, points)
        score(made, slug, title, "S9", preset, rules, request, None, lines, None)
