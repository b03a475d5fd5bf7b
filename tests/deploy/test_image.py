"""What `make image-check` tells images apart by, and what it says of the sources."""

import os
import py_compile
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.pages import page
from tools.image_check import buildah, contents

ARGUMENTS = {"VERSION": "1.2.3", "REVISION": "abc", "CREATED": "2026-01-01T00:00:00Z"}


def tree(folder: Path) -> Path:
    (folder / "sub").mkdir(parents=True)
    for name in ("a", "sub/b"):
        (folder / name).write_bytes(b"x")
        os.utime(folder / name, (1, 1))
    (folder / "link").symlink_to("a")
    os.utime(folder / "link", (1, 1), follow_symlinks=False)
    os.utime(folder / "sub", (1, 1))
    return folder


def other_time(folder: Path) -> None:
    os.utime(folder / "a", (2, 2))


def other_link(folder: Path) -> None:
    (folder / "link").unlink()
    (folder / "link").symlink_to("sub/b")
    os.utime(folder / "link", (1, 1), follow_symlinks=False)


def other_content(folder: Path) -> None:
    (folder / "a").write_bytes(b"y")
    os.utime(folder / "a", (1, 1))


CHANGES: dict[str, Callable[[Path], Any]] = {
    "a: time": other_time,
    "link: content": other_link,
    "a: content": other_content,
    "a: mode": lambda folder: (folder / "a").chmod(0o600),
    "link is in one only": lambda folder: (folder / "link").unlink(),
    "new is in one only": lambda folder: (folder / "new").symlink_to("a"),
}


@pytest.mark.parametrize("expected", CHANGES)
def test_what_makes_two_images_differ_is_named(tmp_path: Path, expected: str) -> None:
    one, other = tree(tmp_path / "one"), tree(tmp_path / "other")
    assert list(contents.differing(one, other)) == []
    CHANGES[expected](other)
    assert list(contents.differing(one, other)) == [expected]


def test_the_second_checkout_has_the_same_sources_at_other_times(tmp_path: Path) -> None:
    copy = buildah.another_checkout(tmp_path)
    one = (buildah.ROOT / "src/tarneeb_service/__init__.py", copy / "src/tarneeb_service/__init__.py")
    assert one[0].read_bytes() == one[1].read_bytes()
    assert one[0].stat().st_mtime != one[1].stat().st_mtime
    assert sorted(path.name for path in copy.iterdir()) == sorted(buildah.CONTEXT)
    assert not list(copy.rglob("__pycache__"))


def test_the_context_is_what_the_ignore_file_lets_through() -> None:
    lines = page(".dockerignore").splitlines()
    assert sorted(line[1:] for line in lines if line.startswith("!")) == sorted(buildah.CONTEXT)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (py_compile.PycInvalidationMode.UNCHECKED_HASH, True),
        (py_compile.PycInvalidationMode.CHECKED_HASH, False),
        (py_compile.PycInvalidationMode.TIMESTAMP, False),
        (None, False),
    ],
)
def test_bytecode_without_a_time(
    tmp_path: Path, mode: py_compile.PycInvalidationMode | None, expected: bool
) -> None:
    module = tmp_path / "some.py"
    module.write_text("x = 1\n", encoding="utf-8")
    if mode is not None:
        py_compile.compile(str(module), invalidation_mode=mode)
    assert contents.compiled(module) is expected


def inspected() -> dict[str, Any]:
    about = contents.project()
    labels = {
        **{f"{contents.LABEL}{name.lower()}": value for name, value in ARGUMENTS.items()},
        f"{contents.LABEL}title": about["name"],
        f"{contents.LABEL}description": about["description"],
        f"{contents.LABEL}licenses": about["license"],
        f"{contents.LABEL}base.name": "base",
    }
    config = {
        "User": "10001:10001",
        "ExposedPorts": {"50051/tcp": {}, "50052/tcp": {}, "9464/tcp": {}},
        "Labels": labels,
        "Entrypoint": ["tarneeb-service"],
        "Cmd": ["serve"],
    }
    return {"OCIv1": {"config": config}, "Docker": {"config": {}}}


def test_a_good_configuration_passes() -> None:
    assert contents.check_config(inspected(), ARGUMENTS) == ["tarneeb-service", "serve"]


BAD_CONFIGS: dict[str, tuple[str, Any]] = {
    "a numeric user": ("User", "tarneeb"),
    "its ports": ("ExposedPorts", {"50051/tcp": {}}),
    "the labels": ("Labels", {}),
}


@pytest.mark.parametrize("expected", BAD_CONFIGS)
def test_a_bad_configuration_is_found(expected: str) -> None:
    image = inspected()
    key, value = BAD_CONFIGS[expected]
    image["OCIv1"]["config"][key] = value
    with pytest.raises(RuntimeError, match=expected):
        contents.check_config(image, ARGUMENTS)


def fake_bill(monkeypatch: pytest.MonkeyPatch, listed: dict[str, str]) -> None:
    monkeypatch.setattr(contents, "write_bill", lambda path, epoch: listed)


def package(root: Path, name: str, version: str) -> None:
    folder = root / f"app/lib/python3.11/site-packages/{name}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n", "utf-8")


def test_the_bill_is_held_against_the_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, "Typing_Extensions", "4.1")
    fake_bill(monkeypatch, {"typing-extensions": "4.1"})
    assert contents.check_bill(tmp_path, tmp_path / "x", "1") == 1
    for listed in ({"typing-extensions": "4.2"}, {}, {"typing-extensions": "4.1", "more": "1"}):
        fake_bill(monkeypatch, listed)
        with pytest.raises(RuntimeError, match="the bill lists"):
            contents.check_bill(tmp_path, tmp_path / "x", "1")


def test_the_sources_are_named_with_or_without_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = contents.build_arguments()
    assert re.fullmatch(r"\d{10}", here["SOURCE_DATE_EPOCH"])
    assert re.fullmatch(r"[0-9a-f]{40}(-changed)?", here["REVISION"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", here["CREATED"])
    monkeypatch.setattr(contents, "ROOT", tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "9"\n', encoding="utf-8")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert contents.build_arguments() == {
        "SOURCE_DATE_EPOCH": contents.EARLIEST,
        "VERSION": "9",
        "REVISION": "unknown",
        "CREATED": "1980-01-01T00:00:00Z",
    }


def test_the_tool_that_writes_the_bill_is_pinned_by_hash() -> None:
    lock = page("deploy/image/requirements.lock")
    assert "\ncyclonedx-bom==" in lock
    assert len(re.findall(r"^[a-z].*==", lock, re.MULTILINE)) <= lock.count("--hash=sha256:")
    assert "http" not in lock


def test_every_argument_is_one_of_the_dockerfile() -> None:
    declared = set(re.findall(r"^ARG ([A-Z_]+)", page("Dockerfile"), re.MULTILINE))
    assert declared == {"BASE", "LOCK", *contents.build_arguments()}
