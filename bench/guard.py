"""Notices when a change makes the service slower: ratios of one short run, held to limits with room for noise.

Half a minute. A ratio fails when even its upper quartile is under its limit.
"""

import sys
from statistics import median

from bench.bursts import Ratio, ratio
from bench.load import Burst, Target, take_turns
from bench.servers import bench
from bench.streams import answers, applies, batches, befores, moments, validates

CALLS, ROUNDS, WARM_UP, BATCH = 300, 6, 1, 50
# What is compared, to what, and the least that may be. The goals: 0.80, 0.50, 0.55, and for batches of 100 12 and 5.
LIMITS = {
    ("ValidateMove, same replica", "echo of ValidateMove"): 0.55,
    ("ValidateMove, memory off", "echo of ValidateMove"): 0.35,
    ("ApplyMove, same replica", "echo of ApplyMove"): 0.2,
    ("batch, same replica", "ValidateMove, same replica"): 6.0,
    ("batch, memory off", "ValidateMove, memory off"): 3.0,
    # The memory must be worth its while.
    ("ValidateMove, same replica", "ValidateMove, memory off"): 1.15,
}


def measure() -> dict[str, list[Burst]]:
    needed = CALLS * (ROUNDS + WARM_UP)
    single, whole, many, more = (moments(needed, f"guard {number}") for number in range(4))
    with bench() as (load, servers):
        servers.answering(answers(validates(single[:500]) + applies(whole[:500])))
        echo = servers.echo()
        same, off = (servers.real(memory=memory).server for memory in (True, False))
        validate, apply = load.stream(validates(single)), load.stream(applies(whole))
        targets = {
            "echo of ValidateMove": Target([echo], validate),
            "echo of ApplyMove": Target([echo], apply),
            "ValidateMove, same replica": Target([same], validate, load.stream(befores(single))),
            "ValidateMove, memory off": Target([off], validate),
            "ApplyMove, same replica": Target([same], apply, load.stream(befores(whole))),
            "batch, same replica": Target(
                [same], load.stream(batches(many, BATCH)), load.stream(befores(many)), worth=BATCH
            ),
            "batch, memory off": Target([off], load.stream(batches(more, BATCH)), worth=BATCH),
        }
        return take_turns(load, targets, ROUNDS, CALLS, WARM_UP)


def judged(bursts: dict[str, list[Burst]]) -> dict[str, tuple[Ratio, float]]:
    """Each ratio by its name, and the least that it may be."""
    return {
        f"{ours} / {other}": (
            ratio([burst.cpu for burst in bursts[other]], [burst.cpu for burst in bursts[ours]]),
            limit,
        )
        for (ours, other), limit in LIMITS.items()
    }


def too_slow(found: Ratio, limit: float) -> bool:
    """Say whether a ratio is under its limit whatever the noise."""
    return found.high < limit


def main() -> None:
    bursts = measure()
    for name, costs in bursts.items():
        print(f"{name:28} {median(burst.cpu for burst in costs):7.1f} µs CPU a move")
    slow = False
    for name, (found, limit) in judged(bursts).items():
        failed = too_slow(found, limit)
        slow |= failed
        print(f"{name:58} {found}, at least {limit}{': TOO SLOW' if failed else ''}")
    sys.exit(slow)


if __name__ == "__main__":
    main()
