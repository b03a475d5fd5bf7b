"""What `make stubs` writes, and what it refuses, without any generator; pages whose code is included."""

from pathlib import Path

import pytest

from tools import include
from tools.stubs import generate
from tools.stubs.check import CHECKS
from tools.stubs.generate import RefusedError, lay, main, place
from tools.stubs.generators import CRATES, GO, MAVEN
from tools.stubs.languages import LANGUAGES

ROOT = generate.ROOT


def fresh(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / "tarneeb" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_code_is_laid_into_a_folder_of_the_callers(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    assert lay("go", fresh(tmp_path / "a", one="1", two="2"), out) == 2
    assert (out / "tarneeb/two").read_text() == "2"


def test_a_later_run_removes_what_is_its_own_and_no_longer_made(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    lay("go", fresh(tmp_path / "a", one="1", two="2"), out)
    (out / "tarneeb/mine").write_text("kept")
    lay("go", fresh(tmp_path / "b", one="new"), out)
    there = {path.name: path.read_text() for path in (out / "tarneeb").iterdir()}
    assert there == {"one": "new", "mine": "kept"}


def test_a_file_of_the_callers_is_never_written_over(tmp_path: Path) -> None:
    out = fresh(tmp_path / "mine", two="theirs")
    with pytest.raises(RefusedError, match="was not made by this tool"):
        lay("go", fresh(tmp_path / "a", one="1", two="2"), out)
    assert [path.name for path in out.rglob("*")] == ["tarneeb", "two"]
    assert (out / "tarneeb/two").read_text() == "theirs"


def test_a_list_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    lay("go", fresh(tmp_path / "a", one="1"), out)
    (tmp_path / "other").write_text("theirs")
    (out / "tarneeb-stubs-go.txt").write_text("../other\n")
    lay("go", fresh(tmp_path / "a", one="1"), out)
    assert (tmp_path / "other").exists()


@pytest.mark.parametrize("out", ["", ".", "gen", "build/stubs", str(ROOT / "clients/go")])
def test_nothing_goes_into_this_repository(out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(RefusedError):
        place(out)


def test_nor_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(ROOT)
    with pytest.raises(RefusedError, match="in this repository"):
        place(str(tmp_path / "link/gen"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/tarneeb").symlink_to(ROOT / "docs")
    with pytest.raises(RefusedError, match="in this repository"):
        lay("go", fresh(tmp_path / "a", one="1"), tmp_path / "mine")


def test_a_folder_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RefusedError, match="is no folder"):
        place(str(tmp_path / "file"))


def test_an_unknown_language_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("cobol", "/nowhere") == 2
    assert "go, java, kotlin" in capsys.readouterr().err


def test_a_missing_plugin_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.stubs.generators.protoc", lambda: tmp_path / "protoc")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main("dart", str(tmp_path / "gen")) == 1
    assert "protoc-gen-dart is not on PATH" in capsys.readouterr().err
    assert not (tmp_path / "gen").exists()


def test_python_is_generated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("python", str(tmp_path / "gen")) == 0
    ours = (ROOT / "src/tarneeb/v1/cards_pb2.py").read_bytes()
    assert (tmp_path / "gen/tarneeb/v1/cards_pb2.py").read_bytes() == ours
    assert "googleapis-common-protos" in capsys.readouterr().out


def test_the_table_names_every_language_and_version() -> None:
    readme = (ROOT / "clients/README.md").read_text("utf-8")
    rows = {line.split("`")[1]: line for line in readme.splitlines() if line.startswith("| `")}
    assert set(LANGUAGES) - {"swift"} == rows.keys()
    for name, how in LANGUAGES.items():
        if name in CHECKS:
            assert "generates it" not in rows[name]
        if how.details and name != "kotlin":
            assert how.details in rows[name]
    for _, version in GO.values():
        assert version.removeprefix("v") in rows["go"]
    assert all(version in rows["rust"] for version in CRATES.values())
    assert MAVEN["protoc-gen-grpc-java"][0].split(":")[2] in rows["java"]
    assert MAVEN["protoc-gen-grpc-kotlin"][0].split(":")[2] in rows["kotlin"]


@pytest.mark.parametrize("name", include.PAGES)
def test_included_code_is_that_of_its_source(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert include.filled(text) == text
    # Every block of Python is included, none retyped.
    assert text.count("```python\n") == len(include.PLACE.findall(text)) > 5


def test_a_page_that_was_retyped_is_found() -> None:
    text = (ROOT / "docs/backend.md").read_text("utf-8")
    assert include.filled(text.replace("read_at", "readat")) != text.replace("read_at", "readat")
    with pytest.raises(ValueError, match=r"has no Store\.steal"):
        include.code("clients/python/program/store.py", "Store.steal")
