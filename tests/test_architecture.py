"""What the pages for people who change things name is there: files, functions, methods and tests."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.pages import ROOT, page

PLACES = (ROOT / "src/tarneeb_service", ROOT / "proto/tarneeb/v1", ROOT / "tests", ROOT)
PAGES = ("docs/architecture.md", "CONTRIBUTING.md", "tests/README.md")
NAMED = sorted(
    {
        (name, path, thing)
        for name in PAGES
        for path, thing in re.findall(r"`([\w./*-]+\.(?:py|proto|toml))(?::([\w.]+))?`", page(name))
        if path != "NAME.toml"
    }
)


def found(path: str) -> list[Path]:
    """Files of a path from one of the places, or of a name in a folder of them."""
    there = [each for place in PLACES for each in place.glob(path)]
    if not there and "/" not in path:
        there = [each for place in PLACES[:-1] for each in place.glob(f"*/{path}")]
    return there


@cache
def names_in(path: Path) -> set[str]:
    """Functions and classes of a file, and methods as `Class.method`."""
    names = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return names


@pytest.mark.parametrize(("name", "path", "thing"), NAMED)
def test_what_a_page_names_is_there(name: str, path: str, thing: str) -> None:
    files = found(path)
    assert files, f"{name}: no {path}"
    assert not thing or any(thing in names_in(each) for each in files), f"{name}: no {thing} in {path}"


def test_the_walks_name_functions() -> None:
    walk = page("docs/architecture.md").partition("\n## The walk")[2].partition("\n## ")[0]
    for method in ("ValidateMove", "ApplyMove", "DealHand", "ReplayGame"):
        assert re.search(f"[Oo]ne `{method}`", walk), method
    assert len(re.findall(r"`[\w/]+\.py:[\w.]+`", walk)) > 20


@pytest.mark.parametrize("name", PAGES)
def test_the_tests_that_a_page_names_are_there(name: str) -> None:
    tests = {test for path in (ROOT / "tests").rglob("test_*.py") for test in names_in(path)}
    assert set(re.findall(r"`(test_\w+)`", page(name))) - tests == set()


def test_what_is_not_there_is_missed() -> None:
    assert not found("engine/umpire.py")
    (file,) = found("engine/game.py")
    assert "judge" in names_in(file)
    assert "guess" not in names_in(file)
