"""Starting the service out of the image and asking it."""

import os
import signal
import time
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tarneeb.v1 import verdicts_pb2
from tools.check_deploy.calls import get_verdict
from tools.check_deploy.processes import HOST, free_ports, get, running, until
from tools.image_check.contents import UID, expect


def serve(command: list[str | Path], tells: str) -> str:
    """Start the service, get a verdict and metrics, and stop it; returns what it took."""
    port, metrics_port, health_port = free_ports(3)
    env = {
        "TARNEEB_PORT": str(port),
        "TARNEEB_METRICS_PORT": str(metrics_port),
        "TARNEEB_HEALTH_PORT": str(health_port),
        "TARNEEB_HOST": HOST,
        "TARNEEB_METRICS_HOST": HOST,
        "TARNEEB_DRAIN_SECONDS": "0",
    }
    variables = [f"{name}={value}" for name, value in env.items()]
    at = command.index("ENVIRONMENT")
    began = time.monotonic()
    with running([*command[:at], *_environment(command, variables), *command[at + 1 :]]) as process:
        with grpc.insecure_channel(f"{HOST}:{port}") as channel:
            grpc.channel_ready_future(channel).result(timeout=30)
            took = time.monotonic() - began
            verdict = get_verdict(channel)
        with grpc.insecure_channel(f"{HOST}:{health_port}") as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            probe = stub.Check(health_pb2.HealthCheckRequest(), timeout=5)
        expect("health on a port of its own", probe.status == probe.SERVING, probe)
        expect("a verdict", verdict.ruling == verdicts_pb2.RULING_LEGAL, verdict)
        expect(
            "metrics", "tarneeb_build_info" in (get(f"http://{HOST}:{metrics_port}/metrics") or ""), "none"
        )
        service = until("the service's process", lambda: find_service(process.pid), 5)
        expect("it runs as its user", Path(f"/proc/{service}").stat().st_uid == UID, service)
        os.kill(service, signal.SIGTERM)
        code = process.wait(20)
        expect("it ends well on SIGTERM", code == 0, code)
    return f"{tells}: serving after {took:.1f} s, a verdict, health, metrics, exit code 0"


def _environment(command: list[str | Path], variables: list[str]) -> list[str]:
    """Variables as the program that starts the service takes them."""
    if command[0] == "buildah":
        return [word for variable in variables for word in ("--env", variable)]
    return ["env", "-i", "PATH=/app/bin:/usr/bin:/bin", *variables]


def find_service(pid: int) -> int | None:
    """The service's process: the given one or one that it started."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    # buildah's own helper has the command as an argument too.
    if len(words) > 1 and b"python" in words[0] and words[1].endswith(b"/tarneeb-service"):
        return pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text(encoding="ascii").split():
            if found := find_service(int(child)):
                return found
    return None
