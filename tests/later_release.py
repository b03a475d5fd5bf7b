"""A made-up later release: this process with a rules revision more, which brought a switch.

Run as a program it is that release's command line.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import pytest

from tarneeb_service.cli.main import main
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.wire import rules

# The switch that the next revision is said to have brought.
NEXT = RULES_REVISION + 1
SWITCH: Final = "past_tricks"


def become_later(
    put: Callable[[object, str, object], object] = setattr,
    revision: int = NEXT,
    brought_by: Mapping[str, int] | None = None,
) -> None:
    """Let every module of the service that is here believe it; ``put`` sets an attribute."""
    told = {
        "RULES_REVISION": revision,
        "BROUGHT_BY": {SWITCH: NEXT} if brought_by is None else brought_by,
    }
    for name, module in list(sys.modules.items()):
        if name.startswith("tarneeb_service."):
            for constant, value in told.items():
                if hasattr(module, constant):
                    put(module, constant, value)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The next release, until the end of a test."""
    become_later(monkeypatch.setattr)
    yield
    # What was found sound is remembered, and was so by another table.
    rules._decode_rules.cache_clear()


if __name__ == "__main__":
    become_later()
    main()
