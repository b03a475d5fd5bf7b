"""Random hands by OpenSpiel's bridge, C++ called from Python."""

import random
from importlib import import_module

from bench.peers.player import TRICKS, play_on_demand


def main() -> None:
    # By name, as it is only in an environment of its own.
    game = import_module("pyspiel").load_game("bridge(use_double_dummy_result=false)")
    draw = random.Random(1).random
    deck = range(52)
    bid, passed = 55, 52

    def hand() -> int:
        state = game.new_initial_state()
        apply, legal = state.apply_action, state.legal_actions
        for card in sorted(deck, key=lambda _: draw()):
            apply(card)
        # There is no play without an auction: a bid of one, and three passes.
        for call in (bid, passed, passed, passed):
            apply(call)
        for _ in range(52):
            actions = legal()
            apply(actions[int(draw() * len(actions))])
        # The score follows from who took which trick.
        state.returns()
        return TRICKS if state.is_terminal() else 0

    play_on_demand(hand)


if __name__ == "__main__":
    main()
