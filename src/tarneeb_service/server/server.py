"""The server: ports opened, methods, health, reflection and metrics hung on them, and all of it ended again."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import grpc
from grpc_health.v1 import health

from tarneeb_service.engine.presets import presets
from tarneeb_service.rpc.dispatch import SERVICE, methods_table
from tarneeb_service.rpc.memory import Memory
from tarneeb_service.server.admission import Admission
from tarneeb_service.server.executor import Executor
from tarneeb_service.server.handler import MethodHandler
from tarneeb_service.server.health import Health
from tarneeb_service.server.reflection import Reflection
from tarneeb_service.server.settings import AUTO, Settings, SettingsError, StartError, variable
from tarneeb_service.server.tls import Certificates
from tarneeb_service.server.tokens import Tokens
from tarneeb_service.telemetry.access_log import Reporter
from tarneeb_service.telemetry.log import Log
from tarneeb_service.telemetry.metrics import Metrics, MetricsServer

if TYPE_CHECKING:
    from tarneeb_service.telemetry.tracing import Tracing

# Replays at work; each may take a second.
REPLAYS_AT_WORK = 2
# Streams that a probe's connection may have, seconds that it may be idle, and that a probe's port takes to close.
PROBE_STREAMS, PROBE_IDLE, CLOSING = 16, 60, 5
# Seconds in which a connection must have greeted, TLS included; gRPC waits for two minutes.
GREETING = 10


class Server:
    """A started server."""

    def __init__(self, settings: Settings, metrics: Metrics, log: Log) -> None:
        """Open the ports and serve.

        Raises:
            StartError: A port can't be opened.
            SettingsError: A file is no good, or a library is missing.
        """
        self._settings = settings
        tokens = Tokens(settings.tokens_file, log, metrics) if settings.tokens_file else None
        certificates = Certificates(settings, log, metrics) if settings.tls_cert_file else None
        # Before the first call, which would wait for the files.
        presets()
        self._tracing = _tracing(settings)
        reporter = Reporter(metrics, log, self._tracing)
        self._workers = Executor("worker", settings.threads)
        # The others do not wait behind replays.
        self._replayers = Executor("replay", REPLAYS_AT_WORK)
        memory = Memory(settings.memory_games)
        handlers = {
            name: MethodHandler(method, self._replayers if name == "ReplayGame" else self._workers, reporter)
            for name, method in methods_table(settings.max_batch, memory).items()
        }
        self.admission = Admission(handlers, settings, tokens, reporter)
        self._health = Health()
        self._reflection = Reflection(SERVICE, health.SERVICE_NAME) if settings.reflection else None
        self._serving = True
        self._add_gauges(metrics)
        metrics.add_memory(memory)
        self._servers: list[grpc.Server] = []
        self._metrics_server: MetricsServer | None = None
        try:
            self._open(metrics, certificates)
        except StartError:
            self.end()
            raise
        for server in self._servers:
            server.start()

    @property
    def metrics_port(self) -> int:
        """The port of the metrics, 0 for none."""
        return self._metrics_server.port if self._metrics_server else 0

    def drain(self) -> None:
        """Report NOT_SERVING, and go on serving."""
        self._serving = False
        self._health.drain()

    def stop(self, forced: threading.Event) -> bool:
        """Take no more calls, finish those in flight, and end; say whether all of them finished.

        ``forced`` ends it at once when it is set.
        """
        deadline = time.monotonic() + self._settings.grace_seconds
        self._health.end_watches()
        main = self._servers[0].stop(self._settings.grace_seconds + CLOSING)
        while not main.wait(0.02) and time.monotonic() < deadline and not forced.is_set():
            pass
        unfinished = self.admission.pending
        return self.end() and not unfinished

    def end(self) -> bool:
        """End everything now, and say whether all servers did."""
        self._health.end_watches()
        ended = [server.stop(0) for server in self._servers]
        in_time = [event.wait(CLOSING) for event in ended]
        # After the servers: a pool that is closed takes no call, and gRPC's own thread would die of it.
        for threads in (self._health, self._workers, self._replayers, self.admission):
            threads.close()
        if self._reflection:
            self._reflection.close()
        if self._metrics_server:
            self._metrics_server.close()
        if self._tracing:
            self._tracing.close()
        return all(in_time)

    def _open(self, metrics: Metrics, certificates: Certificates | None) -> None:
        settings = self._settings
        main = grpc.server(
            # Never used: every handler names its threads.
            ThreadPoolExecutor(1),
            handlers=[self._health.handlers("health")],
            interceptors=[self.admission],
            options=channel_options(settings),
        )
        if self._reflection:
            main.add_generic_rpc_handlers((self._reflection,))
        probes = grpc.server(
            ThreadPoolExecutor(1),
            handlers=[self._health.handlers("probe")],
            options=probe_options(),
        )
        self._servers += [main, probes]
        self.port = _open_port(main, "port", settings.host, settings.port, certificates)
        # Plain text: native probes have neither TLS nor tokens.
        self.health_port = _open_port(probes, "health_port", settings.host, settings.health_port, None)
        if settings.metrics_port:
            port = 0 if settings.metrics_port == AUTO else settings.metrics_port
            try:
                self._metrics_server = MetricsServer(settings.metrics_host, port, metrics)
            except OSError as error:
                raise _no_port("metrics_port", settings.metrics_host, port, error.strerror) from None

    def _add_gauges(self, metrics: Metrics) -> None:
        admission = self.admission
        metrics.gauge(
            "tarneeb_calls_in_flight", "Calls that wait for a thread or run.", lambda: admission.pending
        )
        metrics.gauge(
            "tarneeb_calls_limit", "The most calls at once, TARNEEB_MAX_CALLS.", lambda: admission.calls.most
        )
        metrics.gauge("tarneeb_serving", "1 while readiness says SERVING.", lambda: self._serving)


def _tracing(settings: Settings) -> Tracing | None:
    if not settings.otlp_endpoint:
        return None
    try:
        from tarneeb_service.telemetry.tracing import Tracing, otlp_exporter
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "opentelemetry":
            raise
        name = variable("otlp_endpoint")
        raise SettingsError(f"{name} needs OpenTelemetry: pip install 'tarneeb-service[tracing]'") from None
    return Tracing(otlp_exporter(settings.otlp_endpoint), settings.trace_share)


def channel_options(settings: Settings) -> list[tuple[str, int]]:
    """Return what gRPC's core is told; it takes any name, so a test holds each against the core's own list."""
    return [
        # Two servers must not share a port unnoticed.
        ("grpc.so_reuseport", int(settings.share_port)),
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        # What one connection can hold: without it 500 silent streams kept 578 of 580 calls out.
        # Heads of a megabyte on eight connections took 1,258 MiB at 200 streams, 700 at 64.
        ("grpc.max_concurrent_streams", settings.max_streams),
        # What has ended counts as open until it is freed: without these a client with 100 calls under way, who keeps to
        # the limit, lost half of them.
        ("grpc.http2.max_deallocating_streams", settings.max_streams),
        # 17 kB each, idle: 5,000 took 86 MiB, now 17. More are closed as they come.
        ("grpc.max_allowed_incoming_connections", settings.max_connections),
        ("grpc.server_handshake_timeout_ms", milliseconds(GREETING)),
        ("grpc.keepalive_time_ms", milliseconds(settings.keepalive_seconds)),
        ("grpc.keepalive_timeout_ms", milliseconds(settings.keepalive_timeout_seconds)),
        # What closes the connection, in truth: the core never starts the timer of the one above, and waits a minute.
        ("grpc.http2.ping_timeout_ms", milliseconds(settings.keepalive_timeout_seconds)),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", milliseconds(settings.min_ping_seconds)),
        ("grpc.max_connection_age_ms", milliseconds(settings.max_connection_age_seconds)),
        ("grpc.max_connection_age_grace_ms", milliseconds(settings.max_connection_age_grace_seconds)),
    ]


def probe_options() -> list[tuple[str, int]]:
    """Return what the core is told about the port of probes."""
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_concurrent_streams", PROBE_STREAMS),
        ("grpc.max_connection_idle_ms", milliseconds(PROBE_IDLE)),
        ("grpc.server_handshake_timeout_ms", milliseconds(GREETING)),
    ]


def milliseconds(seconds: float) -> int:
    """Return seconds as the core counts them."""
    return int(seconds * 1000)


def _open_port(
    server: grpc.Server, name: str, host: str, port: int, certificates: Certificates | None
) -> int:
    address = f"{host}:{0 if port == AUTO else port}"
    try:
        if certificates is None:
            return server.add_insecure_port(address)
        return server.add_secure_port(address, certificates.credentials())
    except RuntimeError:
        raise _no_port(name, host, port, "it is taken, or no address of this machine") from None


def _no_port(name: str, host: str, port: int, why: str | None) -> StartError:
    of_host = variable("metrics_host" if name == "metrics_port" else "host")
    return StartError(
        f"{variable(name)}, {of_host}: port {port} on {host} can't be opened: {why or 'unknown error'}"
    )
