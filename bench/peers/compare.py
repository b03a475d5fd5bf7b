"""`Line` and its peers by turns: what is compared, the players' processes, the measuring and its table."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import NamedTuple, TypedDict

from bench.bursts import ratio
from bench.peers.install import HERE, MissingToolError, node_peer, python_peer
from bench.peers.player import TRICKS
from harness.serving import CORES, ended

ROOT = HERE.parent.parent
LINE = "Line"


class Peer(NamedTuple):
    """How a player is started, how many hands its bursts have, and how many times as fast `Line` shall be."""

    command: Callable[[], list[str]]
    hands: int
    goal: float | None
    besides: str


def _python(module: str, environment: str | None = None) -> Callable[[], list[str]]:
    return lambda: [
        python_peer(environment) if environment else sys.executable,
        "-m",
        f"bench.peers.{module}",
    ]


def _node(program: str) -> Callable[[], list[str]]:
    return lambda: ["node", str(node_peer("boardgame") / program)]


PEERS = {
    LINE: Peer(_python("play_line"), 2000, None, "nothing"),
    "OpenSpiel, bridge": Peer(
        _python("play_open_spiel", "open_spiel"),
        2000,
        1.0,
        "C++; deals as 52 actions, takes four calls, scores",
    ),
    "RLCard, bridge": Peer(
        _python("play_rlcard", "rlcard"), 150, 8.0, "takes four calls, keeps a list of moves"
    ),
    "boardgame.io, client": Peer(
        _node("client.cjs"), 8, 150.0, "checks the card again, keeps a log and frozen states"
    ),
    "boardgame.io, server": Peer(
        _node("server.cjs"),
        4,
        None,
        "the same, a match made and joined, states and log sent to four players; its own CPU alone",
    ),
}


class Found(TypedDict):
    """What was measured of one: the median rate, and by which ratio `Line` is above it (median and quartiles)."""

    hands_a_second: float
    line_over_it: dict[str, float] | None
    goal: float | None
    besides: str


class Result(TypedDict):
    """What was measured: the machine's load before and after, who could not be and why, and the others in order."""

    load: list[float]
    missing: dict[str, str]
    players: dict[str, Found]


class Player:
    """A running player."""

    def __init__(self, command: list[str], process: "subprocess.Popen[str]", hands: int) -> None:
        self._command, self._process, self._hands = " ".join(command), process, hands

    def burst(self) -> float:
        """The CPU seconds a hand over a burst of them."""
        given, taken = self._process.stdin, self._process.stdout
        if given is None or taken is None:
            raise RuntimeError("a player without pipes")
        print(self._hands, file=given, flush=True)
        line = taken.readline()
        if not line:
            raise RuntimeError(f"{self._command} ended")
        answer = json.loads(line)
        if answer["tricks"] != TRICKS * self._hands:
            raise RuntimeError(f"{self._command} took {answer['tricks']} tricks in {self._hands} hands")
        return float(answer["seconds"]) / self._hands


@contextmanager
def started(command: list[str], hands: int) -> Iterator[Player]:
    """A player on the first core, so that all have the same one."""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "NODE_ENV": "production"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        if CORES:
            os.sched_setaffinity(process.pid, CORES[:1])
        with ended(process):
            yield Player(command, process, hands)


def measure(rounds: int = 15) -> Result:
    """Install what is not there yet, and let all take turns."""
    loads = [os.getloadavg()[0]]
    missing = {}
    costs: dict[str, list[float]] = {}
    with ExitStack() as stack:
        players = {}
        for name, peer in PEERS.items():
            try:
                players[name] = stack.enter_context(started(peer.command(), peer.hands))
            except MissingToolError as error:
                missing[name] = str(error)
        for player in players.values():
            for _ in range(5):
                # Node compiles what runs often.
                player.burst()
        for number in range(rounds):
            # Forth and back, so that none always follows the same one.
            for name in list(players) if number % 2 else reversed(players):
                costs.setdefault(name, []).append(players[name].burst())
    loads.append(os.getloadavg()[0])
    found: dict[str, Found] = {}
    for name in (name for name in PEERS if name in costs):
        over = None if name == LINE else ratio(costs[name], costs[LINE])._asdict()
        rate = 1 / median(costs[name])
        found[name] = Found(
            hands_a_second=rate, line_over_it=over, goal=PEERS[name].goal, besides=PEERS[name].besides
        )
    return Result(load=loads, missing=missing, players=found)


def table(result: Result) -> Iterator[str]:
    """The lines of what was measured."""
    before, after = result["load"]
    yield f"peers: random hands a CPU second, by turns on one core; load average {before:.1f} to {after:.1f}"
    yield f"  {'':22}{'hands/s':>9}  {'Line over it (quartiles)':30}{'goal':>5}  besides"
    for name, found in result["players"].items():
        goal, over = found["goal"], found["line_over_it"]
        figures = f"{over['middle']:.4g} ({over['low']:.4g} to {over['high']:.4g})" if over else ""
        needed = "–" if goal is None else f"{goal:g}"
        yield f"  {name:22}{found['hands_a_second']:9,.0f}  {figures:30}{needed:>5}  {found['besides']}"
    for name, why in result["missing"].items():
        yield f"  {name}: not measured, {why}"
