"""The real server, looked into: `python -m bench.served serve` in place of `python -m tarneeb_service serve`.

BENCH_LOOK says how: *nothing* has handlers that answer what stands in the file BENCH_ANSWERS; *handler* takes the CPU
time of the thread around each call's way from bytes to bytes; *stages* takes that of the parts of a call too, each with
the parts inside it. On SIGUSR1 the times so far, in nanoseconds by method and part, go to the file BENCH_TIMES, and
begin anew.
"""

import importlib
import json
import os
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf.message_factory import GetMessageClass

from bench.streams import read
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.cli.main import main
from tarneeb_service.rpc.dispatch import methods_table

NOTHING, HANDLER, STAGES = "nothing", "handler", "stages"


class Part(NamedTuple):
    """A function of the service, where it is looked up when it is called, and what its time counts as."""

    module: str
    function: str
    name: str


# Outermost first. What is called within another is part of that one's time, too.
FUNNEL = Part("tarneeb_service.server.handler", "dispatch", "handler")
PARTS = (
    Part("tarneeb_service.server.handler", "MethodHandler.answer", "thread"),
    Part("tarneeb_service.server.admission", "Admission.intercept_service", "admission"),
    Part("tarneeb_service.telemetry.access_log", "Reporter.ended", "telling"),
    Part("tarneeb_service.telemetry.log", "Log.event", "log line"),
    Part("tarneeb_service.telemetry.labels", "read", "labels"),
    Part("tarneeb_service.rpc.dispatch", "_parsed", "parse"),
    Part("tarneeb_service.rpc.methods", "take_game", "game"),
    Part("tarneeb_service.rpc.games", "decode_game", "decode"),
    Part("tarneeb_service.rpc.games", "check", "check"),
    Part("tarneeb_service.rpc.methods", "decode_move", "move"),
    Part("tarneeb_service.engine.game", "judge", "rule"),
    Part("tarneeb_service.engine.game", "apply", "apply"),
    Part("tarneeb_service.rpc.methods", "encode_verdict", "verdict"),
    Part("tarneeb_service.rpc.methods", "put_game", "next game"),
    Part("tarneeb_service.rpc.methods", "encode_events", "events"),
    Part("tarneeb_service.rpc.methods", "_put_views", "views"),
)


class Times:
    """The times of parts, by method and part."""

    def __init__(self) -> None:
        self._here = threading.local()
        self._taken: dict[str, list[int]] = defaultdict(list)

    def around(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        """Return the function, and have its times taken."""

        @wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            began = time.thread_time_ns()
            try:
                return function(*arguments, **named)
            finally:
                self._taken[f"{getattr(self._here, 'method', '')} {name}"].append(
                    time.thread_time_ns() - began
                )

        return timed

    def of_method(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return MethodHandler.answer, that says which method its thread is at."""

        @wraps(function)
        def answering(handler: Any, *arguments: Any) -> Any:
            self._here.method = handler.method.name
            return function(handler, *arguments)

        return answering

    def hand_over(self, path: Path) -> None:
        """Write the times to a file, and begin anew."""
        taken = {name: numbers[:] for name, numbers in self._taken.copy().items()}
        self._taken.clear()
        unfinished = path.with_suffix(".part")
        unfinished.write_text(json.dumps(taken))
        unfinished.rename(path)


def do_nothing(answers: Path) -> None:
    """Have the server's methods answer what stands in this file."""
    service = pb.DESCRIPTOR.services_by_name["TarneebService"]
    table = dict(methods_table())
    for name, data in read(answers).items():
        answer = GetMessageClass(service.methods_by_name[name].output_type).FromString(data)
        table[name] = replace(table[name], answer=_constant(answer))
    server = importlib.import_module("tarneeb_service.server.server")
    vars(server)["methods_table"] = lambda *_: table


def _constant(answer: Any) -> Callable[..., Any]:
    return lambda _request, _rest: answer


def take_times(parts: tuple[Part, ...], path: Path) -> None:
    """Take the times of these parts; a name that is not there any more is an error."""
    times = Times()
    for part in parts:
        owner: Any = importlib.import_module(part.module)
        *classes, name = part.function.split(".")
        for each in classes:
            owner = getattr(owner, each)
        setattr(owner, name, times.around(getattr(owner, name), part.name))
    handler = importlib.import_module("tarneeb_service.server.handler").MethodHandler
    handler.answer = times.of_method(handler.answer)
    signal.signal(signal.SIGUSR1, lambda *_: times.hand_over(path))


if __name__ == "__main__":
    match os.environ["BENCH_LOOK"]:
        case "nothing":
            do_nothing(Path(os.environ["BENCH_ANSWERS"]))
        case "handler":
            take_times((FUNNEL,), Path(os.environ["BENCH_TIMES"]))
        case "stages":
            take_times((*PARTS, FUNNEL), Path(os.environ["BENCH_TIMES"]))
        case unknown:
            raise SystemExit(f"BENCH_LOOK: {unknown}")
    main()
