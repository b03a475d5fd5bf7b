"""Bursts of calls that take turns, so that a noisy machine is noisy for all that is compared."""

import threading
import time
from collections.abc import Iterable, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import grpc

IN_FLIGHT = 32


class Caller(NamedTuple):
    """A method of a server, and what to send it; requests and answers are bytes, as the caller is no subject."""

    pid: int
    call: "grpc.UnaryUnaryMultiCallable[bytes, bytes]"
    payloads: Sequence[bytes]


class Cost(NamedTuple):
    """What a call took in one burst, in microseconds: of the clock, and of the server's CPU."""

    clock: float
    cpu: float


def caller(channel: grpc.Channel, pid: int, method: str, payloads: Sequence[bytes]) -> Caller:
    return Caller(pid, channel.unary_unary(method), payloads)


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has had, by the scheduler's own count."""
    times = (path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(line.split()[0]) for line in times) / 1e9


def burst(target: Caller, calls: int, in_flight: int = IN_FLIGHT) -> Cost:
    """Make some calls, so many of them at once."""
    free = threading.Semaphore(in_flight)
    failures: list[Exception] = []

    def done(future: "grpc.Future[bytes]") -> None:
        error = future.exception()
        if error is not None:
            failures.append(error)
        free.release()

    cpu, start = cpu_seconds(target.pid), time.perf_counter()
    for payload in islice(cycle(target.payloads), calls):
        free.acquire()
        target.call.future(payload, timeout=30).add_done_callback(done)
    for _ in range(in_flight):
        free.acquire()
    clock = time.perf_counter() - start
    if failures:
        raise failures[0]
    return Cost(clock / calls * 1e6, (cpu_seconds(target.pid) - cpu) / calls * 1e6)


def warm_up(callers: Iterable[Caller], calls: int) -> None:
    """Connect, and fill caches."""
    for target in callers:
        burst(target, calls)


def take_turns(callers: dict[str, Caller], rounds: int, calls: int) -> dict[str, list[Cost]]:
    """Let callers make bursts by turns, forth and back, so that none always follows the same one."""
    costs: dict[str, list[Cost]] = {name: [] for name in callers}
    warm_up(callers.values(), calls)
    for number in range(rounds):
        for name in list(callers) if number % 2 else reversed(callers):
            costs[name].append(burst(callers[name], calls))
    return costs


class Ratio(NamedTuple):
    """How many times the cost of one thing another has, over pairs of bursts: the middle, and the quartiles."""

    middle: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f} (quartiles {self.low:.2f} to {self.high:.2f})"


def ratio(costs: Sequence[float], others: Sequence[float]) -> Ratio:
    """The ratios of costs to other costs, pair by pair."""
    pairs = [cost / other for cost, other in zip(costs, others, strict=True)]
    low, _, high = quantiles(pairs, n=4)
    return Ratio(median(pairs), low, high)
