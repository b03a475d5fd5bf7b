"""The threads that serve, and those who hold one without saying anything.

gRPC runs a call on a thread of a pool as soon as it arrives, and waits for its message there. A caller who sends none
would hold the thread, and a few of them would hold all: four silent calls stopped four threads for good. So methods
are hung on the server as if their request were a stream, which costs nothing, and lets us hang up on such callers.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

# Seconds between two looks at who is silent, in ordinary times and while silent callers hold half of the usual threads.
# A call is silent once three looks have found it so: looks are counted, not time, so that a machine that stalled takes
# nobody for silent.
LOOK, QUICK_LOOK = 0.1, 0.02
# Quick looks that must find nobody before all is as usual.
CALM = 50
# Looks after which a silent call is hung up on although there are threads for others: ten seconds.
MOST_LOOKS = 100
# Threads for calls that come while silent callers hold the usual ones. Not at all times: 16 threads in place of four
# cost a call a tenth more of the processor, 32 an eighth.
SPARE = 64


class Crew:
    """A pool of threads of the standard library, and the calls on it that wait for their message."""

    def __init__(self, name: str, threads: int) -> None:
        """Start ``threads`` when they are needed."""
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._threads, self._looks = threads, 0
        # And the look before they began to.
        self._waiting: dict[grpc.ServicerContext, int] = {}

    def message_of(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes | None:
        """Return the message of a call that is on this pool; none when it never came."""
        self._waiting[context] = self._looks
        try:
            return next(requests, None)
        except grpc.RpcError:
            # Cancelled: by the caller, by his deadline, or by the next function.
            return None
        finally:
            del self._waiting[context]

    def look(self) -> bool:
        """Hang up on the silent, all of them when they hold half of the threads, and say whether they do."""
        self._looks += 1
        looks = {context: self._looks - since for context, since in self._waiting.copy().items()}
        silent = [context for context, count in looks.items() if count > 2]
        crowded = 2 * len(silent) >= self._threads
        for context in silent:
            if crowded or looks[context] > MOST_LOOKS:
                context.cancel()
        return crowded


class Executor:
    """Threads for calls, and spare ones for those that come while silent callers hold the usual."""

    def __init__(self, name: str, threads: int) -> None:
        """Have as many calls at work, a message in hand, as there are usual ``threads``."""
        self._usual, self._spare = Crew(name, threads), Crew(f"{name} spare", SPARE)
        # What is at work takes memory, and more would only compete; what waits for a message does neither.
        self.at_work = threading.Semaphore(threads)
        self._crowded, self._closed = False, threading.Event()
        threading.Thread(target=self._watch_on, name=f"{name} watch", daemon=True).start()

    @property
    def crew(self) -> Crew:
        """Who is to take the next call."""
        return self._spare if self._crowded else self._usual

    def close(self) -> None:
        """Start no more calls."""
        self._closed.set()
        for crew in (self._usual, self._spare):
            crew.pool.shutdown(wait=False, cancel_futures=True)

    def _watch_on(self) -> None:
        calm = CALM
        while not self._closed.wait(QUICK_LOOK if self._crowded else LOOK):
            calm = 0 if self._usual.look() else calm + 1
            self._crowded = calm < CALM
            self._spare.look()
