"""The log: structlog makes the lines, and a thread of its own writes them, so that a slow pipe holds no call up.

Lines are written within ``PAUSE``; only a kill can lose them.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, BinaryIO

import orjson
import structlog

from tarneeb_service.telemetry.line_budget import Kind, LineBudget
from tarneeb_service.telemetry.metrics import Metrics

# Seconds between two writes; many lines then cost one.
PAUSE = 0.05
# Lines that wait while the pipe is stuck; more are dropped and counted.
MOST_WAITING = 20_000
LEVELS = ("debug", "info", "warning", "error")


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
    """Writes events to a stream, in order."""

    def __init__(
        self, stream: BinaryIO, metrics: Metrics, *, json: bool, level: str, most: Mapping[Kind, int]
    ) -> None:
        """Log to ``stream`` what is of this ``level`` or above, and ``most`` lines of a kind in a second."""
        self._queue = _LineQueue(stream, metrics)
        self._budget, self._metrics = LineBudget(most), metrics
        self._logger = structlog.wrap_logger(
            structlog.BytesLogger(self._queue),  # type: ignore[arg-type]  # it writes and flushes, no more is asked
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
                _head_first,
                *(_as_json() if json else _for_people(colors=stream.isatty())),
            ],
            wrapper_class=structlog.make_filtering_bound_logger(level),
            cache_logger_on_first_use=True,
        ).bind()
        self._least = LEVELS.index(level)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._write_on, name="log", daemon=True)
        self._thread.start()

    def event(self, level: str, event: str, **fields: Any) -> None:
        """Log something that happened."""
        getattr(self._logger, level)(event, **fields)

    def has_room(self, level: str, kind: Kind) -> bool:
        """Say whether a line of this level and kind is to be written now."""
        return LEVELS.index(level) >= self._least and self._budget.take(kind)

    def close(self) -> None:
        """Write what is left and end."""
        self._closed.set()
        # A stuck pipe must not keep the process.
        self._thread.join(2)

    def _write_on(self) -> None:
        said = time.monotonic()
        while not self._closed.wait(PAUSE):
            if time.monotonic() - said >= 1:
                said = time.monotonic()
                self._say_left_out()
            self._queue.drain()
        self._say_left_out()
        self._queue.drain()

    def _say_left_out(self) -> None:
        for kind, count in self._budget.left_out().items():
            self._metrics.lines_left_out(kind, count)
            self.event("warning", "lines left out", kind=str(kind), count=count)
        if count := self._queue.dropped():
            self.event("warning", "log lines dropped", count=count)


class LibraryHandler(logging.Handler):
    """Brings what libraries log into the log; of an exception its place, never its text."""

    def __init__(self, log: Log) -> None:
        """Take the log."""
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record."""
        level = record.levelname.lower()
        level = level if level in LEVELS else "error"
        if not self._log.has_room(level, Kind.TRANSPORT):
            return
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            self._log.event(level, record.getMessage()[:500], logger=record.name)
        else:
            self._log.event(
                level, "library error", logger=record.name, type=type(error).__name__, frames=frames_of(error)
            )


class _LineQueue:
    """What a logger writes into: lines wait here until the log's thread takes them to the stream."""

    def __init__(self, stream: BinaryIO, metrics: Metrics) -> None:
        self._stream, self._metrics = stream, metrics
        self._lines: deque[bytes] = deque()
        self._dropped = 0

    def write(self, line: bytes) -> None:
        if len(self._lines) < MOST_WAITING:
            self._lines.append(line)
        else:
            self._dropped += 1
            self._metrics.log_lines_dropped.inc()

    def flush(self) -> None:
        """Nothing: the log's thread flushes."""

    def drain(self) -> None:
        lines = []
        while self._lines:
            lines.append(self._lines.popleft())
        if lines:
            # Who read the log may be gone; the service is not.
            with suppress(OSError, ValueError):
                self._stream.write(b"".join(lines))
                self._stream.flush()

    def dropped(self) -> int:
        """Return how many lines were dropped since this was last asked."""
        count, self._dropped = self._dropped, 0
        return count


def _head_first(_logger: Any, _name: str, fields: Any) -> Mapping[str, Any]:
    """Begin a line with what people look for."""
    return {"time": fields.pop("time"), "level": fields.pop("level"), "event": fields.pop("event"), **fields}


def _as_json() -> list[Any]:
    return [structlog.processors.JSONRenderer(serializer=orjson.dumps)]


def _for_people(*, colors: bool) -> list[Any]:
    console = structlog.dev.ConsoleRenderer(colors=colors, timestamp_key="time", pad_event_to=8)
    return [console, lambda _logger, _name, text: text.encode()]
