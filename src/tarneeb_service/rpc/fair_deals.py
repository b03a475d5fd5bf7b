"""Where the cards of a hand come from, and whether a deal from a seed was fair once the seed may be known."""

from tarneeb.v1 import records_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.cards import BIT
from tarneeb_service.engine.deals import Masks, deal_deck, masks_of_hands, problems_in_hands
from tarneeb_service.engine.problems import Problem, ProblemReason, unknown_card
from tarneeb_service.engine.rules import Cut, DealOrder
from tarneeb_service.engine.shuffle import belongs, commitment, shuffled_deck
from tarneeb_service.engine.state import LAST_NUMBER, AwaitingDeal
from tarneeb_service.wire.cards import decode_card_sets, seat_problem
from tarneeb_service.wire.problems import fail, missing, raise_if_any, text_problem
from tarneeb_service.wire.records import decode_dealt_hands, decode_deck, seed_problem, seeded_problems


def dealt_hands(message: records_pb2.Deal, state: AwaitingDeal, path: str) -> tuple[Masks, int | None]:
    """Return the four hands of a deal as masks, and the card that is turned where the rules turn one.

    Raises:
        ProblemsError: With paths below ``path``.
    """
    rules = state.header.rules
    match message.WhichOneof("source"):
        case "seeded":
            cards = _seeded_deck(message.seeded, state, f"{path}.seeded")
        case "deck":
            cards = decode_deck(message.deck, f"{path}.deck")
        case "hands":
            return decode_dealt_hands(
                message.hands, f"{path}.hands", turns_card=rules.turns_card, dealer=state.next_dealer
            )
        case _:
            raise missing(path, "must have one of seeded, deck and hands")
    masks, last = deal_deck(cards, state.next_dealer, rules.deal_order)
    return masks, last if rules.turns_card else None


def commit(request: pb.CommitDealRequest) -> bytes:
    """Return the commitment to a seed.

    Raises:
        ProblemsError: Something is missing or malformed.
    """
    raise_if_any(
        [
            text_problem("game_id", request.game_id),
            _committed_number_problem(request),
            seed_problem("seed", request.seed),
        ]
    )
    return commitment(request.seed, request.game_id, request.hand_number)


def verify(request: pb.VerifyDealRequest) -> pb.VerifyDealResponse:
    """Return whether a deal was fair, and which half of it was not.

    Raises:
        ProblemsError: Something is missing or malformed.
    """
    hands = decode_card_sets(request.dealt.hands)
    dealt = masks_of_hands(hands)
    turned = request.dealt.turned_card
    raise_if_any(
        [
            text_problem("game_id", request.game_id),
            _hand_number_problem("hand_number", request.hand_number),
            seat_problem("dealer", request.dealer),
            _order_problem(request.deal_order),
            *seeded_problems(request.seeded, "seeded"),
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
    hands_match, turned_matches = dealt == fair_hands, turned in (0, last)
    matches = hands_match and turned_matches
    return pb.VerifyDealResponse(
        fair=committed and matches,
        commitment_matches=committed,
        cards_match=matches,
        message=(
            _TURNED_WRONG
            if committed and hands_match and not turned_matches
            else _message(committed=committed, matches=matches, cut=bool(seeded.cut))
        ),
    )


def _seeded_deck(message: records_pb2.SeededDeal, state: AwaitingDeal, path: str) -> tuple[int, ...]:
    """Return the deck of a seed for the next hand of a game.

    Raises:
        ProblemsError: A length is wrong, the cut or the commitment is missing, or the seed is not the one
            committed to. The seed itself is in no message.
    """
    problems = seeded_problems(message, path)
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


def _hand_number_problem(path: str, number: int) -> Problem | None:
    if 1 <= number <= LAST_NUMBER:
        return None
    reason = ProblemReason.OUT_OF_RANGE if number else ProblemReason.MISSING
    return Problem(path, reason, f"must be 1 to {LAST_NUMBER}", 1, LAST_NUMBER)


def _committed_number_problem(request: pb.CommitDealRequest) -> Problem | None:
    if not request.HasField("hand_number"):
        message = "is required: that of the hand to be dealt, or 0 for the seed of the first dealer"
        return Problem("hand_number", ProblemReason.MISSING, message)
    # Nothing is dealt as hand 0.
    return _hand_number_problem("hand_number", request.hand_number) if request.hand_number else None


def _order_problem(order: int) -> Problem | None:
    if order in tuple(DealOrder):
        return None
    if order:
        return Problem("deal_order", ProblemReason.UNKNOWN_VALUE, f"{order} is no deal order")
    return Problem("deal_order", ProblemReason.MISSING, "take it from the rules of the game")


_TURNED_WRONG = "The seed is the one committed to, and it gives these hands, but another card was turned."


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
