"""The README is true: its code runs, its commands exist, its links lead somewhere."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.serving import serving
from tests.pages import BIN, ROOT, SHOWN_ADDRESS, blocks, output_of, page

PAGES = ("README.md", *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md"))))


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as server:
        yield server.port


def test_the_first_call_prints_what_the_readme_shows(port: int, tmp_path: Path) -> None:
    (code,), (shown,) = blocks("README.md", "python"), blocks("README.md", "text")
    assert output_of(code, port, tmp_path) == shown


def test_the_shell_call_gets_an_answer(port: int) -> None:
    command = blocks("README.md", "sh")[1].replace(SHOWN_ADDRESS, f"127.0.0.1:{port}")
    assert command.startswith(".venv/bin/buf curl")
    done = subprocess.run(
        ["bash", "-c", command.replace(".venv/bin/buf", str(BIN / "buf"))],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert '"points": -9' in done.stdout, done.stderr


def test_every_make_target_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", page("Makefile"), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)(?=[ `]|$)", page("README.md"), re.MULTILINE)) - {"are"}
    assert {"run", "test"} <= named <= targets


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", page(name)) if "://" not in link]
    missing = [link for link in links if not ((ROOT / name).parent / link).exists()]
    assert not missing


def test_the_readme_is_short() -> None:
    assert len(page("README.md").splitlines()) < 150
