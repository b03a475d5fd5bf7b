"""Ends one of two replicas after another under load, in three ways, and counts what callers lose.

Real processes. The documented client has exactly what docs/operations.md tells: its service config and a deadline of
two seconds a call; the naive one has the deadline alone. A replica ends by SIGTERM, by `kill -9`, or hangs (SIGSTOP)
until it goes on or is killed. With the defaults it takes some three minutes.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bench.callers import DOCUMENTED, NAIVE, Callers, Tally
from harness.service_process import ServiceProcess

HANDLED = (
    'grpc_server_handled_total{grpc_code="OK",grpc_method="ValidateMove"'
    ',grpc_service="tarneeb.v1.TarneebService",grpc_type="unary"}'
)
CLIENTS = {"documented": DOCUMENTED, "naive": NAIVE}
ENDS = ("sigterm", "kill", "hang")
CALLERS = 8
# Seconds that a replica hangs, about what a liveness probe with three failures in a row takes at its shortest.
HANG = 6.0


@dataclass
class Result:
    """What came of it."""

    client: str
    end: str
    ends: int
    tally: Tally = field(default_factory=Tally)
    exit_codes: list[int] = field(default_factory=list)

    def text(self) -> str:
        tally = self.tally
        return (
            f"| {self.client} | {self.end} × {self.ends} | {tally.lost_text()} | {tally.percentile(0.99) * 1000:.0f} "
            f"| {tally.slowest * 1000:.0f} | {sorted(set(self.exit_codes))} | {os.getloadavg()[0]:.1f} |"
        )


def run(client: str, end: str, ends: int, settings: dict[str, object] | None = None) -> Result:
    """End replicas one after another and return what callers saw; settings are the server's, by variable."""
    result = Result(client, end, ends)
    chosen = {"TARNEEB_DRAIN_SECONDS": 5, "TARNEEB_LOG_SUCCESSES_PER_SECOND": 0, **(settings or {})}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        replicas = [ServiceProcess(folder, chosen) for _ in range(2)]
        try:
            with Callers([replica.port for replica in replicas], CLIENTS[client], threads=CALLERS) as callers:
                for number in range(ends):
                    index = _in_use(replicas, number)
                    old = replicas[index]
                    if not _end(old, end, result, number):
                        continue
                    replicas[index] = ServiceProcess(folder, {**chosen, "TARNEEB_PORT": old.port})
                    if client == "documented":
                        # As a Deployment does, which ends a pod only once the next is ready and known.
                        _wait_for_calls(replicas[index])
            result.tally = callers.tally
        finally:
            for replica in replicas:
                replica.kill()
    return result


def _end(replica: ServiceProcess, end: str, result: Result, number: int) -> bool:
    """End a replica, and say whether it is gone."""
    if end == "hang":
        replica.process.send_signal(signal.SIGSTOP)
        time.sleep(HANG)
        if number % 2:
            replica.process.send_signal(signal.SIGCONT)
            time.sleep(2)
            return False
    replica.process.send_signal(signal.SIGTERM if end == "sigterm" else signal.SIGKILL)
    result.exit_codes.append(replica.wait())
    return True


def _in_use(replicas: list[ServiceProcess], number: int) -> int:
    """Which replica to end: by turns, but none that nobody calls, which would show nothing."""
    before = [replica.sample(HANDLED) for replica in replicas]
    time.sleep(0.5)
    called = [index for index, replica in enumerate(replicas) if replica.sample(HANDLED) - before[index] > 10]
    assert called, "nobody calls"
    return called[number % len(called)]


def _wait_for_calls(replica: ServiceProcess) -> None:
    end = time.monotonic() + 30
    while replica.sample(HANDLED) < 20:
        assert time.monotonic() < end, "no calls reached the replica"
        time.sleep(0.05)


def table(clients: Iterable[str], ends: Iterable[str], count: int) -> list[Result]:
    """Run them all and print a table."""
    print("| client | end of a replica | lost | p99, ms | slowest, ms | exit codes | load |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    results = []
    ends = list(ends)
    for client in clients:
        for end in ends:
            results.append(run(client, end, count))
            print(results[-1].text(), flush=True)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ends", type=int, default=4, help="how often each end happens")
    parser.add_argument("--client", choices=CLIENTS, action="append")
    parser.add_argument("--end", choices=ENDS, action="append")
    options = parser.parse_args()
    results = table(options.client or CLIENTS, options.end or ENDS, options.ends)
    # What is promised: the documented client loses nothing when replicas are restarted as they should be.
    sys.exit(any(it.tally.lost for it in results if (it.client, it.end) == ("documented", "sigterm")))


if __name__ == "__main__":
    main()
