"""What check-deploy fetches, on a clone that has no folder of it yet."""

import sys
from pathlib import Path

import pytest

from tools.check_deploy import __main__ as main
from tools.check_deploy import downloads

# As Debian's: the one puts a package into the working folder, the other makes the last folder of a path alone.
APT_GET = "Path('prometheus_1_amd64.deb').touch()"
DPKG_DEB = """
folder = Path(sys.argv[-1])
folder.is_dir() or folder.mkdir()
(folder / 'usr/bin').mkdir(parents=True)
for name in ('prometheus', 'promtool'):
    (folder / 'usr/bin' / name).touch()
"""


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport sys\nfrom pathlib import Path\n{text}", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone's folder for tools, which is not there, like its parent."""
    monkeypatch.setattr(downloads, "TOOLS", tmp_path / "build/tools")
    return tmp_path


def test_a_package_is_unpacked_on_a_fresh_clone(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = clone / "bin"
    programs.mkdir()
    program(programs, "apt-get", APT_GET)
    program(programs, "dpkg-deb", DPKG_DEB)
    monkeypatch.setenv("PATH", str(programs))
    assert [path.name for path in downloads.prometheus()] == ["prometheus", "promtool"]
    assert all(path.is_file() and path.is_relative_to(clone) for path in downloads.prometheus())


def test_without_a_way_to_get_it_the_tool_is_named(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(clone))
    with pytest.raises(downloads.MissingToolError, match="prometheus and promtool"):
        downloads.prometheus()


def test_an_environment_is_made_on_a_fresh_clone(clone: Path) -> None:
    lock = clone / "requirements.lock"
    lock.write_text("# nothing\n", encoding="utf-8")
    python = downloads.environment("some", lock)
    assert python.is_file()
    assert python.is_relative_to(clone / "build/tools")


@pytest.mark.parametrize(("ci", "code"), [(False, None), (True, "1 of 2 checks failed")])
def test_a_missing_tool_fails_in_ci_alone(
    ci: bool, code: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> str:
        raise downloads.MissingToolError("Go is needed")

    monkeypatch.setattr(main, "CHECKS", {"one": lambda: "well", "two": missing})
    monkeypatch.setattr(main, "CI", ci)
    monkeypatch.setattr(sys, "argv", ["check_deploy"])
    with pytest.raises(SystemExit) as left:
        main.main()
    assert (left.value.code or None) == code
    assert "Go is needed" in capsys.readouterr().out


def test_the_quick_part_needs_no_go() -> None:
    assert {"gateway", "prometheus", "rules"} < set(main.QUICK) < set(main.CHECKS)
    assert "linters" not in main.QUICK
