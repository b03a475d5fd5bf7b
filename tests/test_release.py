"""What a release keeps, and what is held against it: the contract, the switches of its rules, its version."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

from tarneeb.v1 import rules_pb2
from tarneeb_service import __version__
from tarneeb_service.engine.rules import BROUGHT_BY, FIELD_NAMES, RULES_REVISION
from tests.later_release import NEXT, SWITCH
from tests.pages import ROOT, page
from tools import release

BUF = Path(sys.executable).parent / "buf"
RULES = "tarneeb/v1/rules.proto"
SERVICE = "tarneeb/v1/tarneeb_service.proto"
# By what breaks: a file, a pattern in it and what is put in its place, and what is said.
BREAKING = {
    "a number": (RULES, r"(?<= past_tricks = )\d+", "141", '"past_tricks" on message "RuleSet" was deleted'),
    "a name": (RULES, r"\bpast_tricks(?= = )", "past", '"past_tricks" to "past"'),
    "a value": (RULES, r"(?<= PAST_TRICKS_LAST = )\d+", "12", 'on enum "PastTricks" was deleted'),
    "a method": (SERVICE, r"(?<=rpc )CommitDeal\b", "Commit", '"CommitDeal"'),
    "an option": (RULES, r'(?<=java_package = ")com', "org", '"java_package"'),
}


def breaking(folder: Path) -> "subprocess.CompletedProcess[str]":
    """What `make lint` says of the contract in a folder."""
    command: list[str | Path] = [BUF, "breaking", "--against", release.IMAGE]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """The contract as it was released, in a folder of its own."""
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    assert not breaking(tmp_path).returncode
    return tmp_path


def broken(folder: Path, what: str) -> tuple[str, str]:
    """Break the contract in a folder; returns the file, and what is said of it."""
    name, pattern, other, said = BREAKING[what]
    file = folder / "proto" / name
    text, count = re.subn(pattern, other, file.read_text("utf-8"))
    assert count == 1
    file.write_text(text, "utf-8")
    return name, said


@pytest.mark.parametrize("what", BREAKING)
def test_what_breaks_callers_is_found(what: str, contract: Path) -> None:
    name, said = broken(contract, what)
    found = breaking(contract)
    assert found.returncode
    assert f"proto/{name}:" in found.stdout
    assert said in found.stdout


def test_what_breaks_nobody_may_be_added(contract: Path) -> None:
    file = contract / "proto" / RULES
    more = "  // A switch.\n  optional PastTricks another = 900;\n"
    file.write_text(
        re.sub(r"(?<=^message RuleSet \{\n)", more, file.read_text("utf-8"), flags=re.MULTILINE), "utf-8"
    )
    assert "another = 900" in file.read_text("utf-8")
    assert not breaking(contract).returncode


def test_the_contract_is_held_against_the_release_on_every_change() -> None:
    recipe = page("Makefile").split("\nlint:", 1)[1].split("\n\n", 1)[0]
    assert f"buf breaking --against {release.IMAGE.relative_to(ROOT)}" in recipe
    assert "lint" in page(".ci/run")


def test_the_image_and_the_switches_are_of_one_release() -> None:
    image = descriptor_pb2.FileDescriptorSet.FromString(release.IMAGE.read_bytes())
    (rules,) = (
        message
        for file in image.file
        if file.name == RULES
        for message in file.message_type
        if message.name == rules_pb2.RuleSet.DESCRIPTOR.name
    )
    assert [field.name for field in rules.field] == list(release.last().switches)
    assert not any(file.HasField("source_code_info") for file in image.file)


def test_every_switch_since_the_release_is_in_the_table() -> None:
    assert release.misplaced(release.last(), FIELD_NAMES, BROUGHT_BY) == []
    assert release.last().rules_revision <= RULES_REVISION


@pytest.mark.parametrize(
    ("brought_by", "found"),
    [
        ({}, ["another is new"]),
        ({"another": RULES_REVISION}, ["another is new"]),
        ({"another": NEXT}, []),
        ({"another": NEXT, SWITCH: NEXT}, [f"{SWITCH} came with revision 1"]),
    ],
)
def test_a_switch_that_was_forgotten_is_found(brought_by: dict[str, int], found: list[str]) -> None:
    released = release.Release("0", RULES_REVISION, dict.fromkeys(FIELD_NAMES, 1))
    said = release.misplaced(released, [*FIELD_NAMES, "another"], brought_by)
    assert [each[: len(start)] for each, start in zip(said, found, strict=True)] == found


def test_a_switch_keeps_the_revision_that_brought_it() -> None:
    released = release.Release("0", NEXT, {**dict.fromkeys(FIELD_NAMES, 1), SWITCH: NEXT})
    assert release.misplaced(released, FIELD_NAMES, {SWITCH: NEXT}) == []
    assert release.misplaced(released, FIELD_NAMES, {}) == [
        f"{SWITCH} came with revision {NEXT}, BROUGHT_BY says 1"
    ]


def test_one_version_is_shown_everywhere() -> None:
    assert release.outdated() == []
    assert {__version__, release.last().version} == {release.version()}
    newest = re.findall(r"^## (?!Unreleased)(.*)$", page("CHANGELOG.md"), re.MULTILINE)[0]
    assert re.fullmatch(rf"{re.escape(release.version())} - \d{{4}}-\d\d-\d\d", newest)


@pytest.fixture
def clone(contract: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what a release reads and writes, as a repository of its own."""
    for name in {"pyproject.toml", *(name for name, _ in release.SHOWN)}:
        (contract / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, contract / name)
    subprocess.run(["git", "init", "--quiet"], cwd=contract, check=True)
    monkeypatch.setattr(release, "ROOT", contract)
    monkeypatch.setattr(release, "FOLDER", contract / "proto/released")
    monkeypatch.setattr(release, "IMAGE", contract / "proto/released/tarneeb.binpb")
    monkeypatch.setattr(release, "RELEASE", contract / "proto/released/release.json")
    return contract


def next_version(clone: Path) -> None:
    file = clone / "pyproject.toml"
    file.write_text(file.read_text("utf-8").replace(f'"{__version__}"', '"9.8.7"'), "utf-8")


def test_a_release_writes_its_version_and_keeps_its_contract(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = release.image()
    next_version(clone)
    assert len(release.outdated()) == len(release.SHOWN)
    release.IMAGE.write_bytes(b"")
    release.RELEASE.unlink()
    monkeypatch.setattr(sys, "argv", ["release"])
    release.main()
    assert release.outdated() == []
    assert release.IMAGE.read_bytes() == kept
    assert release.last() == release.this()
    assert release.last().version == "9.8.7"


def test_what_breaks_with_the_release_before_is_not_kept(clone: Path) -> None:
    broken(clone, "a number")
    before = release.IMAGE.read_bytes()
    next_version(clone)
    with pytest.raises(SystemExit, match=f"breaks with that of {__version__}"):
        release.keep()
    assert release.IMAGE.read_bytes() == before


def test_what_is_released_is_not_kept_again(clone: Path) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@x"]
    subprocess.run(["git", *who, "commit", "--quiet", "--allow-empty", "-m", "x"], cwd=clone, check=True)
    subprocess.run(["git", "tag", f"v{__version__}"], cwd=clone, check=True)
    with pytest.raises(SystemExit, match="is released: raise the version"):
        release.keep()
