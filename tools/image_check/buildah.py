"""buildah and what it builds: a base of Debian's packages, and on it the image of the Dockerfile."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = {"buildah": "buildah", "debootstrap": "debootstrap"}
# The same as of the Dockerfile's default base.
SUITE = "bookworm"
# Git-ignored; `make clean` removes it.
KEPT = ROOT / f"build/tools/base-{SUITE}.tar"
BASE = "localhost/base:check"
# What the Dockerfile copies; the rest of a context is only in its way.
CONTEXT = (
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "requirements-tracing.lock",
    "requirements.lock",
    "requirements-build.lock",
    "src",
)


def run(*command: str | Path, seconds: float = 200) -> str:
    """Run a program.

    Raises:
        RuntimeError: It failed, or took too long.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{command[0]} took more than {seconds} s") from None
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout.strip()


def install_tools() -> None:
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if not missing:
        return
    if not shutil.which("apt-get"):
        sys.exit(f"needed: {', '.join(missing)}")
    install = ("apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", *missing)
    try:
        run(*install)
    except RuntimeError:
        run("apt-get", "update", "--quiet=2")
        run(*install)


class Buildah:
    """buildah with everything it keeps in one folder."""

    def __init__(self, folder: Path) -> None:
        self._options = (
            *("--root", str(folder / "storage"), "--runroot", str(folder / "run")),
            *("--storage-driver", "vfs"),
        )

    def command(self, *arguments: str | Path) -> list[str | Path]:
        name, *rest = arguments
        return ["buildah", *self._options, name, *rest]

    def __call__(self, *arguments: str | Path, seconds: float = 200) -> str:
        return run(*self.command(*arguments), seconds=seconds)

    @contextmanager
    def container(self, image: str) -> Iterator[str]:
        name = self("from", "--pull-never", image)
        try:
            yield name
        finally:
            self("rm", name)

    @contextmanager
    def mounted(self, image: str) -> Iterator[tuple[str, Path]]:
        """A container of an image and where its files are."""
        with self.container(image) as name:
            try:
                yield name, Path(self("mount", name))
            finally:
                self("umount", name)


def mirror() -> list[str]:
    """The mirror that this machine's apt uses, if it can be told; else debootstrap takes its own."""
    listed = run("apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Created-By: Packages")
    return [line.split()[1] for line in listed.splitlines() if line.split()[0] == SUITE][:1]


def make_base(buildah: Buildah) -> None:
    """A base image with Debian's Python, standing in for the official one; kept, as it takes a minute or two."""
    if KEPT.is_file():
        buildah("tag", buildah("pull", "--quiet", f"oci-archive:{KEPT}"), BASE)
        return
    with buildah.container("scratch") as container:
        root = buildah("mount", container)
        include = "--include=python3,python3-venv,ca-certificates"
        run("debootstrap", "--variant=minbase", include, SUITE, root, *mirror(), seconds=600)
        buildah("umount", container)
        buildah("commit", "--quiet", container, BASE)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    half = KEPT.with_suffix(".new")
    buildah("push", "--quiet", BASE, f"oci-archive:{half}")
    half.replace(KEPT)


def fetch_wheels(folder: Path, locks: Sequence[str]) -> None:
    for lock in locks:
        run(
            *(sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "--only-binary=:all:"),
            *("--dest", folder, "--requirement", ROOT / lock),
        )


def another_checkout(folder: Path) -> Path:
    """The same sources as somebody else may have them: other times, other modes, other order on disk."""
    copy = folder / "context"
    copy.mkdir()
    for name in reversed(CONTEXT):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source,
                copy / name,
                copy_function=shutil.copyfile,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        else:
            shutil.copyfile(source, copy / name)
    for path in copy.rglob("*"):
        path.chmod(0o775 if path.is_dir() else 0o664)
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return copy


class Recipe(NamedTuple):
    """A Dockerfile, what it leaves out of the context, and the locks of what pip installs in it."""

    dockerfile: str
    ignorefile: str
    locks: tuple[str, ...]


SERVICE = Recipe(
    "Dockerfile",
    ".dockerignore",
    ("requirements-tracing.lock", "requirements.lock", "requirements-build.lock"),
)
LOAD_TEST = Recipe("loadtest/Dockerfile", "loadtest/Dockerfile.dockerignore", ("loadtest/requirements.lock",))


def build(
    buildah: Buildah,
    folder: Path,
    image: str,
    context: Path,
    arguments: Mapping[str, str],
    recipe: Recipe = SERVICE,
) -> None:
    """Build a Dockerfile as it is; pip is told of the wheels by its own configuration file."""
    wheels, config = folder / "wheels" / recipe.dockerfile, folder / "pip.conf"
    if not wheels.is_dir():
        fetch_wheels(wheels, recipe.locks)
        config.write_text("[global]\nno-index = true\nfind-links = /fetched\n", encoding="utf-8")
    given = {"BASE": BASE, **arguments}
    buildah(
        *("build", "--isolation", "chroot", "--pull-never", "--quiet", "--no-cache"),
        *("--timestamp", arguments["SOURCE_DATE_EPOCH"]),
        *("--volume", f"{wheels}:/fetched:ro", "--volume", f"{config}:/etc/pip.conf:ro"),
        *(word for name, value in given.items() for word in ("--build-arg", f"{name}={value}")),
        *("--ignorefile", str(ROOT / recipe.ignorefile)),
        *("--tag", image, "--file", str(ROOT / recipe.dockerfile), str(context)),
        seconds=400,
    )


def inspected(buildah: Buildah, image: str) -> dict[str, Any]:
    """What an image says of itself, with its digest."""
    found: dict[str, Any] = json.loads(buildah("inspect", "--type", "image", image))
    return found
