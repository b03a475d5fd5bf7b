"""Points of a hand and the winner of a game (S1 to S12, W1 to W6, R2)."""

from typing import Any

from tests.oracle.auction import ladder_value
from tests.oracle.cards import team_of
from tests.oracle.reasons import name_rules, winning_seats
from tests.oracle.rule_sets import Rules

# (declarer, tricks bid, strain or None, doubled)
Contract = tuple[int, int, str | None, bool]
Line = dict[str, Any]


def score_hand(
    rules: Rules, scores: list[int], bids_or_contract: list[int] | Contract | None, tricks: list[int]
) -> dict[str, Any]:
    """Score a hand that was played to its end, without its cards.

    Args:
        rules: The rule set.
        scores: The scores before the hand, by team, or by seat in an individual auction.
        bids_or_contract: The four bids of an individual auction by seat, the contract of a
            competitive one, None when there is no auction.
        tricks: The tricks taken, by team, or by seat in an individual auction.

    Returns:
        The lines of the result, the new scores, the winning team or None, its players who won it
        where scores are theirs, and the reason or None.

    Raises:
        ValueError: If no hand of thirteen tricks can end like that.
    """
    sides = 4 if rules["auction"] == "individual" else 2
    if len(scores) != sides or len(tricks) != sides:
        raise ValueError(f"scores and tricks must be of {sides} sides")
    if any(type(count) is not int or count < 0 for count in tricks) or sum(tricks) != 13:
        raise ValueError("tricks must be whole, not negative, and thirteen in all")
    lines = hand_lines(rules, scores, bids_or_contract, tricks)
    after = add_points(scores, lines)
    sweeper = outright_winner(rules, bids_or_contract, tricks)
    winner, reason = find_winner(rules, scores, after, sweeper)
    seats = winning_seats(rules, after, winner)
    return {"lines": lines, "scores": after, "winner": winner, "win_reason": reason, "winning_seats": seats}


def add_points(scores: list[int], lines: list[Line]) -> list[int]:
    """Return the scores with the points of a hand added; they may fall below zero (C8)."""
    after = list(scores)
    for line in lines:
        after[line["side"]] += line["points"]
    return after


def hand_lines(
    rules: Rules, scores: list[int], bids_or_contract: list[int] | Contract | None, tricks: list[int]
) -> list[Line]:
    """Return the result of a hand that was played to its end, a line for each side."""
    if bids_or_contract is None:
        lines = _lines_without_auction(rules, tricks)
    elif isinstance(bids_or_contract, tuple):
        lines = _contract_lines(rules, bids_or_contract, tricks)
    else:
        made = [tricks[seat] >= bids_or_contract[seat] for seat in range(4)]
        lines = _individual_lines(rules, scores, bids_or_contract, tricks, made)
    return name_rules(rules, scores, bids_or_contract, lines)


def forfeited_lines(
    rules: Rules,
    scores: list[int],
    bids_or_contract: list[int] | Contract | None,
    tricks: list[int],
    offender: int,
) -> list[Line]:
    """Return the result of a hand that ends with a revoke (R2).

    Args:
        rules: The rule set.
        scores: The scores before the hand.
        bids_or_contract: As for `score_hand`.
        tricks: The tricks completed before the revoke, by team, or by seat in an individual auction.
        offender: The seat that revoked.
    """
    lines = _forfeited_lines(rules, scores, bids_or_contract, tricks, offender)
    return name_rules(rules, scores, bids_or_contract, lines, offender)


def _forfeited_lines(
    rules: Rules,
    scores: list[int],
    bids_or_contract: list[int] | Contract | None,
    tricks: list[int],
    offender: int,
) -> list[Line]:
    guilty = team_of(offender)
    other = 1 - guilty
    if isinstance(bids_or_contract, list):
        made = [team_of(seat) == other for seat in range(4)]
        return _individual_lines(rules, scores, bids_or_contract, tricks, made)

    awarded = [0, 0]
    awarded[guilty] = tricks[guilty]
    awarded[other] = 13 - tricks[guilty]
    points = [0, 0]
    if bids_or_contract is None:
        points[other] = max(7, awarded[other])
        return [_line(team, None, awarded[team], points[team], None) for team in (0, 1)]

    declarer, bid, _, doubled = bids_or_contract
    declarers = team_of(declarer)
    defenders = 1 - declarers
    made_it = guilty == defenders
    if made_it:
        points[declarers] = max(bid, awarded[declarers])
        if rules["defenders_score"] == "always":
            points[defenders] = awarded[defenders]
    else:
        points[declarers] = -bid
        points[defenders] = awarded[defenders]
    return _team_lines(rules, declarers, bid, doubled, made_it, points, awarded)


def bid_value(rules: Rules, bid: int, own_score: int) -> int:
    """Return what an individual bid is worth at the score before the hand (S11, S12)."""
    value = bid
    steps = []
    for entry_bid, points, from_score in rules["bid_values"]:
        if entry_bid == bid and from_score is None:
            value = points
        elif entry_bid == bid:
            steps.append((from_score, points))
    return ladder_value(steps, own_score, value)


def outright_winner(
    rules: Rules, bids_or_contract: list[int] | Contract | None, tricks: list[int]
) -> int | None:
    """Return the team whose thirteen tricks win the game, if the rules have it so (W3)."""
    if isinstance(bids_or_contract, list) or rules["sweep_wins"] == "never" or 13 not in tricks:
        return None
    team = tricks.index(13)
    if rules["sweep_wins"] == "always":
        return team
    if bids_or_contract is None:
        return None
    declarer, bid, _, _ = bids_or_contract
    return team if bid == 13 and team_of(declarer) == team else None


def find_winner(
    rules: Rules, before: list[int], after: list[int], sweeper: int | None
) -> tuple[int | None, str | None]:
    """Return the team that has won the game and by what, or twice None.

    Args:
        rules: The rule set.
        before: The scores before the hand.
        after: The scores after it.
        sweeper: The team whose thirteen tricks win outright, if any.
    """
    if rules["auction"] == "individual":
        qualified = [team for team in (0, 1) if _pair_qualifies(rules, after, team)]
        if rules["tie_break"] == "highest_player":
            ranking = [max(after[0], after[2]), max(after[1], after[3])]
        else:
            ranking = [after[0] + after[2], after[1] + after[3]]
    else:
        barred = [rules["win_floor"] == "before_hand" and before[team] < 0 for team in (0, 1)]
        if sweeper is not None and not barred[sweeper]:
            return sweeper, "sweep"
        qualified = [team for team in (0, 1) if after[team] >= rules["target"] and not barred[team]]
        ranking = after

    if len(qualified) == 1:
        return qualified[0], "target"
    if len(qualified) == 2 and ranking[0] != ranking[1]:
        return (0 if ranking[0] > ranking[1] else 1), "target"
    return None, None


def _pair_qualifies(rules: Rules, scores: list[int], team: int) -> bool:
    """Say whether one partner is at the target and the other above zero (W5)."""
    for player, partner in ((team, team + 2), (team + 2, team)):
        partner_allows = rules["win_floor"] != "partner_above_zero" or scores[partner] > 0
        if scores[player] >= rules["target"] and partner_allows:
            return True
    return False


def _line(side: int, bid: int | None, tricks: int, points: int, made: bool | None) -> Line:
    return {"side": side, "bid": bid, "tricks": tricks, "points": points, "made": made}


def _individual_lines(
    rules: Rules, scores: list[int], bids: list[int], tricks: list[int], made: list[bool]
) -> list[Line]:
    """Give or take the value of each seat's own bid (S10)."""
    lines = []
    for seat in range(4):
        value = bid_value(rules, bids[seat], scores[seat])
        points = value if made[seat] else -value
        lines.append(_line(seat, bids[seat], tricks[seat], points, made[seat]))
    return lines


def _lines_without_auction(rules: Rules, tricks: list[int]) -> list[Line]:
    """Give the side with seven tricks or more its tricks (S9)."""
    lines = []
    for team in (0, 1):
        points = 0
        if tricks[team] == 13:
            points = rules["sweep_points"]
        elif tricks[team] >= 7:
            points = tricks[team]
        lines.append(_line(team, None, tricks[team], points, None))
    return lines


def _contract_lines(rules: Rules, contract: Contract, tricks: list[int]) -> list[Line]:
    """Score a contract by team (S1 to S8)."""
    declarer, bid, _, doubled = contract
    declarers = team_of(declarer)
    defenders = 1 - declarers
    made = tricks[declarers] >= bid
    points = [0, 0]

    if bid == 13 and made:
        points[declarers] = rules["slam_made_points"]
    elif made and tricks[declarers] == 13:
        points[declarers] = rules["sweep_points"]
    elif made:
        points[declarers] = tricks[declarers]
    elif bid == 13:
        points[declarers] = -rules["slam_failed_points"]
    else:
        points[declarers] = -bid

    if made and rules["defenders_score"] == "always":
        points[defenders] = tricks[defenders]
    elif made:
        points[defenders] = 0
    elif bid == 13 and tricks[defenders] == 13 and rules["slam_defence_sweep"] == "points":
        points[defenders] = rules["defenders_sweep_points"]
    elif bid == 13:
        points[defenders] = tricks[defenders] * rules["failed_slam_trick_factor"]
    elif tricks[defenders] == 13:
        points[defenders] = rules["defenders_sweep_points"]
    else:
        points[defenders] = tricks[defenders]
    return _team_lines(rules, declarers, bid, doubled, made, points, tricks)


def _team_lines(
    rules: Rules,
    declarers: int,
    bid: int,
    doubled: bool,
    made: bool,
    points: list[int],
    tricks: list[int],
) -> list[Line]:
    """Take from defenders what they never get (S8), double what a double counts for (S7), and write it down."""
    lines = []
    for team in (0, 1):
        own_bid = bid if team == declarers else None
        own_made = made if team == declarers else None
        worth = points[team]
        if team != declarers and rules["defenders_score"] == "never":
            worth = 0
        counts = {"always": True, "when_made": made, "bidders": team == declarers}[rules["doubled_result"]]
        lines.append(_line(team, own_bid, tricks[team], 2 * worth if doubled and counts else worth, own_made))
    return lines
