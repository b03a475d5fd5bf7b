"""One server for all fuzzers."""

from collections.abc import Iterator

import pytest

from tests.fuzz.calls import Target, serving


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serving() as served:
        yield served


@pytest.fixture(scope="session")
def target(address: str) -> Iterator[Target]:
    opened = Target(address)
    yield opened
    opened.close()
