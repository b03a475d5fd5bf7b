"""Where a command writes, with colour or plain."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console, RenderableType
from rich.text import Text

from tarneeb_service.cli.seen.words import ASCII, SIGNS, Signs

PLAIN_WIDTH = 80
_RED = r"[♥♦](10|[2-9JQKA])?"
_RED_ASCII = r"\b[HD](10|[2-9JQKA])\b"


class Screen:
    """Where a command writes: a terminal, with colour, or a file or pipe, 80 wide and plain."""

    def __init__(self, out: TextIO | None = None, *, plain: bool = False) -> None:
        """Take where to write; ``plain`` asks for ASCII."""
        out = out or sys.stdout
        self.is_terminal = out.isatty()
        # rich takes FORCE_COLOR and the like for a terminal; colour is for real ones.
        self.console = Console(
            file=out,
            force_terminal=self.is_terminal,
            no_color=not self.is_terminal or bool(os.environ.get("NO_COLOR")),
            width=None if self.is_terminal else PLAIN_WIDTH,
            highlight=False,
            markup=False,
            emoji=False,
        )
        self.signs = ASCII if plain or not _can_show(out, SIGNS) else SIGNS

    def say(self, text: str, style: str = "") -> None:
        """Write a line; the red suits are red."""
        if not self.is_terminal and len(text) <= PLAIN_WIDTH:
            # A long record has tens of thousands of lines, and rich takes its time for each.
            self.console.file.write(f"{text.rstrip()}\n")
            return
        self.draw(self.text(text, style))

    def say_refusal(self, lines: Iterable[str]) -> None:
        """Write why a record went no further."""
        first, *others = lines
        self.say(first, "bold red")
        for line in others:
            self.say(line)

    def text(self, text: str, style: str = "") -> Text:
        """Return a text in which the red suits are red."""
        marked = Text(text, style)
        marked.highlight_regex(_RED_ASCII if self.signs.ascii else _RED, "red")
        return marked

    def draw(self, what: RenderableType) -> None:
        """Write something; without the blanks at the ends of lines, which are no use in a file."""
        if self.is_terminal:
            self.console.print(what)
            return
        with self.console.capture() as captured:
            self.console.print(what)
        lines = captured.get().split("\n")
        self.console.file.write("\n".join(line.rstrip() for line in lines))


def _can_show(out: TextIO, signs: Signs) -> bool:
    try:
        "".join((*signs.suits, signs.dash, signs.dot, signs.turn, signs.hidden, "╭─│")).encode(
            out.encoding or "utf-8"
        )
    except (UnicodeEncodeError, LookupError):
        return False
    return True
