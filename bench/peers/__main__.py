"""Random hands a CPU second: `Line`, OpenSpiel's and RLCard's bridge, boardgame.io's client and server, by turns in one run.

All do the same: deal 52 cards, play them, each any legal one with the same chance, and know who took which trick.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import NamedTuple

from bench.bursts import ratio
from bench.peers.install import ENVIRONMENTS, HERE, MissingToolError, node_peer, python_peer
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
    return lambda: [python_peer(environment) if environment else sys.executable, "-m", f"bench.peers.{module}"]


def _node(program: str) -> Callable[[], list[str]]:
    return lambda: ["node", str(node_peer("boardgame") / program)]


PEERS = {
    LINE: Peer(_python("play_line"), 2000, None, "nothing"),
    "OpenSpiel, bridge": Peer(
        _python("play_open_spiel", "open_spiel"), 2000, 1.0, "C++; deals as 52 actions, takes four calls, scores"
    ),
    "RLCard, bridge": Peer(_python("play_rlcard", "rlcard"), 150, 8.0, "takes four calls, keeps a list of moves"),
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


class Player:
    """A running player."""

    def __init__(self, process: "subprocess.Popen[str]", hands: int) -> None:
        self._process, self._hands = process, hands

    def burst(self) -> float:
        """The CPU seconds a hand over a burst of them."""
        given, taken = self._process.stdin, self._process.stdout
        if given is None or taken is None:
            raise RuntimeError("a player without pipes")
        print(self._hands, file=given, flush=True)
        line = taken.readline()
        if not line:
            raise RuntimeError(f"{self._process.args} ended")
        answer = json.loads(line)
        if answer["tricks"] != TRICKS * self._hands:
            raise RuntimeError(f"{self._process.args} played {answer['tricks']} tricks in {self._hands} hands")
        return float(answer["seconds"]) / self._hands


@contextmanager
def started(command: list[str], hands: int) -> Iterator[Player]:
    """A player on the first core, so that all have the same one."""
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        if CORES:
            os.sched_setaffinity(process.pid, CORES[:1])
        with ended(process):
            yield Player(process, hands)


def measure(rounds: int = 15) -> dict[str, object]:
    """Let the players take turns.

    Returns:
        ``load``: the machine's before and after. ``missing``: who could not be measured, and why. ``players``:
        of each ``hands_a_second`` (median), and of a peer ``line_over_it`` with ``middle``, ``low`` and ``high``
        (median and quartiles over the rounds), ``goal`` (or none) and ``besides``: what it does beyond the common work.
    """
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
    found: dict[str, object] = {}
    for name in (name for name in PEERS if name in costs):
        rate = 1 / median(costs[name])
        if name == LINE:
            found[name] = {"hands_a_second": rate}
        else:
            found[name] = {
                "hands_a_second": rate,
                "line_over_it": ratio(costs[name], costs[LINE])._asdict(),
                "goal": PEERS[name].goal,
                "besides": PEERS[name].besides,
            }
    return {"load": loads, "missing": missing, "players": found}


def table(result: dict[str, object]) -> Iterator[str]:
    """The lines of what was measured."""
    players, missing, load = result["players"], result["missing"], result["load"]
    assert isinstance(players, dict) and isinstance(missing, dict) and isinstance(load, list)
    yield f"peers: random hands a CPU second, by turns on one core; load average {load[0]:.1f} to {load[1]:.1f}"
    yield f"  {'':22}{'hands/s':>9}  {'Line over it (quartiles)':28}{'goal':>6}  besides"
    for name, found in players.items():
        if name == LINE:
            yield f"  {name:22}{found['hands_a_second']:9.0f}"
            continue
        over = found["line_over_it"]
        figures = f"{over['middle']:.2f} ({over['low']:.2f} to {over['high']:.2f})"
        goal = "–" if found["goal"] is None else f"{found['goal']:g}"
        yield f"  {name:22}{found['hands_a_second']:9.1f}  {figures:28}{goal:>6}  {found['besides']}"
    for name, why in missing.items():
        yield f"  {name}: not measured, {why}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    for line in table(measure(options.rounds)):
        print(line)


if __name__ == "__main__":
    main()
