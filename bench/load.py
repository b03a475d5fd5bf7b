"""The load client in C++, driven line by line: bursts of prepared requests, and what they cost the servers."""

import json
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench.bursts import cpu_seconds, ratio
from bench.programs import build
from bench.streams import Request, write
from harness.serving import CORES, Server, ended, keep_to

# As many calls at once as four callers' threads, on as few connections as a backend has.
IN_FLIGHT, CONNECTIONS = 32, 4


@dataclass(frozen=True, slots=True)
class Burst:
    """What some calls came to; times of a call in microseconds."""

    calls: int
    seconds: float
    # Of all the server's processes, a call.
    cpu: float
    # Of the client, as a share of one core.
    client_share: float
    p50: float
    p99: float
    # Not answered with OK, where that is allowed.
    errors: int

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.seconds


@dataclass
class Target:
    """Servers, and the stream of calls that goes on with each burst to them.

    Of several servers each call takes one by lot; port 0 is a process behind another one's port.

    ``prime`` is a stream with a request for each of its moves: what is sent before a burst, and is part of no time.
    """

    servers: Sequence[Server]
    stream: str
    prime: str = ""
    connections: int = CONNECTIONS
    # What one request counts as: a batch is a hundred moves.
    worth: int = 1
    place: int = field(default=0, init=False)


class FailedCallsError(Exception):
    """Calls were not answered."""


class Load:
    """A running load client."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self._process, self._folder = process, folder
        self._lengths: dict[str, int] = {}

    def stream(self, requests: Iterable[Request]) -> str:
        """Give the client a stream; return its name."""
        name = f"stream-{len(self._lengths)}"
        path = self._folder / name
        write(path, requests)
        self._lengths[name] = int(self._ask(f"stream {name} {path}")["requests"])
        path.unlink()
        return name

    def burst(
        self,
        target: Target,
        calls: int,
        *,
        rate: float = 0.0,
        in_flight: int = IN_FLIGHT,
        again: bool = False,
        primed: bool = False,
        allowed: bool = False,
        ids: bool = False,
    ) -> Burst:
        """Send the next calls of the target's stream, as fast as answers come or so many a second.

        ``again`` lets a stream begin anew at its end: its snapshots are then known. ``primed`` says that ``prime`` was
        called for these. ``allowed`` takes errors for answers. ``ids`` gives half the calls request ids.
        """
        if not again and target.place + calls > self._lengths[target.stream]:
            raise ValueError(f"{target.stream} has {self._lengths[target.stream]} requests, too few")
        if target.prime and not primed:
            self.prime(target, calls)
        command = f"burst {target.stream} {target.place} {calls} {in_flight} {rate} {_to(target, ids=ids)}"
        target.place += calls
        before = sum(cpu_seconds(server.pid) for server in target.servers)
        told = self._sent(command, allowed=allowed)
        cpu = sum(cpu_seconds(server.pid) for server in target.servers) - before
        count = calls * target.worth
        return Burst(
            count,
            told["seconds"],
            cpu / count * 1e6,
            told["client_cpu"] / told["seconds"],
            told["p50"],
            told["p99"],
            sum(told["errors"].values()),
        )

    def prime(self, target: Target, calls: int) -> None:
        """Show the servers the snapshots of the next burst, as the answers they were."""
        place, count = target.place * target.worth, calls * target.worth
        self._sent(f"burst {target.prime} {place} {count} {IN_FLIGHT} 0 {_to(target)}", allowed=False)

    def _sent(self, command: str, *, allowed: bool) -> dict[str, Any]:
        told = self._ask(command)
        if told["errors"] and not allowed:
            raise FailedCallsError(f"by status code: {told['errors']}; the first: {told['first_error']}")
        return told

    def _ask(self, command: str) -> dict[str, Any]:
        process = self._process
        assert process.stdin
        assert process.stdout
        process.stdin.write(command + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the load client ended at: {command}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def _to(target: Target, *, ids: bool = False) -> str:
    ports = " ".join(str(server.port) for server in target.servers if server.port)
    return f"{target.connections} {int(ids)} {ports}"


@contextmanager
def load_client(folder: Path, cores: Sequence[int] | None = None) -> Iterator[Load]:
    """Run the load client on all cores but the first, or on these; its streams pass through this folder."""
    program = build("load")
    keep_to(list(CORES[1:] or CORES if cores is None else cores))
    try:
        process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    finally:
        keep_to(CORES)
    with ended(process):
        yield Load(process, folder)


def take_turns(
    load: Load, targets: dict[str, Target], rounds: int, calls: int, warm_up: int = 2
) -> dict[str, list[Burst]]:
    """Let targets have bursts of so many moves by turns, forth and back, so that none always follows the same one."""
    bursts: dict[str, list[Burst]] = {name: [] for name in targets}
    for number in range(-warm_up, rounds):
        for name in list(targets) if number % 2 else reversed(targets):
            done = load.burst(targets[name], calls // targets[name].worth)
            if number >= 0:
                bursts[name].append(done)
    return bursts


def told(bursts: dict[str, list[Burst]], base: str) -> dict[str, Any]:
    """What is written of bursts that took turns: medians, and the ratio to those of ``base``; more is faster."""
    found = {}
    for name, ours in bursts.items():
        by_cpu = ratio([burst.cpu for burst in bursts[base]], [burst.cpu for burst in ours])
        by_clock = ratio([1 / burst.rate for burst in bursts[base]], [1 / burst.rate for burst in ours])
        found[name] = {
            "calls_per_second": round(median(burst.rate for burst in ours)),
            "cpu_us": round(median(burst.cpu for burst in ours), 1),
            "p50_us": round(median(burst.p50 for burst in ours)),
            "p99_us": round(median(burst.p99 for burst in ours)),
            "client_share": round(median(burst.client_share for burst in ours), 2),
            "ratio_by_cpu": [round(part, 3) for part in by_cpu],
            "ratio_by_clock": [round(part, 3) for part in by_clock],
        }
    return found
