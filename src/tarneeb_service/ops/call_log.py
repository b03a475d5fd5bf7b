"""The line a call leaves in the log.

It is written by hand as JSON: a log library would cost more than judging the move does. Text from outside is
cut and escaped; all else is from closed sets.
"""

import random
import re
from collections.abc import Iterable
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, NamedTuple

from tarneeb_service.ops.facts import REASONS, RULINGS, Facts
from tarneeb_service.ops.logs import LEVELS, Log, make_request_id, timestamp

REQUEST_ID = "x-request-id"
LONGEST_TEXT = 64
_TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")

# Names of status codes as the Prometheus middlewares of gRPC write them, by number.
CODES = (
    "OK",
    "Canceled",
    "Unknown",
    "InvalidArgument",
    "DeadlineExceeded",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "ResourceExhausted",
    "FailedPrecondition",
    "Aborted",
    "OutOfRange",
    "Unimplemented",
    "Internal",
    "Unavailable",
    "DataLoss",
    "Unauthenticated",
)
_OUR_FAULT = frozenset({2, 13, 15})


class Ids(NamedTuple):
    """The ids a call is found by."""

    request_id: str
    trace_id: str


def ids_of(metadata: Iterable[Any]) -> Ids:
    """Return the caller's ids where they are sane; a missing request id is made."""
    request_id = trace_id = ""
    for key, value in metadata:
        if key == REQUEST_ID:
            if isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT and _is_plain(value):
                request_id = value
        elif key == "traceparent":
            match = _TRACE.fullmatch(value)
            if match and match[1].strip("0"):
                trace_id = match[1]
    return Ids(request_id or make_request_id(), trace_id)


def clean(text: str) -> str:
    """Return text from outside, cut, and without what would move a terminal's cursor."""
    if len(text) <= LONGEST_TEXT and text.isprintable():
        return text
    cut = text[:LONGEST_TEXT]
    return cut if cut.isprintable() else cut.encode("unicode_escape").decode("ascii")[:LONGEST_TEXT]


class CallLog:
    """Logs calls: each that failed, and the wanted share of those that did not."""

    def __init__(self, log: Log, sample: float) -> None:
        """Log to ``log`` a ``sample`` of the successes, 1 for all."""
        self._log = log
        self._sample = sample if log.least <= LEVELS["info"] else 0.0

    def wants(self, code: int) -> bool:
        """Say whether a call with this status code gets a line."""
        if code:
            return self._log.least <= LEVELS[level_of(code)]
        sample = self._sample
        return sample >= 1.0 or (sample > 0.0 and random.random() < sample)  # noqa: S311  # a share of lines

    def write(
        self,
        ids: Ids,
        method: str,
        code: int,
        facts: Facts,
        seconds: float,
        peer: str,
        request_bytes: int,
        response_bytes: int,
        more: dict[str, Any] | None = None,
    ) -> None:
        """Write the line of a call; ``more`` are fields that few calls have."""
        log = self._log
        if not log.json:
            log.put(
                _fields(ids, method, code, facts, seconds, peer, request_bytes, response_bytes, more or {})
            )
            return
        rare = f',"trace_id":"{ids.trace_id}"' if ids.trace_id else ""
        if facts.game_id:
            rare += f',"game_id":{quoted(clean(facts.game_id))}'
        if facts.rule_set:
            rare += f',"rule_set":{quoted(clean(facts.rule_set))}'
        if facts.move:
            rare += f',"move":"{facts.move}","verdict":"{RULINGS.get(facts.ruling, "other")}"'
            if facts.reason:
                rare += f',"reason":"{REASONS.get(facts.reason, "other")}"'
        if more:
            for name, value in more.items():
                rare += f',"{name}":{quoted(value) if isinstance(value, str) else value}'
        log.put(
            f'{{"time":"{timestamp()}","level":"{level_of(code)}","event":"call"'
            f',"request_id":{quoted(ids.request_id)},"method":"{method}","code":"{CODES[code]}"{rare}'
            f',"duration_ms":{seconds * 1000:.3f},"peer":{quoted(peer)}'
            f',"request_bytes":{request_bytes},"response_bytes":{response_bytes}}}\n'
        )


def level_of(code: int) -> str:
    """Return the level of a call's line by its status code number."""
    if not code:
        return "info"
    return "error" if code in _OUR_FAULT else "warning"


def _fields(
    ids: Ids,
    method: str,
    code: int,
    facts: Facts,
    seconds: float,
    peer: str,
    request_bytes: int,
    response_bytes: int,
    more: dict[str, Any],
) -> dict[str, Any]:
    fields = {
        "time": timestamp(),
        "level": level_of(code),
        "event": "call",
        "method": method,
        "code": CODES[code],
        "request_id": ids.request_id,
        "trace_id": ids.trace_id,
        "game_id": clean(facts.game_id),
        "rule_set": clean(facts.rule_set),
        "move": facts.move,
        "verdict": RULINGS.get(facts.ruling, "other") if facts.move else "",
        "reason": REASONS.get(facts.reason, "other") if facts.reason else "",
        **more,
        "duration_ms": round(seconds * 1000, 3),
        "peer": peer,
        "request_bytes": request_bytes,
        "response_bytes": response_bytes,
    }
    return {name: value for name, value in fields.items() if value != ""}


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()
