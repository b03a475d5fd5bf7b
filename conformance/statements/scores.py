"""Vectors of ScoreHand in tables, held against the oracle's scores."""

from typing import Any

from conformance.statements.notation import choice, contract, lines_of, outcome, seat
from conformance.statements.positions import explained, lines_json, oracle_move
from conformance.statements.section import Disagreement, Section
from conformance.statements.tables import numbers, rows, rules_of
from tests.oracle.rule_sets import RULE_SETS
from tests.oracle.scoring import score_hand

JSON = Any


class Scores(Section):
    """A section of scores."""

    def scored(self, text: str, *, why_too: bool = False) -> None:
        """Lines and new scores of hands: `slug | rules and cases | title | rule set | bid | tricks | points`.

        The rule set is followed by its options, and by the scores before as `scores=[3,0]`. A contract is written as
        `N:8`, `W:8H` or `W:8HX` when doubled, individual bids as `5,2,4,3`, and `none` without an auction. Who wins is
        said after the points: `0,52 won by W`, where scores are the seats' by all who won it: `43,2,41,3 won by NS`.
        The rules that gave the points are the oracle's, or stated in one more column: `S3 S7, S2` for two lines.
        """
        for slug, shows, title, rules, bid, counts, told, *why in rows(text, 8 if why_too else 7):
            tricks, points, ended = numbers(counts), *score_and_outcome(told)
            request, judged, told_rules = asked(rules, bid, tricks)
            lines = lines_of(bid, tricks, points)
            after = [score + won for score, won in zip(request["scores"], points, strict=True)]
            held = check(f"{self.name}-{slug}", told_rules, request["scores"], judged, tricks, after, ended)
            if lines_json(held["lines"]) != lines:
                raise Disagreement(f"{self.name}-{slug}: the oracle says {held}")
            named = [line["rule_ids"] for line in held["lines"]]
            if why and [ids.split() for ids in why[0].split(",")] != named:
                raise Disagreement(f"{self.name}-{slug}: the oracle says {named}")
            lines = explained(lines, held["lines"])
            response = {"result": {"end": "HAND_END_SCORED", "lines": lines}, "scores": after}
            if ended:
                response["outcome"] = ended
            self.add(slug, title, shows, "ScoreHand", request, {"response": response})

    def ends(self, text: str) -> None:
        """Who wins: rows like those of `scored`, with the scores after the hand for the points."""
        for slug, shows, title, rules, bid, counts, told in rows(text, 7):
            tricks, after, ended = numbers(counts), *score_and_outcome(told)
            request, judged, told_rules = asked(rules, bid, tricks)
            check(f"{self.name}-{slug}", told_rules, request["scores"], judged, tricks, after, ended)
            self.add(
                slug, title, shows, "ScoreHand", request, {"fields": {"scores": after, "outcome": ended}}
            )


def score_and_outcome(text: str) -> tuple[list[int], JSON]:
    """Numbers, and the outcome when somebody wins: `0,52 won by W SWEEP`."""
    told, _, winner = text.partition(" won by ")
    counts = numbers(told)
    return counts, outcome(*winner.split(), by_seat=len(counts) == 4) if winner else None


def asked(text: str, bid: str, tricks: list[int]) -> tuple[dict[str, JSON], Any, dict[str, JSON]]:
    """The request, what was bid as the oracle says it, and its rules."""
    preset, chosen = rules_of(text)
    nothing = [0] * len(tricks)
    request: dict[str, JSON] = {"scores": chosen.pop("scores", nothing)}
    request = {"rule_set": choice(preset, chosen), **request}
    judged: Any = None
    if ":" in bid:
        doubled = bid.endswith("X")
        judged = ("NWSE".index(bid[0]), *oracle_move(bid.rstrip("X"))[1:], doubled)
        request["contract"] = contract(bid[0], bid[2:].rstrip("X"), doubled=doubled)
    elif bid != "none":
        judged = request["bids"] = numbers(bid)
    request["tricks"] = tricks
    return request, judged, {**RULE_SETS[preset], **chosen}


def check(
    name: str,
    rules: dict[str, JSON],
    scores: list[int],
    judged: Any,
    tricks: list[int],
    after: list[int],
    ended: JSON,
) -> dict[str, JSON]:
    """The oracle's score of a hand.

    Raises:
        Disagreement: It has other scores, or another outcome.
    """
    told = score_hand(rules, scores, judged, tricks)
    won = {0: "TEAM_NORTH_SOUTH", 1: "TEAM_WEST_EAST"}.get(told["winner"])
    reason = f"WIN_REASON_{told['win_reason'].upper()}" if told["win_reason"] else None
    seats = [seat("NWSE"[index]) for index in told["winning_seats"]]
    stated = [(ended or {}).get(key) for key in ("winner", "reason", "winning_seats")]
    if told["scores"] != after or [won, reason, seats or None] != stated:
        raise Disagreement(f"{name}: the oracle says {told}")
    return told
