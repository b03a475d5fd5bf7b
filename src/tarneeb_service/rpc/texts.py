"""Texts that are not UTF-8: protobuf refuses a whole message for one, and does not say where it is.

They are looked for once parsing has failed, in twins of the messages whose texts are bytes.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice

from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from tarneeb_service.engine.problems import Problem, ProblemReason

# Far more than a sound request has; one full of empty messages must not keep the others waiting.
MOST_LOOKED_AT = 20_000


def problems_in_texts(kind: Descriptor, data: bytes) -> list[Problem]:
    """Return the texts that are not UTF-8 in bytes that are no message of a kind; none when another fault is why."""
    try:
        twin = GetMessageClass(_twins(kind.file).FindMessageTypeByName(kind.full_name)).FromString(data)
    except DecodeError:
        return []
    return [
        Problem(path, ProblemReason.UNKNOWN_VALUE, "is not UTF-8")
        for path, text in islice(_texts(kind, twin, ""), MOST_LOOKED_AT)
        if not _is_utf_8(text)
    ]


@cache
def _twins(file: FileDescriptor) -> DescriptorPool:
    """Return the messages of a file and of those it needs, with bytes in place of texts."""
    pool = DescriptorPool()
    # Each once, after those it needs.
    for one in dict.fromkeys(_files(file)):
        twin = FileDescriptorProto()
        one.CopyToProto(twin)
        for field in (field for message in twin.message_type for field in message.field):
            if field.type == FieldDescriptorProto.TYPE_STRING:
                field.type = FieldDescriptorProto.TYPE_BYTES
        pool.Add(twin)
    return pool


def _files(file: FileDescriptor) -> Iterator[FileDescriptor]:
    for needed in file.dependencies:
        yield from _files(needed)
    yield file


def _texts(kind: Descriptor, twin: Message, path: str) -> Iterator[tuple[str, bytes]]:
    """Yield the texts of a message with their paths, and something for itself, so that it counts."""
    yield path, b""
    for field, value in twin.ListFields():
        true = kind.fields_by_number[field.number]
        for index, one in enumerate(value if field.is_repeated else [value]):
            here = f"{path}.{field.name}".lstrip(".") + (f"[{index}]" if field.is_repeated else "")
            if true.message_type is not None:
                yield from _texts(true.message_type, one, here)
            elif true.type == FieldDescriptor.TYPE_STRING:
                yield here, one


def _is_utf_8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
