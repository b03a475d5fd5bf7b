"""The servers that are compared, each a process on the first core."""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from bench.load import Load, load_client
from bench.programs import build
from bench.served import NOTHING
from bench.streams import Request, write
from harness.serving import Server, port_of, serving_on, started_apart

REAL = {"metrics_port": "auto", "metrics_host": "127.0.0.1", "log_level": "info"}
SECONDS = 30.0


class Servers:
    """Starts servers, and ends them together."""

    def __init__(self, stack: ExitStack, folder: Path, log: IO[str]) -> None:
        self._stack, self.folder, self._log = stack, folder, log
        self._number = 0

    def real(
        self, settings: Mapping[str, str] | None = None, *, memory: bool = True, look: str = "", core: int = 0
    ) -> "RealServer":
        """The service as it ships, with its memory of checked games or without; ``look`` as in ``bench.served``."""
        self._number += 1
        times = self.folder / f"times-{self._number}.json"
        chosen = REAL | dict(settings or {}) | ({} if memory else {"memory_games": "0"})
        program = ("-m", "bench.served" if look else "tarneeb_service")
        given = {"BENCH_LOOK": look, "BENCH_TIMES": str(times), "BENCH_ANSWERS": str(self._answers)}
        os.environ.update(given)
        try:
            server = serving_on(core, program, chosen, self._log)
            return RealServer(self._stack.enter_context(server), times)
        finally:
            for name in given:
                del os.environ[name]

    @property
    def _answers(self) -> Path:
        return self.folder / "answers"

    def answering(self, answers: list[Request]) -> None:
        """Set what echoes answer, one message a method."""
        write(self._answers, answers)

    def nothing(self) -> Server:
        """The service, with handlers that do nothing."""
        return self.real(memory=False, look=NOTHING).server

    def echo(self) -> Server:
        """GRPC's own server with handlers that do nothing."""
        return self._started([sys.executable, "-m", "bench.echo_server", str(self._answers)])

    def cpp_echo(self) -> Server:
        """The same in C++, on one thread."""
        return self._started([str(build("echo")), str(self._answers)])

    def _started(self, command: list[str]) -> Server:
        process = self._stack.enter_context(started_apart(command, log=self._log))
        return Server(process.pid, port_of(process))


class RealServer:
    """The service, and the times that it takes if it was asked to."""

    def __init__(self, server: Server, times: Path) -> None:
        self.server, self._times = server, times

    def times(self) -> dict[str, list[int]]:
        """The CPU nanoseconds since the last time this was asked, by method and part."""
        self._times.unlink(missing_ok=True)
        os.kill(self.server.pid, signal.SIGUSR1)
        end = time.monotonic() + SECONDS
        while not self._times.exists():
            if time.monotonic() > end:
                raise RuntimeError("the server did not hand over its times")
            time.sleep(0.01)
        taken: dict[str, list[int]] = json.loads(self._times.read_text())
        return taken


@contextmanager
def bench(cores: Sequence[int] | None = None) -> Iterator[tuple[Load, Servers]]:
    """A load client, on these cores or on all but the first, and a way to start servers; all end with the block."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        log = stack.enter_context(tempfile.TemporaryFile("w"))
        yield stack.enter_context(load_client(folder, cores)), Servers(stack, folder, log)
