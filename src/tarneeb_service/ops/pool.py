"""The workers: a thread pool with less in it than Python's, which saves a call 7 % of its time."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from tarneeb_service.ops.calls import CANCELLED, Call, Tell

# A call's record, if it has one, and what to do; nothing ends a worker.
Task = tuple[Call | None, Callable[..., Any], tuple[Any, ...]] | None


class _Unwatched(Future[Any]):
    """What gRPC gets for a call. It would count calls with it, for a limit that is not used here."""

    def add_done_callback(self, fn: Callable[[Future[Any]], object]) -> None:
        """Forget it, since this future is shared by all calls and never done."""


class Pool(ThreadPoolExecutor):
    """It knows how many calls wait or run, and tells of those that end before a handler sees them.

    An executor in name, because gRPC asks for one; it makes no futures, whose locks cost more than the queue.
    """

    def __init__(self, threads: int, tell: Tell) -> None:
        """Start the threads; ``tell`` is told of calls that no handler saw."""
        super().__init__(threads)
        # Set by the gate just before gRPC submits the call, on the same thread.
        self.arriving: Call | None = None
        self.pending = 0
        self._count = threading.Lock()
        self._tell = tell
        self._tasks: SimpleQueue[Task] = SimpleQueue()
        self._future = _Unwatched()
        # Daemons: a handler that hangs must not keep the process.
        self._workers = [
            threading.Thread(target=self._work, name=f"worker {number}", daemon=True)
            for number in range(threads)
        ]
        for worker in self._workers:
            worker.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_kwargs: Any) -> Future[Any]:
        """Queue a call; gRPC names no arguments."""
        call, self.arriving = self.arriving, None
        if call is not None:
            with self._count:
                self.pending += 1
        self._tasks.put((call, fn, args))
        return self._future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers once the queue is empty, or drop what is in it first."""
        while cancel_futures and not self._tasks.empty():
            self._tasks.get()
        for _ in self._workers:
            self._tasks.put(None)
        for worker in self._workers if wait else ():
            worker.join()
        super().shutdown(wait, cancel_futures=cancel_futures)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            call, handle, args = task
            try:
                handle(*args)
            except Exception:
                # gRPC catches what handlers raise, so this is gRPC's.
                logging.getLogger(__name__).exception("a worker went on")
            if call is not None:
                with self._count:
                    self.pending -= 1
                if not call.told:
                    # Cancelled, past its deadline, or too large: the core does not say which.
                    call.end(CANCELLED)
                    self._tell(call)
            # An idle worker must not keep the last request alive.
            del task, call, handle, args
