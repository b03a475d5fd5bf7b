"""Random hands by RLCard's bridge: its game object, without the environment that makes observations."""

import random
from importlib import import_module

from bench.peers.player import play_on_demand


def main() -> None:
    # By name, as they are only in an environment of their own.
    bridge = import_module("rlcard.games.bridge.game")
    events = import_module("rlcard.games.bridge.utils.action_event")
    draw = random.Random(1).random
    # A bid of one spade, and three passes.
    calls = [events.BidAction(1, "S"), *[events.PassAction() for _ in range(3)]]

    def hand() -> int:
        game = bridge.BridgeGame()
        game.init_game()
        legal, step = game.judger.get_legal_actions, game.step
        for call in calls:
            step(call)
        for _ in range(52):
            actions = legal()
            step(actions[int(draw() * len(actions))])
        return sum(game.round.won_trick_counts)

    play_on_demand(hand)


if __name__ == "__main__":
    main()
