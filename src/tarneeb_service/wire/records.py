"""Records and deals: ``records.proto``."""

from collections.abc import Sequence

from tarneeb.v1 import records_pb2
from tarneeb_service.engine.cards import BIT, DECK
from tarneeb_service.engine.deals import (
    Masks,
    masks_of_hands,
    problems_in_hands,
    turned_card_problem,
)
from tarneeb_service.engine.moves import Move
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError, unknown_card, wrong_count
from tarneeb_service.engine.shuffle import COMMITMENT_SIZE, LONGEST_CUT, LONGEST_SEED, SHORTEST_SEED
from tarneeb_service.engine.state import Deal
from tarneeb_service.wire.cards import decode_card_sets, encode_card, encode_card_sets
from tarneeb_service.wire.moves import encode_move
from tarneeb_service.wire.problems import bytes_problem, raise_if_any

# The longest record there is. No game comes near.
MOST_RECORDED_HANDS, MOST_RECORDED_MOVES = 1_000, 100_000


def decode_deck(message: records_pb2.Deck, path: str) -> tuple[int, ...]:
    """Return the 52 cards of a deck in order.

    Raises:
        ProblemsError: With paths below ``path``.
    """
    cards = tuple(message.cards[:])
    raise_if_any(_deck_problems(cards, f"{path}.cards"))
    return cards


def decode_dealt_hands(
    message: records_pb2.DealtHands, path: str, *, turns_card: bool, dealer: int
) -> tuple[Masks, int | None]:
    """Return four hands as masks, and the card that is turned where the rules turn one.

    Raises:
        ProblemsError: With paths below ``path``.
    """
    hands = decode_card_sets(message.hands)
    masks = masks_of_hands(hands)
    problems = problems_in_hands(hands, f"{path}.hands", "hands") if masks is None else []
    turned = message.turned_card or None
    problem = turned_card_problem(
        f"{path}.turned_card",
        turned,
        turns_card=turns_card,
        dealers=None if masks is None else hands[dealer],
    )
    if problem is not None:
        problems.append(problem)
    if problems or masks is None:
        raise ProblemsError(problems)
    return masks, turned


def encode_recorded_hand(deal: Deal, moves: Sequence[Move]) -> records_pb2.RecordedHand:
    """Return a hand with the cards that were dealt, wherever they came from, and its moves."""
    hands = records_pb2.DealtHands(hands=encode_card_sets(deal.dealt), turned_card=encode_card(deal.turned))
    return records_pb2.RecordedHand(
        deal=records_pb2.Deal(hands=hands), moves=[encode_move(move) for move in moves]
    )


def seed_problem(path: str, seed: bytes) -> Problem | None:
    """Return what is wrong with the length of a seed, or none."""
    return bytes_problem(path, seed, SHORTEST_SEED, LONGEST_SEED)


def seeded_problems(message: records_pb2.SeededDeal, path: str) -> list[Problem | None]:
    """Return what is wrong with the lengths of seed, cut and commitment."""
    return [
        seed_problem(f"{path}.seed", message.seed),
        bytes_problem(f"{path}.cut", message.cut, 0, LONGEST_CUT),
        bytes_problem(f"{path}.commitment", message.commitment, COMMITMENT_SIZE, COMMITMENT_SIZE)
        if message.commitment
        else None,
    ]


def _deck_problems(cards: Sequence[int], path: str) -> list[Problem]:
    if len(cards) != len(DECK):
        return [wrong_count(path, len(DECK), len(DECK), f"must have {len(DECK)} cards, not {len(cards)}")]
    problems = []
    for index, card in enumerate(cards):
        if card not in BIT:
            problems.append(unknown_card(f"{path}[{index}]"))
        elif card in cards[:index]:
            problems.append(
                Problem(f"{path}[{index}]", ProblemReason.DUPLICATE, "this card is in the deck already")
            )
    return problems
