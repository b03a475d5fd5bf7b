"""Programs that run while something is checked, on loopback, ended by their id."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.error import URLError

import grpc

HOST = "127.0.0.1"
Value = TypeVar("Value")


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now, all different."""
    sockets = [socket.create_server((HOST, 0)) for _ in range(count)]
    ports: list[int] = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def until(what: str, look: Callable[[], Value | None], seconds: float) -> Value:
    """What look returns, as soon as it is something.

    Raises:
        TimeoutError: It was nothing for so long.
    """
    end = time.monotonic() + seconds
    while (found := look()) is None:
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return found


def get(url: str) -> str | None:
    """The body at a local address, or nothing when there is no good answer."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310  # loopback only
            body: bytes = answer.read()
            return body.decode()
    except (URLError, OSError):
        return None


@contextmanager
def running(
    command: Sequence[str | os.PathLike[str]], env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program for as long as the block; what it printed is shown when the block fails."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            env={**os.environ, **(env or {})},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process
        except BaseException:
            output.seek(0)
            tail = output.read().decode(errors="replace")[-3000:]
            sys.stderr.write(f"--- {Path(command[0]).name} printed:\n{tail}\n---\n")
            raise
        finally:
            end(process)


def end(process: subprocess.Popen[bytes] | subprocess.Popen[str], seconds: float = 15) -> int:
    """Ask a program to stop, and kill it when it does not; returns its exit code."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


@dataclass(frozen=True)
class Service:
    """A running service."""

    process: subprocess.Popen[bytes]
    port: int
    health_port: int
    metrics_port: int

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def metrics_address(self) -> str:
        return f"{HOST}:{self.metrics_port}"

    def metrics(self) -> str:
        text = get(f"http://{self.metrics_address}/metrics")
        if text is None:
            raise RuntimeError("no metrics")
        return text


@contextmanager
def service(settings: Mapping[str, str] | None = None) -> Iterator[Service]:
    """Run the service on free ports, quick to stop, and wait until it answers."""
    free = free_ports(3)
    env = {
        "TARNEEB_HOST": HOST,
        "TARNEEB_PORT": str(free[0]),
        "TARNEEB_METRICS_HOST": HOST,
        "TARNEEB_METRICS_PORT": str(free[1]),
        "TARNEEB_HEALTH_PORT": str(free[2]),
        "TARNEEB_DRAIN_SECONDS": "0",
        "TARNEEB_GRACE_SECONDS": "2",
        "TARNEEB_LOG_SUCCESSES_PER_SECOND": "0",
        **(settings or {}),
    }
    port, metrics_port, health_port = (
        int(env[f"TARNEEB_{name}PORT"]) for name in ("", "METRICS_", "HEALTH_")
    )
    with running([sys.executable, "-m", "tarneeb_service", "serve"], env) as process:
        with grpc.insecure_channel(f"{HOST}:{port}") as channel:
            grpc.channel_ready_future(channel).result(timeout=15)
        yield Service(process, port, health_port, metrics_port)
