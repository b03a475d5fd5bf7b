"""From the first to the last moment of the process that serves: signals, start, drain, stop."""

import gc
import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue
from types import FrameType

from tarneeb_service import __version__
from tarneeb_service.rpc.dispatch import SERVICE, methods_table
from tarneeb_service.server.server import Server
from tarneeb_service.server.settings import Loaded, Settings, SettingsError, StartError
from tarneeb_service.telemetry.line_budget import Kind
from tarneeb_service.telemetry.log import LibraryHandler, Log
from tarneeb_service.telemetry.metrics import Metrics

_LOOPBACK = ("127.", "localhost", "[::1]")


def serve(loaded: Loaded) -> bool:
    """Serve until SIGTERM or SIGINT, and say whether it ended in peace; a second signal cuts the end short.

    Raises:
        StartError: A port can't be opened.
        SettingsError: A file is no good, or a library is missing.
    """
    settings = loaded.settings
    signals = Signals()
    metrics = Metrics(SERVICE, methods_table())
    log = Log(
        sys.stderr.buffer,
        metrics,
        json=_wants_json(settings),
        level=settings.log_level,
        most=lines_per_second(settings),
    )
    logging.basicConfig(handlers=[LibraryHandler(log)], level=logging.WARNING, force=True)
    try:
        server = Server(settings, metrics, log)
    except (StartError, SettingsError):
        log.close()
        raise
    # Whoever started it may not listen; the service is there all the same.
    with suppress(OSError):
        sys.stdout.write(f"serving on port {server.port}\n")
        sys.stdout.flush()
    _say_started(loaded, server, log)
    # What is loaded now stays: looking through it for garbage costs 8 % of an echo.
    gc.freeze()
    signals.stopping.wait()
    if signals.first == signal.SIGTERM:
        log.event("info", "draining", seconds=settings.drain_seconds)
        server.drain()
        signals.forced.wait(settings.drain_seconds)
    log.event("info", "stopping", in_flight=server.admission.pending)
    finished = server.stop(signals.forced)
    forced = signals.forced.is_set()
    log.event("info" if finished else "warning", "stopped", forced=forced, finished=finished)
    log.close()
    return not forced


class Signals:
    """What the first and the second signal set."""

    def __init__(self) -> None:
        """Listen. First of all: as the first process of a container it would ignore a signal it does not handle."""
        self.stopping, self.forced = threading.Event(), threading.Event()
        self.first = 0
        # A handler runs in the middle of anything, so it may take no lock, which setting an event does.
        self._arrived: SimpleQueue[int] = SimpleQueue()
        threading.Thread(target=self._relay, name="signals", daemon=True).start()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self._arrived.put(number)

    def _relay(self) -> None:
        self.first = self._arrived.get()
        self.stopping.set()
        self._arrived.get()
        self.forced.set()


def lines_per_second(settings: Settings) -> dict[Kind, int]:
    """Return how many lines of each kind the log takes in a second."""
    others = settings.log_failures_per_second
    return dict.fromkeys(Kind, others) | {Kind.SUCCESS: settings.log_successes_per_second}


def _say_started(loaded: Loaded, server: Server, log: Log) -> None:
    settings = loaded.settings
    log.event(
        "info",
        "serving",
        version=__version__,
        host=settings.host,
        port=server.port,
        metrics_port=server.metrics_port,
        health_port=server.health_port,
        tls=bool(settings.tls_cert_file),
        tokens=bool(settings.tokens_file),
        tracing=bool(settings.otlp_endpoint),
        pid=os.getpid(),
    )
    if not (settings.tokens_file or settings.tls_client_ca_file or settings.host.startswith(_LOOPBACK)):
        log.event(
            "info", "anybody who reaches the port may call: there are no tokens, and no callers' certificates"
        )
    for name in loaded.unknown:
        log.event("warning", "not a setting, ignored", variable=name)


def _wants_json(settings: Settings) -> bool:
    if settings.log_format == "auto":
        return not sys.stderr.isatty()
    return settings.log_format == "json"
