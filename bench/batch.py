"""Verdicts in batches against single calls on the same terms, same replica and memory off, by the size of the batch."""

from typing import Any

from bench.effort import Effort
from bench.load import Target, take_turns, told
from bench.servers import bench
from bench.streams import batches, befores, moments, validates

SIZES = (1, 3, 10, 30, 100)
UNARY = "unary"
MOVES, ROUNDS, WARM_UP = 1_200, 8, 1


def measure(effort: Effort) -> dict[str, Any]:
    """For each size and both ways: moves a second, CPU a move, and the ratios to single calls."""
    rounds = effort.rounds(ROUNDS)
    needed = MOVES * (rounds + WARM_UP)
    found: dict[str, Any] = {}
    with bench() as (load, servers):
        for way, memory in (("same replica", True), ("memory off", False)):
            server = servers.real(memory=memory).server
            targets = {}
            for size in (0, *SIZES):
                # Each its own hands: what one size asked would be known to the next.
                played = moments(needed, f"{way} {size}")
                prime = load.stream(befores(played)) if memory else ""
                stream = load.stream(batches(played, size) if size else validates(played))
                name = f"batch of {size}" if size else UNARY
                targets[name] = Target([server], stream, prime, worth=size or 1)
            found[way] = told(take_turns(load, targets, rounds, MOVES, WARM_UP), UNARY)
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """What is printed."""
    text = []
    for way, sizes in found.items():
        text.append(f"{way}:")
        text += [
            f"  {name:14}{size['calls_per_second']:7} moves/s {size['cpu_us']:7.1f} µs CPU a move   "
            f"of unary: by CPU {size['ratio_by_cpu'][0]:.1f} (quartiles {size['ratio_by_cpu'][1]:.1f} to "
            f"{size['ratio_by_cpu'][2]:.1f})"
            for name, size in sizes.items()
        ]
    return text
