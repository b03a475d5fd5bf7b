"""The server: the service behind its gate, with health, reflection and metrics."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf import message_factory
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from tarneeb.v1 import tarneeb_service_pb2, tarneeb_service_pb2_grpc
from tarneeb_service.engine.presets import presets
from tarneeb_service.rpc.servicer import Servicer
from tarneeb_service.server.admission import REFLECTION, Gate, HealthGate
from tarneeb_service.server.executor import Pool
from tarneeb_service.server.settings import AUTO, Settings, variable
from tarneeb_service.telemetry.access_log import wants
from tarneeb_service.telemetry.calls import WatchedMethod, report
from tarneeb_service.telemetry.exposition import MetricsServer
from tarneeb_service.telemetry.logs import Log
from tarneeb_service.telemetry.metrics import Metrics
from tarneeb_service.telemetry.reporter import Teller

if TYPE_CHECKING:
    # Imported where they are switched on: a service without starts sooner.
    from tarneeb_service.server.tls import Certificates
    from tarneeb_service.server.tokens import Tokens

DESCRIPTOR = tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"]
SERVICE = DESCRIPTOR.full_name
# Readiness is the empty name, and the service's own; both turn when the drain begins.
READINESS, LIVENESS = ("", SERVICE), "liveness"
# Seconds in which new calls are told to go elsewhere before the port closes: what the core has accepted by
# then still gets an answer, where `stop` alone would cancel it (grpc issue 41785).
REFUSING = 0.5
# Then answers on their way leave; what is left is health's watchers, and calls that nobody will answer.
LAST_WORDS = 0.1
REFLECT = f"{REFLECTION}ServerReflectionInfo"
# Replays at once.
REPLAYS = 2


class StartError(RuntimeError):
    """The service can't start; the text says which setting to change."""


class Reflection(grpc.GenericRpcHandler):
    """Reflection, which is loaded when somebody first asks for it."""

    def __init__(self, *services: str) -> None:
        """Show these services, and itself."""
        self._services = services

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return what handles a call, if it is one of reflection."""
        if handler_call_details.method != REFLECT:
            return None
        return self._handler

    @cached_property
    def _handler(self) -> grpc.RpcMethodHandler[Any, Any]:
        from grpc_reflection.v1alpha import reflection, reflection_pb2

        servicer = reflection.ReflectionServicer((*self._services, reflection.SERVICE_NAME))
        return grpc.stream_stream_rpc_method_handler(
            servicer.ServerReflectionInfo,
            reflection_pb2.ServerReflectionRequest.FromString,
            reflection_pb2.ServerReflectionResponse.SerializeToString,
        )


class RunningServer:
    """A started server."""

    def __init__(self, settings: Settings, log: Log, servicer: Callable[..., Servicer] = Servicer) -> None:
        """Open the ports and serve; ``finish_start`` does what need not come first.

        Raises:
            StartError: A port can't be opened.
            SettingsError: A file is no good.
        """
        self._settings, self._log = settings, log
        names = [method.name for method in DESCRIPTOR.methods]
        self.metrics = metrics = Metrics(SERVICE, names)
        self._teller = Teller(metrics, log)
        tell = self._teller.put
        sample = settings.log_sample if wants(log, 0) else 0.0
        tokens, certificates = _tokens(settings, log, metrics), _certificates(settings, log, metrics)
        answers = servicer(report, settings.max_batch)
        self.pool = Pool("worker", settings.threads, settings.max_calls, tell)
        # Replays take up to a second or two each: the others do not wait behind them.
        replays = Pool("replay", REPLAYS, settings.max_calls, tell)
        self.watched: dict[str, WatchedMethod] = {}
        for method in DESCRIPTOR.methods:
            path = f"/{SERVICE}/{method.name}"
            request_class = message_factory.GetMessageClass(method.input_type)
            behavior = getattr(answers, method.name)
            self.watched[path] = WatchedMethod(
                method.name,
                behavior,
                request_class,
                metrics.methods[path],
                tell,
                sample,
                replays if method.name == "ReplayGame" else None,
            )
        self.gate = Gate(self.watched, self.pool, settings, tokens, metrics.other, tell)
        # The other kind sends while it holds a lock that a closing watcher needs, and freezes the process.
        self._health = health.HealthServicer(experimental_non_blocking=False)
        self._serving = False
        self._probe_gate: HealthGate | None = None
        self._servers: list[grpc.Server] = []
        self._metrics_server: MetricsServer | None = None
        try:
            self._open(answers, certificates)
        except StartError:
            self._end(None)
            raise
        for name in (*READINESS, LIVENESS):
            self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        for server in self._servers:
            server.start()
        self._serving = True

    @property
    def metrics_port(self) -> int:
        """The port of the metrics, 0 for none."""
        return self._metrics_server.port if self._metrics_server else 0

    def tell(self) -> None:
        """Count and log every call that was answered so far, now and not in a moment."""
        self._teller.tell()

    def finish_start(self) -> None:
        """Do what need not be done before the first answer."""
        presets()
        if self._metrics_server:
            self._metrics_server.start()

    def drain(self) -> None:
        """Report NOT_SERVING, and go on serving."""
        self._serving = False
        for name in READINESS:
            self._health.set(name, health_pb2.HealthCheckResponse.NOT_SERVING)

    def stop(self, forced: threading.Event) -> bool:
        """Refuse new calls, finish those in flight, and end; say whether all of them finished.

        ``forced`` ends it at once when it is set.
        """
        self.gate.stopping = True
        deadline = time.monotonic() + self._settings.grace_seconds
        forced.wait(REFUSING)
        while self.gate.pending and time.monotonic() < deadline and not forced.wait(0.02):
            pass
        unfinished = self.gate.pending
        ended = self._end(0.0 if forced.is_set() else LAST_WORDS)
        return ended and not unfinished

    def _open(self, answers: Servicer, certificates: Certificates | None) -> None:
        settings = self._settings
        main = grpc.server(self.pool, interceptors=[self.gate], options=_options(settings))
        tarneeb_service_pb2_grpc.add_TarneebServiceServicer_to_server(answers, main)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, main)
        if settings.reflection:
            main.add_generic_rpc_handlers((Reflection(SERVICE, health.SERVICE_NAME),))
        self._servers.append(main)
        self.port = _open_port(main, "port", settings.host, settings.port, certificates)
        self.health_port = 0
        if settings.health_port:
            gate = self._probe_gate = HealthGate(self._teller.put)
            probes = grpc.server(ThreadPoolExecutor(1), interceptors=[gate], options=_options(settings))
            health_pb2_grpc.add_HealthServicer_to_server(self._health, probes)
            self._servers.append(probes)
            self.health_port = _open_port(probes, "health_port", settings.host, settings.health_port, None)
        if settings.metrics_port:
            port = 0 if settings.metrics_port == AUTO else settings.metrics_port
            try:
                self._metrics_server = MetricsServer(settings.metrics_host, port, self.metrics, self._gauges)
            except OSError as error:
                raise _no_port("metrics_port", settings.metrics_host, port, error.strerror) from None

    def _gauges(self) -> dict[str, float]:
        # First what waits to be counted.
        self._teller.tell()
        return {
            "tarneeb_calls_in_flight": self.gate.pending,
            "tarneeb_calls_limit": self._settings.max_calls,
            "tarneeb_workers": self.pool.workers,
            "tarneeb_serving": int(self._serving),
            "tarneeb_log_lines_dropped_total": self._log.dropped,
        }

    def _end(self, grace: float | None) -> bool:
        """End everything, and say whether all servers did."""
        ended = [server.stop(grace) for server in self._servers]
        in_time = [event.wait(5) for event in ended]
        self.gate.close()
        if self._probe_gate:
            self._probe_gate.close()
        if self._metrics_server:
            self._metrics_server.close()
        self._teller.close()
        return all(in_time)


def _options(settings: Settings) -> list[tuple[str, int]]:
    def milliseconds(seconds: float) -> int:
        return int(seconds * 1000)

    return [
        # Two servers must not share a port unnoticed.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        ("grpc.keepalive_time_ms", milliseconds(settings.keepalive_seconds)),
        ("grpc.keepalive_timeout_ms", milliseconds(settings.keepalive_timeout_seconds)),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", milliseconds(settings.min_ping_seconds)),
        ("grpc.max_connection_age_ms", milliseconds(settings.max_connection_age_seconds)),
        ("grpc.max_connection_age_grace_ms", milliseconds(settings.max_connection_age_grace_seconds)),
    ]


def _tokens(settings: Settings, log: Log, metrics: Metrics) -> Tokens | None:
    if not settings.tokens_file:
        return None
    from tarneeb_service.server.tokens import Tokens

    return Tokens(settings.tokens_file, log, metrics)


def _certificates(settings: Settings, log: Log, metrics: Metrics) -> Certificates | None:
    if not settings.tls_cert_file:
        return None
    from tarneeb_service.server.tls import Certificates

    return Certificates(settings, log, metrics)


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
