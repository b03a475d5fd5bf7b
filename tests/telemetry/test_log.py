"""The log itself: lines of libraries, pipes that nobody reads, and budgets."""

import logging
import threading
from typing import Any

from tarneeb_service.rpc.dispatch import SERVICE
from tarneeb_service.telemetry.line_budget import Kind, LineBudget
from tarneeb_service.telemetry.log import MOST_WAITING, LibraryHandler, Log
from tarneeb_service.telemetry.metrics import Metrics
from tests.server.support import Service, wait_for


def test_libraries_log_without_the_text_of_exceptions() -> None:
    with Service() as service:
        logger = logging.getLogger("some.library")
        logger.propagate = False
        logger.addHandler(LibraryHandler(service.log))
        try:
            int("secret")
        except ValueError:
            logger.exception("what: %s", "secret")
        logger.warning("plain")
        assert service.lines("library error")[0]["type"] == "ValueError"
        assert service.lines("plain")[0]["logger"] == "some.library"
        assert "secret" not in service.raw()


class Stuck:
    """A pipe that nobody reads, for a while."""

    def __init__(self) -> None:
        self.read = threading.Event()
        self.written = b""

    def isatty(self) -> bool:
        return False

    def write(self, lines: bytes) -> None:
        self.read.wait(20)
        self.written += lines

    def flush(self) -> None:
        """Nothing is kept back."""


def test_a_stuck_log_drops_lines_and_says_so() -> None:
    stream: Any = Stuck()
    metrics = Metrics(SERVICE, [])
    log = Log(stream, metrics, json=True, level="info", most=dict.fromkeys(Kind, 1))
    log.event("info", "first")
    wait_for(lambda: not log._queue._lines)
    for _ in range(MOST_WAITING + 7):
        log.event("info", "another")
    assert metrics.registry.get_sample_value("tarneeb_log_lines_dropped_total") == 7
    stream.read.set()
    wait_for(lambda: b'"event":"log lines dropped","count":7' in stream.written)
    log.close()
    assert stream.written.count(b'"another"') == MOST_WAITING


def test_a_budget_is_by_kind_and_second() -> None:
    now = 100.0
    budget = LineBudget({Kind.SUCCESS: 2, Kind.FAILURE: 1}, lambda: now)
    assert [budget.take(Kind.SUCCESS) for _ in range(4)] == [True, True, False, False]
    assert [budget.take(Kind.FAILURE) for _ in range(2)] == [True, False]
    now = 100.9
    assert not budget.take(Kind.SUCCESS)
    now = 101.0
    assert budget.take(Kind.SUCCESS)
    assert budget.left_out() == {Kind.SUCCESS: 3, Kind.FAILURE: 1}
    assert budget.left_out() == {}
