"""The streams that people and programs read."""

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def complain(text: str) -> None:
    """Write a line of what is wrong."""
    sys.stderr.write(f"tarneeb-service: {text}\n")


def open_missing_streams() -> None:
    """Let the standard streams lead nowhere where a supervisor closed them."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()


def prepare_output() -> None:
    """Let no reader who stops, and no name, break a command that draws."""
    out = sys.stdout
    if out is sys.__stdout__ and isinstance(out, TextIOWrapper):
        out.flush()
        raw = BufferedWriter(_Output(out.fileno(), "wb", closefd=False))
        sys.stdout = TextIOWrapper(raw, out.encoding, line_buffering=out.line_buffering)
    # Names are anybody's: a terminal that lacks their letters shows escapes.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


class _Output(FileIO):
    """The standard output; a command goes on when its reader had enough, for the exit code still tells."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            return memoryview(data).nbytes


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
