"""What the commands can be asked for; nothing is loaded for it that reads or draws."""

from tarneeb_service.engine.seats import SEAT_NAMES

FORMATS = ("json", "binary", "text")
# By their numbers in the engine.
VIEWERS = (*(name.lower() for name in SEAT_NAMES), "spectator")
# A hand and a move in it; no move is the whole hand, move 0 the deal, hand 0 the start.
At = tuple[int, int | None]


def parse_at(text: str) -> At:
    """Return a place in a record from ``2`` or ``2.17``.

    Raises:
        ValueError: It is something else.
    """
    hand, dot, move = text.partition(".")
    if not (hand.isascii() and hand.isdigit()) or (dot and not (move.isascii() and move.isdigit())):
        raise ValueError(text)
    return int(hand[:9]), int(move[:9]) if dot else None
