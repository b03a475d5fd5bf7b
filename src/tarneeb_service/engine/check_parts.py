"""What is wrong with the parts of a position by themselves, whatever the others say.

``check`` judges each part by those before it, and stops where they are no ground to go on; what is found here
holds all the same, and is named too.
"""

from collections.abc import Iterator, Sequence

from tarneeb_service.engine.cards import BIT, DECK, HAND_SIZE, STRAINS
from tarneeb_service.engine.deals import unknown_card
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.snapshot import BID, DOUBLE, PASS, Derived, HandPosition, Position, RawCall
from tarneeb_service.engine.state import Phase, Scores

MOST_SCORE = 1_000_000_000
MOST_TRICKS, MOST_CARDS = HAND_SIZE, len(DECK)


def problems_in_parts(position: Position) -> list[Problem]:
    """Return what is wrong with calls, cards played and derived fields, with paths from the game."""
    found = [*problems_in_scores("scores", position.derived.scores, position.header.rules)]
    if position.hand is not None:
        found += _problems_in_hand(position.hand)
    found += _problems_in_derived(position.derived)
    return found


def problems_in_scores(path: str, scores: Scores, rules: RuleSet) -> list[Problem]:
    """Return what is wrong with the scores of all sides."""
    if len(scores) != rules.sides:
        whose = "seats" if rules.individual else "teams"
        message = f"must have {rules.sides} scores, those of the {whose}"
        return [Problem(path, ProblemReason.WRONG_COUNT, message)]
    message = f"must be within {MOST_SCORE} of zero"
    return [
        Problem(f"{path}[{index}]", ProblemReason.OUT_OF_RANGE, message)
        for index, score in enumerate(scores)
        if not -MOST_SCORE <= score <= MOST_SCORE
    ]


def problems_in_played(played: Sequence[int]) -> list[Problem]:
    """Return what keeps cards from being played one after the other: strange ones, and too many."""
    found = [
        unknown_card(f"hand.played[{index}]")
        for index, card in enumerate(played[: MOST_CARDS + 1])
        if card not in BIT
    ]
    if len(played) > MOST_CARDS:
        message = f"at most {MOST_CARDS} cards can be played, not {len(played)}"
        found.append(Problem("hand.played", ProblemReason.WRONG_COUNT, message))
    return found


def problem_in_call(path: str, call: RawCall) -> Problem | None:
    """Return what keeps a call from being judged, or none."""
    seat, kind, tricks, strain = call
    if seat is None:
        return Problem(f"{path}.seat", ProblemReason.MISSING, "name a seat")
    if seat not in SEATS:
        return Problem(f"{path}.seat", ProblemReason.UNKNOWN_VALUE, "is no seat")
    if kind == BID:
        if strain and strain not in STRAINS:
            return Problem(f"{path}.strain", ProblemReason.UNKNOWN_VALUE, "is no strain")
        return None
    if tricks or strain:
        return Problem(path, ProblemReason.UNEXPECTED, "only a bid has tricks and a strain")
    if kind in (PASS, DOUBLE):
        return None
    reason = ProblemReason.UNKNOWN_VALUE if kind else ProblemReason.MISSING
    return Problem(f"{path}.kind", reason, "must be a bid, a pass or a double")


def _problems_in_hand(hand: HandPosition) -> Iterator[Problem]:
    for index, call in enumerate(hand.calls):
        problem = problem_in_call(f"hand.calls[{index}]", call)
        if problem is not None:
            yield problem
    yield from problems_in_played(hand.played)
    before: set[int] = set()
    for index, card in enumerate(hand.played if len(hand.played) <= MOST_CARDS else ()):
        if card in before:
            yield Problem(f"hand.played[{index}]", ProblemReason.PLAYED_TWICE, "was played before")
        before.add(card)


def _problems_in_derived(derived: Derived) -> Iterator[Problem]:
    for path, seat in (
        ("next_dealer", derived.next_dealer),
        ("seat_to_act", derived.seat_to_act),
        ("hand.opening_leader", derived.opening_leader),
    ):
        if seat is not None and seat not in SEATS:
            yield Problem(path, ProblemReason.UNKNOWN_VALUE, "is no seat")
    if derived.phase not in tuple(Phase):
        reason = ProblemReason.UNKNOWN_VALUE if derived.phase else ProblemReason.MISSING
        yield Problem("phase", reason, "must be a phase of the game")
    if derived.trump is not None and derived.trump not in STRAINS:
        yield Problem("hand.trump", ProblemReason.UNKNOWN_VALUE, "is no strain")
    winners = derived.trick_winners
    if len(winners) > MOST_TRICKS:
        message = f"a hand has {MOST_TRICKS} tricks, not {len(winners)}"
        yield Problem("hand.trick_winners", ProblemReason.WRONG_COUNT, message)
    for index, winner in enumerate(winners[:MOST_TRICKS]):
        if winner not in SEATS:
            yield Problem(f"hand.trick_winners[{index}]", ProblemReason.UNKNOWN_VALUE, "is no seat")
