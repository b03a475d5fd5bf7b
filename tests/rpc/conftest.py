"""The servicer on a server of its own: through a real socket, and in grpcio-testing's."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import grpc_testing  # type: ignore[import-untyped]
import pytest
from grpc_testing._server import _servicer_context  # type: ignore[import-untyped]

from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub, add_TarneebServiceServicer_to_server
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.rpc.servicer import Servicer
from tarneeb_service.wire.problems import NewerRulesError
from tests.rpc.samples import SERVICE


@pytest.fixture(scope="session")
def bugs() -> list[Exception]:
    """What the servicer reported that was no fault of a caller."""
    return []


@pytest.fixture(scope="session")
def servicer(bugs: list[Exception]) -> Servicer:
    def report(error: Exception, _context: grpc.ServicerContext) -> str:
        if not isinstance(error, ProblemsError | NewerRulesError):
            bugs.append(error)
        return "request-7"

    return Servicer(report)


@pytest.fixture(scope="session")
def channel(servicer: Servicer) -> Iterator[grpc.Channel]:
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
    add_TarneebServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as opened:
        yield opened
    server.stop(None).wait()


@pytest.fixture(scope="session")
def stub(channel: grpc.Channel) -> TarneebServiceStub:
    return TarneebServiceStub(channel)


@pytest.fixture(autouse=True)
def _testing_context_knows_statuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """grpcio-testing leaves `abort_with_status` out; a server does just this."""

    def abort_with_status(self: Any, status: Any) -> None:
        self.set_trailing_metadata(status.trailing_metadata)
        self.abort(status.code, status.details)

    monkeypatch.setattr(_servicer_context.ServicerContext, "abort_with_status", abort_with_status)


@pytest.fixture
def in_process(servicer: Servicer) -> grpc_testing.Server:
    return grpc_testing.server_from_dictionary({SERVICE: servicer}, grpc_testing.strict_real_time())
