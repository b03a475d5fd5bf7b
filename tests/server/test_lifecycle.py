"""Starting and stopping, as real processes."""

import errno
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import grpc
import prometheus_client
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bench.rolling_restart import run
from harness.service_process import ServiceProcess
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.rpc.dispatch import SERVICE
from tarneeb_service.telemetry import metrics
from tests.server.support import Answer, Service, Slow, failure, wait_for

LIST = pb.ListRuleSetsRequest()


def test_a_clean_stop_ends_with_code_0(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path, {"TARNEEB_TYPO": "1"}) as service:
        assert service.started()["port"] == service.port
        assert service.wait_for_line("not a setting, ignored")["variable"] == "TARNEEB_TYPO"
        assert service.terminate() == 0
        assert [line["event"] for line in service.lines()][-3:] == ["draining", "stopping", "stopped"]


def test_the_drain(tmp_path: Path) -> None:
    with (
        ServiceProcess(tmp_path, {"TARNEEB_DRAIN_SECONDS": "1.5"}) as service,
        grpc.insecure_channel(f"127.0.0.1:{service.port}") as channel,
    ):
        health: Any = health_pb2_grpc.HealthStub(channel)
        stub = TarneebServiceStub(channel)

        def status(name: str) -> int:
            return int(health.Check(health_pb2.HealthCheckRequest(service=name), timeout=5).status)

        for name in ("", SERVICE, "liveness"):
            assert status(name) == Answer.SERVING
        assert failure(lambda: status("other")).code() is grpc.StatusCode.NOT_FOUND
        watch = health.Watch(health_pb2.HealthCheckRequest(service=""), timeout=20)
        assert next(watch).status == Answer.SERVING
        service.process.send_signal(signal.SIGTERM)
        assert next(watch).status == Answer.NOT_SERVING
        # It drains: not ready, alive, and still answering.
        assert (status(""), status(SERVICE)) == (Answer.NOT_SERVING, Answer.NOT_SERVING)
        assert status("liveness") == Answer.SERVING
        assert stub.ListRuleSets(LIST, timeout=5).rule_sets
        assert service.sample("tarneeb_serving") == 0
        # A watcher does not keep it for the whole grace.
        service.wait_for_line("stopping")
        began = time.monotonic()
        assert service.wait() == 0
        assert time.monotonic() - began < 5
        assert service.lines()[-1]["event"] == "stopped"


def test_a_second_signal_forces(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path, {"TARNEEB_DRAIN_SECONDS": "60"}) as service:
        service.started()
        service.process.send_signal(signal.SIGTERM)
        service.wait_for_line("draining")
        began = time.monotonic()
        assert service.terminate() == 1
        assert time.monotonic() - began < 10
        assert service.lines()[-1]["forced"] is True


def test_ctrl_c_at_a_desk_does_not_drain(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path, {"TARNEEB_DRAIN_SECONDS": "60"}) as service:
        service.started()
        began = time.monotonic()
        service.process.send_signal(signal.SIGINT)
        assert service.wait() == 0
        assert time.monotonic() - began < 3
        assert "draining" not in {line["event"] for line in service.lines()}


def test_calls_in_flight_finish_within_the_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    with Service(grace_seconds=20) as service:
        call = service.stub.ListRuleSets.future(LIST)
        wait_for(lambda: slow.entered == 1)
        service.server.drain()
        assert service.status() == Answer.NOT_SERVING
        threading.Timer(1, slow.may.set).start()
        assert service.server.stop(threading.Event()) is True
        assert call.result(5).rule_sets


def test_calls_that_outlast_the_grace_are_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    with Service(grace_seconds=0.6) as service:
        call = service.stub.ListRuleSets.future(LIST)
        wait_for(lambda: slow.entered == 1)
        assert service.server.stop(threading.Event()) is False
        assert failure(call.result).code() in (grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE)
        slow.may.set()


@pytest.mark.parametrize("variable", ["TARNEEB_PORT", "TARNEEB_METRICS_PORT", "TARNEEB_HEALTH_PORT"])
def test_a_taken_port_is_named_and_ends_with_code_1(variable: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        flags = [
            "--host",
            "127.0.0.1",
            "--metrics-host",
            "127.0.0.1",
            "--port",
            "0",
            "--health-port",
            "0",
            "--metrics-port",
            "auto",
        ]
        flags += ["--" + variable.removeprefix("TARNEEB_").lower().replace("_", "-"), port]
        result = subprocess.run(
            [sys.executable, "-m", "tarneeb_service", "serve", *flags],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert result.returncode == 1
    host = "TARNEEB_METRICS_HOST" if "METRICS" in variable else "TARNEEB_HOST"
    assert f"{variable}, {host}: port {port} on 127.0.0.1 can't be opened" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("closed", [(1,), (2,), (1, 2)])
def test_it_serves_with_closed_streams(closed: tuple[int, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    flags = ["--host", "127.0.0.1", "--port", str(port), "--health-port", "0", "--metrics-port", "0"]
    flags += ["--drain-seconds", "0"]
    # A shell closes them better than a fork would.
    command = f'exec "$@" {" ".join(f"{stream}>&-" for stream in closed)}'
    process = subprocess.Popen(
        ["sh", "-c", command, "sh", sys.executable, "-m", "tarneeb_service", "serve", *flags],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            grpc.channel_ready_future(channel).result(20)
            assert TarneebServiceStub(channel).ListRuleSets(LIST, timeout=10).rule_sets
        process.terminate()
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait(10)


def test_a_bad_file_ends_with_code_2(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("short\n")
    result = subprocess.run(
        [sys.executable, "-m", "tarneeb_service", "serve", "--tokens-file", str(tokens), "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 2
    assert "TARNEEB_TOKENS_FILE, line 1" in result.stderr


def test_the_default_address_takes_ipv4_callers() -> None:
    with (
        Service(host="[::]") as service,
        grpc.insecure_channel(f"127.0.0.1:{service.server.port}") as channel,
    ):
        assert TarneebServiceStub(channel).ListRuleSets(LIST, timeout=5).rule_sets


def test_metrics_do_without_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    start = prometheus_client.start_http_server

    def without_ipv6(port: int, address: str, registry: Any) -> Any:
        if address == "::":
            raise OSError(errno.EAFNOSUPPORT, "no such family")
        return start(port, address, registry)

    monkeypatch.setattr(metrics, "start_http_server", without_ipv6)
    server = metrics.MetricsServer("[::]", 0, metrics.Metrics(SERVICE, []))
    with socket.create_connection(("127.0.0.1", server.port), timeout=5):
        server.close()


def test_who_may_call_is_said(tmp_path: Path) -> None:
    open_to_all = "anybody who reaches the port may call: there are no tokens, and no callers' certificates"
    with ServiceProcess(tmp_path, {"TARNEEB_HOST": "[::]"}) as service:
        service.wait_for_line(open_to_all)
    with ServiceProcess(tmp_path) as service:
        service.terminate()
        assert open_to_all not in {line["event"] for line in service.lines()}


def test_a_rolling_restart_loses_no_call_of_the_documented_client() -> None:
    result = run("documented", "sigterm", 2, {"TARNEEB_DRAIN_SECONDS": 1})
    assert not result.tally.lost, result.text()
    assert len(result.tally.calls) > 500
    assert set(result.exit_codes) == {0}
