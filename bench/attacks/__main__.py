"""Attacks a real server with its default settings, one way after another, with normal calls beside each.

The normal calls are those of the documented client. Liveness is asked on the probes' port as a kubelet would, with a
second's patience. Each attack has a server of its own, pinned to the first core; it takes about a quarter of a minute.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bench.attacks.kinds import ATTACKS
from bench.callers import Callers, Tally
from harness.service_process import ServiceProcess

# Seconds of normal calls before an attack, and after it.
BEFORE, AFTER = 2.0, 6.0
# A call is slow that takes ten times the usual, and longer than this.
SLOW = 0.1


@dataclass
class Result:
    """What an attack did."""

    name: str
    done: int
    before: Tally
    during: Tally
    liveness: Counter[bool]
    memory: tuple[float, float]
    recovery: float

    def text(self) -> str:
        during = self.during
        return (
            f"| {self.name} | {self.done} | {during.lost_text()} | {self.before.percentile(0.99) * 1000:.0f} → "
            f"{during.percentile(0.99) * 1000:.0f} | {during.slowest * 1000:.0f} "
            f"| {self.liveness[False]} of {self.liveness.total()} "
            f"| {self.memory[0]:.0f} → {self.memory[1]:.0f} | {self.recovery:.1f} | {os.getloadavg()[0]:.1f} |"
        )


HEAD = "| attack | done | calls lost | p99, ms | slowest, ms | liveness failed | memory, MiB | recovery, s | load |"


def peak_memory(pid: int) -> float:
    """The most memory that a process has had, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def run(name: str, seconds: float, source: str = "", settings: dict[str, object] | None = None) -> Result:
    """Attack a server of its own; ``source`` is where another checkout keeps its code."""
    chosen: dict[str, object] = {"TARNEEB_HEALTH_PORT": 0, **(settings or {})}
    if source:
        chosen["PYTHONPATH"] = source
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        os.sched_setaffinity(0, cores[:1])
        try:
            service = ServiceProcess(Path(folder), chosen)
        finally:
            os.sched_setaffinity(0, cores[1:] or cores)
        try:
            with service:
                return _attack(name, seconds, service)
        finally:
            os.sched_setaffinity(0, cores)


def _attack(name: str, seconds: float, service: ServiceProcess) -> Result:
    port = service.port
    health_port = service.started().get("health_port") or port
    with Callers([port], pause=0.005) as callers, _liveness(health_port) as alive:
        time.sleep(BEFORE)
        memory = peak_memory(service.pid)
        with _attacker(name, port, seconds) as attacker:
            # Once it is ready, and once its time is up; it may take longer to end.
            attacker.readline()
            alive.clear()
            start = time.monotonic()
            done = int(attacker.readline() or -1)
            attacked, end = Counter(alive), time.monotonic()
        assert done >= 0, "the attacker failed"
        time.sleep(AFTER)
        assert service.process.poll() is None, service.raw_log()[-2_000:]
        peak = peak_memory(service.pid)
    before = callers.tally.between(0, start)
    usual = max(10 * before.percentile(0.5), SLOW)
    after = callers.tally.between(end, float("inf")).calls
    recovery = max((call.end - end for call in after if call.code or call.seconds > usual), default=0.0)
    return Result(
        name,
        done,
        before,
        callers.tally.between(start, end + 0.1),
        attacked,
        (memory, peak),
        recovery,
    )


@contextmanager
def _attacker(name: str, port: int, seconds: float) -> Iterator[IO[str]]:
    """Attack from a process of its own; what it says is given."""
    command = [sys.executable, "-m", "bench.attacks", "--attack", name, "--port", str(port)]
    process = subprocess.Popen([*command, "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield process.stdout
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


@contextmanager
def _liveness(port: int) -> Iterator[Counter[bool]]:
    """Ask whether the process is alive, each time on a new connection, until the block ends."""
    answers: Counter[bool] = Counter()
    stop = threading.Event()

    def ask() -> None:
        request = health_pb2.HealthCheckRequest(service="liveness")
        while not stop.wait(0.25):
            with grpc.insecure_channel(
                f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]
            ) as channel:
                stub: Any = health_pb2_grpc.HealthStub(channel)
                try:
                    stub.Check(request, timeout=1)
                    answers[True] += 1
                except grpc.RpcError:
                    answers[False] += 1

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield answers
    finally:
        stop.set()
        thread.join(10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(ATTACKS)}; all of them by default")
    parser.add_argument("--seconds", type=float, default=6.0, help="how long each goes on")
    parser.add_argument("--source", default="", help="the src folder of another checkout, to compare with")
    parser.add_argument(
        "--set", action="append", default=[], metavar="VARIABLE=VALUE", help="a setting of the server"
    )
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack:
        print("ready", flush=True)
        print(ATTACKS[options.attack](options.port, options.seconds), flush=True)
        # Connections and threads that hang are of no more use.
        os._exit(0)
    if unknown := set(options.names) - set(ATTACKS):
        parser.error(f"no such attack: {', '.join(unknown)}")
    settings: dict[str, object] = dict(text.split("=", 1) for text in options.set)
    print(HEAD)
    print("| --- " * HEAD.count(" | ") + "| --- |")
    for name in options.names or ATTACKS:
        print(run(name, options.seconds, options.source, settings).text(), flush=True)


if __name__ == "__main__":
    main()
