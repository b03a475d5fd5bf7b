"""Games that were changed after they were played, and what ValidateGame finds in them."""

from typing import Any

from conformance.statements.positions import Setup
from conformance.statements.section import Section

JSON = Any


def game_problems(
    made: Section, slug: str, title: str, shows: str, setup: Setup, edits: list[JSON], found: str
) -> None:
    """An edited game, through ValidateGame, which lists every problem."""
    pairs = [item.split() for item in found.split(",") if item.strip()]
    expect = {"problems": [{"path": path, "reason": reason} for path, reason in pairs]}
    made.add(f"game-{slug}", title, shows, "ValidateGame", {"game": "$game"}, expect, setup, edits=edits)


def to(path: str, value: JSON) -> JSON:
    return {"set": f"game.{path}", "to": value}


def gone(path: str) -> JSON:
    return {"remove": f"game.{path}"}
