"""Who wins a team game."""

from typing import Any

from conformance.statements.notation import choice, contract, outcome
from conformance.statements.scores import check
from conformance.statements.section import Section
from tests.oracle.rule_sets import RULE_SETS

JSON = Any


def _team_score(
    made: Section,
    slug: str,
    title: str,
    shows: str,
    preset: str,
    scores: list[int],
    bid: str,
    tricks: list[int],
    after: list[int],
    ended: JSON,
    **rules: JSON,
) -> None:
    judged = ("NWSE".index(bid[0]), int(bid[2:]), None, False)
    check(slug, {**RULE_SETS[preset], **rules}, scores, judged, tricks, after, ended)
    request = {
        "rule_set": choice(preset, rules),
        "scores": scores,
        "contract": contract(bid[0], bid[2:]),
        "tricks": tricks,
    }
    made.add(slug, title, shows, "ScoreHand", request, {"fields": {"scores": after, "outcome": ended}})


def teams(made: Section) -> None:
    classic, north, west = "saharat_classic", outcome("N"), outcome("W")
    rows: tuple[
        tuple[str, str, str, str, list[int], str, list[int], list[int], JSON, dict[str, JSON]], ...
    ] = (
        ("exactly-41", "Exactly the target", "W1", classic, [33, 20], "N:8", [8, 5], [41, 20], north, {}),
        ("one-short", "One short of it", "W1", classic, [32, 20], "N:8", [8, 5], [40, 20], None, {}),
        ("west-wins", "The other team", "W1", classic, [20, 33], "W:8", [5, 8], [20, 41], west, {}),
        ("on-defence", "On defence", "W1 C101", classic, [38, 36], "N:9", [7, 6], [29, 42], west, {}),
        (
            "target-31",
            "A target of 31",
            "W1 C100",
            classic,
            [25, 20],
            "N:8",
            [8, 5],
            [33, 20],
            north,
            {"target": 31},
        ),
        (
            "corrected",
            "The same hand corrected: the other wins",
            "W1 C100",
            classic,
            [25, 20],
            "W:11",
            [2, 11],
            [25, 31],
            west,
            {"target": 31},
        ),
        (
            "corrected-none",
            "Corrected again: nobody",
            "W1 C100",
            classic,
            [17, 20],
            "N:8",
            [8, 5],
            [25, 20],
            None,
            {"target": 31},
        ),
        (
            "nobody",
            "Below the target",
            "W1 C100",
            classic,
            [25, 20],
            "N:13",
            [12, 1],
            [9, 21],
            None,
            {"target": 31},
        ),
        (
            "jawaker-31",
            "Jawaker plays to 31",
            "W1",
            "jawaker_classic",
            [24, 0],
            "N:7",
            [7, 6],
            [31, 0],
            north,
            {},
        ),
        (
            "zone-31",
            "cardgames.zone plays to 31",
            "W1",
            "cardgames_zone",
            [24, 0],
            "N:7",
            [7, 6],
            [31, 0],
            north,
            {},
        ),
        ("one-point", "A target of one", "W1", classic, [0, 0], "N:7", [7, 6], [7, 0], north, {"target": 1}),
        (
            "both-tie",
            "Both at the target and equal: another hand",
            "W6 S8 C70",
            classic,
            [35, 36],
            "N:7",
            [7, 6],
            [42, 42],
            None,
            {"defenders_score": "always"},
        ),
        (
            "both-higher",
            "Both at the target: the higher wins",
            "W6 S8",
            classic,
            [35, 38],
            "N:7",
            [7, 6],
            [42, 44],
            west,
            {"defenders_score": "always"},
        ),
        (
            "both-off",
            "Without that house rule it can't arise",
            "W6 C70",
            classic,
            [35, 36],
            "N:7",
            [7, 6],
            [42, 36],
            north,
            {},
        ),
        (
            "low-score",
            "No low score ends a game",
            "W2",
            classic,
            [-40, 0],
            "N:13",
            [0, 13],
            [-56, 13],
            None,
            {},
        ),
        (
            "already-there",
            "The winner follows from this hand's scores alone",
            "W1 C100",
            classic,
            [45, 30],
            "N:9",
            [8, 5],
            [36, 35],
            None,
            {},
        ),
    )
    for slug, title, shows, preset, scores, bid, tricks, after, ended, rules in rows:
        _team_score(made, f"team-{slug}", title, shows, preset, scores, bid, tricks, after, ended, **rules)


def floors_and_sweeps(made: Section) -> None:
    wiki, classic = "tarneeb_wikipedia", "saharat_classic"
    swept, swept_west = outcome("N", "SWEEP"), outcome("W", "SWEEP")
    floor, bid_only = {"win_floor": "before_hand"}, {"sweep_wins": "when_bid"}
    rows: tuple[
        tuple[str, str, str, str, list[int], str, list[int], list[int], JSON, dict[str, JSON]], ...
    ] = (
        ("unbid", "All 13 win, bid or not", "W3", wiki, [0, 20], "N:8", [13, 0], [13, 20], swept, {}),
        ("bid", "Bid and made", "W3", wiki, [0, 20], "N:13", [13, 0], [13, 20], swept, {}),
        (
            "defenders",
            "The defenders' 13 win too",
            "W3",
            wiki,
            [0, 0],
            "N:8",
            [0, 13],
            [-8, 13],
            swept_west,
            {},
        ),
        ("below-zero", "From below zero", "W3", wiki, [-30, 0], "N:8", [13, 0], [-17, 0], swept, {}),
        (
            "floor",
            "Not from below zero, in some houses",
            "W3 W4",
            wiki,
            [-30, 0],
            "N:8",
            [13, 0],
            [-17, 0],
            None,
            floor,
        ),
        (
            "floor-at-zero",
            "Nought is not below zero",
            "W3 W4",
            wiki,
            [0, 0],
            "N:8",
            [13, 0],
            [13, 0],
            swept,
            floor,
        ),
        (
            "floor-before",
            "Zero is counted before the hand",
            "W4",
            wiki,
            [-1, 0],
            "N:7",
            [7, 6],
            [6, 0],
            None,
            {**floor, "target": 5},
        ),
        (
            "floor-other",
            "The other team is not held",
            "W4",
            wiki,
            [-1, 40],
            "W:7",
            [6, 7],
            [-1, 47],
            outcome("W"),
            floor,
        ),
        ("when-bid", "Only when bid: bid", "W3", wiki, [0, 0], "N:13", [13, 0], [13, 0], swept, bid_only),
        (
            "when-not-bid",
            "Only when bid: not bid",
            "W3",
            wiki,
            [0, 0],
            "N:12",
            [13, 0],
            [13, 0],
            None,
            bid_only,
        ),
        (
            "when-bid-defence",
            "Only when bid: never the defenders",
            "W3",
            wiki,
            [0, 0],
            "N:13",
            [0, 13],
            [-13, 13],
            None,
            bid_only,
        ),
        (
            "never",
            "Elsewhere 13 tricks win nothing by themselves",
            "W3",
            classic,
            [0, 0],
            "N:13",
            [13, 0],
            [26, 0],
            None,
            {},
        ),
        (
            "and-target",
            "A sweep that also reaches the target is a sweep",
            "W3 W1",
            wiki,
            [35, 0],
            "N:7",
            [13, 0],
            [48, 0],
            swept,
            {},
        ),
    )
    for slug, title, shows, preset, scores, bid, tricks, after, ended, rules in rows:
        _team_score(made, f"sweep-{slug}", title, shows, preset, scores, bid, tricks, after, ended, **rules)
