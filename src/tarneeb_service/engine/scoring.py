"""What a hand is worth, and whether it ends the game (S1 to S12, W1 to W6, R2)."""

from tarneeb_service.engine.cards import TRICKS
from tarneeb_service.engine.rules import (
    SLAM,
    DefendersScore,
    DoubledResult,
    RuleSet,
    SlamDefenceSweep,
    SweepWins,
    TieBreak,
    WinFloor,
)
from tarneeb_service.engine.seats import SEATS, partner
from tarneeb_service.engine.state import Contract, HandEnd, HandResult, Outcome, ScoreLine, Scores, WinReason

# S9: without an auction the side with the majority scores.
MAJORITY = 7


def score_contract(
    rules: RuleSet, contract: Contract, tricks: Scores, offender: int | None = None
) -> HandResult:
    """Score a hand that was won in a competitive auction.

    Args:
        rules: The rules.
        contract: The contract.
        tricks: Two trick counts in team order; they total 13, those awarded after a revoke included.
        offender: The seat that revoked and so lost the hand for its team (R2).
    """
    declarers = contract.declarer % 2
    taken, against = tricks[declarers], tricks[1 - declarers]
    if offender is None:
        made = taken >= contract.tricks
        points, defence = _contract_points(rules, contract.tricks, taken, against)
    else:
        # R2: no sweep or slam values.
        made = offender % 2 != declarers
        points = max(contract.tricks, taken) if made else -contract.tricks
        defence = against if not made or rules.defenders_score is DefendersScore.ALWAYS else 0
    if rules.defenders_score is DefendersScore.NEVER:
        defence = 0
    if contract.doubled and (made or rules.doubled_result is not DoubledResult.WHEN_MADE):
        points *= 2
        if rules.doubled_result is not DoubledResult.BIDDERS:
            defence *= 2
    lines = [
        ScoreLine(declarers, contract.tricks, taken, points, made),
        ScoreLine(1 - declarers, None, against, defence, None),
    ]
    return _result(lines[::-1] if declarers else lines, offender)


def _contract_points(rules: RuleSet, bid: int, taken: int, against: int) -> tuple[int, int]:
    """Return the declarers' and the defenders' points, before any doubling (S1 to S6, S8)."""
    if taken >= bid:
        defence = against if rules.defenders_score is DefendersScore.ALWAYS else 0
        if bid == SLAM:
            return rules.slam_made_points, defence
        return rules.sweep_points if taken == TRICKS else taken, defence
    if bid < SLAM:
        return -bid, rules.defenders_sweep_points if against == TRICKS else against
    if against == TRICKS and rules.slam_defence_sweep is SlamDefenceSweep.POINTS:
        return -rules.slam_failed_points, rules.defenders_sweep_points
    return -rules.slam_failed_points, against * rules.failed_slam_trick_factor


def score_majority(rules: RuleSet, tricks: Scores, offender: int | None = None) -> HandResult:
    """Score a hand without an auction (S9); after a revoke the other side counts at least the majority (R2)."""
    lines = []
    for team in (0, 1):
        if offender is not None:
            points = 0 if offender % 2 == team else max(MAJORITY, tricks[team])
        elif tricks[team] == TRICKS:
            points = rules.sweep_points
        else:
            points = tricks[team] if tricks[team] >= MAJORITY else 0
        lines.append(ScoreLine(team, None, tricks[team], points, None))
    return _result(lines, offender)


def score_individual(
    rules: RuleSet, bids: Scores, tricks: Scores, scores_before: Scores, offender: int | None = None
) -> HandResult:
    """Score four bids of four players (S10 to S12); after a revoke a team's bids fail and the others' are made (R2)."""
    lines = []
    for seat in SEATS:
        made = tricks[seat] >= bids[seat] if offender is None else seat % 2 != offender % 2
        value = rules.bid_value(bids[seat], scores_before[seat])
        lines.append(ScoreLine(seat, bids[seat], tricks[seat], value if made else -value, made))
    return _result(lines, offender)


def add_points(scores: Scores, result: HandResult) -> Scores:
    """Return the scores after a hand; a void one changes nothing (C8)."""
    if not result.lines:
        return scores
    return tuple(score + line.points for score, line in zip(scores, result.lines, strict=True))


def outcome_of(rules: RuleSet, scores_before: Scores, result: HandResult) -> Outcome | None:
    """Return how a hand that was not void ended the game, or none when another is played.

    The winner follows from the hand alone: nothing remembers who led before (W1 to W6).
    """
    scores = add_points(scores_before, result)
    if rules.individual:
        return _outcome_of_players(rules, scores)
    barred = rules.win_floor is WinFloor.BEFORE_HAND
    may_win = [team for team in (0, 1) if not (barred and scores_before[team] < 0)]
    for team in may_win:
        if _sweep_wins(rules, result, team):
            return Outcome(team, 1 - team, WinReason.SWEEP)
    at_target = [team for team in may_win if scores[team] >= rules.target]
    return _best(at_target, {team: scores[team] for team in at_target})


def _sweep_wins(rules: RuleSet, result: HandResult, team: int) -> bool:
    line = result.lines[team]
    if rules.sweep_wins is SweepWins.NEVER or result.end is not HandEnd.SCORED or line.tricks != TRICKS:
        return False
    return rules.sweep_wins is SweepWins.ALWAYS or line.bid == SLAM


def _outcome_of_players(rules: RuleSet, scores: Scores) -> Outcome | None:
    floor = rules.win_floor is WinFloor.PARTNER_ABOVE_ZERO
    qualified = [
        seat for seat in SEATS if scores[seat] >= rules.target and not (floor and scores[partner(seat)] <= 0)
    ]
    teams = sorted({seat % 2 for seat in qualified})
    if rules.tie_break is TieBreak.TEAM_TOTAL:
        ranks = {team: scores[team] + scores[team + 2] for team in teams}
    else:
        ranks = {team: max(scores[seat] for seat in qualified if seat % 2 == team) for team in teams}
    return _best(teams, ranks)


def _best(teams: list[int], ranks: dict[int, int]) -> Outcome | None:
    """Return the qualified team that ranks highest; equal teams play on (W6)."""
    if not teams or (len(teams) == 2 and ranks[0] == ranks[1]):
        return None
    winner = max(teams, key=ranks.__getitem__)
    return Outcome(winner, 1 - winner, WinReason.TARGET)


def _result(lines: list[ScoreLine], offender: int | None) -> HandResult:
    return HandResult(HandEnd.SCORED if offender is None else HandEnd.FORFEITED, tuple(lines), offender)
