"""What `bench.peers` compares: the hands of `Line` are whole and legal, and what cannot be measured is said."""

import json
import random
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from bench.peers import install
from bench.peers.compare import Found, Result, started, table
from bench.peers.play_line import hand
from tarneeb_service.engine.cards import DECK, SPADES, mask_of
from tarneeb_service.engine.line import Line
from tarneeb_service.engine.replay import replay_cards

FOLDER = Path(install.__file__).parent


def dealt(line: Line) -> list[int]:
    """What the seats held before the first card; the winner of a trick leads the next."""
    leaders = [0, *line.winners[:-1]]
    seats = [(leader + place) % 4 for leader in leaders for place in range(4)]
    return [
        mask_of(card for card, who in zip(line.played, seats, strict=True) if who == seat)
        for seat in range(4)
    ]


def test_a_random_hand_is_whole_and_legal() -> None:
    chance = random.Random(4)
    leads = Counter[int]()
    for _ in range(300):
        line = hand(chance)
        found = replay_cards(dealt(line), 0, SPADES, line.played)
        assert found.winners == line.winners
        assert found.wrong is None
        assert sorted(line.played) == [*DECK]
        leads[line.played[0]] += 1
    # Any card may be led, and none much oftener than others.
    assert len(leads) > 45
    assert max(leads.values()) < 20


def player(tricks: int) -> list[str]:
    answer = json.dumps({"seconds": 0.5, "tricks": tricks})
    return [sys.executable, "-c", f"input(); print({answer!r}, flush=True); input()"]


def test_a_player_says_what_a_hand_costs() -> None:
    with started(player(tricks=130), hands=10) as running:
        assert running.burst() == 0.05


def test_hands_that_are_not_whole_are_no_measure() -> None:
    with (
        started(player(tricks=129), hands=10) as running,
        pytest.raises(RuntimeError, match="129 tricks in 10"),
    ):
        running.burst()


def test_a_player_that_ends_is_named() -> None:
    command = [sys.executable, "-c", "input()"]
    with started(command, hands=10) as running, pytest.raises(RuntimeError, match=r"-c input\(\) ended"):
        running.burst()


def test_the_table_names_who_was_not_measured() -> None:
    over = {"middle": 1.0849, "low": 1.0, "high": 1.2}
    players = {
        "Line": Found(hands_a_second=20000, line_over_it=None, goal=None, besides="nothing"),
        "OpenSpiel": Found(hands_a_second=18433, line_over_it=over, goal=1.0, besides="scores"),
    }
    result = Result(load=[0.3, 1.25], missing={"boardgame.io": "boardgame needs npm"}, players=players)
    lines = [" ".join(line.split()) for line in table(result)]
    assert "load average 0.3 to 1.2" in lines[0]
    assert lines[2:] == [
        "Line 20,000 – nothing",
        "OpenSpiel 18,433 1.085 (1 to 1.2) 1 scores",
        "boardgame.io: not measured, boardgame needs npm",
    ]


def test_a_missing_tool_is_named_and_in_ci_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None if tool == "npm" else tool)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(install.MissingToolError, match=r"^boardgame needs npm$"):
        install.node_peer("boardgame")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(SystemExit, match=r"^boardgame needs npm$"):
        install.node_peer("boardgame")


def test_locks_are_hashed_and_name_no_address() -> None:
    for name in ("open_spiel", "rlcard"):
        lock = (FOLDER / f"{name}.lock").read_text(encoding="utf-8")
        packages = re.findall(r"^[\w-]+==.*?(?=^\S|\Z)", lock, re.MULTILINE | re.DOTALL)
        assert packages
        assert all("--hash=sha256:" in package for package in packages)
        assert "://" not in lock
    packages = json.loads((FOLDER / "boardgame" / "package-lock.json").read_text(encoding="utf-8"))[
        "packages"
    ]
    packages.pop("")
    assert all(
        package["integrity"].startswith("sha512-") and "resolved" not in package
        for package in packages.values()
    )
