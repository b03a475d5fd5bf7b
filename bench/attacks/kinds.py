"""The attacks, each until its time is up. They run in a process of their own, to leave the callers theirs."""

import contextlib
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

from bench.attacks.frames import (
    CANCEL,
    CONTINUATION,
    DATA,
    GREETING,
    HEADERS,
    LONGEST,
    RST_STREAM,
    VALIDATE_MOVE,
    fields_block,
    frame,
    head,
    head_block,
    message,
)
from bench.positions import legal_request, mid_hand
from tarneeb.v1 import cards_pb2, moves_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb

HEALTH_CHECK = "/grpc.health.v1.Health/Check"
REPLAY = "/tarneeb.v1.TarneebService/ReplayGame"
VALIDATE_MOVES = "/tarneeb.v1.TarneebService/ValidateMoves"
# What a server takes by default, less the frame around what is made.
LONGEST_MESSAGE = 1_048_000
CONNECTIONS, HEADS, IDLE, REPLAYS = 2, 500, 5_000, 130
# One less than a server takes at once by default.
WORST_CALLERS = 127
# Seconds that opened streams are left alone before all is opened anew.
REOPENED = 1.0
Attack = Callable[[int, float], int]


@contextlib.contextmanager
def connected(port: int, *, reads: bool = True) -> Iterator[socket.socket]:
    """A connection whose greeting was sent. What comes back is read and thrown away, so that nothing piles up."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(GREETING)
        if reads:
            threading.Thread(target=_throw_away, args=[connection], daemon=True).start()
        yield connection


def _throw_away(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            try:
                if not connection.recv(65_536):
                    return
            except TimeoutError:
                continue


def _on_connections(port: int, seconds: float, count: int, use: Callable[[socket.socket, float], int]) -> int:
    """Use so many connections at once, each opened anew when the server closes it; return how much was done."""
    end = time.monotonic() + seconds

    def work(_number: int) -> int:
        done = 0
        while time.monotonic() < end:
            try:
                with connected(port) as connection:
                    done += use(connection, end)
            except OSError:
                time.sleep(0.01)
        return done

    with ThreadPoolExecutor(count) as threads:
        return sum(threads.map(work, range(count)))


def _nothing(_port: int, seconds: float) -> int:
    time.sleep(seconds)
    return 0


def _silent(path: str) -> Attack:
    def use(connection: socket.socket, end: float) -> int:
        for number in range(HEADS):
            connection.sendall(head(path, 2 * number + 1))
        time.sleep(max(0.0, min(REOPENED, end - time.monotonic())))
        return HEADS

    return lambda port, seconds: _on_connections(port, seconds, CONNECTIONS, use)


def _rapid_resets(port: int, seconds: float) -> int:
    def use(connection: socket.socket, end: float) -> int:
        stream = 1
        while time.monotonic() < end and stream < 2**30:
            batch = b""
            for _ in range(50):
                batch += head(VALIDATE_MOVE, stream) + frame(RST_STREAM, 0, stream, CANCEL)
                stream += 2
            connection.sendall(batch)
        return stream // 2

    return _on_connections(port, seconds, CONNECTIONS, use)


def _continuation(connections: int) -> Attack:
    """A head that never ends."""
    more = fields_block({f"x-{number:04}": "v" * 40 for number in range(300)})[:LONGEST]
    # It ends between two fields.
    more = more[: len(more) // 50 * 50]

    def use(connection: socket.socket, end: float) -> int:
        connection.sendall(frame(HEADERS, 0, 1, head_block(VALIDATE_MOVE)))
        count = 0
        while time.monotonic() < end:
            connection.sendall(frame(CONTINUATION, 0, 1, more))
            count += 1
        return count

    return lambda port, seconds: _on_connections(port, seconds, connections, use)


def _continuation_of_one_field(port: int, seconds: float) -> int:
    """A field that never ends."""
    # A literal, and the length of its value: 2 GiB.
    start = b"\x00\x01x" + bytes([127, 0x81, 0xFF, 0xFF, 0xFF, 0x07])

    def use(connection: socket.socket, end: float) -> int:
        connection.sendall(frame(HEADERS, 0, 1, head_block(VALIDATE_MOVE) + start))
        count = 0
        while time.monotonic() < end:
            connection.sendall(frame(CONTINUATION, 0, 1, b"v" * LONGEST))
            count += 1
        return count

    return _on_connections(port, seconds, CONNECTIONS, use)


def _many_connections(greets: bool) -> Attack:
    def attack(port: int, seconds: float) -> int:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * IDLE), hard))
        end = time.monotonic() + seconds
        with contextlib.ExitStack() as all_of_them:
            made = 0
            with contextlib.suppress(OSError):
                while made < IDLE and time.monotonic() < end:
                    connection = socket.create_connection(("127.0.0.1", port), timeout=5)
                    all_of_them.enter_context(connection)
                    if greets:
                        connection.sendall(GREETING)
                    made += 1
            time.sleep(max(0.0, end - time.monotonic()))
        return made

    return attack


def _no_half_close(port: int, seconds: float) -> int:
    """Calls with a message, whose end is never said."""
    data = message(legal_request(mid_hand("saharat_classic")).SerializeToString())

    def use(connection: socket.socket, end: float) -> int:
        stream = 1
        while time.monotonic() < end:
            for _ in range(50):
                connection.sendall(head(VALIDATE_MOVE, stream) + frame(DATA, 0, stream, data))
                stream += 2
            time.sleep(0.1)
        return stream // 2

    return _on_connections(port, seconds, CONNECTIONS, use)


def _large_metadata(size: int, connections: int = CONNECTIONS) -> Attack:
    def attack(port: int, seconds: float) -> int:
        more = {"x-large": "v" * size}

        def use(connection: socket.socket, end: float) -> int:
            stream = 1
            while time.monotonic() < end:
                connection.sendall(head(VALIDATE_MOVE, stream, more))
                stream += 2
            return stream // 2

        return _on_connections(port, seconds, connections, use)

    return attack


def _slow_bodies(port: int, seconds: float) -> int:
    """Messages that come a byte a second."""
    data = message(b"\x00" * 1_000)

    def use(connection: socket.socket, end: float) -> int:
        streams = range(1, 401, 2)
        connection.sendall(b"".join(head(VALIDATE_MOVE, stream) for stream in streams))
        for byte in data:
            if time.monotonic() > end:
                break
            connection.sendall(b"".join(frame(DATA, 0, stream, bytes([byte])) for stream in streams))
            time.sleep(1)
        return len(streams)

    return _on_connections(port, seconds, CONNECTIONS, use)


def _calls(path: str, payload: bytes, count: int) -> Attack:
    """So many callers at once, each with its own connection, who call again as soon as they are answered."""

    def attack(port: int, seconds: float) -> int:
        end = time.monotonic() + seconds

        def work(_number: int) -> int:
            done = 0
            with grpc.insecure_channel(
                f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]
            ) as channel:
                call: Callable[..., bytes] = channel.unary_unary(path)
                while time.monotonic() < end:
                    with contextlib.suppress(grpc.RpcError):
                        call(payload, timeout=max(0.1, end - time.monotonic()))
                    done += 1
            return done

        with ThreadPoolExecutor(count) as threads:
            return sum(threads.map(work, range(count)))

    return attack


def long_record() -> bytes:
    """A whole game of 1,000 hands that all pass out, the most that is taken."""
    request = pb.ReplayGameRequest()
    request.record.id = "long"
    request.record.rule_set.preset_id = "saharat_classic"
    request.record.first_dealer = cards_pb2.SEAT_NORTH
    for number in range(1_000):
        hand = request.record.hands.add()
        hand.deal.seeded.seed = number.to_bytes(16, "big")
        for step in range(4):
            seat = cards_pb2.Seat.ValueType((number + 1 + step) % 4 + 1)
            hand.moves.add(seat=seat, call=moves_pb2.Call(kind=moves_pb2.CALL_KIND_PASS))
    return request.SerializeToString()


def empty_moves(size: int = LONGEST_MESSAGE) -> bytes:
    """A record with as many empty moves as fit; as objects they take 24 times their length."""
    hand = b"\x12\x00" * (size // 2)
    record = b"\x22" + _varint(len(hand)) + hand
    return b"\x0a" + _varint(len(record)) + record


def empty_rules(size: int = LONGEST_MESSAGE) -> bytes:
    """A batch of items, each a game of empty rules: of all that was tried it takes most memory, 57 times its length."""
    return b"\x0a\x04\x0a\x02\x1a\x00" * (size // 6)


def _varint(number: int) -> bytes:
    made = bytearray()
    while number >= 128:
        made.append(number % 128 + 128)
        number //= 128
    return bytes([*made, number])


def _worst(port: int, seconds: float) -> int:
    """Both of the worst contents at once, as many of each as are let in and more."""
    attacks = (
        _calls(VALIDATE_MOVES, empty_rules(), WORST_CALLERS),
        _calls(REPLAY, empty_moves(), WORST_CALLERS // 4),
    )
    with ThreadPoolExecutor(2) as threads:
        return sum(threads.map(lambda attack: attack(port, seconds), attacks))


ATTACKS: dict[str, Attack] = {
    "nothing": _nothing,
    "silent streams": _silent(VALIDATE_MOVE),
    "silent health checks": _silent(HEALTH_CHECK),
    "rapid resets": _rapid_resets,
    "head without an end": _continuation(CONNECTIONS),
    "field without an end": _continuation_of_one_field,
    "idle connections": _many_connections(True),
    "mute connections": _many_connections(False),
    "replays": _calls(REPLAY, long_record(), REPLAYS),
    "no half-close": _no_half_close,
    "metadata of 7 kB": _large_metadata(7_000),
    "metadata of 1 MB": _large_metadata(1_000_000),
    "slow bodies": _slow_bodies,
    "empty rules and empty moves": _worst,
    "empty moves": _calls(REPLAY, empty_moves(), WORST_CALLERS),
    "metadata of 1 MB, 8 connections": _large_metadata(1_000_000, 8),
    "head without an end, 8 connections": _continuation(8),
    "empty rules": _calls(VALIDATE_MOVES, empty_rules(), WORST_CALLERS),
}
