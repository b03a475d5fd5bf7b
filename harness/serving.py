"""The real server as a process of its own, ended by its pid whatever happens."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, NamedTuple

START_LINE = "serving on port "
# Not every system lets a process choose its cores.
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


class Server(NamedTuple):
    pid: int
    port: int


@contextmanager
def serving(log: IO[str] | None = None, **settings: str) -> Iterator[Server]:
    """Serve on a free port of this machine; settings are those of the server, in lower case."""
    with serving_on(0, ("-m", "tarneeb_service"), settings, log) as server:
        yield server


@contextmanager
def serving_on(
    core: int, program: tuple[str, ...], settings: Mapping[str, str], log: IO[str] | None = None
) -> Iterator[Server]:
    """Serve on the core of that number; ``program`` is what Python runs."""
    chosen = {
        "host": "127.0.0.1",
        "port": "0",
        "metrics_port": "0",
        "health_port": "0",
        "log_level": "error",
        "drain_seconds": "0",
        **settings,
    }
    # Nothing that the caller has set for another server must reach this one.
    environment = {name: text for name, text in os.environ.items() if not name.startswith("TARNEEB_")}
    environment |= {f"TARNEEB_{name.upper()}": text for name, text in chosen.items()}
    with started_apart([sys.executable, *program, "serve"], environment, log, core) as process:
        yield Server(process.pid, port_of(process))


@contextmanager
def started_apart(
    command: list[str],
    environment: dict[str, str] | None = None,
    log: IO[str] | None = None,
    core: int = 0,
) -> Iterator[subprocess.Popen[str]]:
    """A process on a core, while the caller keeps to all but the first; ended at the end.

    A Python server that is moved between cores while its caller wants them too falls to half its speed.
    """
    # A child keeps the cores of whoever starts it; set later, its threads would stay where they were.
    keep_to(CORES[core : core + 1])
    try:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
        keep_to(CORES[1:] or CORES)
        with ended(process):
            yield process
    finally:
        keep_to(CORES)


def keep_to(cores: list[int]) -> None:
    """Have this process, and those it starts from now on, on these cores; on any when there are none."""
    if cores:
        os.sched_setaffinity(0, cores)


def port_of(process: subprocess.Popen[str]) -> int:
    """The port that a server names on its first line."""
    line = process.stdout.readline() if process.stdout else ""
    if not line.startswith(START_LINE):
        raise RuntimeError(f"the server did not start: {line.strip() or 'it said nothing'}")
    return int(line.removeprefix(START_LINE))


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """A process that does not outlive its use."""
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()
