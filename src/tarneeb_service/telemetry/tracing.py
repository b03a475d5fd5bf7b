"""A span a call, sent to a collector over OTLP. Imported only where tracing is on: it needs the extra ``tracing``.

Attributes are those of OpenTelemetry's conventions for gRPC servers, and what the log tells of a move: never a card, a
seed or a score.
"""

import threading
import time
from random import random
from typing import Any

import grpc
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from tarneeb_service import __version__
from tarneeb_service.telemetry.call import TRACE_PARENT, Call, Peer, address_of
from tarneeb_service.telemetry.labels import OTHER, REASONS, RULINGS, Labels, label_of

# Spans that wait, and that are sent at once; one more pushes the oldest out, and the library says so in the log.
MOST_WAITING, BATCH = 2_048, 512
# Seconds between two batches, that one may take, and that the last may take before the process ends without them.
PAUSE, PATIENCE, FLUSH = 1.0, 5.0, 2.0
# Status codes that the conventions call failures of a server; the others are the caller's.
FAILURES = frozenset(
    {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"}
)
_CODES = {code.value[0]: code.name for code in grpc.StatusCode}
_TRACE_HEADERS = frozenset({TRACE_PARENT, "tracestate"})
_FAILED = Status(StatusCode.ERROR)
_propagator = TraceContextTextMapPropagator()


def otlp_exporter(endpoint: str) -> SpanExporter:
    """Return what sends spans to a collector: ``http://host:port`` in plain text, ``https://host:port`` over TLS."""
    # Said, or a variable of the library could have it otherwise.
    return OTLPSpanExporter(endpoint=endpoint, insecure=endpoint.startswith("http://"), timeout=PATIENCE)


class Tracing:
    """Makes the spans of calls that have ended, on the threads that served them; a thread of its own sends them."""

    def __init__(self, exporter: SpanExporter, share: float) -> None:
        """Trace the calls that their callers trace, and a ``share`` of those whose callers say nothing of traces."""
        self._exporter, self._share = exporter, share
        # Who is sampled is decided here, before the library is asked for anything: that costs the others nothing.
        self._provider = TracerProvider(sampler=ALWAYS_ON, resource=_resource(), shutdown_on_exit=False)
        self._provider.add_span_processor(
            BatchSpanProcessor(
                exporter,
                max_queue_size=MOST_WAITING,
                schedule_delay_millis=PAUSE * 1000,
                max_export_batch_size=BATCH,
            )
        )
        self._tracer = self._provider.get_tracer("tarneeb_service", __version__)

    def ended(self, call: Call, found: Labels, peer: Peer) -> None:
        """Make the span of a call that has ended just now, if it is sampled."""
        if not (random() < self._share if call.sampled is None else call.sampled):  # noqa: S311  # no secret
            return
        end = time.time_ns()
        code = _CODES[call.code]
        known = call.method != OTHER
        name = f"{call.service}/{call.method}" if known else "grpc"
        span = self._tracer.start_span(
            name,
            Context() if call.sampled is None else _parent(call),
            SpanKind.SERVER,
            _attributes(call, found, code, name if known else "_OTHER", peer()),
            start_time=end - int(call.seconds * 1e9),
        )
        if code in FAILURES:
            span.set_status(_FAILED)
        span.end(end)

    def close(self) -> None:
        """Send what waits, and give up soon: a collector that hangs must not keep the process."""
        ending = threading.Thread(target=self._provider.shutdown, name="tracing end", daemon=True)
        ending.start()
        ending.join(FLUSH)
        if ending.is_alive():
            self._exporter.shutdown()


def _parent(call: Call) -> Context:
    headers: dict[str, list[str]] = {}
    for key, text in call.metadata:
        if key in _TRACE_HEADERS:
            headers.setdefault(key, []).append(text)
    return _propagator.extract(headers)


def _attributes(call: Call, found: Labels, code: str, method: str, peer: str) -> dict[str, Any]:
    """Return the attributes of a call's span; what is empty is left out."""
    address, port = address_of(peer)
    attributes = {
        "rpc.system.name": "grpc",
        "rpc.method": method,
        "rpc.method_original": call.path.removeprefix("/"),
        "rpc.status_code": code,
        "error.type": code if code in FAILURES else "",
        "network.peer.address": address,
        "network.peer.port": port or "",
        "tarneeb.request_id": call.request_id,
        "tarneeb.rule_set": label_of(found.rule_set) if found.rule_set else "",
        "tarneeb.move": found.move,
        "tarneeb.verdict": RULINGS.get(found.ruling, OTHER) if found.move else "",
        "tarneeb.reason": REASONS.get(found.reason, OTHER) if found.reason else "",
        "tarneeb.refused": str(call.refused or ""),
    }
    return {name: text for name, text in attributes.items() if text != ""}


def _resource() -> Resource:
    own = Resource({"service.name": "tarneeb-service", "service.version": __version__})
    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go over what we say.
    return Resource.create(own.merge(OTELResourceDetector().detect()).attributes)
