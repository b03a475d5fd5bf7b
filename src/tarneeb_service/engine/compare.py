"""What a snapshot says of what follows, held against what does follow."""

from collections.abc import Iterator

from tarneeb_service.engine.check_parts import (
    ENUMS,
    Field,
    Fields,
    fields_of,
    is_record,
    problems_in_derived,
)
from tarneeb_service.engine.derived import Derived, derived_of
from tarneeb_service.engine.problems import Problem, ProblemReason, wrong_count
from tarneeb_service.engine.snapshot import RawDerived
from tarneeb_service.engine.state import State

# What a field follows from, beside what is given. Where that is wrong already, the field may follow from the wrong
# part, so it is judged by itself alone.
_FOLLOWS_FROM: dict[str, tuple[str, ...]] = {
    "trump": ("contract",),
    "opening_leader": ("contract",),
    "trick_winners": ("trump", "opening_leader"),
    "result": ("contract", "opening_leader", "trick_winners"),
    "scores": ("result",),
    "phase": ("contract", "opening_leader", "trick_winners", "result", "scores"),
    "outcome": ("phase", "result", "scores"),
    "next_dealer": ("phase",),
    "seat_to_act": ("phase", "contract", "opening_leader", "trick_winners"),
    # In a contract.
    "tricks": ("declarer", "team", "seat"),
    "strain": ("declarer", "tricks"),
    "doubled": ("declarer", "tricks", "strain"),
    # In a result and its lines.
    "lines": ("end",),
    "offender": ("end",),
    "bid": ("team", "seat"),
    "points": ("team", "seat", "bid", "tricks"),
    "made": ("team", "seat", "bid", "tricks"),
    # In an outcome.
    "loser": ("winner",),
    "reason": ("winner",),
    "winning_seats": ("winner", "reason"),
}


def differences(given: RawDerived, state: State) -> list[Problem]:
    """Return every derived field that says something else than the state, with paths from the game."""
    right: tuple[object, ...] = _stored(derived_of(state))
    if given == right:
        return []
    individual = state.header.rules.individual
    strange = problems_in_derived(given, individual=individual)
    named = {problem.path for problem in strange}
    found = _of_fields("", given, right, individual)
    return [*strange, *(problem for problem in found if problem.path not in named)]


def _stored(derived: Derived) -> Derived:
    """Return what a game keeps of what follows: why a line has its points is told, not stored."""
    result = derived.result
    if result is None:
        return derived
    lines = tuple([line._replace(rule_ids=()) for line in result.lines])
    return derived._replace(result=result._replace(lines=lines))


def _of_fields(path: str, given: Fields, right: Fields, individual: bool) -> Iterator[Problem]:
    """Compare two tuples of the same fields, and name those that differ and follow from none that does."""
    fields = fields_of(path, right, individual=individual)
    pairs = list(zip(fields, given, right, strict=True))
    wrong = {field.name for field, is_, should_be in pairs if is_ != should_be}
    for field, is_, should_be in pairs:
        if field.name in wrong and wrong.isdisjoint(_FOLLOWS_FROM.get(field.name, ())):
            yield from _of_values(field, is_, should_be, individual)


def _of_values(field: Field, given: object, right: object, individual: bool) -> Iterator[Problem]:
    """Compare two values of a field that are not the same."""
    path = field.path
    if right is None:
        yield Problem(path, ProblemReason.UNEXPECTED, "must be unset at this point of the game")
    elif given is None:
        yield Problem(path, ProblemReason.MISSING, f"must be {_text(field.name, right)}")
    elif not isinstance(given, tuple) or not isinstance(right, tuple):
        message = f"does not follow from the game: must be {_text(field.name, right)}"
        yield Problem(path, ProblemReason.MISMATCH, message)
    elif is_record(right):
        yield from _of_fields(path, given, right, individual)
    elif len(given) != len(right):
        message = f"must have {len(right)} entries, not {len(given)}"
        yield wrong_count(path, len(right), len(right), message)
    else:
        for index, (is_, should_be) in enumerate(zip(given, right, strict=True)):
            if is_ != should_be:
                item = Field(f"{path}[{index}]", field.name)
                yield from _of_values(item, is_, should_be, individual)


def _text(name: str, right: object) -> str:
    """Return the right value of a field as a message says it."""
    if isinstance(right, tuple):
        return f"the {name} that the rules and the hand give"
    if isinstance(right, bool):
        return "true" if right else "false"
    return ENUMS[name].names[right] if name in ENUMS and isinstance(right, int) else str(right)
