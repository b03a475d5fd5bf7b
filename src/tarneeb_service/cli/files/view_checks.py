"""Whether a stored view can be drawn. A view is made by the service; one from a file may hold anything."""

from collections.abc import Iterator

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from tarneeb.v1 import rules_pb2, views_pb2
from tarneeb_service.engine.cards import HAND_SIZE
from tarneeb_service.engine.problems import Problem, ProblemReason, out_of_range, wrong_count
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.wire.problems import preset_id_problem, text_problem

SIDES = {2, 4}


def view_problems(view: views_pb2.GameView) -> list[Problem]:
    """Return what keeps a view from being drawn."""
    problems = [problem for problem in _problems(view) if problem is not None]
    return [*problems, *_unknown_values(view, "")]


def _problems(view: views_pb2.GameView) -> Iterator[Problem | None]:
    yield text_problem("id", view.id)
    yield preset_id_problem("preset_id", view.preset_id)
    for name in ("viewer", "phase"):
        if not getattr(view, name):
            yield Problem(name, ProblemReason.MISSING, "is required")
    if not view.HasField("rules"):
        yield Problem("rules", ProblemReason.MISSING, "is required")
    individual = view.rules.auction == rules_pb2.AUCTION_INDIVIDUAL
    yield _count("scores", len(view.scores), 4 if individual else 2)
    if view.HasField("hand"):
        yield from _hand_problems(view)


def _hand_problems(view: views_pb2.GameView) -> Iterator[Problem | None]:
    hand = view.hand
    for name, counts in (("holding_counts", hand.holding_counts), ("trick_counts", hand.trick_counts)):
        yield _count(f"hand.{name}", len(counts), len(SEATS))
        for index, count in enumerate(counts[: len(SEATS)]):
            if count > HAND_SIZE:
                message = f"must be at most {HAND_SIZE}"
                yield out_of_range(f"hand.{name}[{index}]", 0, HAND_SIZE, message)
    if len(hand.holding) > HAND_SIZE:
        yield _count("hand.holding", len(hand.holding), HAND_SIZE)
    if hand.revealed:
        yield _count("hand.revealed", len(hand.revealed), len(SEATS))
    for index, dealt in enumerate(hand.revealed[: len(SEATS)]):
        yield _count(f"hand.revealed[{index}].cards", len(dealt.cards), HAND_SIZE)
    tricks = [
        (f"hand.past_tricks[{index}]", trick) for index, trick in enumerate(hand.past_tricks[:HAND_SIZE])
    ]
    if hand.HasField("trick"):
        tricks.append(("hand.trick", hand.trick))
    for path, trick in tricks:
        if not trick.leader:
            yield Problem(f"{path}.leader", ProblemReason.MISSING, "name a seat")
        if len(trick.cards) > len(SEATS):
            yield _count(f"{path}.cards", len(trick.cards), len(SEATS))
    for index, call in enumerate(hand.calls):
        if not call.seat or not call.kind:
            yield Problem(f"hand.calls[{index}]", ProblemReason.MISSING, "must have a seat and a kind")
    if hand.HasField("contract") and not hand.contract.declarer:
        yield Problem("hand.contract.declarer", ProblemReason.MISSING, "name a seat")
    for index, line in enumerate(hand.result.lines):
        if line.WhichOneof("side") is None or not (line.team or line.seat):
            yield Problem(f"hand.result.lines[{index}]", ProblemReason.MISSING, "must have a team or a seat")


def _count(path: str, count: int, wanted: int) -> Problem | None:
    if count == wanted:
        return None
    return wrong_count(path, wanted, wanted, f"must have {wanted} entries, not {count}")


def _unknown_values(message: Message, prefix: str) -> Iterator[Problem]:
    """Name every number that its enum does not know; zero is for the checks above, except in a list."""
    for field, value in message.ListFields():
        path = f"{prefix}{field.name}"
        values = [(path, value)]
        if field.is_repeated:
            values = [(f"{path}[{index}]", item) for index, item in enumerate(value)]
        for place, item in values:
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                yield from _unknown_values(item, f"{place}.")
            elif field.enum_type is not None and (
                item not in field.enum_type.values_by_number or (field.is_repeated and not item)
            ):
                yield Problem(place, ProblemReason.UNKNOWN_VALUE, f"{item} is no {field.enum_type.name}")
