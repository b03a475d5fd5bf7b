"""Generate the protobuf package in src/ from proto/, or check that it is up to date."""

import argparse
import filecmp
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
PACKAGE = Path("tarneeb")
# Files that protoc does not make, but a typed package needs.
FIXED = {
    PACKAGE / "__init__.py": '"""Protobuf packages of the Tarneeb service, generated from proto/."""\n',
    PACKAGE / "py.typed": "",
    PACKAGE / "v1" / "__init__.py": '"""Messages and stubs of tarneeb.v1, generated from proto/."""\n',
}
PATTERNS = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


def made(out: Path) -> set[Path]:
    """What this tool has written under out, as relative paths."""
    found = {path.relative_to(out) for pattern in PATTERNS for path in (out / PACKAGE).rglob(pattern)}
    return found | {path for path in FIXED if (out / path).exists()}


def generate(out: Path) -> None:
    """Write the package into out, and nothing else: outputs whose source is gone are removed."""
    protos = sorted(str(path.relative_to(PROTO)) for path in (PROTO / PACKAGE).rglob("*.proto"))
    if not protos:
        sys.exit(f"no .proto files in {PROTO / PACKAGE}")
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        # The type plugins stand beside this interpreter, whether or not its environment is active.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            [
                *(sys.executable, "-m", "grpc_tools.protoc"),
                f"--proto_path={PROTO}",
                f"--python_out={fresh}",
                f"--grpc_python_out={fresh}",
                f"--mypy_out=quiet:{fresh}",
                f"--mypy_grpc_out=quiet:{fresh}",
                *protos,
            ],
            env={**os.environ, "PATH": path},
            check=False,
        )
        if done.returncode:
            sys.exit("protoc failed; nothing was written")
        for name, text in FIXED.items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_text(text, encoding="utf-8")
        for name in made(out) - made(fresh):
            (out / name).unlink()
        for name in made(fresh):
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes((fresh / name).read_bytes())


def stale(out: Path) -> list[str]:
    """What in out differs from what proto/ gives now, one line a file."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        there, wanted = made(out), made(fresh)
        return sorted(
            [f"missing: {name}" for name in wanted - there]
            + [f"left over: {name}" for name in there - wanted]
            + [
                f"out of date: {name}"
                for name in wanted & there
                if not filecmp.cmp(out / name, fresh / name, shallow=False)
            ]
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=ROOT / "src", help="folder to write to (src)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when out is stale")
    args = parser.parse_args()
    if not args.check:
        generate(args.out)
        return
    problems = stale(args.out)
    if problems:
        print(*problems, "Remedy: run 'make proto' and commit what it changes.", sep="\n", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
