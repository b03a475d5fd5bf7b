"""The command line's words: commands, flags and their help.

Only argparse is loaded for them, so that serving starts no later.
"""

import argparse
import os
from textwrap import fill
from typing import TYPE_CHECKING

from tarneeb_service import __version__
from tarneeb_service.cli.choices import FORMATS, VIEWERS, At, parse_at
from tarneeb_service.cli.commands.config import RENDERERS
from tarneeb_service.server.settings import flag, setting_fields, variable

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - argparse has no other name for it

INSTALL_RICH = "pip install 'tarneeb-service[terminal]'"
_CODES = """exit codes:
  0  {good}
  1  {wrong}
  2  the file can't be read, or the command line is wrong"""
_NO_RICH = f"\n  3  the library rich is missing: {INSTALL_RICH}"
_KINDS = (
    "The file is a Game, a GameView or a GameRecord, in proto JSON, binary, or the text form of a record."
)
_WRONG = "the game contradicts itself, or the record has a wrong move"


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="tarneeb-service",
        description="A referee for the Tarneeb family.",
        epilog="Exit codes: 0 after a clean stop, 1 when it can't start or was forced, 2 for bad settings.",
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_serve_and_config(commands)
    _add_show(commands)
    _add_replay(commands)
    _add_table(commands)
    return parser


def _add_serve_and_config(commands: "Commands") -> None:
    # Made once for both: so many flags take a while.
    settings = argparse.ArgumentParser(add_help=False, formatter_class=HelpFormatter)
    for setting in setting_fields():
        settings.add_argument(
            flag(setting.name),
            metavar="VALUE",
            help=f"{setting.metadata['doc']} [{variable(setting.name)}]".replace("%", "%%"),
        )
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


def _add_show(commands: "Commands") -> None:
    show = _add(
        commands,
        "show",
        "draw the table of a game, a view or a record in the terminal",
        f"Draw the table: hands, trick, calls, contract, scores, and whose turn it is. {_KINDS}",
        _CODES.format(good="drawn", wrong=_WRONG) + _NO_RICH,
    )
    _add_position(show)
    show.add_argument("--ascii", action="store_true", help="draw without signs beyond ASCII")


def _add_replay(commands: "Commands") -> None:
    replay = _add(
        commands,
        "replay",
        "step through a record and stop at the first wrong move",
        "Step through a record: a line a step, the table after each hand, and at the first wrong move the "
        "position, the reason and the rule. A seed is never printed.",
        _CODES.format(
            good="the whole record is accepted", wrong="a step is refused, or the record can't start"
        )
        + _NO_RICH,
    )
    replay.add_argument("--hand", type=int, metavar="N", help="show the steps of this hand alone")
    replay.add_argument("--quiet", action="store_true", help="show no steps, only what came of them")
    replay.add_argument("--step", action="store_true", help="wait for a key after each step, on a terminal")
    replay.add_argument(
        "--check-revisions", action="store_true", help="refuse a move that names another revision of the game"
    )
    replay.add_argument("--ascii", action="store_true", help="draw without signs beyond ASCII")


def _add_table(commands: "Commands") -> None:
    table = _add(
        commands,
        "table",
        "write a picture of the table",
        f"Write one self-contained SVG picture of the table, for documents and tickets. {_KINDS}",
        _CODES.format(good="written", wrong=_WRONG),
    )
    _add_position(table)
    table.add_argument(
        "--svg",
        required=True,
        nargs="?",
        const="-",
        metavar="OUT",
        help="where to write the picture; the standard output by default",
    )


def _add(
    commands: "Commands", name: str, summary: str, description: str, codes: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name,
        help=summary,
        description=fill(description, 78),
        epilog=codes,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument("file", metavar="FILE", help="a file, or - for the standard input")
    command.add_argument("--format", choices=FORMATS, help="what the file is; else found out")
    return command


def _add_position(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--as",
        dest="viewer",
        type=str.lower,
        choices=VIEWERS,
        help="show what this viewer may know; all hands by default",
    )
    command.add_argument(
        "--at",
        type=_place,
        metavar="HAND[.MOVE]",
        help="of a record, the table after this hand or move (2, 2.17; move 0 is the deal); else its end",
    )


def _place(text: str) -> At:
    try:
        return parse_at(text)
    except ValueError:
        message = f"{text!r} is no place: write 2 for a hand or 2.17 for a move"
        raise argparse.ArgumentTypeError(message) from None


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal. Argparse loads a library to find that out, with each start of the service."""

    def __init__(self, prog: str) -> None:
        """Write the help of a program or command."""
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    text = os.environ.get("COLUMNS", "")
    if text.isdecimal() and int(text) > 0:
        return int(text)
    try:
        return os.get_terminal_size().columns or 80
    except OSError:
        return 80
