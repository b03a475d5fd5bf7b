"""What is wrong with single parts of a snapshot, whatever the others say.

``check`` judges each part by those before it, and stops where they are no ground to go on; what is found here
holds all the same, and is named too.
"""

from collections.abc import Collection, Iterator, Sequence

from tarneeb_service.engine.cards import BIT, DECK, STRAINS, TRICKS
from tarneeb_service.engine.problems import Problem, ProblemReason, out_of_range, unknown_card, wrong_count
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.snapshot import BID, DOUBLE, PASS, RawCall, RawDerived, RawHand, Snapshot
from tarneeb_service.engine.state import Phase

MOST_SCORE = 1_000_000_000

# The values there are of a derived field, and what is said of another.
_KNOWN: dict[str, tuple[Collection[int], str]] = {
    "next_dealer": (SEATS, "is no seat"),
    "seat_to_act": (SEATS, "is no seat"),
    "opening_leader": (SEATS, "is no seat"),
    "phase": (tuple(Phase), "must be a phase of the game"),
    "trump": (STRAINS, "is no strain"),
}


def problems_in_parts(snapshot: Snapshot) -> list[Problem]:
    """Return what is wrong with calls, cards played and derived fields, with paths from the game."""
    found = problems_in_scores("scores", snapshot.derived.scores, snapshot.header.rules)
    if snapshot.hand is not None:
        found += _problems_in_hand(snapshot.hand)
    found += _problems_in_derived(snapshot.derived)
    return found


def is_known(name: str, value: object) -> bool:
    """Return whether a derived field can have a value at all; of most fields any."""
    return name not in _KNOWN or value in _KNOWN[name][0]


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
    if kind == BID:
        if strain and strain not in STRAINS:
            return Problem("strain", ProblemReason.UNKNOWN_VALUE, "is no strain")
        return None
    if kind not in (PASS, DOUBLE):
        reason = ProblemReason.UNKNOWN_VALUE if kind else ProblemReason.MISSING
        return Problem("kind", reason, "must be a bid, a pass or a double")
    if tricks or strain:
        return Problem("", ProblemReason.UNEXPECTED, "only a bid has tricks and a strain")
    return None


def problem_in_call_made(call: RawCall) -> Problem | None:
    """Return what keeps a call of a seat from being judged, with its path from the call, or none."""
    return problem_in_seat("seat", call.seat) or problem_in_call(call.kind, call.tricks, call.strain)


def _problems_in_hand(hand: RawHand) -> Iterator[Problem]:
    for index, call in enumerate(hand.calls):
        problem = problem_in_call_made(call)
        if problem is not None:
            yield problem.under(f"hand.calls[{index}]")
    yield from problems_in_played(hand.played)
    before: set[int] = set()
    for index, card in enumerate(hand.played if len(hand.played) <= len(DECK) else ()):
        if card in before:
            yield Problem(f"hand.played[{index}]", ProblemReason.PLAYED_TWICE, "was played before")
        before.add(card)


def _problems_in_derived(derived: RawDerived) -> Iterator[Problem]:
    for name, (known, message) in _KNOWN.items():
        value = getattr(derived, name)
        if value is None or value in known:
            continue
        path = f"hand.{name}" if name in ("trump", "opening_leader") else name
        yield Problem(path, ProblemReason.UNKNOWN_VALUE if value else ProblemReason.MISSING, message)
    winners = derived.trick_winners
    if len(winners) > TRICKS:
        message = f"a hand has {TRICKS} tricks, not {len(winners)}"
        yield wrong_count("hand.trick_winners", 0, TRICKS, message)
    for index, winner in enumerate(winners[:TRICKS]):
        if winner not in SEATS:
            yield Problem(f"hand.trick_winners[{index}]", ProblemReason.UNKNOWN_VALUE, "is no seat")
