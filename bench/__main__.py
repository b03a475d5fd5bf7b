"""Measures, and prints what was found: `python -m bench` all parts, `python -m bench unary batch` some of them.

With all parts, or with --write, results go to bench/results.json, and from there into the tables and the picture. The
variable BENCH says how long: whole, quick or glance.
"""

import argparse
import importlib
import os
import sys
import time
from importlib.util import find_spec
from typing import Any

from bench import report
from bench.effort import Effort, chosen

PARTS = ("unary", "batch", "handler", "offered", "processes", "soak", "peers")
PEER_ROUNDS = 15


def measured(part: str, effort: Effort) -> dict[str, Any]:
    """What a part found, and under which conditions; prints it."""
    began, load = time.monotonic(), os.getloadavg()[0]
    if part == "peers":
        peers = importlib.import_module("bench.peers.compare")
        found = peers.measure(effort.rounds(PEER_ROUNDS))
        lines = peers.table(found)
    else:
        module = importlib.import_module(f"bench.{part}")
        found = module.measure(effort)
        lines = module.lines(found)
    print(f"{part}:", *lines, "", sep="\n", flush=True)
    return {"conditions": report.conditions(effort.name, began, load), "found": found}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--write", action="store_true", help="write these parts' results, too")
    parser.add_argument("--draw", action="store_true", help="measure nothing: write tables and picture anew")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    results = report.kept()
    effort = chosen()
    for part in () if options.draw else options.parts or PARTS:
        if find_spec(f"bench.{part}") is None:
            print(f"{part}: not there", file=sys.stderr)
            continue
        results[part] = measured(part, effort)
        if options.write or not options.parts:
            # Each as it ends, so that a run that breaks off has something to show.
            report.keep({name: results[name] for name in PARTS if name in results})
    if options.write or options.draw or not options.parts:
        for path, text in report.files(report.kept()).items():
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
