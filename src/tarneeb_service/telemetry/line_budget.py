"""How many lines of a kind the log takes in a second; a flood of calls must not become a flood of lines."""

import threading
from collections.abc import Callable, Mapping
from enum import StrEnum
from time import monotonic


class Kind(StrEnum):
    """What a line tells of."""

    # A call that was answered, refused moves included.
    SUCCESS = "success"
    # A call that ended in a status of ours.
    FAILURE = "failure"
    # A call that was turned away before any work.
    REFUSAL = "refusal"
    # What callers and the network did to connections and streams: cancelled, silent, cut off.
    TRANSPORT = "transport"


class LineBudget:
    """Counts lines by kind and second."""

    def __init__(self, most: Mapping[Kind, int], clock: Callable[[], float] = monotonic) -> None:
        """Allow so many lines of each kind in a second."""
        self._most, self._clock = dict(most), clock
        self._second = int(clock())
        self._taken = dict.fromkeys(most, 0)
        self._left_out = dict.fromkeys(most, 0)
        self._lock = threading.Lock()

    def take(self, kind: Kind) -> bool:
        """Say whether there is room for a line; what there is no room for is counted."""
        second = int(self._clock())
        with self._lock:
            if second != self._second:
                self._second = second
                self._taken = dict.fromkeys(self._most, 0)
            if self._taken[kind] < self._most[kind]:
                self._taken[kind] += 1
                return True
            self._left_out[kind] += 1
            return False

    def left_out(self) -> dict[Kind, int]:
        """Return how many lines of which kind were left out since this was last asked."""
        with self._lock:
            found = {kind: count for kind, count in self._left_out.items() if count}
            self._left_out = dict.fromkeys(self._most, 0)
        return found
