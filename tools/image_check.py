"""Build the image of the Dockerfile, run it, and get a verdict from it. Needs root on Debian or a relative.

No registry of images is asked: the base is made with debootstrap, the wheels are fetched by pip on the host,
and buildah builds without a daemon. Whatever is made is in a folder of its own, which is removed at the end; only
the base is kept for the next time.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from tarneeb.v1 import verdicts_pb2
from tools.check_deploy.calls import get_verdict
from tools.check_deploy.processes import HOST, free_ports, get, running, until

ROOT = Path(__file__).resolve().parent.parent
HADOLINT = ROOT / ".venv/bin/hadolint"
PACKAGES = {"buildah": "buildah", "debootstrap": "debootstrap"}
# The same as of the Dockerfile's default base.
SUITE = "bookworm"
# Git-ignored; `make clean` removes it.
KEPT = ROOT / f"build/tools/base-{SUITE}.tar"
BASE, IMAGE = "localhost/base:check", "localhost/tarneeb-service:check"
NEEDED_BYTES = 4_000_000_000
MOST_MEGABYTES = 150
UID = 10001


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
        run("debootstrap", "--variant=minbase", include, SUITE, root, *mirror(), seconds=300)
        buildah("umount", container)
        buildah("commit", "--quiet", container, BASE)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    half = KEPT.with_suffix(".new")
    buildah("push", "--quiet", BASE, f"oci-archive:{half}")
    half.replace(KEPT)


def fetch_wheels(folder: Path) -> None:
    for lock in ("requirements.lock", "requirements-build.lock"):
        run(
            *(sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "--only-binary=:all:"),
            *("--dest", folder, "--requirement", ROOT / lock),
        )


def build(buildah: Buildah, folder: Path) -> None:
    """Build the Dockerfile as it is; pip is told of the wheels by its own configuration file."""
    wheels, config = folder / "wheels", folder / "pip.conf"
    fetch_wheels(wheels)
    config.write_text("[global]\nno-index = true\nfind-links = /fetched\n", encoding="utf-8")
    buildah(
        *("build", "--isolation", "chroot", "--pull-never", "--quiet"),
        *("--volume", f"{wheels}:/fetched:ro", "--volume", f"{config}:/etc/pip.conf:ro"),
        *("--build-arg", f"BASE={BASE}", "--ignorefile", str(ROOT / ".dockerignore")),
        *("--tag", IMAGE, "--file", str(ROOT / "Dockerfile"), str(ROOT)),
    )


def expect(what: str, holds: bool, seen: object) -> None:
    if not holds:
        raise RuntimeError(f"{what}; seen: {seen}")


def check_config(buildah: Buildah) -> list[str]:
    """What the image says of itself; returns the command it starts with."""
    config: dict[str, Any] = json.loads(buildah("inspect", "--type", "image", IMAGE))["OCIv1"]["config"]
    expect("a numeric user", config["User"] == f"{UID}:{UID}", config)
    ports = {port.removesuffix("/tcp") for port in config["ExposedPorts"]}
    expect("its ports", ports == {"50051", "9464"}, ports)
    docker = json.loads(buildah("inspect", "--type", "image", IMAGE))["Docker"]["config"]
    expect("no health check", not docker.get("Healthcheck"), docker)
    command: list[str] = [*config["Entrypoint"], *config["Cmd"]]
    return command


def megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()) / 1_000_000


def check_files(root: Path) -> float:
    """What we add to the base; returns its megabytes."""
    own = root / "app"
    size = megabytes(own)
    expect(f"less than {MOST_MEGABYTES} MB on top of the base", size < MOST_MEGABYTES, size)
    expect("no pip in the environment", not list(own.glob("bin/pip*")), list(own.glob("bin/*")))
    expect("no sources left", not (root / "src").exists(), list(root.iterdir()))
    owners = {path.lstat().st_uid for path in own.rglob("*")}
    expect("nothing belongs to the user it runs as", UID not in owners, owners)
    return size


def serve(command: list[str | Path], tells: str) -> str:
    """Start the service, get a verdict and metrics, and stop it; returns what it took."""
    port, metrics_port = free_ports(2)
    env = {
        "TARNEEB_PORT": str(port),
        "TARNEEB_METRICS_PORT": str(metrics_port),
        "TARNEEB_HOST": HOST,
        "TARNEEB_METRICS_HOST": HOST,
        "TARNEEB_DRAIN_SECONDS": "0",
    }
    variables = [f"{name}={value}" for name, value in env.items()]
    at = command.index("ENVIRONMENT")
    began = time.monotonic()
    with running([*command[:at], *_environment(command, variables), *command[at + 1 :]]) as process:
        with grpc.insecure_channel(f"{HOST}:{port}") as channel:
            grpc.channel_ready_future(channel).result(timeout=30)
            took = time.monotonic() - began
            verdict = get_verdict(channel)
        expect("a verdict", verdict.ruling == verdicts_pb2.RULING_LEGAL, verdict)
        expect(
            "metrics", "tarneeb_build_info" in (get(f"http://{HOST}:{metrics_port}/metrics") or ""), "none"
        )
        service = until("the service's process", lambda: find_service(process.pid), 5)
        expect("it runs as its user", Path(f"/proc/{service}").stat().st_uid == UID, service)
        os.kill(service, signal.SIGTERM)
        code = process.wait(20)
        expect("it ends well on SIGTERM", code == 0, code)
    return f"{tells}: serving after {took:.1f} s, a verdict, metrics, exit code 0"


def _environment(command: list[str | Path], variables: list[str]) -> list[str]:
    """Variables as the program that starts the service takes them."""
    if command[0] == "buildah":
        return [word for variable in variables for word in ("--env", variable)]
    return ["env", "-i", "PATH=/app/bin:/usr/bin:/bin", *variables]


def find_service(pid: int) -> int | None:
    """The service's process: the given one or one that it started."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    # buildah's own helper has the command as an argument too.
    if len(words) > 1 and b"python" in words[0] and words[1].endswith(b"/tarneeb-service"):
        return pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text(encoding="ascii").split():
            if found := find_service(int(child)):
                return found
    return None


def quick_folder() -> str | None:
    """Memory, where there is enough: dpkg waits for the disk after every file, a minute or three in all."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > NEEDED_BYTES
    return str(memory) if roomy else None


def check() -> Iterator[str]:
    """Everything, a line a step."""
    run(HADOLINT, ROOT / "Dockerfile")
    yield "hadolint finds nothing"
    install_tools()
    with tempfile.TemporaryDirectory(prefix="image-check-", dir=quick_folder()) as name:
        folder = Path(name)
        buildah = Buildah(folder)
        make_base(buildah)
        yield "base made"
        build(buildah, folder)
        words = check_config(buildah)
        yield f"image built, starts as {' '.join(words)}, user {UID}"
        with buildah.container(IMAGE) as container:
            root = Path(buildah("mount", container))
            try:
                yield f"{check_files(root):.0f} MB on top of the base"
                started = buildah.command(
                    "run", "--isolation", "chroot", "ENVIRONMENT", container, "--", *words
                )
                yield serve(started, "run by buildah")
                # As the cluster runs it: nothing can be written, not even /tmp.
                script = (
                    f"mount --bind {root} {root} && mount -o remount,bind,ro {root} && "
                    f"mount -t proc proc {root}/proc && "
                    f'exec chroot --userspec={UID}:{UID} {root} "$@"'
                )
                frozen: list[str | Path] = [
                    "unshare",
                    "--mount",
                    "sh",
                    "-c",
                    script,
                    "sh",
                    "ENVIRONMENT",
                    *words,
                ]
                yield serve(frozen, "with a read-only root")
            finally:
                buildah("umount", container)


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    if os.geteuid() != 0:
        sys.exit("needs root, for debootstrap and buildah's storage: sudo make image-check")
    began = time.monotonic()
    try:
        for line in check():
            sys.stdout.write(f"ok     ({time.monotonic() - began:.0f} s) {line}\n")
            sys.stdout.flush()
    except (RuntimeError, OSError, grpc.FutureTimeoutError) as error:
        sys.exit(f"FAILED ({time.monotonic() - began:.0f} s) {str(error) or 'the service did not answer'}")


if __name__ == "__main__":
    main()
