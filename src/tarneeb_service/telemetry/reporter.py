"""Counts and logs calls after they are answered, many at a time, on a thread of its own.

A worker leaves the call's record in a queue, which costs it a microsecond; told in a bunch, a call costs less
than half of what it does one by one, since the code stays in the caches. A scrape tells what waits first, so
the counts are never behind what callers have seen.
"""

import threading
import time
from collections import deque

from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.telemetry import labels as facts
from tarneeb_service.telemetry.access_log import More, line, wants
from tarneeb_service.telemetry.calls import Call
from tarneeb_service.telemetry.logs import Log, frames_of
from tarneeb_service.telemetry.metrics import Metrics

# Seconds between two bunches: long enough for a bunch, short since telling it holds up the workers.
PAUSE = 0.03
# Calls that may wait before a worker tells them itself.
MOST_WAITING = 5_000
INTERNAL = 13


class Teller:
    """Tells of calls."""

    def __init__(self, metrics: Metrics, log: Log) -> None:
        """Count in ``metrics`` and write to ``log``."""
        self._metrics, self._log = metrics, log
        self._calls: deque[Call] = deque()
        self._wake, self._closed = threading.Event(), threading.Event()
        self._telling = threading.Lock()
        self._thread = threading.Thread(target=self._tell_on, name="teller", daemon=True)
        self._thread.start()

    def put(self, call: Call) -> None:
        """Leave a call that has ended."""
        self._calls.append(call)
        if not self._wake.is_set():
            self._wake.set()
        elif len(self._calls) > MOST_WAITING:
            self.tell()

    def tell(self) -> None:
        """Tell of every call that waits."""
        with self._telling:
            while self._calls:
                call = self._calls.popleft()
                try:
                    self._tell(call)
                except Exception as error:  # noqa: BLE001  # the others must still be told
                    self._log_bug(call, error)
                call.forget()

    def close(self) -> None:
        """Tell what is left and end."""
        self._closed.set()
        self._wake.set()
        self._thread.join(2)
        self.tell()

    def _tell_on(self) -> None:
        while not self._closed.is_set():
            self._wake.wait()
            time.sleep(PAUSE)
            self._wake.clear()
            self.tell()

    def _tell(self, call: Call) -> None:
        counts, code, metrics = call.counts, call.code, self._metrics
        told = facts.NONE
        if call.request is not None and (call.peer or call.response is not None):
            told = facts.READERS[counts.method](call.request, call.response)
        more: More = None
        if told.move:
            metrics.moves[(facts.label_of(told.rule_set), told.move, told.ruling, told.reason)] += 1
        elif code:
            more = self._failed(call)
        elif counts.method == "ValidateMoves":
            moves = facts.moves_of(call.request, call.response)
            metrics.moves.update(moves)
            items = len(call.response.results)
            metrics.batches.observe(items)
            metrics.found(facts.snapshot_problems(call.response))
            more = {"items": items, "unjudged": items - len(moves)}
        elif counts.method == "ValidateGame":
            metrics.found(facts.snapshot_problems(call.response))
            more = {"problem_count": len(call.response.problems)}
        counts.handled[code] += 1
        counts.seconds.observe(call.seconds)
        # A success without a peer was not picked for the log.
        if (call.peer or code) and wants(self._log, code):
            self._log.put(line(self._log, call, told, more))

    def _failed(self, call: Call) -> More:
        if call.refused is not None:
            self._metrics.shed[call.refused] += 1
            return {"refused": str(call.refused)}
        if call.path:
            return {"called": call.path}
        error = call.error
        if isinstance(error, ProblemsError):
            self._metrics.found(facts.snapshot_problems(error))
            first = error.problems[0]
            return {
                "problem_count": len(error.problems),
                "problem_path": first.path,
                "problem_reason": first.reason.name.lower(),
            }
        if error is not None and call.code == INTERNAL:
            self._log_bug(call, error)
        if not call.heard:
            return {
                "ended": "before it was handled: cancelled, past its deadline, too large a message, or none"
            }
        return None

    def _log_bug(self, call: Call, error: Exception) -> None:
        self._log.event(
            "error",
            "bug",
            request_id=call.request_id,
            method=call.counts.method,
            type=type(error).__name__,
            frames=frames_of(error),
        )
