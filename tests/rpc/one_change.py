"""One change in a game: a field set to another value, unset or added, an item changed, moved, doubled or dropped."""

import copy
import random
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from tarneeb.v1 import game_pb2

UNKNOWN = 99


def any_change(game: game_pb2.Game, chance: random.Random) -> str:
    """Change one thing in a game, its rules and their revision left alone, and say where."""
    places = [place for place in places_in(game) if place[2].split(".")[0] not in ("rules", "rules_revision")]
    message, field, path = chance.choice(places)
    if field.is_repeated:
        _change_list(getattr(message, field.name), field, chance)
    elif field.message_type is not None:
        if message.HasField(field.name):
            message.ClearField(field.name)
        else:
            getattr(message, field.name).SetInParent()
    elif chance.random() < 0.2:
        message.ClearField(field.name)
    else:
        setattr(message, field.name, _other(getattr(message, field.name), field, chance))
    return path


def places_in(message: Any, prefix: str = "") -> Iterator[tuple[Any, FieldDescriptor, str]]:
    """Yield every field below a message, set or not, with the message that it is in and its path."""
    for field in message.DESCRIPTOR.fields:
        path = prefix + field.name
        yield message, field, path
        if field.message_type is None:
            continue
        if field.is_repeated:
            for index, item in enumerate(getattr(message, field.name)):
                yield from places_in(item, f"{path}[{index}].")
        elif message.HasField(field.name):
            yield from places_in(getattr(message, field.name), f"{path}.")


def _other(value: Any, field: FieldDescriptor, chance: random.Random) -> Any:
    """A value of the field's type that is another one."""
    if field.enum_type is not None:
        numbers = [number for number in field.enum_type.values_by_number if number != value]
        return chance.choice([*numbers, UNKNOWN])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice([value + 1, max(0, value - 1), value + 7, 2**31 - 1])
    return value + chance.choice("x\n") if isinstance(value, str) else value


def _change_list(items: Any, field: FieldDescriptor, chance: random.Random) -> None:
    index = chance.randrange(len(items)) if items else 0
    match chance.choice(("drop", "last", "double", "swap", "change")) if items else "add":
        case "drop":
            del items[index]
        case "last":
            del items[-1]
        case "double":
            items.append(items[index])
        case "swap":
            kept = copy.deepcopy([*items])
            other = (index + 1) % len(kept)
            kept[index], kept[other] = kept[other], kept[index]
            del items[:]
            items.extend(kept)
        case "change" if field.message_type is None:
            items[index] = _other(items[index], field, chance)
        case _:
            items.add() if field.message_type is not None else items.append(
                _other("" if field.type == field.TYPE_STRING else 0, field, chance)
            )
