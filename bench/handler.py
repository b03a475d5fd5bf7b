"""CPU time of the handler, bytes to bytes, on its thread inside the real server; and where the rest of a call goes.

A call of the service costs more in a server than in a loop: caches are cold, and the interpreter's lock changes hands.
So the time is taken in the server, logs and metrics on, of each call by itself. Parts are taken on servers of their
own, since looking at the clock costs a third of a microsecond each time.
"""

from collections.abc import Callable, Sequence
from statistics import median, quantiles
from typing import Any

from bench.effort import Effort
from bench.load import Load, Target
from bench.served import HANDLER, PARTS, STAGES
from bench.servers import RealServer, bench
from bench.streams import Moment, Request, applies, befores, moments, snapshot_of, validates
from tarneeb_service.engine.state import InPlay, State

CALLS, ROUNDS, WARM_UP = 500, 12, 600
WAYS = {"same replica": True, "memory off": False}
KINDS: dict[str, Callable[[Sequence[Moment]], list[Request]]] = {
    "ValidateMove": validates,
    "ApplyMove": applies,
}
# What follows the request's game.
INSIDE = {
    "ValidateMove": ("move", "rule", "verdict"),
    "ApplyMove": ("move", "apply", "verdict", "next game", "events", "views"),
}
# Hands of a game by now, and tricks of a hand.
HANDS, TRICKS = (1, 5, 25), (0, 2, 4, 6, 8, 10, 12)


def measure(effort: Effort) -> dict[str, Any]:
    """Medians of the handler by call and way; where a ValidateMove's time goes; and what a game's past costs."""
    with bench() as (load, servers):
        looked = {way: servers.real(memory=memory, look=HANDLER) for way, memory in WAYS.items()}
        staged = {way: servers.real(memory=memory, look=STAGES) for way, memory in WAYS.items()}
        rounds = effort.rounds(ROUNDS)
        medians = {
            kind: {way: _spread(times) for way, times in _handlers(load, looked, kind, rounds).items()}
            for kind in KINDS
        }
        past = _past(load, looked["memory off"], rounds)
        parts = {kind: _parts(load, staged, kind, rounds) for kind in KINDS}
        return {"handler_us": medians, "parts_us": parts, **past}


def _spread(nanoseconds: Sequence[int]) -> dict[str, float]:
    deciles = quantiles(nanoseconds, n=10)
    return {name: round(deciles[place] / 1e3, 1) for name, place in (("p10", 0), ("median", 4), ("p90", 8))}


def _handlers(load: Load, looked: dict[str, RealServer], kind: str, rounds: int) -> dict[str, list[int]]:
    """The nanoseconds of each call, by way, that took turns."""
    targets = _targets(load, looked, kind, CALLS * rounds + WARM_UP)
    _warm_up(load, looked, targets)
    times: dict[str, list[int]] = {way: [] for way in looked}
    for _ in range(rounds):
        for way, target in targets.items():
            if target.prime:
                load.prime(target, CALLS)
            looked[way].times()
            load.burst(target, CALLS, primed=True)
            times[way] += looked[way].times()[f"{kind} handler"]
    return times


def _targets(load: Load, looked: dict[str, RealServer], kind: str, count: int) -> dict[str, Target]:
    played = moments(count, f"handler {kind}")
    stream, before = load.stream(KINDS[kind](played)), load.stream(befores(played))
    return {
        way: Target([server.server], stream, before if WAYS[way] else "") for way, server in looked.items()
    }


def _warm_up(load: Load, looked: dict[str, RealServer], targets: dict[str, Target]) -> None:
    for way, target in targets.items():
        load.burst(target, WARM_UP)
        looked[way].times()


def _parts(load: Load, staged: dict[str, RealServer], kind: str, rounds: int) -> dict[str, dict[str, float]]:
    """Microseconds of a call's parts, which add up to all the CPU time that the server takes a call."""
    targets = _targets(load, staged, kind, CALLS * rounds + WARM_UP)
    _warm_up(load, staged, targets)
    found = {}
    for way, target in targets.items():
        sums: dict[str, list[float]] = {}
        for _ in range(rounds):
            if target.prime:
                load.prime(target, CALLS)
            staged[way].times()
            sums.setdefault("whole", []).append(load.burst(target, CALLS, primed=True).cpu)
            times = staged[way].times()
            for name in ("handler", *(part.name for part in PARTS)):
                # Not every call has a line in the log, or is decoded.
                taken = sum(times.get(f"{kind} {name}", ())) + sum(times.get(f" {name}", ()))
                sums.setdefault(name, []).append(taken / CALLS / 1e3)
        found[way] = _added_up(kind, {name: median(bursts) for name, bursts in sums.items()})
    return found


def _added_up(kind: str, mean: dict[str, float]) -> dict[str, float]:
    inside = INSIDE[kind]
    told = {
        # Of which no call's share can be told.
        "gRPC": mean["whole"] - mean["thread"] - mean["admission"],
        "admission": mean["admission"],
        "parse": mean["parse"],
        # Its bytes read, or looked up.
        "snapshot": mean["game"] - mean["decode"] - mean["check"],
        "decode": mean["decode"],
        "check": mean["check"],
        **{name: mean[name] for name in inside},
        "the handler's rest": mean["handler"] - sum(mean[name] for name in ("parse", "game", *inside)),
        "metrics": mean["telling"] - mean["labels"] - mean["log line"],
        "labels": mean["labels"],
        "log line": mean["log line"],
        "the thread's rest": mean["thread"] - mean["handler"] - mean["telling"],
        "whole": mean["whole"],
    }
    return {name: round(value, 1) for name, value in told.items()}


def _past(load: Load, server: RealServer, rounds: int) -> dict[str, Any]:
    """Medians of ValidateMove with the memory off, by tricks of the hand and by hands of the game."""
    played = moments(CALLS * 8, "past")
    by_tricks = {
        tricks: [moment for moment in played if _tricks(moment.state) == tricks] for tricks in TRICKS
    }
    middle = [moment for moment in played if _tricks(moment.state) in (6, 7)]
    by_hands = {hands: [_later(moment, hands) for moment in middle] for hands in HANDS}
    return {
        "by_tricks_us": _medians(load, server, by_tricks, rounds),
        "by_hands_us": _medians(load, server, by_hands, rounds),
    }


def _tricks(state: State) -> int:
    """Tricks that are played, or -1 before the first card may be."""
    return len(state.play.played) // 4 if isinstance(state, InPlay) else -1


def _later(moment: Moment, hands: int) -> Moment:
    """The same moment in a game of so many hands, with scores that such a game has."""
    state = moment.state
    assert isinstance(state, InPlay)
    deal = state.deal
    scores = tuple(score + hands - 1 for score in deal.scores_before)
    state = state._replace(
        deal=deal._replace(number=hands, scores_before=scores), revision=state.revision + 60 * (hands - 1)
    )
    return moment._replace(state=state, snapshot=snapshot_of(state))


def _medians(
    load: Load, server: RealServer, groups: dict[int, list[Moment]], rounds: int
) -> dict[str, float]:
    """The handler's median microseconds by group, which take turns."""
    targets = {
        number: Target([server.server], load.stream(validates(group))) for number, group in groups.items()
    }
    times: dict[int, list[int]] = {number: [] for number in groups}
    for _ in range(rounds):
        for number, target in targets.items():
            load.burst(target, len(groups[number]) // 4, again=True)
            times[number] += server.times()["ValidateMove handler"]
    return {str(number): round(median(taken) / 1e3, 1) for number, taken in times.items()}


def lines(found: dict[str, Any]) -> list[str]:
    """What is printed."""
    text = ["the handler's CPU, bytes to bytes, µs a call:"]
    text += [
        f"  {kind:13}{way:13} median {spread['median']:6.1f}   p10 {spread['p10']:6.1f}   p90 {spread['p90']:6.1f}"
        for kind, ways in found["handler_us"].items()
        for way, spread in ways.items()
    ]
    for kind, ways in found["parts_us"].items():
        for way, parts in ways.items():
            text.append(f"where a {kind}'s CPU goes, {way}, µs:")
            text.append("  " + ", ".join(f"{name} {value}" for name, value in parts.items()))
    for name in ("tricks", "hands"):
        costs = ", ".join(f"{number}: {cost}" for number, cost in found[f"by_{name}_us"].items())
        text.append(f"the handler's median µs by {name} played, memory off: {costs}")
    return text
