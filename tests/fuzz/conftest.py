"""One server for all fuzzers."""

from collections.abc import Iterator

import pytest

from tests.fuzz.calls import Target, serving


@pytest.fixture(scope="session")
def target() -> Iterator[Target]:
    with serving() as address:
        opened = Target(address)
        yield opened
        opened.close()
