import urllib.request
from pathlib import Path
from typing import Any

import grpc
from prometheus_client.parser import text_string_to_metric_families

from harness.service_process import ServiceProcess
from tarneeb.v1 import cards_pb2, moves_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_service.engine.problems import ProblemReason
from tarneeb_service.telemetry.metrics import BUCKETS
from tests.server.support import Service, failure

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALL = {"grpc_type": "unary", "grpc_service": "tarneeb.v1.TarneebService", "grpc_method": "ValidateMove"}


def test_names_and_labels(legal: pb.ValidateMoveRequest, refused: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        service.stub.ValidateMove(legal)
        service.stub.ValidateMove(refused)
        samples = service.samples()
        assert samples["grpc_server_started_total", frozenset(CALL.items())] == 2
        assert samples["grpc_server_handled_total", frozenset({**CALL, "grpc_code": "OK"}.items())] == 2
        assert samples["grpc_server_handling_seconds_count", frozenset(CALL.items())] == 2
        assert samples["grpc_server_handling_seconds_sum", frozenset(CALL.items())] > 0
        assert service.sample("grpc_server_handling_seconds_bucket", **CALL, le="+Inf") == 2
        move = {"rule_set": "saharat_classic", "move": "card"}
        legal_key = frozenset({**move, "verdict": "legal", "reason": "none"}.items())
        refused_key = frozenset({**move, "verdict": "refused", "reason": "card_not_held"}.items())
        assert samples["tarneeb_moves_total", legal_key] == 1
        assert samples["tarneeb_moves_total", refused_key] == 1


def test_every_method_and_reason_has_a_series_from_the_start() -> None:
    with Service() as service:
        names = [labels for name, labels in service.samples() if name == "grpc_server_handled_total"]
        assert len(names) == 16  # 15 and the others
        problems = [labels for name, labels in service.samples() if name == "tarneeb_snapshot_problems_total"]
        assert len(problems) == len(ProblemReason)
        assert len(BUCKETS) + 1 == len(
            {
                labels
                for name, labels in service.samples()
                if name == "grpc_server_handling_seconds_bucket" and ("grpc_method", "ApplyMove") in labels
            }
        )


def test_labels_are_bounded_whatever_callers_send(legal: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        before = len(service.samples())
        for number in range(30):
            request = pb.ValidateMoveRequest()
            request.CopyFrom(legal)
            request.game.preset_id = f"house {number}"
            service.stub.ValidateMove(request)
            call: Any = service.channel.unary_unary(f"/x.Y/{number}")
            failure(lambda: call(b""))  # noqa: B023  # called at once
        assert service.sample("tarneeb_moves_total", rule_set="other") == 30
        assert (
            service.sample("grpc_server_handled_total", grpc_method="other", grpc_code="Unimplemented") == 30
        )
        # One series of moves and one code more than at the start.
        assert len(service.samples()) == before + 2


def test_snapshot_problems_are_counted_by_reason(
    legal: pb.ValidateMoveRequest, lying: pb.ValidateMoveRequest
) -> None:
    with Service() as service:

        def found() -> float:
            return service.sample("tarneeb_snapshot_problems_total", reason="mismatch")

        failure(lambda: service.stub.ValidateMove(lying))
        once = found()
        assert once >= 1
        service.stub.ValidateMoves(pb.ValidateMovesRequest(items=[legal, lying]))
        assert found() == 2 * once
        service.stub.ValidateGame(pb.ValidateGameRequest(game=lying.game))
        assert found() == 3 * once
        # The same of its bytes.
        snapshot = lying.game.SerializeToString()
        failure(lambda: service.stub.ValidateMove(pb.ValidateMoveRequest(snapshot=snapshot)))
        items = [legal, pb.ValidateMoveRequest(snapshot=snapshot)]
        service.stub.ValidateMoves(pb.ValidateMovesRequest(items=items))
        service.stub.ValidateGame(pb.ValidateGameRequest(snapshot=snapshot))
        assert found() == 6 * once
        failure(lambda: service.stub.ViewGame(pb.ViewGameRequest(snapshot=b"\xff")))
        assert service.sample("tarneeb_snapshot_problems_total", reason="unknown_value") == 1
        # A bad request about a good game is none.
        total = service.sample("tarneeb_snapshot_problems_total")
        failure(lambda: service.stub.ValidateMove(pb.ValidateMoveRequest(game=legal.game)))
        assert service.sample("tarneeb_snapshot_problems_total") == total


def test_batches(legal: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        for size in (1, 3, 200):
            service.stub.ValidateMoves(pb.ValidateMovesRequest(items=[legal] * size))
        assert service.sample("tarneeb_batch_items_count") == 3
        assert service.sample("tarneeb_batch_items_sum") == 204
        assert service.sample("tarneeb_batch_items_bucket", le="4.0") == 2
        assert service.sample("tarneeb_moves_total", rule_set="saharat_classic") == 204


def test_kinds_of_moves(legal: pb.ValidateMoveRequest) -> None:
    with Service() as service:
        request = pb.ValidateMoveRequest()
        request.CopyFrom(legal)
        request.move.call.kind = moves_pb2.CALL_KIND_PASS
        service.stub.ValidateMove(request)
        request.move.trump = cards_pb2.STRAIN_HEARTS
        service.stub.ValidateMove(request)
        for kind in ("pass", "trump"):
            assert service.sample("tarneeb_moves_total", move=kind, reason="wrong_phase") == 1


def test_a_scrape_of_a_real_process(tmp_path: Path, legal: pb.ValidateMoveRequest) -> None:
    with ServiceProcess(tmp_path) as service:
        with grpc.insecure_channel(f"127.0.0.1:{service.port}") as channel:
            TarneebServiceStub(channel).ValidateMove(
                legal, metadata=(("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01"),)
            )
        families = {family.name: family for family in text_string_to_metric_families(service.scrape())}
        assert {"process_cpu_seconds", "process_resident_memory_bytes", "process_open_fds"} <= set(families)
        assert {"python_info", "tarneeb_build_info", "tarneeb_calls_in_flight"} <= set(families)
        assert families["tarneeb_serving"].samples[0].value == 1
        assert families["tarneeb_build_info"].samples[0].labels["version"]
        assert families["grpc_server_handling_seconds"].type == "histogram"
        address = f"http://127.0.0.1:{service.started()['metrics_port']}/metrics"
        request = urllib.request.Request(address, headers={"Accept": "application/openmetrics-text"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read().decode()
        assert text.endswith("# EOF\n")
        # The latency of a call leads to its trace.
        assert f'# {{trace_id="{TRACE}"}}' in text


def test_games_remembered(legal: pb.ValidateMoveRequest) -> None:
    request = pb.ValidateMoveRequest(
        snapshot=legal.game.SerializeToString(deterministic=True), move=legal.move
    )
    with Service(memory_games=8) as service:
        for _ in range(3):
            service.stub.ValidateMove(request)
        service.stub.ValidateMove(legal)
        assert service.sample("tarneeb_memory_lookups_total", result="hit") == 2
        assert service.sample("tarneeb_memory_lookups_total", result="miss") == 1
        assert service.sample("tarneeb_memory_games") == 1
        assert [line["game_id"] for line in service.lines()] == [legal.game.id] * 4
        move = {"rule_set": "saharat_classic", "move": "card", "verdict": "legal", "reason": "none"}
        assert service.sample("tarneeb_moves_total", **move) == 4
    with Service(memory_games=0) as service:
        service.stub.ValidateMove(request)
        assert service.sample("tarneeb_memory_lookups_total", result="miss") == 0
