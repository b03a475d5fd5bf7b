"""What works, and what is said, where the library that draws in terminals is not installed."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.samples import RECORDS
from tests.pages import page

RECORD = RECORDS / "individual.txt"


def without_rich(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.modules['rich'] = None; {code}", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return without_rich("from tarneeb_service.cli.main import main; main()", *arguments)


@pytest.mark.parametrize("name", ["show", "replay"])
def test_what_draws_in_a_terminal_says_what_to_install(name: str) -> None:
    result = command(name, RECORD)
    assert (result.returncode, result.stdout) == (3, "")
    assert result.stderr == (
        f"tarneeb-service: '{name}' needs the library rich: pip install 'tarneeb-service[terminal]'\n"
    )
    told = command(name, "--help").stdout
    assert "\n  3  the library rich is missing: pip install 'tarneeb-service[terminal]'" in told


def test_all_else_works(tmp_path: Path) -> None:
    picture = tmp_path / "table.svg"
    assert command("table", RECORD, "--svg", picture).returncode == 0
    assert picture.read_text("utf-8").startswith("<svg ")
    assert "TARNEEB_PORT" in command("config").stdout
    assert "replay" in command("--help").stdout
    serving = without_rich("import tarneeb_service.server.lifecycle, tarneeb_service.server.server")
    assert (serving.returncode, serving.stderr) == (0, "")


def test_only_developing_and_the_extra_install_it() -> None:
    project = tomllib.loads(page("pyproject.toml"))["project"]
    assert [name.partition(">")[0] for name in project["optional-dependencies"]["terminal"]] == ["rich"]
    assert "\nrich==" not in page("requirements.lock")
    assert "\nrich==" in page("requirements-dev.lock")
