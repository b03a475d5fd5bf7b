"""Build the client of each language and run its program against one server.

clients/PROGRAM.md says what all must print.

A folder of clients/ with a ``client.toml`` is a client:

    needs = ["go"]                              programs that must be there
    [[build]]                                   in order, each from the root of the repository, or from the folder `in`
    in = "clients/go"
    command = ["go", "build", "-o", "{build}/program", "."]
    [run]                                       a name for the line it prints, and the program
    go = ["{build}/program"]
    [environment]                               for all of them
    GOFLAGS = "-mod=readonly"

``{build}`` is build/clients/NAME, made for it and kept from one run to the next, ``{root}`` the repository,
``{python}`` this interpreter, ``{bin}`` its folder, where buf is.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from conformance import asked
from harness.service_process import ServiceProcess

ROOT = Path(__file__).resolve().parent.parent
CLIENTS, BUILD = ROOT / "clients", ROOT / "build" / "clients"
TRANSCRIPT = CLIENTS / "transcript.txt"
VECTORS = BUILD / "vectors"
REFERENCE = "python"
BUILD_SECONDS, RUN_SECONDS = 1200, 600


@dataclass(frozen=True)
class Client:
    """A client as its ``client.toml`` describes it."""

    name: str
    needs: list[str]
    build: list[dict[str, Any]]
    run: dict[str, list[str]]
    environment: dict[str, str]

    @property
    def folder(self) -> Path:
        return BUILD / self.name

    def missing(self) -> list[str]:
        return [tool for tool in self.needs if shutil.which(self._filled(tool)) is None]

    def call(self, command: list[str], seconds: int, folder: str = ".") -> subprocess.CompletedProcess[str]:
        """Run a command of the client from the root, or from a folder there."""
        return subprocess.run(
            [self._filled(word) for word in command],
            cwd=ROOT / folder,
            env=os.environ | {name: self._filled(text) for name, text in self.environment.items()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    def _filled(self, text: str) -> str:
        places = {
            "build": self.folder,
            "root": ROOT,
            "python": sys.executable,
            "bin": Path(sys.executable).parent,
        }
        return re.sub(r"{(\w+)}", lambda place: str(places[place[1]]), text)


class FallsShortError(Exception):
    """What is wrong with a client."""


def clients() -> list[Client]:
    """Every client there is, in order of name."""
    return [_client(path) for path in sorted(CLIENTS.glob("*/client.toml"))]


def _client(path: Path) -> Client:
    table = tomllib.loads(path.read_text("utf-8"))
    strange = table.keys() - {"needs", "build", "run", "environment"}
    if strange:
        raise ValueError(f"{path}: unknown keys: {', '.join(strange)}")
    return Client(
        path.parent.name,
        table.get("needs", []),
        table.get("build", []),
        table["run"],
        table.get("environment", {}),
    )


def build(client: Client) -> None:
    """Build it; its folder keeps what the next build can use."""
    client.folder.mkdir(parents=True, exist_ok=True)
    for step in client.build:
        done = client.call(step["command"], BUILD_SECONDS, step.get("in", "."))
        if done.returncode:
            raise FallsShortError(f"does not build: {' '.join(step['command'])}\n{done.stdout}{done.stderr}")


def play(client: Client, name: str, target: str, transcript: Path) -> str:
    """Run one of its programs, and return its last line, the summary."""
    arguments = ["--target", target, "--words", str(CLIENTS / "words" / "ar.json")]
    arguments += ["--transcript", str(transcript), "--vectors", str(VECTORS)]
    done = client.call([*client.run[name], *arguments], RUN_SECONDS)
    if done.returncode:
        raise FallsShortError(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.splitlines()[-1] if done.stdout else ""


def shortcomings(name: str, summary: str, transcript: str, wanted: str) -> Iterator[str]:
    """What differs from what all must print."""
    pairs = enumerate(zip_longest(transcript.splitlines(), wanted.splitlines()), 1)
    number, differing = next(((number, pair) for number, pair in pairs if pair[0] != pair[1]), (0, None))
    if differing:
        yield f"line {number} of the transcript is\n  {differing[0]}\nand not\n  {differing[1]}"
    elif transcript != wanted:
        yield "the transcript has other ends of lines"
    count = len((VECTORS / "vectors.jsonl").read_text("utf-8").splitlines())
    digest = sha256(wanted.encode()).hexdigest()[:16]
    expected = f"{name}: 10 games, transcript {digest}, {count}/{count} vectors"
    if summary != expected:
        yield f"says\n  {summary}\nand not\n  {expected}"


def tried(client: Client, target: str) -> list[str]:
    """Build it and run its programs; return a line for each, the first word of a bad one being `failed`."""
    said = []
    try:
        build(client)
        for name in client.run:
            path = client.folder / f"{name}.txt"
            summary = play(client, name, target, path)
            # Not as text: ends of lines count.
            transcript = path.read_bytes().decode()
            wrong = list(shortcomings(name, summary, transcript, TRANSCRIPT.read_bytes().decode()))
            said.append("\n".join([f"failed {name}:", *wrong]) if wrong else summary)
    except (FallsShortError, OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
        said.append(f"failed {client.name}: {error}")
    return said


def without_tools(wanted: list[Client], *, named: bool) -> tuple[list[Client], bool]:
    """Name the tools that are missing; return the clients that have theirs, and whether that is a failure."""
    there, failed = [], False
    for client in wanted:
        if missing := client.missing():
            # On one's own machine not every language need be there, but for those that were asked for.
            failed |= named or os.environ.get("CI") == "true"
            print(f"{client.name}: skipped, {', '.join(missing)} not found")
        else:
            there.append(client)
    return there, failed


def write(target: str) -> str:
    """Make the transcript anew by the reference, and return the summary."""
    (reference,) = (client for client in clients() if client.name == REFERENCE)
    build(reference)
    return play(reference, REFERENCE, target, TRANSCRIPT)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="CLIENT", help="folders of clients/; all")
    parser.add_argument(
        "--write", action="store_true", help="write clients/transcript.txt anew, by Python's program"
    )
    options = parser.parse_args()
    there = {client.name: client for client in clients()}
    if unknown := set(options.names) - there.keys():
        parser.error(f"no such client: {', '.join(unknown)}; there are {', '.join(there)}")
    wanted = [there[name] for name in options.names or there]
    chosen, failed = without_tools(wanted, named=bool(options.names))
    VECTORS.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as logs,
        ServiceProcess(Path(logs), {"TARNEEB_LOG_LEVEL": "error"}) as service,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        target = f"127.0.0.1:{service.port}"
        asked.write(VECTORS, target)
        if options.write:
            print(write(target))
        jobs = [pool.submit(tried, client, target) for client in chosen]
        for job in as_completed(jobs):
            for line in job.result():
                failed |= line.startswith("failed ")
                print(line, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
