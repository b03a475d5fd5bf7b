"""The README is true: its code runs, its commands exist, its links lead somewhere."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BIN = Path(sys.executable).parent


def blocks(language: str) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Serve as the command line does, on a free port."""
    server = subprocess.Popen(
        [BIN / "tarneeb-service", "serve", "--host", "127.0.0.1", "--port", "0"],
        env={**os.environ, "TARNEEB_METRICS_PORT": "0", "TARNEEB_DRAIN_SECONDS": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        yield int(line.removeprefix("serving on port "))
    finally:
        server.terminate()
        server.communicate(timeout=20)


def test_the_first_call_prints_what_the_readme_shows(port: int, tmp_path: Path) -> None:
    (code,) = blocks("python")
    (shown,) = blocks("text")
    script = tmp_path / "first_call.py"
    script.write_text(code.replace("localhost:50051", f"127.0.0.1:{port}"), "utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == shown


def test_the_shell_call_gets_an_answer(port: int) -> None:
    command = blocks("sh")[1].replace("http://localhost:50051", f"http://127.0.0.1:{port}")
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
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)(?=[ `]|$)", README, re.MULTILINE)) - {"are"}
    assert {"run", "test"} <= named <= targets


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
)
def test_every_link_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    missing = [link for link in links if not ((ROOT / page).parent / link).exists()]
    assert not missing


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) < 150
