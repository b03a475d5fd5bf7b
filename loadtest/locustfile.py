"""The load test as Locust runs it; ``python -m loadtest`` starts it, or Locust itself with all that Locust can do.

It needs the environment of requirements.lock, and the repository and its `src` on PYTHONPATH.
"""

import os
import random
import sys
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import gevent
import grpc
import locust.stats
from grpc.experimental.gevent import init_gevent
from locust import User, constant, constant_throughput, events
from locust.runners import LocalRunner, MasterRunner, WorkerRunner

from loadtest import actions
from loadtest.caller import Caller, Target, UnexpectedError
from loadtest.plan import ALL, MIXES, THRESHOLDS, Line, Mix, PlanError, missed, read_mix, read_thresholds
from loadtest.table import Position, Table, positions
from tarneeb.v1 import tarneeb_service_pb2 as pb

# gRPC waits in C, where gevent can't see it; before any channel.
init_gevent()
# To a tenth of a millisecond: Locust's own whole ones are as long as a call.
_bucket = locust.stats.bucket_response_time
locust.stats.bucket_response_time = lambda ms: round(ms, 1) if ms < 100 else _bucket(ms)

# Seconds: between two looks at how it goes, and of rest for a user whose call failed, lest it spin.
LOOK, REST = 0.2, 0.1
# The line of progress is written over on a terminal.
LIVE = sys.stderr.isatty()
CLEAR = "\r\x1b[K" if LIVE else ""
# Seconds to wait for a service, and the exit code of a run that was none.
READY, NO_RUN = 5, 2
# Above this the figures are those of the client.
BUSY = 0.8
# Which server's processor time to tell: python -m loadtest says it of one that it started.
SERVER_PID = "LOADTEST_SERVER_PID"
_OPTIONS = {
    "mix": ("everyday", "what users do, a mix of the file"),
    "mixes": (str(MIXES), "the file with the mixes"),
    "thresholds": (str(THRESHOLDS), "the file with the thresholds"),
    "ca": ("", "PEM authorities for TLS"),
    "cert": ("", "PEM certificate, for mutual TLS"),
    "key": ("", "PEM key of the certificate"),
    "token-file": ("", "a file with a bearer token"),
}


def _add_options(parser: Any) -> None:
    group = parser.add_argument_group("Tarneeb")
    for name, (default, text) in _OPTIONS.items():
        group.add_argument(f"--{name}", default=default, help=text, env_var=_variable(name))
    group.add_argument(
        "--tls", action="store_true", help="TLS, with the system's authorities", env_var=_variable("tls")
    )
    numbers = {
        "connections": (4, "connections of a process"),
        "calls": (0, "end after about this many calls; 0: by time alone"),
        "rate": (0, "calls a second of all users; 0: each as fast as it is answered"),
        "seed": (1, "of deals and choices"),
    }
    for name, (number, text) in numbers.items():
        group.add_argument(f"--{name}", type=int, default=number, help=text, env_var=_variable(name))


def _variable(name: str) -> str:
    return f"LOADTEST_{name.upper().replace('-', '_')}"


class Setting:
    """What the users of this process share."""

    mix: Mix
    rule_sets: Sequence[str]
    shared: list[Position]
    callers: ClassVar[list[Caller]] = []
    numbers = count()


def _prepare(environment: Any, **_: Any) -> None:
    """Have positions to ask about before the first user acts, and before the time of the run begins."""
    if isinstance(environment.runner, MasterRunner) or Setting.callers:
        return
    options = environment.parsed_options
    try:
        Setting.mix = read_mix(Path(options.mixes), options.mix)
        target = Target(
            environment.host or options.host,
            options.tls,
            options.ca,
            options.cert,
            options.key,
            options.token_file,
        )
        channels = [target.channel() for _ in range(options.connections)]
        grpc.channel_ready_future(channels[0]).result(READY)
        quiet = Caller(channels[0], target.metadata(), deadline=READY)
        known = quiet("ListRuleSets", pb.ListRuleSetsRequest()).rule_sets
        Setting.rule_sets = Setting.mix.rule_sets or [each.preset_id for each in known]
        Setting.shared = positions(quiet, Setting.rule_sets, seed=options.seed)
        Setting.callers = [Caller(channel, target.metadata(), report=_report) for channel in channels]
    except (PlanError, OSError, grpc.RpcError, grpc.FutureTimeoutError, UnexpectedError) as error:
        what = f"no answer within {READY} s" if isinstance(error, grpc.FutureTimeoutError) else _said(error)
        sys.stderr.write(f"loadtest: {environment.host or options.host}: {what}\n")
        sys.exit(NO_RUN)


def _report(name: str, seconds: float, size: int, error: Exception | None) -> None:
    if isinstance(error, grpc.RpcError):
        # Else each would be a kind of its own, by its address and time.
        error = UnexpectedError(_said(error))
    events.request.fire(
        request_type="grpc", name=name, response_time=1000 * seconds, response_length=size, exception=error
    )


def _said(error: Exception) -> str:
    return f"{error.code().name}: {error.details()}" if isinstance(error, grpc.RpcError) else str(error)


class Player(User):  # type: ignore[misc]  # Locust has no types that mypy takes
    """One caller after another's answer, as a backend's worker is."""

    def on_start(self) -> None:
        options, number = self.environment.parsed_options, next(Setting.numbers)
        process = getattr(self.environment.runner, "worker_index", 0)
        chance = random.Random(f"{options.seed} {process} {number}")
        caller = Setting.callers[number % len(Setting.callers)]
        rule_sets = Setting.rule_sets
        turned = [*rule_sets[number % len(rule_sets) :], *rule_sets[: number % len(rule_sets)]]
        table = Table(caller, turned, chance)
        self._user = actions.User(caller, table, Setting.shared, chance, Setting.mix.batch)
        self._names, self._weights = [*Setting.mix.weights], [*Setting.mix.weights.values()]
        self._chance = chance
        rate = options.rate / max(1, options.num_users)
        self._pause = constant_throughput(rate) if rate else constant(0)

    def wait_time(self) -> float:
        return float(self._pause(self))

    def act(self) -> None:
        (action,) = self._chance.choices(self._names, self._weights)
        try:
            self._user.act(action)
        except (grpc.RpcError, UnexpectedError):
            gevent.sleep(REST)

    tasks: ClassVar[list[Any]] = [act]


class Client:
    """The processor time that this process, or all workers together, took for the calls; and a server of ours."""

    began, cpu_began, cpu, seconds, processes = 0.0, 0.0, 0.0, 0.0, 1
    server_began, server = 0.0, 0.0
    workers: ClassVar[dict[str, float]] = {}


def _begin(**_: Any) -> None:
    # After `_prepare`, whose calls count for nothing.
    Client.began, Client.cpu_began, Client.server_began = time.monotonic(), time.process_time(), _server_cpu()


def _end(**_: Any) -> None:
    Client.cpu, Client.seconds = time.process_time() - Client.cpu_began, time.monotonic() - Client.began
    Client.server = _server_cpu() - Client.server_began


def _server_cpu() -> float:
    """The seconds of CPU that a server on this machine has taken, where we were told which it is."""
    if SERVER_PID not in os.environ:
        return 0.0
    fields = (
        Path(f"/proc/{os.environ[SERVER_PID]}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    )
    # User and system, in ticks.
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _tell(data: dict[str, Any], **_: Any) -> None:
    data["cpu"] = time.process_time() - Client.cpu_began


def _hear(client_id: str, data: dict[str, Any], **_: Any) -> None:
    Client.workers[client_id] = data.get("cpu", 0.0)


def _watch(environment: Any, **_: Any) -> None:
    if isinstance(environment.runner, LocalRunner) and environment.parsed_options.headless:
        _prepare(environment)
    if not isinstance(environment.runner, WorkerRunner):
        gevent.spawn(_look_on, environment)


def _look_on(environment: Any) -> None:
    options, shown, counted = environment.parsed_options, 0.0, 0
    while True:
        gevent.sleep(LOOK)
        total = environment.stats.total
        if options.calls and total.num_requests >= options.calls:
            environment.runner.quit()
            return
        passed = time.monotonic() - Client.began if Client.began else 0.0
        # A line that is written over on a terminal, one in five seconds in a log.
        if total.num_requests and passed - shown >= (LOOK if LIVE else 5):
            rate = (total.num_requests - counted) / (passed - shown)
            shown, counted = passed, total.num_requests
            text = (
                f"{passed:4.0f} s  {counted:8,} calls  {rate:7,.0f}/s  "
                f"p50 {_now(total, 0.5)} ms  p99 {_now(total, 0.99)} ms  {total.num_failures} failed"
            )
            sys.stderr.write(f"{CLEAR}{text}" if LIVE else f"{text}\n")
            sys.stderr.flush()


def _now(total: Any, share: float) -> str:
    # Of the last ten seconds, once there are so many.
    ms = total.get_current_response_time_percentile(share) or total.get_response_time_percentile(share)
    return f"{ms:.1f}"


def _judge(environment: Any, **_: Any) -> None:
    if isinstance(environment.runner, WorkerRunner) or environment.process_exit_code:
        return
    lines = [_line(entry, ALL) for entry in (environment.stats.total,)]
    lines += [_line(entry, entry.name) for _, entry in sorted(environment.stats.entries.items())]
    write = sys.stdout.write
    write(f"{CLEAR}\n{'':24}{'calls':>9}{'failed':>8}{'/s':>8}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}\n")
    for line in (*lines[1:], lines[0]):
        it = line.figures
        write(
            f"{line.name:24}{line.calls:9,}{it['failed_share']:8.2%}{it['calls_per_second']:8,.0f}"
            f"{it['p50_ms']:9.1f}{it['p95_ms']:9.1f}{it['p99_ms']:9.1f}\n"
        )
    for error in environment.stats.errors.values():
        write(f"  {error.occurrences} times {error.name}: {error.error}\n")
    _say_client(lines[0].calls)
    try:
        short = missed(read_thresholds(Path(environment.parsed_options.thresholds)), lines)
    except PlanError as error:
        short = [str(error)]
    for text in short:
        write(f"missed: {text}\n")
    if not short:
        write("all thresholds kept\n")
    environment.process_exit_code = (1 if short else 0) if lines[0].calls else NO_RUN


def _line(entry: Any, name: str) -> Line:
    times = {f"p{share}_ms": float(entry.get_response_time_percentile(share / 100)) for share in (50, 95, 99)}
    figures = {"failed_share": float(entry.fail_ratio), "calls_per_second": float(entry.total_rps), **times}
    return Line(name, entry.num_requests, figures)


def _say_client(calls: int) -> None:
    """What the client itself took: where it is busy, its own queue is what was measured."""
    if Client.workers:
        Client.cpu, Client.processes = sum(Client.workers.values()), len(Client.workers)
    if not calls or not Client.seconds:
        return
    share = Client.cpu / Client.seconds / Client.processes
    sys.stdout.write(
        f"the client took {1e6 * Client.cpu / calls:.0f} µs of CPU a call, {share:.0%} of a core in each of "
        f"{Client.processes}; a core gives no more than {calls / Client.cpu:,.0f} calls/s\n"
    )
    if Client.server:
        sys.stdout.write(
            f"the server took {1e6 * Client.server / calls:.0f} µs of CPU a call, {Client.server / Client.seconds:.0%}"
            " of a core\n"
        )
    if share > BUSY:
        sys.stdout.write(
            "the client was busy: these are its figures, not the server's. More processes, or less --rate\n"
        )


events.init_command_line_parser.add_listener(_add_options)
events.test_start.add_listener(_prepare)
events.test_start.add_listener(_begin)
events.test_stopping.add_listener(_end)
events.report_to_master.add_listener(_tell)
events.worker_report.add_listener(_hear)
events.init.add_listener(_watch)
events.quitting.add_listener(_judge)
