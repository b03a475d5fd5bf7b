"""The line a call leaves in the log.

It is written by hand as JSON: a log library would cost more than judging the move does. Text from outside is
cut and escaped; all else is from closed sets.
"""

import re
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from tarneeb_service.telemetry.calls import Call, request_id_of
from tarneeb_service.telemetry.labels import REASONS, RULINGS, Facts
from tarneeb_service.telemetry.logs import LEVELS, Log, timestamp
from tarneeb_service.telemetry.metrics import RULE_SETS

LONGEST_TEXT = 64
_TRACE = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
# Fields that few calls have.
More = dict[str, Any] | None

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


def level_of(code: int) -> str:
    """Return the level of a call's line by its status code number."""
    if not code:
        return "info"
    return "error" if code in _OUR_FAULT else "warning"


def wants(log: Log, code: int) -> bool:
    """Say whether a log takes the line of a call with this status code number."""
    return log.least <= LEVELS[level_of(code)]


def trace_id_of(metadata: Any) -> str:
    """Return the trace id of the caller's ``traceparent``, or nothing."""
    for key, value in metadata:
        if key == "traceparent":
            match = _TRACE.fullmatch(value)
            return match[1] if match and match[1].strip("0") else ""
    return ""


def clean(text: str) -> str:
    """Return text from outside, cut, and without what would move a terminal's cursor."""
    cut = text[:LONGEST_TEXT]
    return cut if cut.isprintable() else cut.encode("unicode_escape").decode("ascii")[:LONGEST_TEXT]


def line(log: Log, call: Call, told: Facts, more: More) -> str | dict[str, Any]:
    """Return the line of a call, or its fields for a console."""
    # Who was cut off before he was handled was given none.
    request_id = call.request_id or request_id_of(call.metadata)
    trace_id = trace_id_of(call.metadata)
    if not log.json:
        return _fields(call, request_id, trace_id, told, more or {})
    trace = f',"trace_id":"{trace_id}"' if trace_id else ""
    game = f',"game_id":{quoted(clean(told.game_id))}' if told.game_id else ""
    if told.rule_set in RULE_SETS:
        rules = _rules_text(told.rule_set, told.move, told.ruling, told.reason)
    else:
        rules = f',"rule_set":{quoted(clean(told.rule_set))}' if told.rule_set else ""
        rules += _rules_text("", told.move, told.ruling, told.reason)
    rare = _more_text(more) if more else ""
    return (
        f'{{"time":"{timestamp(call.ended)}"{_start_text(call.counts.method, call.code)}{quoted(request_id)}'
        f'{trace}{game}{rules}{rare},"duration_ms":{call.seconds * 1000:.3f},"peer":{quoted(call.peer)}'
        f',"request_bytes":{call.request_bytes},"response_bytes":{call.response_bytes}}}\n'
    )


@lru_cache(maxsize=1024)
def _start_text(method: str, code: int) -> str:
    return (
        f',"level":"{level_of(code)}","event":"call","method":"{method}","code":"{CODES[code]}","request_id":'
    )


@lru_cache(maxsize=4096)
def _rules_text(rule_set: str, move: str, ruling: int, reason: int) -> str:
    text = f',"rule_set":"{rule_set}"' if rule_set else ""
    if move:
        text += f',"move":"{move}","verdict":"{RULINGS.get(ruling, "other")}"'
    if reason:
        text += f',"reason":"{REASONS.get(reason, "other")}"'
    return text


def _more_text(more: dict[str, Any]) -> str:
    text = ""
    for name, value in more.items():
        text += f',"{name}":{quoted(value) if isinstance(value, str) else value}'
    return text


def _fields(call: Call, request_id: str, trace_id: str, told: Facts, more: dict[str, Any]) -> dict[str, Any]:
    fields = {
        "time": timestamp(call.ended),
        "level": level_of(call.code),
        "event": "call",
        "method": call.counts.method,
        "code": CODES[call.code],
        "request_id": request_id,
        "trace_id": trace_id,
        "game_id": clean(told.game_id),
        "rule_set": clean(told.rule_set),
        "move": told.move,
        "verdict": RULINGS.get(told.ruling, "other") if told.move else "",
        "reason": REASONS.get(told.reason, "other") if told.reason else "",
        **more,
        "duration_ms": round(call.seconds * 1000, 3),
        "peer": call.peer,
        "request_bytes": call.request_bytes,
        "response_bytes": call.response_bytes,
    }
    return {name: value for name, value in fields.items() if value != ""}
