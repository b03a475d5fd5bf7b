"""``tarneeb-service table``."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tarneeb_service.cli.seen.table import seen_by
from tarneeb_service.cli.svg.shapes import fitted, shortened, text_width
from tarneeb_service.cli.svg.table import HEIGHT, WIDTH, picture
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.state import InPlay
from tests.cli.run import run, run_for_real
from tests.cli.samples import (
    EXAMPLE,
    NORTH,
    POSITIONS,
    SEED,
    SPECTATOR,
    WEST,
    empty_record,
    middle_of_a_hand,
    record_of,
    seen,
    state_of,
)
from tests.pages import page

Capture = pytest.CaptureFixture[str]
SVG = "{http://www.w3.org/2000/svg}"


def place(element: ET.Element) -> tuple[float, float]:
    found = re.match(r"translate\((-?[\d.]+) (-?[\d.]+)\)", element.get("transform", ""))
    assert found
    return float(found[1]), float(found[2])


def cards(root: ET.Element) -> list[ET.Element]:
    """The cards drawn, face up or down."""
    up = [group for group in root.findall(f"{SVG}g") if group.get("transform")]
    return up + [use for use in root.findall(f"{SVG}use") if use.get("href") == "#back"]


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", [*POSITIONS, "long", "longest"])
def test_pictures_are_whole_and_stand_alone(name: str) -> None:
    shown = seen(name) if name in POSITIONS else seen_by(state_of(record_of(name)), None)
    svg = picture(shown)
    root = ET.fromstring(svg)
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    # Nothing from elsewhere, and nothing that runs.
    assert svg.count("http") == 1
    for forbidden in ("<script", "<image", "<style", "<foreignObject", "@import", "onload", "data:"):
        assert forbidden not in svg
    names = {element.get("id") for element in root.iter() if element.get("id")}
    assert {use.get("href") for use in root.iter(f"{SVG}use")} <= {f"#{name}" for name in names}
    for card in cards(root):
        x, y = place(card)
        assert 8 <= x <= WIDTH - 46
        assert 8 <= y <= HEIGHT - 64
    # The score sheet is read from top to bottom, line under line.
    column = [
        float(text.get("y", ""))
        for text in root.findall(f"{SVG}text")
        if text.get("x") == "712" and text.get("text-anchor") is None
    ]
    assert column == sorted(column)
    assert all(lower - upper >= 10 for upper, lower in pairwise(column))
    for text in root.findall(f"{SVG}text"):
        if text.get("text-anchor") is None:
            bold = text.get("font-weight") == "bold"
            width = text_width(text.text or "", float(text.get("font-size", "")), bold=bold)
            assert float(text.get("x", "")) + width < WIDTH


def test_all_cards_are_there_and_hidden_ones_have_no_face() -> None:
    state = middle_of_a_hand()
    assert isinstance(state, InPlay)
    root = ET.fromstring(picture(seen_by(state, None)))
    # 41 in the hands, 3 on the table, 4 in the last trick.
    assert len(cards(root)) == 41 + 3 + 4
    root = ET.fromstring(picture(seen_by(state, WEST)))
    drawn = cards(root)
    assert len(drawn) == 41 + 3 + 4
    assert (
        len([card for card in drawn if card.tag == f"{SVG}g"]) == len(cards_of(state.play.holdings[WEST])) + 7
    )


def test_names_are_escaped() -> None:
    root = ET.fromstring(picture(seen_by(state_of(empty_record("mulouk_41", "<b>&\"'")), None)))
    assert "<b>&\"'" in texts(root)


def test_the_sample_in_the_docs_is_what_the_command_draws() -> None:
    result = run_for_real("table", "-", "--at", "1.18", "--svg", data=EXAMPLE.encode())
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode() == page("docs/images/table.svg")


def test_a_file_is_written(record_file: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "table.svg"
    assert run("table", record_file, "--svg", out) == 0
    assert capsys.readouterr() == ("", "")
    assert ET.fromstring(out.read_text("utf-8")).tag == f"{SVG}svg"
    assert run("table", record_file, "--svg", tmp_path / "none" / "table.svg") == 2
    assert "table.svg: No such file or directory" in capsys.readouterr().err


def test_a_wrong_record_is_drawn_and_told(wrong_file: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "table.svg"
    assert run("table", wrong_file, "--svg", out) == 1
    assert "South to play" in out.read_text("utf-8")
    assert "MUST_FOLLOW_SUIT (C5)" in capsys.readouterr().err


def test_the_format_must_be_named(record_file: Path, capsys: Capture) -> None:
    assert run("table", record_file) == 2
    assert "--svg" in capsys.readouterr().err


def test_texts_fit() -> None:
    assert shortened("short", 12, 100) == "short"
    text = shortened("a very long name of a game", 12, 100)
    assert text.endswith("…")
    assert text_width(text, 12) <= 100
    assert fitted("West–East", 16, 300) == ("West–East", 16)
    text, size = fitted("West–East won the game", 16, 150)
    assert 12 <= size < 16
    assert text_width(text, size) <= 150


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_every_rule_set_can_be_drawn(preset: str) -> None:
    record = empty_record(preset)
    for _ in range(2):
        for viewer in (None, NORTH, SPECTATOR):
            ET.fromstring(picture(seen_by(state_of(record), viewer)))
        record.hands.add().deal.seeded.seed = SEED
