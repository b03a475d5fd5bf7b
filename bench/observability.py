"""What metrics and log lines cost a call: the server as it ships, and the same with one of them taken out.

All variants serve in one process pinned to one core, the caller keeps to another, in short bursts that take turns, so
that a noisy machine is noisy for all. The measure is the process's CPU time a call, from the kernel. Beside them is a
bare server: gRPC's own with plain handlers. It takes about two minutes.
"""

import argparse
import gc
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import grpc

from bench.bursts import Caller, Cost, caller, take_turns
from bench.echo_server import THREADS, bare_handlers
from bench.positions import legal_request, mid_hand
from tarneeb_service.rpc.dispatch import SERVICE, dispatch, methods_table
from tarneeb_service.server import server as server_module
from tarneeb_service.server.lifecycle import lines_per_second
from tarneeb_service.server.settings import Settings
from tarneeb_service.telemetry.access_log import Reporter
from tarneeb_service.telemetry.call import OK, Call
from tarneeb_service.telemetry.log import Log
from tarneeb_service.telemetry.metrics import Metrics

METHOD = "ValidateMove"
METRICS_GOAL, LINES_GOAL = 8.0, 5.0
# Calls a second that the goals are for, and the share of them that has a line by default, 100 a second.
RATE = 5_000
SHARE = 100 / RATE
# Lines a second: as many as there are calls, that share of a burst, which is about what a second has here, or none.
ALL, SOME, NONE = 1_000_000, -1, 0
METADATA = (("user-agent", "grpc-python/1.85"), ("x-request-id", "bench-7"))


class Uncounted(Metrics):
    """Metrics that count no call."""

    def method(self, _name: str) -> Any:
        return NOTHING

    def move(self, _key: object) -> None:
        """Count nothing."""


class Nothing:
    """Stands for all series of a method."""

    def __init__(self) -> None:
        self.started = self.seconds = self

    def handled(self, _code: int) -> "Nothing":
        return self

    def inc(self) -> None:
        """Count nothing."""

    def observe(self, _seconds: float, _exemplar: object = None) -> None:
        """Count nothing."""


NOTHING = Nothing()


class Silent(Reporter):
    """Tells nothing of any call."""

    def arrived(self, _method: str) -> None:
        """Tell nothing."""

    def ended(self, _call: Call, _peer: object) -> None:
        """Tell nothing."""


# By name: the metrics, who reports, and how many lines a second.
VARIANTS: dict[str, tuple[type[Metrics], type[Reporter], int]] = {
    "as it ships": (Metrics, Reporter, SOME),
    "a line for every call": (Metrics, Reporter, ALL),
    "no lines": (Metrics, Reporter, NONE),
    "no metrics": (Uncounted, Reporter, SOME),
    "neither": (Metrics, Silent, NONE),
}


def reporting(kind: type[Metrics], lines: int, burst: int, stream: Any) -> tuple[Settings, Metrics, Log]:
    """Settings, metrics and log of a variant; one without lines does not even ask whether there is room."""
    level = "info" if lines else "error"
    lines = int(burst * SHARE) if lines == SOME else lines
    settings = Settings(
        host="127.0.0.1",
        port=0,
        metrics_port=0,
        health_port=0,
        log_successes_per_second=lines,
        log_level=level,
    )
    metrics = kind(SERVICE, methods_table())
    log = Log(stream, metrics, json=True, level=level, most=lines_per_second(settings))
    return settings, metrics, log


def serve(log_file: str, burst: int) -> None:
    """Serve all variants in one process, each on its port, until stdin ends."""
    bare = grpc.server(
        ThreadPoolExecutor(THREADS), handlers=[bare_handlers()], options=[("grpc.so_reuseport", 0)]
    )
    ports = {"bare": bare.add_insecure_port("127.0.0.1:0")}
    bare.start()
    # One that is not kept is not served.
    servers = []
    with Path(log_file).open("wb") as file:
        for name, (kind, reporter, lines) in VARIANTS.items():
            with mock.patch.object(server_module, "Reporter", reporter):
                servers.append(server_module.Server(*reporting(kind, lines, burst, file)))
            ports[name] = servers[-1].port
        # As the real one does.
        gc.freeze()
        print(json.dumps(ports), flush=True)
        sys.stdin.read()
        os._exit(0)


@contextmanager
def running(cores: list[int], burst: int) -> Iterator[tuple[int, dict[str, int]]]:
    """Run the servers on the first core, and stay on the others; give their process id and their ports."""
    with tempfile.TemporaryDirectory() as folder:
        # A child keeps the cores of whoever starts it.
        os.sched_setaffinity(0, cores[:1])
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.observability", "--serve", f"{folder}/log", "--calls", str(burst)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        os.sched_setaffinity(0, cores[1:] or cores)
        try:
            assert process.stdout
            yield process.pid, json.loads(process.stdout.readline())
        finally:
            process.kill()
            process.wait(10)
            os.sched_setaffinity(0, cores)


def in_a_loop(calls: int = 3_000, rounds: int = 9) -> dict[str, float]:
    """The CPU µs a call of record, metrics and line, without gRPC, by variant; medians."""
    data = legal_request(mid_hand("saharat_classic")).SerializeToString()
    outcome = dispatch(methods_table()[METHOD], data, "bench-7", lambda: None)
    costs: dict[str, list[float]] = {name: [] for name in VARIANTS}
    reporters: dict[str, Reporter] = {}
    logs = []
    for name, (kind, reporter, lines) in VARIANTS.items():
        _, metrics, log = reporting(kind, lines, calls, io.BytesIO())
        logs.append(log)
        reporters[name] = reporter(metrics, log)
    for _ in range(rounds):
        for name, made in reporters.items():
            costs[name].append(_loop(partial(_tell, made, outcome), calls))
    for log in logs:
        log.close()
    return {name: statistics.median(values) for name, values in costs.items()}


def _tell(reporter: Reporter, outcome: Any) -> None:
    call = Call(SERVICE, METHOD, METADATA)
    reporter.arrived(METHOD)
    call.read_ids()
    call.outcome = outcome
    call.end(OK)
    reporter.ended(call, lambda: "ipv4:127.0.0.1:50000")


def _loop(tell: Any, calls: int) -> float:
    began = time.thread_time()
    for _ in range(calls):
        tell()
    return (time.thread_time() - began) / calls * 1e6


def measure(rounds: int, calls: int) -> dict[str, list[Cost]]:
    """Let the variants take turns."""
    payload = legal_request(mid_hand("saharat_classic")).SerializeToString()
    with running(sorted(os.sched_getaffinity(0)), calls) as (pid, ports), ExitStack() as channels:
        callers: dict[str, Caller] = {
            name: caller(
                channels.enter_context(grpc.insecure_channel(f"127.0.0.1:{port}")),
                pid,
                f"/{SERVICE}/{METHOD}",
                [payload],
            )
            for name, port in ports.items()
        }
        return take_turns(callers, rounds, calls)


def difference(costs: list[Cost], others: list[Cost]) -> str:
    """How many µs of CPU a call more, pair by pair: the median and the quartiles."""
    pairs = [cost.cpu - other.cpu for cost, other in zip(costs, others, strict=True)]
    low, middle, high = statistics.quantiles(pairs, n=4)
    return f"{middle:+.1f} µs (quartiles {low:+.1f} to {high:+.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=80)
    parser.add_argument("--calls", type=int, default=600, help="calls a burst")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.calls)
        return
    loops = in_a_loop()
    print(
        "in a loop, without gRPC, µs a call: " + ", ".join(f"{name} {us:.1f}" for name, us in loops.items())
    )
    costs = measure(options.rounds, options.calls)
    load = os.getloadavg()[0]
    print(f"CPU of the server a ValidateMove, {options.rounds} bursts of {options.calls}; load {load:.1f}")
    for name, bursts in costs.items():
        ratio = statistics.median(
            cost.cpu / bare.cpu for cost, bare in zip(bursts, costs["bare"], strict=True)
        )
        rate = 1e6 / statistics.median(cost.clock for cost in bursts)
        cpu = statistics.median(cost.cpu for cost in bursts)
        print(f"  {name:22} {cpu:6.1f} µs   × {ratio:.3f}   {rate:5.0f} calls/s")
    ships = costs["as it ships"]
    print(f"  metrics {difference(ships, costs['no metrics'])}; goal {METRICS_GOAL:.0f}")
    print(f"  lines   {difference(ships, costs['no lines'])}; goal {LINES_GOAL:.0f}")
    print(f"  a line for every call {difference(costs['a line for every call'], costs['no lines'])}")
    print(f"  both    {difference(ships, costs['neither'])}")


if __name__ == "__main__":
    main()
