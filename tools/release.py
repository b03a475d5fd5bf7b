"""Make what a release leaves behind: python -m tools.release.

The version, from pyproject.toml alone, is written wherever it is shown. The contract and the switches of its rules are
kept in proto/released: what comes later is held against them. `--check` writes nothing.
"""

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tarneeb_service.engine.rules import BROUGHT_BY, FIELD_NAMES, RULES_REVISION

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "proto/released"
IMAGE = FOLDER / "tarneeb.binpb"
RELEASE = FOLDER / "release.json"
BUF = Path(sys.executable).parent / "buf"
# Where the version is shown, and between which texts.
SHOWN = (
    ("src/tarneeb_service/__init__.py", r'(?<=__version__ = ")[^"]+'),
    ("deploy/chart/Chart.yaml", r"(?<=^version: )\S+"),
    ("deploy/chart/Chart.yaml", r"(?<=^appVersion: )\S+"),
    ("deploy/chart/README.md", r"(?<=image\.tag=)\S+"),
    ("deploy/k8s/overlays/production/kustomization.yaml", r"(?<=name: tarneeb-service\n    newTag: )\S+"),
    ("deploy/README.md", r"(?<=--build-arg VERSION=)\S+"),
)


class Release(NamedTuple):
    """What is kept of a release beside its contract: which rules revision brought each switch, by name."""

    version: str
    rules_revision: int
    switches: Mapping[str, int]


def version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def last() -> Release:
    """The last release."""
    return Release(**json.loads(RELEASE.read_text(encoding="utf-8")))


def this() -> Release:
    """What is here, as if it were released."""
    return Release(version(), RULES_REVISION, {name: BROUGHT_BY.get(name, 1) for name in FIELD_NAMES})


def misplaced(released: Release, names: Iterable[str], brought_by: Mapping[str, int]) -> list[str]:
    """What is wrong with a table of the switches that later revisions brought, seen from the last release.

    A switch that it had keeps its revision; any other came later, so that games of the release are without it.
    """
    found = []
    for name in names:
        has, had = brought_by.get(name, 1), released.switches.get(name)
        if had is None and has <= released.rules_revision:
            found.append(
                f"{name} is new since {released.version}: put it into BROUGHT_BY with a revision above "
                f"{released.rules_revision}, and raise RULES_REVISION to that"
            )
        elif had is not None and has != had:
            found.append(f"{name} came with revision {had}, BROUGHT_BY says {has}")
    return found


def outdated() -> list[str]:
    """Where another version is shown than that of pyproject.toml."""
    found = []
    for name, pattern in SHOWN:
        shown = re.findall(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        if set(shown) != {version()}:
            found.append(f"{name} shows {', '.join(shown) or 'no version'}, the project is {version()}")
    return found


def write_version() -> None:
    for name, pattern in SHOWN:
        text = (ROOT / name).read_text(encoding="utf-8")
        (ROOT / name).write_text(re.sub(pattern, version(), text, flags=re.MULTILINE), encoding="utf-8")


def image() -> bytes:
    """The contract as `buf breaking` reads it, without its comments."""
    command: list[str | Path] = [BUF, "build", "--exclude-source-info", "--output", "-#format=binpb"]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, timeout=60).stdout


def keep() -> None:
    """Put the contract and its switches in the place of those of the last release.

    Exits when this version is released already, or when what is here breaks with the release before.
    """
    here = this()
    tag = subprocess.run(
        ["git", "tag", "--list", f"v{here.version}"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    if tag:
        sys.exit(f"{tag} is released: raise the version in pyproject.toml first")
    if RELEASE.is_file() and (before := last()).version != here.version:
        if found := misplaced(before, FIELD_NAMES, BROUGHT_BY):
            sys.exit("\n".join(found))
        if subprocess.run([BUF, "breaking", "--against", IMAGE], cwd=ROOT, check=False).returncode:
            sys.exit(f"the contract breaks with that of {before.version}: nothing was kept")
    FOLDER.mkdir(exist_ok=True)
    IMAGE.write_bytes(image())
    RELEASE.write_text(json.dumps(here._asdict(), indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where another version is shown"
    )
    if parser.parse_args().check:
        if found := outdated():
            sys.exit("\n".join([*found, "make release writes it"]))
        return
    write_version()
    if found := outdated():
        sys.exit("\n".join(found))
    keep()
    print(f"{version()}: {IMAGE.relative_to(ROOT)} has {IMAGE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
