"""The command line: ``tarneeb-service``."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TextIO

from tarneeb_service import __version__
from tarneeb_service.cli.commands import add_commands
from tarneeb_service.cli.help import HelpFormatter
from tarneeb_service.server.settings import (
    Loaded,
    SettingsError,
    allowed,
    flag,
    load,
    setting_fields,
    shown,
    variable,
)

BAD_SETTINGS = 2


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
    # gRPC's core writes plain lines to stderr past the log, one for each malformed header.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # Late, so that `config` and `--help` are quick.
    from tarneeb_service.server.lifecycle import serve

    code = serve(loaded)
    # Threads that hang would keep the process; everything is flushed by now.
    sys.stderr.flush()
    os._exit(code)


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


def _value(value: object) -> str:
    return "auto" if value == -1 else shown(value)


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _say(text: str) -> None:
    sys.stderr.write(f"tarneeb-service: {text}\n")
