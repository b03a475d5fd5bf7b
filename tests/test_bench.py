"""The benchmarks can be started, measure what they say, and nobody copies their figures by hand."""

import importlib
import pkgutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import bench
from bench import report
from bench.bursts import ratio
from bench.goals import ROWS, Goal
from bench.guard import too_slow
from bench.streams import TABLES, answers, batches, befores, mixed, moments, read, validates, write
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.rpc.dispatch import dispatch, methods_table

MODULES = [module.name for module in pkgutil.walk_packages(bench.__path__, "bench.")]


@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_imports(name: str) -> None:
    importlib.import_module(name)


@pytest.mark.parametrize(("path", "text"), report.files(report.kept()).items(), ids=str)
def test_what_is_told_of_the_results_is_what_was_measured(path: Path, text: str) -> None:
    assert path.read_text("utf-8") == text, "python -m bench --draw"


def test_the_picture_can_be_read() -> None:
    ET.parse(report.PICTURE)  # our own file


def test_a_marked_place_is_replaced_and_nothing_else() -> None:
    text = "before\n<!-- goals: by make bench -->\nold\n<!-- /goals -->\nafter\n"
    assert report.between(text, "goals", ["new"]) == text.replace("old", "new")
    with pytest.raises(ValueError, match="no place for goals"):
        report.between("nothing here", "goals", [])


def test_goals_say_what_misses_them() -> None:
    least = Goal(lambda found: found["ratio"], 0.8)
    assert least.judged({"ratio": 0.8}) == "0.80"
    assert least.judged({"ratio": 0.79}) == "**0.79: missed**"
    assert Goal(lambda _: None, 1).judged({}) == "–"
    most = Goal(lambda found: found["cost"], 60, " µs", most=True)
    assert most.judged({"cost": 60}) == "60.0 µs"
    assert most.judged({"cost": 160.1}) == "**160 µs: missed**"


def test_every_part_that_was_measured_is_told_of() -> None:
    told = report.files(report.kept())[report.ROOT / "README.md"]
    for part in report.kept():
        if part in {row.part for row in ROWS}:
            assert f"| `{part}` |" in told


def test_a_ratio_is_of_pairs() -> None:
    assert ratio([2.0, 30.0, 2.0], [1.0, 10.0, 1.0]).middle == 2.0


def test_the_guard_lets_noise_pass_and_nothing_else() -> None:
    noisy, slow = [1.0, 2.0, 3.0, 1.0], [2.0, 2.0, 2.0, 2.0]
    assert not too_slow(ratio([1.0] * 4, noisy), 0.9)
    assert too_slow(ratio([1.0] * 4, slow), 0.9)


def test_a_stream_is_of_whole_hands_and_every_snapshot_new() -> None:
    played = moments(TABLES * 3)
    assert len({moment.snapshot for moment in played}) == len(played)
    table = methods_table()
    for moment in played[:: TABLES // 8]:
        before = dispatch(table[moment.before.method], moment.before.data, "", lambda: None)
        # Whoever answered it has seen the snapshot.
        assert before.response.snapshot == moment.snapshot  # type: ignore[union-attr]
        told = dispatch(table["ValidateMove"], moment.validate.data, "", lambda: None)
        assert told.response.verdict.ruling == 1  # type: ignore[union-attr]


def test_a_table_asks_no_further_than_it_was_answered() -> None:
    requests = mixed(moments(TABLES * 2))
    methods = [request.method for request in requests]
    assert methods == [
        *["DealHand"] * TABLES,
        *["ListLegalMoves"] * TABLES,
        *["ValidateMove"] * TABLES,
        *["ApplyMove"] * TABLES,
        *["ViewGame"] * TABLES,
        *["ListLegalMoves"] * TABLES,
        *["ValidateMove"] * TABLES,
        *["ApplyMove"] * TABLES,
        *["ViewGame"] * TABLES,
    ]


def test_a_batch_asks_what_single_calls_ask() -> None:
    played = moments(20)
    whole = [pb.ValidateMovesRequest.FromString(batch.data) for batch in batches(played, 10)]
    items = [item.SerializeToString() for batch in whole for item in batch.items]
    assert items == [request.data for request in validates(played)]


def test_an_echo_answers_what_the_service_answers_in_the_middle(tmp_path: Path) -> None:
    requests = [*validates(moments(30)), *befores(moments(30))]
    write(tmp_path / "answers", answers(requests))
    found = read(tmp_path / "answers")
    assert set(found) == {"ValidateMove", "DealHand"}
    assert pb.ValidateMoveResponse.FromString(found["ValidateMove"]).verdict.ruling == 1
    assert len(pb.DealHandResponse.FromString(found["DealHand"]).views) == 4
