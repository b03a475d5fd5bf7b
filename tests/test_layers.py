"""An import may only point left in LAYERS, the engine knows nothing but the standard library, and there is no circle.

A circle is looked for in every folder, among its files and folders: what a folder's files import, it imports. Any
circle of files is one there, too. Imports inside functions and for types alone count: whoever reads the code goes
round all the same.
"""

import ast
import graphlib
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tarneeb_service"
# What people write, apart from the tests; `tarneeb` itself is generated.
CLIENT = ROOT / "clients" / "python"
FOLDERS = (
    SOURCE,
    ROOT / "src" / "tarneeb_record",
    CLIENT / "program",
    CLIENT / "src" / "tarneeb_client",
    *(ROOT / name for name in ("harness", "bench", "tools", "conformance")),
)
LAYERS = ("engine", "wire", "rpc", "telemetry", "server", "cli")
# What a layer may use of the outside world; where nothing is said, anything.
OUTSIDE = {
    "engine": frozenset(),
    "wire": frozenset({"google", "tarneeb"}),
    "rpc": frozenset({"google", "tarneeb"}),
}
# Not even of the standard library: the engine neither logs, nor looks at the clock, nor draws lots.
IMPURE = {"logging", "time", "datetime", "random", "secrets", "os", "socket", "threading", "asyncio", "uuid"}


def imports(text: str, where: str) -> Iterator[tuple[str, str]]:
    """Each module a file imports, anywhere in it, with the line that does."""
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{where}:{node.lineno}: imports are absolute"
            names = [node.module or ""]
            if node.module == "tarneeb_service":
                names = [f"tarneeb_service.{alias.name}" for alias in node.names]
        yield from ((name, f"{where}:{getattr(node, 'lineno', 0)}: {name}") for name in names)


def offences(layer: str, text: str, where: str) -> list[str]:
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    found = []
    for name, line in imports(text, where):
        top, _, rest = name.partition(".")
        if top == "tarneeb_service":
            if rest not in ("", "__version__") and rest.split(".")[0] not in allowed:
                found.append(line)
        elif top in sys.stdlib_module_names:
            if layer == "engine" and top in IMPURE:
                found.append(line)
        elif layer in OUTSIDE and top not in OUTSIDE[layer]:
            found.append(line)
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_left(layer: str) -> None:
    files = sorted((SOURCE / layer).rglob("*.py"))
    assert files
    assert [
        line
        for path in files
        for line in offences(layer, path.read_text("utf-8"), str(path.relative_to(SOURCE)))
    ] == []


def test_every_package_is_a_layer() -> None:
    folders = {path.parent.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*/*.py")}
    assert folders == set(LAYERS)


@pytest.mark.parametrize(
    ("layer", "line"),
    [
        ("engine", "from tarneeb_service.wire import game"),
        ("engine", "from tarneeb_service import wire"),
        ("engine", "import grpc"),
        ("engine", "from tarneeb.v1 import game_pb2"),
        ("engine", "def f():\n    import random"),
        ("wire", "import tarneeb_service.rpc.methods"),
        ("wire", "import grpc"),
        ("rpc", "from tarneeb_service.server import server"),
        ("rpc", "import prometheus_client"),
    ],
)
def test_an_arrow_to_the_right_is_found_with_its_line(layer: str, line: str) -> None:
    (found,) = offences(layer, line, "there.py")
    assert found.startswith(f"there.py:{line.count(chr(10)) + 1}: ")


@pytest.mark.parametrize(
    ("layer", "line"),
    [
        ("engine", "from tarneeb_service.engine import game"),
        ("wire", "from tarneeb_service.engine.cards import DECK"),
        ("server", "from grpc_status import rpc_status"),
        ("telemetry", "import prometheus_client"),
    ],
)
def test_an_arrow_to_the_left_is_fine(layer: str, line: str) -> None:
    assert offences(layer, line, "there.py") == []


def modules(folders: tuple[Path, ...]) -> dict[str, Path]:
    """The files below some folders by the name they are imported by; `__init__` is a file like the others."""
    return {
        ".".join((folder.name, *path.relative_to(folder).with_suffix("").parts)): path
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
    }


def imported(name: str, text: str, known: dict[str, Path]) -> Iterator[tuple[str, str]]:
    """Each of the known files that a file imports, by name, and the line."""
    for node in ast.walk(ast.parse(text)):
        wanted: list[str] = []
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = name.split(".")[: -node.level] if node.level else []
            base += node.module.split(".") if node.module else []
            wanted = [".".join((*base, alias.name)) for alias in node.names]
        for target in wanted:
            # `from a.b import c` is of the file a/b/c.py, or of what a/b.py or a/b/__init__.py holds.
            for found in (target, target.rpartition(".")[0]):
                file = found if found in known else f"{found}.__init__"
                if file in known:
                    line = f"{name.replace('.', '/')}.py:{getattr(node, 'lineno', 0)}: {target}"
                    yield file, line
                    break


def circles(folders: tuple[Path, ...]) -> list[str]:
    """The lines that make a circle in some folder, one circle a folder."""
    known = modules(folders)
    # For each folder: which of its files and folders import which, with a line that does.
    graphs: dict[str, dict[str, dict[str, str]]] = {}
    for name, path in known.items():
        for file, line in imported(name, path.read_text("utf-8"), known):
            if file == name:
                continue
            here, there = name.split("."), file.split(".")
            depth = next(place for place, part in enumerate(here) if part != there[place])
            graph = graphs.setdefault(".".join(here[:depth]), {})
            graph.setdefault(here[depth], {})[there[depth]] = line
    found = []
    for graph in graphs.values():
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            # Each is imported by the next.
            found += [graph[second][first] for first, second in pairwise(error.args[1])]
    return found


def test_there_is_no_circle() -> None:
    assert circles(FOLDERS) == []


def written(folder: Path, files: dict[str, str]) -> tuple[Path, ...]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tuple(sorted(folder / name for name in {name.split("/")[0] for name in files}))


CIRCLES = {
    "of two files": {"a/b.py": "from a import c", "a/c.py": "import a.b"},
    "of three": {"a/b.py": "from a.c import x", "a/c.py": "from a.d import y", "a/d.py": "from a.b import z"},
    "inside a function": {"a/b.py": "from a import c", "a/c.py": "def f():\n    from a import b"},
    "for types alone": {
        "a/b.py": "from a.c import x",
        "a/c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a.b import y",
    },
    "with dots": {"a/b.py": "from . import c", "a/c.py": "from .b import x"},
    "of folders, though not of files": {
        "a/b.py": "from c.d import x",
        "a/e.py": "",
        "c/d.py": "",
        "c/f.py": "from a import e",
    },
    "of a folder and a file beside it": {
        "a/b/c.py": "from a import d",
        "a/d.py": "from a.b.e import x",
        "a/b/e.py": "",
    },
    "with what a package holds": {"a/__init__.py": "from a.b import x", "a/b.py": "from a import VERSION"},
}


@pytest.mark.parametrize("name", CIRCLES)
def test_a_circle_is_found_and_its_files_are_named(name: str, tmp_path: Path) -> None:
    files = {path for path, text in CIRCLES[name].items() if text}
    found = circles(written(tmp_path, CIRCLES[name]))
    assert {line.partition(":")[0] for line in found} == files


def test_what_is_no_circle(tmp_path: Path) -> None:
    files = {
        "a/__init__.py": "from a.b import x",
        "a/b.py": "from a import c\nfrom a.c import d",
        "a/c.py": "import a.d.e, os",
        "a/d/e.py": "from b import f",
        "b/f.py": "from json import a",
    }
    assert circles(written(tmp_path, files)) == []
