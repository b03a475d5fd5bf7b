"""The reference of the contract has all of it, as the descriptors and the comments of the protos say it."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from google.protobuf.descriptor import (
    Descriptor,
    EnumDescriptor,
    FieldDescriptor,
    FileDescriptor,
    MethodDescriptor,
    OneofDescriptor,
)
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, MethodOptions

from tests.pages import ROOT, page

NAME = "docs/reference.md"
PROTOS = sorted((ROOT / "proto" / "tarneeb" / "v1").glob("*.proto"))
FILES: list[FileDescriptor] = [import_module(f"tarneeb.v1.{path.stem}_pb2").DESCRIPTOR for path in PROTOS]
MESSAGES: list[Descriptor] = [each for file in FILES for each in file.message_types_by_name.values()]
ENUMS: list[EnumDescriptor] = [each for file in FILES for each in file.enum_types_by_name.values()]
METHODS: list[MethodDescriptor] = [
    method for file in FILES for service in file.services_by_name.values() for method in service.methods
]
TITLES = re.findall(r"^#+ (.*)$", page(NAME), re.MULTILINE)
SCALARS: dict[int, str] = {number: name[5:].lower() for name, number in FieldDescriptorProto.Type.items()}


def name_of(item: object) -> str:
    return str(getattr(item, "name", item))


def section(title: str) -> list[str]:
    """The lines below a heading, up to the next."""
    (found,) = re.findall(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", page(NAME), re.MULTILINE | re.DOTALL)
    return str(found).splitlines()


def slug(title: str) -> str:
    """The anchor by which a Git host finds a heading: small letters, hyphens for spaces, no other signs."""
    return "".join(sign for sign in title.lower().replace(" ", "-") if sign.isalnum() or sign in "-_")


def to_type(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def choice_of(field: FieldDescriptor) -> OneofDescriptor | None:
    """The oneof a field is in, but for the one that protoc makes for an `optional`."""
    oneof = field.containing_oneof
    return None if oneof is None or oneof.name == f"_{field.name}" else oneof


def type_of(field: FieldDescriptor) -> str:
    named = field.message_type or field.enum_type
    shown = to_type(named.name) if named else SCALARS[field.type]
    if field.is_repeated:
        return f"repeated {shown}"
    optional = field.containing_oneof is not None and choice_of(field) is None
    return f"optional {shown}" if optional else shown


def check(target: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tools.reference", "--check", str(target)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_page_is_fresh() -> None:
    done = check(ROOT / NAME)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "stale",
    [None, "", page(NAME) + "\n", page(NAME).replace("↳ ", "")],
    ids=["missing", "empty", "longer", "changed"],
)
def test_a_page_that_is_not_fresh_is_found_and_left_alone(stale: str | None, tmp_path: Path) -> None:
    target = tmp_path / "reference.md"
    if stale is not None:
        target.write_text(stale, "utf-8")
    done = check(target)
    assert done.returncode == 1
    assert "make proto" in done.stderr
    assert (target.read_text("utf-8") if target.exists() else None) == stale


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_every_method_names_request_answer_and_idempotency(method: MethodDescriptor) -> None:
    level = MethodOptions.IdempotencyLevel.Name(method.GetOptions().idempotency_level)
    asks, answers = to_type(method.input_type.name), to_type(method.output_type.name)
    assert f"{asks} → {answers}, idempotency level `{level}`" in section(method.name)


@pytest.mark.parametrize("message", MESSAGES, ids=name_of)
def test_every_field_has_number_type_presence_and_its_choice(message: Descriptor) -> None:
    expected = []
    choice = None
    for field in message.fields:
        oneof = choice_of(field)
        if oneof is not None and oneof is not choice:
            expected.append(f"|  | *one of* `{oneof.name}` |  | ")
        choice = oneof
        mark = "↳ " if oneof else ""
        expected.append(f"| {field.number} | {mark}`{field.name}` | {type_of(field)} | ")
    rows = [line for line in section(message.name) if line.startswith("|")][2:]
    assert len(rows) == len(expected)
    for row, start in zip(rows, expected, strict=True):
        assert row.startswith(start)
        assert len(row) > len(start) + len(" |")  # it says something


@pytest.mark.parametrize("enum", ENUMS, ids=name_of)
def test_every_enum_value_has_its_number(enum: EnumDescriptor) -> None:
    rows = [line for line in section(enum.name) if line.startswith("|")][2:]
    assert len(rows) == len(enum.values)
    for row, value in zip(rows, enum.values, strict=True):
        assert re.fullmatch(rf"\| {value.number} \| `{value.name}` \| \S.* \|", row)


@pytest.mark.parametrize("proto", PROTOS, ids=name_of)
def test_every_comment_of_the_protos_is_there(proto: Path) -> None:
    said = re.sub(r"\[(`docs/[^]]+`)\]\([^)]+\)", r"\1", page(NAME)).replace("\\|", "|")
    said = " ".join(said.split())
    comments = re.findall(r"(?:^ *//.*\n)+", proto.read_text("utf-8"), re.MULTILINE)
    assert comments
    for comment in comments:
        assert " ".join(re.sub(r"^ *//", "", comment, flags=re.MULTILINE).split()) in said


def test_headings_can_be_told_apart() -> None:
    anchors = [slug(title) for title in TITLES]
    assert len(anchors) == len(set(anchors))


def test_every_anchor_that_the_page_links_to_exists() -> None:
    linked = set(re.findall(r"\]\(#([^)]+)\)", page(NAME)))
    assert linked
    assert linked <= {slug(title) for title in TITLES}


def test_every_anchor_that_other_pages_link_to_exists() -> None:
    sources = ["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
    linked = {each for name in sources for each in re.findall(r"\breference\.md#([^)]+)\)", page(name))}
    assert linked
    assert linked <= {slug(title) for title in TITLES}


def test_the_contents_lead_to_every_method_and_type() -> None:
    requests = {each.name for method in METHODS for each in (method.input_type, method.output_type)}
    wanted = {name_of(each) for each in (*METHODS, *MESSAGES, *ENUMS)} - requests
    assert {to_type(name) for name in wanted} <= set(
        re.findall(r"\[\w+\]\(#\w+\)", "".join(section("Contents")))
    )


def test_methods_come_first_and_every_heading_is_of_the_contract() -> None:
    types = {name_of(each) for each in (*MESSAGES, *ENUMS, *PROTOS)}
    after = TITLES.index("TarneebService") + 1
    assert TITLES[after : after + len(METHODS)] == [method.name for method in METHODS]
    assert sorted(TITLES[after + len(METHODS) :]) == sorted(types)
