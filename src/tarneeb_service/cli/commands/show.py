"""``show``: one position in the terminal."""

from tarneeb_service.cli.choices import At
from tarneeb_service.cli.exit_codes import DONE, WRONG
from tarneeb_service.cli.files.positions import position_of
from tarneeb_service.cli.files.read import read
from tarneeb_service.cli.seen.refusals import refusal_lines
from tarneeb_service.cli.terminal.screen import Screen
from tarneeb_service.cli.terminal.table import draw_table


def show(file: str, form: str | None, viewer: int | None, at: At | None, *, plain: bool) -> int:
    """Draw the table of a file in the terminal and return the exit code; ``plain`` asks for ASCII.

    Raises:
        UnreadableError: The file can't be read, or does not hold what was asked for.
        WrongError: It holds a game that contradicts itself.
    """
    position, screen = position_of(read(file, form), viewer, at), Screen(plain=plain)
    draw_table(screen, position.seen)
    if position.refusal is None:
        return DONE
    screen.say_refusal(refusal_lines(position.refusal, screen.signs, viewer))
    return WRONG
