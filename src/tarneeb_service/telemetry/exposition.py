"""The counts as Prometheus series, on a port of their own."""

import errno
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import grpc

from tarneeb_service import __version__
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.telemetry.access_log import CODES
from tarneeb_service.telemetry.labels import REASONS, RULINGS
from tarneeb_service.telemetry.metrics import Histogram, Metrics

if TYPE_CHECKING:
    from prometheus_client import Metric
    from prometheus_client.core import HistogramMetricFamily

CALL_LABELS = ("grpc_type", "grpc_service", "grpc_method")
MOVE_LABELS = ("rule_set", "move", "verdict", "reason")
MOST_CONNECTIONS = 16
# Codes with a series from the start, so that a rate sees the first call; the others come when they happen.
_OK = 0


class MetricsServer:
    """Serves ``/metrics``. The port is open at once; callers wait until ``start``."""

    def __init__(
        self, host: str, port: int, metrics: Metrics, gauges: Callable[[], dict[str, float]]
    ) -> None:
        """Open the port; 0 picks a free one. ``gauges`` gives what is read, not counted.

        Raises:
            OSError: The address is taken or can't be bound.
        """
        self._socket = _listen(host.strip("[]"), port)
        self.port: int = self._socket.getsockname()[1]
        self._metrics, self._gauges = metrics, gauges
        self._close: Callable[[], None] = self._socket.close

    def start(self) -> None:
        """Answer scrapes, on a thread of their own. Imports the Prometheus library, which takes a while."""
        from http.server import ThreadingHTTPServer

        from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
        from prometheus_client.exposition import MetricsHandler
        from prometheus_client.registry import Collector

        metrics, gauges = self._metrics, self._gauges
        connections: deque[socket.socket] = deque()

        class Counts(Collector):
            def collect(self) -> Iterator["Metric"]:
                return families(metrics, gauges())

        registry = CollectorRegistry()
        registry.register(Counts())
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def process_request(self, request: Any, client_address: Any) -> None:
                """Handle a connection; the oldest makes room, so that those who dawdle keep no scraper out."""
                connections.append(request)
                if len(connections) > MOST_CONNECTIONS:
                    with suppress(OSError):
                        connections.popleft().shutdown(socket.SHUT_RDWR)
                super().process_request(request, client_address)

            def shutdown_request(self, request: Any) -> None:
                """End a connection."""
                with suppress(ValueError):
                    connections.remove(request)
                super().shutdown_request(request)

            def handle_error(self, request: Any, client_address: Any) -> None:
                """Say nothing of a scraper who hangs up."""

        class Handler(MetricsHandler):
            # A scraper that stalls gives its thread back.
            timeout = 10

        Handler.registry = registry
        server = Server(("", 0), Handler, bind_and_activate=False)
        server.socket.close()
        server.socket = self._socket
        threading.Thread(target=server.serve_forever, args=(0.2,), name="metrics", daemon=True).start()

        def close() -> None:
            server.shutdown()
            server.server_close()

        self._close = close

    def close(self) -> None:
        """Close the port."""
        self._close()


def families(metrics: Metrics, gauges: dict[str, float]) -> Iterator["Metric"]:
    """Return all series."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    build = {
        "version": __version__,
        "rules_revision": str(RULES_REVISION),
        "python": sys.version.split()[0],
        "grpc": grpc.__version__,
    }
    info = GaugeMetricFamily("tarneeb_build_info", "What runs here; always 1.", labels=list(build))
    info.add_metric(list(build.values()), 1)
    started = CounterMetricFamily("grpc_server_started", "Calls that arrived.", labels=CALL_LABELS)
    handled = CounterMetricFamily(
        "grpc_server_handled", "Calls that ended, by status code.", labels=(*CALL_LABELS, "grpc_code")
    )
    seconds = HistogramMetricFamily(
        "grpc_server_handling_seconds",
        "From a call's arrival to its answer, waiting included.",
        labels=CALL_LABELS,
    )
    moves = CounterMetricFamily("tarneeb_moves", "Verdicts on moves.", labels=MOVE_LABELS)
    problems = CounterMetricFamily(
        "tarneeb_snapshot_problems", "Problems in games that callers sent.", labels=["reason"]
    )
    shed = CounterMetricFamily("tarneeb_shed_calls", "Calls turned away before any work.", labels=["reason"])
    batches = HistogramMetricFamily("tarneeb_batch_items", "Items of a ValidateMoves call.", labels=())
    failures = CounterMetricFamily(
        "tarneeb_reload_failures", "Changed files that could not be read.", labels=["files"]
    )
    for counts in (*metrics.methods.values(), metrics.other):
        labels = ("unary", counts.service, counts.method)
        started.add_metric(labels, counts.started)
        for code, count in enumerate(counts.handled):
            if count or code == _OK:
                handled.add_metric((*labels, CODES[code]), count)
        _add_histogram(seconds, labels, counts.seconds)
    for (rule_set, move, ruling, reason), count in metrics.moves.copy().items():
        verdict, why = RULINGS.get(ruling, "other"), REASONS.get(reason, "other")
        moves.add_metric((rule_set, move, verdict, why), count)
    for problem, count in metrics.snapshot_problems.items():
        problems.add_metric([problem.name.lower()], count)
    for cause, count in metrics.shed.items():
        shed.add_metric([str(cause)], count)
    for files, count in metrics.reload_failures.items():
        failures.add_metric([files], count)
    _add_histogram(batches, (), metrics.batches)
    yield from (info, started, handled, seconds, moves, problems, shed, batches, failures)
    for name, value in gauges.items():
        if name.endswith("_total"):
            yield CounterMetricFamily(name, HELP[name], value=value)
        else:
            yield GaugeMetricFamily(name, HELP[name], value=value)


HELP = {
    "tarneeb_calls_in_flight": "Calls that wait for a thread or run.",
    "tarneeb_calls_limit": "The most calls at once, TARNEEB_MAX_CALLS.",
    "tarneeb_workers": "Threads that handle calls; above TARNEEB_THREADS while callers hold some without a message.",
    "tarneeb_serving": "1 while readiness says SERVING.",
    "tarneeb_log_lines_dropped_total": "Log lines lost because nobody read the log.",
}


def _add_histogram(family: "HistogramMetricFamily", labels: tuple[str, ...], histogram: Histogram) -> None:
    bounds = [*(f"{bound:g}" for bound in histogram.bounds), "+Inf"]
    buckets = list(zip(bounds, accumulate(histogram.counts), strict=True))
    family.add_metric(labels, buckets, histogram.total)


def _listen(host: str, port: int) -> socket.socket:
    if host in ("::", "") and not socket.has_dualstack_ipv6():
        host = "0.0.0.0"
    if host in ("::", ""):
        try:
            return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError as error:
            # The kernel knows IPv6, the machine has none.
            if error.errno not in _NO_IPV6:
                raise
            host = "0.0.0.0"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


_NO_IPV6 = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
