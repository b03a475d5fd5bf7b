"""Callers of every kind before a real Envoy, and strangers; what it does when a backend goes."""

import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
from google.protobuf import json_format

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1 import verdicts_pb2
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tools.check_deploy.calls import SECONDS, a_request, get_verdict
from tools.check_deploy.envoy_config import ALLOWED_HEADERS
from tools.check_deploy.gateway import (
    PATH,
    Gateway,
    cluster_config,
    deployed_container,
    envoy,
    expect,
    validate,
)
from tools.check_deploy.losses import load
from tools.check_deploy.monitoring import unanswered
from tools.check_deploy.processes import Service, end, service, until

ORIGIN = "http://localhost:3000"
CONNECT = ("--header", "content-type: application/proto", "--header", "connect-protocol-version: 1")
TOO_LONG = pb.CreateGameRequest(id="x" * 2**20)
SILENT_CALLS = 60


def check(program: Path) -> str:
    """Every kind of caller gets a verdict, errors keep their details, and a backend may go."""
    if not shutil.which("curl"):
        raise RuntimeError("curl is needed")
    if refused := validate(program, cluster_config()):
        raise RuntimeError(f"Envoy refuses the cluster's file: {refused}")
    with ExitStack() as stack:
        services = [stack.enter_context(service({"TARNEEB_DRAIN_SECONDS": "3"})) for _ in range(2)]
        gateway = stack.enter_context(envoy(program, services))
        _check_verdicts(gateway)
        _check_refusals(gateway)
        _check_browsers(gateway)
        _check_sizes(gateway)
        _check_silence(gateway, services)
        _check_edge(gateway)
        calls = _check_backend_stops(gateway, services[0])
        _check_leaving(gateway)
        asked = _check_stats(gateway, services[1])
    return (
        f"verdicts by gRPC, gRPC-Web, Connect and JSON; {calls} calls while a backend stopped, none lost; "
        f"{asked} kinds of answers counted, and no healthy backend seen"
    )


def _check_verdicts(gateway: Gateway) -> None:
    with grpc.insecure_channel(gateway.address) as channel:
        verdict = get_verdict(channel)
        expect("gRPC gives a verdict", verdict.ruling == verdicts_pb2.RULING_LEGAL, verdict)
        body = json_format.MessageToJson(a_request(TarneebServiceStub(channel)))
    for protocol in ("grpc", "grpcweb", "connect"):
        answer = gateway.buf_curl(protocol, "ValidateMove", body)
        expect(f"{protocol} gives a verdict", "RULING_LEGAL" in answer.body, answer)
    answer = gateway.curl(PATH + "ValidateMove", body=body)
    verdict_json = answer.json()["verdict"]
    expect("JSON gives a verdict", verdict_json["ruling"] == "RULING_LEGAL", answer)
    expect("JSON has zeros", verdict_json["highestBid"] == 0, answer)
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
    for protocol in ("grpc", "grpcweb", "connect"):
        answer = gateway.buf_curl(protocol, "CreateGame", '{"id": ""}')
        expect(f"{protocol} keeps the details", "google.rpc.BadRequest" in answer.body, answer)
    # Connect's JSON would have errors that no client of it understands.
    answer = gateway.curl(PATH + "CreateGame", "--header", "connect-protocol-version: 1", body="{}")
    expect(
        "Connect's JSON is refused", (answer.status, answer.json()["code"]) == (415, "unimplemented"), answer
    )


def _check_browsers(gateway: Gateway) -> None:
    for origin, allowed in ((ORIGIN, True), ("http://elsewhere.example", False)):
        answer = gateway.curl(
            PATH + "ValidateMove",
            *("--request", "OPTIONS", "--header", f"origin: {origin}"),
            *("--header", "access-control-request-method: POST"),
            *("--header", f"access-control-request-headers: {ALLOWED_HEADERS}"),
        )
        given = answer.headers.get("access-control-allow-origin")
        expect(f"CORS for {origin} is {allowed}", (given == origin) is allowed, answer)
        if allowed:
            given_headers = set(answer.headers.get("access-control-allow-headers", "").split(","))
            expect(
                "the preflight lets headers pass", set(ALLOWED_HEADERS.split(",")) <= given_headers, answer
            )


def _check_edge(gateway: Gateway) -> None:
    """Nothing but the service is reached from outside."""
    answer = gateway.curl("/grpc.health.v1.Health/Check", body="{}")
    expect("health is not exposed", answer.status == 404, answer)
    stats = Gateway(gateway.stats_port, 0, 0)
    expect("stats are served", "envoy_cluster_" in stats.curl("/stats/prometheus").body, "no stats")
    answer = stats.curl("/healthcheck/fail", "--request", "POST")
    expect("the admin interface is not exposed", answer.status == 404, answer)


def _check_sizes(gateway: Gateway) -> None:
    """Whoever sends too much is told so, in whatever way they call."""
    for body in (json_format.MessageToJson(TOO_LONG), '{"id": "' + "x" * 9 * 2**20 + '"}'):
        answer = gateway.curl(PATH + "CreateGame", body=body)
        expect("too long a body is 413 as JSON", (answer.status, answer.json()["code"]) == (413, 8), answer)
    message = TOO_LONG.SerializeToString()
    with grpc.insecure_channel(gateway.address) as channel:
        try:
            TarneebServiceStub(channel).CreateGame(TOO_LONG, timeout=SECONDS)
            code = grpc.StatusCode.OK
        except grpc.RpcError as error:
            code = error.code()
    expect("too long a message is RESOURCE_EXHAUSTED", code == grpc.StatusCode.RESOURCE_EXHAUSTED, code)
    framed = b"\0" + len(message).to_bytes(4, "big") + message
    header = ("--header", "content-type: application/grpc-web+proto")
    answer = gateway.curl(PATH + "CreateGame", *header, body=framed)
    expect("by gRPC-Web too", answer.headers.get("grpc-status") == "8", answer.headers)
    answer = gateway.curl(PATH + "CreateGame", *CONNECT, body=message)
    # Connect has its own statuses: 429 stands for resource_exhausted.
    expect("by Connect too", '"resource_exhausted"' in answer.body, answer)
    answer = gateway.curl(PATH + "ListRuleSets", "--header", "x-long: " + "x" * 20_000, body="{}")
    expect("headers too long are 431", answer.status == 431, answer)


def _check_silence(gateway: Gateway, services: list[Service]) -> None:
    """Calls that are opened and never finished hold no replica, and nobody else up."""
    over = threading.Event()

    def never() -> Iterator[bytes]:
        over.wait(SECONDS)
        yield from ()

    with grpc.insecure_channel(gateway.address) as channel:
        method: grpc.StreamUnaryMultiCallable[bytes, bytes] = channel.stream_unary(PATH + "ValidateMove")
        held = [method.future(never(), timeout=SECONDS) for _ in range(SILENT_CALLS)]
        with load(gateway.address, callers=2) as others:
            time.sleep(1)
            text = "".join(each.metrics() for each in services)
        open_calls = sum(not each.done() for each in held)
        over.set()
        for each in held:
            each.cancel()
    in_flight = sum(
        float(value) for value in re.findall(r"^tarneeb_calls_in_flight (\S+)", text, re.MULTILINE)
    )
    expect("silent calls are open", open_calls == SILENT_CALLS, open_calls)
    expect("silent calls reach no replica", in_flight < SILENT_CALLS // 2, in_flight)
    expect("nobody is lost beside them", not others.lost and others.made > 0, others)


def _check_backend_stops(gateway: Gateway, leaving: Service) -> int:
    """Stop a backend under load; returns how many calls were made, all well answered."""
    with load(gateway.address, callers=4) as total:
        time.sleep(1)
        code = end(leaving.process)
        time.sleep(1)
    expect("the backend ends well", code == 0, code)
    expect("no call is lost while a backend stops", not total.lost, total)
    return total.made


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
