"""The table as a picture: hands around the trick on the left, the score sheet on the right."""

from tarneeb_service.cli.seen import words
from tarneeb_service.cli.seen.table import Seen
from tarneeb_service.cli.seen.words import SIGNS
from tarneeb_service.cli.svg.shapes import (
    BLACK,
    CARD_HEIGHT,
    CARD_WIDTH,
    FELT,
    FELT_EDGE,
    GOLD,
    INK,
    LIGHT,
    PAPER,
    RED,
    SOFT,
    Drawing,
    fitted,
    shortened,
    text_width,
)
from tarneeb_service.cli.svg.sheet import draw_sheet
from tarneeb_service.engine.seats import SEAT_NAMES, SEATS

WIDTH, HEIGHT = 960, 660
TABLE = 700
NORTH, WEST, SOUTH, EAST = SEATS
_CENTRE_X, _CENTRE_Y = TABLE / 2, 334.0
_STEP = 27.0
_EDGE = 26.0
# Where the trick lies, from the centre of the table.
_SPOTS = {NORTH: (0.0, -62.0), WEST: (-84.0, 0.0), SOUTH: (0.0, 62.0), EAST: (84.0, 0.0)}
_TRICK_SCALE = 1.25


def picture(seen: Seen) -> str:
    """Return the table as SVG."""
    drawing = Drawing(WIDTH, HEIGHT, words.title(seen, SIGNS), words.status(seen, SIGNS))
    drawing.box(0, 0, WIDTH, HEIGHT, PAPER, radius=14)
    drawing.box(
        8, 8, TABLE - 16, HEIGHT - 16, FELT, radius=22, extra=f' stroke="{FELT_EDGE}" stroke-width="5"'
    )
    for seat in SEATS:
        _seat(drawing, seen, seat)
    if seen.has_play and seen.result is None:
        _trick(drawing, seen)
    else:
        _plate(drawing, seen)
    draw_sheet(drawing, seen, TABLE + 8, WIDTH - 16, HEIGHT)
    return drawing.svg()


def _seat(drawing: Drawing, seen: Seen, seat: int) -> None:
    length = CARD_WIDTH if seat in (NORTH, SOUTH) else CARD_HEIGHT
    extent = max(seen.count(seat) - 1, 0) * _STEP + length
    match seat:
        case 0 | 2:
            x, y = _CENTRE_X - extent / 2, 54.0 if seat == NORTH else HEIGHT - 54 - CARD_HEIGHT
            dx, dy = _STEP, 0.0
            label = (_CENTRE_X, 26.0 if seat == NORTH else HEIGHT - 48.0 + 4)
        case _:
            x, y = _EDGE if seat == WEST else TABLE - _EDGE - CARD_WIDTH, _CENTRE_Y - extent / 2 + 14
            dx, dy = 0.0, _STEP
            label = (_EDGE if seat == WEST else TABLE - _EDGE, y - 48 if extent > length else _CENTRE_Y - 24)
    cards = seen.hands[seat]
    for index in range(seen.count(seat)):
        place = x + index * dx, y + index * dy
        if cards is None:
            drawing.back(*place)
        else:
            drawing.card(*place, cards[index], beside=dy > 0, covered=index < len(cards) - 1)
    _label(drawing, seen, seat, label)


def _label(drawing: Drawing, seen: Seen, seat: int, at: tuple[float, float]) -> None:
    """Draw a seat's name, its dealer chip, and what it bid and took."""
    x, y = at
    name, acts = SEAT_NAMES[seat], seen.to_act == seat
    pill = text_width(name, 14, bold=True) + 22
    chip = 28.0 if seen.dealer == seat else 0.0
    note = words.bid_and_tricks(seen, seat)
    # Beside the name above and below the table, under it at the sides.
    beside = text_width(note, 12) + 10 if note and seat in (NORTH, SOUTH) else 0.0
    left = {WEST: x, EAST: x - pill - chip}.get(seat, x - (pill + chip + beside) / 2)
    start = left + chip if seat == EAST else left
    drawing.box(start, y, pill, 24, GOLD if acts else FELT_EDGE, radius=12)
    drawing.text(
        start + pill / 2, y + 17, name, size=14, bold=True, fill=BLACK if acts else "#fff", anchor="middle"
    )
    if chip:
        middle = left + 11 if seat == EAST else left + pill + 17
        drawing.add(
            f'<circle cx="{middle:g}" cy="{y + 12:g}" r="11" fill="#fff" stroke="{GOLD}" stroke-width="3"/>'
        )
        drawing.text(middle, y + 16.5, "D", size=12.5, bold=True, anchor="middle")
    if not note:
        return
    if beside:
        drawing.text(left + pill + chip + 10, y + 16.5, note, size=12, fill=LIGHT)
    else:
        drawing.text(x, y + 40, note, size=12, fill=LIGHT, anchor="end" if seat == EAST else "start")


def _trick(drawing: Drawing, seen: Seen) -> None:
    width, height = CARD_WIDTH * _TRICK_SCALE, CARD_HEIGHT * _TRICK_SCALE
    for seat, (dx, dy) in _SPOTS.items():
        x, y = _CENTRE_X + dx - width / 2, _CENTRE_Y + dy - height / 2
        if seat in seen.trick:
            drawing.card(x, y, seen.trick[seat], scale=_TRICK_SCALE)
            continue
        dashes = ' stroke="#fff" stroke-opacity=".35" stroke-dasharray="4 4"'
        if seen.to_act == seat:
            dashes = f' stroke="{GOLD}" stroke-width="2" stroke-dasharray="4 4"'
        drawing.box(x, y, width, height, "none", radius=6, extra=dashes)
    trick = seen.hand.trick
    if trick.leader:
        drawing.text(_CENTRE_X, _CENTRE_Y - 2, f"trick {trick.number}", size=12, fill=LIGHT, anchor="middle")
        leads = f"{SEAT_NAMES[trick.leader - 1]} leads"
        drawing.text(_CENTRE_X, _CENTRE_Y + 13, leads, size=11, fill=LIGHT, anchor="middle")


def _plate(drawing: Drawing, seen: Seen) -> None:
    """Draw what stands in the middle when no card lies there: how the hand ended, and what comes next."""
    lines: list[tuple[str, str, str]] = []
    heading = words.status(seen, SIGNS)
    if seen.result is not None:
        heading = f"Hand {seen.view.hand_number}: {words.how_it_ended(seen.result)}"
        lines = [words.line_parts(line, SIGNS) for line in seen.result.lines]
    width, left = 356.0, _CENTRE_X - 178
    after = [words.status(seen, SIGNS)] if seen.result is not None else []
    if seen.dealt:
        after.insert(0, "The cards around the table are those dealt.")
    height = 46 + 24 * len(lines) + 22 * len(after)
    top = _CENTRE_Y - height / 2
    drawing.box(left, top, width, height, PAPER, radius=12, extra=' fill-opacity=".95"')
    text, size = fitted(heading, 16, width - 24, bold=True)
    drawing.text(_CENTRE_X, top + 29, text, size=size, bold=True, anchor="middle")
    y = top + 29
    for side, did, points in lines:
        y += 24
        drawing.text(left + 18, y, side, size=13.5)
        drawing.text(left + 128, y, did, size=13.5)
        colour = RED if points.startswith("-") else INK
        drawing.text(
            left + width - 18, y, points.replace("-", "−"), size=13.5, bold=True, anchor="end", fill=colour
        )
    for text in after:
        y += 22
        drawing.text(_CENTRE_X, y, shortened(text, 12, width - 20), size=12, fill=SOFT, anchor="middle")
