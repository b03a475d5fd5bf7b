"""The command line: ``tarneeb-service``."""

import argparse
import gc
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from types import FrameType
from typing import TextIO

from tarneeb_service import __version__
from tarneeb_service.cli.commands import add_commands
from tarneeb_service.cli.help import HelpFormatter
from tarneeb_service.server.settings import (
    Loaded,
    Settings,
    SettingsError,
    allowed,
    flag,
    load,
    setting_fields,
    shown,
    variable,
)

FAILED, BAD_SETTINGS = 1, 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with its code."""
    # A supervisor may have closed them.
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    parser = _parser()
    parsed = parser.parse_args(arguments)
    given = vars(parsed)
    if "run" in given:
        sys.exit(given["run"](parsed))
    flags = {setting.name: text for setting in setting_fields() if (text := given.get(setting.name))}
    try:
        loaded = load(os.environ, flags)
    except SettingsError as error:
        _say(str(error))
        sys.exit(BAD_SETTINGS)
    if given["command"] == "config":
        sys.stdout.write(RENDERERS[given["format"]](loaded))
        for name in loaded.unknown:
            _say(f"{name} is no setting and is ignored")
        sys.exit(0)
    code = serve(loaded)
    if code:
        # Threads that hang would keep the process; everything is flushed by now.
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


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
        _say(str(error))
        return FAILED
    except SettingsError as error:
        _say(str(error))
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


def as_text(loaded: Loaded) -> str:
    """Return the settings for a terminal."""
    lines = []
    for setting in setting_fields():
        value = getattr(loaded.settings, setting.name)
        lines.append(f"{variable(setting.name)}={_value(value)}  ({loaded.sources[setting.name]})")
        lines.append(f"    {setting.metadata['doc']}")
        lines.append(f"    {flag(setting.name)}; {allowed(setting)}; default {_value(setting.default)}")
    return "\n".join(lines) + "\n"


def as_json(loaded: Loaded) -> str:
    """Return the settings for a program."""
    document = {
        variable(setting.name): {
            "value": getattr(loaded.settings, setting.name),
            "source": loaded.sources[setting.name],
            "default": setting.default,
            "allowed": allowed(setting),
            "flag": flag(setting.name),
            "doc": setting.metadata["doc"],
        }
        for setting in setting_fields()
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def as_markdown(_loaded: Loaded) -> str:
    """Return the table of the documentation; it has defaults alone."""
    lines = ["| Variable | Default | Takes | Meaning |", "| --- | --- | --- | --- |"]
    for setting in setting_fields():
        default = f"`{_value(setting.default)}`" if _value(setting.default) else "unset"
        doc = setting.metadata["doc"]
        lines.append(f"| `{variable(setting.name)}` | {default} | {allowed(setting)} | {doc} |")
    return "\n".join(lines) + "\n"


RENDERERS = {"text": as_text, "json": as_json, "markdown": as_markdown}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tarneeb-service",
        description="A referee for the Tarneeb family.",
        epilog="Exit codes: 0 after a clean stop, 1 when it can't start or was forced, 2 for bad settings.",
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    # Made once for both: so many flags take a while.
    settings = argparse.ArgumentParser(add_help=False, formatter_class=HelpFormatter)
    for setting in setting_fields():
        settings.add_argument(
            flag(setting.name),
            metavar="VALUE",
            help=f"{setting.metadata['doc']} [{variable(setting.name)}]".replace("%", "%%"),
        )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, what in (
        ("serve", "serve gRPC until SIGTERM or SIGINT; a second one forces"),
        ("config", "print every setting with its value, source and meaning"),
    ):
        command = commands.add_parser(
            name,
            help=what,
            description=what,
            parents=[settings],
            allow_abbrev=False,
            formatter_class=HelpFormatter,
        )
        if name == "config":
            command.add_argument("--format", choices=sorted(RENDERERS), default="text")
    add_commands(commands)
    return parser


def _wants_json(settings: Settings) -> bool:
    if settings.log_format == "auto":
        return not sys.stderr.isatty()
    return settings.log_format == "json"


def _value(value: object) -> str:
    return "auto" if value == -1 else shown(value)


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _say(text: str) -> None:
    sys.stderr.write(f"tarneeb-service: {text}\n")
