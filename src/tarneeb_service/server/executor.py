"""The workers: a thread pool with less in it than Python's, which saves a call 7 % of its time.

gRPC waits for a call's message on the worker. So a caller who sends none would hold it, and a few of them
would hold all: there is a spare worker for each that is held, and the silent are hung up on.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from tarneeb_service.telemetry.calls import CANCELLED, DEADLINE_EXCEEDED, Call, Tell, quiet_call

# Seconds between two looks at the workers. A call that has no message at the second one holds its worker.
PATIENCE = 0.1
# Seconds that a call may hold a worker without a message; the requests of calls that wait are a few bytes.
MOST_SILENCE, SHORT_SILENCE = 10.0, 2.0
# Seconds that a spare worker waits for a call before it looks whether it is needed still.
REST = 1.0
# A call's record, and what to do; none ends a worker.
Task = tuple[Call, Callable[..., Any], tuple[Any, ...]] | None


class _Unwatched(Future[Any]):
    """What gRPC gets for a call. It would count calls with it, for a limit that is not used here."""

    def add_done_callback(self, fn: Callable[[Future[Any]], object]) -> None:
        """Forget it, since this future is shared by all calls and never done."""


class Pool(ThreadPoolExecutor):
    """It knows how many calls wait or run, and tells of those that end before a handler sees them.

    An executor in name, because gRPC asks for one; it makes no futures, whose locks cost more than the queue.
    """

    def __init__(self, name: str, threads: int, most: int, tell: Tell, *, waits: bool = False) -> None:
        """Start ``threads`` workers, of which there may be ``most`` later.

        ``tell`` is told of calls that no handler saw. A pool that ``waits`` is for calls that do so rather
        than work, and has a worker for each of them, up to ``most``.
        """
        super().__init__(threads)
        # Set by the gate just before gRPC submits the call, on the same thread.
        self.arriving = quiet_call(())
        self.pending = 0
        # How many workers are held by calls without a message.
        self._held = 0
        self._count = threading.Lock()
        self._name, self._usual, self._most, self._tell, self._waits = name, threads, most, tell, waits
        self._tasks: SimpleQueue[Task] = SimpleQueue()
        # gRPC's own record of each call that a worker has.
        self._at_work: dict[Call, Any] = {}
        self._future = _Unwatched()
        self._busy, self._closed = threading.Event(), False
        self._workers: set[threading.Thread] = set()
        for _ in range(threads):
            self._start(spare=False)
        threading.Thread(target=self._watch, name=f"{name} watch", daemon=True).start()

    @property
    def workers(self) -> int:
        """How many threads there are now."""
        return len(self._workers)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_kwargs: Any) -> Future[Any]:
        """Queue a call; gRPC names no arguments, and its record of the call is the second of them."""
        call = self.arriving
        call.deadline = args[1].call_details.deadline
        with self._count:
            self.pending += 1
        self._tasks.put((call, fn, args))
        if self._waits and len(self._workers) < min(self.pending, self._most):
            self._start(spare=True)
        if not self._busy.is_set():
            self._busy.set()
        return self._future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers once the queue is empty, or drop what is in it first."""
        self._closed = True
        self._busy.set()
        with suppress(Empty):
            while cancel_futures:
                task = self._tasks.get_nowait()
                if task is not None:
                    self._end_unheard(task[0])
        with self._count:
            workers = list(self._workers)
        for _ in workers:
            self._tasks.put(None)
        for worker in workers if wait else ():
            worker.join()
        super().shutdown(wait, cancel_futures=cancel_futures)

    def _start(self, *, spare: bool) -> None:
        name = f"{self._name} spare" if spare else self._name
        # A daemon: a handler that hangs must not keep the process.
        worker = threading.Thread(target=self._work, name=name, args=(spare,), daemon=True)
        with self._count:
            self._workers.add(worker)
        try:
            worker.start()
        except RuntimeError:
            # The system has no thread left. What waits must wait for a worker that there is.
            with self._count:
                self._workers.discard(worker)

    def _watch(self) -> None:
        silent: dict[Call, float] = {}
        while not self._closed:
            self._busy.wait()
            # First, so that a call that comes now is seen below or sets it anew.
            self._busy.clear()
            time.sleep(PATIENCE)
            if self.pending:
                self._busy.set()
            try:
                silent = self._look(silent)
            except Exception:
                # Without it the silent would hold all.
                logging.getLogger(__name__).exception("a pool's watch went on")

    def _look(self, before: dict[Call, float]) -> dict[Call, float]:
        """Hang up on who is silent too long, and start workers for those who wait behind the others.

        Takes and returns since when which calls were seen to be silent.
        """
        now = time.monotonic()
        rpcs = {call: rpc for call, rpc in self._at_work.copy().items() if not call.heard}
        silent = {call: before.get(call, now) for call in rpcs}
        self._held = sum(since < now for since in silent.values())
        missing = min(self._usual + self._held, self._most) - len(self._workers)
        for _ in range(min(missing, self._tasks.qsize())):
            self._start(spare=True)
        for call, since in silent.items():
            if now - since > (SHORT_SILENCE if self._waits else MOST_SILENCE):
                rpcs[call].call.cancel()
        return silent

    def _work(self, spare: bool) -> None:
        while (task := self._take(spare)) is not None:
            call, handle, args = task
            self._at_work[call] = args[1]
            try:
                handle(*args)
            except Exception:
                # gRPC catches what handlers raise, so this is gRPC's.
                logging.getLogger(__name__).exception("a worker went on")
            del self._at_work[call]
            with self._count:
                self.pending -= 1
            self._end_unheard(call)
            # An idle worker must not keep the last request alive.
            del task, call, handle, args
        with self._count:
            self._workers.discard(threading.current_thread())

    def _end_unheard(self, call: Call) -> None:
        """Tell of a call that no handler saw: cancelled, silent or too large, which the core does not tell apart."""
        if not call.told:
            call.end(CANCELLED if time.time() < call.deadline else DEADLINE_EXCEEDED)
            self._tell(call)

    def _take(self, spare: bool) -> Task:
        """Return the next call, or none for the end: of all workers, or of a spare one that others can do without."""
        if not spare:
            return self._tasks.get()
        while len(self._workers) <= self._needed():
            with suppress(Empty):
                return self._tasks.get(timeout=REST)
        return None

    def _needed(self) -> int:
        return max(self._usual, self.pending) if self._waits else self._usual + self._held
