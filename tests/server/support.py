"""A service in this process, on free loopback ports, and what its log says."""

import io
import json
import threading
import time
from collections.abc import Callable
from typing import Any, Self

import grpc
import pytest
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.dispatch import SERVICE, methods_table
from tarneeb_service.server.lifecycle import lines_per_second
from tarneeb_service.server.server import Server
from tarneeb_service.server.settings import Settings
from tarneeb_service.telemetry.log import Log
from tarneeb_service.telemetry.metrics import Metrics

Answer = health_pb2.HealthCheckResponse


class Service:
    """A running service and a channel to it. ``settings`` are the server's; the log forgets no line by default."""

    def __init__(
        self, *, console: bool = False, credentials: grpc.ChannelCredentials | None = None, **settings: Any
    ) -> None:
        defaults: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": 0,
            "health_port": 0,
            "metrics_port": 0,
            "log_successes_per_second": 1_000_000,
            "log_failures_per_second": 1_000_000,
        }
        chosen = Settings(**defaults | settings)
        self.stream = io.BytesIO()
        self.metrics = Metrics(SERVICE, methods_table())
        self.log = Log(
            self.stream,
            self.metrics,
            json=not console,
            level=chosen.log_level,
            most=lines_per_second(chosen),
        )
        self.server = Server(chosen, self.metrics, self.log)
        self.address = f"localhost:{self.server.port}"
        if credentials is None:
            self.channel = grpc.insecure_channel(self.address)
        else:
            self.channel = grpc.secure_channel(self.address, credentials)
        self.stub = TarneebServiceStub(self.channel)
        # Their stubs have no types.
        self.health: Any = health_pb2_grpc.HealthStub(self.channel)

    def status(self, name: str = "") -> int:
        """What health says of a name."""
        return int(self.health.Check(health_pb2.HealthCheckRequest(service=name), timeout=5).status)

    @property
    def pending(self) -> int:
        """How many calls wait or run."""
        return self.server.admission.pending

    def raw(self) -> str:
        """The log so far."""
        # A line is made before its call is answered, but for those that get no answer.
        wait_for(lambda: not self.pending)
        self.log._queue.drain()
        return self.stream.getvalue().decode()

    def lines(self, event: str = "call") -> list[dict[str, Any]]:
        """The log's lines of an event."""
        lines = [json.loads(line) for line in self.raw().splitlines()]
        return [line for line in lines if line["event"] == event]

    def line(self) -> dict[str, Any]:
        """The log's line of the last call."""
        return self.lines()[-1]

    def samples(self) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
        """Every sample of ours by name and labels."""
        return {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in self.metrics.registry.collect()
            for sample in family.samples
            if sample.name.startswith(("grpc_", "tarneeb_")) and not sample.name.endswith("_created")
        }

    def sample(self, name: str, **labels: str) -> float:
        """The sum of the samples of this name that have these labels."""
        wanted = set(labels.items())
        return sum(
            value for (found, have), value in self.samples().items() if found == name and wanted <= have
        )

    def close(self) -> None:
        self.channel.close()
        self.server.end()
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Slow:
    """Answers one method once it may."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, method: str = "list_rule_sets") -> None:
        self.may = threading.Event()
        self.entered = 0
        self._function: Callable[..., Any] = getattr(methods, method)
        monkeypatch.setattr(methods, method, self._answer)

    def _answer(self, *arguments: Any) -> Any:
        self.entered += 1
        assert self.may.wait(20)
        return self._function(*arguments)


def wait_for(met: Callable[[], object], seconds: float = 10) -> None:
    """Wait until a condition is met."""
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "in vain"
        time.sleep(0.005)


def failure(call: Callable[[], object]) -> Any:
    """Return the error of a call that must fail."""
    try:
        call()
    except grpc.RpcError as error:
        return error
    raise AssertionError("the call was answered")


def detail(error: Any, kind: type[Message]) -> Any:
    """Return a detail of a status, or None."""
    status = rpc_status.from_call(error)
    packed: list[any_pb2.Any] = [] if status is None else list(status.details)
    for item in packed:
        found = kind()
        if item.Unpack(found):
            return found
    return None


def reason(error: Any) -> str:
    """Return the reason a status names, as errors.proto has them."""
    info = detail(error, error_details_pb2.ErrorInfo)
    return "" if info is None else str(info.reason)
