"""``show`` and ``table``: one position, in the terminal or as a picture."""

import sys
from pathlib import Path

from tarneeb_service.cli.positions import At, position_of
from tarneeb_service.cli.reading import UnreadableError, read
from tarneeb_service.cli.refusals import refusal_lines
from tarneeb_service.cli.terminal import Screen
from tarneeb_service.cli.words import SIGNS

DRAWN, WRONG = 0, 1


def show(file: str, form: str | None, viewer: int | None, at: At | None, screen: Screen) -> int:
    """Draw the table of a file in the terminal and return the exit code.

    Raises:
        UnreadableError: The file can't be read, or does not hold what was asked for.
        WrongError: It holds a game that contradicts itself.
    """
    position = position_of(read(file, form), viewer, at)
    screen.draw_table(position.seen)
    if position.refusal is None:
        return DRAWN
    first, *others = refusal_lines(position.refusal, screen.signs, viewer)
    screen.say(first, "bold red")
    for line in others:
        screen.say(line)
    return WRONG


def table(file: str, form: str | None, viewer: int | None, at: At | None, out: str) -> int:
    """Write the picture of a file's table and return the exit code; ``-`` is the standard output.

    Raises:
        UnreadableError: The file can't be read, does not hold what was asked for, or the picture can't be
            written.
        WrongError: It holds a game that contradicts itself.
    """
    from tarneeb_service.cli.picture import picture

    position = position_of(read(file, form), viewer, at)
    svg = picture(position.seen)
    if out == "-":
        sys.stdout.buffer.write(svg.encode())
        sys.stdout.buffer.flush()
    else:
        try:
            Path(out).write_text(svg, encoding="utf-8")
        except (OSError, ValueError) as error:
            why = (
                error.strerror
                if isinstance(error, OSError) and error.strerror
                else "no such name is possible"
            )
            raise UnreadableError(f"can't write {out}: {why}") from None
    if position.refusal is None:
        return DRAWN
    for line in refusal_lines(position.refusal, SIGNS, viewer):
        sys.stderr.write(f"tarneeb-service: {line}\n")
    return WRONG
