"""What strangers may try at the gateway, with bounds, on loopback: others lose no call, and Envoy keeps its memory."""

import contextlib
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc

from tools.check_deploy.documents import bytes_of
from tools.check_deploy.gateway import PATH, Gateway, deployed_container, envoy
from tools.check_deploy.losses import load
from tools.check_deploy.processes import HOST, Service, service

SECONDS = 4.0
CALLERS = 4
IDLE_CONNECTIONS = 2_000
FLOODS, FLOOD_BYTES = 4, 64 * 2**20
RESETS = 50_000
# Connections, calls of each, and bytes of a call that never ends.
HALF_CALLS = (10, 64, 1_000_000)
LEAST_MADE = 200

# Of HTTP/2: what a client says first, and types and flags of frames.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADERS, RESET, SETTINGS, CONTINUATION = 1, 3, 4, 9
END_HEADERS = 4


def _frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def _header(name: str, value: str) -> bytes:
    """One header, neither compressed nor remembered."""
    return b"\0" + bytes((len(name),)) + name.encode() + bytes((len(value),)) + value.encode()


CALL = b"".join(
    _header(name, value)
    for name, value in (
        (":method", "POST"),
        (":scheme", "http"),
        (":authority", "tarneeb"),
        (":path", PATH + "ListRuleSets"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    )
)


def _connect(gateway: Gateway) -> socket.socket:
    connection = socket.create_connection((HOST, gateway.port), timeout=SECONDS)
    connection.sendall(PREFACE + _frame(SETTINGS, 0, 0))
    return connection


def _idle(gateway: Gateway, stack: ExitStack) -> str:
    """Connections that are opened and left alone."""
    for _ in range(IDLE_CONNECTIONS):
        stack.enter_context(_connect(gateway))
    return f"{IDLE_CONNECTIONS} idle connections"


def _continuation_flood(gateway: Gateway, stack: ExitStack) -> str:
    """Headers that never end."""
    piece = _frame(CONTINUATION, 0, 1, _header("x-a", "y" * 100) * 140)
    sent = 0
    for _ in range(FLOODS):
        connection = stack.enter_context(_connect(gateway))
        with contextlib.suppress(OSError):
            connection.sendall(_frame(HEADERS, 0, 1, CALL))
            for _ in range(FLOOD_BYTES // len(piece)):
                connection.sendall(piece)
                sent += len(piece)
    if sent >= FLOODS * FLOOD_BYTES // 2:
        raise RuntimeError(f"Envoy took {sent} bytes of headers")
    return f"{FLOODS} floods of headers, cut off after {sent / FLOODS / 2**20:.1f} MiB each"


def _rapid_reset(gateway: Gateway, stack: ExitStack) -> str:
    """Calls that are taken back as soon as they are made."""
    made = connections = 0
    while made < RESETS:
        connection = stack.enter_context(_connect(gateway))
        connections += 1
        with contextlib.suppress(OSError):
            for stream in range(1, 20_001, 2):
                connection.sendall(
                    _frame(HEADERS, END_HEADERS, stream, CALL)
                    + _frame(RESET, 0, stream, struct.pack(">I", 8))
                )
                made += 1
    return f"{made} calls reset, over {connections} connections"


def _half_calls(gateway: Gateway, stack: ExitStack) -> str:
    """Calls that have most of their message and never the rest."""
    connections, calls, size = HALF_CALLS
    over = threading.Event()
    stack.callback(over.set)

    def half() -> Iterator[bytes]:
        yield bytes(size)
        over.wait(3 * SECONDS)

    for _ in range(connections):
        options = [("grpc.use_local_subchannel_pool", 1)]
        channel = stack.enter_context(grpc.insecure_channel(gateway.address, options))
        method: grpc.StreamUnaryMultiCallable[bytes, bytes] = channel.stream_unary(PATH + "CreateGame")
        for _ in range(calls):
            stack.callback(method.future(half(), timeout=3 * SECONDS).cancel)
    return f"{connections * calls} calls with a megabyte each that do not end"


ATTACKS: tuple[Callable[[Gateway, ExitStack], str], ...] = (
    _idle,
    _continuation_flood,
    _rapid_reset,
    _half_calls,
)


def _most_memory(process_id: int) -> int:
    """The most bytes that a process ever had."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


def _in_flight(services: list[Service]) -> float:
    text = "".join(each.metrics() for each in services)
    return sum(map(float, re.findall(r"^tarneeb_calls_in_flight (\S+)", text, re.MULTILINE)))


def check(program: Path) -> str:
    """Try everything, one after the other, each at a new Envoy and beside callers that behave.

    Raises:
        RuntimeError: A caller lost a call, Envoy took more memory than its Deployment gives it, or a service was held.
    """
    limit = bytes_of(deployed_container()["resources"]["limits"]["memory"])
    found = []
    with ExitStack() as backends:
        services = [backends.enter_context(service()) for _ in range(2)]
        for attack in ATTACKS:
            with envoy(program, services) as gateway, ExitStack() as stack:
                with load(gateway.address, CALLERS) as others:
                    said = attack(gateway, stack)
                    time.sleep(SECONDS / 2)
                    held = _in_flight(services)
                memory = _most_memory(gateway.process_id)
            said += f": {others} beside them, Envoy {memory // 2**20} MiB"
            if others.lost or others.made < LEAST_MADE or memory > limit or held > 2 * CALLERS:
                raise RuntimeError(f"{said} of {limit // 2**20}, {held} calls in flight")
            found.append(said)
    return "; ".join(found)
