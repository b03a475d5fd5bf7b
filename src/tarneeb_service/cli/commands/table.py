"""``table``: one position as a picture."""

import sys
from pathlib import Path

from tarneeb_service.cli.choices import At
from tarneeb_service.cli.exit_codes import DONE, WRONG
from tarneeb_service.cli.files.positions import position_of
from tarneeb_service.cli.files.read import UnreadableError, read, reason_of
from tarneeb_service.cli.output import complain
from tarneeb_service.cli.seen.refusals import refusal_lines
from tarneeb_service.cli.seen.words import SIGNS
from tarneeb_service.cli.svg.table import picture


def table(file: str, form: str | None, viewer: int | None, at: At | None, out: str) -> int:
    """Write the picture of a file's table and return the exit code; ``-`` is the standard output.

    Raises:
        UnreadableError: The file can't be read, does not hold what was asked for, or the picture can't be
            written.
        WrongError: It holds a game that contradicts itself.
    """
    position = position_of(read(file, form), viewer, at)
    svg = picture(position.seen)
    if out == "-":
        sys.stdout.buffer.write(svg.encode())
        sys.stdout.buffer.flush()
    else:
        try:
            Path(out).write_text(svg, encoding="utf-8")
        except (OSError, ValueError) as error:
            raise UnreadableError(f"can't write {out}: {reason_of(error)}") from None
    if position.refusal is None:
        return DONE
    for line in refusal_lines(position.refusal, SIGNS, viewer):
        complain(line)
    return WRONG
