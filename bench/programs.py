"""The load client and the echo in C++, compiled on Debian's gRPC, which is installed where it is missing."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILT = ROOT / "build" / "bench"
PACKAGES = ("g++", "libgrpc++-dev", "libprotobuf-dev", "make", "pkg-config", "protobuf-compiler")
# Installing and compiling take two minutes.
SECONDS = 900


def build(name: str) -> Path:
    """Make one, load or echo, where it is not up to date, and return it."""
    missing = [name for name in PACKAGES if not _installed(name)]
    if missing:
        _install(missing)
    subprocess.run(
        ["make", "--silent", "-j2", "-C", str(ROOT / "bench" / "cpp"), f"OUT={BUILT}", str(BUILT / name)],
        check=True,
        timeout=SECONDS,
    )
    return BUILT / name


def _installed(package: str) -> bool:
    if not shutil.which("dpkg-query"):
        raise SystemExit("the load client is built on Debian's gRPC; this system has no dpkg")
    command = ["dpkg-query", "--show", "--showformat=${db:Status-Abbrev}", package]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return answer.stdout.startswith("ii")


def _install(packages: list[str]) -> None:
    command = ["apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", *packages]
    if os.geteuid():
        raise SystemExit(f"missing: {' '.join(packages)}; as root: {' '.join(command)}")
    print(f"installing {' '.join(packages)} ...", flush=True)
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    # A fresh image knows of no packages.
    for attempt in (["apt-get", "update", "--quiet=2"], command):
        subprocess.run(attempt, env=quiet, stdout=subprocess.DEVNULL, timeout=SECONDS, check=True)
