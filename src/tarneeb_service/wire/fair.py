"""Whether a deal was fair: seed, cut, commitment and cards compared, once the seed may be known."""

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.cards import BIT
from tarneeb_service.engine.deals import (
    belongs,
    deal_deck,
    masks_of_hands,
    problems_in_hands,
    shuffled_deck,
    unknown_card,
)
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.rules import DealOrder
from tarneeb_service.wire.decode import seat_problem, seed_problems
from tarneeb_service.wire.hands import read_sets
from tarneeb_service.wire.problems import raise_if_any, text_problem

MOST_HANDS = 2**31


def hand_number_problem(path: str, number: int) -> Problem | None:
    """Return what is wrong with the number of a hand, or none."""
    if 1 <= number <= MOST_HANDS:
        return None
    reason = ProblemReason.OUT_OF_RANGE if number else ProblemReason.MISSING
    return Problem(path, reason, f"must be 1 to {MOST_HANDS}")


def verify(request: pb.VerifyDealRequest) -> pb.VerifyDealResponse:
    """Return whether a deal was fair, and which half of it was not.

    Raises:
        ProblemsError: Something is missing or malformed.
    """
    hands = read_sets(request.dealt.hands)
    dealt = masks_of_hands(hands)
    turned = request.dealt.turned_card
    raise_if_any(
        [
            text_problem("game_id", request.game_id),
            hand_number_problem("hand_number", request.hand_number),
            seat_problem("dealer", request.dealer),
            _order_problem(request.deal_order),
            *seed_problems(request.seeded, "seeded"),
            None
            if request.seeded.commitment
            else Problem("seeded.commitment", ProblemReason.MISSING, "is what the deal is held against"),
            *(problems_in_hands(hands, "dealt.hands", "hands") if dealt is None else ()),
            unknown_card("dealt.turned_card") if turned and turned not in BIT else None,
        ]
    )
    seeded = request.seeded
    committed = belongs(seeded.seed, seeded.commitment, request.game_id, request.hand_number)
    deck = shuffled_deck(seeded.seed, seeded.cut, request.game_id, request.hand_number)
    fair_hands, last = deal_deck(deck, request.dealer - 1, DealOrder(request.deal_order))
    matches = dealt == fair_hands and turned in (0, last)
    return pb.VerifyDealResponse(
        fair=committed and matches,
        commitment_matches=committed,
        cards_match=matches,
        message=_message(committed=committed, matches=matches, cut=bool(seeded.cut)),
    )


def _order_problem(order: int) -> Problem | None:
    if order in tuple(DealOrder):
        return None
    if order:
        return Problem("deal_order", ProblemReason.UNKNOWN_VALUE, f"{order} is no deal order")
    return Problem("deal_order", ProblemReason.MISSING, "take it from the rules of the game")


def _message(*, committed: bool, matches: bool, cut: bool) -> str:
    match committed, matches:
        case True, True if cut:
            return "The deal was fair: the seed is the one committed to, and it gives these cards."
        case True, True:
            return (
                "The deal was not changed: the seed is the one committed to, and it gives these cards. "
                "It had no cut, so whoever drew the seed may have picked it."
            )
        case True, False:
            return "The seed is the one committed to, but with this cut it does not give these cards."
        case False, True:
            return "The seed gives these cards, but it is not the one committed to."
    return "The seed is not the one committed to, and does not give these cards."
