"""What is counted: plain numbers, so that a call pays a fraction of a microsecond.

``exposition`` turns them into Prometheus series. Every label value is from a closed set, whatever callers
send.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.problems import ProblemReason

# Seconds. A call takes some 0.1 ms; what is above 0.1 s waited.
BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
BATCH_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
OTHER = "other"
RULE_SETS = frozenset(PRESET_IDS)


class Shed(StrEnum):
    """Why a call was turned away before any work."""

    OVERLOADED = "overloaded"
    STOPPING = "stopping"
    UNAUTHENTICATED = "unauthenticated"


class Histogram:
    """Counts by bucket and their sum."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        """Start at zero."""
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class MethodCounts:
    """The numbers of one method; ``handled`` is by status code number."""

    __slots__ = ("handled", "method", "seconds", "service", "started")

    def __init__(self, service: str, method: str) -> None:
        """Start at zero."""
        self.service = service
        self.method = method
        self.started = 0
        self.handled = [0] * 17
        self.seconds = Histogram(BUCKETS)


class Metrics:
    """All counts of a process. The teller alone writes them, but for ``started``, which is the gate's."""

    def __init__(self, service: str, methods: Iterable[str]) -> None:
        """Start at zero for the methods of a service, and for all others together."""
        self.methods = {f"/{service}/{method}": MethodCounts(service, method) for method in methods}
        self.other = MethodCounts(OTHER, OTHER)
        # By rule set, kind of move, ruling and reason.
        self.moves: Counter[tuple[str, str, int, int]] = Counter()
        self.snapshot_problems = dict.fromkeys(ProblemReason, 0)
        self.batches = Histogram(BATCH_BUCKETS)
        self.shed = dict.fromkeys(Shed, 0)
        self.reload_failures = {"tls": 0, "tokens": 0}

    def found(self, reasons: Iterable[int]) -> None:
        """Count the problems of snapshots."""
        for reason in reasons:
            self.snapshot_problems[ProblemReason(reason)] += 1
