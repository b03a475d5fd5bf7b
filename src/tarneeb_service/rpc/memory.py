"""What was checked, remembered: the state of a game by the bytes of its snapshot.

It is only speed. The key is all that a check reads, so a state found is the one that checking again would give; and it
is found only by who sends the whole game.
"""

from collections import OrderedDict
from threading import Lock

from tarneeb_service.engine.state import State

# Bytes. Games of the presets have at most 630, one with every ladder and table full 3,700. What a hostile caller pads
# with fields that are none of ours is checked, and not kept.
LONGEST_KEPT = 4_096


class Memory:
    """The games that were used last; ``found`` and ``missed`` count the snapshots looked for."""

    def __init__(self, most: int) -> None:
        """Keep at most so many games, or none."""
        self._most = most
        self._states: OrderedDict[bytes, State] = OrderedDict()
        # Finding, moving and dropping must be one step: worker threads share it.
        self._lock = Lock()
        self.found = self.missed = 0

    def __len__(self) -> int:
        """Return how many games are kept."""
        return len(self._states)

    def find(self, snapshot: bytes) -> State | None:
        """Return the checked state of a snapshot that is kept, or none."""
        if not self._most:
            return None
        with self._lock:
            state = self._states.get(snapshot)
            if state is None:
                self.missed += 1
            else:
                self.found += 1
                self._states.move_to_end(snapshot)
        return state

    def keep(self, snapshot: bytes, state: State) -> None:
        """Keep a checked state, in place of the one used longest ago if there are enough."""
        if not self._most or len(snapshot) > LONGEST_KEPT:
            return
        with self._lock:
            self._states[snapshot] = state
            self._states.move_to_end(snapshot)
            if len(self._states) > self._most:
                self._states.popitem(last=False)


# For callers who see a game once.
NOTHING = Memory(0)
