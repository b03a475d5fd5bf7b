"""What tracing and quotas cost a ValidateMove: a server for each way to set them, and a collector that takes all spans.

The servers share one core and take turns; caller and collector have the others. A round of a server is all the CPU time
it takes until its next turn, since spans are sent after their calls.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from subprocess import PIPE, Popen
from typing import Any

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

from bench.bursts import cpu_seconds
from bench.load import IN_FLIGHT, Load, Target
from bench.servers import bench
from bench.streams import moments, validates
from harness.serving import CORES, START_LINE, ended, port_of

WAYS: dict[str, dict[str, str]] = {
    "as it ships": {},
    # Twice, to show what is noise.
    "the same again": {},
    "traced 0 %": {"trace_share": "0"},
    "traced 1 %": {"trace_share": "0.01"},
    "traced 100 %": {"trace_share": "1"},
    "quota an address": {"calls_per_second_per_caller": "1000000"},
}


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Counts spans."""

    def __init__(self) -> None:
        self.spans = 0

    def Export(self, request: Any, _context: grpc.ServicerContext) -> Any:  # noqa: N802  # as the contract has it
        self.spans += sum(
            len(scope.spans) for resource in request.resource_spans for scope in resource.scope_spans
        )
        return trace_service_pb2.ExportTraceServiceResponse()


def collect() -> None:
    """Take spans until stdin ends, then say how many there were."""
    collector = Collector()
    server = grpc.server(ThreadPoolExecutor(2))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    print(f"{START_LINE}{server.add_insecure_port('127.0.0.1:0')}", flush=True)
    server.start()
    sys.stdin.read()
    server.stop(0).wait(5)
    print(collector.spans, flush=True)


def collector_process() -> Popen[str]:
    process = Popen([sys.executable, "-m", "bench.options", "--collect"], stdin=PIPE, stdout=PIPE, text=True)
    os.sched_setaffinity(process.pid, CORES[1:] or CORES)
    return process


def measure(load: Load, targets: dict[str, Target], rounds: int, calls: int) -> dict[str, list[float]]:
    """The CPU µs a call of each server, round by round."""
    names = list(targets)
    for target in targets.values():
        load.burst(target, calls, again=True)
    pids = {name: target.servers[0].pid for name, target in targets.items()}
    before = {name: cpu_seconds(pid) for name, pid in pids.items()}
    costs: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        # Beginning with another each time, so that none always follows the same one at the same distance.
        for name in names[number % len(names) :] + names[: number % len(names)]:
            load.burst(targets[name], calls, again=True)
        # The library sends what it has once a second.
        time.sleep(1.2)
        for name in names:
            now = cpu_seconds(pids[name])
            costs[name].append((now - before[name]) / calls * 1e6)
            before[name] = now
    return costs


def run(rounds: int, calls: int) -> None:
    requests = validates(moments(4_000, "options"))
    loads = [os.getloadavg()[0]]
    with ended(collector_process()) as collector:
        endpoint = {"otlp_endpoint": f"http://127.0.0.1:{port_of(collector)}"}
        with bench() as (load, servers):
            stream = load.stream(requests)
            targets = {}
            for name, way in WAYS.items():
                traced = endpoint if "trace_share" in way else {}
                targets[name] = Target([servers.real(way | traced).server], stream)
            costs = measure(load, targets, rounds, calls)
            loads.append(os.getloadavg()[0])
        # The servers have sent what was left.
        spans = collector.communicate()[0].strip()
    print(
        f"ValidateMove, {IN_FLIGHT} in flight, {rounds} rounds of {calls} calls each; {spans} spans; "
        f"load average {loads[0]:.1f} to {loads[1]:.1f}"
    )
    base = costs["as it ships"]
    for name, found in costs.items():
        more = sorted(cost - other for cost, other in zip(found, base, strict=True))
        low, high = more[len(more) // 4], more[-1 - len(more) // 4]
        print(
            f"  {name:17} {median(found):6.1f} µs   {median(more):+6.1f} (quartiles {low:+.1f} to {high:+.1f})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=24)
    parser.add_argument("--calls", type=int, default=400, help="calls a round")
    parser.add_argument("--collect", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.collect:
        collect()
    else:
        run(options.rounds, options.calls)


if __name__ == "__main__":
    main()
