"""Undo: the last move of the current hand taken back, and what never is."""

import copy
from typing import Any

from conformance.runner import move_json
from conformance.statements.edits import spoilt_requests
from conformance.statements.notation import CLASSIC, EGYPT, viewer
from conformance.statements.positions import Setup, at, nearly_played, oracle_game, playing
from conformance.statements.section import Section
from conformance.statements.views import fields_of, hidden

JSON = Any


def section() -> Section:
    made = Section("undo", "Undo: the last move of the current hand taken back, and what never is.")
    _moves(made)
    _hands_opened_again(made)
    _views(made)
    _never(made)
    return made


def _undone(made: Section, slug: str, title: str, shows: str, before: Setup, move: str) -> None:
    """A move that was made in a position is taken back: the position is there again, two steps on."""
    after = copy.deepcopy(before).play(move)
    known = oracle_game(before.referee, before.steps + 2)
    event: dict[str, JSON] = {"hand_number": known["hand_number"], "move": move_json(move)}
    if after.referee.result is not None:
        event["hand_reopened"] = True
    fields = {
        "revision": before.steps + 2,
        "undone": move_json(move),
        "events": [{"move_undone": event}],
        **{f"game.{name}": value or None for name, value in known.items() if name != "hand"},
        **{f"game.hand.{name}": value for name, value in known["hand"].items()},
        "views": None,
        "snapshot": None,
    }
    made.add(slug, title, shows, "UndoMove", {"game": "$game"}, {"fields": fields}, after)


def _moves(made: Section) -> None:
    _undone(made, "first-bid", "The first bid", "P1", at(CLASSIC), "W:8")
    _undone(made, "pass", "A pass: its seat is not out any more", "A2", at(CLASSIC, "W:8"), "S:P")
    _undone(made, "last-pass", "The pass that closed the auction", "A3", at(CLASSIC, "W:8 S:P E:P"), "N:P")
    _undone(made, "double", "A double", "A10", at(EGYPT, "W:8H"), "S:X")
    _undone(made, "trump", "The trump that was named", "A7", at(CLASSIC, "W:13"), "W:=H")
    _undone(made, "lead", "The first card", "C5", at(CLASSIC, "W:13 W:=H"), "W:H2")
    trick = playing().play("W:S2 S:SA")
    _undone(
        made,
        "trick",
        "The card that completed a trick: the trick lies on the table again",
        "C6",
        trick,
        "E:C2",
    )
    _undone(made, "next-lead", "The lead after a trick", "C6", trick.play("E:C2"), "S:DA")


def _hands_opened_again(made: Section) -> None:
    _undone(made, "void", "The pass that threw a hand in", "A6", at(CLASSIC, "W:P S:P E:P"), "N:P")
    low = at("mulouk_41", "W:2 S:2 E:2")
    _undone(made, "low-total", "The bid that left the total too low", "A14", low, "N:2")
    revoke = playing(revoke="forfeits")
    _undone(made, "forfeited", "The revoke that lost a hand", "R2", revoke, "W:H3")
    setup, last = nearly_played(Setup(CLASSIC), "W:9 S:P E:P N:P W:=H", [0, 9, 4, 0], "H")
    _undone(made, "scored", "The last card of a hand", "C3 S1", setup, last)
    setup, last = nearly_played(Setup(CLASSIC, "E", target=1), "N:9 W:P S:P E:P N:=H", [9, 4, 0, 0], "H")
    _undone(made, "won", "The card that won the game", "W1", setup, last)


def _views(made: Section) -> None:
    """Each sees what he saw before the move, and no more."""
    before = playing()
    restored = copy.deepcopy(before)
    restored.steps += 2
    letters = "NWX"
    fields: dict[str, JSON] = {}
    for index, letter in enumerate(letters):
        fields.update(fields_of(restored, letter, index))
    hides = [
        {"at": f"views[{index}]", "cards": hidden(restored, letter)} for index, letter in enumerate(letters)
    ]
    made.add(
        "views",
        "The views are those of the game before the move, but for the revision",
        "C7",
        "UndoMove",
        {"game": "$game", "viewers": [viewer(letter) for letter in letters]},
        {"fields": fields, "hides": hides},
        copy.deepcopy(before).play("W:S2"),
    )


def _never(made: Section) -> None:
    game = {"game": "$game"}
    late = "game WRONG_PHASE"
    made.invalid("no-deal", "Before the first deal", "P2", "UndoMove", game, late, Setup(CLASSIC))
    made.invalid("deal", "A deal stays", "P2", "UndoMove", game, late, at(CLASSIC))
    second = at(CLASSIC, "W:P S:P E:P N:P").deal()
    made.invalid(
        "next-deal", "After the next deal a hand stays as it was", "P2", "UndoMove", game, late, second
    )
    table = """
        no-game |  | No game | -game | game MISSING
        viewer-twice |  | A viewer twice | viewers=[1,1] | viewers[1] DUPLICATE
        viewer-9 |  | No such viewer | viewers=[9] | viewers[0] UNKNOWN_VALUE
    """
    spoilt_requests(made, "UndoMove", game, table, at(CLASSIC, "W:8"))
