"""tools/clients.py: what falls short is told, and a toolchain that is missing is no silence."""

from pathlib import Path

import pytest

from tools import clients


@pytest.fixture
def vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vectors.jsonl").write_text("{}\n{}\n")
    monkeypatch.setattr(clients, "VECTORS", tmp_path)


WANTED = "tarneeb transcript 1\nover\n"
GOOD = "go: 10 games, transcript a47b46dae1183a12, 2/2 vectors"


@pytest.mark.usefixtures("vectors")
@pytest.mark.parametrize(
    ("summary", "transcript", "found"),
    [
        (GOOD, WANTED, ""),
        (GOOD, "tarneeb transcript 1\nOver\n", "line 2 of the transcript"),
        (GOOD, "tarneeb transcript 1\n", "line 2 of the transcript"),
        (GOOD, f"{WANTED}more\n", "line 3 of the transcript"),
        (GOOD, WANTED.replace("\n", "\r\n"), "other ends of lines"),
        (GOOD.replace("2/2", "1/2"), WANTED, "says"),
        (GOOD.replace("a47b46dae1183a12", "047b46dae1183a12"), WANTED, "says"),
        ("", WANTED, "says"),
    ],
)
def test_what_differs_is_told(summary: str, transcript: str, found: str) -> None:
    wrong = list(clients.shortcomings("go", summary, transcript, WANTED))
    assert len(wrong) == bool(found)
    assert found in "".join(wrong)


def client(**parts: object) -> clients.Client:
    made: dict[str, object] = {"needs": [], "build": [], "run": {}, "environment": {}}
    return clients.Client("x", **made | parts)  # type: ignore[arg-type]


def test_what_is_missing_is_named() -> None:
    assert client(needs=["sh", "no-such-tool", "{python}"]).missing() == ["no-such-tool"]


def test_a_build_that_fails_is_told_with_what_it_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "BUILD", tmp_path)
    broken = client(build=[{"command": ["sh", "-c", "echo why >&2; exit 3"]}], run={"x": ["true"]})
    (said,) = clients.tried(broken, "127.0.0.1:1")
    assert said.startswith("failed x: does not build: ")
    assert "why" in said


@pytest.mark.parametrize("ci", ["true", ""])
def test_a_missing_toolchain_fails_in_ci_alone(
    ci: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", ci)
    assert clients.without_tools([client(needs=["no-such-tool"]), client()], named=False) == (
        [client()],
        bool(ci),
    )
    assert "x: skipped, no-such-tool not found" in capsys.readouterr().out


def test_every_client_reads() -> None:
    assert "python" in [each.name for each in clients.clients()]
