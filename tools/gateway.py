"""Run Envoy in front of `make run`, on this machine, with the cluster's file: python -m tools.gateway.

gRPC, gRPC-Web, Connect and JSON on one port: docs/gateway.md. The settings of the service, where there are any, say
where it is. Ctrl-C stops it.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import grpc
import yaml
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tarneeb_service.server.settings import Settings, SettingsError, load
from tools.check_deploy.downloads import MissingToolError, envoy
from tools.check_deploy.gateway import Backend, Gateway, local_config, options
from tools.check_deploy.processes import HOST, end, free_ports, get, until

PORT = 8080
SECONDS = 10


class NotNowError(RuntimeError):
    """Why there is no gateway, and what to do about it."""


def where_it_serves(settings: Settings) -> Backend:
    """The ports of the service on this machine.

    Raises:
        NotNowError: Nobody serves there, or not in a way that the gateway speaks.
    """
    if settings.tls_cert_file:
        raise NotNowError("the gateway speaks plain text to the service: run it without TLS")
    backend = Backend(settings.port, settings.health_port)
    with grpc.insecure_channel(f"{HOST}:{backend.health_port}") as channel:
        try:
            # Its stubs have no types.
            stub: Any = health_pb2_grpc.HealthStub(channel)
            stub.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS / 2)
        except grpc.RpcError:
            raise NotNowError(
                f"nobody serves on localhost:{backend.port} (health on {backend.health_port}): "
                "`make run` in another terminal, then this again"
            ) from None
    return backend


def check_free(port: int) -> None:
    """See that the gateway's own port is free.

    Raises:
        NotNowError: It is not.
    """
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        raise NotNowError(
            f"port {port} of {HOST}: {os.strerror(error.errno or 0)}; another one: make gateway GATEWAY_PORT=8081"
        ) from None


def serve(program: Path, backend: Backend, port: int) -> int:
    """Run Envoy until somebody stops it; returns its exit code."""
    gateway = Gateway(port, *free_ports(2))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "envoy.yaml"
        file.write_text(yaml.safe_dump(local_config([backend], gateway)), encoding="utf-8")
        process = subprocess.Popen([program, *options(file)])
        try:
            until("a healthy service", lambda: _said(process, gateway), SECONDS)
            if process.poll() is None:
                print(
                    f"gRPC, gRPC-Web, Connect and JSON on http://localhost:{port}, for localhost:{backend.port}"
                )
                print("docs/gateway.md has calls to try; Ctrl-C stops it", flush=True)
            return process.wait()
        except KeyboardInterrupt:
            return 0
        finally:
            end(process)


def _said(process: "subprocess.Popen[bytes]", gateway: Gateway) -> bool | None:
    """Whether Envoy takes the service for healthy, or has ended; nothing as long as neither."""
    healthy = "cluster.tarneeb.membership_healthy: 1\n"
    stats = get(f"http://{HOST}:{gateway.admin_port}/stats?filter=membership_healthy") or ""
    return True if healthy in stats or process.poll() is not None else None


def _stop(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"where it listens, on localhost (default: {PORT})"
    )
    port = parser.parse_args().port
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    try:
        backend = where_it_serves(load(os.environ, {}).settings)
        check_free(port)
        return serve(envoy(), backend, port)
    except (NotNowError, MissingToolError, SettingsError, TimeoutError) as error:
        print(f"gateway: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
