"""Calls in HTTP/2 by hand, as no gRPC library makes them."""

import contextlib
import socket
import time
from collections.abc import Callable, Iterator

from bench.attacks.frames import GREETING, VALIDATE_MOVE, frame, head
from tests.server.support import Service

# The first five bytes of the frame that ends a stream.
RESET = bytes([0, 0, 4, 3, 0])
_PING = 6
PING = frame(_PING, 0, 0, bytes(8))
PONG = frame(_PING, 1, 0, bytes(8))
# How a ping of the server begins.
SERVERS_PING = bytes([0, 0, 8, _PING, 0])
TOO_MANY_PINGS = b"too_many_pings"
# What ``heard`` ends with when the server closed the connection.
CLOSED = b"<closed>"


@contextlib.contextmanager
def open_calls(
    service: Service,
    count: int,
    path: str = VALIDATE_MOVE,
    port: int = 0,
    source: str = "127.0.0.1",
) -> Iterator[socket.socket]:
    """Calls in HTTP/2 by hand, from an address of this machine: their heads, and no body ever."""
    address = ("127.0.0.1", port or service.server.port)
    with socket.create_connection(address, source_address=(source, 0)) as connection:
        connection.sendall(GREETING)
        for number in range(count):
            connection.sendall(headers_frame(path, stream=2 * number + 1))
        yield connection


def headers_frame(path: str, stream: int) -> bytes:
    """A HEADERS frame."""
    return head(path, stream)


def heard(connection: socket.socket, enough: Callable[[bytes], bool], seconds: float = 5) -> bytes:
    """What the server sends until it is enough, it closes, or the time is up."""
    end, all_of_it = time.monotonic() + seconds, b""
    while not enough(all_of_it) and (left := end - time.monotonic()) > 0:
        connection.settimeout(left)
        try:
            part = connection.recv(65_536)
        except TimeoutError:
            break
        except ConnectionResetError:
            part = b""
        if not part:
            return all_of_it + CLOSED
        all_of_it += part
    return all_of_it


def count_of_resets(connection: socket.socket, most: int) -> int:
    """How many calls the server ended with a RST_STREAM frame, up to ``most``."""
    return heard(connection, lambda text: text.count(RESET) >= most).count(RESET)
