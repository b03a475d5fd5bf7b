"""How long the service takes to start, and whether its memory stays flat.

Starts it several times and counts until its first answer; then sends 200,000 calls of many kinds and compares
its memory at the ends, after a warm-up. Takes three to four minutes.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import grpc

from bench.bursts import cpu_seconds
from bench.positions import RULE_SETS, legal_request, mid_hand, refused_request
from harness.service_process import ServiceProcess
from tarneeb.v1 import tarneeb_service_pb2 as pb

METHODS = "/tarneeb.v1.TarneebService/"
STARTS, IN_FLIGHT = 7, 8
START_GOAL, GROWTH_GOAL = 0.6, 1.0


def start_times(folder: Path) -> tuple[float, float, float]:
    """The median seconds to the line on stdout, of CPU until then, and to the first answer.

    Its byte code is cached, as images have it.
    """
    listening, working, answering = [], [], []
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(folder / "cache"), "PYTHONPATH": "src"}
    # As the image starts it.
    program = str(Path(sys.executable).with_name("tarneeb-service"))
    command = [program, "serve", "--host", "127.0.0.1", "--port", "0", "--health-port", "0"]
    for number in range(STARTS + 1):
        began = time.monotonic()
        process = subprocess.Popen(
            [*command, "--metrics-port", "auto", "--metrics-host", "127.0.0.1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        try:
            assert process.stdout
            port = process.stdout.readline().split()[-1]
            heard, worked = time.monotonic() - began, cpu_seconds(process.pid)
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                call: Callable[..., bytes] = channel.unary_unary(METHODS + "ListRuleSets")
                call(b"", timeout=10)
            if number:
                # The first one filled the cache.
                listening.append(heard)
                working.append(worked)
                answering.append(time.monotonic() - began)
        finally:
            process.kill()
            process.wait(10)
            if process.stdout is not None:
                process.stdout.close()
    return statistics.median(listening), statistics.median(working), statistics.median(answering)


def memory(pid: int) -> float:
    """Resident memory in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def requests() -> list[tuple[str, bytes]]:
    """Calls of all rule sets: legal, refused, impossible, batched, and with ids that never come again."""
    made: list[tuple[str, bytes]] = []
    for rule_set in RULE_SETS:
        for played in (3, 26, 40):
            state = mid_hand(rule_set, played)
            legal, refused = legal_request(state), refused_request(state)
            made += [
                ("ValidateMove", legal.SerializeToString()),
                ("ValidateMove", refused.SerializeToString()),
            ]
            made.append(("ApplyMove", legal.SerializeToString()))
        batch = pb.ValidateMovesRequest(items=[legal, refused])
        made.append(("ValidateMoves", batch.SerializeToString()))
        legal.game.hand.played[0] = legal.game.hand.played[1]
        made.append(("ValidateMove", legal.SerializeToString()))
    made.append(("ListRuleSets", b""))
    return made


def load(address: str, count: int) -> float:
    """Send so many calls; return how many a second were answered."""
    made = requests()
    numbers = iter(range(count))
    lock = threading.Lock()
    began = time.monotonic()
    with grpc.insecure_channel(address) as channel:
        calls: dict[str, Callable[..., bytes]] = {
            name: channel.unary_unary(METHODS + name) for name in {name for name, _ in made}
        }

        def work(seed: int) -> None:
            chance = random.Random(seed)
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return
                name, payload = chance.choice(made)
                metadata = (("x-request-id", f"soak-{number}"),) if number % 2 else ()
                with suppress(grpc.RpcError):
                    calls[name](payload, timeout=30, metadata=metadata)

        with ThreadPoolExecutor(IN_FLIGHT) as threads:
            list(threads.map(work, range(IN_FLIGHT)))
    return count / (time.monotonic() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("--warm-up", type=int, default=30_000)
    parser.add_argument("--seconds", type=float, default=300.0, help="stop early after so long, and say so")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        listening, working, answering = start_times(folder)
        print(
            f"start: listening after {listening * 1000:.0f} ms, {working * 1000:.0f} of them on a CPU; "
            f"first answer after {answering * 1000:.0f} ms"
        )
        # A loaded machine makes it wait, which is not its doing.
        failed |= working > START_GOAL
        with ServiceProcess(folder) as service:
            address = f"127.0.0.1:{service.port}"
            idle = memory(service.pid)
            load(address, options.warm_up)
            before, done, end = memory(service.pid), 0, time.monotonic() + options.seconds
            while done < options.calls and time.monotonic() < end:
                bunch = min(20_000, options.calls - done)
                rate = load(address, bunch)
                done += bunch
                print(f"  {done:>7} calls: {memory(service.pid):.1f} MB, {rate:.0f} calls/s", flush=True)
                service.scrape()
            growth = (memory(service.pid) - before) / done * 100_000
            print(f"memory: idle {idle:.1f} MB, warm {before:.1f} MB, after {done} more calls", end=" ")
            print(f"{memory(service.pid):.1f} MB: {growth:+.2f} MB per 100,000 calls")
            if done < options.calls:
                print(f"stopped after {options.seconds:.0f} s, {done} of {options.calls} calls")
            failed |= growth > GROWTH_GOAL
    sys.exit(failed)


if __name__ == "__main__":
    main()
