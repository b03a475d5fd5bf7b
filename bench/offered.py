"""Latency against offered load: whole hands at a share of what each server can do, whatever is under way.

A call's time counts from when it should have begun, so a server that stalls is charged for all who wait.
"""

from statistics import median
from typing import Any

from bench.effort import Effort
from bench.load import Burst, Load, Target
from bench.servers import bench
from bench.streams import answers, mixed, moments

SHARES = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9)
ROUNDS, SECONDS, WARM_UP = 8, 0.8, 1_500


def measure(effort: Effort) -> dict[str, Any]:
    """For each server what it can do, and for each share of it the calls a second, p50 and p99."""
    requests = mixed(moments(6_000, "offered"))
    with bench() as (load, servers):
        servers.answering(answers(requests[:4_000]))
        stream = load.stream(requests)
        # What whole hands ask again is no news to either, so the stream may begin anew.
        targets = {
            "echo": Target([servers.echo()], stream),
            "same replica": Target([servers.real().server], stream),
            "memory off": Target([servers.real(memory=False).server], stream),
        }
        most = {name: _most(load, target) for name, target in targets.items()}
        bursts: dict[str, dict[float, list[Burst]]] = {name: {} for name in targets}
        for _ in range(effort.rounds(ROUNDS)):
            for share in SHARES:
                for name, target in targets.items():
                    rate = most[name] * share
                    done = load.burst(
                        target, max(50, int(rate * SECONDS)), rate=rate, again=True, allowed=True
                    )
                    bursts[name].setdefault(share, []).append(done)
    return {
        name: {
            "most_calls_per_second": round(most[name]),
            "loads": [_told(share, most[name] * share, found) for share, found in shares.items()],
        }
        for name, shares in bursts.items()
    }


def _most(load: Load, target: Target) -> float:
    load.burst(target, WARM_UP, again=True)
    # The best of some: others can only take from it.
    return max(load.burst(target, WARM_UP, again=True).rate for _ in range(3))


def _told(share: float, rate: float, bursts: list[Burst]) -> dict[str, float]:
    return {
        "share": share,
        "offered_per_second": round(rate),
        "calls_per_second": round(median(burst.rate for burst in bursts)),
        "p50_us": round(median(burst.p50 for burst in bursts)),
        "p99_us": round(median(burst.p99 for burst in bursts)),
        "errors": sum(burst.errors for burst in bursts),
    }


def lines(found: dict[str, Any]) -> list[str]:
    """What is printed."""
    text = []
    for name, server in found.items():
        text.append(f"{name}: {server['most_calls_per_second']} calls/s at the most, whole hands")
        text += [
            f"  {load['offered_per_second']:6} offered  {load['calls_per_second']:6} answered  "
            f"p50 {load['p50_us'] / 1000:6.2f} ms  p99 {load['p99_us'] / 1000:7.2f} ms  errors {load['errors']}"
            for load in server["loads"]
        ]
    return text
