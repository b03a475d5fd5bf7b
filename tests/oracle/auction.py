"""The three auctions, each answer worked out anew from the list of calls (A1 to A16)."""

from typing import Any

from tests.oracle.cards import SEATS, STRAINS, right_of, team_of
from tests.oracle.rule_sets import Rules

Move = tuple[Any, ...]
Calls = list[tuple[int, Move]]


def ladder_value(ladder: list[tuple[int, int]], score: int, below: int) -> int:
    """Return the value of the highest step that a score has reached, or `below` (A13, A14)."""
    value = below
    for from_score, step_value in sorted(ladder):
        if score >= from_score:
            value = step_value
    return value


def standing_bid(calls: Calls) -> tuple[int, int, str | None] | None:
    """Return (seat, tricks, strain) of the highest bid of a competitive auction, or None."""
    for seat, call in reversed(calls):
        if call[0] == "bid":
            return seat, call[1], call[2]
    return None


def is_doubled(rules: Rules, calls: Calls) -> bool:
    """Say whether a double lies on the highest bid (A10)."""
    highest = standing_bid(calls)
    if highest is None:
        return False
    # Whose bid each double was said against, and how many bids there had been by then.
    doubles = []
    bidders: list[int] = []
    for seat, call in calls:
        if call[0] == "bid":
            bidders.append(seat)
        elif call[0] == "double":
            doubles.append((bidders[-1], len(bidders)))
    holder = highest[0]
    for target, bids_by_then in doubles:
        since = bidders[bids_by_then:]
        if target != holder:
            continue
        if rules["raised_double"] == "returns":
            return True
        if rules["raised_double"] == "stays" and all(bidder == holder for bidder in since):
            return True
        if not since:
            return True
    return False


def seats_out(rules: Rules, calls: Calls) -> list[int]:
    """Return the seats that may call no more (A2, A5); a double counts as a pass (A10)."""
    if rules["call_limit"] == "one_each":
        return [seat for seat, _ in calls]
    if rules["passing"] == "final":
        return [seat for seat, call in calls if call[0] in ("pass", "double")]
    return []


def next_caller(rules: Rules, dealer: int, calls: Calls) -> int:
    """Return whose turn it is while the auction is on (A1, A2, A12)."""
    if not calls:
        return right_of(dealer)
    seat = right_of(calls[-1][0])
    if rules["auction"] == "competitive":
        while seat in seats_out(rules, calls):
            seat = right_of(seat)
    return seat


def auction_is_over(rules: Rules, calls: Calls) -> bool:
    """Say whether no more calls are due (A3, A4, A5, A6, A9, A12)."""
    if rules["auction"] == "individual":
        return len(calls) == 4

    bid = standing_bid(calls)
    if bid is None:
        return len(calls) == 4
    holder, tricks, _ = bid
    if tricks == 13 and rules["slam_bid"] == "ends_auction":
        return True
    if rules["call_limit"] == "one_each":
        return len(calls) == 4
    if rules["passing"] == "final":
        others = [seat for seat in SEATS if seat != holder]
        return all(seat in seats_out(rules, calls) for seat in others)
    last_four = [call[0] for _, call in calls[-4:]]
    return len(last_four) == 4 and "bid" not in last_four


def legal_calls(rules: Rules, scores: list[int], calls: Calls, seat: int) -> list[Move]:
    """Return what a seat whose turn it is may call."""
    if rules["auction"] == "individual":
        return _individual_bids(rules, scores[seat])
    moves = _competitive_bids(rules, standing_bid(calls))
    if _may_pass(rules, calls):
        moves.append(("pass",))
    if _may_double(rules, calls, seat):
        moves.append(("double",))
    return moves


def total_is_too_low(rules: Rules, scores: list[int], calls: Calls) -> bool:
    """Say whether the four bids of an individual auction void the hand (A14)."""
    needed = ladder_value(rules["total_minimum"], max(scores), rules["minimum_total"])
    total: int = sum(call[1] for _, call in calls)
    return total < needed


def _individual_bids(rules: Rules, own_score: int) -> list[Move]:
    """Return the bids of a seat for itself alone (A12, A13)."""
    lowest = ladder_value(rules["own_minimum"], own_score, rules["minimum_bid"])
    return [
        ("bid", tricks, None)
        for tricks in range(lowest, rules["maximum_bid"] + 1)
        if tricks not in rules["barred_bids"]
    ]


def _competitive_bids(rules: Rules, standing: tuple[int, int, str | None] | None) -> list[Move]:
    """Return the bids that beat the highest so far (A1, A8)."""
    moves: list[Move] = []
    for tricks in range(rules["minimum_bid"], rules["maximum_bid"] + 1):
        if tricks in rules["barred_bids"]:
            continue
        strains: list[str | None] = [None]
        if rules["trump"] == "in_bid":
            strains = list(STRAINS)
        moves += [
            ("bid", tricks, strain)
            for strain in strains
            if standing is None or _beats(tricks, strain, standing[1], standing[2])
        ]
    return moves


def _beats(tricks: int, strain: str | None, than_tricks: int, than_strain: str | None) -> bool:
    """Say whether a bid is higher than another one (A1, A8)."""
    if tricks != than_tricks:
        return tricks > than_tricks
    if strain is None or than_strain is None:
        return False
    return STRAINS.index(strain) > STRAINS.index(than_strain)


def _may_pass(rules: Rules, calls: Calls) -> bool:
    """Say whether a pass is legal: always, but for the option of A6."""
    if rules["all_pass"] == "last_must_bid":
        return not (standing_bid(calls) is None and len(calls) == 3)
    return True


def _may_double(rules: Rules, calls: Calls, seat: int) -> bool:
    """Say whether a seat may double the highest bid (A10, A11)."""
    bid = standing_bid(calls)
    if rules["doubling"] == "none" or bid is None or is_doubled(rules, calls):
        return False
    if rules["doubling"] == "opponents":
        return team_of(seat) != team_of(bid[0])
    return seat != bid[0]
