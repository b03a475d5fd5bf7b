"""What is told of a call once it has ended: it is counted, traced, and leaves a line in the log where there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.rpc.dispatch import Outcome
from tarneeb_service.telemetry import labels
from tarneeb_service.telemetry.call import Call, Peer, clean
from tarneeb_service.telemetry.labels import REASONS, RULINGS, Labels
from tarneeb_service.telemetry.line_budget import Kind
from tarneeb_service.telemetry.log import Log, frames_of
from tarneeb_service.telemetry.metrics import CODES, Metrics

if TYPE_CHECKING:
    # It needs libraries that need not be there.
    from tarneeb_service.telemetry.tracing import Tracing

_INTERNAL = 13
# Unknown, internal, data loss.
_OUR_FAULT = frozenset({2, _INTERNAL, 15})


class Reporter:
    """Tells of calls, on the thread that served them."""

    def __init__(self, metrics: Metrics, log: Log, tracing: Tracing | None = None) -> None:
        """Count in ``metrics``, write to ``log``, and make spans where ``tracing`` is on."""
        self._metrics, self._log, self._tracing = metrics, log, tracing

    def arrived(self, method: str) -> None:
        """Count a call that has come."""
        self._metrics.method(method).started.inc()

    def ended(self, call: Call, peer: Peer) -> None:
        """Tell of a call that has ended."""
        metrics, outcome = self._metrics, call.outcome
        found = labels.NONE if outcome is None else labels.read(call.method, outcome)
        if found.move:
            metrics.move((labels.label_of(found.rule_set), found.move, found.ruling, found.reason))
        counted = {} if outcome is None else self._count(call, outcome)
        if call.refused is not None:
            metrics.shed[call.refused].inc()
        series = metrics.method(call.method)
        series.handled(call.code).inc()
        series.seconds.observe(call.seconds, {"trace_id": call.trace_id} if call.trace_id else None)
        if self._tracing is not None:
            self._tracing.ended(call, found, peer)
        level = _level_of(call.code)
        if self._log.has_room(level, _kind_of(call)):
            self._log.event(level, "call", **_fields(call, found, counted, peer()))

    def _count(self, call: Call, outcome: Outcome) -> dict[str, Any]:
        """Count what few calls have, and return it for the line."""
        error, response = outcome.error, outcome.response
        if isinstance(error, ProblemsError):
            self._metrics.snapshot_problems(labels.snapshot_problems(error))
            first = error.problems[0]
            return {
                "problem_count": len(error.problems),
                "problem_path": first.path,
                "problem_reason": first.reason.name.lower(),
            }
        if error is not None:
            if call.code == _INTERNAL:
                self._log_bug(call, error)
            return {}
        if call.method == "ValidateMoves":
            moves = labels.moves_of(outcome.request, response)
            for key in moves:
                self._metrics.move(key)
            items = len(response.results)  # type: ignore[union-attr]
            self._metrics.batch_items.observe(items)
            self._metrics.snapshot_problems(labels.snapshot_problems(response))
            return {"items": items, "unjudged": items - len(moves)}
        if call.method == "ValidateGame":
            self._metrics.snapshot_problems(labels.snapshot_problems(response))
            return {"problem_count": len(response.problems)}  # type: ignore[union-attr]
        return {}

    def _log_bug(self, call: Call, error: Exception) -> None:
        if self._log.has_room("error", Kind.FAILURE):
            self._log.event(
                "error",
                "bug",
                request_id=call.request_id,
                method=call.method,
                type=type(error).__name__,
                frames=frames_of(error),
            )


def _kind_of(call: Call) -> Kind:
    if call.refused is not None or call.path:
        return Kind.REFUSAL
    if call.ended:
        return Kind.TRANSPORT
    return Kind.FAILURE if call.code else Kind.SUCCESS


def _level_of(code: int) -> str:
    if not code:
        return "info"
    return "error" if code in _OUR_FAULT else "warning"


def _fields(call: Call, found: Labels, counted: dict[str, Any], peer: str) -> dict[str, Any]:
    """Return the fields of a call's line; what is empty is left out."""
    outcome = call.outcome
    fields = {
        "method": call.method,
        "code": CODES[call.code],
        "request_id": call.request_id,
        "trace_id": call.trace_id,
        "game_id": clean(found.game_id),
        "rule_set": clean(found.rule_set),
        "move": found.move,
        "verdict": RULINGS.get(found.ruling, labels.OTHER) if found.move else "",
        "reason": REASONS.get(found.reason, labels.OTHER) if found.reason else "",
        **counted,
        "refused": str(call.refused or ""),
        "called": call.path,
        "ended": call.ended,
        "duration_ms": round(call.seconds * 1000, 3),
        "peer": peer,
        "request_bytes": call.request_bytes,
        "response_bytes": 0 if outcome is None else len(outcome.answer),
    }
    return {name: text for name, text in fields.items() if text != ""}
