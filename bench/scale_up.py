"""How long a new replica waits for its first calls, by the age at which connections end.

Two real replicas and some clients with what docs/operations.md tells them, that find the replicas by name, in a DNS
server of ours. A third one is added to the name; each client is then watched until it calls it. A client asks for the
name again only when one of its connections ends, and not within half a minute of the last time.
"""

import argparse
import os
import socket
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc

from bench.bursts import cpu_seconds
from bench.callers import DEADLINE, DOCUMENTED, METHOD
from bench.positions import legal_request, mid_hand
from harness.service_process import ServiceProcess

NAME = "tarneeb.test"
# Every address of this net is the machine's own.
ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
CLIENTS = 12
# Seconds between two calls of a client.
PAUSE = 0.1
_TYPE_A = 1


class Names(threading.Thread):
    """Answers every question for an IPv4 address with those that are up, for five seconds as Kubernetes does."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.up: list[str] = []
        self.asked = 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]

    def run(self) -> None:
        while True:
            question, who = self._socket.recvfrom(512)
            self._socket.sendto(self._answer(question), who)

    def _answer(self, question: bytes) -> bytes:
        end = question.index(b"\0", 12) + 5
        kind = int.from_bytes(question[end - 4 : end - 2], "big")
        found = self.up if kind == _TYPE_A else []
        self.asked += kind == _TYPE_A
        # An answer, with recursion; one question, and so many records that point at its name.
        head = question[:2] + b"\x81\x80\x00\x01" + len(found).to_bytes(2, "big") + bytes(4)
        record = b"\xc0\x0c\x00\x01\x00\x01" + (5).to_bytes(4, "big") + b"\x00\x04"
        return head + question[12:end] + b"".join(record + socket.inet_aton(address) for address in found)


class Client(threading.Thread):
    """Calls on a channel of its own, and notes when it first met each replica."""

    def __init__(self, target: str) -> None:
        super().__init__()
        # Channels of one process would share their connections.
        options = [*DOCUMENTED, ("grpc.use_local_subchannel_pool", 1)]
        self._channel = grpc.insecure_channel(target, options=options)
        self.ended = threading.Event()
        self.met: dict[str, float] = {}
        self.calls, self.lost = 0, Counter[str]()

    def run(self) -> None:
        call: Any = self._channel.unary_unary(METHOD)
        payload = legal_request(mid_hand("saharat_classic")).SerializeToString()
        while not self.ended.wait(PAUSE):
            self.calls += 1
            try:
                _, told = call.with_call(payload, timeout=DEADLINE)
            except grpc.RpcError as error:
                self.lost[error.code().name] += 1
                continue
            # A request id that the service made begins with what is its process's own.
            replica = dict(told.trailing_metadata())["x-request-id"].partition("-")[0]
            self.met.setdefault(replica, time.monotonic())
        self._channel.close()


@contextmanager
def clients(target: str, age: float) -> Iterator[list[Client]]:
    """Clients that began at different times, as they do."""
    made = [Client(target) for _ in range(CLIENTS)]
    try:
        for client in made:
            client.start()
            time.sleep(min(age, 30) / CLIENTS)
        yield made
    finally:
        for client in made:
            client.ended.set()
        for client in made:
            client.join(10)


def run(age: float, seconds: float) -> str:
    """Add a replica, wait for all clients to call it, and return a line of a table."""
    names = Names()
    names.start()
    chosen: dict[str, object] = {
        "TARNEEB_MAX_CONNECTION_AGE_SECONDS": age,
        "TARNEEB_LOG_SUCCESSES_PER_SECOND": 0,
    }
    with tempfile.TemporaryDirectory() as folder, ExitStack() as replicas:

        def start(address: str, port: int) -> ServiceProcess:
            more = {"TARNEEB_HOST": address, "TARNEEB_PORT": port}
            return replicas.enter_context(ServiceProcess(Path(folder), chosen | more))

        port = start(ADDRESSES[0], 0).port
        start(ADDRESSES[1], port)
        names.up = list(ADDRESSES[:2])
        target = f"dns://127.0.0.1:{names.port}/{NAME}:{port}"
        with clients(target, age) as callers:
            old = {replica for client in callers for replica in client.met}
            assert len(old) == 2, old
            start(ADDRESSES[2], port)
            names.up = list(ADDRESSES)
            began = time.monotonic()
            while time.monotonic() < began + seconds and not all(len(it.met) > 2 for it in callers):
                time.sleep(0.1)
            waited = [max(it.met.values()) - began for it in callers if len(it.met) > 2]
        calls, lost = sum(it.calls for it in callers), sum((it.lost for it in callers), Counter[str]())
    waited.sort()
    middle = statistics.median(waited) if waited else float("nan")
    return (
        f"| {age:.0f} | {len(waited)} of {CLIENTS} | {min(waited, default=0):.0f} | {middle:.0f} "
        f"| {max(waited, default=0):.0f} | {lost.total()} of {calls} {dict(lost) or ''} | {names.asked} "
        f"| {os.getloadavg()[0]:.1f} |"
    )


def connecting(count: int = 500) -> float:
    """The CPU ms of the server that a connection with one call costs more than the call on an open one."""
    payload = legal_request(mid_hand("saharat_classic")).SerializeToString()
    with tempfile.TemporaryDirectory() as folder, ServiceProcess(Path(folder)) as service:

        def cost(connections: int) -> float:
            before = cpu_seconds(service.pid)
            for _ in range(connections):
                own = [("grpc.use_local_subchannel_pool", 1)]
                with grpc.insecure_channel(f"127.0.0.1:{service.port}", own) as channel:
                    call: Any = channel.unary_unary(METHOD)
                    for _ in range(count // connections):
                        call(payload, timeout=10)
            return cpu_seconds(service.pid) - before

        cost(1)
        return (cost(count) - cost(1)) / count * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--age", type=float, action="append", help="seconds, several; 30, 60 and 120 by default"
    )
    options = parser.parse_args()
    print(f"a connection costs the server {connecting():.2f} ms of CPU; load {os.getloadavg()[0]:.1f}")
    print(
        "| age, s | clients that met it | first after, s | median, s | last, s | calls lost | asked | load |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for age in options.age or (30, 60, 120):
        # The age varies by a tenth, and a name is not asked for twice in half a minute.
        print(run(age, 1.1 * age + 60), flush=True)


if __name__ == "__main__":
    main()
