"""How a vector file is written: in short forms, for people."""

import json
from typing import Any

from conformance.runner import MOVE, SEATS, card_json, move_json
from conformance.statements import fair
from conformance.statements.positions import SUIT_NAMES

JSON = Any


CARD_NAMES = {card_json(card): card for card in fair.DECK}


STRAIN_LETTERS = {f"STRAIN_{name.upper()}": letter for letter, name in SUIT_NAMES.items()}


SEAT_LETTERS = {name: letter for letter, name in SEATS.items()}


def shortened(value: JSON) -> JSON:
    """Put lists of cards and moves in their short forms."""
    move = _short_move(value)
    if move is not None:
        return f"$move {move}"
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    if not isinstance(value, list) or not value:
        return value
    if all(isinstance(item, str) and item in CARD_NAMES for item in value):
        return f"$cards {' '.join(CARD_NAMES[item] for item in value)}"
    moves = [_short_move(item) for item in value]
    if all(moves):
        return f"$moves {' '.join(str(move) for move in moves)}"
    return [shortened(item) for item in value]


def _short_move(value: JSON) -> str | None:
    """A plain move in the notation; none for anything else."""
    if not isinstance(value, dict) or value.get("seat") not in SEAT_LETTERS or len(value) != 2:
        return None
    call: dict[str, JSON] = value.get("call", {})
    kinds = {"CALL_KIND_PASS": "P", "CALL_KIND_DOUBLE": "X", "CALL_KIND_BID": str(call.get("tricks"))}
    text = kinds.get(str(call.get("kind")), "") + STRAIN_LETTERS.get(str(call.get("strain")), "")
    text = text or CARD_NAMES.get(str(value.get("card")), "")
    if value.get("trump") in STRAIN_LETTERS:
        text = f"={STRAIN_LETTERS[value['trump']]}"
    short = f"{SEAT_LETTERS[value['seat']]}:{text}"
    return short if MOVE.fullmatch(short) and move_json(short) == value else None


def written(value: JSON, indent: int = 0, width: int = 116) -> str:
    """JSON for people: what fits in a line stays in one, and short list items share lines."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or (indent >= 6 and len(flat) + indent <= width):
        return flat
    inner, pad = indent + 2, " " * (indent + 2)
    if isinstance(value, dict):
        lines = [f"{pad}{json.dumps(key)}: {_hung(item, inner, width, key)}" for key, item in value.items()]
        return "{\n" + ",\n".join(lines) + "\n" + " " * indent + "}"
    items = [written(item, inner, width) for item in value]
    if any("\n" in item for item in items) or indent < 4:
        return "[\n" + ",\n".join(pad + item for item in items) + "\n" + " " * indent + "]"
    lines, current = [], ""
    for item in items:
        if current and len(pad) + len(current) + len(item) + 3 > width:
            lines.append(current)
            current = ""
        current += (", " if current else "") + item
    return "[\n" + ",\n".join(pad + line for line in [*lines, current]) + "\n" + " " * indent + "]"


def _hung(value: JSON, indent: int, width: int, key: str) -> str:
    """A value after its key."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent + len(key) + 5 <= width:
        return flat
    return written(value, indent, width)
