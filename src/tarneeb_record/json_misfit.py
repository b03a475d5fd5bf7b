"""Where a JSON document misses its message, told without repeating what it holds."""

from difflib import get_close_matches

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass


def json_misfit(document: object, kind: Descriptor, path: str = "") -> str:
    """Return where a JSON document is not that of a message, and what belongs there.

    Protobuf's own errors repeat what they did not understand, which may be a seed. This repeats only names
    of fields, which are ours.
    """
    start = f"{path}: " if path else ""
    if not isinstance(document, dict):
        return f"{start}must be an object"
    fields = {name: field for field in kind.fields for name in (field.name, field.json_name)}
    for number, (name, item) in enumerate(document.items(), start=1):
        field = fields.get(name)
        if field is None:
            near = get_close_matches(name[:40], fields, 1)
            hint = f"; is it {near[0]}?" if near else ""
            return f"{start}there is no such field as its number {number}{hint}"
        if _fits({name: item}, kind):
            continue
        place = f"{path}.{name}" if path else name
        if field.is_repeated:
            if not isinstance(item, list):
                return f"{place}: must be a list"
            index = next((index for index, one in enumerate(item) if not _fits({name: [one]}, kind)), 0)
            place, item = f"{place}[{index}]", item[index]
        if field.message_type is not None:
            return json_misfit(item, field.message_type, place)
        return f"{place}: must be {_scalar(field)}"
    return f"{start}two of its fields can't stand together"


def _fits(document: dict[str, object], kind: Descriptor) -> bool:
    try:
        json_format.ParseDict(document, GetMessageClass(kind)())
    except (json_format.ParseError, ValueError, TypeError, OverflowError, RecursionError):
        return False
    return True


def _scalar(field: FieldDescriptor) -> str:
    if field.enum_type is not None:
        return f"a {field.enum_type.name}, as {field.enum_type.values[1].name}"
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return "a string"
        case FieldDescriptor.TYPE_BYTES:
            return "a string of base64"
        case FieldDescriptor.TYPE_BOOL:
            return "true or false"
    return "a whole number in its range"
