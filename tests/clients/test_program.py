"""Python's program prints the transcript that all languages must print, and the transcript shows what it promises."""

import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from harness.serving import Server, serving
from tarneeb.v1.verdicts_pb2 import RefusalReason
from tarneeb_service.engine.presets import PRESET_IDS

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "python"
TRANSCRIPT = (ROOT / "clients" / "transcript.txt").read_bytes()
LINES = TRANSCRIPT.decode().splitlines()
ERROR = (
    "error INVALID_ARGUMENT INVALID_REQUEST 3"
    " | first_dealer MISSING | id MISSING | rule_set.preset_id UNKNOWN_PRESET"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def program(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "program", *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{CLIENT}:{CLIENT / 'src'}"},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


@pytest.mark.timeout(300)
def test_it_prints_the_transcript(server: Server, tmp_path: Path) -> None:
    transcript = tmp_path / "transcript.txt"
    done = program("--target", f"127.0.0.1:{server.port}", "--transcript", transcript)
    assert done.stderr == ""
    # On a difference: python -m tools.clients python --write, if it is meant.
    assert transcript.read_bytes().decode().splitlines() == LINES
    assert transcript.read_bytes() == TRANSCRIPT
    assert done.stdout == f"python: 10 games, transcript {sha256(TRANSCRIPT).hexdigest()[:16]}\n"
    assert done.returncode == 0


@pytest.mark.parametrize("way", [(), ("--asyncio",)])
def test_it_says_when_nobody_serves(way: tuple[str, ...]) -> None:
    done = program("--target", "127.0.0.1:1", "--transcript", os.devnull, *way)
    assert done.returncode == 1
    assert done.stderr.startswith("127.0.0.1:1: UNAVAILABLE: ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_transcript_says_every_refusal_and_an_error() -> None:
    said = {line.split()[2] for line in LINES if line.startswith("no ")}
    reasons = {name.removeprefix("REFUSAL_REASON_") for name in RefusalReason.keys()}  # noqa: SIM118
    assert said == reasons - {"UNSPECIFIED"}
    assert [line for line in LINES if line.startswith("error ")] == [ERROR]


def test_the_transcript_plays_every_rule_set_to_its_end() -> None:
    games = [line.split() for line in LINES if line.startswith("game ")]
    assert [words[2] for words in games] == ["saharat_classic", *PRESET_IDS]
    assert [line.split()[1] for line in LINES if line.startswith("over ")] == [
        words[1] for words in games[1:]
    ]
    for word in ("all_passed", "low_total", "scored", "doubled", "reopened", "turned", "trump"):
        assert any(word in line for line in LINES), word


def test_every_check_of_the_transcript_came_out_well() -> None:
    checks = [line for line in LINES if line.split()[0] in ("dealer", "again", "fair", "verified", "replay")]
    assert len(checks) > 100
    assert all(line.endswith(" yes") for line in checks)
