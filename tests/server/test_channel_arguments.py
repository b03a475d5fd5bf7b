"""What gRPC's core is told. It takes any name in silence, so each is held against the core, and tried out."""

import contextlib
import socket
import time
from pathlib import Path

import grpc
import pytest
from grpc._cython import cygrpc  # type: ignore[attr-defined]  # the core itself

from bench.attacks.frames import GREETING
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.server import server
from tarneeb_service.server.server import channel_options, probe_options
from tarneeb_service.server.settings import AUTO, Settings, StartError
from tests.server.http2 import CLOSED, PING, PONG, SERVERS_PING, TOO_MANY_PINGS, heard
from tests.server.support import Service, Slow, failure, wait_for

LIST = pb.ListRuleSetsRequest()


@pytest.fixture(scope="module")
def core() -> bytes:
    return Path(cygrpc.__file__).read_bytes()


@pytest.mark.parametrize("name", sorted({name for name, _ in channel_options(Settings()) + probe_options()}))
def test_the_core_knows_the_name(core: bytes, name: str) -> None:
    # As C writes a text, with a zero at its end.
    assert name.encode() + b"\0" in core


def test_the_core_does_not_know_every_name(core: bytes) -> None:
    # The one that was there before, and had no effect.
    assert b"grpc.http2.min_recv_ping_interval_without_data_ms\0" not in core


def pinged(service: Service, count: int, pause: float) -> bytes:
    """What a caller hears who has no call open and pings so often."""
    told = b""
    with socket.create_connection(("127.0.0.1", service.server.port)) as connection:
        connection.sendall(GREETING)
        for _ in range(count):
            connection.sendall(PING)
            time.sleep(pause)
            told += heard(connection, lambda text: TOO_MANY_PINGS in text or PONG in text)
            if TOO_MANY_PINGS in told:
                break
    return told


def test_who_pings_too_often_is_cut_off() -> None:
    with Service(min_ping_seconds=30) as service:
        assert TOO_MANY_PINGS in pinged(service, 6, 0.05)


def test_who_pings_as_often_as_he_may_is_not() -> None:
    with Service(min_ping_seconds=0.1) as service:
        told = pinged(service, 6, 0.15)
        assert TOO_MANY_PINGS not in told
        assert told.count(PONG) == 6


@pytest.mark.parametrize(("timeout", "closed"), [(0.3, True), (60, False)])
def test_a_peer_who_does_not_answer_is_found_out(timeout: float, closed: bool) -> None:
    with (
        Service(keepalive_seconds=0.3, keepalive_timeout_seconds=timeout) as service,
        socket.create_connection(("127.0.0.1", service.server.port)) as connection,
    ):
        connection.sendall(GREETING)
        # A ping is for the rate of the network, and the next to see whether anybody is there: none is answered.
        told = heard(connection, lambda text: text.endswith(CLOSED), seconds=3)
        assert SERVERS_PING in told
        assert told.endswith(CLOSED) is closed


@pytest.mark.parametrize("port_name", ["port", "health_port"])
def test_who_connects_and_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch, port_name: str) -> None:
    monkeypatch.setattr(server, "GREETING", 0.3)
    with (
        Service() as service,
        socket.create_connection(("127.0.0.1", getattr(service.server, port_name))) as connection,
    ):
        assert heard(connection, lambda text: text.endswith(CLOSED), seconds=5).endswith(CLOSED)


def test_connections_have_a_most(legal: pb.ValidateMoveRequest) -> None:
    with Service(max_connections=3) as service, contextlib.ExitStack() as connections:
        service.stub.ValidateMove(legal, timeout=5)

        def connect() -> bytes:
            connection = socket.create_connection(("127.0.0.1", service.server.port))
            connections.enter_context(connection)
            connection.sendall(GREETING)
            return heard(connection, bool)

        assert not any(connect().endswith(CLOSED) for _ in range(2))
        assert all(connect().endswith(CLOSED) for _ in range(3))
        # Who is in stays in, and one that leaves makes room.
        service.stub.ValidateMove(legal, timeout=5)
        connections.close()
        wait_for(lambda: not connect().endswith(CLOSED))


@pytest.mark.parametrize("age", [0.3, 300])
def test_callers_connect_anew_when_a_connection_is_old(age: float) -> None:
    with Service(max_connection_age_seconds=age) as service:
        for _ in range(3):
            service.stub.ListRuleSets(LIST, timeout=5)
            time.sleep(0.5)
        peers = {line["peer"] for line in service.lines()}
        assert len(peers) == (3 if age < 1 else 1)


def test_calls_on_an_old_connection_may_finish_within_its_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(monkeypatch)
    with Service(max_connection_age_seconds=0.3, max_connection_age_grace_seconds=0.3) as service:
        call = service.stub.ListRuleSets.future(LIST, timeout=10)
        wait_for(lambda: slow.entered == 1)
        assert failure(call.result).code() is grpc.StatusCode.UNAVAILABLE
        slow.may.set()
    slow.may.clear()
    with Service(max_connection_age_seconds=0.3, max_connection_age_grace_seconds=20) as service:
        call = service.stub.ListRuleSets.future(LIST, timeout=10)
        wait_for(lambda: slow.entered == 2)
        time.sleep(1)
        slow.may.set()
        assert call.result(5).rule_sets


def test_a_client_who_keeps_to_the_limit_of_a_connection_loses_nothing() -> None:
    with Service(max_streams=8, max_calls=1_000) as service:
        # What the core refuses at first it may retry by itself; not for ever.
        for _ in range(20):
            calls = [service.stub.ListRuleSets.future(LIST, timeout=20) for _ in range(100)]
            assert all(call.result().rule_sets for call in calls)


def test_two_servers_do_not_share_a_port() -> None:
    with Service() as service, pytest.raises(StartError, match="it is taken"):
        Service(port=service.server.port)


def test_servers_share_a_port_where_both_say_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Service(share_port=True, port=port, metrics_port=AUTO) as first:
        with Service(share_port=True, port=first.server.port, metrics_port=AUTO) as second:
            assert second.server.port == first.server.port
            assert len({first.server.health_port, second.server.health_port}) == 2
            # The kernel deals connections out; each of these has one of its own.
            for _ in range(40):
                with grpc.insecure_channel(first.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
                    TarneebServiceStub(channel).ListRuleSets(LIST, timeout=5)
            answered = [
                service.sample("grpc_server_handled_total", grpc_code="OK") for service in (first, second)
            ]
            assert sum(answered) == 40
            assert min(answered) > 0
        with pytest.raises(StartError, match="it is taken"):
            Service(port=first.server.port)
