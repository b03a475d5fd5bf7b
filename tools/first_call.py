"""Build the client programs in other languages and run each against a real server.

All must print what the Python one prints. A language whose tools are not there is skipped, and said to be.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from harness.serving import serving

ROOT = Path(__file__).resolve().parent.parent
CLIENTS = ROOT / "clients"
BUF = Path(sys.executable).parent / "buf"
MOST_SECONDS = 600


class Language(NamedTuple):
    """How a client program is built and run; commands run in the folder named, programs take a target."""

    needs: tuple[str, ...]
    build: tuple[tuple[str, list[str]], ...]
    run: list[str]


def _generate(language: str) -> tuple[str, list[str]]:
    return ".", [str(BUF), "generate", "--template", f"clients/{language}/buf.gen.yaml"]


PYTHON = Language((), (), [sys.executable, "clients/python/first_call.py"])
OTHERS = {
    "go": Language(
        ("go",),
        (
            (".", ["clients/go/stubs.sh"]),
            ("clients/go", ["go", "build", "-o", "../../build/clients/go/bin/", "./firstcall"]),
        ),
        ["build/clients/go/bin/firstcall"],
    ),
    "typescript": Language(
        ("node", "npm"),
        (
            ("clients/typescript", ["npm", "ci", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"]),
            ("clients/typescript", ["npm", "run", "--silent", "build"]),
        ),
        ["node", "clients/typescript/dist/examples/first_call.js"],
    ),
}


def missing(language: str) -> list[str]:
    """The tools that a language needs and that are not there."""
    return [tool for tool in (*OTHERS[language].needs, str(BUF)) if shutil.which(tool) is None]


def build(language: str) -> None:
    for folder, command in OTHERS[language].build:
        subprocess.run(command, cwd=ROOT / folder, check=True, timeout=MOST_SECONDS)


def output(program: Language, target: str) -> str:
    """What a client program prints when it plays against a server."""
    done = subprocess.run(
        [*program.run, target], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help=f"of {', '.join(OTHERS)}; all")
    languages = parser.parse_args().languages or list(OTHERS)
    built, failed = [], []
    for language in languages:
        absent = missing(language)
        if absent:
            print(f"{language}: skipped, {', '.join(absent)} not found")
            continue
        print(f"{language}: building", flush=True)
        try:
            build(language)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            print(f"{language}: does not build: {error}")
            failed.append(language)
            continue
        built.append(language)
    with serving() as server:
        target = f"127.0.0.1:{server.port}"
        expected = output(PYTHON, target)
        print(f"python: {expected.splitlines()[2]}")
        for language in built:
            said = output(OTHERS[language], target)
            same = said == expected
            print(f"{language}: " + ("says the same" if same else f"differs:\n{said}"))
            if not same:
                failed.append(language)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
