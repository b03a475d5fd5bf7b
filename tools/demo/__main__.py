"""Whole games of every rule set through the real server, every state held against the oracle.

The players see only what their seat sees and choose among the legal moves that the service lists.
"""

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Event

import grpc
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from harness.serving import serving
from tests.oracle.rule_sets import RULE_SETS
from tools.demo.game import Disagreement, Table, Tally

# Games at once: enough that server and players, who share few cores, need not wait for each other.
TABLES = 6


def main() -> int:
    arguments = _arguments()
    # A `kill` unwinds like Ctrl-C, so that the server ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    tallies = {rule_set: Tally() for rule_set in arguments.rule_sets}
    disagreements: list[str] = []
    began = time.monotonic()
    try:
        with serving() as server, grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            _play(channel, arguments, tallies, disagreements)
    except KeyboardInterrupt:
        print("demo: stopped")
        return 130
    sound = 0
    for rule_set, tally in tallies.items():
        print(_line(rule_set, tally))
        sound += tally.games == arguments.games
    for disagreement in disagreements:
        print(f"demo: {disagreement}")
    games, moves = (sum(getattr(tally, name) for tally in tallies.values()) for name in ("games", "moves"))
    print(f"demo: took {time.monotonic() - began:.0f} s, seed {arguments.seed}")
    print(
        f"demo: {sound}/{len(tallies)} rule sets, {games} games, {moves} moves, {len(disagreements)} disagreements"
    )
    return 1 if disagreements else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tools.demo", description=__doc__)
    parser.add_argument("--games", type=_positive, default=20, help="games of each rule set (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="of deals and players (default: 1)")
    parser.add_argument(
        "--rule-set",
        dest="rule_sets",
        action="append",
        choices=list(RULE_SETS),
        help="only this one; may be repeated",
    )
    arguments = parser.parse_args()
    arguments.rule_sets = arguments.rule_sets or list(RULE_SETS)
    return arguments


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _play(
    channel: grpc.Channel, arguments: argparse.Namespace, tallies: dict[str, Tally], disagreements: list[str]
) -> None:
    """Play all games, or until the first disagreement."""
    pool, stop = ThreadPoolExecutor(TABLES), Event()
    games: dict[Future[Tally], str] = {}
    # The sets by turns, so that each is under way early.
    for number in range(1, arguments.games + 1):
        for rule_set in arguments.rule_sets:
            games[pool.submit(_game, channel, rule_set, number, arguments.seed, stop)] = rule_set
    try:
        with _progress(len(games)) as progress:
            for game in as_completed(games):
                try:
                    tallies[games[game]].add(game.result())
                except Disagreement as disagreement:
                    disagreements.append(str(disagreement))
                    return
                except grpc.RpcError as error:
                    disagreements.append(f"{games[game]}: the service failed: {error}")
                    return
                progress.advance(progress.task_ids[0])
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _game(channel: grpc.Channel, rule_set: str, number: int, seed: int, stop: Event) -> Tally:
    return Table(channel, rule_set, number, seed, stop).play()


@contextmanager
def _progress(total: int) -> Iterator[Progress]:
    """A progress bar on a terminal; nothing elsewhere."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        progress.add_task("playing", total=total)
        yield progress


def _line(rule_set: str, tally: Tally) -> str:
    return (
        f"{rule_set:27} {tally.games:3} games {tally.hands:5} hands {tally.moves:6} moves {tally.redeals:4} redeals"
        f"  won by North–South {tally.winners[0]}, West–East {tally.winners[1]}"
        f"  illegal moves tried {tally.tried}, refused {tally.refused}"
    )


if __name__ == "__main__":
    sys.exit(main())
