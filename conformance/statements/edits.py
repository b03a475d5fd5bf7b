"""Requests and games that were spoilt: what is edited, and the problems that are found."""

import copy
from typing import Any

from conformance.runner import edit, expanded
from conformance.statements.positions import Setup, bytes_json
from conformance.statements.section import Section, problems
from conformance.statements.tables import plain, rows

JSON = Any


def edits(text: str, prefix: str = "") -> list[JSON]:
    """Edits as in `hand.played[1]=15; -hand.contract`: what is set to what, and what is taken away; `none` is none.

    A value is JSON, a word, or so many bytes of nought, as in `$zeros 16`.
    """
    found: list[JSON] = []
    for each in text.split("; ") if text != "none" else []:
        path, _, value = each.partition("=")
        if each.startswith("-"):
            found.append({"remove": prefix + each[1:]})
        else:
            count = value.removeprefix("$zeros ")
            found.append(
                {
                    "set": prefix + path,
                    "to": plain(value) if count == value else bytes_json(bytes(int(count))),
                }
            )
    return found


def edited(request: JSON, text: str) -> JSON:
    """A copy of a request with edits made in it."""
    changed = copy.deepcopy(request)
    for each in edits(text):
        edit(changed, expanded(each))
    return changed


def spoilt_requests(made: Section, rpc: str, request: JSON, text: str, setup: Setup | None = None) -> None:
    """A request that fails when it is edited: `slug | rules and cases | title | edits | problems`."""
    for slug, shows, title, change, found in rows(text, 5):
        made.invalid(slug, title, shows, rpc, edited(request, change), found, setup)


def spoilt_games(made: Section, setup: Setup, text: str) -> None:
    """A game that is edited, and every problem of it: `slug | rules and cases | title | edits | problems`."""
    for slug, shows, title, change, found in rows(text, 5):
        expect = {"problems": problems("" if found == "none" else found)}
        request, changes = {"game": "$game"}, edits(change, "game.")
        made.add(f"game-{slug}", title, shows, "ValidateGame", request, expect, setup, edits=changes)
