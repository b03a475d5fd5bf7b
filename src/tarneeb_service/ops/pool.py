"""The workers: a thread pool with less in it than Python's, which saves a call 7 % of its time."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from tarneeb_service.ops.calls import CANCELLED, Call, Tell

# Seconds in which no call ended though some wait, after which one more worker is started: those at work may
# be long, or wait for a message that never comes, since gRPC waits for it on the worker.
PATIENCE = 0.1
# A call's record, if it has one, and what to do; nothing ends a worker.
Task = tuple[Call | None, Callable[..., Any], tuple[Any, ...]] | None


class _Unwatched(Future[Any]):
    """What gRPC gets for a call. It would count calls with it, for a limit that is not used here."""

    def add_done_callback(self, fn: Callable[[Future[Any]], object]) -> None:
        """Forget it, since this future is shared by all calls and never done."""


class Pool(ThreadPoolExecutor):
    """It knows how many calls wait or run, and tells of those that end before a handler sees them.

    Workers that are stuck get help: spare ones, which go once enough others are free.
    An executor in name, because gRPC asks for one; it makes no futures, whose locks cost more than the queue.
    """

    def __init__(self, threads: int, most: int, tell: Tell) -> None:
        """Start ``threads`` workers, of which there may be ``most`` later.

        ``tell`` is told of calls that no handler saw.
        """
        super().__init__(threads)
        # Set by the gate just before gRPC submits the call, on the same thread.
        self.arriving: Call | None = None
        self.pending = 0
        self._ended = 0
        self._count = threading.Lock()
        self._usual, self._most, self._tell = threads, most, tell
        self._tasks: SimpleQueue[Task] = SimpleQueue()
        self._future = _Unwatched()
        self._waiting, self._closed = threading.Event(), False
        self._workers: set[threading.Thread] = set()
        for number in range(threads):
            self._start(f"worker {number}", spare=False)
        threading.Thread(target=self._watch, name="pool watch", daemon=True).start()

    @property
    def workers(self) -> int:
        """How many threads there are now."""
        return len(self._workers)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_kwargs: Any) -> Future[Any]:
        """Queue a call; gRPC names no arguments."""
        call, self.arriving = self.arriving, None
        if call is not None:
            with self._count:
                self.pending += 1
        self._tasks.put((call, fn, args))
        if not self._waiting.is_set():
            self._waiting.set()
        return self._future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers once the queue is empty, or drop what is in it first."""
        self._closed = True
        self._waiting.set()
        with suppress(Empty):
            while cancel_futures:
                self._tasks.get_nowait()
        with self._count:
            workers = list(self._workers)
        for _ in workers:
            self._tasks.put(None)
        for worker in workers if wait else ():
            worker.join()
        super().shutdown(wait, cancel_futures=cancel_futures)

    def _start(self, name: str, *, spare: bool) -> None:
        # A daemon: a handler that hangs must not keep the process.
        worker = threading.Thread(target=self._work, name=name, args=(spare,), daemon=True)
        with self._count:
            self._workers.add(worker)
        worker.start()

    def _watch(self) -> None:
        while not self._closed:
            self._waiting.wait()
            # First, so that a call that comes now is seen below or sets it anew.
            self._waiting.clear()
            ended = self._ended
            time.sleep(PATIENCE)
            if self._tasks.empty():
                continue
            self._waiting.set()
            if self._ended == ended and len(self._workers) < self._most and not self._closed:
                self._start("spare worker", spare=True)

    def _work(self, spare: bool) -> None:
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
                    self._ended += 1
                if not call.told:
                    # Cancelled, past its deadline, or too large: the core does not say which.
                    call.end(CANCELLED)
                    self._tell(call)
            # An idle worker must not keep the last request alive.
            del task, call, handle, args
            if spare and len(self._workers) - self.pending > self._usual:
                break
        with self._count:
            self._workers.discard(threading.current_thread())
