"""The code of a language, made in a folder apart and then laid into the caller's."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.check_deploy.downloads import MissingToolError
from tools.stubs import generators
from tools.stubs.languages import DEBIAN, LANGUAGES, PYTHON

ROOT = Path(__file__).resolve().parent.parent.parent
PROTO = ROOT / "proto"
DETAILS = ("google/rpc/code.proto", "google/rpc/error_details.proto", "google/rpc/status.proto")
# What a run has written, so that the next one knows what is its own.
LIST = "tarneeb-stubs-{language}.txt"


class RefusedError(Exception):
    """Why nothing was written."""


def protos() -> list[str]:
    return sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))


def with_details(language: str) -> bool:
    """Whether google.rpc is generated too, since the language has no package of it."""
    return not LANGUAGES[language].details


def generate(language: str, folder: Path) -> list[str]:
    """Make the code of a language in an empty folder; returns what to tell the caller.

    Raises:
        MissingToolError: A generator is missing, or failed.
    """
    how = LANGUAGES[language]
    command: list[str | Path] = []
    if how.protoc == PYTHON:
        command = [sys.executable, "-m", "grpc_tools.protoc"]
    elif how.protoc == DEBIAN:
        command = [generators.debian("protoc", generators.PACKAGES)]
    else:
        command = [generators.protoc()]
    # The protos of google.rpc are in a package of .venv.
    includes = [f"--proto_path={PROTO}", f"--proto_path={sysconfig.get_path('purelib')}"]
    said = []
    # Plugins that add to each other's files must run together.
    groups: dict[bool, list[str | Path]] = {}
    for output in how.outputs:
        try:
            plugin = generators.plugin(output.plugin) if output.plugin else None
        except MissingToolError as error:
            if not output.optional:
                raise
            said.append(f"messages only: {error}")
            continue
        words = groups.setdefault(with_details(language) and not output.services, [])
        words += [f"--plugin=protoc-gen-{output.name}={plugin}"] if plugin else []
        words.append(f"--{output.name}_out={folder}")
        words += [f"--{output.name}_opt={output.options}"] if output.options else []
    for details, words in groups.items():
        generators.run([*command, *includes, *words, *protos(), *(DETAILS if details else ())])
    return said


def place(out: str) -> Path:
    """The folder that a caller names.

    Raises:
        RefusedError: It is in this repository, or is a file.
    """
    if not out:
        raise RefusedError("say where the code shall go: make stubs LANGUAGE=go OUT=../mygame/gen")
    folder = Path(out).expanduser().resolve()
    if folder.is_relative_to(ROOT):
        raise RefusedError(f"{folder} is in this repository: name a folder of your own, outside it")
    if folder.exists() and not folder.is_dir():
        raise RefusedError(f"{folder} is no folder")
    return folder


def lay(language: str, fresh: Path, out: Path) -> int:
    """Lay the code into the caller's folder, without touching what is not ours; returns the number of files.

    Raises:
        RefusedError: A file that this tool did not make stands where one of its own would go.
    """
    names = sorted(path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file())
    listed = out / LIST.format(language=language)
    before = {Path(line) for line in listed.read_text("utf-8").splitlines()} if listed.is_file() else set()
    for name in names:
        path = out / name
        if path.resolve().is_relative_to(ROOT):
            raise RefusedError(f"{path} is in this repository")
        if name not in before and path.exists() and not _same(path, fresh / name):
            raise RefusedError(
                f"{path} is there, and was not made by this tool: move it, or name another folder"
            )
    for name in names:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(fresh / name, out / name)
    for name in before - set(names):
        # A list that somebody wrote can't lead out of the folder.
        if (out / name).resolve().is_relative_to(out):
            (out / name).unlink(missing_ok=True)
    listed.write_text("".join(f"{name.as_posix()}\n" for name in names), encoding="utf-8")
    return len(names)


def _same(path: Path, other: Path) -> bool:
    return path.is_file() and path.read_bytes() == other.read_bytes()


def main(language: str, out: str) -> int:
    """Generate a language into a folder; returns the exit code."""
    if language not in LANGUAGES:
        sys.stderr.write(f"LANGUAGE is one of {', '.join(LANGUAGES)}\n")
        return 2
    try:
        folder = place(out)
        with TemporaryDirectory() as fresh:
            said = generate(language, Path(fresh))
            count = lay(language, Path(fresh), folder)
    except RefusedError as error:
        sys.stderr.write(f"stubs: {error}\n")
        return 2
    except (MissingToolError, OSError, subprocess.SubprocessError) as error:
        sys.stderr.write(f"stubs: {language}: {error}\n")
        return 1
    for line in said:
        sys.stderr.write(f"stubs: {language}: {line}\n")
    details = LANGUAGES[language].details
    sys.stdout.write(f"{count} files in {folder}; what to do with them: clients/README.md\n")
    sys.stdout.write(f"error details: {details or 'generated too, in google/rpc'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ.get("LANGUAGE", ""), os.environ.get("OUT", "")))
