"""The dispute of docs/disputes.md, settled as the page says."""

import subprocess
from pathlib import Path

from tests.pages import BIN, blocks, output_of
from tools.server_process import serving

PAGE = "docs/disputes.md"


def test_a_program_finds_what_the_page_shows(tmp_path: Path) -> None:
    (code,) = blocks(PAGE, "python")
    record, shown = blocks(PAGE, "text")
    (tmp_path / "dispute.txt").write_text(record, "utf-8")
    with serving() as server:
        assert output_of(code, server.port, tmp_path) == shown


def test_a_person_finds_it_at_the_command_line(tmp_path: Path) -> None:
    record, shown = blocks(PAGE, "text")
    (tmp_path / "dispute.txt").write_text(record, "utf-8")
    (command,) = blocks(PAGE, "sh")
    name, *arguments = command.split()
    done = subprocess.run(
        [BIN / name, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    refusal = "East must follow spades"
    assert refusal in shown
    assert refusal in done.stdout
    assert "e659f8cb" not in done.stdout + done.stderr, "a seed is shown to nobody"
