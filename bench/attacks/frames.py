"""HTTP/2 by hand, as no gRPC library makes it."""

from collections.abc import Mapping

VALIDATE_MOVE = "/tarneeb.v1.TarneebService/ValidateMove"
# The greeting of a client, and settings that change nothing.
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
DATA, HEADERS, RST_STREAM, CONTINUATION = 0, 1, 3, 9
END_STREAM, END_HEADERS = 1, 4
# The longest frame that anybody must take.
LONGEST = 16_384
CANCEL = (8).to_bytes(4, "big")


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def fields_block(fields: Mapping[str, str]) -> bytes:
    """Header fields in literals, as HPACK writes them without an index or Huffman's code."""
    texts = (text.encode() for field in fields.items() for text in field)
    parts = [_length(text) + text for text in texts]
    return b"".join(b"\x00" + name + value for name, value in zip(parts[::2], parts[1::2], strict=True))


def head_block(path: str, more: Mapping[str, str] | None = None) -> bytes:
    """The head of a call."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "localhost",
        "content-type": "application/grpc",
        "te": "trailers",
    }
    return fields_block(fields | dict(more or {}))


def head(path: str, stream: int, more: Mapping[str, str] | None = None) -> bytes:
    """The head of a call, in as many frames as it takes."""
    block = head_block(path, more)
    parts = [block[start : start + LONGEST] for start in range(0, len(block), LONGEST)]
    last = len(parts) - 1
    return b"".join(
        frame(CONTINUATION if number else HEADERS, END_HEADERS if number == last else 0, stream, part)
        for number, part in enumerate(parts)
    )


def message(body: bytes) -> bytes:
    """A message as gRPC puts it into data frames."""
    return b"\x00" + len(body).to_bytes(4, "big") + body


def _length(text: bytes) -> bytes:
    """A length as HPACK writes one, in seven bits and more bytes where it must."""
    if len(text) < 127:
        return bytes([len(text)])
    rest, made = len(text) - 127, bytearray([127])
    while rest >= 128:
        made.append(rest % 128 + 128)
        rest //= 128
    return bytes([*made, rest])
