"""The threads that serve, and those who hold one without saying anything.

gRPC runs a call on a thread of a pool as soon as it arrives, and waits for its message there. A caller who sends none
would hold the thread, and a few of them would hold all: four silent calls stopped four threads for good. So methods
are hung on the server as if their request were a stream, which costs nothing, and lets us hang up on such callers.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import grpc

# Seconds between two looks at who is silent; whoever is so at the second one is.
PATIENCE = 0.1
# Seconds that a call may hold a thread without a message while there are others.
MOST_SILENCE = 10.0


class Executor:
    """A pool of threads of the standard library, and a watch over the calls on it that have sent nothing yet."""

    def __init__(self, name: str, threads: int) -> None:
        """Start with the first call; there are at most so many ``threads``."""
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        # Half of the threads may be held; for the others the longest silent make room.
        self._most_silent = threads // 2
        self._silent: dict[grpc.ServicerContext, float] = {}
        self._closed = threading.Event()
        self._watch = threading.Thread(target=self._watch_on, name=f"{name} watch", daemon=True)
        self._watch.start()

    def message_of(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> bytes | None:
        """Return the message of a call; none when it never came."""
        self._silent[context] = monotonic()
        try:
            return next(requests, None)
        except grpc.RpcError:
            # Cancelled: by the caller, by his deadline, or by the watch.
            return None
        finally:
            del self._silent[context]

    def close(self) -> None:
        """Start no more calls."""
        self._closed.set()
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _watch_on(self) -> None:
        while not self._closed.wait(PATIENCE):
            now = monotonic()
            silent = [
                (since, context) for context, since in self._silent.copy().items() if now - since > PATIENCE
            ]
            silent.sort(key=lambda held: held[0])
            too_many = len(silent) - self._most_silent
            for number, (since, context) in enumerate(silent):
                if number < too_many or now - since > MOST_SILENCE:
                    context.cancel()
