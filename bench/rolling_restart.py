"""Restarts two replicas in turn, under load, and counts what callers lose: nothing, it must say.

Real processes, one channel with client-side round robin and the service config of docs/operations.md; the
callers do not retry themselves. 12 restarts take about a minute.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from bench.positions import legal_request, mid_hand
from harness.service_process import SERVICE_CONFIG, ServiceProcess
from tarneeb.v1.tarneeb_service_pb2 import ValidateMoveResponse

METHOD = "/tarneeb.v1.TarneebService/ValidateMove"
HANDLED = (
    'grpc_server_handled_total{grpc_code="OK",grpc_method="ValidateMove"'
    ',grpc_service="tarneeb.v1.TarneebService",grpc_type="unary"}'
)
CALLERS, DEADLINE = 8, 20


@dataclass
class Result:
    """What came of it."""

    restarts: int
    calls: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    lost: Counter[str] = field(default_factory=Counter)
    exit_codes: list[int] = field(default_factory=list)
    refused: int = 0

    def text(self) -> str:
        lost = dict(self.lost) or 0
        return (
            f"{self.restarts} restarts, {self.calls} calls in {self.seconds:.0f} s, lost: {lost}; "
            f"slowest {self.slowest * 1000:.0f} ms; told to go elsewhere and retried: {self.refused}; "
            f"exit codes {sorted(set(self.exit_codes))}"
        )


def run(
    restarts: int, drain: float, *, retry: bool = True, health: bool = True, deadline: float = DEADLINE
) -> Result:
    """Restart two replicas by turns and return what callers saw."""
    result = Result(restarts)
    settings = {
        "TARNEEB_DRAIN_SECONDS": drain,
        "TARNEEB_GRACE_SECONDS": 5,
        "TARNEEB_LOG_SUCCESSES_PER_SECOND": 0,
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        replicas = [ServiceProcess(folder, settings) for _ in range(2)]
        ports = [replica.port for replica in replicas]
        try:
            with _load(ports, result, retry=retry, health=health, deadline=deadline):
                for replica in replicas:
                    _wait_for_calls(replica)
                for number in range(restarts):
                    index = number % 2
                    replicas[index].process.terminate()
                    result.exit_codes.append(replicas[index].wait())
                    result.refused += sum(
                        line.get("refused") == "stopping" for line in replicas[index].lines()
                    )
                    replicas[index] = ServiceProcess(folder, {**settings, "TARNEEB_PORT": ports[index]})
                    # As a Deployment does, which stops a pod only once the next is ready and known.
                    _wait_for_calls(replicas[index])
        finally:
            for replica in replicas:
                replica.kill()
    return result


class _load:  # noqa: N801  # used as a verb
    """Callers that call until the block ends."""

    def __init__(
        self, ports: list[int], result: Result, *, retry: bool, health: bool, deadline: float
    ) -> None:
        config = json.loads(SERVICE_CONFIG)
        self._deadline = deadline
        # A machine that stalls for a second is not to look like a lost call; the slowest one is shown.
        config["methodConfig"][0]["timeout"] = f"{deadline}s"
        if not retry:
            del config["methodConfig"][0]["retryPolicy"]
        if not health:
            del config["healthCheckConfig"]
        options = [
            ("grpc.service_config", json.dumps(config)),
            ("grpc.initial_reconnect_backoff_ms", 200),
            ("grpc.max_reconnect_backoff_ms", 400),
        ]
        addresses = ",".join(f"127.0.0.1:{port}" for port in ports)
        self._channel = grpc.insecure_channel(f"ipv4:{addresses}", options=options)
        self._result = result
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._call_on) for _ in range(CALLERS)]
        self._payload = legal_request(mid_hand("saharat_classic")).SerializeToString()

    def __enter__(self) -> None:
        grpc.channel_ready_future(self._channel).result(20)
        self._began = time.monotonic()
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(30)
        self._result.seconds = time.monotonic() - self._began
        self._channel.close()

    def _call_on(self) -> None:
        call: Callable[..., ValidateMoveResponse] = self._channel.unary_unary(
            METHOD, response_deserializer=ValidateMoveResponse.FromString
        )
        calls, slowest, lost = 0, 0.0, Counter[str]()
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                assert call(self._payload, timeout=self._deadline).verdict.ruling == 1
            except grpc.RpcError as error:
                lost[error.code().name] += 1
            calls += 1
            slowest = max(slowest, time.monotonic() - began)
        with self._lock:
            self._result.calls += calls
            self._result.slowest = max(self._result.slowest, slowest)
            self._result.lost += lost


def _wait_for_calls(replica: ServiceProcess) -> None:
    end = time.monotonic() + 20
    while replica.sample(HANDLED) < 20:
        assert time.monotonic() < end, "no calls reached the replica"
        time.sleep(0.05)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--restarts", type=int, default=12)
    parser.add_argument("--drain", type=float, default=1.0)
    parser.add_argument(
        "--deadline", type=float, default=DEADLINE, help="seconds a call may take, retries included"
    )
    parser.add_argument("--no-retry", action="store_true", help="callers without the retry policy")
    parser.add_argument("--no-health", action="store_true", help="callers that do not watch health")
    options = parser.parse_args()
    result = run(
        options.restarts,
        options.drain,
        retry=not options.no_retry,
        health=not options.no_health,
        deadline=options.deadline,
    )
    print(result.text())
    sys.exit(bool(result.lost))


if __name__ == "__main__":
    main()
