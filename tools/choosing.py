"""Play games by the choosing rule of clients/PROGRAM.md, and say how long they last: python -m tools.choosing [GAMES].

By the engine itself, which is a hundred times faster than a server; each seat is shown its own view, as a message.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from tarneeb_client import fair_deals
from tarneeb_client.choosing import choose
from tarneeb_service.engine import game
from tarneeb_service.engine.deals import deal_deck
from tarneeb_service.engine.presets import PRESET_IDS, resolve
from tarneeb_service.engine.state import AwaitingDeal, GameOver, Header, State, seat_to_act
from tarneeb_service.engine.views import view
from tarneeb_service.wire.moves import decode_move
from tarneeb_service.wire.views import encode_view

# A game that is longer than this is taken to have no end.
MOST_STEPS = 3000


class Length(NamedTuple):
    """How many hands a game had, and how many steps, which are deals and moves."""

    hands: int
    steps: int


def length(preset_id: str, number: int) -> Length:
    """Play the game of this number, with the deals that the programs of the clients have.

    Raises:
        RuntimeError: It does not end.
    """
    name = f"{preset_id}-{number}"
    dealer = fair_deals.first_dealer(_digest(f"dealer {name}"), name) - 1
    state: State = game.create(Header(name, preset_id, resolve(preset_id, {})), dealer)
    hands = steps = 0
    while not isinstance(state, GameOver):
        if steps == MOST_STEPS:
            raise RuntimeError(f"{name} has no end")
        steps += 1
        if isinstance(state, AwaitingDeal):
            hands += 1
            state = _dealt(state, name, hands)
        else:
            state = _moved(state)
    return Length(hands, steps)


def _dealt(state: AwaitingDeal, name: str, hand: int) -> State:
    rules = state.header.rules
    deck = fair_deals.deck(_digest(f"seed {name} {hand}"), _digest(f"cut {name} {hand}")[:16], name, hand)
    hands, last = deal_deck(deck, state.next_dealer, rules.deal_order)
    return game.deal(state, hands, last if rules.turns_card else None)[0]


def _moved(state: State) -> State:
    seat = seat_to_act(state)
    assert seat is not None
    chosen, _ = decode_move(choose(encode_view(view(state, seat), omit_rules=True)), "move")
    verdict, following, _ = game.apply(state, chosen)
    assert verdict.accepted, (chosen, verdict)
    return following


def _digest(words: str) -> bytes:
    return sha256(words.encode()).digest()


def rows(games: int) -> Iterator[str]:
    """A table of the presets: what games 1 to `games` of each last."""
    yield "| rule set | hands, fewest | median | most | steps, median | most |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for preset_id in PRESET_IDS:
        lengths = [length(preset_id, number) for number in range(1, games + 1)]
        hands, steps = (sorted(each) for each in zip(*lengths, strict=True))
        middle = games // 2
        yield f"| `{preset_id}` | {hands[0]} | {hands[middle]} | {hands[-1]} | {steps[middle]} | {steps[-1]} |"


def main() -> None:
    for row in rows(int(sys.argv[1]) if len(sys.argv) > 1 else 100):
        print(row, flush=True)


if __name__ == "__main__":
    main()
