"""One service for the tests of the load test."""

from collections.abc import Iterator

import pytest

from tests.server.support import Service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with Service() as running:
        yield running
