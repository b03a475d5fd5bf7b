"""Requests to engine values.

A game becomes a ``Position`` as it stands, wrong or not, and the engine checks it; here only what has no
place in a position is refused. Seats are 1 to 4 on the wire and 0 to 3 inside.
"""

from collections.abc import Sequence
from typing import Literal, Protocol, cast

from tarneeb.v1 import game_pb2, moves_pb2, records_pb2
from tarneeb_service.engine.cards import BIT, STRAINS
from tarneeb_service.engine.check import MOST_REVISIONS, check
from tarneeb_service.engine.check_parts import problems_in_scores
from tarneeb_service.engine.deals import (
    LONGEST_CUT,
    LONGEST_SEED,
    SHORTEST_SEED,
    Masks,
    belongs,
    deal_deck,
    masks_of_hands,
    problems_in_hands,
    shuffled_deck,
    turned_card_problem,
    unknown_card,
)
from tarneeb_service.engine.moves import Bid, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.position import Derived, Position
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rules import RULES_REVISION, Cut
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.state import AwaitingDeal, Header, Outcome, State, WinReason
from tarneeb_service.wire.hands import DerivedHand, read_hand, read_sets, seat_index
from tarneeb_service.wire.problems import (
    NewerRulesError,
    bytes_problem,
    fail,
    missing,
    preset_id_problem,
    raise_if_any,
    text_problem,
)
from tarneeb_service.wire.rules import decode_rules

NO_DERIVED_HAND: DerivedHand = (None, None, None, (), None)


class _HasGame(Protocol):
    """A request about a game."""

    @property
    def game(self) -> game_pb2.Game: ...
    def HasField(self, field_name: Literal["game"], /) -> bool: ...  # noqa: N802  # protobuf's name


class _HasMove(Protocol):
    """A request about a move."""

    @property
    def move(self) -> moves_pb2.Move: ...
    def HasField(self, field_name: Literal["move"], /) -> bool: ...  # noqa: N802  # protobuf's name


def decode_game(request: _HasGame) -> State:
    """Return the checked state of a request's game.

    Raises:
        ProblemsError: With paths below ``game``.
        NewerRulesError: A newer release made the game.
    """
    if not request.HasField("game"):
        raise missing("game")
    try:
        return check(decode_position(request.game))
    except ProblemsError as error:
        raise ProblemsError([problem.under("game") for problem in error.problems]) from None


def decode_position(message: game_pb2.Game) -> Position:
    """Return a game as it was stored.

    Raises:
        ProblemsError: Id, rules or rules revision are no basis for a check; paths from the game.
        NewerRulesError: A newer release made the game.
    """
    revision = message.rules_revision
    if revision > RULES_REVISION:
        raise NewerRulesError(revision)
    problems = [text_problem("id", message.id), preset_id_problem("preset_id", message.preset_id)]
    if not revision:
        problems.append(Problem("rules_revision", ProblemReason.MISSING, "keep the one that CreateGame gave"))
    if not message.HasField("rules"):
        problems.append(Problem("rules", ProblemReason.MISSING, "keep those that CreateGame gave"))
        raise_if_any(problems)
    try:
        rules = decode_rules(message.rules)
    except ProblemsError as error:
        raise_if_any([*problems, *(problem.under("rules") for problem in error.problems)])
        raise
    raise_if_any(problems)
    hand, derived_hand = None, NO_DERIVED_HAND
    if message.HasField("hand"):
        hand, derived_hand = read_hand(message.hand, rules.individual)
    return Position(
        Header(message.id, message.preset_id, rules),
        message.revision,
        message.hand_number,
        seat_index(message.dealer),
        hand,
        Derived(
            tuple(message.scores[:]),
            seat_index(message.next_dealer),
            message.phase,
            seat_index(message.seat_to_act),
            _outcome(message.outcome) if message.HasField("outcome") else None,
            *derived_hand,
        ),
    )


def last_step_problem(state: State) -> Problem | None:
    """Return what keeps a game at the end of its numbers from another step, or none.

    No table gets there, but what is answered must be good to send.
    """
    message = f"is {MOST_REVISIONS}, the last there is: the game can't go on"
    if state.revision >= MOST_REVISIONS:
        return Problem("game.revision", ProblemReason.OUT_OF_RANGE, message)
    if not isinstance(state, AwaitingDeal):
        return None
    if state.next_number > MOST_REVISIONS:
        return Problem("game.hand_number", ProblemReason.OUT_OF_RANGE, message)
    return next(iter(problems_in_scores("game.scores", state.scores, state.header.rules)), None)


def decode_move(request: _HasMove) -> tuple[Move, int | None]:
    """Return a request's move and the revision it was made for, if it names one.

    Raises:
        ProblemsError: With paths below ``move``.
    """
    if not request.HasField("move"):
        raise missing("move")
    return decode_move_message(request.move, "move")


def decode_move_message(message: moves_pb2.Move, path: str) -> tuple[Move, int | None]:
    """Return a move and the revision it was made for, if it names one.

    Raises:
        ProblemsError: With paths below ``path``.
    """
    seat = message.seat - 1
    no_seat = seat_problem(f"{path}.seat", message.seat)
    problems = [] if no_seat is None else [no_seat]
    move: Move | None = None
    match message.WhichOneof("action"):
        case "card":
            if message.card not in BIT:
                problems.append(unknown_card(f"{path}.card"))
            move = PlayCard(seat, message.card)
        case "call":
            move = _call(message.call, seat, f"{path}.call", problems)
        case "trump":
            if message.trump not in STRAINS:
                problems.append(Problem(f"{path}.trump", ProblemReason.UNKNOWN_VALUE, "is no strain"))
            move = NameTrump(seat, message.trump)
        case None:
            problems.append(Problem(path, ProblemReason.MISSING, "must have one of call, trump and card"))
    if problems or move is None:
        raise ProblemsError(problems)
    return move, message.revision if message.HasField("revision") else None


def decode_deal(
    message: records_pb2.Deal, state: AwaitingDeal, path: str = "deal"
) -> tuple[Masks, int | None]:
    """Return the four hands of a deal as masks, and the card that is turned where the rules turn one.

    Raises:
        ProblemsError: With paths below ``path``.
    """
    rules = state.header.rules
    match message.WhichOneof("source"):
        case "seeded":
            cards = seeded_deck(message.seeded, state, f"{path}.seeded")
        case "deck":
            cards = tuple(message.deck.cards)
            raise_if_any(_deck_problems(cards, f"{path}.deck.cards"))
        case "hands":
            return _dealt_hands(message.hands, state, f"{path}.hands")
        case _:
            raise missing(path, "must have one of seeded, deck and hands")
    masks, last = deal_deck(cards, state.next_dealer, rules.deal_order)
    return masks, last if rules.turns_card else None


def seeded_deck(message: records_pb2.SeededDeal, state: AwaitingDeal, path: str) -> tuple[int, ...]:
    """Return the deck of a seed for the next hand of a game.

    Raises:
        ProblemsError: A length is wrong, the cut or the commitment is missing, or the seed is not the one
            committed to. The seed itself is in no message.
    """
    problems = seed_problems(message, path)
    if state.header.rules.cut is Cut.REQUIRED:
        if not message.cut:
            problems.append(Problem(f"{path}.cut", ProblemReason.MISSING, "these rules need a cut (C4)"))
        if not message.commitment:
            # Without one the seed can be picked after the cut, which then protects nobody.
            text = "these rules need a cut (C4), and a cut needs the commitment that was shown before it"
            problems.append(Problem(f"{path}.commitment", ProblemReason.MISSING, text))
    raise_if_any(problems)
    game_id, number = state.header.id, state.next_number
    if message.commitment and not belongs(message.seed, message.commitment, game_id, number):
        text = "is not that of this seed for this game and hand"
        raise fail(f"{path}.commitment", ProblemReason.COMMITMENT, text)
    return shuffled_deck(message.seed, message.cut, game_id, number)


def seed_problems(message: records_pb2.SeededDeal, path: str) -> list[Problem | None]:
    """Return what is wrong with the lengths of seed, cut and commitment."""
    return [
        bytes_problem(f"{path}.seed", message.seed, SHORTEST_SEED, LONGEST_SEED),
        bytes_problem(f"{path}.cut", message.cut, 0, LONGEST_CUT),
        bytes_problem(f"{path}.commitment", message.commitment, 32, 32) if message.commitment else None,
    ]


def seat_problem(path: str, number: int) -> Problem | None:
    """Return what is wrong with the number of a seat, or none."""
    if 1 <= number <= len(SEATS):
        return None
    if number:
        return Problem(path, ProblemReason.UNKNOWN_VALUE, f"{number} is no seat")
    return Problem(path, ProblemReason.MISSING, "name a seat")


def _outcome(message: game_pb2.Outcome) -> Outcome:
    return Outcome(message.winner - 1, message.loser - 1, cast(WinReason, message.reason))


def _call(message: moves_pb2.Call, seat: int, path: str, problems: list[Problem]) -> Move | None:
    kind, tricks, strain = message.kind, message.tricks, message.strain
    if kind == moves_pb2.CALL_KIND_BID:
        if strain and strain not in STRAINS:
            problems.append(Problem(f"{path}.strain", ProblemReason.UNKNOWN_VALUE, "is no strain"))
        if not tricks:
            problems.append(Problem(f"{path}.tricks", ProblemReason.MISSING, "a bid names its tricks"))
        return Bid(seat, tricks, strain or None)
    if kind not in (moves_pb2.CALL_KIND_PASS, moves_pb2.CALL_KIND_DOUBLE):
        reason = ProblemReason.UNKNOWN_VALUE if kind else ProblemReason.MISSING
        problems.append(Problem(f"{path}.kind", reason, "must be a bid, a pass or a double"))
    elif tricks or strain:
        problems.append(Problem(path, ProblemReason.UNEXPECTED, "only a bid has tricks and a strain"))
    return Double(seat) if kind == moves_pb2.CALL_KIND_DOUBLE else Pass(seat)


def _deck_problems(cards: Sequence[int], path: str) -> list[Problem]:
    if len(cards) != 52:
        return [Problem(path, ProblemReason.WRONG_COUNT, f"must have 52 cards, not {len(cards)}")]
    problems = []
    for index, card in enumerate(cards):
        if card not in BIT:
            problems.append(unknown_card(f"{path}[{index}]"))
        elif card in cards[:index]:
            problems.append(
                Problem(f"{path}[{index}]", ProblemReason.DUPLICATE, "this card is in the deck already")
            )
    return problems


def _dealt_hands(message: records_pb2.DealtHands, state: AwaitingDeal, path: str) -> tuple[Masks, int | None]:
    hands = read_sets(message.hands)
    masks = masks_of_hands(hands)
    problems = problems_in_hands(hands, f"{path}.hands", "hands") if masks is None else []
    turned = message.turned_card or None
    problem = turned_card_problem(
        f"{path}.turned_card",
        turned,
        turns_card=state.header.rules.turns_card,
        dealers=None if masks is None else hands[state.next_dealer],
    )
    if problem is not None:
        problems.append(problem)
    if problems or masks is None:
        raise ProblemsError(problems)
    return masks, turned
