"""Pairs of games that differ only in what a viewer may not see.

What may be seen is defined here a second time, in the plainest words, so that a view that shows more is found.
"""

import random
from collections.abc import Iterator

from tarneeb.v1 import game_pb2, views_pb2
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import BIT, DECK, cards_of
from tarneeb_service.engine.check import check
from tarneeb_service.engine.moves import Pass, PlayCard
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.rules import PastTricks, Reveal, RuleSet
from tarneeb_service.engine.state import (
    Header,
    InAuction,
    InPlay,
    State,
    deal_of,
    phase_of,
    play_of,
    result_of,
)
from tarneeb_service.engine.verdicts import Ruling
from tarneeb_service.wire.cards import encode_cards
from tarneeb_service.wire.game import decode_game, encode_game
from tests import random_games

SPECTATOR = 4


def wire_viewer(viewer: int) -> views_pb2.Viewer.ValueType:
    return views_pb2.Viewer.ValueType(viewer + 1)


def is_revealed(rules: RuleSet, viewer: int) -> bool:
    return rules.reveal is Reveal.EVERYBODY or (rules.reveal is Reveal.SPECTATORS and viewer == SPECTATOR)


def visible(state: State, viewer: int) -> set[int]:
    """The cards whose place a viewer may know: his own, the turned one, and the tricks that are shown."""
    deal, play, rules = deal_of(state), play_of(state), state.header.rules
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


def situation(state: State) -> str:
    """What a view has to show here; states of one situation are shown by the same lines of code."""
    result = result_of(state)
    if result is not None:
        return f"{phase_of(state).name} after {result.end.name}"
    if not isinstance(state, InPlay):
        return phase_of(state).name
    trick = "on" if state.play.trick else "off"
    return f"PLAY, trick {trick} the table, {'some' if state.play.winners else 'none'} past"


def situations(rules: RuleSet, chance: random.Random, *, each: int = 1, hands: int = 3) -> Iterator[State]:
    """A few states of every situation that a random game comes to."""
    found: dict[str, list[State]] = {}
    for state in random_games.states(rules, chance, hands=hands, wildness=0.3):
        found.setdefault(situation(state), []).append(state)
    for state in (_timid_hand(rules, chance), *_revoked_hand(found, chance)):
        found.setdefault(situation(state), []).append(state)
    for alike in found.values():
        yield from chance.sample(alike, min(each, len(alike)))


def _timid_hand(rules: RuleSet, chance: random.Random) -> State:
    """The end of a hand in which all four call as little as they may; void under most rules."""
    first = game.create(Header("g", "", rules), chance.randrange(4))
    state: State = game.deal(first, *random_games.random_deal(first, chance))[0]
    while isinstance(state, InAuction):
        legal = game.legal_moves(state)
        passes = [move for move in legal if isinstance(move, Pass)]
        state = game.apply(state, (passes or legal)[0])[1]
    return state


def _revoked_hand(found: dict[str, list[State]], chance: random.Random) -> list[State]:
    """The end of a hand by a revoke, where the rules take one."""
    states = [state for alike in found.values() for state in alike if isinstance(state, InPlay)]
    for state in chance.sample(states, len(states)):
        seat = state.play.turn
        for card in cards_of(state.play.holdings[seat]):
            verdict, after, _ = game.apply(state, PlayCard(seat, card))
            if verdict.ruling is Ruling.FORFEITS:
                return [after]
    return []


def twin(state: State, viewer: int, chance: random.Random, tries: int = 10) -> State:
    """A legal game that shows a viewer the same; equal to the one given when no card can be moved."""
    for _ in range(tries):
        hidden = sorted(set(DECK) - visible(state, viewer))
        if len(hidden) < 2:
            return state
        one = chance.choice(hidden)
        others = [card for card in hidden if card != one]
        # Cards of one suit can change places most often once they are played.
        alike = [card for card in others if card >> 4 == one >> 4]
        other = chance.choice(alike if alike and chance.random() < 0.6 else others)
        state = _swapped(state, one, other) or state
    return state


def _swapped(state: State, one: int, other: int) -> State | None:
    """The game in which two cards have changed places, dealt and played; none unless all public facts stay."""
    change = {one: other, other: one}
    message = encode_game(state)
    for dealt in message.hand.dealt:
        dealt.cards[:] = encode_cards([change.get(card, card) for card in dealt.cards])
    message.hand.played[:] = encode_cards([change.get(card, card) for card in message.hand.played])
    try:
        return check(decode_game(message))
    except ProblemsError:
        return None


def stored(state: State, chance: random.Random | None = None) -> game_pb2.Game:
    """A game as a caller sends it; with chance, the cards of each seat in any order."""
    message = encode_game(state)
    if chance is not None:
        for dealt in message.hand.dealt:
            dealt.cards[:] = chance.sample(list(dealt.cards), len(dealt.cards))
    return message


def without_cards(state: State) -> game_pb2.Game:
    """A game with all its cards taken out: what must not change between twins."""
    message = encode_game(state)
    message.hand.ClearField("dealt")
    message.hand.ClearField("played")
    return message


def played_apart(state: State, other: State) -> bool:
    """Whether other cards lie in the tricks that nobody sees any more."""
    one, two = play_of(state), play_of(other)
    return one is not None and two is not None and one.played != two.played


def cards_apart(state: State, other: State) -> list[int]:
    """The cards that two twins have in other hands."""
    one, two = deal_of(state), deal_of(other)
    if one is None or two is None:
        return []
    moved = sum(mine & ~theirs for mine, theirs in zip(one.dealt, two.dealt, strict=True))
    return [card for card in DECK if moved & BIT[card]]
