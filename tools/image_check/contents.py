"""What is in the image and what it says of itself: configuration, files, labels, bill of materials."""

import json
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from tools.check_deploy.downloads import environment
from tools.image_check.buildah import ROOT, run

MOST_MEGABYTES = 150
UID = 10001
LABEL = "org.opencontainers.image."
LOCK = ROOT / "requirements.lock"
SBOM_TOOL_LOCK = ROOT / "deploy/image/requirements.lock"
# Of the wheel's default: a zip file can't be older.
EARLIEST = "315532800"


def expect(what: str, holds: bool, seen: object) -> None:
    """Fail with what was seen unless something holds.

    Raises:
        RuntimeError: It does not.
    """
    if not holds:
        raise RuntimeError(f"{what}; seen: {seen}")


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def build_arguments() -> dict[str, str]:
    """What the Dockerfile is told of the sources: the commit and its time, where there is one."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(ROOT), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        return "" if done.returncode else done.stdout.strip()

    epoch = git("log", "-1", "--format=%ct") or EARLIEST
    changed = (
        "-changed" if git("status", "--porcelain", "--", "src", "Dockerfile", "*.lock", "*.toml") else ""
    )
    return {
        "SOURCE_DATE_EPOCH": epoch,
        "VERSION": project()["version"],
        "REVISION": (git("rev-parse", "HEAD") or "unknown") + changed,
        "CREATED": run("date", "--utc", f"--date=@{epoch}", "+%Y-%m-%dT%H:%M:%SZ"),
    }


def check_config(inspected: Mapping[str, Any], arguments: Mapping[str, str]) -> list[str]:
    """What the image says of itself; returns the command it starts with."""
    config: dict[str, Any] = inspected["OCIv1"]["config"]
    expect("a numeric user", config["User"] == f"{UID}:{UID}", config)
    ports = {port.removesuffix("/tcp") for port in config["ExposedPorts"]}
    expect("its ports", ports == {"50051", "50052", "9464"}, ports)
    docker = inspected["Docker"]["config"]
    expect("no health check", not docker.get("Healthcheck"), docker)
    labels, about = config["Labels"], project()
    wanted = {
        "title": about["name"],
        "description": about["description"],
        "licenses": about["license"],
        "version": arguments["VERSION"],
        "revision": arguments["REVISION"],
        "created": arguments["CREATED"],
    }
    told = {name: labels.get(LABEL + name) for name in wanted}
    expect(f"the labels {wanted}", told == wanted, told)
    expect("the base's name", bool(labels.get(LABEL + "base.name")), labels)
    command: list[str] = [*config["Entrypoint"], *config["Cmd"]]
    return command


def megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()) / 1_000_000


def compiled(module: Path) -> bool:
    """Whether there is bytecode that Python takes without looking at the source (PEP 552: flags 1)."""
    found = list(module.parent.glob(f"__pycache__/{module.stem}.cpython-*[0-9].pyc"))
    return bool(found) and all(path.read_bytes()[4:8] == b"\x01\0\0\0" for path in found)


def check_files(root: Path) -> float:
    """What we add to the base; returns its megabytes."""
    own = root / "app"
    size = megabytes(own)
    expect(f"less than {MOST_MEGABYTES} MB on top of the base", size < MOST_MEGABYTES, size)
    expect("no pip in the environment", not list(own.glob("bin/pip*")), list(own.glob("bin/*")))
    expect("no sources left", not (root / "src").exists(), list(root.iterdir()))
    owners = {path.lstat().st_uid for path in own.rglob("*")}
    expect("nothing belongs to the user it runs as", UID not in owners, owners)
    bare = [path for path in own.rglob("*.py") if not compiled(path)]
    expect("every module is compiled and not compared at start", not bare, bare[:5])
    return size


def _entries(root: Path) -> dict[str, tuple[object, ...]]:
    """Everything under a folder with what a layer keeps of it."""
    found: dict[str, tuple[object, ...]] = {}
    for path in root.rglob("*"):
        about = path.lstat()
        content: object = ""
        if path.is_symlink():
            content = str(path.readlink())
        elif path.is_file():
            content = path.read_bytes()
        found[str(path.relative_to(root))] = (about.st_mode, about.st_uid, int(about.st_mtime), content)
    return found


def differing(one: Path, other: Path) -> Iterator[str]:
    """The files that two trees do not share, and in what they differ."""
    first, second = _entries(one), _entries(other)
    for name in sorted(first.keys() | second.keys()):
        if name not in first or name not in second:
            yield f"{name} is in one only"
        elif first[name] != second[name]:
            fields = ("mode", "owner", "time", "content")
            pairs = zip(fields, first[name], second[name], strict=True)
            yield f"{name}: " + ", ".join(field for field, a, b in pairs if a != b)


def write_bill(path: Path, epoch: str) -> dict[str, str]:
    """Write the bill of materials (CycloneDX) of the lock; returns its packages with their versions."""
    tool = environment("cyclonedx", SBOM_TOOL_LOCK).parent / "cyclonedx-py"
    run(
        *("env", f"SOURCE_DATE_EPOCH={epoch}", "PYTHONWARNINGS=ignore", tool, "requirements"),
        *("--pyproject", ROOT / "pyproject.toml", "--mc-type", "application", "--output-reproducible"),
        *("--output-format", "JSON", "--output-file", path, LOCK),
    )
    bill = json.loads(path.read_text(encoding="utf-8"))
    main = bill["metadata"]["component"]
    return {each["name"]: each["version"] for each in (main, *bill["components"])}


def installed(root: Path) -> dict[str, str]:
    """The Python packages in the image with their versions."""
    folders = [str(path) for path in root.glob("app/lib/python*/site-packages")]
    return {each.name: each.version for each in metadata.distributions(path=folders)}


def check_bill(root: Path, path: Path, epoch: str) -> int:
    """Write the bill and hold it against what is in the image; returns the number of packages."""
    listed, there = write_bill(path, epoch), installed(root)
    # Both sides spell names as the packages like; they are the same with dashes and in lower case.
    first, second = (
        {name.lower().replace("_", "-"): each[name] for name in each} for each in (listed, there)
    )
    odd = sorted(first.items() ^ second.items())
    expect("the bill lists what is in the image", not odd, odd)
    return len(first)
