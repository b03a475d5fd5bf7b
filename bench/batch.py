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
    # The same for all: what a size asks was shown to the server just before, or is remembered by none.
    played = moments(needed, "batch")
    with bench() as (load, servers):
        before, single = load.stream(befores(played)), load.stream(validates(played))
        streams = {f"batch of {size}": load.stream(batches(played, size)) for size in SIZES}
        for way, memory in (("same replica", True), ("memory off", False)):
            server = servers.real(memory=memory).server
            prime = before if memory else ""
            targets = {UNARY: Target([server], single, prime)}
            for size, (name, stream) in zip(SIZES, streams.items(), strict=True):
                targets[name] = Target([server], stream, prime, worth=size)
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
