"""Pairs of games that differ only in what a viewer may not see.

What may be seen is defined here a second time, in the plainest words, so that a view that shows more is found.
"""

import random

from tarneeb.v1 import game_pb2
from tarneeb_service.engine.cards import BIT, DECK
from tarneeb_service.engine.check import check
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.rules import PastTricks, Reveal, RuleSet
from tarneeb_service.engine.state import State, hand_of, play_of, result_of
from tarneeb_service.wire import decode, encode

SPECTATOR = 4


def is_revealed(rules: RuleSet, viewer: int) -> bool:
    return rules.reveal is Reveal.EVERYBODY or (rules.reveal is Reveal.SPECTATORS and viewer == SPECTATOR)


def visible(state: State, viewer: int) -> set[int]:
    """The cards whose place a viewer may know: his own, the turned one, and the tricks that are shown."""
    deal, play, rules = hand_of(state), play_of(state), state.header.rules
    if deal is None:
        return set()
    known = {card for card in DECK if viewer != SPECTATOR and deal.dealt[viewer] & BIT[card]}
    if deal.turned is not None:
        known.add(deal.turned)
    if play is not None:
        complete = 4 * len(play.winners)
        shown = {PastTricks.ALL: complete, PastTricks.LAST: min(4, complete), PastTricks.NONE: 0}
        known |= set(play.played[complete - shown[rules.past_tricks] :])
    if result_of(state) is not None and is_revealed(rules, viewer):
        known |= set(DECK)
    return known


def twin(state: State, viewer: int, chance: random.Random, tries: int = 25) -> State:
    """A legal game that shows a viewer the same; equal to the one given when no card can be moved."""
    for _ in range(tries):
        hidden = sorted(set(DECK) - visible(state, viewer))
        if len(hidden) < 2 or hand_of(state) is None:
            return state
        state = _swapped(state, *chance.sample(hidden, 2)) or state
    return state


def _swapped(state: State, one: int, other: int) -> State | None:
    """The game in which two cards have changed places, dealt and played; none unless all public facts stay."""
    deal = hand_of(state)
    assert deal is not None
    change = {one: other, other: one}
    message = encode.game(state)
    for dealt in message.hand.dealt:
        cards = [change.get(card, card) for card in dealt.cards]
        dealt.cards[:] = encode.cards(cards)
    message.hand.played[:] = encode.cards([change.get(card, card) for card in message.hand.played])
    try:
        return check(decode.decode_position(message))
    except ProblemsError:
        return None


def without_cards(state: State) -> game_pb2.Game:
    """A game with all its cards taken out: what must not change between twins."""
    message = encode.game(state)
    message.hand.ClearField("dealt")
    message.hand.ClearField("played")
    return message
