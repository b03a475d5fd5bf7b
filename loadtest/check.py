"""``python -m loadtest.check``: each tool for a short while against a server of its own, one line each."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.serving import serving
from loadtest.__main__ import LOCK, ROOT, surroundings
from loadtest.caller import Target
from loadtest.requests import write
from tools.check_deploy import downloads

CI = os.environ.get("CI") == "true"
BUF = ROOT / ".venv/bin/buf"
SERVICE = "tarneeb.v1.TarneebService"
V1, V1ALPHA = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")
NAMES = {SERVICE, "grpc.health.v1.Health", V1, V1ALPHA}
# Seconds that each tool calls for, and that it may take in all.
RUN, MOST = 2, 120
# A shared machine may stall for a good part of a second; that calls are answered is all that a check can hold it to.
LOOSE = "[all]\nfailed_share = 0.0\np50_ms = 1000\n"
PROTOS = ("--proto", "proto/tarneeb/v1/tarneeb_service.proto", "--import-paths", "proto")


class OptionalToolError(RuntimeError):
    """A tool that is not fetched here is not on PATH."""


def check_locust(host: str) -> str:
    """Every action of `everyday` keeps to the thresholds; what can't be kept is said, and exits 1."""
    downloads.environment("locust", LOCK)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loose, strict = folder / "loose.toml", folder / "strict.toml"
        loose.write_text(LOOSE, encoding="utf-8")
        long = ("--seconds", 2 * RUN, "--users", 8, "--thresholds", loose, "--report", folder)
        output = _loadtest(0, host, *long)
        report = (folder / "report.html").read_text(encoding="utf-8")
        if "<html" not in report or "ApplyMove" not in report:
            raise RuntimeError("no report")
        total = next(line for line in output.splitlines() if line.startswith("all "))
        strict.write_text("[all]\np50_ms = 0.001\n", encoding="utf-8")
        few = ("--seconds", 2 * RUN, "--calls", 200, "--thresholds", strict, "--report", folder)
        if "missed: all: p50_ms" not in (said := _loadtest(1, host, *few)):
            raise RuntimeError(f"a missed threshold is not named: {said}")
        _loadtest(2, "127.0.0.1:1", "--seconds", RUN, "--report", folder)
    return f"{' '.join(total.split())}; a missed threshold exits 1, nobody there 2"


def _loadtest(code: int, host: str, *options: object) -> str:
    command = [sys.executable, "-m", "loadtest", "--host", host, *map(str, options)]
    done = subprocess.run(
        command, cwd=ROOT, env=surroundings(), capture_output=True, text=True, timeout=MOST, check=False
    )
    if done.returncode != code:
        raise RuntimeError(f"exit code {done.returncode}, not {code}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_ghz(host: str) -> str:
    """Ghz makes its calls by reflection and with protos, all of them OK."""
    program = downloads.go_program(*downloads.GHZ)
    write(Target(host), ROOT / "build/loadtest/requests.json")
    told = []
    for way, options in {"by reflection": (), "with protos": PROTOS}.items():
        command = [
            program,
            "--config",
            "loadtest/ghz.json",
            "--duration",
            f"{RUN}s",
            "--format",
            "json",
            *options,
        ]
        report = json.loads(_run(*command, host))
        if report["errorDistribution"] or set(report["statusCodeDistribution"]) != {"OK"}:
            raise RuntimeError(f"{way}: {report['statusCodeDistribution']} {report['errorDistribution']}")
        told.append(f"{report['count']} calls {way}")
    return ", ".join(told)


def check_k6(host: str) -> str:
    """k6 makes its calls by reflection and with protos, if it is there."""
    program = shutil.which("k6")
    if not program:
        raise OptionalToolError("k6 is not on PATH, and its licence keeps it from being fetched here")
    write(Target(host), ROOT / "build/loadtest/requests.json")
    for protos in ("false", "true"):
        settings = (f"HOST={host}", f"SECONDS={RUN}", f"PROTOS={protos}")
        _run(program, "run", "--quiet", *(f"--env={each}" for each in settings), "loadtest/k6.js")
    return "all checks by reflection and with protos"


def check_grpcurl(host: str) -> str:
    """Grpcurl lists, describes a method, calls it and decodes the details of an error."""
    plain = (downloads.go_program(*downloads.GRPCURL), "-plaintext")
    if (found := set(_run(*plain, host, "list").split())) != NAMES:
        raise RuntimeError(f"grpcurl lists {found}")
    if "rpc ValidateMove" not in (said := _run(*plain, host, "describe", f"{SERVICE}.ValidateMove")):
        raise RuntimeError(f"grpcurl describes the method as {said}")
    for version in (V1, V1ALPHA):
        said = _run(*plain, "-d", '{"list_services": "*"}', host, f"{version}/ServerReflectionInfo")
        names = {each["name"] for each in json.loads(said)["list_services_response"]["service"]}
        if names != NAMES:
            raise RuntimeError(f"{version} lists {names}")
    command = [*map(str, plain), host, f"{SERVICE}/CreateGame"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=MOST, check=False)
    if not done.returncode or '"field": "rule_set"' not in done.stderr:
        raise RuntimeError(f"an error's details are not decoded: {done.stderr}")
    return "both versions, a method by its name, an error's details"


def check_buf(host: str) -> str:
    """`buf curl` lists the methods by either version, and calls one."""
    for version in ("grpc-v1", "grpc-v1alpha"):
        common = (BUF, "curl", "--protocol", "grpc", "--http2-prior-knowledge", "--reflect-protocol", version)
        listed = _run(*common, "--list-methods", f"http://{host}").split()
        if f"{SERVICE}/ValidateMove" not in listed:
            raise RuntimeError(f"buf lists {listed} by {version}")
        answer: Any = json.loads(_run(*common, "--data", "{}", f"http://{host}/{SERVICE}/ListRuleSets"))
        if not answer["ruleSets"]:
            raise RuntimeError(f"buf got {answer} by {version}")
    return f"{len(listed)} methods and a call by either version"


def _run(*command: object) -> str:
    words = [str(each) for each in command]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=MOST, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}:\n{done.stdout}{done.stderr}")
    return done.stdout


CHECKS: dict[str, Callable[[str], str]] = {
    "locust": check_locust,
    "ghz": check_ghz,
    "k6": check_k6,
    "grpcurl": check_grpcurl,
    "buf": check_buf,
}


def main() -> None:
    parser = argparse.ArgumentParser("python -m loadtest.check", description=__doc__)
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"which ones, of: {', '.join(CHECKS)}")
    names = parser.parse_args().checks or list(CHECKS)
    if unknown := [name for name in names if name not in CHECKS]:
        parser.error(f"no such check: {', '.join(unknown)}")
    failed = 0
    for name in names:
        began = time.monotonic()
        try:
            with serving() as server:
                result, mark = CHECKS[name](f"127.0.0.1:{server.port}"), "ok"
        except OptionalToolError as error:
            result, mark = str(error), "missing"
        except downloads.MissingToolError as error:
            # Who has no Go can still see that Locust works; CI must have it.
            result, mark = str(error), "FAILED" if CI else "missing"
            failed += CI
        except (RuntimeError, OSError, LookupError, ValueError, subprocess.SubprocessError) as error:
            result, mark = f"{type(error).__name__}: {error}", "FAILED"
            failed += 1
        print(f"{mark:7} {name} ({time.monotonic() - began:.1f} s): {result}", flush=True)
    sys.exit(f"{failed} of {len(names)} checks failed" if failed else 0)


if __name__ == "__main__":
    main()
