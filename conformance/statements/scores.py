"""Vectors of ScoreHand, held against the oracle's scores."""

from typing import Any

from conformance.statements.notation import choice, contract, seat_lines, team_lines
from conformance.statements.positions import lines_json, oracle_move
from conformance.statements.section import Disagreement, Section
from tests.oracle.rule_sets import RULE_SETS
from tests.oracle.scoring import score_hand

JSON = Any


def by_team(
    made: Section,
    slug: str,
    title: str,
    shows: str,
    preset: str,
    bid: str,
    tricks: list[int],
    points: list[int],
    scores: list[int] | None = None,
    outcome: JSON = None,
    *,
    doubled: bool = False,
    **rules: JSON,
) -> None:
    """A contract as in `N:8`, tricks and points by team."""
    declarer, number = bid[0], int(bid[2:].rstrip("CDHSN"))
    before = scores or [0, 0]
    success = tricks["NWSE".index(declarer) % 2] >= number
    lines = team_lines(declarer, number, tricks, points, made=success)
    _, _, named = oracle_move(bid)
    judged = ("NWSE".index(declarer), number, named, doubled)
    request = {
        "rule_set": choice(preset, rules),
        "scores": before,
        "contract": contract(declarer, bid[2:], doubled=doubled),
        "tricks": tricks,
    }
    score(made, slug, title, shows, preset, rules, request, judged, lines, outcome)


def by_seat(
    made: Section,
    slug: str,
    title: str,
    shows: str,
    preset: str,
    bids: list[int],
    tricks: list[int],
    points: list[int],
    scores: list[int] | None = None,
    outcome: JSON = None,
    **rules: JSON,
) -> None:
    """Four bids, tricks and points by seat."""
    request = {
        "rule_set": choice(preset, rules),
        "scores": scores or [0, 0, 0, 0],
        "bids": bids,
        "tricks": tricks,
    }
    score(made, slug, title, shows, preset, rules, request, bids, seat_lines(bids, tricks, points), outcome)


def score(
    made: Section,
    slug: str,
    title: str,
    shows: str,
    preset: str,
    rules: dict[str, JSON],
    request: JSON,
    judged: Any,
    lines: list[JSON],
    outcome: JSON,
) -> None:
    before = request["scores"]
    after = [score + line.get("points", 0) for score, line in zip(before, lines, strict=True)]
    told = score_hand({**RULE_SETS[preset], **rules}, before, judged, request["tricks"])
    won = {0: "TEAM_NORTH_SOUTH", 1: "TEAM_WEST_EAST"}.get(told["winner"])
    if lines_json(told["lines"]) != lines or told["scores"] != after or won != (outcome or {}).get("winner"):
        raise Disagreement(f"{made.name}-{slug}: the oracle says {told}")
    response = {"result": {"end": "HAND_END_SCORED", "lines": lines}, "scores": after}
    if outcome:
        response["outcome"] = outcome
    made.add(slug, title, shows, "ScoreHand", request, {"response": response})


def check(
    slug: str,
    rules: dict[str, JSON],
    scores: list[int],
    judged: Any,
    tricks: list[int],
    after: list[int],
    ended: JSON,
) -> None:
    told = score_hand(rules, scores, judged, tricks)
    won = {0: "TEAM_NORTH_SOUTH", 1: "TEAM_WEST_EAST"}.get(told["winner"])
    reason = f"WIN_REASON_{told['win_reason'].upper()}" if told["win_reason"] else None
    stated = (ended or {}).get("winner"), (ended or {}).get("reason")
    if told["scores"] != after or (won, reason) != stated:
        raise Disagreement(f"{slug}: the oracle says {told}")
