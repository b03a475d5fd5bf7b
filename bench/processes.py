"""Real service processes on free ports of the loopback, ended by their process id."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

START_SECONDS = 20.0
# What callers of several replicas are to use; docs/operations.md explains it.
SERVICE_CONFIG = json.dumps(
    {
        "loadBalancingConfig": [{"round_robin": {}}],
        "healthCheckConfig": {"serviceName": ""},
        "methodConfig": [
            {
                "name": [{"service": "tarneeb.v1.TarneebService"}],
                "retryPolicy": {
                    "maxAttempts": 4,
                    "initialBackoff": "0.05s",
                    "maxBackoff": "1s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
                },
            }
        ],
    }
)


class ServiceProcess:
    """``tarneeb-service serve`` in a process of its own."""

    def __init__(
        self, folder: Path, settings: Mapping[str, object] | None = None, arguments: tuple[str, ...] = ()
    ) -> None:
        """Start with settings by variable name and wait until it serves; its log goes into ``folder``."""
        environment = {name: text for name, text in os.environ.items() if not name.startswith("TARNEEB_")}
        environment |= {
            "TARNEEB_HOST": "127.0.0.1",
            "TARNEEB_PORT": "0",
            "TARNEEB_HEALTH_PORT": "0",
            "TARNEEB_METRICS_HOST": "127.0.0.1",
            "TARNEEB_METRICS_PORT": "auto",
            "TARNEEB_DRAIN_SECONDS": "0",
            "PYTHONPATH": str(Path(__file__).parents[1] / "src"),
        }
        environment |= {name: str(value) for name, value in (settings or {}).items()}
        self._log = folder / f"service-{time.monotonic_ns()}.log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tarneeb_service", "serve", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment,
            )
        self.pid = self.process.pid
        try:
            assert self.process.stdout
            words = self.process.stdout.readline().split()
            assert words[:3] == ["serving", "on", "port"], self._log.read_text()
            self.port = int(words[3])
        except BaseException:
            self.kill()
            raise

    def started(self) -> dict[str, Any]:
        """The log line of the start; it names the other ports."""
        return self.wait_for_line("serving")

    def lines(self) -> list[dict[str, Any]]:
        """The log so far."""
        return [json.loads(text) for text in self._log.read_text().splitlines() if text.endswith("}")]

    def raw_log(self) -> str:
        return self._log.read_text()

    def wait_for_line(self, event: str, **fields: object) -> dict[str, Any]:
        """Wait for the first log line of an event with these fields."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            for line in self.lines():
                if line["event"] == event and all(line.get(name) == value for name, value in fields.items()):
                    return line
            time.sleep(0.02)
        raise AssertionError(f"no {event} {fields} in {self.raw_log()}")

    def scrape(self) -> str:
        """The metrics."""
        address = f"http://127.0.0.1:{self.started()['metrics_port']}/metrics"
        with urllib.request.urlopen(address, timeout=10) as answer:  # our own loopback port
            return str(answer.read().decode())

    def sample(self, series: str) -> float:
        """The value of a series, 0 when there is none."""
        for line in self.scrape().splitlines():
            name, _, value = line.rpartition(" ")
            if name == series:
                return float(value)
        return 0.0

    def terminate(self, timeout: float = 30.0) -> int:
        """Send SIGTERM and return the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait(timeout)

    def wait(self, timeout: float = 30.0) -> int:
        try:
            return self.process.wait(timeout)
        finally:
            self.kill()

    def kill(self) -> None:
        """End it whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        if self.process.stdout:
            self.process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
