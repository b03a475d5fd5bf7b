"""Keep the code on pages equal to its source: python -m tools.include [--check].

A line ``<!-- code: FILE NAME ... -->`` stands before a block; each NAME is a function, class or `Class.method` of the
Python FILE. The block is written from it, so that nobody retypes tested code.
"""

import argparse
import ast
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("docs/backend.md",)
PLACE = re.compile(r"(<!-- code: (\S+) ([^>]+?) -->\n)```python\n.*?^```$", re.MULTILINE | re.DOTALL)


def code(file: str, name: str) -> str:
    """The source of a function, class or method, decorators too, moved to the left.

    Raises:
        ValueError: There is none of that name.
    """
    source = (ROOT / file).read_text("utf-8")
    node: ast.AST = ast.parse(source)
    for part in name.split("."):
        inner = [
            each
            for each in ast.iter_child_nodes(node)
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and each.name == part
        ]
        if not inner:
            raise ValueError(f"{file} has no {name}")
        node = inner[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    lines = source.splitlines()[first - 1 : node.end_lineno]
    return textwrap.dedent("\n".join(lines))


def filled(text: str) -> str:
    """A page with its blocks as the sources have them now."""

    def block(place: re.Match[str]) -> str:
        # As ruff formats pages too.
        parts = [code(place[2], name) for name in place[3].split()]
        return f"{place[1]}```python\n" + "\n\n\n".join(parts) + "\n```"

    return PLACE.sub(block, text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is stale")
    check, failed = parser.parse_args().check, False
    for page in PAGES:
        path = ROOT / page
        before = path.read_text("utf-8")
        after = filled(before)
        if before != after and check:
            sys.stderr.write(f"{page} is out of date: python -m tools.include\n")
            failed = True
        elif before != after:
            path.write_text(after, encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
