"""Results kept in a file, and what is written of them: README's table, this folder's tables and the picture."""

import json
import os
import platform
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.goals import ROWS
from bench.picture import drawn
from harness.serving import CORES

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results.json"
PICTURE = ROOT / "docs" / "images" / "speed.svg"
Results = dict[str, dict[str, Any]]


def kept() -> Results:
    """What was measured, by part."""
    results: Results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    return results


def keep(results: Results) -> None:
    """Write it down."""
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")


def conditions(effort: str, began: float, load_before: float) -> dict[str, Any]:
    """Where and when a part was measured."""
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "effort": effort,
        "seconds": round(time.monotonic() - began),
        "load": [round(load_before, 1), round(os.getloadavg()[0], 1)],
        "cores": len(CORES),
        "python": platform.python_version(),
        "grpcio": version("grpcio"),
    }


def files(results: Results) -> dict[Path, str]:
    """Every file that tells of the results, and its text."""
    texts = {}
    for path, name, lines in (
        (ROOT / "README.md", "goals", _goals(results)),
        (ROOT / "bench" / "README.md", "results", _tables(results)),
    ):
        texts[path] = between(path.read_text("utf-8"), name, lines)
    if {"unary", "offered", "batch"} <= results.keys():
        texts[PICTURE] = drawn({name: part["found"] for name, part in results.items()})
    return texts


def between(text: str, name: str, lines: Iterable[str]) -> str:
    """Replace what stands between the comments ``name`` and ``/name``."""
    begin, end = f"<!-- {name}: by make bench -->\n", f"<!-- /{name} -->"
    before, found, rest = text.partition(begin)
    _, also_found, after = rest.partition(end)
    if not (found and also_found):
        raise ValueError(f"no place for {name}")
    return before + begin + "".join(f"{line}\n" for line in lines) + end + after


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _goals(results: Results) -> Iterator[str]:
    # Its marker ends a paragraph.
    yield ""
    yield _row("what", "goal", "measured", "by `python -m bench`")
    yield _row("---", "---", "---", "---")
    for row in ROWS:
        if row.part in results:
            found = results[row.part]["found"]
            judged = " / ".join(goal.judged(found) for goal in row.goals)
            yield _row(row.what, " / ".join(goal.text for goal in row.goals), judged, f"`{row.part}`")


def _tables(results: Results) -> Iterator[str]:
    tables = {
        "unary": _unary,
        "batch": _batch,
        "handler": _handler,
        "offered": _offered,
        "processes": _processes,
        "soak": _soak,
        "peers": _peers,
    }
    for name, part in results.items():
        yield from (f"### {name}", "", *tables[name](part["found"]), "", _conditions(part), "")


def _conditions(part: dict[str, Any]) -> str:
    told = part["conditions"]
    return (
        f"{told['date']}, {told['effort']} run of {told['seconds']} s, {told['cores']} cores, load average "
        f"{told['load'][0]} to {told['load'][1]}, CPython {told['python']}, grpcio {told['grpcio']}."
    )


def _unary(found: dict[str, Any]) -> Iterator[str]:
    yield _row(
        "call",
        "server",
        "calls/s",
        "CPU µs a call",
        "of the echo, by CPU (quartiles)",
        "by clock",
        "client, of a core",
    )
    yield _row(*["---"] * 7)
    for kind, ways in found.items():
        for name, way in ways.items():
            middle, low, high = way["ratio_by_cpu"]
            yield _row(
                kind,
                name,
                f"{way['calls_per_second']:,}",
                way["cpu_us"],
                f"**{middle:.2f}** ({low:.2f} to {high:.2f})",
                f"{way['ratio_by_clock'][0]:.2f}",
                f"{way['client_share']:.0%}",
            )


def _batch(found: dict[str, Any]) -> Iterator[str]:
    ways = list(found)
    yield _row("verdicts", *(f"{way}: CPU µs a move, of unary (quartiles)" for way in ways))
    yield _row(*["---"] * (1 + len(ways)))
    for size in found[ways[0]]:
        cells = []
        for way in ways:
            middle, low, high = found[way][size]["ratio_by_cpu"]
            cells.append(f"{found[way][size]['cpu_us']}, {middle:.1f} × ({low:.1f} to {high:.1f})")
        yield _row(size, *cells)


def _handler(found: dict[str, Any]) -> Iterator[str]:
    yield _row("handler, µs", "p10", "median", "p90")
    yield _row(*["---"] * 4)
    for kind, ways in found["handler_us"].items():
        for way, spread in ways.items():
            yield _row(f"{kind}, {way}", spread["p10"], spread["median"], spread["p90"])
    for kind, parts in found["parts_us"].items():
        ways = list(parts)
        yield ""
        yield _row(f"where the CPU of one `{kind}` goes, µs", *ways)
        yield _row(*["---"] * (1 + len(ways)))
        for name in parts[ways[0]]:
            yield _row(name, *(parts[way][name] for way in ways))
    for name, what in (("by_tricks_us", "tricks played"), ("by_hands_us", "hands of the game")):
        yield ""
        yield _row(f"{what} (memory off)", *found[name])
        yield _row(*["---"] * (1 + len(found[name])))
        yield _row("handler's median, µs", *found[name].values())


def _offered(found: dict[str, Any]) -> Iterator[str]:
    yield _row("whole hands", "offered/s", "answered/s", "p50, ms", "p99, ms", "not answered")
    yield _row(*["---"] * 6)
    for name, server in found.items():
        for load in server["loads"]:
            times = (f"{load[quantile] / 1000:.1f}" for quantile in ("p50_us", "p99_us"))
            yield _row(
                f"{name}, {load['share']:.0%} of {server['most_calls_per_second']:,}",
                load["offered_per_second"],
                load["calls_per_second"],
                *times,
                load["errors"],
            )


def _processes(found: dict[str, Any]) -> Iterator[str]:
    yield _row("whole hands, calls/s", "one", "two", "ratio", "for what the client left", "client, of a core")
    yield _row(*["---"] * 6)
    yield _row(
        "same replica",
        f"{found['one_calls_per_second']:,}",
        f"{found['two_calls_per_second']:,}",
        f"{found['ratio']:.2f}",
        f"{found['ratio_of_room']:.2f}",
        f"{found['client_share']:.0%}",
    )


def _soak(found: dict[str, Any]) -> Iterator[str]:
    yield _row(
        "start", "on a CPU", "first answer", "idle", "warm, caches full", "at the end", "calls between"
    )
    yield _row(*["---"] * 7)
    yield _row(
        *(f"{found[name] * 1000:.0f} ms" for name in ("start_s", "start_cpu_s", "answer_s")),
        *(f"{found[name]} MB" for name in ("idle_mb", "warm_mb")),
        f"{found['path_mb'][-1]} MB",
        f"{found['calls']:,}",
    )


def _peers(found: dict[str, Any]) -> Iterator[str]:
    yield _row("random hands", "a CPU second", "`Line` over it (quartiles)", "besides")
    yield _row(*["---"] * 4)
    for name, player in found["players"].items():
        over = player["line_over_it"]
        ratio = f"**{over['middle']:.4g} ×** ({over['low']:.4g} to {over['high']:.4g})" if over else ""
        yield _row(name, f"{player['hands_a_second']:,.0f}", ratio, player["besides"])
    for name, why in found["missing"].items():
        yield _row(name, "–", "", f"not measured: {why}")
