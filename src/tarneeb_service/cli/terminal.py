"""The table in a terminal."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tarneeb.v1 import game_pb2, views_pb2
from tarneeb_service.cli import words
from tarneeb_service.cli.seen import Seen, by_seat
from tarneeb_service.cli.words import ASCII, SIGNS, Signs
from tarneeb_service.engine.cards import SPADES
from tarneeb_service.engine.seats import SEAT_NAMES, SEATS

PLAIN_WIDTH = 80
SIDE, MIDDLE = 25, 28
# So that North and South stand above and below the trick.
INDENT = 7
NORTH, WEST, SOUTH, EAST = SEATS
_RED = r"[♥♦](10|[2-9JQKA])?"
_RED_ASCII = r"\b[HD](10|[2-9JQKA])\b"


class Screen:
    """Where a command writes: a terminal, with colour, or a file or pipe, 80 wide and plain."""

    def __init__(self, out: TextIO | None = None, *, plain: bool = False) -> None:
        """Take where to write; ``plain`` asks for ASCII."""
        out = out or sys.stdout
        self.is_terminal = out.isatty()
        # rich takes FORCE_COLOR and the like for a terminal; colour is for real ones.
        self.console = Console(
            file=out,
            force_terminal=self.is_terminal,
            no_color=not self.is_terminal or bool(os.environ.get("NO_COLOR")),
            width=None if self.is_terminal else PLAIN_WIDTH,
            highlight=False,
            markup=False,
            emoji=False,
        )
        self.signs = ASCII if plain or not _can_show(out, SIGNS) else SIGNS

    def say(self, text: str, style: str = "") -> None:
        """Write a line; the red suits are red."""
        if not self.is_terminal and len(text) <= PLAIN_WIDTH:
            # A long record has tens of thousands of lines, and rich takes its time for each.
            self.console.file.write(f"{text.rstrip()}\n")
            return
        self.draw(self.text(text, style))

    def text(self, text: str, style: str = "") -> Text:
        """Return a text in which the red suits are red."""
        marked = Text(text, style)
        marked.highlight_regex(_RED_ASCII if self.signs.ascii else _RED, "red")
        return marked

    def draw(self, what: RenderableType) -> None:
        """Write something; without the blanks at the ends of lines, which are no use in a file."""
        if self.is_terminal:
            self.console.print(what)
            return
        with self.console.capture() as captured:
            self.console.print(what)
        lines = captured.get().split("\n")
        self.console.file.write("\n".join(line.rstrip() for line in lines))

    def draw_table(self, seen: Seen) -> None:
        """Draw a table: hands around the trick, scores, contract, calls, and what it waits for."""
        self.say(words.title(seen, self.signs), "bold")
        grid = Table.grid()
        for width in (SIDE, MIDDLE, SIDE):
            grid.add_column(width=width)
        grid.add_row(self._scores(seen), self._seat(seen, NORTH), self._contract(seen))
        grid.add_row()
        grid.add_row(self._seat(seen, WEST), self._trick(seen), Padding(self._seat(seen, EAST), (0, 0, 0, 2)))
        grid.add_row()
        grid.add_row(self._calls(seen), self._seat(seen, SOUTH), self._last_trick(seen))
        self.draw(grid)
        self._result(seen)
        self.say(f"{self.signs.turn} {words.status(seen, self.signs)}", "bold")

    def _seat(self, seen: Seen, seat: int) -> Padding:
        signs = self.signs
        heading = Text()
        if seen.to_act == seat:
            heading.append(f"{signs.turn} ", "bold yellow")
        heading.append(SEAT_NAMES[seat], "bold")
        if seen.dealer == seat:
            heading.append(" (dealer)", "yellow")
        lines = [heading]
        facts = [f"bid {bid}"] if (bid := words.own_bid(seen, seat)) is not None else []
        if seen.has_play:
            facts.append(words.plural(seen.hand.trick_counts[seat], "trick"))
        if facts:
            lines.append(Text(", ".join(facts), "dim"))
        cards = seen.hands[seat]
        middle = seat in (NORTH, SOUTH)
        if cards is None:
            lines.append(Text(signs.hidden * seen.count(seat), "dim"))
        elif cards:
            width = MIDDLE - INDENT if middle else SIDE
            lines += [self._suit(cards, suit, width) for suit in range(SPADES, 0, -1)]
        return Padding(Text("\n").join(lines), (0, 0, 0, INDENT if middle else 0))

    def _suit(self, cards: Iterable[int], suit: int, width: int) -> Text:
        own = [words.RANKS[card & 15] for card in cards if card >> 4 == suit]
        if not own:
            return Text()
        spaced = f"{self.signs.suits[suit]} {' '.join(own)}"
        text = spaced if len(spaced) <= width else f"{self.signs.suits[suit]} {''.join(own)}"
        return Text(text, "red" if suit in (2, 3) else "")

    def _trick(self, seen: Seen) -> RenderableType:
        signs, table = self.signs, seen.trick
        spots = {}
        for seat in SEATS:
            waits = seen.to_act == seat and seen.has_play
            empty = "" if seen.result is not None else signs.turn if waits else signs.spot
            spots[seat] = self.text(signs.card(table[seat]), "bold") if seat in table else Text(empty, "dim")
        grid = Table.grid(expand=True)
        for _ in range(3):
            grid.add_column(justify="center", ratio=1)
        grid.add_row("", spots[NORTH], "")
        grid.add_row(spots[WEST], Text(_middle(seen), "dim"), spots[EAST])
        grid.add_row("", spots[SOUTH], "")
        trick = seen.hand.trick
        heading = None
        if trick.leader and seen.result is None:
            heading = f"trick {trick.number}, {SEAT_NAMES[trick.leader - 1]} leads"
        return Panel(
            grid,
            box=box.ASCII if signs.ascii else box.ROUNDED,
            title=heading,
            width=MIDDLE - 2,
            padding=(0, 1),
        )

    def _scores(self, seen: Seen) -> RenderableType:
        grid = Table.grid(padding=(0, 2))
        grid.add_column()
        grid.add_column(justify="right")
        for name, score in zip(words.score_names(seen.view, self.signs), seen.view.scores, strict=False):
            grid.add_row(name, Text(str(score), "bold"))
        return _block(f"Scores, to {seen.view.rules.target}", grid)

    def _contract(self, seen: Seen) -> RenderableType:
        signs, hand = self.signs, seen.hand
        lines = []
        if hand.HasField("contract"):
            lines.append(self.text(words.contract_text(hand.contract, signs)))
        if hand.trump:
            suit = "" if signs.ascii or hand.trump not in range(5) else f"{signs.suits[hand.trump]} "
            name = f"{suit}{words.strain_name(hand.trump)}"
            lines.append(self.text(f"trump {name}" if lines else name))
        if hand.turned_card:
            whose = f" ({SEAT_NAMES[seen.dealer]})" if seen.dealer is not None else ""
            lines.append(self.text(f"turned {signs.card(hand.turned_card)}{whose}"))
        if not lines:
            return ""
        return Padding(
            _block("Contract" if hand.HasField("contract") else "Trump", Text("\n").join(lines)), (0, 0, 0, 2)
        )

    def _calls(self, seen: Seen) -> RenderableType:
        seats, rows = words.call_rows(seen.hand.calls, self.signs)
        if not rows:
            return ""
        grid = Table.grid(padding=(0, 1))
        for _ in seats:
            grid.add_column(width=5)
        grid.add_row(*(Text(SEAT_NAMES[seat], "dim") for seat in seats))
        for row in rows:
            grid.add_row(*map(self.text, row))
        return _block("Calls", grid)

    def _last_trick(self, seen: Seen) -> RenderableType:
        last = seen.last_trick
        if last is None:
            return ""
        return Padding(_block(f"Trick {last.number}", self._trick_text(last)), (0, 0, 0, 2))

    def _trick_text(self, trick: views_pb2.Trick) -> Text:
        cards = "\n".join(
            f"{SEAT_NAMES[seat]:6}{self.signs.card(card)}" for seat, card in by_seat(trick).items()
        )
        return self.text(f"{cards}\nto {SEAT_NAMES[trick.winner - 1]}" if trick.winner else cards)

    def _result(self, seen: Seen) -> None:
        result = seen.result
        if result is None:
            return
        dealt = "; the cards are those dealt" if seen.dealt else ""
        self.say(f"Hand {seen.view.hand_number}: {words.how_it_ended(result)}{dealt}", "bold")
        grid = Table.grid(padding=(0, 2))
        for justify in ("left", "left", "right"):
            grid.add_column(justify=justify)
        for line in result.lines:
            grid.add_row(
                "  " + words.line_parts(line, self.signs)[0], *words.line_parts(line, self.signs)[1:]
            )
        if result.lines:
            self.draw(grid)


def _middle(seen: Seen) -> str:
    """Return what stands where no card lies."""
    if seen.result is not None:
        return "over"
    match seen.view.phase:
        case game_pb2.PHASE_AWAITING_DEAL:
            return "no deal"
        case game_pb2.PHASE_AUCTION:
            return "auction"
        case game_pb2.PHASE_NAMING_TRUMP:
            return "trump?"
    return ""


def _block(heading: str, body: RenderableType) -> RenderableType:
    grid = Table.grid()
    grid.add_row(Text(heading, "dim"))
    grid.add_row(body)
    return grid


def _can_show(out: TextIO, signs: Signs) -> bool:
    try:
        "".join((*signs.suits, signs.dash, signs.dot, signs.turn, signs.hidden, "╭─│")).encode(
            out.encoding or "utf-8"
        )
    except (UnicodeEncodeError, LookupError):
        return False
    return True
