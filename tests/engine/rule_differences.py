"""Whether two rule sets make different hands: different calls, first cards, points or winners."""

import random
from collections.abc import Iterator

from tarneeb_service.engine import auction, game, scoring
from tarneeb_service.engine.cards import TRICKS
from tarneeb_service.engine.moves import Bid, Call, Double, Pass
from tarneeb_service.engine.rules import SLAM, Doubling, Revoke, RuleSet, SlamBid
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import (
    AwaitingDeal,
    Bidding,
    Contract,
    HandResult,
    Header,
    InAuction,
    InPlay,
    NamingTrump,
    Scores,
    State,
)
from tests.random_games import random_deal


def differ(one: RuleSet, other: RuleSet, chance: random.Random, tries: int = 400) -> bool:
    """Whether a hand can differ.

    Points and individual bids are gone through completely, auctions and the ends of games at random.
    """
    if one.individual:
        return individual_bids_differ(one, other) or any(
            ends_of_players_differ(one, other, chance) or starts_differ(one, other, chance)
            for _ in range(tries // 4)
        )
    return points_differ(one, other) or any(starts_differ(one, other, chance) for _ in range(tries))


def numbers_of(rules: RuleSet) -> list[int]:
    return [
        number
        for number in range(rules.minimum_bid, rules.maximum_bid + 1)
        if number not in rules.barred_bids
    ]


def points_differ(one: RuleSet, other: RuleSet) -> bool:
    """Whether some hand of two teams brings other points, or wins where it did not."""
    pairs = zip(results(one), results(other), strict=True)
    winning = (one.win_floor, one.sweep_wins) != (other.win_floor, other.sweep_wins)
    befores: list[Scores] = []
    if winning:
        # Scores below zero come from contracts that failed.
        marks = (-1, 0, one.target - 1) if one.has_auction else (0, one.target - 1)
        befores = [(north, west) for north in marks for west in marks]
    return any(
        first != second
        or any(
            scoring.outcome_of(one, before, first) != scoring.outcome_of(other, before, second)
            for before in befores
        )
        for first, second in pairs
    )


def results(rules: RuleSet) -> Iterator[HandResult]:
    numbers = numbers_of(rules)
    first_bid_ends = numbers == [SLAM] and rules.slam_bid is SlamBid.ENDS_AUCTION
    doubles = (False, rules.doubling is not Doubling.NONE and not first_bid_ends)
    offenders = (None, 0, 1) if rules.revoke is Revoke.FORFEITS else (None,)
    for taken in range(TRICKS + 1):
        tricks = (taken, TRICKS - taken)
        for offender in offenders:
            if not rules.has_auction:
                yield scoring.score_majority(rules, tricks, offender)
                continue
            for number in numbers:
                for doubled in doubles:
                    contract = Contract(0, number, None, doubled)
                    yield scoring.score_contract(rules, contract, tricks, offender)


def individual_bids_differ(one: RuleSet, other: RuleSet) -> bool:
    """Whether at some score other bids are open, or worth something else, or total too little."""
    marks = {0}
    for rules in (one, other):
        marks |= {mark for mark, _ in (*rules.own_minimum, *rules.total_minimum)}
        marks |= {mark for _, _, mark in rules.bid_values if mark is not None}
    lowest = min(marks) - 1
    return any(
        bidding_at(one, score, lowest) != bidding_at(other, score, lowest) for score in (lowest, *marks)
    )


def bidding_at(rules: RuleSet, score: int, lowest: int) -> object:
    """What a player may bid at a score and what it is worth; and who deals after which totals, when it is the best."""
    own, others = (
        [call.tricks for call in auction.legal_calls(rules, (at,) * 4, Bidding(0)) if isinstance(call, Bid)]
        for at in (score, lowest)
    )
    totals = set(own)
    for _ in range(3):
        totals = {total + number for total in totals for number in others}
    low = {
        total: rules.dealer_after_low_total
        for total in totals
        if auction.total_is_low(rules, (score,) * 4, [total])
    }
    return [(bid, rules.bid_value(bid, score)) for bid in own], low


def ends_of_players_differ(one: RuleSet, other: RuleSet, chance: random.Random) -> bool:
    """Whether a random hand of four bids ends one game and not the other, or otherwise."""
    near = (0, one.target - 1, one.target - 5)
    before = tuple(chance.choice((*near, chance.randint(-20, one.target - 1))) for _ in SEATS)
    bids = tuple(chance.choice([n for n in numbers_of(one) if n >= one.own_minimum_at(at)]) for at in before)
    left, tricks = TRICKS, [0, 0, 0, 0]
    for seat in chance.sample(SEATS, 4):
        # Some make what they bid, so that it happens at high bids too.
        tricks[seat] = min(left, bids[seat]) if chance.random() < 0.7 else chance.randint(0, min(left, 3))
        left -= tricks[seat]
    tricks[chance.choice(SEATS)] += left
    results = [scoring.score_individual(rules, bids, tuple(tricks), before) for rules in (one, other)]
    return scoring.outcome_of(one, before, results[0]) != scoring.outcome_of(other, before, results[1])


def starts_differ(one: RuleSet, other: RuleSet, chance: random.Random) -> bool:
    """Whether a hand with random calls goes another way before its first card."""
    scores = tuple(chance.randint(-20, 40) for _ in range(one.sides))
    first = AwaitingDeal(Header("g", "", one), 0, scores, chance.choice(SEATS), None)
    dealt, turned = random_deal(first, chance)
    states: list[State] = [
        game.deal(first._replace(header=Header("g", "", rules)), dealt, turned)[0] for rules in (one, other)
    ]
    while facts(states[0]) == facts(states[1]):
        if not isinstance(states[0], InAuction | NamingTrump):
            return False
        legal = game.legal_moves(states[0])
        calls = [move for move in legal if isinstance(move, Bid | Pass | Double)]
        move = random_call(calls, chance) if calls else chance.choice(legal)
        states = [game.apply(state, move)[1] for state in states]
    return True


def random_call(legal: list[Call], chance: random.Random) -> Call:
    """Mostly low bids, so that others follow; doubles as often as passes."""
    bids = [call for call in legal if isinstance(call, Bid)]
    others = [call for call in legal if not isinstance(call, Bid)]
    if others and (not bids or chance.random() < 0.5):
        return chance.choice(others)
    return bids[0] if chance.random() < 0.7 else chance.choice(bids)


def facts(state: State) -> object:
    """What a table sees of a state, without the rules."""
    moves = game.legal_moves(state)
    match state:
        case InAuction(bidding=bidding):
            return moves, bidding.turn, bidding.high, bidding.doubled
        case NamingTrump(contract=contract):
            return moves, contract
        case InPlay(play=play):
            return moves, play
        case AwaitingDeal(next_dealer=dealer, last=ended):
            return dealer, ended
    return state
