"""Callers who call all the time beside what is tried, and what became of their calls."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

import grpc

from bench.positions import legal_request, mid_hand
from harness.service_process import SERVICE_CONFIG
from tarneeb.v1.tarneeb_service_pb2 import ValidateMoveResponse

METHOD = "/tarneeb.v1.TarneebService/ValidateMove"
# What docs/operations.md tells callers: this service config, and a deadline for each call.
DEADLINE = 2.0
DOCUMENTED = (("grpc.service_config", SERVICE_CONFIG),)
# One channel with nothing said, as most programs begin.
NAIVE: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """One call: when it ended, how long it took, and its status unless it was answered; times in seconds."""

    end: float
    seconds: float
    code: str = ""


@dataclass
class Tally:
    """What came of some calls."""

    calls: list[Told] = field(default_factory=list)

    @property
    def lost(self) -> Counter[str]:
        return Counter(call.code for call in self.calls if call.code)

    @property
    def slowest(self) -> float:
        return max((call.seconds for call in self.calls), default=0.0)

    def percentile(self, share: float) -> float:
        """The time within which this share of the calls ended, lost ones too."""
        times = sorted(call.seconds for call in self.calls)
        return times[min(len(times) - 1, int(share * len(times)))] if times else 0.0

    def between(self, start: float, end: float) -> "Tally":
        """The calls that ended in that time."""
        return Tally([call for call in self.calls if start <= call.end < end])

    def lost_text(self) -> str:
        """Lost of all, by code."""
        codes = ", ".join(f"{code} {count}" for code, count in sorted(self.lost.items()))
        return f"{self.lost.total()} of {len(self.calls)}" + (f" ({codes})" if codes else "")


class Callers:
    """Threads that ask for a verdict again and again until the block ends."""

    def __init__(
        self,
        ports: Sequence[int],
        options: Sequence[tuple[str, str]] = DOCUMENTED,
        *,
        threads: int = 4,
        deadline: float = DEADLINE,
        pause: float = 0.0,
    ) -> None:
        """Call those ports of this machine, on one channel, with seconds of pause between two calls of a thread."""
        addresses = ",".join(f"127.0.0.1:{port}" for port in ports)
        # Its own connections: another channel of this process may have some to the same ports.
        own = [*options, ("grpc.use_local_subchannel_pool", 1)]
        self._channel = grpc.insecure_channel(f"ipv4:{addresses}", options=own)
        self._deadline, self._pause = deadline, pause
        self._payload = legal_request(mid_hand("saharat_classic")).SerializeToString()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._call_on) for _ in range(threads)]
        self.tally = Tally()

    def __enter__(self) -> Self:
        grpc.channel_ready_future(self._channel).result(20)
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(self._deadline + 30)
        self._channel.close()

    def _call_on(self) -> None:
        call: Callable[..., ValidateMoveResponse] = self._channel.unary_unary(
            METHOD, response_deserializer=ValidateMoveResponse.FromString
        )
        while not self._stop.is_set():
            began, code = time.monotonic(), ""
            try:
                assert call(self._payload, timeout=self._deadline).verdict.ruling == 1
            except grpc.RpcError as error:
                code = error.code().name
            end = time.monotonic()
            self.tally.calls.append(Told(end, end - began, code))
            if self._pause:
                self._stop.wait(self._pause)
