"""The threads that serve, and those who hold one without saying anything.

gRPC runs a call on a thread of a pool as soon as it arrives, and waits for its message there. A caller who sends none
would hold the thread, and a few of them would hold all: four silent calls stopped four threads for good. So methods
are hung on the server as if their request were a stream, which costs nothing, and lets us hang up on such callers.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

# Seconds between two looks at who is silent. A call is so once two looks have found it so: looks are counted, not time,
# so that a machine that stalled takes nobody for silent.
LOOK = 0.1
# Looks after which a silent call is hung up on although there are threads for others: ten seconds.
MOST_LOOKS = 100


class Executor:
    """A pool of threads of the standard library, and a watch over the calls on it that have sent nothing yet."""

    def __init__(self, name: str, threads: int) -> None:
        """Start with the first call; there are at most so many ``threads``."""
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._threads, self._look = threads, 0
        # Calls that wait for their message, and the look before they began to.
        self._waiting: dict[grpc.ServicerContext, int] = {}
        self._closed = threading.Event()
        threading.Thread(target=self._watch_on, name=f"{name} watch", daemon=True).start()

    def message_of(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes | None:
        """Return the message of a call; none when it never came."""
        self._waiting[context] = self._look
        try:
            return next(requests, None)
        except grpc.RpcError:
            # Cancelled: by the caller, by his deadline, or by the watch.
            return None
        finally:
            del self._waiting[context]

    def close(self) -> None:
        """Start no more calls."""
        self._closed.set()
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _watch_on(self) -> None:
        while not self._closed.wait(LOOK):
            self._look += 1
            looks = {context: self._look - since for context, since in self._waiting.copy().items()}
            silent = [context for context, count in looks.items() if count > 2]
            # When they hold half of the threads, all of them make room.
            crowded = 2 * len(silent) > self._threads
            for context in silent:
                if crowded or looks[context] > MOST_LOOKS:
                    context.cancel()
