"""The commands ``show``, ``replay`` and ``table`` of ``tarneeb-service``.

Only argparse is loaded here; what a command needs, it loads when it runs, so that serving starts no later.
"""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from io import BufferedWriter, FileIO, TextIOWrapper
from textwrap import fill
from typing import TYPE_CHECKING, Any

from tarneeb_service.cli.help import HelpFormatter

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

WRONG, UNREADABLE, INTERRUPTED = 1, 2, 130
VIEWERS = ("north", "west", "south", "east", "spectator")
_FILE_HELP = "a file, or - for the standard input"
_CODES = """exit codes:
  0  {good}
  1  {wrong}
  2  the file can't be read, or the command line is wrong"""


def add_commands(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands; each sets ``run``, which takes the parsed arguments and returns the exit code."""
    show = _add(
        subparsers,
        "show",
        "draw the table of a game, a view or a record in the terminal",
        "Draw the table: hands, trick, calls, contract, scores, and whose turn it is. The file is a Game, a "
        "GameView or a Record, in proto JSON, binary, or the text form of a record.",
        _CODES.format(good="drawn", wrong="the game contradicts itself, or the record has a wrong move"),
        partial(_run, _show),
    )
    _add_position(show)
    show.add_argument("--ascii", action="store_true", help="draw without signs beyond ASCII")
    replay = _add(
        subparsers,
        "replay",
        "step through a record and stop at the first wrong move",
        "Step through a record: a line a step, the table after each hand, and at the first wrong move the "
        "position, the reason and the rule. A seed is never printed.",
        _CODES.format(
            good="the whole record is accepted", wrong="a step is refused, or the record can't start"
        ),
        partial(_run, _replay),
    )
    replay.add_argument("--hand", type=int, metavar="N", help="show the steps of this hand alone")
    replay.add_argument("--quiet", action="store_true", help="show no steps, only what came of them")
    replay.add_argument("--step", action="store_true", help="wait for a key after each step, on a terminal")
    replay.add_argument("--ascii", action="store_true", help="draw without signs beyond ASCII")
    table = _add(
        subparsers,
        "table",
        "write a picture of the table",
        "Write one self-contained SVG picture of the table, for documents and tickets. The file is a Game, a "
        "GameView or a Record, in proto JSON, binary, or the text form of a record.",
        _CODES.format(good="written", wrong="the game contradicts itself, or the record has a wrong move"),
        partial(_run, _table),
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
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    summary: str,
    description: str,
    epilog: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    command = subparsers.add_parser(
        name,
        help=summary,
        description=fill(description, 78),
        epilog=epilog,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    command.add_argument("file", metavar="FILE", help=_FILE_HELP)
    command.add_argument(
        "--format", choices=("json", "binary", "text"), help="what the file is; else found out"
    )
    command.set_defaults(run=run)
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


def _place(text: str) -> Any:
    from tarneeb_service.cli.positions import parse_at

    try:
        return parse_at(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no place: write 2 for a hand or 2.17 for a move"
        ) from None


def _run(command: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Run a command, and turn what can go wrong into lines for people and an exit code."""
    from tarneeb_service.cli.positions import WrongError
    from tarneeb_service.cli.reading import UnreadableError, problem_lines

    _prepare_output()
    name = "standard input" if arguments.file == "-" else arguments.file
    try:
        code = command(arguments)
        sys.stdout.flush()
    except UnreadableError as error:
        for line in str(error).splitlines():
            _complain(f"{name}: {line}")
        return UNREADABLE
    except WrongError as error:
        _complain(f"{name}: {error}")
        for line in problem_lines(error.problems):
            _complain(f"  {line}")
        return WRONG
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


class _Output(FileIO):
    """The standard output; a command goes on when its reader had enough, for the exit code still tells."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            return memoryview(data).nbytes


def _prepare_output() -> None:
    out = sys.stdout
    if out is sys.__stdout__ and isinstance(out, TextIOWrapper):
        out.flush()
        raw = BufferedWriter(_Output(out.fileno(), "wb", closefd=False))
        sys.stdout = TextIOWrapper(raw, out.encoding, line_buffering=out.line_buffering)
    # Names are anybody's: a terminal that lacks their letters shows escapes.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _show(arguments: argparse.Namespace) -> int:
    from tarneeb_service.cli.show import show
    from tarneeb_service.cli.terminal import Screen

    viewer = _viewer(arguments)
    return show(arguments.file, arguments.format, viewer, arguments.at, Screen(plain=arguments.ascii))


def _replay(arguments: argparse.Namespace) -> int:
    from tarneeb_service.cli.replay import Options, replay
    from tarneeb_service.cli.terminal import Screen

    options = Options(arguments.hand, arguments.quiet, arguments.step)
    return replay(arguments.file, arguments.format, options, Screen(plain=arguments.ascii))


def _table(arguments: argparse.Namespace) -> int:
    from tarneeb_service.cli.show import table

    return table(arguments.file, arguments.format, _viewer(arguments), arguments.at, arguments.svg)


def _viewer(arguments: argparse.Namespace) -> int | None:
    return None if arguments.viewer is None else VIEWERS.index(arguments.viewer)


def _complain(text: str) -> None:
    sys.stderr.write(f"tarneeb-service: {text}\n")
