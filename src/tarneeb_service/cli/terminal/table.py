"""The table in a terminal."""

from collections.abc import Iterable

from rich import box
from rich.console import RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tarneeb.v1 import game_pb2, views_pb2
from tarneeb_service.cli.seen import words
from tarneeb_service.cli.seen.table import Seen, by_seat
from tarneeb_service.cli.terminal.screen import Screen
from tarneeb_service.engine.cards import DIAMONDS, HEARTS, SPADES, STRAIN_NAMES
from tarneeb_service.engine.seats import SEAT_NAMES, SEATS

SIDE, MIDDLE = 25, 28
# So that North and South stand above and below the trick.
INDENT = 7
NORTH, WEST, SOUTH, EAST = SEATS


def draw_table(screen: Screen, seen: Seen) -> None:
    """Draw a table: hands around the trick, scores, contract, calls, and what it waits for."""
    screen.say(words.title(seen, screen.signs), "bold")
    grid = Table.grid()
    for width in (SIDE, MIDDLE, SIDE):
        grid.add_column(width=width)
    grid.add_row(_scores(screen, seen), _seat(screen, seen, NORTH), _contract(screen, seen))
    grid.add_row()
    grid.add_row(
        _seat(screen, seen, WEST), _trick(screen, seen), Padding(_seat(screen, seen, EAST), (0, 0, 0, 2))
    )
    grid.add_row()
    grid.add_row(_calls(screen, seen), _seat(screen, seen, SOUTH), _last_trick(screen, seen))
    screen.draw(grid)
    _result(screen, seen)
    screen.say(f"{screen.signs.turn} {words.status(seen, screen.signs)}", "bold")


def _seat(screen: Screen, seen: Seen, seat: int) -> Padding:
    signs = screen.signs
    heading = Text()
    if seen.to_act == seat:
        heading.append(f"{signs.turn} ", "bold yellow")
    heading.append(SEAT_NAMES[seat], "bold")
    if seen.dealer == seat:
        heading.append(" (dealer)", "yellow")
    lines = [heading]
    if note := words.bid_and_tricks(seen, seat):
        lines.append(Text(note, "dim"))
    cards = seen.hands[seat]
    middle = seat in (NORTH, SOUTH)
    if cards is None:
        lines.append(Text(signs.hidden * seen.count(seat), "dim"))
    elif cards:
        width = MIDDLE - INDENT if middle else SIDE
        lines += [_suit(screen, cards, suit, width) for suit in range(SPADES, 0, -1)]
    return Padding(Text("\n").join(lines), (0, 0, 0, INDENT if middle else 0))


def _suit(screen: Screen, cards: Iterable[int], suit: int, width: int) -> Text:
    own = [words.RANKS[card & 15] for card in cards if card >> 4 == suit]
    if not own:
        return Text()
    spaced = f"{screen.signs.suits[suit]} {' '.join(own)}"
    text = spaced if len(spaced) <= width else f"{screen.signs.suits[suit]} {''.join(own)}"
    return Text(text, "red" if suit in (DIAMONDS, HEARTS) else "")


def _trick(screen: Screen, seen: Seen) -> RenderableType:
    signs, table = screen.signs, seen.trick
    spots = {}
    for seat in SEATS:
        waits = seen.to_act == seat and seen.has_play
        empty = "" if seen.result is not None else signs.turn if waits else signs.spot
        spots[seat] = screen.text(signs.card(table[seat]), "bold") if seat in table else Text(empty, "dim")
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


def _scores(screen: Screen, seen: Seen) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(justify="right")
    for name, score in zip(words.score_names(seen.view, screen.signs), seen.view.scores, strict=False):
        grid.add_row(name, Text(str(score), "bold"))
    return _block(f"Scores, to {seen.view.rules.target}", grid)


def _contract(screen: Screen, seen: Seen) -> RenderableType:
    signs, hand = screen.signs, seen.hand
    lines = []
    if hand.HasField("contract"):
        lines.append(screen.text(words.contract_text(hand.contract, signs)))
    if hand.trump:
        suit = "" if signs.ascii or hand.trump not in range(5) else f"{signs.suits[hand.trump]} "
        name = f"{suit}{STRAIN_NAMES[hand.trump]}"
        lines.append(screen.text(f"trump {name}" if lines else name))
    if hand.turned_card:
        whose = f" ({SEAT_NAMES[seen.dealer]})" if seen.dealer is not None else ""
        lines.append(screen.text(f"turned {signs.card(hand.turned_card)}{whose}"))
    if not lines:
        return ""
    return Padding(
        _block("Contract" if hand.HasField("contract") else "Trump", Text("\n").join(lines)), (0, 0, 0, 2)
    )


def _calls(screen: Screen, seen: Seen) -> RenderableType:
    seats, rows = words.call_rows(seen.hand.calls)
    if not rows:
        return ""
    grid = Table.grid(padding=(0, 1))
    for _ in seats:
        grid.add_column(width=5)
    grid.add_row(*(Text(SEAT_NAMES[seat], "dim") for seat in seats))
    for row in rows:
        grid.add_row(*(screen.text(words.call_text(call, screen.signs) if call else "") for call in row))
    return _block("Calls", grid)


def _last_trick(screen: Screen, seen: Seen) -> RenderableType:
    last = seen.last_trick
    if last is None:
        return ""
    return Padding(_block(f"Trick {last.number}", _trick_text(screen, last)), (0, 0, 0, 2))


def _trick_text(screen: Screen, trick: views_pb2.Trick) -> Text:
    cards = "\n".join(
        f"{SEAT_NAMES[seat]:6}{screen.signs.card(card)}" for seat, card in by_seat(trick).items()
    )
    return screen.text(f"{cards}\nto {SEAT_NAMES[trick.winner - 1]}" if trick.winner else cards)


def _result(screen: Screen, seen: Seen) -> None:
    result = seen.result
    if result is None:
        return
    dealt = "; the cards are those dealt" if seen.dealt else ""
    screen.say(f"Hand {seen.view.hand_number}: {words.how_it_ended(result)}{dealt}", "bold")
    grid = Table.grid(padding=(0, 2))
    for justify in ("left", "left", "right"):
        grid.add_column(justify=justify)
    for line in result.lines:
        side, did, points = words.line_parts(line, screen.signs)
        grid.add_row(f"  {side}", did, points)
    if result.lines:
        screen.draw(grid)


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
