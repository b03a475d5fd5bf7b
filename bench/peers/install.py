"""The peers, each in an environment of its own below build/peers, made anew when its lock file changes."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parent.parent / "build" / "peers"
MOST_SECONDS = 600


class MissingToolError(Exception):
    """What a peer needs is not on this machine."""


def python_peer(name: str) -> str:
    """The Python of an environment that holds what the lock file of this name says, and nothing else."""
    lock = HERE / f"{name}.lock"
    folder = ENVIRONMENTS / name
    python = folder / "bin" / "python"
    if _is_new(folder, [lock]):
        _run([sys.executable, "-m", "venv", str(folder)])
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        # OpenSpiel's bridge runs without what its learners need, which is three times its size.
        _run([*pip, "--no-deps", "--require-hashes", "-r", str(lock)])
        _done(folder, [lock])
    return str(python)


def node_peer(name: str) -> Path:
    """The folder of the programs of this name beside what they need."""
    missing = [tool for tool in ("node", "npm") if shutil.which(tool) is None]
    if missing:
        message = f"{name} needs {' and '.join(missing)}"
        if os.environ.get("CI"):
            raise SystemExit(message)
        raise MissingToolError(message)
    folder = ENVIRONMENTS / name
    files = sorted((HERE / name).iterdir())
    if _is_new(folder, files):
        shutil.copytree(HERE / name, folder, dirs_exist_ok=True)
        _run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], folder)
        _done(folder, files)
    return folder


def _run(command: list[str], folder: Path | None = None) -> None:
    subprocess.run(command, cwd=folder, check=True, timeout=MOST_SECONDS, stdout=sys.stderr)


def _is_new(folder: Path, files: list[Path]) -> bool:
    """Whether an environment must be made; what was there of an older one is gone then."""
    stamp = folder / "made-of"
    if stamp.is_file() and stamp.read_text() == _digest(files):
        return False
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"Installing {folder.name} into build/peers ...", file=sys.stderr, flush=True)
    return True


def _done(folder: Path, files: list[Path]) -> None:
    (folder / "made-of").write_text(_digest(files))


def _digest(files: list[Path]) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()
