"""Requests, and a service that many tests call, over a socket and through grpcio-testing."""

from collections.abc import Callable, Iterator
from typing import Any

import grpc
import grpc_testing  # type: ignore[import-untyped]
import pytest
from grpc_testing._server import _servicer_context  # type: ignore[import-untyped]

from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.rpc.dispatch import SERVICE as SERVICE_NAME
from tarneeb_service.rpc.dispatch import methods_table
from tarneeb_service.server.executor import Executor
from tarneeb_service.server.handler import MethodHandler
from tarneeb_service.telemetry.access_log import Reporter
from tarneeb_service.telemetry.call import Call
from tests.rpc.samples import SERVICE, response_class
from tests.server.support import Service
from tests.service_requests import legal, lying, refused

__all__ = ["legal", "lying", "refused"]


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """One service for all tests that leave it as it was."""
    with Service() as running:
        yield running


@pytest.fixture(scope="session")
def stub(service: Service) -> TarneebServiceStub:
    return service.stub


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch, service: Service) -> Iterator[grpc_testing.Server]:
    """The handlers of the server in grpcio-testing's, which has no socket and hands over messages."""

    # It leaves these out; a server does just this.
    def abort_with_status(self: Any, status: Any) -> None:
        self.set_trailing_metadata(status.trailing_metadata)
        self.abort(status.code, status.details)

    monkeypatch.setattr(_servicer_context.ServicerContext, "abort_with_status", abort_with_status)
    monkeypatch.setattr(_servicer_context.ServicerContext, "peer", lambda _self: "ipv4:127.0.0.1:1")
    executor = Executor("testing", 2)
    reporter = Reporter(service.metrics, service.log)

    def front(name: str) -> Callable[[Any, grpc.ServicerContext], Any]:
        handler = MethodHandler(methods_table()[name], executor, reporter)

        def answer(request: Any, context: grpc.ServicerContext) -> Any:
            call = Call(SERVICE_NAME, name, [("x-request-id", "request-7")])
            data = handler.answer(call, executor.crew, iter([request.SerializeToString()]), context)
            return response_class(name).FromString(data)

        return answer

    class Front:
        def __getattr__(self, name: str) -> Callable[[Any, grpc.ServicerContext], Any]:
            return front(name)

    yield grpc_testing.server_from_dictionary({SERVICE: Front()}, grpc_testing.strict_real_time())
    executor.close()
