"""What a hand is worth and by which rules, and whether it ends the game (S1 to S12, W1 to W6, R2)."""

from typing import NamedTuple

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
        own = _declarers_worth(rules, contract.tricks, taken)
        other = _NOTHING if made else _defenders_worth(rules, contract.tricks, against)
    else:
        # R2: no sweep or slam values.
        made = offender % 2 != declarers
        own = _Worth(max(contract.tricks, taken) if made else -contract.tricks, ("R2",))
        other = _Worth(0 if made else against, ("R2",))
    if made and rules.defenders_score is DefendersScore.ALWAYS:
        other = _Worth(against, ("S8",))
    elif not made and rules.defenders_score is DefendersScore.NEVER:
        other = _Worth(0, ("S8",))
    if contract.doubled:
        result = rules.doubled_result
        kept_by = "A10" if result is DoubledResult.WHEN_MADE and not made else None
        own = _doubled(own, kept_by)
        other = _doubled(other, "S8" if result is DoubledResult.BIDDERS else kept_by)
    lines = [
        ScoreLine(declarers, contract.tricks, taken, own.points, made, own.rule_ids),
        ScoreLine(1 - declarers, None, against, other.points, None, other.rule_ids),
    ]
    return _result(lines[::-1] if declarers else lines, offender)


class _Worth(NamedTuple):
    """Points, and the rules that gave them."""

    points: int
    rule_ids: tuple[str, ...]


_NOTHING = _Worth(0, ("S1",))


def _declarers_worth(rules: RuleSet, bid: int, taken: int) -> _Worth:
    """Return what a hand played out is worth to the declarers, before any doubling (S1 to S5)."""
    if taken < bid:
        return _Worth(-bid, ("S2",)) if bid < SLAM else _Worth(-rules.slam_failed_points, ("S5",))
    if bid == SLAM:
        return _Worth(rules.slam_made_points, ("S4",))
    return _Worth(taken, ("S1",)) if taken < TRICKS else _Worth(rules.sweep_points, ("S3",))


def _defenders_worth(rules: RuleSet, bid: int, against: int) -> _Worth:
    """Return what a failed bid is worth to the defenders, before any doubling (S2, S3, S5, S6, S8)."""
    if against == TRICKS and (bid < SLAM or rules.slam_defence_sweep is SlamDefenceSweep.POINTS):
        return _Worth(rules.defenders_sweep_points, ("S3", "S6"))
    if bid < SLAM:
        return _Worth(against, ("S2",))
    base = ("S6",) if against == TRICKS else ("S5",)
    if rules.failed_slam_trick_factor == 1:
        return _Worth(against, base)
    return _Worth(against * rules.failed_slam_trick_factor, (*base, "S8"))


def _doubled(worth: _Worth, kept_by: str | None) -> _Worth:
    """Return points twice, or once where a rule keeps the double from them (S7, S8, A10); nothing stays nothing."""
    if not worth.points:
        return worth
    if kept_by is not None:
        return _Worth(worth.points, (*worth.rule_ids, kept_by))
    return _Worth(2 * worth.points, (*worth.rule_ids, "S7"))


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
        rule_ids = ("S9",) if offender is None else ("R2",)
        lines.append(ScoreLine(team, None, tricks[team], points, None, rule_ids))
    return _result(lines, offender)


def score_individual(
    rules: RuleSet, bids: Scores, tricks: Scores, scores_before: Scores, offender: int | None = None
) -> HandResult:
    """Score four bids of four players (S10 to S12); after a revoke a team's bids fail and the others' are made (R2)."""
    lines = []
    for seat in SEATS:
        made = tricks[seat] >= bids[seat] if offender is None else seat % 2 != offender % 2
        value, by_score = rules.bid_value(bids[seat], scores_before[seat])
        rule_ids = ("S10" if offender is None else "R2", "S12" if by_score else "S11")
        lines.append(ScoreLine(seat, bids[seat], tricks[seat], value if made else -value, made, rule_ids))
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
    winner = _best({team: scores[team] for team in at_target})
    return None if winner is None else Outcome(winner, 1 - winner, WinReason.TARGET)


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
    winner = _best(ranks)
    if winner is None:
        return None
    seats = tuple(seat for seat in qualified if seat % 2 == winner)
    return Outcome(winner, 1 - winner, WinReason.TARGET, seats)


def _best(ranks: dict[int, int]) -> int | None:
    """Return which of the qualified teams ranks highest; none, or equal ones, play on (W6)."""
    if not ranks or (len(ranks) == 2 and ranks[0] == ranks[1]):
        return None
    return max(ranks, key=ranks.__getitem__)


def _result(lines: list[ScoreLine], offender: int | None) -> HandResult:
    return HandResult(HandEnd.SCORED if offender is None else HandEnd.FORFEITED, tuple(lines), offender)
