"""Records: a whole game played again from its rules, deals and moves."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tarneeb.v1 import moves_pb2, records_pb2
from tarneeb_service.engine import game
from tarneeb_service.engine.events import Event
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError, wrong_count
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.engine.state import AwaitingDeal, Header, State
from tarneeb_service.engine.verdicts import Verdict
from tarneeb_service.rpc.fair_deals import dealt_hands
from tarneeb_service.wire.cards import seat_problem
from tarneeb_service.wire.moves import decode_move
from tarneeb_service.wire.problems import NewerRulesError, missing, raise_if_any, text_problem
from tarneeb_service.wire.records import MOST_RECORDED_HANDS, MOST_RECORDED_MOVES
from tarneeb_service.wire.rules import decode_choice


# Messages and lists have no hash, so neither have these; each equals itself alone.
@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One deal or move of a record; ``move_number`` is 0 for the deal."""

    hand_number: int
    move_number: int
    move: moves_pb2.Move | None


@dataclass(frozen=True, slots=True, eq=False)
class Refusal:
    """Why a step was not made: a verdict, or problems that keep it from being judged."""

    step: Step
    verdict: Verdict | None = None
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A step that was made, the state it led to, and what happened."""

    step: Step
    state: State
    events: list[Event]


def start(record: records_pb2.GameRecord, path: str = "record") -> AwaitingDeal:
    """Return the game of a record before its first deal; one of an older revision lacks the switches that came later.

    Raises:
        ProblemsError: Id, rules or first dealer are unsound, or the record is too long; paths below ``path``.
        NewerRulesError: A newer release made it.
    """
    if record.rules_revision > RULES_REVISION:
        raise NewerRulesError(record.rules_revision)
    moves = sum(len(hand.moves) for hand in record.hands[: MOST_RECORDED_HANDS + 1])
    problems = [text_problem("id", record.id), seat_problem("first_dealer", record.first_dealer)]
    if len(record.hands) > MOST_RECORDED_HANDS:
        message = f"at most {MOST_RECORDED_HANDS} hands"
        problems.append(wrong_count("hands", 0, MOST_RECORDED_HANDS, message))
    if moves > MOST_RECORDED_MOVES:
        message = f"at most {MOST_RECORDED_MOVES} moves in all"
        problems.append(wrong_count("hands", 0, MOST_RECORDED_MOVES, message))
    raise_if_any(problems, path)
    choice = record.rule_set if record.HasField("rule_set") else None
    rules = decode_choice(choice, f"{path}.rule_set", record.rules_revision or None)
    return game.create(Header(record.id, record.rule_set.preset_id, rules), record.first_dealer - 1)


def play(
    record: records_pb2.GameRecord, state: AwaitingDeal, *, check_revisions: bool = False
) -> Iterator[Reached | Refusal]:
    """Play a record from its start; the last item is a refusal when a step is refused.

    The revisions that moves name are checked only when asked for: a game in which a move was taken back is ahead.
    """
    reached: State = state
    for hand_index, hand in enumerate(record.hands):
        path = f"record.hands[{hand_index}]"
        step = Step(hand_index + 1, 0, None)
        try:
            reached, events = _deal(reached, hand, path)
        except ProblemsError as error:
            yield Refusal(step, problems=error.problems)
            return
        yield Reached(step, reached, events)
        for index, message in enumerate(hand.moves):
            step = Step(hand_index + 1, index + 1, message)
            try:
                move, made_for = decode_move(message, f"{path}.moves[{index}]")
            except ProblemsError as error:
                yield Refusal(step, problems=error.problems)
                return
            verdict, reached, events = game.apply(reached, move, made_for if check_revisions else None)
            if not verdict.accepted:
                yield Refusal(step, verdict)
                return
            yield Reached(step, reached, events)


def step_count(record: records_pb2.GameRecord) -> int:
    """Return how many deals and moves a record has."""
    return sum(1 + len(hand.moves) for hand in record.hands)


def _deal(state: State, hand: records_pb2.RecordedHand, path: str) -> tuple[State, list[Event]]:
    if not isinstance(state, AwaitingDeal):
        message = "the game does not await a deal: the hand before is not over, or the game is"
        raise ProblemsError([Problem(f"{path}.deal", ProblemReason.WRONG_PHASE, message)])
    if not hand.HasField("deal"):
        raise missing(f"{path}.deal")
    return game.deal(state, *dealt_hands(hand.deal, state, f"{path}.deal"))
