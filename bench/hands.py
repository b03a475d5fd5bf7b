"""Whole random hands a second in process, the engine alone: deal, auction, 52 cards, score."""

import random
import time
from statistics import median

from bench.positions import RULE_SETS, choose, deal
from tarneeb_service.engine import game
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.state import AwaitingDeal, GameOver, Header, State

HANDS, ROUNDS = 40, 5


def hands_a_second(rule_set: str, seed: int = 1) -> tuple[float, float]:
    """Hands and moves a second in the best of some rounds: others share the machine, and can only slow it."""
    header = Header("bench", rule_set, presets()[rule_set].rules)
    fastest, moves_then = 0.0, 0.0
    for number in range(ROUNDS):
        chance = random.Random(f"{rule_set} {seed} {number}")
        moves, start = 0, time.process_time()
        for _ in range(HANDS):
            state: State = deal(game.create(header, 0), chance)
            while not isinstance(state, AwaitingDeal | GameOver):
                state = game.apply(state, choose(state, chance))[1]
                moves += 1
        seconds = time.process_time() - start
        if HANDS / seconds > fastest:
            fastest, moves_then = HANDS / seconds, moves / seconds
    return fastest, moves_then


def main() -> None:
    print(f"hands: whole random hands a CPU second in process, engine only ({HANDS} hands, best of {ROUNDS})")
    rates = []
    for rule_set in RULE_SETS:
        hands, moves = hands_a_second(rule_set)
        rates.append(hands)
        print(f"  {rule_set:28}{hands:8.0f} hands/s {moves:9.0f} moves/s")
    print(f"  median {median(rates):.0f} hands/s")


if __name__ == "__main__":
    main()
