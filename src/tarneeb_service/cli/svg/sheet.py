"""The score sheet of a picture: game, scores, contract, calls, last trick, and what the game waits for."""

from tarneeb.v1 import moves_pb2
from tarneeb_service.cli.seen import words
from tarneeb_service.cli.seen.table import Seen, by_seat
from tarneeb_service.cli.seen.words import SIGNS
from tarneeb_service.cli.svg.shapes import (
    CARD_WIDTH,
    GOLD,
    INK,
    RED,
    SOFT,
    Drawing,
    fitted,
    shortened,
    text_width,
)
from tarneeb_service.engine.cards import STRAIN_NAMES, SUITS
from tarneeb_service.engine.seats import SEAT_NAMES

_ROW = 19.0
_SCALE = 0.88


def draw_sheet(drawing: Drawing, seen: Seen, left: float, right: float, bottom: float) -> None:
    """Draw the sheet between two edges."""
    sheet = _Sheet(drawing, seen, left + 4, right)
    sheet.head()
    sheet.scores()
    sheet.contract()
    # The foot is placed from below; the calls get what is left between.
    foot = bottom - 48
    if seen.last_trick is not None:
        foot -= 112
    sheet.calls(foot)
    if seen.last_trick is not None:
        sheet.last_trick(foot + 6)
    sheet.status(bottom - 44)


class _Sheet:
    def __init__(self, drawing: Drawing, seen: Seen, left: float, right: float) -> None:
        self.drawing, self.seen, self.left, self.right = drawing, seen, left, right
        self.y = 14.0

    def head(self) -> None:
        view, width = self.seen.view, self.right - self.left
        self.y += 20
        self.drawing.text(self.left, self.y, shortened(view.id, 16, width, bold=True), size=16, bold=True)
        lines = [view.preset_id or "no preset", f"revision {view.revision}, {words.whose_view(self.seen)}"]
        if view.hand_number:
            lines[0] += f", hand {view.hand_number}"
        for line in lines:
            self.y += 17
            self.drawing.text(self.left, self.y, shortened(line, 12, width), size=12, fill=SOFT)
        self.y += 6

    def heading(self, text: str) -> None:
        self.y += 8
        self.drawing.line(self.left, self.y, self.right)
        self.y += 18
        self.drawing.text(self.left, self.y, text.upper(), size=10.5, fill=SOFT, bold=True)
        self.y += 2

    def scores(self) -> None:
        view = self.seen.view
        self.heading(f"Scores, to {view.rules.target}")
        for name, score in zip(words.score_names(view, SIGNS), view.scores, strict=False):
            self.y += _ROW
            self.drawing.text(self.left, self.y, name, size=14)
            fill = {"fill": RED} if score < 0 else {}
            self.drawing.text(
                self.right, self.y, f"{score}".replace("-", "−"), size=14, bold=True, anchor="end", **fill
            )

    def contract(self) -> None:
        hand = self.seen.hand
        if not (hand.HasField("contract") or hand.trump or hand.turned_card):
            return
        self.heading("Contract" if hand.HasField("contract") else "Trump")
        if hand.HasField("contract"):
            self.y += _ROW
            contract = hand.contract
            text = f"{SEAT_NAMES[contract.declarer - 1]} {contract.tricks}"
            self.drawing.text(self.left, self.y, text, size=14, bold=True)
            x = self.left + text_width(text, 14, bold=True) + 4
            if contract.doubled:
                self.drawing.text(self.right, self.y, "doubled", size=13, fill=RED, bold=True, anchor="end")
            if contract.strain:
                self.strain(x, contract.strain, 14)
        if hand.trump:
            self.y += _ROW
            name = STRAIN_NAMES[hand.trump]
            text = f"trump {name}" if hand.HasField("contract") else name
            self.drawing.text(self.left, self.y, text, size=13)
            if hand.trump < 5:
                self.drawing.suit(self.left + text_width(text, 13) + 3, self.y - 11, hand.trump, 13)
        if hand.turned_card:
            self.y += _ROW
            whose = f", {SEAT_NAMES[self.seen.dealer]}'s" if self.seen.dealer is not None else ""
            text = (
                f"turned {words.RANKS[hand.turned_card & 15]} of {STRAIN_NAMES[hand.turned_card >> 4]}{whose}"
            )
            self.drawing.text(self.left, self.y, text, size=13)

    def strain(self, x: float, strain: int, size: float) -> None:
        if strain < 5:
            self.drawing.suit(x, self.y - size * 0.82, strain, size - 1)
        else:
            self.drawing.text(x, self.y, "NT", size=size, bold=True)

    def calls(self, limit: float) -> None:
        seats, rows = words.call_rows(self.seen.hand.calls)
        if not rows:
            return
        self.heading("Calls")
        column = (self.right - self.left) / 4
        self.y += _ROW - 2
        for place, seat in enumerate(seats):
            self.drawing.text(self.left + place * column, self.y, SEAT_NAMES[seat], size=12, fill=SOFT)
        room = max(int((limit - self.y) // _ROW), 1)
        if len(rows) > room:
            hidden = len(rows) - room + 1
            rows = rows[hidden:]
            self.y += _ROW
            text = f"… {words.plural(hidden, 'earlier round')}"
            self.drawing.text(self.left, self.y, text, size=12, fill=SOFT)
        for row in rows:
            self.y += _ROW
            for place, call in enumerate(row):
                if call is not None:
                    self.call(self.left + place * column, call)

    def call(self, x: float, call: moves_pb2.CallMade) -> None:
        bid = call.kind == moves_pb2.CALL_KIND_BID
        # A suit is drawn, since not every font has it.
        in_suit = bid and call.strain in SUITS
        text = str(call.tricks) if in_suit else words.call_text(call, SIGNS)
        self.drawing.text(x, self.y, text, size=13, bold=bid, fill=INK if bid else SOFT)
        if in_suit:
            self.strain(x + text_width(text, 13, bold=True) + 1, call.strain, 13)

    def last_trick(self, top: float) -> None:
        trick = self.seen.last_trick
        if trick is None:
            return
        self.y = top
        self.heading(
            f"Trick {trick.number}" + (f", to {SEAT_NAMES[trick.winner - 1]}" if trick.winner else "")
        )
        step = (self.right - self.left) / 4
        for place, (seat, card) in enumerate(by_seat(trick).items()):
            x = self.left + place * step
            name = SEAT_NAMES[seat]
            wins = trick.winner == seat + 1
            y = self.y + 6
            if wins:
                self.drawing.box(x - 2.5, y - 2.5, CARD_WIDTH * _SCALE + 5, 64 * _SCALE + 5, GOLD, radius=7)
            self.drawing.card(x, y, card, scale=_SCALE)
            self.drawing.text(x + CARD_WIDTH * _SCALE / 2, y + 71, name, size=10, fill=SOFT, anchor="middle")

    def status(self, top: float) -> None:
        text = words.status(self.seen, SIGNS)
        self.drawing.box(self.left, top, self.right - self.left, 30, INK, radius=8)
        x = (self.left + self.right) / 2
        text, size = fitted(text, 13, self.right - self.left - 12, bold=True)
        self.drawing.text(x, top + 20, text, size=size, fill="#fff", bold=True, anchor="middle")
