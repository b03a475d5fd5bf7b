"""Random hands by the engine's `Line`."""

import random

from bench.peers.player import play_on_demand
from tarneeb_service.engine.cards import BIT, SPADES
from tarneeb_service.engine.line import Line
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.state import Play

RULES = presets()["saharat_classic"].rules
BITS = tuple(BIT.values())
# Indexed by card.
BIT_OF = tuple(1 << card for card in range(max(BIT) + 1))


def hand(chance: random.Random) -> Line:
    """Deal, play 52 cards, each any that is legal with the same chance, and know who took which trick."""
    draw = chance.random
    deck = sorted(BITS, key=lambda _: draw())
    holdings = sum(deck[:13]), sum(deck[13:26]), sum(deck[26:39]), sum(deck[39:])
    line = Line(RULES, Play((), None, SPADES, 0, holdings))
    play, bit_of = line.play, BIT_OF
    while cards := line.playable:
        # The highest, or so many below it.
        card = cards.bit_length() - 1
        skipped = int(draw() * cards.bit_count())
        while skipped:
            cards ^= bit_of[card]
            card = cards.bit_length() - 1
            skipped -= 1
        play(card)
    return line


def main() -> None:
    chance = random.Random(1)
    play_on_demand(lambda: len(hand(chance).winners))


if __name__ == "__main__":
    main()
