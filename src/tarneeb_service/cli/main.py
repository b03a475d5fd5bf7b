"""The command line: ``tarneeb-service``."""

import argparse
import os
import sys
from collections.abc import Sequence

from tarneeb_service.cli.choices import VIEWERS
from tarneeb_service.cli.commands.config import config
from tarneeb_service.cli.exit_codes import BAD_SETTINGS, DONE, FAILED, INTERRUPTED, NO_RICH, UNREADABLE, WRONG
from tarneeb_service.cli.output import complain, open_missing_streams, prepare_output
from tarneeb_service.cli.parser import INSTALL_RICH, build_parser
from tarneeb_service.server.settings import Loaded, SettingsError, StartError, load, setting_fields


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with its code."""
    open_missing_streams()
    parsed = build_parser().parse_args(arguments)
    sys.exit(_with_settings(parsed) if parsed.command in ("serve", "config") else _with_file(parsed))


def _with_settings(parsed: argparse.Namespace) -> int:
    """Run a command that asks for the settings."""
    given = vars(parsed)
    flags = {setting.name: text for setting in setting_fields() if (text := given.get(setting.name))}
    try:
        loaded = load(os.environ, flags)
        return config(loaded, parsed.format) if parsed.command == "config" else _serve(loaded)
    except SettingsError as error:
        complain(str(error))
        return BAD_SETTINGS


def _serve(loaded: Loaded) -> int:
    # gRPC's core writes plain lines to stderr past the log, one for each malformed header.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # Late, as below: nobody waits for what another command needs.
    from tarneeb_service.server.lifecycle import serve

    try:
        code = DONE if serve(loaded) else FAILED
    except StartError as error:
        complain(str(error))
        code = FAILED
    # Threads that hang would keep the process; everything is flushed by now.
    sys.stderr.flush()
    os._exit(code)


def _with_file(parsed: argparse.Namespace) -> int:
    """Run a command that reads a file; turn what can go wrong into lines for people and an exit code."""
    from tarneeb_service.cli.files.positions import WrongError
    from tarneeb_service.cli.files.read import UnreadableError
    from tarneeb_service.cli.seen.refusals import problem_lines

    prepare_output()
    name = "standard input" if parsed.file == "-" else parsed.file
    try:
        code = _draw(parsed)
        sys.stdout.flush()
    except UnreadableError as error:
        for line in str(error).splitlines():
            complain(f"{name}: {line}")
        return UNREADABLE
    except WrongError as error:
        complain(f"{name}: {error}")
        for line in problem_lines(error.problems):
            complain(f"  {line}")
        return WRONG
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "rich":
            raise
        complain(f"'{parsed.command}' needs the library rich: {INSTALL_RICH}")
        return NO_RICH
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _draw(parsed: argparse.Namespace) -> int:
    if parsed.command == "replay":
        from tarneeb_service.cli.commands.replay import Options, replay

        options = Options(parsed.hand, parsed.quiet, parsed.step, parsed.ascii, parsed.check_revisions)
        return replay(parsed.file, parsed.format, options)
    viewer = None if parsed.viewer is None else VIEWERS.index(parsed.viewer)
    if parsed.command == "show":
        from tarneeb_service.cli.commands.show import show

        return show(parsed.file, parsed.format, viewer, parsed.at, plain=parsed.ascii)
    from tarneeb_service.cli.commands.table import table

    return table(parsed.file, parsed.format, viewer, parsed.at, parsed.svg)
