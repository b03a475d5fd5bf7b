"""Load a running service, or one that is started here: ``python -m loadtest --help``."""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from harness.serving import serving
from loadtest.plan import MIXES, THRESHOLDS, PlanError, read_mix, read_thresholds
from tools.check_deploy.downloads import environment

SERVER_PID = "LOADTEST_SERVER_PID"
ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "loadtest/requirements.lock"
FOLDER = ROOT / "build/loadtest"
# A run that nobody ends does so by itself.
MOST_SECONDS, MOST_USERS = 3_600, 2_000


def main() -> int:
    # A `kill` unwinds like Ctrl-C, so that what was started here ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = _options()
    try:
        read_mix(options.mixes, options.mix)
        read_thresholds(options.thresholds)
    except PlanError as error:
        print(f"loadtest: {error}", file=sys.stderr)
        return 2
    python = environment("locust", LOCK)
    options.report.mkdir(parents=True, exist_ok=True)
    with _host(options.host, options.report) as (host, variables):
        print(f"{options.mix} on {host}: {options.users} users, {options.seconds} s at most", flush=True)
        code = run(python, host, options, {**surroundings(), **variables})
    if code in (0, 1):
        print(f"the report, with plots: {options.report / 'report.html'}")
    return code


def run(python: Path, host: str, options: argparse.Namespace, variables: dict[str, str]) -> int:
    """Run Locust to its end, and return its exit code: 1 where a threshold is missed, 2 where it can't run."""
    command: list[object] = [
        *(python, "-m", "locust", "--locustfile", ROOT / "loadtest/locustfile.py", "--headless"),
        *("--host", host, "--users", options.users, "--spawn-rate", options.users),
        *(
            "--run-time",
            f"{options.seconds}s",
            "--stop-timeout",
            "2",
            "--loglevel",
            "ERROR",
            "--only-summary",
        ),
        *("--html", options.report / "report.html", "--json-file", options.report / "stats"),
        *("--csv", options.report / "stats"),
        *("--mix", options.mix, "--mixes", options.mixes, "--thresholds", options.thresholds),
        *("--connections", options.connections, "--rate", options.rate, "--calls", options.calls),
        *("--seed", options.seed),
    ]
    for name in ("ca", "cert", "key", "token_file"):
        if value := getattr(options, name):
            command += [f"--{name.replace('_', '-')}", Path(value).resolve()]
    command += ["--tls"] if options.tls else []
    command += ["--processes", options.processes] if options.processes > 1 else []
    return ended(subprocess.Popen([str(part) for part in command], env=variables))


def ended(process: subprocess.Popen[bytes]) -> int:
    """Wait for a process and return its exit code; it does not outlive us."""
    try:
        return process.wait()
    except BaseException:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        process.kill()
        raise


def surroundings() -> dict[str, str]:
    """The variables of a program that imports this repository's stubs."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "src")))}


@contextlib.contextmanager
def _host(given: str, report: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The address that was given, or that of a server which is started here and ended; what Locust is told of it."""
    if given:
        yield given, {}
        return
    # With its log and metrics, as in service.
    with (
        (report / "server.log").open("w", encoding="utf-8") as log,
        serving(log, metrics_port="auto", metrics_host="127.0.0.1", log_level="info") as server,
    ):
        # Only Linux has what is read there.
        yield (
            f"127.0.0.1:{server.port}",
            {SERVER_PID: str(server.pid)} if Path(f"/proc/{server.pid}").is_dir() else {},
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m loadtest", description=__doc__)
    add = parser.add_argument
    add("--host", default="", help="HOST:PORT of a service; without, one is started here")
    add("--mix", default="everyday", help="what users do: a mix of the file (default: everyday)")
    add("--users", type=_number(1, MOST_USERS), default=16, help="callers at once (default: 16)")
    add("--seconds", type=_number(1, MOST_SECONDS), default=30, help="how long, at most (default: 30)")
    add("--calls", type=_number(1, 10**9), default=10**6, help="and calls, at most (default: 1000000)")
    add(
        *("--rate",),
        type=_number(0, 10**6),
        default=0,
        help="calls a second of all users (default: each as fast as it is answered)",
    )
    add("--connections", type=_number(1, 1_000), default=4, help="connections of a process (default: 4)")
    add("--processes", type=_number(1, 64), default=1, help="processes of the client (default: 1)")
    add("--seed", type=int, default=1, help="of deals and choices (default: 1)")
    add("--tls", action="store_true", help="TLS, with the system's authorities")
    add("--ca", default="", metavar="FILE", help="PEM authorities: TLS with these")
    add("--cert", default="", metavar="FILE", help="PEM certificate, for mutual TLS; with --key")
    add("--key", default="", metavar="FILE", help="PEM key of the certificate")
    add("--token-file", default="", metavar="FILE", help="a file with a bearer token")
    add("--mixes", type=_file, default=MIXES, metavar="FILE", help="default: loadtest/mixes.toml")
    add(
        "--thresholds",
        type=_file,
        default=THRESHOLDS,
        metavar="FILE",
        help="default: loadtest/thresholds.toml",
    )
    add("--report", type=_file, default=FOLDER, metavar="FOLDER", help="default: build/loadtest")
    return parser.parse_args()


def _file(text: str) -> Path:
    return Path(text).resolve()


class _number:  # noqa: N801  # used as a type
    """A whole number within bounds."""

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def __call__(self, text: str) -> int:
        number = int(text)
        if not self._low <= number <= self._high:
            raise argparse.ArgumentTypeError(f"must be {self._low} to {self._high}")
        return number


if __name__ == "__main__":
    sys.exit(main())
