"""Whether a rule set can be played: values in range, and no option that contradicts another."""

from itertools import pairwise

from tarneeb_service.engine.cards import STRAINS
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.rules import (
    NEUTRAL,
    SLAM,
    Auction,
    FirstCard,
    Ladder,
    OpeningLead,
    RuleSet,
    Trump,
)

MOST_POINTS = 1_000
MOST_TARGET = 1_000_000
# Of a ladder, a table or a list in a rule set.
MOST_ENTRIES = 64

_COMPETITIVE = (Auction.COMPETITIVE,)
_INDIVIDUAL = (Auction.INDIVIDUAL,)
_TEAMS = (Auction.COMPETITIVE, Auction.NONE)
_BIDDING = (Auction.COMPETITIVE, Auction.INDIVIDUAL)
# The auctions under which a field means anything; under others it must stay neutral.
_MEANT_FOR: dict[str, tuple[Auction, ...]] = {
    "minimum_bid": _BIDDING,
    "maximum_bid": _BIDDING,
    "barred_bids": _BIDDING,
    "passing": _COMPETITIVE,
    "call_limit": _COMPETITIVE,
    "slam_bid": _COMPETITIVE,
    "all_pass": _COMPETITIVE,
    "doubling": _COMPETITIVE,
    "raised_double": _COMPETITIVE,
    "dealer_after_all_pass": _COMPETITIVE,
    "own_minimum": _INDIVIDUAL,
    "minimum_total": _INDIVIDUAL,
    "total_minimum": _INDIVIDUAL,
    "dealer_after_low_total": _INDIVIDUAL,
    "bid_values": _INDIVIDUAL,
    "tie_break": _INDIVIDUAL,
    "sweep_points": _TEAMS,
    "sweep_wins": _TEAMS,
    "defenders_sweep_points": _COMPETITIVE,
    "slam_made_points": _COMPETITIVE,
    "slam_failed_points": _COMPETITIVE,
    "slam_defence_sweep": _COMPETITIVE,
    "failed_slam_trick_factor": _COMPETITIVE,
    "defenders_score": _COMPETITIVE,
    "doubled_result": _COMPETITIVE,
    "first_card": _COMPETITIVE,
}
_RANGES: dict[str, tuple[int, int]] = {
    "minimum_bid": (1, SLAM),
    "maximum_bid": (1, SLAM),
    "minimum_total": (0, 4 * SLAM),
    "target": (1, MOST_TARGET),
    "sweep_points": (0, MOST_POINTS),
    "defenders_sweep_points": (0, MOST_POINTS),
    "slam_made_points": (0, MOST_POINTS),
    "slam_failed_points": (0, MOST_POINTS),
    "failed_slam_trick_factor": (1, 2),
}


def foreign_fields(rules: RuleSet) -> list[str]:
    """Return the fields that mean nothing under this kind of auction, and yet are not neutral."""
    return [
        name
        for name, auctions in _MEANT_FOR.items()
        if rules.auction not in auctions and getattr(rules, name) != getattr(NEUTRAL, name)
    ]


def problems_in(rules: RuleSet) -> list[Problem]:
    """Return every value out of range and every contradiction, with the field as path.

    What contradicts nothing but does nothing is for ``idle`` to say, of a new choice: a game that has it plays on.
    """
    problems = _values_out_of_range(rules)

    def contradiction(name: str, message: str) -> None:
        problems.append(Problem(name, ProblemReason.CONTRADICTION, message))

    auction = rules.auction
    for name in foreign_fields(rules):
        kind = auction.name.lower()
        contradiction(name, f"has no meaning with auction {kind}; leave it out or set its neutral value")
    if rules.maximum_bid < rules.minimum_bid:
        contradiction("maximum_bid", "is below minimum_bid")
    # Bids out of range are named already; counting through them could take all the memory there is.
    elif rules.maximum_bid - rules.minimum_bid < SLAM and (
        set(range(rules.minimum_bid, rules.maximum_bid + 1)) <= set(rules.barred_bids)
    ):
        contradiction("barred_bids", "leaves no bid at all")
    elif rules.maximum_bid in rules.barred_bids:
        contradiction("barred_bids", "bars the highest bid; lower maximum_bid instead")
    if auction is not Auction.COMPETITIVE and rules.trump in (Trump.NAMED, Trump.IN_BID):
        contradiction("trump", "needs a competitive auction: nobody wins this one")
    fixed = rules.fixed_trump in STRAINS
    if (rules.trump is Trump.FIXED) != fixed and (fixed or rules.fixed_trump is None):
        contradiction("fixed_trump", "goes with trump fixed, and only with it")
    if auction is not Auction.COMPETITIVE and rules.opening_lead is OpeningLead.DECLARER:
        contradiction("opening_lead", "needs a competitive auction: there is no declarer")
    if rules.first_card is FirstCard.TRUMP and rules.opening_lead is not OpeningLead.DECLARER:
        contradiction("first_card", "binds the declarer, so he must have the opening lead")
    if rules.individual:
        problems.extend(_unreachable_ladders(rules))
    return problems


def _values_out_of_range(rules: RuleSet) -> list[Problem]:
    problems: list[Problem] = []

    def bounded(path: str, value: int, lowest: int, highest: int) -> None:
        if not lowest <= value <= highest:
            problems.append(Problem(path, ProblemReason.OUT_OF_RANGE, f"must be {lowest} to {highest}"))

    for name, (lowest, highest) in _RANGES.items():
        bounded(name, getattr(rules, name), lowest, highest)
    if rules.fixed_trump is not None and rules.fixed_trump not in STRAINS:
        message = f"{rules.fixed_trump} is no strain"
        problems.append(Problem("fixed_trump", ProblemReason.UNKNOWN_VALUE, message))
    for name in ("barred_bids", "own_minimum", "total_minimum", "bid_values"):
        if len(getattr(rules, name)) > MOST_ENTRIES:
            problems.append(Problem(name, ProblemReason.WRONG_COUNT, f"at most {MOST_ENTRIES} entries"))
            return problems
    for index, number in enumerate(rules.barred_bids):
        bounded(f"barred_bids.numbers[{index}]", number, 1, SLAM)
    if len(set(rules.barred_bids)) != len(rules.barred_bids):
        problems.append(Problem("barred_bids", ProblemReason.DUPLICATE, "each number once"))
    for name, highest in (("own_minimum", SLAM), ("total_minimum", 4 * SLAM)):
        ladder: Ladder = getattr(rules, name)
        for index, (from_score, value) in enumerate(ladder):
            bounded(f"{name}.steps[{index}].value", value, 0, highest)
            bounded(f"{name}.steps[{index}].from_score", from_score, -MOST_TARGET, MOST_TARGET)
        if any(low[0] >= high[0] for low, high in pairwise(ladder)):
            problems.append(
                Problem(f"{name}.steps", ProblemReason.CONTRADICTION, "scores must rise from step to step")
            )
    seen = set()
    for index, (bid, points, least) in enumerate(rules.bid_values):
        bounded(f"bid_values.values[{index}].bid", bid, 1, SLAM)
        bounded(f"bid_values.values[{index}].points", points, 0, MOST_POINTS)
        if least is not None:
            bounded(f"bid_values.values[{index}].from_score", least, -MOST_TARGET, MOST_TARGET)
        if (bid, least) in seen:
            problems.append(
                Problem(
                    f"bid_values.values[{index}]", ProblemReason.DUPLICATE, "the same bid and score twice"
                )
            )
        seen.add((bid, least))
    return problems


def _unreachable_ladders(rules: RuleSet) -> list[Problem]:
    """Refuse steps that no bid could satisfy: a player would have no legal call, or no hand would count."""
    highest = rules.maximum_bid
    problems = [
        Problem(f"own_minimum.steps[{index}].value", ProblemReason.CONTRADICTION, "must be within the bids")
        for index, (_, value) in enumerate(rules.own_minimum)
        if not rules.minimum_bid <= value <= highest
    ]
    problems += [
        Problem(
            f"total_minimum.steps[{index}].value", ProblemReason.CONTRADICTION, "four bids can't total that"
        )
        for index, (_, value) in enumerate(rules.total_minimum)
        if value > 4 * highest
    ]
    if rules.minimum_total > 4 * highest:
        problems.append(Problem("minimum_total", ProblemReason.CONTRADICTION, "four bids can't total that"))
    return problems
