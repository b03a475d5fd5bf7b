"""Which rules gave a side its points, by the ids of docs/rules.md, and whose score won a game."""

from typing import Any

from tests.oracle.cards import team_of
from tests.oracle.rule_sets import Rules

Contract = tuple[int, int, str | None, bool]
Line = dict[str, Any]


def name_rules(
    rules: Rules,
    scores: list[int],
    bids_or_contract: list[int] | Contract | None,
    lines: list[Line],
    offender: int | None = None,
) -> list[Line]:
    """Return the lines of a result with the rules that gave each its points, the first of them first."""
    for line in lines:
        if bids_or_contract is None:
            line["rule_ids"] = ["S9" if offender is None else "R2"]
        elif isinstance(bids_or_contract, list):
            own_score = scores[line["side"]]
            steps = [
                least for bid, _, least in rules["bid_values"] if bid == line["bid"] and least is not None
            ]
            climbed = any(own_score >= least for least in steps)
            line["rule_ids"] = ["S10" if offender is None else "R2", "S12" if climbed else "S11"]
        else:
            line["rule_ids"] = _of_a_team(rules, bids_or_contract, lines, line["side"], offender)
    return lines


def _of_a_team(
    rules: Rules, contract: Contract, lines: list[Line], team: int, offender: int | None
) -> list[str]:
    """Return the rules of one line of a contract."""
    declarer, bid, _, doubled = contract
    made = lines[team_of(declarer)]["made"]
    line = lines[team]
    if team == team_of(declarer):
        named = _of_declarers(bid, line["tricks"], made=made)
    else:
        named = _of_defenders(rules, bid, line["tricks"], made=made)
    # No bonus and no penalty counts after a revoke, only an option for the defenders.
    if offender is not None:
        named = named if named == ["S8"] else ["R2"]
    if not doubled or line["points"] == 0:
        return named
    if rules["doubled_result"] == "when_made" and not made:
        return [*named, "A10"]
    if rules["doubled_result"] == "bidders" and team != team_of(declarer):
        return [*named, "S8"]
    return [*named, "S7"]


def _of_declarers(bid: int, tricks: int, *, made: bool) -> list[str]:
    if not made:
        return ["S5" if bid == 13 else "S2"]
    if bid == 13:
        return ["S4"]
    return ["S3" if tricks == 13 else "S1"]


def _of_defenders(rules: Rules, bid: int, tricks: int, *, made: bool) -> list[str]:
    if made:
        return ["S8" if rules["defenders_score"] == "always" else "S1"]
    if rules["defenders_score"] == "never":
        return ["S8"]
    if tricks == 13 and (bid != 13 or rules["slam_defence_sweep"] == "points"):
        return ["S3", "S6"]
    if bid != 13:
        return ["S2"]
    twice = ["S8"] if rules["failed_slam_trick_factor"] == 2 else []
    return ["S6" if tricks == 13 else "S5", *twice]


def winning_seats(rules: Rules, scores: list[int], winner: int | None) -> list[int]:
    """Return the players of the winning team who are at the target with a partner who lets them win (W5)."""
    if winner is None or rules["auction"] != "individual":
        return []
    needs_partner = rules["win_floor"] == "partner_above_zero"
    return [
        seat
        for seat in (winner, winner + 2)
        if scores[seat] >= rules["target"] and not (needs_partner and scores[(seat + 2) % 4] <= 0)
    ]
