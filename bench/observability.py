"""What settings, gate, logs and metrics cost a call: the service as it ships against its bare servicer.

The servers run in one process pinned to one core, the caller on another, in short bursts that take turns, so
that a noisy machine is noisy for all. The measure is the server's CPU time a call, from the
kernel. It takes about a minute.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc

from bench.bursts import cpu_seconds
from bench.positions import legal_request, mid_hand
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import add_TarneebServiceServicer_to_server
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.servicer import Servicer
from tarneeb_service.server.server import RunningServer
from tarneeb_service.server.settings import Settings
from tarneeb_service.telemetry.calls import CURRENT, Call
from tarneeb_service.telemetry.logs import Log

METHOD = "/tarneeb.v1.TarneebService/ValidateMove"
IN_FLIGHT = 16


def serve(log_file: str) -> None:
    """Serve all variants in one process, each on its port, until stdin ends."""
    bare = grpc.server(ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
    add_TarneebServiceServicer_to_server(Servicer(lambda _error, _context: ""), bare)
    ports = {"bare": bare.add_insecure_port("127.0.0.1:0")}
    bare.start()
    # One that is not kept is not served.
    servers = []
    with Path(log_file).open("w") as file:
        for name, sample in (("gate", 0.0), ("counts", 0.0), ("all", 1.0)):
            log = Log(file, json=True, level="info")
            settings = Settings(host="127.0.0.1", port=0, metrics_port=0, log_sample=sample)
            servers.append(RunningServer(settings, log))
            ports[name] = servers[-1].port
            log.start()
            if name == "gate":
                # It lets calls in and gives ids back, and nothing is told of them.
                for watched in servers[-1].watched.values():
                    watched.tell = lambda _call: None
        print(json.dumps(ports), flush=True)
        sys.stdin.read()
        os._exit(0)


@contextmanager
def running(core: int) -> Iterator[tuple[int, dict[str, int]]]:
    """Run the servers on one core; give their process id and their ports."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.observability", "--serve", f"{folder}/log"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            # Before it makes a thread.
            os.sched_setaffinity(process.pid, {core})
            assert process.stdout
            yield process.pid, json.loads(process.stdout.readline())
        finally:
            process.kill()
            process.wait(10)


METADATA = (("user-agent", "grpc-python/1.85"),)


class FakeContext:
    """As much of gRPC's context as a successful call uses."""

    def set_trailing_metadata(self, metadata: object) -> None:
        """Send nothing."""

    def peer(self) -> str:
        return "ipv4:127.0.0.1:50000"


def in_process(request: pb.ValidateMoveRequest, calls: int = 5_000, rounds: int = 9) -> float:
    """The CPU µs that a record, its counts and its line take a call, without gRPC; the median of some rounds."""
    data, response, context = request.SerializeToString(), methods.validate_move(request), FakeContext()
    with Path(os.devnull).open("w") as file:
        log = Log(file, json=True, level="info")
        log.start()
        server = RunningServer(Settings(host="127.0.0.1", port=0, metrics_port=0), log)
        watched = server.watched[METHOD]
        answer: Any = lambda _request, _context: response  # noqa: E731  # no judging here
        watched.behavior = answer
        handle: Any = watched
        costs = []
        for _ in range(rounds):
            began = time.process_time()
            for _ in range(calls):
                CURRENT.set(Call(watched.counts, METADATA))
                handle(data, context)
            server.tell()
            told = time.process_time()
            for _ in range(calls):
                answer(pb.ValidateMoveRequest.FromString(data), context).SerializeToString()
            costs.append((2 * told - began - time.process_time()) / calls * 1e6)
        server.stop(threading.Event())
        log.close()
    return statistics.median(costs)


def burst(call: Callable[..., bytes], payload: bytes, seconds: float) -> int:
    """Call for so long with IN_FLIGHT calls at once; return how many were answered."""
    end = time.monotonic() + seconds

    def work(_number: int) -> int:
        call(payload, timeout=10)
        count = 1
        while time.monotonic() < end:
            call(payload, timeout=10)
            count += 1
        return count

    with ThreadPoolExecutor(IN_FLIGHT) as threads:
        return sum(threads.map(work, range(IN_FLIGHT)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    request = legal_request(mid_hand("saharat_classic"))
    payload = request.SerializeToString()
    print(f"in process, a call: {in_process(request):.1f} µs for its record, counts and line")
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, set(cores[1:]) or set(cores))
    costs: dict[str, list[float]] = {}
    with running(cores[0]) as (pid, ports), ExitStack() as channels:
        calls: dict[str, Callable[..., bytes]] = {
            name: channels.enter_context(grpc.insecure_channel(f"127.0.0.1:{port}")).unary_unary(METHOD)
            for name, port in ports.items()
        }
        for name, call in calls.items():
            burst(call, payload, 1)
            costs[name] = []
        for number in range(options.rounds):
            # Forth and back, so that none always follows the same one.
            for name in list(calls) if number % 2 else reversed(calls):
                before = cpu_seconds(pid)
                done = burst(calls[name], payload, options.seconds)
                costs[name].append((cpu_seconds(pid) - before) / done * 1e6)
    print(f"CPU time of the server a ValidateMove call, {IN_FLIGHT} in flight, {options.rounds} bursts each")
    for name, values in costs.items():
        pairs = list(zip(values, costs["bare"], strict=True))
        ratio = statistics.median(value / base for value, base in pairs)
        more = statistics.median(value - base for value, base in pairs)
        print(f"{name:10} {statistics.median(values):6.1f} µs   × {ratio:.3f}   {more:+5.1f} µs")


if __name__ == "__main__":
    main()
