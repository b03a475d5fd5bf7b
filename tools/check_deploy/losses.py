"""How many calls are lost behind Envoy when a backend dies or hangs: bounded load, on loopback."""

import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tools.check_deploy.calls import SECONDS, a_request
from tools.check_deploy.gateway import envoy
from tools.check_deploy.processes import Service, service

CALLERS = 16
# What docs/operations.md tells callers to wait for a move.
DEADLINE_SECONDS = 2.0
BEFORE_SECONDS, AFTER_SECONDS = 1.5, 5.0
# Of what one of two backends had when it went; without a retry budget it is thousands, or all of it.
MOST_LOST = 3
LEAST_MADE = 500


@dataclass
class Load:
    """Calls that were made, those that were lost by their status, and the longest time of one in seconds."""

    made: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0

    def add(self, seconds: float, code: str | None) -> None:
        self.made += 1
        self.slowest = max(self.slowest, seconds)
        if code:
            self.lost[code] += 1

    def __str__(self) -> str:
        codes = ", ".join(f"{count} {code}" for code, count in sorted(self.lost.items()))
        return f"{self.lost.total()} of {self.made} lost{f' ({codes})' if codes else ''}, slowest {self.slowest:.1f} s"


@contextmanager
def load(address: str, callers: int = CALLERS) -> Iterator[Load]:
    """Call without a break from so many callers, each with a connection of its own, while the block runs."""
    done, lock, total = threading.Event(), threading.Lock(), Load()

    def call() -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        with grpc.insecure_channel(address, options) as channel:
            stub = TarneebServiceStub(channel)
            request = a_request(stub)
            while not done.is_set():
                began, code = time.monotonic(), None
                try:
                    stub.ValidateMove(request, timeout=DEADLINE_SECONDS)
                except grpc.RpcError as error:
                    code = error.code().name
                with lock:
                    total.add(time.monotonic() - began, code)

    threads = [threading.Thread(target=call) for _ in range(callers)]
    for thread in threads:
        thread.start()
    try:
        yield total
    finally:
        done.set()
        for thread in threads:
            thread.join(SECONDS + 5)


def lose(address: str, backend: Service, how: signal.Signals) -> Load:
    """Send a backend a signal in the middle of load."""
    with load(address) as total:
        time.sleep(BEFORE_SECONDS)
        backend.process.send_signal(how)
        time.sleep(AFTER_SECONDS)
    return total


def check(program: Path) -> str:
    """Kill one of two backends, and hang one, under load."""
    found = []
    for how, name in ((signal.SIGKILL, "killed"), (signal.SIGSTOP, "hung")):
        with ExitStack() as stack:
            services = [stack.enter_context(service()) for _ in range(2)]
            gateway = stack.enter_context(envoy(program, services))
            try:
                total = lose(gateway.address, services[0], how)
            finally:
                # A program that is stopped hears no SIGTERM.
                services[0].process.kill()
        found.append(f"one of two backends {name}: {total}")
        if total.lost.total() > MOST_LOST or total.made < LEAST_MADE:
            raise RuntimeError(f"more than {MOST_LOST} lost, or fewer than {LEAST_MADE} made; {found[-1]}")
    return "; ".join(found)
