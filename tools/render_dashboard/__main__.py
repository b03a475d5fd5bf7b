"""Draw docs/images/dashboard.png: two replicas, two minutes of calls with mishaps, a real Prometheus.

Each panel is drawn from the dashboard's own expressions. Takes two and a half minutes, all on 127.0.0.1.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import grpc

from harness.service_process import SERVICE_CONFIG
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tools.check_deploy import downloads
from tools.check_deploy.calls import SECONDS, a_request, lied_about, play
from tools.check_deploy.monitoring import Prometheus, prometheus
from tools.check_deploy.processes import HOST, end, free_ports, service
from tools.dashboard import ROWS, Panel

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "docs/images/dashboard.png"
LOCK = ROOT / "deploy/dashboards/requirements.lock"
DURATION = 120
# Seconds from the start: when which mishap begins and ends.
OUT_OF_TURN, MANGLED, BURST, RESTART = (25, 50), (45, 65), (75, 85), 95
PLAYERS, LIMIT, IN_BURST = 4, 24, 60
# Panels that show nothing in two good minutes.
QUIET = ("Versions", "Log lines dropped", "Files that could not be read again")


def service_config() -> str:
    """What docs/operations.md tells callers to use; the story sets a deadline with each call."""
    config = json.loads(SERVICE_CONFIG)
    del config["methodConfig"][0]["timeout"]
    return json.dumps(config)


class Story:
    """The callers, each a thread, until the time is up."""

    def __init__(self, addresses: list[str]) -> None:
        options = (("grpc.service_config", service_config()),)
        self._channel = grpc.insecure_channel("ipv4:" + ",".join(addresses), options)
        self._stub = TarneebServiceStub(self._channel)
        self._request = a_request(self._stub)
        self._start = time.monotonic()
        self.failures: list[str] = []

    def now(self) -> float:
        return time.monotonic() - self._start

    def during(self, span: tuple[float, float], pause: float) -> bool:
        """Wait for the span to begin, then a pause; whether it still lasts."""
        time.sleep(max(span[0] - self.now(), pause))
        return self.now() < span[1]

    def players(self, number: int) -> None:
        """Games with their usual share of wrong moves."""
        while self.now() < DURATION:
            number += PLAYERS
            try:
                for _ in play(self._stub, number):
                    time.sleep(0.02)
                    if self.now() > DURATION:
                        return
            except grpc.RpcError as error:
                self.failures.append(str(error))

    def out_of_turn(self) -> None:
        wrong = pb.ValidateMoveRequest()
        wrong.CopyFrom(self._request)
        wrong.move.seat = self._request.move.seat % 4 + 1  # type: ignore[assignment]
        while self.during(OUT_OF_TURN, 0.02):
            self._stub.ValidateMove(wrong, timeout=SECONDS)

    def mangled(self) -> None:
        lie = pb.ValidateMoveRequest(game=lied_about(self._request.game), move=self._request.move)
        while self.during(MANGLED, 0.08):
            with suppress(grpc.RpcError):
                self._stub.ValidateMove(lie, timeout=SECONDS)

    def burst(self) -> None:
        """More calls at once than the limit."""
        batch = pb.ValidateMovesRequest(items=[self._request] * 64)
        while self.during(BURST, 0.1):
            futures = [self._stub.ValidateMoves.future(batch, timeout=SECONDS) for _ in range(IN_BURST)]
            for future in futures:
                with suppress(grpc.RpcError):
                    future.result()

    def run(self) -> list[threading.Thread]:
        jobs = [threading.Thread(target=self.players, args=(number,)) for number in range(PLAYERS)]
        jobs += [threading.Thread(target=job) for job in (self.out_of_turn, self.mangled, self.burst)]
        for job in jobs:
            job.start()
        return jobs


def series_of(server: Prometheus, panel: Panel, start: float, stop: float) -> list[dict[str, Any]]:
    """A panel's lines, as Grafana would ask for them."""
    lines = []
    for expr, legend in panel.targets:
        filled = (
            expr.replace("$__rate_interval", "10s")
            .replace("$namespace", ".*")
            .replace("$job", ".*")
            .replace("$rule_set", ".*")
            .replace("[1h]", "[30s]")
        )
        asked = urlencode({"query": filled, "start": start, "end": stop, "step": 1})
        for result in server.api(f"query_range?{asked}")["result"]:
            name = legend
            for label, value in result["metric"].items():
                name = name.replace(f"{{{{{label}}}}}", value)
            points = [[when, float(value)] for when, value in result["values"]]
            lines.append({"name": name, "points": [point for point in points if point[1] == point[1]]})
    return lines


def record() -> dict[str, Any]:
    """Let the story happen; returns the panels with their lines."""
    settings = {"TARNEEB_MAX_CALLS": str(LIMIT), "TARNEEB_DRAIN_SECONDS": "3"}
    ports = free_ports(4)
    fixed = [
        {**settings, "TARNEEB_PORT": str(port), "TARNEEB_METRICS_PORT": str(metrics_port)}
        for port, metrics_port in (ports[:2], ports[2:])
    ]
    with ExitStack() as stack:
        _, leaving = [stack.enter_context(service(each)) for each in fixed]
        targets = [f"{HOST}:{ports[1]}", f"{HOST}:{ports[3]}"]
        server = stack.enter_context(prometheus(downloads.prometheus()[0], targets, "2s"))
        start = time.time()
        story = Story([f"{HOST}:{ports[0]}", f"{HOST}:{ports[2]}"])
        jobs = story.run()
        time.sleep(RESTART)
        end(leaving.process)
        stack.enter_context(service(fixed[1]))
        for job in jobs:
            job.join(DURATION)
        panels = [
            {
                "title": panel.title,
                "unit": panel.unit,
                "kind": panel.kind,
                "alarm": panel.alarm,
                "stacked": panel.stacked,
                "series": series_of(server, panel, start, start + DURATION),
            }
            for row in ROWS
            for panel in row.panels
            if panel.title not in QUIET
        ]
    lost = len(story.failures)
    sys.stdout.write(f"calls of players that failed: {lost}\n" + "\n".join(story.failures[:2]))
    return {"title": "two replicas, two minutes", "start": start, "panels": panels}


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    python = downloads.environment("matplotlib", LOCK)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "panels.json"
        data.write_text(json.dumps(record()), encoding="utf-8")
        subprocess.run([python, ROOT / "tools/render_dashboard/draw.py", data, OUT], check=True, timeout=120)


if __name__ == "__main__":
    main()
