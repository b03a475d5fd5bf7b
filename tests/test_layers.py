"""An import may only point left in LAYERS, and the engine knows nothing but the standard library."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "tarneeb_service"
LAYERS = ("engine", "wire", "record_text", "rpc", "telemetry", "server", "cli")
# What a layer may use of the outside world; where nothing is said, anything.
OUTSIDE = {
    "engine": frozenset(),
    "wire": frozenset({"google", "tarneeb"}),
    "record_text": frozenset({"google", "tarneeb"}),
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
