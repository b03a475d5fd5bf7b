"""The record of a call, from its arrival to its answer."""

import itertools
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import unquote

from tarneeb_service.rpc.dispatch import Outcome
from tarneeb_service.rpc.errors import Shed

REQUEST_ID, TRACE_PARENT = "x-request-id", "traceparent"
LONGEST_TEXT = 64
OK, CANCELLED, DEADLINE_EXCEEDED = 0, 1, 4
_prefix = os.urandom(8).hex()
_numbers = itertools.count(1)
_TRACE = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})")


# Made on every call, and filled as it goes on, so not frozen.
@dataclass(slots=True)
class Call:
    """A call to one of our methods, or to a path that is none.

    ``ended`` says in words why a call got no answer of ours. ``seconds`` counts from its arrival. ``sampled`` says
    whether its caller traces it, none that he says nothing of traces.
    """

    service: str
    method: str
    metadata: Iterable[Any]
    path: str = ""
    request_id: str = ""
    trace_id: str = ""
    sampled: bool | None = None
    request_bytes: int = 0
    code: int = CANCELLED
    outcome: Outcome | None = None
    refused: Shed | None = None
    ended: str = ""
    seconds: float = 0.0
    began: float = field(default_factory=perf_counter)

    def read_ids(self) -> None:
        """Take request and trace id from the metadata; without a sane request id, make one."""
        for key, text in self.metadata:
            if key == REQUEST_ID and not self.request_id:
                if 0 < len(text) <= LONGEST_TEXT and text.isascii() and text.isprintable():
                    self.request_id = text
            elif key == TRACE_PARENT:
                match = _TRACE.fullmatch(text)
                self.trace_id, self.sampled = (match[1], int(match[2], 16) % 2 == 1) if match else ("", None)
        if not self.request_id:
            # Random for the process, counted within it.
            self.request_id = f"{_prefix}-{next(_numbers):x}"

    def end(self, code: int) -> None:
        """Note how it ended, and when."""
        self.code, self.seconds = code, perf_counter() - self.began


# Asked only where a line is written: it costs a call into gRPC's core.
Peer = Callable[[], str]


def clean(text: str) -> str:
    """Return text from outside, cut, and without what would move a terminal's cursor."""
    cut = text[:LONGEST_TEXT]
    return cut if cut.isprintable() else cut.encode("unicode_escape").decode("ascii")[:LONGEST_TEXT]


def address_of(peer: str) -> tuple[str, int]:
    """Return the address and the port of a peer as gRPC names it; what is no address of the internet has port 0."""
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return peer, 0
    host, _, port = rest.rpartition(":")
    return host.strip("[]"), int(port) if port.isdecimal() else 0
