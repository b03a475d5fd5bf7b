"""Calls in HTTP/2 by hand, as no gRPC library makes them."""

import contextlib
import socket
from collections.abc import Iterator

from tests.server.support import Service

# The first five bytes of the frame that ends a stream.
RESET = bytes([0, 0, 4, 3, 0])


@contextlib.contextmanager
def open_calls(
    service: Service,
    count: int,
    path: str = "/tarneeb.v1.TarneebService/ValidateMove",
    port: int = 0,
    source: str = "127.0.0.1",
) -> Iterator[socket.socket]:
    """Calls in HTTP/2 by hand, from an address of this machine: their heads, and no body ever."""
    address = ("127.0.0.1", port or service.server.port)
    with socket.create_connection(address, source_address=(source, 0)) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
        for number in range(count):
            connection.sendall(headers_frame(path, stream=2 * number + 1))
        yield connection


def headers_frame(path: str, stream: int) -> bytes:
    """A HEADERS frame, in literals, as HPACK writes them without an index or Huffman's code."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "localhost",
        "content-type": "application/grpc",
        "te": "trailers",
    }
    block = b""
    for name, value in fields.items():
        block += b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
    return len(block).to_bytes(3, "big") + bytes([1, 4]) + stream.to_bytes(4, "big") + block


def count_of_resets(connection: socket.socket, most: int) -> int:
    """How many calls the server ended with a RST_STREAM frame, up to ``most``."""
    connection.settimeout(5)
    heard = b""
    with contextlib.suppress(TimeoutError):
        while heard.count(RESET) < most:
            heard += connection.recv(4096)
    return heard.count(RESET)
