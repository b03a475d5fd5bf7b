"""Calls of the service, each timed, held against what it must answer, and reported."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub

OK = grpc.StatusCode.OK
# Name, seconds, bytes of the answer, and what went wrong.
Report = Callable[[str, float, int, Exception | None], None]


class UnexpectedError(Exception):
    """The service answered, but not as it must."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where the service is, and how to speak to it."""

    host: str
    tls: bool = False
    ca: str = ""
    cert: str = ""
    key: str = ""
    token_file: str = ""

    def channel(self) -> grpc.Channel:
        """A connection of its own: gRPC shares one among channels that look alike."""
        options = [("grpc.use_local_subchannel_pool", 1)]
        if not (self.tls or self.ca or self.cert):
            return grpc.insecure_channel(self.host, options)
        roots, key, cert = (
            Path(name).read_bytes() if name else None for name in (self.ca, self.key, self.cert)
        )
        return grpc.secure_channel(self.host, grpc.ssl_channel_credentials(roots, key, cert), options)

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What each call carries."""
        if not self.token_file:
            return ()
        return (("authorization", f"Bearer {Path(self.token_file).read_text(encoding='utf-8').strip()}"),)


class Caller:
    """Calls over one channel. Nothing is repeated: a call that fails is what a load test is to find."""

    def __init__(
        self,
        channel: grpc.Channel,
        metadata: tuple[tuple[str, str], ...] = (),
        deadline: float = 2.0,
        report: Report = lambda *_: None,
    ) -> None:
        """Give each call this many seconds."""
        self._stub, self._metadata = TarneebServiceStub(channel), metadata
        self._deadline, self._report = deadline, report

    def __call__(
        self,
        method: str,
        request: Any,
        problem: Callable[[Any], str] | None = None,
        name: str = "",
        code: grpc.StatusCode = OK,
    ) -> Any:
        """Call a method, report it under ``name``, and return the answer, none where it had to fail and did.

        ``problem`` says what is wrong with an answer; ``code`` is how the call must end.

        Raises:
            grpc.RpcError: It failed.
            UnexpectedError: It did not end as it must, or the answer is wrong.
        """
        response: Any = None
        error: Exception | None = None
        began = time.perf_counter()
        try:
            response = getattr(self._stub, method)(request, timeout=self._deadline, metadata=self._metadata)
        except grpc.RpcError as failure:
            if failure.code() is not code:
                error = failure
        else:
            if code is not OK:
                error = UnexpectedError(f"answered, not {code.name}")
            elif problem and (text := problem(response)):
                error = UnexpectedError(text)
        seconds = time.perf_counter() - began
        self._report(name or method, seconds, 0 if response is None else response.ByteSize(), error)
        if error is not None:
            raise error
        return response
