"""What the load test reads from its files, and when a run falls short."""

import re
from math import ceil
from pathlib import Path

import pytest

from loadtest.actions import ACTIONS
from loadtest.plan import MIXES, THRESHOLDS, Line, PlanError, missed, read_mix, read_thresholds
from tests.pages import page

FIGURES = {"failed_share": 0.01, "p50_ms": 2.0, "p95_ms": 5.0, "p99_ms": 9.0, "calls_per_second": 500.0}
LINES = [Line("all", 1_000, FIGURES), Line("ValidateMove", 900, {**FIGURES, "p99_ms": 30.0})]


def written(folder: Path, text: str) -> Path:
    path = folder / "file.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_our_own_files_can_be_run_and_every_action_is_in_a_mix() -> None:
    names = ("everyday", "games", "validate", "strangers", "batches", "malformed")
    mixes = [read_mix(MIXES, name) for name in names]
    assert {action for mix in mixes for action in mix.weights} == set(ACTIONS)
    assert mixes[0].weights["illegal"] / sum(mixes[0].weights.values()) == 0.05
    assert read_thresholds(THRESHOLDS)["all"] == {"failed_share": 0.0}


@pytest.mark.parametrize(
    "text, words",
    [
        ("[mixes.other]\nplay = 1", "has no mix 'mine': it has other"),
        ("", "has no mix 'mine'"),
        ("[mixes.mine]\nplya = 1", "no action plya in mix mine: there are play, "),
        ("[mixes.mine]\nplay = -1", "0 or more"),
        ("[mixes.mine]\nplay = 0", "not all 0"),
        ("[mixes.mine]\nplay = true", "must be numbers"),
        ("[mixes.mine]", "not all 0"),
        ("batch = 257\n[mixes.mine]\nplay = 1", "batch must be 1 to 256, not 257"),
        ("batch = 1.5\n[mixes.mine]\nplay = 1", "batch must be 1 to 256, not 1.5"),
        ("[mixes", "file.toml"),
    ],
)
def test_a_mix_that_can_not_be_run_is_said_to(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(PlanError) as error:
        read_mix(written(tmp_path, text), "mine")
    assert words in str(error.value)


def test_a_mix_of_ones_own(tmp_path: Path) -> None:
    text = 'batch = 7\nrule_sets = ["saharat_400"]\n[mixes.mine]\nplay = 1\nview = 0.5'
    mix = read_mix(written(tmp_path, text), "mine")
    assert (mix.weights, mix.rule_sets, mix.batch) == ({"play": 1, "view": 0.5}, ("saharat_400",), 7)


@pytest.mark.parametrize(
    "text", ["p50_ms = 1", "[all]\np50 = 1", "[all]\np50_ms = '1'", "[all]\np50_ms = true"]
)
def test_what_is_no_threshold_is_said_to(tmp_path: Path, text: str) -> None:
    with pytest.raises(PlanError, match="p50"):
        read_thresholds(written(tmp_path, text))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"nothing\.toml"):
        read_thresholds(tmp_path / "nothing.toml")


@pytest.mark.parametrize(
    "thresholds, words",
    [
        ({"all": {"failed_share": 0.01, "p50_ms": 2, "calls_per_second": 500}}, []),
        ({"all": {"failed_share": 0.0}}, ["all: failed_share is 0.01, at most 0 is allowed"]),
        ({"all": {"p95_ms": 4.9}}, ["all: p95_ms is 5, at most 4.9 is allowed"]),
        ({"all": {"calls_per_second": 501}}, ["all: calls_per_second is 500, at least 501 is allowed"]),
        ({"ValidateMove": {"p99_ms": 29}}, ["ValidateMove: p99_ms is 30, at most 29 is allowed"]),
        # Of a kind that this run did not have.
        ({"ViewGame": {"p99_ms": 1}}, []),
    ],
)
def test_every_threshold_is_held(thresholds: dict[str, dict[str, float]], words: list[str]) -> None:
    assert missed(thresholds, LINES) == words


def test_a_run_without_calls_keeps_to_nothing() -> None:
    assert missed({}, [Line("all", 0, FIGURES)]) == ["no call was made"]
    assert missed({}, []) == ["no call was made"]
    assert missed({}, LINES) == []


def test_the_pages_replicas_follow_from_its_arithmetic() -> None:
    text = page("docs/load-testing.md")
    applied, checked = (
        int(re.search(rf"{words} (\d+) µs", text, re.DOTALL)[1]) / 1e6  # type: ignore[index]
        for words in ("`ApplyMove`\nwith four views", "`ValidateMove`")
    )
    rows = re.findall(r"^\| ([\d,]+) \| ([\d,]+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 3
    for row in rows:
        tables, moves, *replicas = (int(cell.replace(",", "")) for cell in row)
        assert moves == tables // 3
        each = [ceil(tables / 3 * seconds / 0.5) + 1 for seconds in (applied, applied + checked)]
        assert replicas == each
