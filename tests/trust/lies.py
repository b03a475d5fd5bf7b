"""Lies about a game, each about one field, that all can see through who know what a viewer knows.

So twins must be refused in the same words. A lie about a card that the viewer does not know is no such lie:
with another suit named as trump, or another card of the dealer turned, it is the hidden cards that decide
what else is wrong with the game.
"""

import random
from collections.abc import Callable
from typing import Any

from tarneeb.v1 import cards_pb2, game_pb2, rules_pb2
from tarneeb_service.engine.cards import DECK

# Changes a game by drawn numbers, and by cards whose place the viewer knows.
Lie = Callable[[game_pb2.Game, random.Random, set[int]], None]
NO_CARD: Any = 99


def _seat(chance: random.Random) -> Any:
    return chance.randrange(7)


def _id(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.id = chance.choice(("", "\n", "x" * 65))


def _preset_id(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.preset_id = "\n"


def _rules(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    if chance.random() < 0.5:
        message.ClearField("rules")
    else:
        message.rules.target = 0


def _rules_revision(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.rules_revision = chance.choice((0, 99))


def _revision(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.revision = 2**32 - 1


def _scores(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    _numbers(message.scores, chance)


def _hand_number(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.hand_number = chance.choice((0, 2**32 - 1))


def _dealer(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.dealer = _seat(chance)


def _next_dealer(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.next_dealer = _seat(chance)


def _phase(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.phase = game_pb2.Phase.ValueType(chance.randrange(8))


def _seat_to_act(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.seat_to_act = _seat(chance)


def _outcome(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    if message.HasField("outcome") and chance.random() < 0.5:
        message.ClearField("outcome")
    else:
        message.outcome.winner = cards_pb2.Team.ValueType(chance.randrange(4))
        message.outcome.reason = game_pb2.WinReason.ValueType(chance.randrange(4))


def _hand(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.ClearField("hand")


def _scores_before(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    _numbers(message.hand.scores_before, chance)


def _dealt(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    dealt = message.hand.dealt
    if dealt and chance.random() < 0.5:
        del dealt[-1]
    elif dealt:
        dealt[chance.randrange(len(dealt))].cards.append(NO_CARD)
    else:
        dealt.add()


def _turned_card(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    """None, one that is no card, or one that the viewer knows to be of another than the dealer."""
    hand: Any = message.hand
    dealers = hand.dealt[message.dealer - 1].cards if 0 < message.dealer <= len(hand.dealt) else DECK
    others = sorted(known.difference(dealers))
    if hand.turned_card:
        hand.turned_card = chance.choice((0, NO_CARD, chance.choice(others) if others else 0))
    else:
        hand.turned_card = cards_pb2.CARD_CLUBS_TWO


def _calls(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    calls: Any = message.hand.calls
    index, field = chance.randrange(len(calls) + 1), chance.choice(("seat", "kind", "strain"))
    if index < len(calls):
        setattr(calls[index], field, chance.choice((0, 9)) if field == "strain" else _seat(chance))
    elif calls and chance.random() < 0.5:
        del calls[-1]
    else:
        calls.add(seat=_seat(chance), kind=2)


def _contract(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    contract: Any = message.hand.contract
    if chance.random() < 0.3:
        message.hand.ClearField("contract")
    else:
        setattr(contract, chance.choice(("declarer", "tricks", "strain")), chance.randrange(15))


def _trump(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    """None, or none that can be named; any where trump is not named but follows."""
    numbers = (0, 5, 9) if message.rules.trump == rules_pb2.TRUMP_NAMED else range(7)
    message.hand.trump = cards_pb2.Strain.ValueType(chance.choice(numbers))


def _opening_leader(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    message.hand.opening_leader = _seat(chance)


def _played(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    """Some cards less, a card that is none, or one that the viewer saw already."""
    played = message.hand.played
    seen = sorted(known.intersection(played))
    if seen and chance.random() < 0.4:
        played.append(cards_pb2.Card.ValueType(chance.choice(seen)))
    elif len(played) > 4 and chance.random() < 0.5:
        del played[-chance.randrange(1, 5) :]
    elif played and chance.random() < 0.5:
        played[chance.randrange(len(played))] = NO_CARD
    else:
        played.append(NO_CARD)


def _trick_winners(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    _numbers(message.hand.trick_winners, chance)


def _result(message: game_pb2.Game, chance: random.Random, known: set[int]) -> None:
    hand: Any = message.hand
    if hand.HasField("result") and chance.random() < 0.3:
        hand.ClearField("result")
    else:
        hand.result.end = chance.randrange(6)
        hand.result.offender = _seat(chance)
        if hand.result.lines and chance.random() < 0.5:
            hand.result.lines[0].points += 1


def _numbers(numbers: Any, chance: random.Random) -> None:
    """One number more, one less, or one other."""
    if not numbers or chance.random() < 0.3:
        numbers.append(chance.randrange(5))
    elif chance.random() < 0.3:
        del numbers[-1]
    else:
        numbers[chance.randrange(len(numbers))] = chance.choice((1, 2, 3, 4, 7, 2**31 - 1))


# By the path of the field that each is about.
LIES: dict[str, Lie] = {
    "id": _id,
    "preset_id": _preset_id,
    "rules": _rules,
    "rules_revision": _rules_revision,
    "revision": _revision,
    "scores": _scores,
    "hand_number": _hand_number,
    "dealer": _dealer,
    "next_dealer": _next_dealer,
    "phase": _phase,
    "seat_to_act": _seat_to_act,
    "outcome": _outcome,
    "hand": _hand,
    "hand.scores_before": _scores_before,
    "hand.dealt": _dealt,
    "hand.turned_card": _turned_card,
    "hand.calls": _calls,
    "hand.contract": _contract,
    "hand.trump": _trump,
    "hand.opening_leader": _opening_leader,
    "hand.played": _played,
    "hand.trick_winners": _trick_winners,
    "hand.result": _result,
}
