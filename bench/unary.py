"""Unary ValidateMove against an echo of the same messages: calls a second, and the server's CPU time a call.

Both hang on one server process, on one core; the caller has another. The real server, with its gate, logs and
metrics, is a second process on that same core and takes its turn.
"""

import argparse
import sys
import tempfile
from statistics import median

import grpc

from bench.bursts import IN_FLIGHT, Caller, Cost, caller, ratio, take_turns
from bench.echo_server import ECHO_SERVICE
from bench.positions import RULE_SETS, legal_request, mid_hand
from harness.serving import port_of, serving, started_apart

SERVICE = "tarneeb.v1.TarneebService"
GOAL = 0.80


def payloads() -> list[bytes]:
    """Legal moves of many hands, four of each rule set, so that no cache sees the same hand each time."""
    return [
        legal_request(mid_hand(rule_set, seed=seed)).SerializeToString()
        for seed in range(4)
        for rule_set in RULE_SETS
    ]


def measure(rounds: int, calls: int) -> dict[str, list[Cost]]:
    """Compare the echo, the bare servicer and the real server."""
    requests = payloads()
    command = [sys.executable, "-m", "bench.echo_server"]
    with (
        tempfile.TemporaryFile("w") as log,
        started_apart(command) as echo,
        serving(log, metrics_port="auto", metrics_host="127.0.0.1", log_level="info") as real,
        grpc.insecure_channel(f"127.0.0.1:{port_of(echo)}") as bare_channel,
        grpc.insecure_channel(f"127.0.0.1:{real.port}") as real_channel,
    ):
        callers: dict[str, Caller] = {
            "echo": caller(bare_channel, echo.pid, f"/{ECHO_SERVICE}/ValidateMove", requests),
            "bare servicer": caller(bare_channel, echo.pid, f"/{SERVICE}/ValidateMove", requests),
            "real server": caller(real_channel, real.pid, f"/{SERVICE}/ValidateMove", requests),
        }
        return take_turns(callers, rounds, calls)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--calls", type=int, default=600, help="calls a burst")
    options = parser.parse_args(arguments)
    costs = measure(options.rounds, options.calls)
    size = len(payloads()[0])
    print(
        f"unary: ValidateMove mid-hand, {size} bytes, {IN_FLIGHT} in flight, {options.rounds} bursts of {options.calls}"
    )
    for name, bursts in costs.items():
        rate = 1e6 / median(cost.clock for cost in bursts)
        print(f"  {name:14} {rate:7.0f} calls/s  {median(cost.cpu for cost in bursts):6.1f} µs CPU a call")
    for name in ("bare servicer", "real server"):
        ours, echo = costs[name], costs["echo"]
        by_clock = ratio([cost.clock for cost in echo], [cost.clock for cost in ours])
        by_cpu = ratio([cost.cpu for cost in echo], [cost.cpu for cost in ours])
        print(f"  {name} / echo: calls/s {by_clock}, calls per CPU second {by_cpu}; goal {GOAL:.2f}")


if __name__ == "__main__":
    main()
