"""Whether a rule set can be played: values in range, and no option that contradicts another."""

from itertools import pairwise

from tarneeb_service.engine.cards import STRAINS
from tarneeb_service.engine.problems import Problem, ProblemReason, out_of_range, wrong_count
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

    def contradiction(name: str, message: str, remedy: int | None = None) -> None:
        problems.append(Problem(name, ProblemReason.CONTRADICTION, message, remedy=remedy))

    auction = rules.auction
    for name in foreign_fields(rules):
        kind = auction.name.lower()
        message = f"has no meaning with auction {kind}; leave it out or set its neutral value"
        contradiction(name, message, _neutral(name))
    if rules.maximum_bid < rules.minimum_bid:
        # A lowest bid out of range is named already, and no bound.
        bounds = (rules.minimum_bid, SLAM) if rules.minimum_bid <= SLAM else ()
        problems.append(Problem("maximum_bid", ProblemReason.CONTRADICTION, "is below minimum_bid", *bounds))
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
        remedy = 0 if fixed else None
        contradiction("fixed_trump", "goes with trump fixed, and only with it", remedy)
    if auction is not Auction.COMPETITIVE and rules.opening_lead is OpeningLead.DECLARER:
        contradiction("opening_lead", "needs a competitive auction: there is no declarer")
    if rules.first_card is FirstCard.TRUMP and rules.opening_lead is not OpeningLead.DECLARER:
        message = "binds the declarer, so he must have the opening lead"
        contradiction("first_card", message, _neutral("first_card"))
    if rules.individual:
        problems.extend(_unreachable_ladders(rules))
    return problems


def _neutral(name: str) -> int | None:
    """Return the number of a field's neutral value; a list has none."""
    neutral = getattr(NEUTRAL, name)
    return int(neutral) if isinstance(neutral, int) else None


def _values_out_of_range(rules: RuleSet) -> list[Problem]:
    problems: list[Problem] = []

    def bounded(path: str, value: int, lowest: int, highest: int) -> None:
        if not lowest <= value <= highest:
            problems.append(out_of_range(path, lowest, highest))

    for name, (lowest, highest) in _RANGES.items():
        bounded(name, getattr(rules, name), lowest, highest)
    if rules.fixed_trump is not None and rules.fixed_trump not in STRAINS:
        message = f"{rules.fixed_trump} is no strain"
        problems.append(Problem("fixed_trump", ProblemReason.UNKNOWN_VALUE, message))
    for name in ("barred_bids", "own_minimum", "total_minimum", "bid_values"):
        if len(getattr(rules, name)) > MOST_ENTRIES:
            problems.append(wrong_count(name, 0, MOST_ENTRIES, f"at most {MOST_ENTRIES} entries"))
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
    if not 1 <= rules.minimum_bid <= highest <= SLAM:
        # Named already, and no ground to judge a step by.
        return []
    contradiction = ProblemReason.CONTRADICTION
    total, most = "four bids can't total that", 4 * highest
    problems = [
        Problem(
            f"own_minimum.steps[{index}].value",
            contradiction,
            "must be within the bids",
            rules.minimum_bid,
            highest,
        )
        for index, (_, value) in enumerate(rules.own_minimum)
        if not rules.minimum_bid <= value <= highest
    ]
    problems += [
        Problem(f"total_minimum.steps[{index}].value", contradiction, total, 0, most)
        for index, (_, value) in enumerate(rules.total_minimum)
        if value > most
    ]
    if rules.minimum_total > most:
        problems.append(Problem("minimum_total", contradiction, total, 0, most))
    return problems
