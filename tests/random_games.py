"""Random games: one driver for properties, agreement with the oracle, round trips and the wire.

``steps`` plays whole games with players who bid what their cards are worth and try to make it, so that games
of every rule set come to an end; now and then they do something random instead.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import DECK, STRAINS, SUIT_MASK, SUITS, cards_of
from tarneeb_service.engine.deals import deal_deck
from tarneeb_service.engine.events import Event
from tarneeb_service.engine.moves import Bid, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.rules import Revoke, RuleSet
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import AwaitingDeal, GameOver, Header, InAuction, InPlay, NamingTrump, State
from tarneeb_service.engine.verdicts import Verdict

Masks = tuple[int, int, int, int]


@dataclass(frozen=True)
class Step:
    """One step of a game: a deal, or a move with its verdict, and where it led."""

    before: State
    dealt: Masks | None
    turned: int | None
    move: Move | None
    verdict: Verdict | None
    after: State
    events: list[Event]


def steps(
    rules: RuleSet, chance: random.Random, *, hands: int = 200, wildness: float = 0.05, name: str = "g"
) -> Iterator[Step]:
    """Play a game to its end, or for a number of hands."""
    state: State = game.create(Header(name, "", rules), chance.randrange(4))
    while not isinstance(state, GameOver):
        if isinstance(state, AwaitingDeal):
            if state.last is not None and state.last.deal.number == hands:
                return
            dealt, turned = random_deal(state, chance)
            following, events = game.deal(state, dealt, turned)
            yield Step(state, dealt, turned, None, None, following, events)
            state = following
        else:
            move = pick(state, chance, wildness)
            verdict, after, events = game.apply(state, move)
            assert verdict.accepted, (move, verdict)
            yield Step(state, None, None, move, verdict, after, events)
            state = after


def states(
    rules: RuleSet, chance: random.Random, *, hands: int = 200, wildness: float = 0.05
) -> Iterator[State]:
    """The states of a game that is played as by ``steps``."""
    state: State | None = None
    for step in steps(rules, chance, hands=hands, wildness=wildness):
        if state is None:
            yield step.before
        state = step.after
        yield state


def random_deal(state: AwaitingDeal, chance: random.Random) -> tuple[Masks, int | None]:
    deck = list(DECK)
    chance.shuffle(deck)
    rules = state.header.rules
    dealt, last = deal_deck(deck, state.next_dealer, rules.deal_order)
    return dealt, last if rules.turns_card else None


def pick(state: InAuction | NamingTrump | InPlay, chance: random.Random, wildness: float = 0.05) -> Move:
    """A move that the rules accept: mostly sensible, sometimes any; under forfeits a revoke once in a while."""
    legal = game.legal_moves(state)
    if isinstance(state, InPlay) and state.header.rules.revoke is Revoke.FORFEITS and chance.random() < 0.01:
        holding = cards_of(state.play.holdings[state.play.turn])
        if state.play.trick:
            return PlayCard(state.play.turn, chance.choice(holding))
    if chance.random() < wildness:
        return chance.choice(legal)
    match state:
        case InAuction():
            return _call(state, legal, chance)
        case NamingTrump():
            dealt = state.deal.dealt[state.contract.declarer]
            return NameTrump(state.contract.declarer, max(SUITS, key=lambda suit: _length(dealt, suit)))
    return _card(state, legal)


def _call(state: InAuction, legal: list[Move], chance: random.Random) -> Move:
    rules, seat = state.header.rules, state.bidding.turn
    holding = state.deal.dealt[seat]
    bids = [move for move in legal if isinstance(move, Bid)]
    if rules.individual:
        trump = game.trump_with_deal(rules, state.deal.turned) or 0
        worth = round(strength(holding, trump) * 0.9) - chance.choice((0, 0, 0, 1))
        if len(state.bidding.calls) == 3 and chance.random() < 0.8:
            # The last one fills up a total that is nearly enough.
            others = sum(call.tricks for call in state.bidding.calls if isinstance(call, Bid))
            needed = rules.minimum_total_at(max(state.deal.scores_before)) - others
            worth = needed if worth < needed <= worth + 1 else worth
        return max((bid for bid in bids if bid.tricks <= worth), key=lambda bid: bid.tricks, default=bids[0])
    doubles = [move for move in legal if isinstance(move, Double)]
    passes = [move for move in legal if isinstance(move, Pass)]
    if doubles and chance.random() < 0.1:
        return doubles[0]
    best = max(STRAINS[:4], key=lambda suit: strength(holding, suit))
    # Now and then all four are timid, and pass.
    worth = round(strength(holding, best) + 3.5) - chance.choice((0, 0, 1, 3))
    fitting = [bid for bid in bids if bid.tricks <= worth and bid.strain in (None, best)]
    if fitting:
        return fitting[0]
    return passes[0] if passes else bids[0]


def _card(state: InPlay, legal: list[Move]) -> Move:
    play = state.play
    cards = [move.card for move in legal if isinstance(move, PlayCard)]
    trick = play.trick
    seat = play.turn
    wanted = True
    if state.header.rules.individual:
        bids = game.bids_of(play.calls)
        wanted = play.tricks_of(seat) < bids[seat]
    if not trick:
        return PlayCard(seat, max(cards, key=lambda card: card & 15) if wanted else min(cards, key=_low))
    best = max(trick, key=lambda card: _power(card, trick[0], play.trump))
    beating = [
        card for card in cards if _power(card, trick[0], play.trump) > _power(best, trick[0], play.trump)
    ]
    if wanted and beating:
        return PlayCard(seat, min(beating, key=lambda card: _power(card, trick[0], play.trump)))
    return PlayCard(seat, min(cards, key=_low))


def strength(holding: int, trump: int) -> float:
    """About how many tricks a holding is worth with a trump."""
    tricks = 0.0
    for card in cards_of(holding):
        if card >> 4 == trump:
            tricks += 0.75 if card & 15 > 11 else 0.45
        else:
            tricks += {14: 0.9, 13: 0.6, 12: 0.25}.get(card & 15, 0)
    return tricks


def _length(holding: int, suit: int) -> int:
    return (holding & SUIT_MASK[suit]).bit_count()


def _power(card: int, led: int, trump: int) -> int:
    if card >> 4 == trump:
        return 100 + (card & 15)
    return card & 15 if card >> 4 == led >> 4 else 0


def _low(card: int) -> int:
    return card & 15


def any_moves(state: State, chance: random.Random, count: int) -> list[Move]:
    """Moves of any kind by any seat, most of them illegal, and cards held more often than others."""
    moves: list[Move] = []
    for _ in range(count):
        seat = chance.choice(SEATS)
        strain = chance.choice((None, None, *STRAINS))
        kinds: tuple[Move, ...] = (
            Bid(seat, chance.randrange(16), strain),
            Pass(seat),
            Double(seat),
            NameTrump(seat, chance.choice(STRAINS)),
            PlayCard(seat, chance.choice(DECK)),
        )
        moves.append(chance.choice(kinds))
    return moves


def all_moves() -> list[Move]:
    """Every move there is, legal or not."""
    moves: list[Move] = []
    for seat in SEATS:
        moves += [Bid(seat, tricks, strain) for tricks in range(16) for strain in (None, *STRAINS)]
        moves += [Pass(seat), Double(seat)]
        moves += [NameTrump(seat, strain) for strain in STRAINS]
        moves += [PlayCard(seat, card) for card in DECK]
    return moves
