"""What is wrong with single parts of a snapshot, whatever the others say.

``check`` judges each part by those before it, and stops where they are no ground to go on; what is found here
holds all the same, and is named too.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from tarneeb_service.engine.cards import BIT, DECK, STRAIN_NAMES, STRAINS, TRICKS
from tarneeb_service.engine.problems import Problem, ProblemReason, out_of_range, unknown_card, wrong_count
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.seats import SEAT_NAMES, SEATS, TEAM_NAMES
from tarneeb_service.engine.snapshot import BID, DOUBLE, PASS, RawCall, RawDerived, Snapshot
from tarneeb_service.engine.state import HandEnd, Phase, WinReason

MOST_SCORE = 1_000_000_000

Fields = tuple[object, ...]


class Enum(NamedTuple):
    """The numbers of an enum with their names, and what is said of another number."""

    names: Mapping[int, str]
    strange: str


class Field(NamedTuple):
    """A field that follows: its path from the game, and its name there."""

    path: str
    name: str


def _words(members: Iterable[IntEnum]) -> dict[int, str]:
    return {member: member.name.lower().replace("_", " ") for member in members}


_SEAT = Enum(dict(enumerate(SEAT_NAMES)), "is no seat")
_TEAM = Enum(dict(enumerate(TEAM_NAMES)), "is no team")
_STRAIN = Enum({strain: STRAIN_NAMES[strain] for strain in STRAINS}, "is no strain")
# What follows and is an enum, by the names of the fields.
ENUMS: Mapping[str, Enum] = {
    "next_dealer": _SEAT,
    "seat_to_act": _SEAT,
    "opening_leader": _SEAT,
    "trick_winners": _SEAT,
    "declarer": _SEAT,
    "offender": _SEAT,
    "seat": _SEAT,
    "team": _TEAM,
    "winner": _TEAM,
    "loser": _TEAM,
    "winning_seats": _SEAT,
    "trump": _STRAIN,
    "strain": _STRAIN,
    "phase": Enum(_words(Phase), "must be a phase of the game"),
    "end": Enum(_words(HandEnd), "is no end of a hand"),
    "reason": Enum(_words(WinReason), "is nothing that wins a game"),
}
_OF_GAME = ("scores", "next_dealer", "phase", "seat_to_act", "outcome")


def problems_in_parts(snapshot: Snapshot, named: Collection[str]) -> list[Problem]:
    """Return what is wrong with calls, cards played and derived fields, with paths from the game.

    Args:
        snapshot: A game.
        named: The paths of what is wrong by the rules.
    """
    derived, rules = snapshot.derived, snapshot.header.rules
    found = problems_in_scores("scores", derived.scores, rules)
    if snapshot.hand is not None:
        found += _problems_in_calls(snapshot.hand.calls)
        # What comes after a card that is wrong may repeat it.
        if not any(path.startswith("hand.played") for path in named):
            found += _problems_in_order(snapshot.hand.played)
    if derived.phase is None:
        found.append(Problem("phase", ProblemReason.MISSING, ENUMS["phase"].strange))
    return found + problems_in_derived(derived, individual=rules.individual)


def is_record(value: Fields) -> bool:
    """Return whether a tuple has named fields; if not, it is a list."""
    return hasattr(value, "_fields")


def fields_of(path: str, record: Fields, *, individual: bool) -> list[Field]:
    """Return the fields of a record that is at a path, which is empty for all that follows in a game."""
    fields = []
    for name in record._fields:  # type: ignore[attr-defined]
        if name == "side":
            name = "seat" if individual else "team"
        above = path if path or name in _OF_GAME else "hand"
        fields.append(Field(f"{above}.{name}" if above else name, name))
    return fields


def problem_in_seat(path: str, seat: int | None) -> Problem | None:
    """Return what is wrong with a seat that must be named, or none."""
    if seat in SEATS:
        return None
    if seat is None:
        return Problem(path, ProblemReason.MISSING, "name a seat")
    return Problem(path, ProblemReason.UNKNOWN_VALUE, "is no seat")


def problems_in_scores(path: str, scores: Sequence[int], rules: RuleSet) -> list[Problem]:
    """Return what is wrong with the scores of all sides."""
    if len(scores) != rules.sides:
        whose = "seats" if rules.individual else "teams"
        message = f"must have {rules.sides} scores, those of the {whose}"
        return [wrong_count(path, rules.sides, rules.sides, message)]
    return [
        out_of_range(f"{path}[{index}]", -MOST_SCORE, MOST_SCORE, f"must be within {MOST_SCORE} of zero")
        for index, score in enumerate(scores)
        if not -MOST_SCORE <= score <= MOST_SCORE
    ]


def problems_in_played(played: Sequence[int]) -> list[Problem]:
    """Return what keeps cards from being played one after the other: strange ones, and too many."""
    most = len(DECK)
    found = [
        unknown_card(f"hand.played[{index}]")
        for index, card in enumerate(played[: most + 1])
        if card not in BIT
    ]
    if len(played) > most:
        message = f"at most {most} cards can be played, not {len(played)}"
        found.append(wrong_count("hand.played", 0, most, message))
    return found


def problem_in_call(kind: int, tricks: int, strain: int) -> Problem | None:
    """Return what keeps the words of a call from being judged, with its path from the call, or none."""
    if kind not in (BID, PASS, DOUBLE):
        reason = ProblemReason.UNKNOWN_VALUE if kind else ProblemReason.MISSING
        return Problem("kind", reason, "must be a bid, a pass or a double")
    if strain and strain not in STRAINS:
        return Problem("strain", ProblemReason.UNKNOWN_VALUE, "is no strain")
    if kind != BID and (tricks or strain):
        return Problem("", ProblemReason.UNEXPECTED, "only a bid has tricks and a strain")
    return None


def problem_in_call_made(call: RawCall) -> Problem | None:
    """Return what keeps a call of a seat from being judged, with its path from the call, or none."""
    return problem_in_seat("seat", call.seat) or problem_in_call(call.kind, call.tricks, call.strain)


def _problems_in_calls(calls: Sequence[RawCall]) -> Iterator[Problem]:
    for index, call in enumerate(calls):
        problem = problem_in_call_made(call)
        if problem is not None:
            yield problem.under(f"hand.calls[{index}]")


def _problems_in_order(played: Sequence[int]) -> Iterator[Problem]:
    yield from problems_in_played(played)
    before: set[int] = set()
    for index, card in enumerate(played if len(played) <= len(DECK) else ()):
        if card in before:
            yield Problem(f"hand.played[{index}]", ProblemReason.PLAYED_TWICE, "was played before")
        before.add(card)


def problems_in_derived(derived: RawDerived, *, individual: bool) -> list[Problem]:
    """Return the numbers in what follows that are of no use anywhere, with paths from the game."""
    problems = []
    winners = derived.trick_winners
    if len(winners) > TRICKS:
        message = f"a hand has {TRICKS} tricks, not {len(winners)}"
        problems.append(wrong_count("hand.trick_winners", 0, TRICKS, message))
        derived = derived._replace(trick_winners=winners[:TRICKS])
    for field, value in _numbers(Field("", ""), derived, individual):
        enum = ENUMS.get(field.name)
        if enum is not None and value not in enum.names:
            problems.append(Problem(field.path, ProblemReason.UNKNOWN_VALUE, enum.strange))
    return problems


def _numbers(field: Field, value: object, individual: bool) -> Iterator[tuple[Field, int]]:
    """Yield every number in a value."""
    if isinstance(value, int):
        yield field, value
    elif isinstance(value, tuple):
        items = (
            fields_of(field.path, value, individual=individual)
            if is_record(value)
            else [Field(f"{field.path}[{index}]", field.name) for index in range(len(value))]
        )
        for item, inner in zip(items, value, strict=True):
            yield from _numbers(item, inner, individual)
