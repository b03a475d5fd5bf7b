"""Ways to spoil the bytes of a sound request, and ways to write the same request differently."""

import random
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tests.rpc.samples import spoil

VARINT, BYTES, GROUP, END_GROUP = 0, 2, 3, 4
# No message of ours has groups, and no protobuf has these two.
NO_WIRE_TYPES = (6, 7)
# No field of any message has this number.
UNKNOWN_FIELD = 1000
# Bytes of the length of the mark that are no UTF-8: no lead, too long, half a surrogate, beyond the end, cut off.
MARK = "\x01\x02\x03\x04"
NO_TEXT = (b"\xff\xfe\xfd\xfc", b"\xc0\x80ab", b"\xed\xa0\x80a", b"\xf4\x90\x80\x80", b"ab\xe2\x82")


def garbage(sound: Message, chance: random.Random) -> bytes:
    """The bytes of a request that is hardly sound."""
    data = sound.SerializeToString()
    match chance.randrange(8):
        case 0:
            return data[: chance.randrange(len(data) + 1)]
        case 1:
            return flipped(data, chance)
        case 2:
            return spliced(data, chance)
        case 3:
            return data + chance.choice(list(odd_ends(chance).values()))
        case 4:
            return chance.choice([*with_bad_text(sound), flipped(rewritten(sound, chance), chance)])
    # A snapshot is bytes like any, but more often the game in it is spoiled.
    inside = chance.random() < 0.8
    message = as_game(sound) if inside else type(sound).FromString(data)
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        spoil(message, chance)
    data = (as_snapshot(message) if inside and has_snapshot(sound) else message).SerializeToString()
    return data if chance.random() < 0.8 else flipped(data, chance)


def as_snapshot(request: Message) -> Message:
    """The same request, with each of its games as a snapshot."""
    copy = type(request).FromString(request.SerializeToString())
    for place in _places(copy):
        if place.HasField("game"):
            place.snapshot = place.game.SerializeToString()
    return copy


def as_game(request: Message) -> Message:
    """The same request, with each of its snapshots as a game."""
    copy = type(request).FromString(request.SerializeToString())
    for place in _places(copy):
        if place.HasField("snapshot"):
            place.game.ParseFromString(bytes(place.snapshot))
    return copy


def has_snapshot(request: Message) -> bool:
    """Whether a request has a game as a snapshot."""
    return any(place.HasField("snapshot") for place in _places(request))


def _places(request: Any) -> list[Any]:
    """Where a request has a game, in either form: itself, or its items."""
    return [
        each
        for each in (request, *getattr(request, "items", ()))
        if "snapshot" in each.DESCRIPTOR.fields_by_name
    ]


def flipped(data: bytes, chance: random.Random) -> bytes:
    """Bits flipped, bytes replaced by those that mean much to a parser."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 2, 4, 16)) if changed else 0):
        place = chance.randrange(len(changed))
        if chance.random() < 0.5:
            changed[place] ^= 1 << chance.randrange(8)
        else:
            changed[place] = chance.choice((0x00, 0x01, 0x7F, 0x80, 0xFF))
    return bytes(changed)


def spliced(data: bytes, chance: random.Random) -> bytes:
    """A piece taken out, doubled or moved."""
    start, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
    piece = data[start:end]
    rest = data[:start] + data[end:]
    place = chance.randrange(len(rest) + 1)
    return chance.choice((rest, data + piece, rest[:place] + piece + rest[place:]))


def odd_ends(chance: random.Random) -> dict[str, bytes]:
    """Bytes to put after a request that make it no message any more, by what is wrong with them."""

    def tag(wire_type: int, number: int = UNKNOWN_FIELD) -> bytes:
        return _tag(number, wire_type, chance)

    return {
        "group without an end": tag(GROUP),
        "end without a group": tag(END_GROUP),
        "end of another group": tag(GROUP) + tag(END_GROUP, UNKNOWN_FIELD + 1),
        "group that ends in the middle of a field": tag(GROUP) + tag(BYTES) + b"\x09" + tag(END_GROUP),
        **{f"wire type {number}": tag(number) + b"\x01" for number in NO_WIRE_TYPES},
        **{
            f"wire type {number} in a group": tag(GROUP) + tag(number) + tag(END_GROUP)
            for number in NO_WIRE_TYPES
        },
        "wire type 7 of field 1": tag(NO_WIRE_TYPES[1], 1),
        "field 0": tag(VARINT, 0) + b"\x01",
        "groups without end": tag(GROUP) * 5_000,
    }


def unknown_group(chance: random.Random, depth: int) -> bytes:
    """A group that nobody knows, with fields of every kind and another one in it; parsers must skip it."""
    inside = _tag(1, VARINT, chance) + b"\x01" + _tag(2, BYTES, chance) + b"\x02\x0b\x0c"
    inside += _tag(3, 1, chance) + bytes(8) + _tag(4, 5, chance) + bytes(4)
    if depth > 1:
        inside += unknown_group(chance, depth - 1)
    return _tag(UNKNOWN_FIELD, GROUP, chance) + inside + _tag(UNKNOWN_FIELD, END_GROUP, chance)


def with_bad_text(sound: Message) -> list[bytes]:
    """A request for each of its texts and each kind of bytes that are none, put in its place."""
    found = []
    for place in range(len(list(_texts(as_game(sound))))):
        copy = as_game(sound)
        message, field = list(_texts(copy))[place]
        if field.is_repeated:
            getattr(message, field.name).append(MARK)
        else:
            setattr(message, field.name, MARK)
        data = (as_snapshot(copy) if has_snapshot(sound) else copy).SerializeToString()
        found += [data.replace(MARK.encode(), odd) for odd in NO_TEXT]
    return found


def _texts(message: Message) -> Iterator[tuple[Message, Any]]:
    """Every text of a message and of those in it, unset ones of set messages too."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.type == FieldDescriptor.TYPE_STRING:
            yield message, field
        elif field.message_type is not None:
            inner = value if field.is_repeated else [value] if message.HasField(field.name) else []
            for one in inner:
                yield from _texts(one)


def lengthened(sound: Message, count: int) -> list[tuple[str, Message]]:
    """A copy for each list in a request, with that list made ``count`` items long."""
    found: list[tuple[str, Message]] = []
    for path in list_paths(sound):
        copy = type(sound).FromString(sound.SerializeToString())
        target: Any = copy
        for step in path:
            target = target[step] if isinstance(step, int) else getattr(target, step)
        items = list(target) or [_filler(copy, path)]
        target.extend((items * (count // len(items) + 1))[: count - len(target)])
        found.append((".".join(map(str, path)), copy))
    return found


def list_paths(message: Message) -> list[tuple[str | int, ...]]:
    """Where a message has lists, empty ones too; of several items the first stands for all."""
    found: list[tuple[str | int, ...]] = []
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        inner: list[tuple[str | int, ...]] = []
        if field.is_repeated:
            found.append((field.name,))
            if field.message_type is not None and value:
                inner = [(0, *path) for path in list_paths(value[0])]
        elif field.message_type is not None and message.HasField(field.name):
            inner = list_paths(value)
        found += [(field.name, *path) for path in inner]
    return found


def _filler(message: Message, path: tuple[str | int, ...]) -> Any:
    target: Any = message
    for step in path[:-1]:
        target = target[step] if isinstance(step, int) else getattr(target, step)
    field = target.DESCRIPTOR.fields_by_name[path[-1]]
    if field.message_type is None:
        return 1
    return type(getattr(target, field.name).add())()


def rewritten(message: Message, chance: random.Random) -> bytes:
    """The same message in bytes that no serializer writes, but every parser must take.

    Packed lists come unpacked or in portions, fields out of order, numbers in more bytes than they need, single
    fields several times, and fields and groups that nobody knows in between.
    """
    parts: list[list[bytes]] = []
    for field, value in message.ListFields():
        one = []
        if not field.is_repeated:
            one = _single(field, value, chance)
        elif field.message_type is not None:
            one = [_field(field, item, chance) for item in value]
        else:
            items = list(value)
            while items:
                size = chance.choice((1, 1, 2, len(items)))
                portion, items = items[:size], items[size:]
                one.append(_portion(field, portion, chance))
        parts.append(one)
    if chance.random() < 0.3:
        parts.append([_tag(UNKNOWN_FIELD, VARINT, chance) + _varint(7, chance)])
    if chance.random() < 0.1:
        parts.append([unknown_group(chance, chance.choice((1, 2, 30)))])
    # The order of fields is free; that of a list's portions is the list's.
    chance.shuffle(parts)
    return b"".join(piece for one in parts for piece in one)


def _single(field: FieldDescriptor, value: Any, chance: random.Random) -> list[bytes]:
    """A field that is no list, now and then more than once: the last counts, and messages are merged."""
    kinds = FieldDescriptor
    if chance.random() < 0.8:
        return [_field(field, value, chance)]
    if field.message_type is not None:
        # One half of its fields, then the other.
        halves: list[Message] = [type(value)(), type(value)()]
        for inner, item in value.ListFields():
            half: Any = chance.choice(halves)
            if inner.is_repeated:
                getattr(half, inner.name).extend(item)
            elif inner.message_type is not None:
                getattr(half, inner.name).CopyFrom(item)
            else:
                setattr(half, inner.name, item)
        return [_field(field, half, chance) for half in halves]
    odd: Any = {kinds.TYPE_STRING: "another", kinds.TYPE_BYTES: b"another"}.get(field.type, 1)
    return [_field(field, odd, chance), _field(field, value, chance)]


def _field(field: FieldDescriptor, value: Any, chance: random.Random) -> bytes:
    kinds = FieldDescriptor
    if field.message_type is not None:
        return _bytes(field, rewritten(value, chance), chance)
    if field.type == kinds.TYPE_STRING:
        return _bytes(field, value.encode(), chance)
    if field.type == kinds.TYPE_BYTES:
        return _bytes(field, value, chance)
    return _tag(field.number, VARINT, chance) + _varint(value, chance)


def _portion(field: FieldDescriptor, values: list[int], chance: random.Random) -> bytes:
    if len(values) == 1 and chance.random() < 0.8:
        return _field(field, values[0], chance)
    return _bytes(field, b"".join(_varint(value, chance) for value in values), chance)


def _bytes(field: FieldDescriptor, data: bytes, chance: random.Random) -> bytes:
    return _tag(field.number, BYTES, chance) + _varint(len(data), chance, most=5) + data


def _tag(number: int, wire_type: int, chance: random.Random) -> bytes:
    return _varint(number << 3 | wire_type, chance, most=5)


def _varint(value: int, chance: random.Random, most: int = 10) -> bytes:
    """A number, sometimes with idle bytes at its end."""
    value &= 2**64 - 1
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    if chance.random() < 0.1 and len(data) < most:
        data[-1] |= 0x80
        data += b"\x80" * (most - len(data) - 1) + b"\x00"
    return bytes(data)
