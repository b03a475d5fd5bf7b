"""Envoy, really started in front of the service with the file that the cluster gets."""

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tools.check_deploy.manifests import K8S, ROOT
from tools.check_deploy.processes import HOST, Service, free_ports, get, running, until

FOLDER = K8S / "components/envoy-gateway"
CONFIG = FOLDER / "envoy.yaml"
BUF = ROOT / ".venv/bin/buf"
PATH = "/tarneeb.v1.TarneebService/"


class Answer(NamedTuple):
    """What curl got."""

    status: int
    headers: dict[str, str]
    body: str

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass(frozen=True)
class Gateway:
    """A running Envoy."""

    port: int
    admin_port: int
    stats_port: int
    process_id: int = 0

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    def curl(self, path: str, *options: str, body: str | bytes | None = None) -> Answer:
        """Ask over HTTP/1.1, as a caller without gRPC does; a body is JSON unless an option says otherwise."""
        command = ["curl", "--silent", "--include", "--max-time", "10", "--header", "expect:", *options]
        if body is not None:
            body = body.encode() if isinstance(body, str) else body
            if not any(option.startswith("content-type:") for option in options):
                command += ["--header", "content-type: application/json"]
            command += ["--data-binary", "@-"]
        done = subprocess.run(
            [*command, self.url + path], input=body, capture_output=True, timeout=30, check=True
        )
        head, _, rest = done.stdout.partition(b"\r\n\r\n")
        status, *lines = head.decode().splitlines()
        headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
        return Answer(int(status.split()[1]), headers, rest.decode(errors="replace"))

    def buf_curl(self, protocol: str, method: str, body: str) -> Answer:
        """Call with generated types over gRPC, gRPC-Web or Connect."""
        command = [str(BUF), "curl", "--schema", str(ROOT / "proto"), "--protocol", protocol, "--data", "@-"]
        if protocol == "grpc":
            command.append("--http2-prior-knowledge")
        done = subprocess.run(
            [*command, self.url + PATH + method],
            input=body,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        return Answer(done.returncode, {}, done.stdout or done.stderr)


class Backend(NamedTuple):
    """The ports of a backend."""

    port: int
    health_port: int


def cluster_config() -> dict[str, Any]:
    """The cluster's file, with nothing changed but one path."""
    text = CONFIG.read_text(encoding="utf-8")
    config: dict[str, Any] = yaml.safe_load(
        text.replace("/etc/envoy/tarneeb.binpb", str(FOLDER / "tarneeb.binpb"))
    )
    return config


def local_config(backends: list[Backend], gateway: Gateway) -> dict[str, Any]:
    """The cluster's file, with nothing changed but ports, the backends' addresses and one path."""
    config = cluster_config()
    calls, stats = config["static_resources"]["listeners"]
    for listener, port in ((calls, gateway.port), (stats, gateway.stats_port)):
        listener["address"]["socket_address"] = {"address": HOST, "port_value": port}
    config["admin"]["address"]["socket_address"]["port_value"] = gateway.admin_port
    tarneeb, admin = config["static_resources"]["clusters"]

    def at(port: int, **more: Any) -> dict[str, Any]:
        return {"endpoint": {"address": {"socket_address": {"address": HOST, "port_value": port}}, **more}}

    tarneeb["load_assignment"]["endpoints"] = [
        {
            "lb_endpoints": [
                at(each.port, health_check_config={"port_value": each.health_port}) for each in backends
            ]
        }
    ]
    admin["load_assignment"]["endpoints"] = [{"lb_endpoints": [at(gateway.admin_port)]}]
    return config


@contextmanager
def envoy(
    program: Path, services: list[Service], change: Callable[[dict[str, Any]], object] = lambda _: None
) -> Iterator[Gateway]:
    """Run Envoy, with the options of its Deployment, until it has healthy backends; ``change`` edits its file."""
    gateway = Gateway(*free_ports(3))
    backends = [Backend(each.port, each.health_port) for each in services]
    config = local_config(backends, gateway)
    change(config)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "envoy.yaml"
        file.write_text(yaml.safe_dump(config), encoding="utf-8")
        with running([program, *options(file)]) as process:
            healthy = f"cluster.tarneeb.membership_healthy: {len(backends)}\n"
            stats = f"http://{HOST}:{gateway.admin_port}/stats?filter=membership_healthy"
            until("healthy backends", lambda: True if healthy in (get(stats) or "") else None, 30)
            yield replace(gateway, process_id=process.pid)


def options(file: Path) -> list[str]:
    """The options of Envoy's Deployment, with another file, one thread and less to say."""
    found: list[str] = deployed_container()["command"][1:]
    found[found.index("--config-path") + 1] = str(file)
    found[found.index("--concurrency") + 1] = "1"
    return [*found, "--log-level", "error"]


def deployed_container() -> dict[str, Any]:
    deployment = yaml.safe_load((FOLDER / "deployment.yaml").read_text(encoding="utf-8"))
    only: dict[str, Any] = deployment["spec"]["template"]["spec"]["containers"][0]
    return only


def expect(what: str, holds: bool, seen: object) -> None:
    if not holds:
        raise RuntimeError(f"{what}; seen: {seen}")


def validate(program: Path, config: dict[str, Any]) -> str:
    """What Envoy itself finds wrong with a configuration, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "envoy.yaml"
        file.write_text(yaml.safe_dump(config), encoding="utf-8")
        options = ["--mode", "validate", "--config-path", str(file), "--log-level", "error"]
        done = subprocess.run([program, *options], capture_output=True, text=True, timeout=60, check=False)
    return (done.stderr or done.stdout or "refused") if done.returncode else ""
