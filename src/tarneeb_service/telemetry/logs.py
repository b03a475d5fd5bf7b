"""The log: lines are queued by those who serve, and written by a thread of their own.

So a slow pipe never holds a call up, and structlog with its console, a tenth of a second of imports, is
loaded after the service answers. Lines are written within ``PAUSE``; only a kill can lose them.
"""

import itertools
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TextIO

# Seconds between two writes; many lines then cost one.
PAUSE = 0.05
# Lines that wait while the pipe is stuck; more are dropped and counted.
MOST_WAITING = 20_000
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}

_prefix = os.urandom(8).hex()
_numbers = itertools.count(1)
_second: tuple[int, str] = (0, "")


def make_request_id() -> str:
    """Return an id that no other call has: random for the process, counted within it."""
    return f"{_prefix}-{next(_numbers):x}"


def timestamp(now: float) -> str:
    """Return a time in UTC, to the millisecond."""
    global _second  # noqa: PLW0603  # formatted once a second; a race makes it twice
    second, text = _second
    if second != int(now):
        second = int(now)
        text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        _second = (second, text)
    return f"{text}.{int((now - second) * 1000):03d}Z"


def frames_of(error: BaseException) -> list[str]:
    """Return where an exception struck, outermost first: files, lines and functions, and no values."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        file = "/".join(code.co_filename.rsplit("/", 3)[-3:])
        frames.append(f"{file}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return frames


class Log:
    """Writes events and finished lines to a stream, in order."""

    def __init__(self, stream: TextIO, *, json: bool, level: str) -> None:
        """Log to ``stream``; nothing is written before ``start``."""
        self.json = json
        self.least = LEVELS[level]
        self.dropped = 0
        self._stream = stream
        self._items: deque[str | dict[str, Any]] = deque()
        self._wake, self._closed = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._write_on, name="log", daemon=True)

    def start(self) -> None:
        """Start to write, what was logged before included."""
        self._thread.start()

    def event(self, level: str, event: str, **fields: Any) -> None:
        """Log something that happened."""
        if LEVELS[level] >= self.least:
            self.put({"time": timestamp(time.time()), "level": level, "event": event, **fields})

    def put(self, item: str | dict[str, Any]) -> None:
        """Log a finished line or the fields of an event."""
        if len(self._items) >= MOST_WAITING:
            self.dropped += 1
            return
        self._items.append(item)
        if not self._wake.is_set():
            self._wake.set()

    def close(self) -> None:
        """Write what is left and end."""
        self._closed.set()
        self._wake.set()
        if self._thread.is_alive():
            # A stuck pipe must not keep the process.
            self._thread.join(2)

    def _write_on(self) -> None:
        render = _renderer(json=self.json, colors=self._stream.isatty())
        told = 0
        while True:
            self._wake.wait()
            closing = self._closed.wait(PAUSE)
            self._wake.clear()
            self._write_all(render)
            if self.dropped > told:
                # Now that there is room.
                told = self.dropped
                self.event("warning", "log lines dropped", total=told)
                self._write_all(render)
            if closing:
                return

    def _write_all(self, render: Callable[[Mapping[str, Any]], str]) -> None:
        lines = []
        while self._items:
            item = self._items.popleft()
            lines.append(item if isinstance(item, str) else render(item))
        # Who read the log may be gone; the service is not.
        with suppress(OSError, ValueError):
            self._stream.write("".join(lines))
            self._stream.flush()


class LibraryHandler(logging.Handler):
    """Brings what libraries log into the log; of an exception its place, never its text."""

    def __init__(self, log: Log) -> None:
        """Take the log."""
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record."""
        level = record.levelname.lower() if record.levelname.lower() in LEVELS else "error"
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            self._log.event(level, record.getMessage()[:500], logger=record.name)
        else:
            self._log.event(
                level, "library error", logger=record.name, type=type(error).__name__, frames=frames_of(error)
            )


def _renderer(*, json: bool, colors: bool) -> Callable[[Mapping[str, Any]], str]:
    import structlog

    renderer: Any
    if json:
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=colors, timestamp_key="time", pad_event_to=8)

    def render(fields: Mapping[str, Any]) -> str:
        return f"{renderer(None, '', dict(fields))}\n"

    return render
