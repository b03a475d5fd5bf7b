"""Which options of a rule set do nothing beside the others, and what of a preset then goes.

An option does nothing when its neutral value would change no hand: not a call, not a card, not a point, and not who
wins, whatever the scores are. ``rule_checks`` says what can't be played at all; this is what would be said in vain.
"""

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from tarneeb_service.engine.cards import NO_TRUMP, STRAINS, TRICKS
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.rule_checks import foreign_fields
from tarneeb_service.engine.rules import (
    NEUTRAL,
    SLAM,
    AllPass,
    Auction,
    CallLimit,
    DefendersScore,
    DoubledResult,
    Doubling,
    Ladder,
    OpeningLead,
    Passing,
    RaisedDouble,
    Revoke,
    RuleSet,
    SlamBid,
    SlamDefenceSweep,
    SweepWins,
    Trump,
    WinFloor,
)
from tarneeb_service.engine.scoring import score_contract
from tarneeb_service.engine.state import Contract


class _Bids(NamedTuple):
    """The numbers that can be bid; how many bids can follow one another, and how many of them end no auction."""

    numbers: frozenset[int]
    in_a_row: int
    going_on: int

    @property
    def slam(self) -> bool:
        return SLAM in self.numbers

    @property
    def below_slam(self) -> bool:
        return min(self.numbers) < SLAM


class _Need(NamedTuple):
    """What options need to do anything, and what is said when they lack it: why, and a remedy but leaving them out."""

    options: str
    met: Callable[[RuleSet, _Bids], bool]
    why: str
    remedy: str = ""


_SLAM_OPTIONS = "slam_bid slam_made_points slam_failed_points slam_defence_sweep failed_slam_trick_factor"
_DEFENCE_OPTIONS = "defenders_sweep_points slam_defence_sweep failed_slam_trick_factor"

# The first that is not met is said. An option that is neutral is never asked about.
_NEEDS = (
    _Need(
        "fixed_trump", lambda rules, _: rules.trump is Trump.FIXED, "trump is not fixed", "set trump fixed"
    ),
    _Need(
        "first_card",
        lambda rules, _: rules.fixed_trump != NO_TRUMP,
        "there is no trump to lead",
        "set fixed_trump to a suit",
    ),
    # Calls.
    _Need(
        "passing call_limit doubling raised_double doubled_result",
        lambda _, bids: bids.going_on >= 1,
        "the first bid ends the auction",
        "allow more numbers below 13",
    ),
    _Need(
        "passing raised_double",
        lambda rules, _: rules.call_limit is CallLimit.NONE,
        "each seat has one call",
        "set call_limit none",
    ),
    _Need(
        "call_limit",
        lambda rules, bids: bids.going_on >= 2 or rules.passing is Passing.OPEN,
        "nobody is outbid and called again",
        "allow more numbers",
    ),
    _Need(
        "raised_double doubled_result",
        lambda rules, _: rules.doubling is not Doubling.NONE,
        "there is no double",
        "set doubling anyone or opponents",
    ),
    _Need(
        "raised_double",
        lambda rules, _: rules.raised_double is RaisedDouble.RETURNS or rules.passing is Passing.OPEN,
        "nobody raises his own bid where a pass is final",
        "set passing open",
    ),
    _Need(
        "raised_double",
        lambda rules, bids: bids.in_a_row >= (3 if rules.raised_double is RaisedDouble.RETURNS else 2),
        "no bid can be raised often enough",
        "allow more numbers",
    ),
    _Need(
        "dealer_after_all_pass",
        lambda rules, _: rules.all_pass is AllPass.VOID,
        "four passes can't happen",
        "set all_pass void",
    ),
    # Points of contracts.
    _Need(_SLAM_OPTIONS, lambda _, bids: bids.slam, "13 can't be bid", "set maximum_bid 13"),
    _Need(
        _DEFENCE_OPTIONS,
        lambda rules, _: rules.defenders_score is not DefendersScore.NEVER,
        "defenders never score",
        "set defenders_score when_failed or always",
    ),
    _Need(
        "sweep_points",
        lambda rules, bids: not rules.has_auction or bids.below_slam,
        "nothing but 13 can be bid",
        "allow numbers below 13",
    ),
    _Need(
        "defenders_sweep_points",
        lambda rules, bids: bids.below_slam or rules.slam_defence_sweep is SlamDefenceSweep.POINTS,
        "nothing but 13 can be bid",
        "allow numbers below 13",
    ),
    _Need(
        "slam_defence_sweep",
        lambda rules, _: rules.defenders_sweep_points != TRICKS * rules.failed_slam_trick_factor,
        "all 13 tricks count the same either way",
        "set other defenders_sweep_points",
    ),
    _Need(
        "defenders_score",
        lambda rules, bids: (
            rules.defenders_score is DefendersScore.NEVER
            or bids.below_slam
            or rules.revoke is Revoke.FORFEITS
        ),
        "a 13 that is made leaves defenders nothing",
        "allow numbers below 13",
    ),
    _Need(
        "doubled_result",
        lambda rules, _: (
            rules.doubled_result is not DoubledResult.BIDDERS
            or rules.defenders_score is not DefendersScore.NEVER
        ),
        "defenders never score",
        "set defenders_score when_failed or always",
    ),
    # The end of the game.
    _Need(
        "sweep_wins",
        lambda rules, bids: rules.sweep_wins is SweepWins.ALWAYS or (rules.has_auction and bids.slam),
        "13 can't be bid",
        "set sweep_wins always",
    ),
    _Need("win_floor", lambda rules, _: rules.has_auction, "no score falls below zero"),
    _Need(
        "win_floor",
        lambda rules, _: not rules.individual or rules.win_floor is WinFloor.PARTNER_ABOVE_ZERO,
        "before_hand is for scores of teams",
        "set partner_above_zero",
    ),
    _Need(
        "win_floor",
        lambda rules, _: rules.individual or rules.win_floor is WinFloor.BEFORE_HAND,
        "partner_above_zero is for scores of players",
    ),
    _Need(
        "win_floor",
        lambda rules, bids: rules.individual or _wins_from_below_zero(rules, bids),
        "no hand lifts a side from below zero to the target",
        "set a lower target",
    ),
    # Totals of individual bids.
    _Need(
        "minimum_total",
        lambda rules, bids: rules.minimum_total > 4 * min(bids.numbers),
        "no four bids total less",
        "set a higher total",
    ),
    _Need(
        "dealer_after_low_total",
        lambda rules, bids: rules.minimum_total > 4 * min(bids.numbers) or _has_low_total(rules, bids),
        "no total is too low",
        "set a higher minimum_total",
    ),
)


class Idle(NamedTuple):
    """Something that does nothing: its path from the rule set, why, and what its field is without it."""

    path: str
    message: str
    name: str
    without: Any

    def problem(self) -> Problem:
        """Return it as the problem of who said it."""
        # A list, or no strain, is no number that would do.
        remedy = int(self.without) if isinstance(self.without, int) else None
        return Problem(self.path, ProblemReason.CONTRADICTION, f"does nothing: {self.message}", remedy=remedy)


def settled(rules: RuleSet, sent: AbstractSet[str]) -> RuleSet:
    """Return the rules with all that does nothing taken out of the fields that are not among those ``sent``.

    Trump and the first lead always do something. Where they need a declarer and there is none, they are what the
    documents' games without one have: 41's sister suit, 003's turned card, the dealer's right.
    """
    changes: dict[str, Any] = {name: getattr(NEUTRAL, name) for name in foreign_fields(rules)}
    if rules.auction is not Auction.COMPETITIVE:
        if rules.trump in (Trump.NAMED, Trump.IN_BID):
            changes["trump"] = Trump.SISTER if rules.individual else Trump.TURNED
        if rules.declarer_leads:
            changes["opening_lead"] = OpeningLead.DEALERS_RIGHT
    rules = replace(rules, **{name: value for name, value in changes.items() if name not in sent})
    # One after the other: of two that do nothing beside each other one may do something alone.
    while idle := next((option for option in idle_options(rules) if option.name not in sent), None):
        rules = replace(rules, **{idle.name: idle.without})
    return rules


def idle_options(rules: RuleSet) -> Iterator[Idle]:
    """Yield what does nothing, beside all the rest of the rules; values may be out of range."""
    bids = _bids(rules)
    if not bids.numbers:
        return
    found = set()
    for need in _NEEDS:
        for name in need.options.split():
            neutral = getattr(NEUTRAL, name)
            if name in found or getattr(rules, name) == neutral or need.met(rules, bids):
                continue
            found.add(name)
            remedy = f", or {need.remedy}" if need.remedy else ""
            yield Idle(name, f"{need.why}; leave it out{remedy}", name, neutral)
    if rules.has_auction:
        yield from _idle_bars(rules)
    if rules.individual:
        yield from _idle_steps(rules, "own_minimum", rules.minimum_bid, lambda _: bids.numbers)
        yield from _idle_steps(
            rules,
            "total_minimum",
            rules.minimum_total,
            lambda score: _totals(bids.numbers, rules.own_minimum_at(score)),
        )
        yield from _idle_values(rules, bids)


def _bids(rules: RuleSet) -> _Bids:
    numbers = frozenset(
        number
        for number in range(1, SLAM + 1)
        if rules.minimum_bid <= number <= rules.maximum_bid and number not in rules.barred_bids
    )
    strains = len(STRAINS) if rules.bids_strain else 1
    # One that ends the auction is the last, in whatever strain.
    ending = SLAM in numbers and rules.slam_bid is SlamBid.ENDS_AUCTION
    going_on = strains * (len(numbers) - ending)
    return _Bids(numbers, going_on + ending, going_on)


def _wins_from_below_zero(rules: RuleSet, bids: _Bids) -> bool:
    if rules.sweep_wins is SweepWins.ALWAYS or (rules.sweep_wins is SweepWins.WHEN_BID and bids.slam):
        return True
    doubles = (False,) if rules.doubling is Doubling.NONE else (False, True)
    offenders = (None, 0, 1) if rules.revoke is Revoke.FORFEITS else (None,)
    return any(
        line.points > rules.target
        for number in bids.numbers
        for doubled in doubles
        for offender in offenders
        # Fewer are worth no more to anybody.
        for taken in (0, 1, TRICKS - 1, TRICKS)
        for line in score_contract(
            rules, Contract(0, number, None, doubled), (taken, TRICKS - taken), offender
        ).lines
    )


def _idle_bars(rules: RuleSet) -> Iterator[Idle]:
    kept = tuple(number for number in rules.barred_bids if rules.minimum_bid <= number <= rules.maximum_bid)
    for number in rules.barred_bids:
        if number not in kept:
            yield Idle("barred_bids", f"{number} is no bid; leave it out", "barred_bids", kept)


def _idle_steps(
    rules: RuleSet, name: str, base: int, values: Callable[[int], AbstractSet[int]]
) -> Iterator[Idle]:
    """Yield the steps that let through what was let through before: no value, at any score, lies between the two."""
    ladder: Ladder = getattr(rules, name)
    before = base
    for index, (least, scores) in enumerate(_steps(rules, ladder)):
        low, high = sorted((before, least))
        if not any(low <= value < high for score in scores for value in values(score)):
            yield Idle(
                f"{name}.steps[{index}]",
                "what is too low is too low without it; leave it out, or set another value",
                name,
                (*ladder[:index], *ladder[index + 1 :]),
            )
        before = least


def _idle_values(rules: RuleSet, bids: _Bids) -> Iterator[Idle]:
    for index, (bid, points, from_score) in enumerate(rules.bid_values):
        message = ""
        if bid not in bids.numbers:
            message = f"{bid} is no bid; leave it out"
        elif points == (bid if from_score is None else rules.bid_value(bid, from_score - 1)[0]):
            message = f"{bid} is worth {points} without it; leave it out, or set other points"
        elif from_score is not None:
            later = [
                at for other, _, at in rules.bid_values if other == bid and at is not None and at > from_score
            ]
            scores = _scores(rules, from_score, min(later, default=None))
            if all(rules.own_minimum_at(score) > bid for score in scores):
                message = f"nobody with such a score may bid {bid}; leave it out, or set another from_score"
        if message:
            rest = (*rules.bid_values[:index], *rules.bid_values[index + 1 :])
            yield Idle(f"bid_values.values[{index}]", message, "bid_values", rest)


def _scores(rules: RuleSet, first: int, end: int | None) -> list[int]:
    """Return the scores from the first on, and below the end, at which the own minimum may be another."""
    return [first, *(at for at, _ in rules.own_minimum if at > first and (end is None or at < end))]


@lru_cache(maxsize=256)
def _totals(numbers: frozenset[int], least: int) -> frozenset[int]:
    """Return what four bids can total when the best score asks for this, and the others are as low as you like."""
    totals = {number for number in numbers if number >= least}
    for _ in range(3):
        totals = {total + number for total in totals for number in numbers}
    return frozenset(totals)


def _has_low_total(rules: RuleSet, bids: _Bids) -> bool:
    """Whether four bids can total less than a step of ``total_minimum`` asks for."""
    return any(
        total < least
        for least, scores in _steps(rules, rules.total_minimum)
        for score in scores
        for total in _totals(bids.numbers, rules.own_minimum_at(score))
    )


def _steps(rules: RuleSet, ladder: Ladder) -> Iterator[tuple[int, list[int]]]:
    """Yield the value of each step with scores at which it holds, one for each own minimum that goes with it."""
    for index, (from_score, value) in enumerate(ladder):
        yield value, _scores(rules, from_score, ladder[index + 1][0] if index + 1 < len(ladder) else None)
