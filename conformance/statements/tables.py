"""Vectors as tables, one row a vector: what people state is text that people read.

    lower | A1 C25 | A lower bid | classic W:9 | S:7 refused BID_TOO_LOW A1 lowest_bid=10

A row goes on in the next line where that is indented further. What a position is written as is said at
`position_of`, what follows from it at `Section.state`.
"""

import copy
import json
import textwrap
from typing import Any

from conformance.runner import card_json
from conformance.statements.notation import CLASSIC, EGYPT, seat, strain, suit
from conformance.statements.positions import Setup, finished, playing

JSON = Any
SHORT = {"classic": CLASSIC, "egyptian": EGYPT}
NAMED = {"finished": finished, "playing": playing}


def rows(text: str, columns: int) -> list[list[str]]:
    """The cells of a table.

    Raises:
        ValueError: A row has more or fewer.
    """
    found: list[str] = []
    for line in textwrap.dedent(text).strip("\n").splitlines():
        if line.startswith(" "):
            found[-1] += f" {line.strip()}"
        elif line:
            found.append(line)
    cells = [[cell.strip() for cell in row.split(" | ")] for row in found]
    for row, line in zip(cells, found, strict=True):
        if len(row) != columns:
            raise ValueError(f"{len(row)} columns, not {columns}: {line}")
    return cells


def options(words: list[str]) -> dict[str, JSON]:
    """Options as in `target=31 revoke=forfeits barred_bids=[8,9]`: JSON, or a word."""
    return {name: plain(value) for name, _, value in (word.partition("=") for word in words)}


def rules_of(text: str) -> tuple[str, dict[str, JSON]]:
    """A rule set and its options, as in `classic target=31`."""
    first, *words = text.split()
    return SHORT.get(first, first), options(words)


def numbers(text: str) -> list[int]:
    """Numbers as in `9,4`."""
    return [int(number) for number in text.split(",")]


def plain(text: str) -> JSON:
    """JSON; what is none is a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def position_of(text: str, named: dict[str, Setup] | None = None) -> Setup:
    """A position: a rule set with its options, first dealer and scores, or a `$name`, and the moves made there.

    One suit each is dealt: `classic dealer=E scores=[0,20] revoke=forfeits N:13 N:=H`. `/` begins a new line
    of moves in the file, `deal` deals the next hand. A position with a name is `$playing`, or came with the table.
    """
    first, *words = text.split()
    moves = [word for word in words if word in ("/", "deal") or word[1:2] == ":"]
    chosen = options([word for word in words if word not in moves])
    here, *hands = " ".join(moves).split("deal")
    if first.startswith("$"):
        name = first[1:]
        setup = copy.deepcopy(named[name]) if named and name in named else NAMED[name]()
    else:
        dealer, scores = chosen.pop("dealer", "N"), chosen.pop("scores", None)
        setup = Setup(SHORT.get(first, first), dealer, scores, **chosen).deal()
    setup.play(*(line.strip() for line in here.split("/")))
    for hand in hands:
        setup.deal().play(*(line.strip() for line in hand.split("/")))
    return setup


def parameter(name: str, value: JSON) -> JSON:
    """A verdict's parameter: `seat_to_act=E lowest_bid=7C led_suit=S playable_cards=S2,H3 phase=AUCTION trump=H`."""
    match name:
        case "seat_to_act" | "bid_holder":
            return seat(value)
        case "lowest_bid":
            bid = str(value)
            named = {} if bid[-1].isdigit() else {"strain": strain(bid[-1])}
            return {"tricks": int(bid.rstrip("CDHSN")), **named}
        case "led_suit":
            return suit(value)
        case "playable_cards":
            return [card_json(card) for card in value.split(",")]
        case "phase":
            return f"PHASE_{value}"
        case "trump":
            return strain(value)
    return value
