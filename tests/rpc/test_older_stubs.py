"""A caller whose stubs are older than the game: snapshots go through it whole, decoded games do not, and it is told so.

The stubs are generated from the protos without some fields, and run in a process of their own.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tarneeb.v1 import game_pb2
from tests.server.support import Service

ROOT = Path(__file__).resolve().parents[2]
BACKEND = Path(__file__).with_name("old_backend.py")
# What the older release did not know yet.
RULE, FIELD = "reveal", "next_dealer"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with Service() as service:
        yield service.address


def stubs_without(folder: Path, rules: tuple[str, ...], fields: tuple[str, ...]) -> Path:
    """Generate stubs that lack fields of ``RuleSet`` and of ``Game``; returned is the folder for the path."""
    protos, out = folder / "proto", folder / "stubs"
    for path in (ROOT / "proto").rglob("*.proto"):
        text = path.read_text("utf-8")
        if path.name == "rules.proto":
            text = without(text, "RuleSet", rules)
        if path.name == "game.proto":
            text = without(text, "Game", fields)
        copy = protos / path.relative_to(ROOT / "proto")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, "utf-8")
    out.mkdir()
    subprocess.run(
        [
            *(sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={protos}", f"--python_out={out}"),
            *sorted(str(path.relative_to(protos)) for path in protos.rglob("*.proto")),
        ],
        check=True,
        timeout=60,
    )
    for package in (out / "tarneeb", out / "tarneeb" / "v1"):
        # Else the installed package comes first.
        (package / "__init__.py").touch()
    return out


def without(text: str, message: str, names: tuple[str, ...]) -> str:
    """A proto's text without these fields of a message."""
    head, body, tail = re.split(rf"(?ms)^(message {message} \{{$.*?^\}}$)", text)
    for name in names:
        body, count = re.subn(rf"(?m)^  [\w. ]+ {name} = \d+;$\n", "", body)
        assert count == 1, name
    return head + body + tail


def played(address: str, stubs: Path, kept: str) -> dict[str, Any]:
    """What the older backend came to."""
    done = subprocess.run(
        [sys.executable, str(BACKEND), address, kept],
        env={**os.environ, "PYTHONPATH": str(stubs)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stubs_without(tmp_path_factory.mktemp("older"), (RULE,), (FIELD,))


def test_with_snapshots_it_plays_on(address: str, older: Path) -> None:
    result = played(address, older, "snapshot")
    assert result == {
        "steps": result["steps"],
        "phase": game_pb2.PHASE_AWAITING_DEAL,
        "tricks": 13,
    }
    # An auction and 52 cards.
    assert result["steps"] > 52


@pytest.mark.parametrize("kept", ["game", "json"])
def test_with_decoded_games_it_is_told_what_happened(address: str, older: Path, kept: str) -> None:
    result = played(address, older, kept)
    assert result["steps"] == 0
    ((path, reason, sentence),) = result["violations"]
    assert (path, reason) == (f"game.rules.{RULE}", "MISSING")
    assert "stubs" in sentence
    assert "snapshot" in sentence


def test_a_lost_field_of_the_game_is_named(address: str, tmp_path: Path) -> None:
    stubs = stubs_without(tmp_path, (), (FIELD,))
    result = played(address, stubs, "game")
    assert [violation[:2] for violation in result["violations"]] == [[f"game.{FIELD}", "MISSING"]]


@pytest.mark.parametrize("kept", ["game", "json"])
def test_with_stubs_of_today_every_form_goes_through(address: str, tmp_path: Path, kept: str) -> None:
    """So that the refusals above are those of lost fields, and of nothing else the backend does."""
    assert played(address, stubs_without(tmp_path, (), ()), kept)["tricks"] == 13
