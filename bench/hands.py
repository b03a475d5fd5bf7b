"""Whole random hands a second in process, the engine alone: through states, verdicts and events, and by `Line`."""

import random
import time
from statistics import median

from bench.peers.play_line import hand
from bench.positions import RULE_SETS, choose, deal
from tarneeb_service.engine import game
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.state import AwaitingDeal, GameOver, Header, State

HANDS, ROUNDS = 40, 5
LINES, LINE_ROUNDS = 500, 20


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


def lines_a_second() -> float:
    """Hands a second by `Line`, deal and 52 cards, in the best of some rounds."""
    chance, fastest = random.Random(1), 0.0
    for _ in range(LINE_ROUNDS):
        start = time.process_time()
        for _ in range(LINES):
            hand(chance)
        fastest = max(fastest, LINES / (time.process_time() - start))
    return fastest


def main() -> None:
    print(f"hands: whole random hands a CPU second in process, engine only ({HANDS} hands, best of {ROUNDS})")
    rates = []
    for rule_set in RULE_SETS:
        hands, moves = hands_a_second(rule_set)
        rates.append(hands)
        print(f"  {rule_set:28}{hands:8.0f} hands/s {moves:9.0f} moves/s")
    print(f"  median {median(rates):.0f} hands/s")
    print(f"  deal and cards by Line, best of {LINE_ROUNDS}: {lines_a_second():.0f} hands/s")


if __name__ == "__main__":
    main()
