"""Two processes that share a port, a core each, against one; whole hands.

On two cores the client takes its part of them, so there is a second figure: calls for each core that it left.
"""

import socket
from statistics import median
from typing import Any

from bench.effort import Effort
from bench.load import Burst, Target
from bench.servers import bench
from bench.streams import mixed, moments
from harness.serving import CORES, Server

ROUNDS, CALLS, WARM_UP = 16, 2_000, 1
# The kernel deals connections to the processes by lot: few of them would leave one idle.
CONNECTIONS, IN_FLIGHT = 200, 64


def free_port() -> int:
    """A port that nobody has: what is shared can't be left to chance."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def measure(effort: Effort) -> dict[str, Any]:
    """Calls a second of one and of two, and their ratio."""
    rounds = effort.rounds(ROUNDS)
    # Beside both servers, unless there is a core more.
    with bench(CORES[2:] or CORES) as (load, servers):
        stream = load.stream(mixed(moments(6_000, "processes")))
        one = servers.real().server
        shared = {"share_port": "true", "port": str(free_port())}
        first, second = (servers.real(shared, core=core).server for core in (0, 1))
        # Both are behind the port of the first.
        both = [first, Server(second.pid, 0)]
        targets = {
            "one": Target([one], stream, connections=CONNECTIONS),
            "two": Target(both, stream, connections=CONNECTIONS),
        }
        bursts: dict[str, list[Burst]] = {name: [] for name in targets}
        for number in range(-WARM_UP, rounds):
            for name in list(targets) if number % 2 else reversed(targets):
                done = load.burst(targets[name], CALLS, in_flight=IN_FLIGHT, again=True)
                if number >= 0:
                    bursts[name].append(done)
    pairs = list(zip(bursts["one"], bursts["two"], strict=True))
    own = 0 if CORES[2:] else 1
    return {
        "one_calls_per_second": round(median(one.rate for one, _ in pairs)),
        "two_calls_per_second": round(median(two.rate for _, two in pairs)),
        "ratio": round(median(two.rate / one.rate for one, two in pairs), 2),
        "ratio_of_room": round(
            median(2 * two.rate / (2 - own * two.client_share) / one.rate for one, two in pairs), 2
        ),
        "client_share": round(median(two.client_share for _, two in pairs), 2),
    }


def lines(found: dict[str, Any]) -> list[str]:
    """What is printed."""
    return [
        f"one process {found['one_calls_per_second']} calls/s, two {found['two_calls_per_second']}",
        f"  {found['ratio']:.2f} times; {found['ratio_of_room']:.2f} for what the client left",
        f"  the client took {found['client_share']:.0%} of a core",
    ]
