"""Serving until a signal says stop."""

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
from tarneeb_service.cli.exit_codes import BAD_SETTINGS, FAILED
from tarneeb_service.cli.output import complain
from tarneeb_service.server.settings import Loaded, Settings, SettingsError


def serve(loaded: Loaded) -> int:
    """Serve until SIGTERM or SIGINT, and return the exit code; a second signal cuts the drain short."""
    # First of all: as the first process of a container it would ignore a signal that it does not handle.
    stopping, forced = _signalled()
    # What is loaded now stays: looking through it for garbage takes a tenth of the start.
    gc.disable()
    # gRPC's core writes to stderr past the log: every failed handshake, unless it is told not to.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    # Late, so that `config` and `--help` are quick.
    from tarneeb_service.server.server import RunningServer, StartError
    from tarneeb_service.telemetry.logs import LibraryHandler, Log

    settings = loaded.settings
    log = Log(sys.stderr, json=_wants_json(settings), level=settings.log_level)
    logging.basicConfig(handlers=[LibraryHandler(log)], level=logging.WARNING, force=True)
    try:
        server = RunningServer(settings, log)
    except StartError as error:
        complain(str(error))
        return FAILED
    except SettingsError as error:
        complain(str(error))
        return BAD_SETTINGS
    # Whoever started it may not listen; the service is there all the same.
    with suppress(OSError):
        sys.stdout.write(f"serving on port {server.port}\n")
        sys.stdout.flush()
    log.event(
        "info",
        "serving",
        version=__version__,
        port=server.port,
        metrics_port=server.metrics_port,
        health_port=server.health_port,
        tls=bool(settings.tls_cert_file),
        tokens=bool(settings.tokens_file),
        pid=os.getpid(),
    )
    for name in loaded.unknown:
        log.event("warning", "not a setting, ignored", variable=name)
    server.finish_start()
    gc.freeze()
    gc.enable()
    log.start()
    stopping.wait()
    log.event("info", "draining", seconds=settings.drain_seconds)
    server.drain()
    forced.wait(settings.drain_seconds)
    log.event("info", "stopping", in_flight=server.gate.pending)
    finished = server.stop(forced)
    log.event("info" if finished else "warning", "stopped", forced=forced.is_set(), finished=finished)
    log.close()
    return FAILED if forced.is_set() else 0


def _signalled() -> tuple[threading.Event, threading.Event]:
    """Return what the first and the second signal set."""
    stopping, forced = threading.Event(), threading.Event()
    # A handler runs in the middle of anything, so it may take no lock, which setting an event does.
    signals: SimpleQueue[int] = SimpleQueue()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        signals.put(number)

    def relay() -> None:
        for event in (stopping, forced):
            signals.get()
            event.set()

    threading.Thread(target=relay, name="signals", daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    return stopping, forced


def _wants_json(settings: Settings) -> bool:
    if settings.log_format == "auto":
        return not sys.stderr.isatty()
    return settings.log_format == "json"
