"""Build the service's image twice, run it, and get a verdict from it; then the load test's. Needs root on Debian.

No registry of images is asked: the base is made with debootstrap, the wheels are fetched by pip on the host,
and buildah builds without a daemon. What is made is in a folder of its own, which is removed at the end. Kept are
the base, for the next time, and what the image says of itself, in build/image.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import grpc

from tools.image_check.buildah import (
    LOAD_TEST,
    ROOT,
    Buildah,
    another_checkout,
    build,
    inspected,
    install_tools,
    make_base,
    run,
)
from tools.image_check.contents import (
    UID,
    build_arguments,
    check_bill,
    check_config,
    check_files,
    differing,
    expect,
)
from tools.image_check.load_test import load_test_run
from tools.image_check.serving import serve

HADOLINT = ROOT / ".venv/bin/hadolint"
IMAGE, AGAIN = "localhost/tarneeb-service:check", "localhost/tarneeb-service:again"
LOAD_TEST_IMAGE = "localhost/tarneeb-loadtest:check"
# Git-ignored; `make clean` removes it.
REPORT = ROOT / "build/image"
NEEDED_BYTES = 6_000_000_000


def quick_folder() -> str | None:
    """Memory, where there is enough: dpkg waits for the disk after every file, a minute or three in all."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > NEEDED_BYTES
    return str(memory) if roomy else None


def check_again(
    buildah: Buildah, folder: Path, first: Mapping[str, Any], arguments: Mapping[str, str]
) -> str:
    """Build once more from another checkout; the same image must come out."""
    build(buildah, folder, AGAIN, another_checkout(folder), arguments)
    second = inspected(buildah, AGAIN)
    digest: str = first["FromImageDigest"]
    if second["FromImageDigest"] != digest:
        with buildah.mounted(IMAGE) as (_, one), buildah.mounted(AGAIN) as (_, other):
            odd = list(differing(one, other))
        same = first["OCIv1"] == second["OCIv1"]
        expect("two builds give one image", False, odd[:20] or ("only digests" if same else second["OCIv1"]))
    return digest


def write_report(first: Mapping[str, Any]) -> None:
    about = {"digest": first["FromImageDigest"], **first["OCIv1"]}
    (REPORT / "image.json").write_text(json.dumps(about, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def check() -> Iterator[str]:
    """Everything, a line a step."""
    run(HADOLINT, ROOT / "Dockerfile", ROOT / "loadtest/Dockerfile")
    yield "hadolint finds nothing"
    install_tools()
    REPORT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="image-check-", dir=quick_folder()) as name:
        folder = Path(name)
        buildah = Buildah(folder)
        make_base(buildah)
        yield "base made"
        arguments = build_arguments()
        build(buildah, folder, IMAGE, ROOT, arguments)
        first = inspected(buildah, IMAGE)
        words = check_config(first, arguments)
        write_report(first)
        yield f"image built, labelled, starts as {' '.join(words)}, user {UID}"
        yield f"built again, the same: {check_again(buildah, folder, first, arguments)}"
        with buildah.mounted(IMAGE) as (container, root):
            yield f"{check_files(root):.0f} MB on top of the base"
            bill = REPORT / "sbom.cdx.json"
            count = check_bill(root, bill, arguments["SOURCE_DATE_EPOCH"])
            yield f"{bill.relative_to(ROOT)} lists the {count} packages that are there"
            started = buildah.command("run", "--isolation", "chroot", "ENVIRONMENT", container, "--", *words)
            yield serve(started, "run by buildah")
            # As the cluster runs it: nothing can be written, not even /tmp.
            script = (
                f"mount --bind {root} {root} && mount -o remount,bind,ro {root} && "
                f"mount -t proc proc {root}/proc && "
                f'exec chroot --userspec={UID}:{UID} {root} "$@"'
            )
            frozen: list[str | Path] = ["unshare", "--mount", "sh", "-c", script, "sh", "ENVIRONMENT", *words]
            yield serve(frozen, "with a read-only root")
        epoch = {"SOURCE_DATE_EPOCH": arguments["SOURCE_DATE_EPOCH"]}
        build(buildah, folder, LOAD_TEST_IMAGE, ROOT, epoch, LOAD_TEST)
        yield f"the load test's image made {load_test_run(buildah, LOAD_TEST_IMAGE)} calls, none failed"


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
