"""Spans of calls: what they hold, whose they are, and that a collector holds nothing up."""

import logging
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from harness.service_process import ServiceProcess
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.rpc import methods
from tarneeb_service.telemetry import tracing
from tarneeb_service.telemetry.call import Call, address_of
from tarneeb_service.telemetry.log import LibraryHandler
from tests.pages import page
from tests.rpc.samples import METHODS, SEED, samples
from tests.server.support import Service, failure, wait_for

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SAMPLED, UNSAMPLED = (("traceparent", f"00-{TRACE}-{PARENT}-0{flag}") for flag in (1, 0))
LIST = pb.ListRuleSetsRequest()


class Traced:
    """A service whose spans stay in memory."""

    def __init__(self, service: Service, exporter: InMemorySpanExporter) -> None:
        self.service, self.stub = service, service.stub
        self._exporter = exporter

    def spans(self) -> list[ReadableSpan]:
        """The spans so far."""
        assert self.service.server._tracing
        # A span is made before its call is answered, but for those that get no answer.
        wait_for(lambda: not self.service.pending)
        assert self.service.server._tracing._provider.force_flush()
        return list(self._exporter.get_finished_spans())

    def span(self) -> ReadableSpan:
        """The only span so far; it is forgotten."""
        (span,) = self.spans()
        self._exporter.clear()
        return span


@contextmanager
def traced(monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Iterator[Traced]:
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(tracing, "otlp_exporter", lambda _endpoint: exporter)
    with Service(otlp_endpoint="http://127.0.0.1:4317", **settings) as service:
        yield Traced(service, exporter)


def test_the_span_of_a_call(monkeypatch: pytest.MonkeyPatch, legal: pb.ValidateMoveRequest) -> None:
    with traced(monkeypatch) as service:
        before = time.time_ns()
        service.stub.ValidateMove(
            legal, metadata=(SAMPLED, ("x-request-id", "mine-1"), ("tracestate", "a=1,b=2"))
        )
        after = time.time_ns()
        span = service.span()
        assert (span.name, span.kind) == ("tarneeb.v1.TarneebService/ValidateMove", SpanKind.SERVER)
        assert span.start_time and span.end_time
        assert before < span.start_time < span.end_time < after
        line = service.service.line()
        assert (span.end_time - span.start_time) / 1e6 == pytest.approx(line["duration_ms"], abs=0.001)
        attributes = dict(span.attributes or {})
        assert 0 < attributes.pop("network.peer.port") < 65_536  # type: ignore[operator]
        assert attributes == {
            "rpc.system.name": "grpc",
            "rpc.method": "tarneeb.v1.TarneebService/ValidateMove",
            "rpc.status_code": "OK",
            "network.peer.address": "127.0.0.1",
            "tarneeb.request_id": "mine-1",
            "tarneeb.rule_set": "saharat_classic",
            "tarneeb.move": "card",
            "tarneeb.verdict": "legal",
        }
        assert span.status.status_code is StatusCode.UNSET
        assert span.context and span.parent
        assert (f"{span.parent.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, PARENT)
        assert span.parent.is_remote
        assert f"{span.context.trace_id:032x}" == TRACE
        assert span.context.trace_state.to_header() == "a=1,b=2"
        assert span.resource.attributes["service.name"] == "tarneeb-service"
        assert span.resource.attributes["service.version"]


def test_the_span_of_a_refused_move_is_no_error(
    monkeypatch: pytest.MonkeyPatch, refused: pb.ValidateMoveRequest
) -> None:
    with traced(monkeypatch) as service:
        service.stub.ValidateMove(refused, metadata=(SAMPLED,))
        span = service.span()
        assert span.attributes
        assert span.attributes["tarneeb.verdict"] == "refused"
        assert span.attributes["tarneeb.reason"] == "card_not_held"
        assert span.status.status_code is StatusCode.UNSET


def test_only_what_is_our_fault_is_an_error(
    monkeypatch: pytest.MonkeyPatch, lying: pb.ValidateMoveRequest
) -> None:
    def seen(span: ReadableSpan) -> tuple[Any, ...]:
        found = span.attributes or {}
        return span.name, found["rpc.status_code"], found.get("error.type"), span.status.status_code

    name = "tarneeb.v1.TarneebService/{}".format
    monkeypatch.setattr(methods, "list_rule_sets", lambda _request: 1 // 0)
    with traced(monkeypatch, trace_share=1, max_calls=1) as service:
        failure(lambda: service.stub.ValidateMove(lying))
        assert seen(service.span()) == (name("ValidateMove"), "INVALID_ARGUMENT", None, StatusCode.UNSET)
        failure(lambda: service.stub.ListRuleSets(LIST))
        span = service.span()
        assert seen(span) == (name("ListRuleSets"), "INTERNAL", "INTERNAL", StatusCode.ERROR)
        # A bug of ours may have a card in its text.
        assert not span.events
        assert span.status.description is None
        monkeypatch.setattr(service.service.server.admission.calls, "most", 0)
        failure(lambda: service.stub.ListRuleSets(LIST))
        span = service.span()
        assert seen(span) == (name("ListRuleSets"), "UNAVAILABLE", "UNAVAILABLE", StatusCode.ERROR)
        assert (span.attributes or {})["tarneeb.refused"] == "overloaded"
        unknown: Any = service.service.channel.unary_unary("/x.Y/Z")
        failure(lambda: unknown(b""))
        span = service.span()
        assert seen(span) == ("grpc", "UNIMPLEMENTED", "UNIMPLEMENTED", StatusCode.ERROR)
        assert (span.attributes or {})["rpc.method"] == "_OTHER"
        assert (span.attributes or {})["rpc.method_original"] == "x.Y/Z"


@pytest.mark.parametrize(
    ("share", "headers", "count"),
    [
        (0, (), 0),
        (1, (), 20),
        (0, (SAMPLED,), 20),
        (1, (UNSAMPLED,), 0),
        # What is no traceparent is as if there were none.
        (1, (("traceparent", f"00-{TRACE}-{PARENT}"),), 20),
        (0, (("traceparent", f"00-{'0' * 32}-{PARENT}-01"),), 0),
        (0, (("traceparent", f"00-{TRACE}-{'0' * 16}-01"),), 0),
        (0, (("traceparent", f"ff-{TRACE}-{PARENT}-01"),), 0),
    ],
)
def test_callers_say_what_is_traced_and_the_share_holds_for_the_others(
    monkeypatch: pytest.MonkeyPatch, share: float, headers: tuple[tuple[str, str], ...], count: int
) -> None:
    with traced(monkeypatch, trace_share=share) as service:
        for _ in range(20):
            service.stub.ListRuleSets(LIST, metadata=headers)
        spans = service.spans()
        assert len(spans) == count
        if not any(key == "traceparent" and len(text) == 55 for key, text in headers):
            # Each is the first of a trace of its own.
            assert all(span.parent is None for span in spans)
            assert len({span.context.trace_id for span in spans if span.context}) == count


def test_a_share_is_about_that_share(monkeypatch: pytest.MonkeyPatch) -> None:
    with traced(monkeypatch, trace_share=0.25) as service:
        for _ in range(400):
            service.stub.ListRuleSets(LIST)
        # Five standard deviations of a fair draw.
        assert 57 <= len(service.spans()) <= 143


def test_health_makes_no_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    with traced(monkeypatch, trace_share=1) as service:
        service.service.status()
        assert service.spans() == []


@pytest.mark.parametrize("method", METHODS)
def test_no_card_seed_or_score_is_told(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    with traced(monkeypatch) as service:
        for request in samples(method):
            call = getattr(service.stub, method)
            with suppress(grpc.RpcError):
                call(request, metadata=(SAMPLED,))
        spans = service.spans()
        assert spans
        told = {name for span in spans for name in span.attributes or {}}
        assert told <= {
            *("rpc.system.name", "rpc.method", "rpc.status_code"),
            *("network.peer.address", "network.peer.port"),
            *(f"tarneeb.{name}" for name in ("request_id", "rule_set", "move", "verdict", "reason")),
        }
        assert not any(SEED.hex() in span.to_json() for span in spans)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["traceparent", "tracestate"]),
            st.one_of(
                st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=80).map(str.strip),
                st.from_regex(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}", fullmatch=True),
            ),
        ),
        max_size=4,
    )
)
def test_no_header_breaks_a_call(
    hostile: tuple[Service, InMemorySpanExporter], headers: list[tuple[str, str]]
) -> None:
    service, _ = hostile
    assert service.stub.ListRuleSets(LIST, metadata=tuple(headers), timeout=5).rule_sets


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Service, InMemorySpanExporter]]:
    with traced(monkeypatch, trace_share=1) as service:
        yield service.service, service._exporter


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:10.0.0.1:5000", ("10.0.0.1", 5000)),
        ("ipv6:%5B2001:db8::1%5D:5000", ("2001:db8::1", 5000)),
        ("ipv6:[::1]:5000", ("::1", 5000)),
        ("unix:/run/tarneeb", ("unix:/run/tarneeb", 0)),
        ("", ("", 0)),
    ],
)
def test_addresses_of_peers(peer: str, address: tuple[str, int]) -> None:
    assert address_of(peer) == address


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """A receiver of OTLP on the loopback."""

    def __init__(self) -> None:
        self.requests: SimpleQueue[Any] = SimpleQueue()
        self._server = grpc.server(ThreadPoolExecutor(2))
        trace_service_pb2_grpc.add_TraceServiceServicer_to_server(self, self._server)  # type: ignore[no-untyped-call]
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()

    def Export(self, request: Any, context: grpc.ServicerContext) -> Message:
        self.requests.put(request)
        return trace_service_pb2.ExportTraceServiceResponse()

    def close(self) -> None:
        self._server.stop(0).wait(5)


@pytest.fixture
def collector() -> Iterator[Collector]:
    running = Collector()
    yield running
    running.close()


def test_a_collector_hears_of_the_calls_of_a_real_process(
    tmp_path: Path, collector: Collector, legal: pb.ValidateMoveRequest
) -> None:
    own = {
        "TARNEEB_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.port}",
        "OTEL_RESOURCE_ATTRIBUTES": "k8s.pod.name=tarneeb-0",
    }
    with ServiceProcess(tmp_path, own) as service:
        assert service.started()["tracing"] is True
        with grpc.insecure_channel(f"127.0.0.1:{service.port}") as channel:
            TarneebServiceStub(channel).ValidateMove(legal, metadata=(SAMPLED,), timeout=10)
        # What waits is sent at the end.
        assert service.terminate() == 0
    request = collector.requests.get(timeout=10)
    (resource,) = request.resource_spans
    about = {entry.key: entry.value.string_value for entry in resource.resource.attributes}
    assert about["service.name"] == "tarneeb-service"
    assert about["k8s.pod.name"] == "tarneeb-0"
    (span,) = resource.scope_spans[0].spans
    assert span.name == "tarneeb.v1.TarneebService/ValidateMove"
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, PARENT)
    assert {entry.key for entry in span.attributes} >= {"rpc.status_code", "tarneeb.verdict"}


@contextmanager
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_a_silent_collector_holds_up_neither_calls_nor_the_end(tmp_path: Path) -> None:
    with silent_port() as port:
        own = {"TARNEEB_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "TARNEEB_TRACE_SHARE": 1}
        with ServiceProcess(tmp_path, own) as service:
            with grpc.insecure_channel(f"127.0.0.1:{service.port}") as channel:
                for _ in range(50):
                    assert TarneebServiceStub(channel).ListRuleSets(LIST, timeout=5).rule_sets
            began = time.monotonic()
            assert service.terminate() == 0
            # The patience for the last spans, and what a busy machine takes to end a process.
            assert time.monotonic() - began < tracing.FLUSH + 6


def test_what_waits_is_bounded_and_what_is_lost_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MOST_WAITING", 20)
    monkeypatch.setattr(tracing, "BATCH", 5)
    with silent_port() as port, Service(otlp_endpoint=f"http://127.0.0.1:{port}", trace_share=1) as service:
        logger, handler = logging.getLogger("opentelemetry"), LibraryHandler(service.log)
        logger.addHandler(handler)
        try:
            for _ in range(60):
                assert service.stub.ListRuleSets(LIST, timeout=5).rule_sets
            assert service.server._tracing
            processor: Any = service.server._tracing._provider._active_span_processor._span_processors[0]
            assert len(processor._batch_processor._queue) == 20
            # Said once in twenty seconds, not for each span.
            assert len(service.lines("Queue full, dropping Span.")) in (1, 2)
        finally:
            logger.removeHandler(handler)
        began = time.monotonic()
        service.server.end()
        assert time.monotonic() - began < tracing.FLUSH + 6


def test_a_collector_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    with silent_port() as port:
        pass
    own = {"TARNEEB_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "TARNEEB_TRACE_SHARE": 1}
    with ServiceProcess(tmp_path, own) as service:
        with grpc.insecure_channel(f"127.0.0.1:{service.port}") as channel:
            assert TarneebServiceStub(channel).ListRuleSets(LIST, timeout=5).rule_sets
        wait_for(lambda: "encountered while exporting traces" in service.raw_log())
        assert service.terminate() == 0


def test_without_the_extra_the_setting_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None; from tarneeb_service.cli.main import main; main()"
    )
    command = [sys.executable, "-c", code, "serve", "--host", "127.0.0.1", "--port", "0", "--otlp-endpoint"]
    done = subprocess.run(
        [*command, "http://127.0.0.1:4317"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "tarneeb-service: TARNEEB_OTLP_ENDPOINT needs OpenTelemetry: pip install 'tarneeb-service[tracing]'\n"
    )


def test_without_the_setting_the_extra_is_not_even_loaded() -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None;"
        "from tests.server.support import Service; Service().close(); print('served')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.returncode) == ("served\n", 0), done.stderr


def test_an_image_that_traces_has_what_the_others_have_and_the_extra_alone() -> None:
    served, traced, dev = (
        set(re.findall(r"^[\w.-]+==\S+", page(f"requirements{name}.lock"), re.MULTILINE))
        for name in ("", "-tracing", "-dev")
    )
    assert served < traced < dev
    more = {pin.partition("==")[0] for pin in traced - served}
    assert {"opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-grpc"} <= more
    assert all(name.startswith("opentelemetry-") for name in more)


def test_a_record_without_a_traceparent_says_so() -> None:
    call = Call("s", "m", [("traceparent", f"00-{TRACE}-{PARENT}-03"), ("traceparent", "nonsense")])
    call.read_ids()
    # The last one counts.
    assert (call.trace_id, call.sampled) == ("", None)
