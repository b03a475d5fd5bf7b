"""The protocol of a player: it plays as many hands as a line of its input says, and answers what they cost.

Standard library only: the peers' own environments run it too.
"""

import json
import sys
import time
from collections.abc import Callable

TRICKS = 13


def play_on_demand(hand: Callable[[], int]) -> None:
    """Play until the input ends.

    Args:
        hand: Plays a random hand and returns how many tricks it had.
    """
    for line in sys.stdin:
        hands, tricks = int(line), 0
        start = time.process_time()
        for _ in range(hands):
            tricks += hand()
        answer = {"seconds": time.process_time() - start, "tricks": tricks}
        print(json.dumps(answer), flush=True)
