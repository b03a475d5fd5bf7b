"""Write docs/reference.md, the reference of the contract, from proto/, or check that it is up to date."""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    MethodOptions,
    ServiceDescriptorProto,
)

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
PAGE = ROOT / "docs" / "reference.md"
# Where a comment belongs is said by field numbers of descriptor.proto and places in its lists.
PACKAGE = FileDescriptorProto.PACKAGE_FIELD_NUMBER
MESSAGES = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
ENUMS = FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER
SERVICES = FileDescriptorProto.SERVICE_FIELD_NUMBER
METHODS = ServiceDescriptorProto.METHOD_FIELD_NUMBER
FIELDS = DescriptorProto.FIELD_FIELD_NUMBER
ONEOFS = DescriptorProto.ONEOF_DECL_FIELD_NUMBER
VALUES = EnumDescriptorProto.VALUE_FIELD_NUMBER

HEAD = """\
# Reference of the contract

Every method, message, field, enum value and reason of `{package}`, on one page for your browser's search. `make proto`
writes it from the comments in [`proto/`](../proto): change those. [`rules.md`](rules.md) has the rules by id,
[`errors.md`](errors.md) what to do about each refusal and status.

## How to read the tables

| type | in a request or an answer |
| --- | --- |
| `uint32`, `string`, `bool`, an enum … | unset is zero, empty, false or the value 0: the two can't be told apart |
| `optional` … | unset can be told from zero |
| a message | unset can be told from an empty one |
| `repeated` … | a list; unset is empty |
| *one of* … | a choice: of the fields below it (↳) at most one is set, and which one can be told |
"""


def descriptors() -> list[FileDescriptorProto]:
    """The files of the contract with their comments: those with a service first, then by name."""
    protos = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "set.binpb"
        command = [
            *(sys.executable, "-m", "grpc_tools.protoc"),
            f"--proto_path={PROTO}",
            "--include_source_info",
            f"--descriptor_set_out={out}",
            *protos,
        ]
        if subprocess.run(command, check=False).returncode:
            sys.exit("protoc failed; nothing was written")
        files = FileDescriptorSet.FromString(out.read_bytes()).file
    if len(packages := {file.package for file in files}) != 1:
        sys.exit(f"a page is of one package, not of {len(packages)}: {', '.join(sorted(packages))}")
    return sorted(files, key=lambda file: (not file.service, file.name))


def anchor(heading: str) -> str:
    """What a Git host makes of a heading, to be linked to."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def link(name: str) -> str:
    """A link to the heading of a type (`.tarneeb.v1.Card` or `Card`), method or file."""
    name = name if name.endswith(".proto") else name.rpartition(".")[2]
    return f"[{name}](#{anchor(name)})"


def row(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def kind(field: FieldDescriptorProto) -> str:
    """A field's type as the proto says it, linked where it has a heading of its own."""
    name = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    shown = link(field.type_name) if field.type_name else name
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {shown}"
    return f"optional {shown}" if field.proto3_optional else shown


class Page:
    """The sections of one file; a section is a list of lines."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self.file = file
        self.name = Path(file.name).name
        self.comments = {tuple(at.path): at.leading_comments for at in file.source_code_info.location}

    def text(self, *path: int) -> str:
        """A comment's paragraphs, each on one line, with a link to each page of docs/ that it names."""
        paragraphs = re.split(r"\n\s*\n", self.comments.get(path, "").strip())
        lines = (" ".join(paragraph.split()) for paragraph in paragraphs)
        return re.sub(r"`docs/([\w-]+\.md)`", r"[`docs/\1`](\1)", "\n\n".join(lines))

    def cell(self, *path: int) -> str:
        return self.text(*path).replace("\n\n", " ")

    def services(self) -> Iterator[str]:
        for place, service in enumerate(self.file.service):
            yield f"## {service.name}"
            yield self.text(SERVICES, place)
            yield f"Calls go to `/{self.file.package}.{service.name}/` and the method's name."
            for number, method in enumerate(service.method):
                yield f"### {method.name}"
                yield self.text(SERVICES, place, METHODS, number)
                yield self.signature(method)

    def signature(self, method: MethodDescriptorProto) -> str:
        asks = ("stream of " if method.client_streaming else "") + link(method.input_type)
        answers = ("stream of " if method.server_streaming else "") + link(method.output_type)
        level = MethodOptions.IdempotencyLevel.Name(method.options.idempotency_level)
        return f"{asks} → {answers}, idempotency level `{level}`"

    def types(self) -> Iterator[str]:
        yield f"## {self.name}"
        yield f"Source: [`{self.file.name}`](../proto/{self.file.name})."
        yield self.text(PACKAGE)
        for place, message in enumerate(self.file.message_type):
            if message.nested_type or message.enum_type:
                sys.exit(f"{self.file.name}: {message.name} has types inside it, which are not shown yet")
            yield f"### {message.name}"
            yield self.text(MESSAGES, place)
            yield self.fields(place, message)
        for place, enum in enumerate(self.file.enum_type):
            yield f"### {enum.name}"
            yield self.text(ENUMS, place)
            rows = [row("number", "value", "meaning"), row(*["---"] * 3)]
            for number, value in enumerate(enum.value):
                rows.append(row(value.number, f"`{value.name}`", self.cell(ENUMS, place, VALUES, number)))
            yield "\n".join(rows)

    def fields(self, place: int, message: DescriptorProto) -> str:
        """A message's table; the fields of a oneof stand under a row of its own."""
        if not message.field:
            return "It has no fields."
        rows = [row("number", "field", "type", "meaning"), row(*["---"] * 4)]
        choice = None
        for number, field in enumerate(message.field):
            meaning = self.cell(MESSAGES, place, FIELDS, number)
            # protoc makes a oneof for each `optional` as well; that one is nobody's choice.
            within = (
                field.oneof_index if field.HasField("oneof_index") and not field.proto3_optional else None
            )
            if within is not None and within != choice:
                name = message.oneof_decl[within].name
                rows.append(row("", f"*one of* `{name}`", "", self.cell(MESSAGES, place, ONEOFS, within)))
            choice = within
            mark = "" if within is None else "↳ "
            rows.append(row(field.number, f"{mark}`{field.name}`", kind(field), meaning))
        return "\n".join(rows)


def contents(pages: list[Page]) -> str:
    """Methods, and types by file; requests and answers are found by their method."""
    services = [service for page in pages for service in page.file.service]
    methods = [method for service in services for method in service.method]
    found = {name.rpartition(".")[2] for each in methods for name in (each.input_type, each.output_type)}
    lines = ["## Contents", ""]
    for service in services:
        links = ", ".join(link(method.name) for method in service.method)
        lines.append(f"- {link(service.name)}, each method with its request and answer: {links}")
    for page in pages:
        names = [message.name for message in page.file.message_type if message.name not in found]
        names += [enum.name for enum in page.file.enum_type]
        lines.append(f"- {link(page.name)}: {', '.join(map(link, names))}")
    return "\n".join(lines)


def reference() -> str:
    """The whole page: contents, methods, then messages and enums by file."""
    pages = [Page(file) for file in descriptors()]
    head = HEAD.format(package=pages[0].file.package).rstrip()
    sections = [section for page in pages for section in page.services()]
    sections += [section for page in pages for section in page.types()]
    return "\n\n".join(section for section in (head, contents(pages), *sections) if section) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", nargs="?", type=Path, default=PAGE, help="file to write (docs/reference.md)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the page is stale")
    args = parser.parse_args()
    text = reference()
    if not args.check:
        args.page.write_text(text, encoding="utf-8")
    elif not args.page.is_file() or args.page.read_text(encoding="utf-8") != text:
        sys.exit(f"out of date: {args.page.name}\nRemedy: run 'make proto' and commit what it changes.")


if __name__ == "__main__":
    main()
