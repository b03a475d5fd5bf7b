"""The example at the top of the engine is true, and shows all that the engine offers."""

import doctest
import re

from tarneeb_service import engine


def test_the_example_runs() -> None:
    failed, tried = doctest.testmod(engine)
    assert failed == 0
    assert tried > 10


def test_the_example_shows_every_function() -> None:
    text = engine.__doc__ or ""
    functions = [name for name in engine.__all__ if name.islower()]
    assert functions == ["apply", "check", "create", "deal", "judge", "legal_moves", "undo", "view"]
    assert [name for name in functions if not re.search(rf"\b{name}\b", text)] == []
