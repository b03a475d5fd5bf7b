"""Single calls against an echo of the same messages, all servers on one core and by turns.

The service as it ships is called three ways: *same replica* has seen each snapshot before, since it answered with it;
*in turns* are two replicas of which each call takes one by lot, so that a snapshot may be new to it; *memory off*
remembers nothing. *Nothing* is the real server, logs and metrics on, with handlers that do nothing: the ceiling. The
echo in C++ is what another language could reach. *Whole hands* are all calls that a backend may make, one after the
other: the deal, and for each move the legal ones, a verdict, the next game with four views, and a view.
"""

from typing import Any

from bench.effort import Effort
from bench.load import Target, take_turns, told
from bench.servers import bench
from bench.streams import answers, applies, befores, mixed, moments, validates

ECHO = "echo"
CALLS, ROUNDS, WARM_UP = 600, 16, 2
KINDS = {"ValidateMove": validates, "ApplyMove": applies, "whole hands": mixed}


def measure(effort: Effort) -> dict[str, Any]:
    """For each kind of call and each way: calls a second, CPU a call, and the ratios to the echo."""
    rounds = effort.rounds(ROUNDS)
    needed = CALLS * (rounds + WARM_UP)
    found = {}
    with bench() as (load, servers):
        servers.answering(answers(mixed(moments(1_000, "answers"))))
        echo, nothing, cpp = servers.echo(), servers.nothing(), servers.cpp_echo()
        same, off, *turns = (servers.real(memory=memory).server for memory in (True, False, True, True))
        for kind, requests_of in KINDS.items():
            # New ones for each kind: what was asked before may be remembered.
            whole = kind == "whole hands"
            played = moments(needed // 4 if whole else needed, kind)
            stream = load.stream(requests_of(played))
            # Whole hands bring their past along.
            prime = "" if whole else load.stream(befores(played))
            targets = {
                ECHO: Target([echo], stream),
                "same replica": Target([same], stream, prime),
                "in turns": Target(turns, stream, prime),
                "memory off": Target([off], stream),
                "nothing": Target([nothing], stream),
                "echo in C++": Target([cpp], stream),
            }
            found[kind] = told(take_turns(load, targets, rounds, CALLS, WARM_UP), ECHO)
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """What is printed."""
    text = []
    for kind, ways in found.items():
        text.append(f"{kind}:")
        text += [
            f"  {name:14}{way['calls_per_second']:7} calls/s {way['cpu_us']:7.1f} µs CPU a call   of the echo: "
            f"by CPU {way['ratio_by_cpu'][0]:.2f} (quartiles {way['ratio_by_cpu'][1]:.2f} to "
            f"{way['ratio_by_cpu'][2]:.2f}), by clock {way['ratio_by_clock'][0]:.2f}; client {way['client_share']:.0%}"
            for name, way in ways.items()
        ]
    return text
