"""What is counted, as Prometheus has it. Every label value is from a closed set, whatever callers send."""

import errno
import platform
from collections.abc import Callable, Iterable

import grpc
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from tarneeb_service import __version__
from tarneeb_service.engine.problems import ProblemReason
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.rpc.errors import Shed
from tarneeb_service.rpc.memory import Memory
from tarneeb_service.telemetry.labels import OTHER, REASONS, RULINGS, MoveKey
from tarneeb_service.telemetry.line_budget import Kind

# Seconds. A call takes some 0.1 ms; what is above 0.1 s waited.
BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
BATCH_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
# Names of status codes as the Prometheus middlewares of gRPC write them, by number.
CODES = (
    "OK",
    "Canceled",
    "Unknown",
    "InvalidArgument",
    "DeadlineExceeded",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "ResourceExhausted",
    "FailedPrecondition",
    "Aborted",
    "OutOfRange",
    "Unimplemented",
    "Internal",
    "Unavailable",
    "DataLoss",
    "Unauthenticated",
)
_CALL_LABELS = ("grpc_type", "grpc_service", "grpc_method")
_NO_IPV6 = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)


class _Method:
    """The series of one method, bound to its labels: to look them up on every call costs 2 µs each."""

    def __init__(self, metrics: "Metrics", service: str, method: str) -> None:
        labels = ("unary", service, method)
        self.started = metrics.started.labels(*labels)
        self.seconds = metrics.seconds.labels(*labels)
        self._handled, self._labels = metrics.handled, labels
        # There from the start, so that a rate sees the first call; the others come when they happen.
        self._by_code = {0: metrics.handled.labels(*labels, CODES[0])}

    def handled(self, code: int) -> Counter:
        """Return the series of calls that ended with this status code number."""
        child = self._by_code.get(code)
        if child is None:
            child = self._by_code[code] = self._handled.labels(*self._labels, CODES[code])
        return child


class Metrics:
    """All series of a process, in a registry of their own."""

    def __init__(self, service: str, methods: Iterable[str]) -> None:
        """Start at zero for the methods of a service, and for all others together."""
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        build = {
            "version": __version__,
            "rules_revision": str(RULES_REVISION),
            "python": platform.python_version(),
            "grpc": grpc.__version__,
        }
        info = Gauge("tarneeb_build_info", "What runs here; always 1.", list(build), registry=registry)
        info.labels(**build).set(1)
        self.started = Counter("grpc_server_started", "Calls that arrived.", _CALL_LABELS, registry=registry)
        self.handled = Counter(
            "grpc_server_handled",
            "Calls that ended, by status code.",
            (*_CALL_LABELS, "grpc_code"),
            registry=registry,
        )
        self.seconds = Histogram(
            "grpc_server_handling_seconds",
            "From a call's arrival to its answer, waiting included.",
            _CALL_LABELS,
            buckets=BUCKETS,
            registry=registry,
        )
        self._methods = {method: _Method(self, service, method) for method in methods}
        self._methods[OTHER] = _Method(self, OTHER, OTHER)
        self._moves = Counter(
            "tarneeb_moves",
            "Verdicts on moves.",
            ("rule_set", "move", "verdict", "reason"),
            registry=registry,
        )
        # Few keys: each is made of closed sets.
        self._by_move: dict[MoveKey, Counter] = {}
        problems = Counter(
            "tarneeb_snapshot_problems", "Problems in games that callers sent.", ["reason"], registry=registry
        )
        self._problems = {int(reason): problems.labels(reason.name.lower()) for reason in ProblemReason}
        shed = Counter(
            "tarneeb_shed_calls", "Calls turned away before any work.", ["reason"], registry=registry
        )
        self.shed = {reason: shed.labels(str(reason)) for reason in Shed}
        self.batch_items = Histogram(
            "tarneeb_batch_items", "Items of a ValidateMoves call.", buckets=BATCH_BUCKETS, registry=registry
        )
        failures = Counter(
            "tarneeb_reload_failures",
            "Changed files that could not be used.",
            ["files"],
            registry=registry,
        )
        self.reload_failures = {files: failures.labels(files) for files in ("tls", "tokens")}
        self.log_lines_dropped = Counter(
            "tarneeb_log_lines_dropped", "Log lines lost because nobody read the log.", registry=registry
        )
        left_out = Counter(
            "tarneeb_log_lines_left_out",
            "Log lines not written since their kind had enough in that second.",
            ["kind"],
            registry=registry,
        )
        self._left_out = {kind: left_out.labels(str(kind)) for kind in Kind}

    def method(self, name: str) -> _Method:
        """Return the series of a method, or of all that are none."""
        return self._methods[name]

    def move(self, key: MoveKey) -> None:
        """Count a verdict."""
        child = self._by_move.get(key)
        if child is None:
            rule_set, move, ruling, reason = key
            child = self._by_move[key] = self._moves.labels(
                rule_set, move, RULINGS.get(ruling, OTHER), REASONS.get(reason, OTHER)
            )
        child.inc()

    def snapshot_problems(self, reasons: Iterable[int]) -> None:
        """Count the problems of snapshots."""
        for reason in reasons:
            self._problems[reason].inc()

    def lines_left_out(self, kind: Kind, count: int) -> None:
        """Count lines that were not written."""
        self._left_out[kind].inc(count)

    def add_memory(self, memory: Memory) -> None:
        """Add what a memory counts by itself, where the workers share its lock already."""
        self.registry.register(_MemoryCollector(memory))

    def gauge(self, name: str, what: str, read: Callable[[], float]) -> None:
        """Add a series that is read, not counted."""
        Gauge(name, what, registry=self.registry).set_function(read)


class _MemoryCollector(Collector):
    """The series of a memory, read when they are asked for."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def collect(self) -> Iterable[Metric]:
        looked = CounterMetricFamily(
            "tarneeb_memory_lookups", "Snapshots looked for among the games remembered.", labels=["result"]
        )
        looked.add_metric(["hit"], self._memory.found)
        looked.add_metric(["miss"], self._memory.missed)
        yield looked
        yield GaugeMetricFamily("tarneeb_memory_games", "Checked games remembered.", len(self._memory))


class MetricsServer:
    """The library's HTTP server on a port of its own: ``/metrics``, in OpenMetrics too where it is asked for."""

    def __init__(self, host: str, port: int, metrics: Metrics) -> None:
        """Serve; port 0 picks a free one.

        Raises:
            OSError: The address is taken or can't be bound.
        """
        address = host.strip("[]") or "::"
        try:
            self._server, self._thread = start_http_server(port, address, metrics.registry)
        except OSError as error:
            # The kernel knows IPv6, the machine has none.
            if address != "::" or error.errno not in _NO_IPV6:
                raise
            self._server, self._thread = start_http_server(port, "0.0.0.0", metrics.registry)
        self.port: int = self._server.server_port

    def close(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
