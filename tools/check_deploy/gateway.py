"""Envoy, really started in front of the service with the file that the cluster gets."""

import json
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import yaml
from google.protobuf import json_format

from tarneeb.v1 import verdicts_pb2
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tools.check_deploy.calls import SECONDS, a_request, get_verdict
from tools.check_deploy.manifests import K8S, ROOT
from tools.check_deploy.monitoring import unanswered
from tools.check_deploy.processes import HOST, Service, end, free_ports, get, running, service, until

FOLDER = K8S / "components/envoy-gateway"
CONFIG = FOLDER / "envoy.yaml"
BUF = ROOT / ".venv/bin/buf"
PATH = "/tarneeb.v1.TarneebService/"
ORIGIN = "http://localhost:3000"
LOAD_THREADS = 4


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

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def curl(self, path: str, *options: str, body: str | None = None) -> Answer:
        """Ask over HTTP/1.1, as a caller without gRPC does."""
        command = ["curl", "--silent", "--include", "--max-time", "10", *options]
        if body is not None:
            command += ["--header", "content-type: application/json", "--data-binary", "@-"]
        done = subprocess.run(
            [*command, self.url + path], input=body, capture_output=True, text=True, timeout=30, check=True
        )
        head, _, text = done.stdout.replace("\r\n", "\n").partition("\n\n")
        status, *lines = head.splitlines()
        headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
        return Answer(int(status.split()[1]), headers, text)

    def buf_curl(self, protocol: str, method: str, body: str) -> Answer:
        """Call with generated types over gRPC or gRPC-Web."""
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


def local_config(backends: list[int], gateway: Gateway) -> dict[str, Any]:
    """The cluster's file, with nothing changed but ports, the backends' addresses and one path."""
    text = CONFIG.read_text(encoding="utf-8").replace(
        "/etc/envoy/tarneeb.binpb", str(FOLDER / "tarneeb.binpb")
    )
    config: dict[str, Any] = yaml.safe_load(text)
    calls, stats = config["static_resources"]["listeners"]
    for listener, port in ((calls, gateway.port), (stats, gateway.stats_port)):
        listener["address"]["socket_address"] = {"address": HOST, "port_value": port}
    config["admin"]["address"]["socket_address"]["port_value"] = gateway.admin_port
    tarneeb, admin = config["static_resources"]["clusters"]

    def at(port: int) -> dict[str, Any]:
        return {"endpoint": {"address": {"socket_address": {"address": HOST, "port_value": port}}}}

    tarneeb["load_assignment"]["endpoints"] = [{"lb_endpoints": [at(port) for port in backends]}]
    admin["load_assignment"]["endpoints"] = [{"lb_endpoints": [at(gateway.admin_port)]}]
    return config


@contextmanager
def envoy(program: Path, backends: list[int]) -> Iterator[Gateway]:
    """Run Envoy, with the options of its Deployment, until it has healthy backends."""
    gateway = Gateway(*free_ports(3))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "envoy.yaml"
        file.write_text(yaml.safe_dump(local_config(backends, gateway)), encoding="utf-8")
        options = deployed_container()["command"][1:]
        options[options.index("--config-path") + 1] = str(file)
        options[options.index("--concurrency") + 1] = "1"
        with running([program, *options, "--log-level", "error"]):
            healthy = f"cluster.tarneeb.membership_healthy: {len(backends)}\n"
            stats = f"http://{HOST}:{gateway.admin_port}/stats?filter=membership_healthy"
            until("healthy backends", lambda: True if healthy in (get(stats) or "") else None, 30)
            yield gateway


def deployed_container() -> dict[str, Any]:
    deployment = yaml.safe_load((FOLDER / "deployment.yaml").read_text(encoding="utf-8"))
    only: dict[str, Any] = deployment["spec"]["template"]["spec"]["containers"][0]
    return only


def expect(what: str, holds: bool, seen: object) -> None:
    if not holds:
        raise RuntimeError(f"{what}; seen: {seen}")


def check(program: Path) -> str:
    """Every kind of caller gets a verdict, errors keep their details, and a backend may go."""
    if not shutil.which("curl"):
        raise RuntimeError("curl is needed")
    with ExitStack() as stack:
        services = [stack.enter_context(service({"TARNEEB_DRAIN_SECONDS": "3"})) for _ in range(2)]
        gateway = stack.enter_context(envoy(program, [each.port for each in services]))
        _check_verdicts(gateway)
        _check_refusals(gateway)
        _check_browsers(gateway)
        _check_edge(gateway)
        calls = _check_backend_stops(gateway, services[0])
        _check_leaving(gateway)
        asked = _check_stats(gateway, services[1])
    return (
        f"verdicts by gRPC, gRPC-Web and JSON; {calls} calls while a backend stopped, none lost; "
        f"{asked} kinds of answers counted, and no healthy backend seen"
    )


def _check_verdicts(gateway: Gateway) -> None:
    with grpc.insecure_channel(f"{HOST}:{gateway.port}") as channel:
        verdict = get_verdict(channel)
        expect("gRPC gives a verdict", verdict.ruling == verdicts_pb2.RULING_LEGAL, verdict)
        body = json_format.MessageToJson(a_request(TarneebServiceStub(channel)))
    for protocol in ("grpc", "grpcweb"):
        answer = gateway.buf_curl(protocol, "ValidateMove", body)
        expect(f"{protocol} gives a verdict", "RULING_LEGAL" in answer.body, answer)
    answer = gateway.curl(PATH + "ValidateMove", body=body)
    expect("JSON gives a verdict", answer.json() == {"verdict": {"ruling": "RULING_LEGAL"}}, answer)
    answer = gateway.curl(PATH + "ListRuleSets", "--header", "x-request-id: mine-1", body="{}")
    expect(
        "the caller's request id comes back", answer.headers.get("x-request-id") == "mine-1", answer.headers
    )


def _check_refusals(gateway: Gateway) -> None:
    answer = gateway.curl(PATH + "CreateGame", body='{"id": ""}')
    status = answer.json()
    expect("a bad request is 400 INVALID_ARGUMENT", (answer.status, status["code"]) == (400, 3), answer)
    fields = {
        violation["field"]
        for detail in status["details"]
        if detail["@type"].endswith("google.rpc.BadRequest")
        for violation in detail["fieldViolations"]
    }
    expect("a bad request names its fields", {"id", "rule_set"} <= fields, answer)
    # What Envoy itself refuses has the same shape.
    for body in ('{"firstDealer": "SEAT_UP"}', '{"id": '):
        answer = gateway.curl(PATH + "CreateGame", body=body)
        expect("malformed JSON is 400 as JSON", (answer.status, answer.json()["code"]) == (400, 3), answer)
    answer = gateway.curl(PATH + "Nothing", body="{}")
    expect("an unknown method is 404 as JSON", (answer.status, answer.json()["code"]) == (404, 12), answer)
    for protocol in ("grpc", "grpcweb"):
        answer = gateway.buf_curl(protocol, "CreateGame", '{"id": ""}')
        expect(f"{protocol} keeps the details", "google.rpc.BadRequest" in answer.body, answer)


def _check_browsers(gateway: Gateway) -> None:
    for origin, allowed in ((ORIGIN, True), ("http://elsewhere.example", False)):
        answer = gateway.curl(
            PATH + "ValidateMove",
            *("--request", "OPTIONS", "--header", f"origin: {origin}"),
            *("--header", "access-control-request-method: POST"),
            *("--header", "access-control-request-headers: content-type,x-grpc-web"),
        )
        given = answer.headers.get("access-control-allow-origin")
        expect(f"CORS for {origin} is {allowed}", (given == origin) is allowed, answer)


def _check_edge(gateway: Gateway) -> None:
    """Nothing but the service is reached from outside."""
    answer = gateway.curl("/grpc.health.v1.Health/Check", body="{}")
    expect("health is not exposed", answer.status == 404, answer)
    stats = Gateway(gateway.stats_port, 0, 0)
    expect("stats are served", "envoy_cluster_" in stats.curl("/stats/prometheus").body, "no stats")
    answer = stats.curl("/healthcheck/fail", "--request", "POST")
    expect("the admin interface is not exposed", answer.status == 404, answer)


def _check_backend_stops(gateway: Gateway, leaving: Service) -> int:
    """Stop a backend under load; returns how many calls were made, all well answered."""
    done = threading.Event()
    counts, failures = [0] * LOAD_THREADS, []

    def load(thread: int) -> None:
        with grpc.insecure_channel(f"{HOST}:{gateway.port}") as channel:
            stub = TarneebServiceStub(channel)
            request = a_request(stub)
            while not done.is_set():
                try:
                    stub.ValidateMove(request, timeout=SECONDS)
                except grpc.RpcError as error:
                    failures.append(error)
                counts[thread] += 1

    threads = [threading.Thread(target=load, args=(number,)) for number in range(LOAD_THREADS)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(1)
        code = end(leaving.process)
        time.sleep(1)
    finally:
        done.set()
        for thread in threads:
            thread.join(SECONDS + 5)
    expect("the backend ends well", code == 0, code)
    expect("no call is lost while a backend stops", not failures, failures[:3])
    return sum(counts)


def _check_leaving(gateway: Gateway) -> None:
    """Run the Deployment's preStop, its sleep left out: unready at once, callers are asked to reconnect."""
    shell, flag, script = deployed_container()["lifecycle"]["preStop"]["exec"]["command"]
    before, _, sleep = script.strip().rpartition(";")
    expect("preStop sleeps last", sleep.strip().startswith("sleep "), script)
    command = [shell, flag, before.replace("/9901", f"/{gateway.admin_port}")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    expect("preStop is answered", "200 OK" in done.stdout, done)
    answer = gateway.curl("/healthz")
    expect("a leaving gateway is unready", answer.status == 503, answer)
    answer = gateway.curl(PATH + "ListRuleSets", body="{}")
    expect("a leaving gateway still serves", answer.status == 200, answer)
    expect("it asks callers to reconnect", answer.headers.get("connection") == "close", answer.headers)


def _check_stats(gateway: Gateway, last: Service) -> int:
    """Without its last backend Envoy answers 503, and shows what the alerts about it ask for.

    Returns how many classes of answers it counts.
    """
    end(last.process)
    stats = Gateway(gateway.stats_port, 0, 0)
    healthy = 'envoy_cluster_membership_healthy{envoy_cluster_name="tarneeb"} 0\n'

    def scraped() -> str | None:
        text = stats.curl("/stats/prometheus").body
        return text if healthy in text else None

    until("a gateway without backends", scraped, 20)
    answer = gateway.curl(PATH + "ListRuleSets", body="{}")
    expect("no backend is 503 as JSON", (answer.status, answer.json()["code"]) == (503, 14), answer)

    # A call is counted a moment after it is answered.
    def complete() -> str | None:
        text = scraped()
        return text if text and not unanswered(text) else None

    try:
        text = until("series", complete, 10)
    except TimeoutError:
        missing = unanswered(stats.curl("/stats/prometheus").body)
        raise RuntimeError(f"asked for by alerts, but Envoy has not: {missing}") from None
    # The kubelet's probes would hide a share of errors.
    probes = _answered(text)
    for _ in range(5):
        gateway.curl("/healthz")
    later = _answered(stats.curl("/stats/prometheus").body)
    expect("probes are not counted", probes == later, (probes, later))
    return len(later)


def _answered(text: str) -> dict[str, str]:
    """The counts of what callers were answered, by class."""
    series = re.findall(
        r'envoy_http_downstream_rq_xx\{(?=[^}]*prefix="calls")[^}]*class="(\d)"[^}]*\} (\d+)', text
    )
    return dict(series)
