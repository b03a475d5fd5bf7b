"""Games in the middle of a hand, the same on every run."""

import random

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import deals, game, shuffle
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.moves import Move
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.state import AwaitingDeal, Header, InAuction, InPlay, State
from tarneeb_service.wire.cards import encode_card
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move

RULE_SETS = tuple(presets())


def deal(state: AwaitingDeal, chance: random.Random) -> State:
    """Deal a random hand."""
    deck = shuffle.shuffled_deck(chance.randbytes(16), b"", state.header.id, state.revision + 1)
    rules = state.header.rules
    masks, last = deals.deal_deck(deck, state.next_dealer, rules.deal_order)
    return game.deal(state, masks, last if rules.turns_card else None)[0]


def choose(state: State, chance: random.Random) -> Move:
    """Choose a legal move; calls are low or a pass, else nearly every auction would go to thirteen."""
    moves = game.legal_moves(state)
    if isinstance(state, InAuction):
        moves = [*moves[:3], moves[-1]] if not state.header.rules.individual else moves[1:3]
    return chance.choice(moves)


def step(state: State, chance: random.Random) -> State:
    """Deal, or make a legal move."""
    if isinstance(state, AwaitingDeal):
        return deal(state, chance)
    return game.apply(state, choose(state, chance))[1]


def mid_hand(rule_set: str, played: int = 26, seed: int = 1) -> InPlay:
    """A hand of which this many cards are played."""
    chance = random.Random(f"{rule_set} {seed}")
    header = Header(f"bench-{rule_set}", rule_set, presets()[rule_set].rules)
    state: State = game.create(header, 0)
    while not (isinstance(state, InPlay) and len(state.play.played) == played):
        state = step(state, chance)
    return state


def legal_request(state: InPlay) -> pb.ValidateMoveRequest:
    """Ask about the first legal move."""
    return pb.ValidateMoveRequest(game=encode_game(state), move=encode_move(game.legal_moves(state)[0]))


def refused_request(state: InPlay) -> pb.ValidateMoveRequest:
    """Ask about a card that the seat to act does not hold."""
    request = legal_request(state)
    others = state.play.holdings[(state.play.turn + 1) % 4]
    request.move.card = encode_card(cards_of(others)[0])
    return request
