"""A service in this process, on a free loopback port, and what its log says."""

import io
import json
import threading
import time
from collections.abc import Callable
from typing import Any, Self

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.rpc.servicer import Servicer
from tarneeb_service.server.server import RunningServer
from tarneeb_service.server.settings import Settings
from tarneeb_service.telemetry.exposition import families
from tarneeb_service.telemetry.logs import Log

Answer = health_pb2.HealthCheckResponse


class Service:
    """A running service and a channel to it."""

    def __init__(
        self,
        servicer: Callable[..., Servicer] = Servicer,
        *,
        console: bool = False,
        credentials: grpc.ChannelCredentials | None = None,
        **changes: Any,
    ) -> None:
        settings = Settings(**{"host": "127.0.0.1", "port": 0, "metrics_port": 0, **changes})
        self.text = io.StringIO()
        self.log = Log(self.text, json=not console, level=settings.log_level)
        self.server = RunningServer(settings, self.log, servicer)
        self.log.start()
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

    def tell(self) -> None:
        """Have every call that was answered counted and logged."""
        self.server.tell()

    def raw(self) -> str:
        """The log so far."""
        self.tell()
        wait_for(lambda: not self.log._items)
        time.sleep(0.01)
        return self.text.getvalue()

    def lines(self, event: str = "call") -> list[dict[str, Any]]:
        """The log's lines of an event."""
        lines = [json.loads(line) for line in self.raw().splitlines()]
        return [line for line in lines if line["event"] == event]

    def line(self) -> dict[str, Any]:
        """The log's line of the last call."""
        return self.lines()[-1]

    def samples(self) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
        """Every sample by name and labels."""
        gauges = self.server._gauges()
        return {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in families(self.server.metrics, gauges)
            for sample in family.samples
        }

    def sample(self, name: str, **labels: str) -> float:
        """The sum of the samples of this name that have these labels."""
        wanted = set(labels.items())
        return sum(
            value for (found, have), value in self.samples().items() if found == name and wanted <= have
        )

    def close(self) -> None:
        self.channel.close()
        self.server.gate.stopping = True
        self.server._end(0)
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Slow(Servicer):
    """Lists rule sets once it may; other methods are as ever."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.may = threading.Event()
        self.entered = 0

    def ListRuleSets(
        self, request: pb.ListRuleSetsRequest, context: grpc.ServicerContext
    ) -> pb.ListRuleSetsResponse:
        self.entered += 1
        assert self.may.wait(20)
        return super().ListRuleSets(request, context)


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
