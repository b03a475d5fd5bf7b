"""Hypothesis strategies: rule sets that houses could play by."""

from typing import Any

from hypothesis import strategies as st

from tarneeb_service.engine.idle import settled
from tarneeb_service.engine.presets import PRESET_IDS, presets, resolve
from tarneeb_service.engine.rules import (
    FIELD_NAMES,
    AllPass,
    Auction,
    CallLimit,
    Cut,
    DealOrder,
    DefendersScore,
    DoubledResult,
    Doubling,
    FirstCard,
    NextDealer,
    OpeningLead,
    Passing,
    PastTricks,
    RaisedDouble,
    Reveal,
    Revoke,
    RuleSet,
    SlamBid,
    SlamDefenceSweep,
    SweepWins,
    TieBreak,
    Trump,
    WinFloor,
)

POINTS = st.integers(0, 60)
SCORES = st.integers(-60, 120)


def preset_rules() -> st.SearchStrategy[RuleSet]:
    return st.sampled_from([presets()[name].rules for name in PRESET_IDS])


def sound_overrides() -> st.SearchStrategy[dict[str, Any]]:
    """Every field of a rule set that makes sense; what would do nothing beside the rest is neutral."""
    return (
        houses()
        .map(lambda rules: settled(rules, frozenset()))
        .map(lambda rules: {name: getattr(rules, name) for name in FIELD_NAMES})
    )


@st.composite
def houses(draw: st.DrawFn) -> RuleSet:
    """A rule set without contradictions, by construction and not by asking; some of its options may do nothing."""
    auction = draw(st.sampled_from(Auction))
    fields = {
        "auction": auction,
        "deal_order": draw(st.sampled_from(DealOrder)),
        "cut": draw(st.sampled_from(Cut)),
        "dealer_after_scored": draw(st.sampled_from(NextDealer)),
        "target": draw(st.integers(1, 70)),
        "revoke": draw(st.sampled_from(Revoke)),
        "past_tricks": draw(st.sampled_from(PastTricks)),
        "reveal": draw(st.sampled_from(Reveal)),
        "minimum_bid": 7,
        "maximum_bid": 13,
        "barred_bids": (),
    }
    if auction is not Auction.NONE:
        lowest = draw(st.integers(1, 13))
        highest = draw(st.integers(lowest, 13))
        barred = draw(st.sets(st.integers(1, 13), max_size=4)) - {highest}
        fields |= {"minimum_bid": lowest, "maximum_bid": highest, "barred_bids": tuple(sorted(barred))}
    parts = {
        Auction.COMPETITIVE: _competitive,
        Auction.INDIVIDUAL: _individual,
        Auction.NONE: _without_auction,
    }
    return RuleSet(**{**NEUTRAL_PARTS, **fields, **parts[auction](draw, fields)})


def sound_rules() -> st.SearchStrategy[RuleSet]:
    """A house's rules: a preset with overrides."""
    names = st.sampled_from([name for name in PRESET_IDS if not presets()[name].target_locked])
    return st.builds(resolve, names, sound_overrides())


def any_rules() -> st.SearchStrategy[RuleSet]:
    return st.one_of(preset_rules(), sound_rules())


def seeds() -> st.SearchStrategy[int]:
    return st.integers(0, 2**32)


# What each auction leaves alone.
NEUTRAL_PARTS: dict[str, Any] = {
    "passing": Passing.FINAL,
    "call_limit": CallLimit.NONE,
    "slam_bid": SlamBid.ENDS_AUCTION,
    "all_pass": AllPass.VOID,
    "doubling": Doubling.NONE,
    "raised_double": RaisedDouble.STAYS,
    "doubled_result": DoubledResult.ALWAYS,
    "own_minimum": (),
    "minimum_total": 0,
    "total_minimum": (),
    "first_card": FirstCard.ANY,
    "dealer_after_all_pass": NextDealer.RIGHT,
    "dealer_after_low_total": NextDealer.RIGHT,
    "sweep_points": 13,
    "defenders_sweep_points": 13,
    "slam_made_points": 13,
    "slam_failed_points": 13,
    "slam_defence_sweep": SlamDefenceSweep.TRICKS,
    "failed_slam_trick_factor": 1,
    "defenders_score": DefendersScore.WHEN_FAILED,
    "bid_values": (),
    "sweep_wins": SweepWins.NEVER,
    "win_floor": WinFloor.NONE,
    "tie_break": TieBreak.TEAM_TOTAL,
}


def _competitive(draw: st.DrawFn, fields: dict[str, Any]) -> dict[str, Any]:
    passing = draw(st.sampled_from(Passing))
    limit = draw(st.sampled_from(CallLimit))
    doubling = draw(st.sampled_from(Doubling))
    lead = draw(st.sampled_from(OpeningLead))
    doubled = doubling is not Doubling.NONE
    return {
        **_trump(draw, tuple(Trump)),
        "passing": passing,
        "call_limit": limit,
        "slam_bid": draw(st.sampled_from(SlamBid)),
        "all_pass": draw(st.sampled_from(AllPass)),
        "doubling": doubling,
        "raised_double": draw(st.sampled_from(RaisedDouble)) if doubled else RaisedDouble.STAYS,
        "doubled_result": draw(st.sampled_from(DoubledResult)) if doubled else DoubledResult.ALWAYS,
        "opening_lead": lead,
        "first_card": draw(st.sampled_from(FirstCard)) if lead is OpeningLead.DECLARER else FirstCard.ANY,
        "dealer_after_all_pass": draw(st.sampled_from(NextDealer)),
        "sweep_points": draw(POINTS),
        "defenders_sweep_points": draw(POINTS),
        "slam_made_points": draw(POINTS),
        "slam_failed_points": draw(POINTS),
        "slam_defence_sweep": draw(st.sampled_from(SlamDefenceSweep)),
        "failed_slam_trick_factor": draw(st.integers(1, 2)),
        "defenders_score": draw(st.sampled_from(DefendersScore)),
        "sweep_wins": draw(st.sampled_from(SweepWins)),
        "win_floor": draw(st.sampled_from((WinFloor.NONE, WinFloor.BEFORE_HAND))),
    }


def _individual(draw: st.DrawFn, fields: dict[str, Any]) -> dict[str, Any]:
    lowest, highest = fields["minimum_bid"], fields["maximum_bid"]
    values = st.tuples(st.integers(1, 13), POINTS, st.one_of(st.none(), SCORES))
    return {
        **_trump(draw, (Trump.SISTER, Trump.TURNED, Trump.FIXED)),
        "opening_lead": draw(st.sampled_from((OpeningLead.DEALERS_RIGHT, OpeningLead.DEALER))),
        "own_minimum": _ladder(draw, lowest, highest),
        "minimum_total": draw(st.integers(0, 2 * lowest + 2 * highest)),
        "total_minimum": _ladder(draw, 0, 2 * lowest + 2 * highest),
        "dealer_after_low_total": draw(st.sampled_from(NextDealer)),
        "bid_values": tuple(draw(st.lists(values, max_size=6, unique_by=lambda entry: (entry[0], entry[2])))),
        "win_floor": draw(st.sampled_from((WinFloor.NONE, WinFloor.PARTNER_ABOVE_ZERO))),
        "tie_break": draw(st.sampled_from(TieBreak)),
    }


def _without_auction(draw: st.DrawFn, fields: dict[str, Any]) -> dict[str, Any]:
    return {
        **_trump(draw, (Trump.SISTER, Trump.TURNED, Trump.FIXED)),
        "opening_lead": draw(st.sampled_from((OpeningLead.DEALERS_RIGHT, OpeningLead.DEALER))),
        "sweep_points": draw(POINTS),
        "sweep_wins": draw(st.sampled_from((SweepWins.NEVER, SweepWins.ALWAYS))),
        "win_floor": draw(st.sampled_from((WinFloor.NONE, WinFloor.BEFORE_HAND))),
    }


def _trump(draw: st.DrawFn, sources: tuple[Trump, ...]) -> dict[str, Any]:
    trump = draw(st.sampled_from(sources))
    fixed = draw(st.integers(1, 5)) if trump is Trump.FIXED else None
    return {"trump": trump, "fixed_trump": fixed}


def _ladder(draw: st.DrawFn, lowest: int, highest: int) -> tuple[tuple[int, int], ...]:
    scores = sorted(draw(st.sets(SCORES, max_size=3)))
    return tuple((score, draw(st.integers(lowest, highest))) for score in scores)
