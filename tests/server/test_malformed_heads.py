"""Heads that no gRPC library sends. gRPC's core answers most of them itself, before the service hears of them."""

import json
import socket
from collections.abc import Iterator

import pytest

from bench.attacks.frames import (
    DATA,
    END_HEADERS,
    END_STREAM,
    GREETING,
    HEADERS,
    VALIDATE_MOVE,
    fields_block,
    frame,
    message,
)
from harness.service_process import ServiceProcess
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tests.server.http2 import RESET, heard

OK, DEADLINE_EXCEEDED, INTERNAL = 0, 4, 13
FIELDS = {
    ":method": "POST",
    ":scheme": "http",
    ":path": VALIDATE_MOVE,
    ":authority": "localhost",
    "content-type": "application/grpc",
    "te": "trailers",
}
Changes = dict[str, str | None]
ANSWERED: dict[str, tuple[Changes, int]] = {
    "sound": ({}, OK),
    "a timeout of unknown unit": ({"grpc-timeout": "5x"}, INTERNAL),
    "a timeout without a number": ({"grpc-timeout": ""}, INTERNAL),
    "a timeout below nothing": ({"grpc-timeout": "-1S"}, INTERNAL),
    "a timeout of nothing": ({"grpc-timeout": "0S"}, DEADLINE_EXCEEDED),
    "an unknown compression": ({"grpc-encoding": "brotli"}, INTERNAL),
    "bytes that are not base64": ({"x-some-bin": "!!!"}, INTERNAL),
    "a key with a space": ({"x some": "1"}, INTERNAL),
    "a key of nothing": ({"": "1"}, INTERNAL),
    "an unknown scheme": ({":scheme": "ftp"}, INTERNAL),
    "no type of content": ({"content-type": None}, OK),
    "a trace that is none": ({"traceparent": "zz"}, OK),
}
# Not even the head of an answer.
RESET_AT_ONCE: dict[str, Changes] = {
    "another method": {":method": "GET"},
    "no path": {":path": None},
    "no scheme": {":scheme": None},
    "no authority": {":authority": None},
}


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    with ServiceProcess(tmp_path_factory.mktemp("malformed")) as running:
        yield running


def asked(process: ServiceProcess, changes: Changes, legal: pb.ValidateMoveRequest) -> bytes:
    """What is answered to a call whose head has those changes."""
    fields = {name: text for name, text in (FIELDS | changes).items() if text is not None}
    call = frame(HEADERS, END_HEADERS, 1, fields_block(fields))
    call += frame(DATA, END_STREAM, 1, message(legal.SerializeToString()))
    with socket.create_connection(("127.0.0.1", process.port)) as connection:
        connection.sendall(GREETING + call)
        return heard(connection, lambda text: RESET in text or status_of(text) is not None)


def status_of(answer: bytes) -> int | None:
    """The status in an answer, whose trailers the core writes in plain text."""
    _, found, rest = answer.partition(b"grpc-status")
    return int(rest[1 : 1 + rest[0]]) if found and len(rest) > rest[0] else None


@pytest.mark.parametrize("name", ANSWERED)
def test_a_malformed_head_is_answered_by_the_core(
    name: str, process: ServiceProcess, legal: pb.ValidateMoveRequest
) -> None:
    changes, status = ANSWERED[name]
    assert status_of(asked(process, changes, legal)) == status


@pytest.mark.parametrize("name", RESET_AT_ONCE)
def test_what_is_no_call_is_reset(name: str, process: ServiceProcess, legal: pb.ValidateMoveRequest) -> None:
    answer = asked(process, RESET_AT_ONCE[name], legal)
    assert RESET in answer
    assert status_of(answer) is None


def test_the_core_writes_no_lines_of_its_own(process: ServiceProcess, legal: pb.ValidateMoveRequest) -> None:
    for changes in [changes for changes, _ in ANSWERED.values()] + list(RESET_AT_ONCE.values()):
        asked(process, changes, legal)
    for rubbish in (b"GET / HTTP/1.1\r\n\r\n", GREETING + b"\xff" * 1_000):
        with socket.create_connection(("127.0.0.1", process.port)) as connection:
            connection.sendall(rubbish)
            heard(connection, lambda _text: False, seconds=0.5)
    lines = process.raw_log().splitlines()
    assert lines
    for line in lines:
        assert json.loads(line)["event"]
