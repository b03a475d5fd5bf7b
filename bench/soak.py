"""How long the service takes to start, and its memory: idle, warm with its caches full, and after a million calls."""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

from bench.bursts import cpu_seconds
from bench.effort import Effort
from bench.load import Target
from bench.positions import refused_request
from bench.servers import bench
from bench.streams import Moment, Request, batches, mixed, moments
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.state import InPlay
from tarneeb_service.server.settings import Settings

METHODS = "/tarneeb.v1.TarneebService/"
STARTS = 11
CALLS, WARM_UP, BUNCH = 1_000_000, 100_000, 25_000


def measure(effort: Effort) -> dict[str, Any]:
    """Start times in seconds, memory in MB."""
    with tempfile.TemporaryDirectory() as name:
        found: dict[str, Any] = start_times(Path(name), effort.rounds(STARTS))
    requests = calls()
    with bench() as (load, servers):
        server = servers.real().server
        target = Target([server], load.stream(requests))
        idle = memory(server.pid)

        # Whatever the effort: once around fills what remembers games.
        def send() -> None:
            load.burst(target, BUNCH, again=True, allowed=True, ids=True)

        for _ in range(max(len(requests), int(WARM_UP * effort.share)) // BUNCH + 1):
            send()
        warm, done, path = memory(server.pid), 0, []
        while done < CALLS * effort.share:
            send()
            done += BUNCH
            path.append(round(memory(server.pid), 1))
    return found | {
        "idle_mb": round(idle, 1),
        "warm_mb": round(warm, 1),
        "path_mb": path,
        "calls": done,
        "growth_mb_per_100k": round((path[-1] - warm) / done * 100_000, 2),
    }


def start_times(folder: Path, starts: int) -> dict[str, float]:
    """Medians of the seconds to the line on stdout, of CPU until then, and to the first answer.

    Its byte code is cached, as images have it.
    """
    listening, working, answering = [], [], []
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(folder / "cache"), "PYTHONPATH": "src"}
    # As the image starts it.
    program = str(Path(sys.executable).with_name("tarneeb-service"))
    command = [program, "serve", "--host", "127.0.0.1", "--port", "0", "--health-port", "0"]
    for number in range(starts + 1):
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
    return {
        name: round(statistics.median(seconds), 3)
        for name, seconds in (("start_s", listening), ("start_cpu_s", working), ("answer_s", answering))
    }


def memory(pid: int) -> float:
    """Resident memory in MB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def calls() -> list[Request]:
    """Whole hands with more games than are remembered, and among them calls that are refused, impossible or batched."""
    remembered = int(getattr(Settings(), "memory_games", 0))
    played = moments(max(6_000, 2 * remembered), "soak")
    made = mixed(played)
    made += batches(played[: len(played) // 4], 20)
    for moment in played[::20]:
        made += _odd(moment)
    random.Random("soak").shuffle(made)
    return made


def _odd(moment: Moment) -> list[Request]:
    validate = pb.ValidateMoveRequest.FromString(moment.validate.data)
    cut = pb.ValidateMoveRequest(snapshot=moment.snapshot[:-3], move=validate.move)
    found = [cut]
    # In the last trick the others may hold nothing.
    if isinstance(moment.state, InPlay) and all(moment.state.play.holdings):
        refused = refused_request(moment.state)
        lying = pb.ValidateMoveRequest.FromString(refused.SerializeToString())
        lying.game.hand.played[:] = list(lying.game.hand.played)[::-1]
        found += [refused, lying]
    requests = [Request("ValidateMove", request.SerializeToString()) for request in found]
    return [*requests, Request("ListRuleSets", b"")]


def lines(found: dict[str, Any]) -> list[str]:
    """What is printed."""
    start, working, answer = (found[name] * 1000 for name in ("start_s", "start_cpu_s", "answer_s"))
    return [
        f"start: listening after {start:.0f} ms, {working:.0f} on a CPU; first answer after {answer:.0f} ms",
        f"memory: idle {found['idle_mb']} MB, warm {found['warm_mb']} MB, at the end {found['path_mb'][-1]} MB",
        f"  {found['growth_mb_per_100k']:+.2f} MB per 100,000 calls, of {found['calls']:,}",
    ]
