"""The Python client: errors, deadlines, retries, balancing, TLS and tokens, for threads and for asyncio."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from harness.service_process import SERVICE_CONFIG as HARNESS_CONFIG
from tarneeb.v1 import cards_pb2, errors_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_client import AsyncClient, Client, Options, TarneebError, Tls, Violation
from tarneeb_client.options import SERVICE_CONFIG, full_target
from tests.server.support import Service
from tests.server.test_tls import Authority

LIST = pb.ListRuleSetsRequest()
Answers = Callable[[Any], bytes]


class Fake:
    """A server that answers every method as it is told, and counts."""

    def __init__(self, answer: Answers, *, serving: bool = True) -> None:
        """Start on a free port; health says whether it serves."""
        self.calls, self._answer = 0, answer
        self._server = grpc.server(futures.ThreadPoolExecutor(4), options=(("grpc.so_reuseport", 0),))
        servicer: Any = health.HealthServicer()
        status = health_pb2.HealthCheckResponse
        servicer.set("", status.SERVING if serving else status.NOT_SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(servicer, self._server)
        self._server.add_generic_rpc_handlers((_Handler(self._called),))
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()

    def _called(self, _: bytes, context: Any) -> bytes:
        self.calls += 1
        return self._answer(context)

    def close(self) -> None:
        self._server.stop(None).wait()


class _Handler(grpc.GenericRpcHandler):
    def __init__(self, function: Callable[[bytes, Any], bytes]) -> None:
        self._function = function

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        if handler_call_details.method.startswith("/tarneeb."):
            return grpc.unary_unary_rpc_method_handler(self._function)
        return None


@contextmanager
def fake(answer: Answers, *, serving: bool = True) -> Iterator[Fake]:
    made = Fake(answer, serving=serving)
    try:
        yield made
    finally:
        made.close()


def failing(times: int, code: grpc.StatusCode) -> Answers:
    """Fail so many times, then answer."""
    left = iter(range(times))

    def answer(context: Any) -> bytes:
        if next(left, None) is not None:
            context.abort(code, "try again")
        return pb.ListRuleSetsResponse(rules_revision=7).SerializeToString()

    return answer


def listed(target: str, options: Options | None = None) -> pb.ListRuleSetsResponse:
    with Client(target, options) as client:
        return client.list_rule_sets(LIST)


def listed_by_asyncio(target: str, options: Options | None = None) -> pb.ListRuleSetsResponse:
    async def ask() -> pb.ListRuleSetsResponse:
        async with AsyncClient(target, options) as client:
            return await client.list_rule_sets(LIST)

    return asyncio.run(ask())


BOTH = pytest.mark.parametrize("ask", [listed, listed_by_asyncio])
Ask = Callable[..., pb.ListRuleSetsResponse]


@BOTH
@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED])
def test_what_may_be_repeated_is(ask: Ask, code: grpc.StatusCode) -> None:
    with fake(failing(3, code)) as server:
        assert ask(f"127.0.0.1:{server.port}").rules_revision == 7
        assert server.calls == 4


@BOTH
@pytest.mark.parametrize(
    ("times", "code", "calls"),
    [(4, grpc.StatusCode.UNAVAILABLE, 4), (1, grpc.StatusCode.RESOURCE_EXHAUSTED, 1)],
)
def test_what_may_not_be_repeated_is_told(ask: Ask, times: int, code: grpc.StatusCode, calls: int) -> None:
    with fake(failing(times, code)) as server:
        with pytest.raises(TarneebError) as caught:
            ask(f"127.0.0.1:{server.port}")
        assert (caught.value.code, caught.value.message) == (code, "try again")
        assert caught.value.reason == errors_pb2.ERROR_REASON_UNSPECIFIED
        assert server.calls == calls


@BOTH
def test_a_deadline_ends_a_call_that_hangs(ask: Ask) -> None:
    with fake(_late) as server:
        with pytest.raises(TarneebError) as caught:
            ask(f"127.0.0.1:{server.port}", Options(deadline=0.2))
        assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


def _late(context: Any) -> bytes:
    # Until the caller has gone.
    while context.is_active():
        time.sleep(0.01)
    return b""


def test_a_call_may_have_a_deadline_of_its_own() -> None:
    seen = []

    def answer(context: Any) -> bytes:
        seen.append(context.time_remaining())
        return b""

    with fake(answer) as server, Client(f"127.0.0.1:{server.port}") as client:
        client.list_rule_sets(LIST)
        client.list_rule_sets(LIST, deadline=50)
    assert 0 < seen[0] < 3
    assert 40 < seen[1] < 51


@BOTH
def test_calls_go_round_and_leave_a_replica_that_does_not_serve(ask: Ask) -> None:
    with (
        fake(failing(0, grpc.StatusCode.OK)) as good,
        fake(failing(0, grpc.StatusCode.OK), serving=False) as bad,
    ):
        target = f"ipv4:127.0.0.1:{bad.port},127.0.0.1:{good.port}"
        for _ in range(5):
            ask(target)
        assert (bad.calls, good.calls) == (0, 5)


def test_two_replicas_share_the_calls() -> None:
    with fake(failing(0, grpc.StatusCode.OK)) as one, fake(failing(0, grpc.StatusCode.OK)) as two:
        with Client(f"ipv4:127.0.0.1:{one.port},127.0.0.1:{two.port}") as client:
            for _ in range(20):
                client.list_rule_sets(LIST)
        assert min(one.calls, two.calls) >= 5


def test_many_at_once_by_asyncio() -> None:
    async def ask(target: str) -> list[int]:
        async with AsyncClient(target) as client:
            answers = await asyncio.gather(*(client.list_rule_sets(LIST) for _ in range(20)))
            return [len(answer.rule_sets) for answer in answers]

    with Service() as service:
        assert asyncio.run(ask(service.address)) == [10] * 20


@BOTH
def test_a_token_over_tls(ask: Ask, tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    cert, key = authority.sign("server")
    tokens = tmp_path / "tokens"
    tokens.write_text("a-token-of-the-lobby\n")
    tls = Tls(authority.cert.read_bytes())
    with Service(tls_cert_file=str(cert), tls_key_file=str(key), tokens_file=str(tokens)) as service:
        assert ask(service.address, Options(tls=tls, token="a-token-of-the-lobby")).rule_sets
        with pytest.raises(TarneebError) as caught:
            ask(service.address, Options(tls=tls))
        assert caught.value.code is grpc.StatusCode.UNAUTHENTICATED
        assert caught.value.reason_name == "UNAUTHENTICATED"
        with pytest.raises(TarneebError) as caught:
            ask(service.address, Options(token="a-token-of-the-lobby"))
        assert caught.value.code is grpc.StatusCode.UNAVAILABLE


def test_what_is_wrong_with_a_request_is_told() -> None:
    with Service() as service, Client(service.address) as client:
        with pytest.raises(TarneebError) as caught:
            client.create_game(pb.CreateGameRequest(id="g", first_dealer=cards_pb2.SEAT_NORTH))
        error = caught.value
        assert (error.code, error.reason) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            errors_pb2.ERROR_REASON_INVALID_REQUEST,
        )
        assert error.problems == len(error.violations) == 1
        assert error.violations[0] == Violation("rule_set", "MISSING", error.violations[0].message)
        assert error.retry_after is None


def test_bytes_pass_as_they_are() -> None:
    with Service() as service, Client(service.address) as client:
        answer = client.call_with_bytes("ListRuleSets", b"")
        assert pb.ListRuleSetsResponse.FromString(answer) == client.list_rule_sets(LIST)
        with pytest.raises(TarneebError) as caught:
            client.call_with_bytes("ListRuleSets", b"\xff")
        assert caught.value.violations[0].path == "request"


def details(*parts: Any) -> bytes:
    packed = []
    for part in parts:
        packed.append(Packed())
        packed[-1].Pack(part)
    return bytes(status_pb2.Status(details=packed).SerializeToString())


def info(reason: str, domain: str = "tarneeb.v1.TarneebService") -> Any:
    return error_details_pb2.ErrorInfo(reason=reason, domain=domain, metadata={"problems": "40"})


def error(*parts: Any) -> TarneebError:
    return TarneebError(grpc.StatusCode.UNAVAILABLE, "busy", details(*parts))


def test_when_to_come_again() -> None:
    retry = error_details_pb2.RetryInfo()
    retry.retry_delay.FromMilliseconds(1500)
    told = error(info("OVERLOADED"), retry)
    assert (told.reason_name, told.problems, told.retry_after) == ("OVERLOADED", 40, 1.5)


def test_a_reason_that_is_not_known_or_of_another_is_none() -> None:
    assert error(info("OF_THE_FUTURE")).reason_name == "UNSPECIFIED"
    assert error(info("OF_THE_FUTURE")).metadata == {"problems": "40"}
    assert error(info("OVERLOADED", "proxy.example")).reason_name == "UNSPECIFIED"
    assert error(info("OVERLOADED", "proxy.example")).metadata == {}


def test_details_that_are_none_change_nothing() -> None:
    told = TarneebError(grpc.StatusCode.UNAVAILABLE, "busy", b"\xff\xff")
    assert (str(told), told.violations) == ("UNAVAILABLE: busy", ())


@pytest.mark.parametrize(
    ("target", "full"),
    [
        ("localhost:50051", "dns:///localhost:50051"),
        ("dns:///tarneeb:1", "dns:///tarneeb:1"),
        ("xds:///tarneeb", "xds:///tarneeb"),
        ("unix:/run/tarneeb", "unix:/run/tarneeb"),
        ("ipv4:127.0.0.1:1,127.0.0.1:2", "ipv4:127.0.0.1:1,127.0.0.1:2"),
    ],
)
def test_targets(target: str, full: str) -> None:
    assert full_target(target) == full


def test_the_settings_are_the_documented_ones() -> None:
    page = (Path(__file__).parents[2] / "clients" / "PROGRAM.md").read_text("utf-8")
    documented = page.partition("```json\n")[2].partition("```")[0]
    assert json.loads(documented) == SERVICE_CONFIG == json.loads(HARNESS_CONFIG)
