"""Write the vector files of conformance/, or check them: python -m conformance.statements [--check]."""

import argparse
import importlib
import sys
from pathlib import Path

from conformance.statements.layout import written
from conformance.statements.section import Section

FOLDER = Path(__file__).resolve().parents[1]
SECTIONS = (
    "rules",
    "auctions",
    "tricks",
    "scoring",
    "ends",
    "deals",
    "views",
    "records",
    "undo",
    "refusals",
    "malformed",
)


def sections() -> list[Section]:
    found = []
    for name in SECTIONS:
        section: Section = importlib.import_module(f"conformance.statements.{name}").section()
        found.append(section)
    return found


def main() -> int:
    parser = argparse.ArgumentParser("python -m conformance.statements", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail when a file is not up to date"
    )
    check = parser.parse_args().check
    stale = []
    for section in sections():
        path, text = FOLDER / f"{section.name}.json", written(section.document()) + "\n"
        if check and (not path.exists() or path.read_text("utf-8") != text):
            stale.append(path.name)
        elif not check:
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.stderr.write(f"not up to date: {', '.join(stale)}; run python -m conformance.statements\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
