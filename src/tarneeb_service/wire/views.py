"""Views on the wire."""

from collections.abc import Sequence

from tarneeb.v1 import cards_pb2, views_pb2
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.position import Derived
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.state import State
from tarneeb_service.engine.views import VIEWERS, HandView, Trick, View, view
from tarneeb_service.wire import encode
from tarneeb_service.wire.problems import raise_if_any
from tarneeb_service.wire.rules import encode_rules


def decode_viewers(viewers: Sequence[int]) -> list[int]:
    """Return viewers, 0 to 4, in the order asked for.

    Raises:
        ProblemsError: A number is no viewer, or stands twice; paths below ``viewers``.
    """
    problems = []
    for index, number in enumerate(viewers[: len(VIEWERS) + 1]):
        place = f"viewers[{index}]"
        if number - 1 not in VIEWERS:
            problems.append(Problem(place, ProblemReason.UNKNOWN_VALUE, f"{number} is no viewer"))
        elif number in viewers[:index]:
            problems.append(Problem(place, ProblemReason.DUPLICATE, "each viewer once"))
    raise_if_any(problems)
    return [number - 1 for number in viewers]


def encode_views(state: State, viewers: Sequence[int]) -> list[views_pb2.GameView]:
    """Return the view of each viewer."""
    return [_encode_view(view(state, viewer)) for viewer in viewers]


def _encode_view(value: View) -> views_pb2.GameView:
    header, derived = value.header, value.derived
    return views_pb2.GameView(
        viewer=views_pb2.Viewer.ValueType(value.viewer + 1),
        id=header.id,
        preset_id=header.preset_id,
        rules=encode_rules(header.rules),
        revision=value.revision,
        scores=derived.scores,
        hand_number=value.hand_number,
        dealer=encode.seat(value.dealer),
        next_dealer=encode.seat(derived.next_dealer),
        phase=encode.phase(derived.phase),
        seat_to_act=encode.seat(derived.seat_to_act),
        outcome=None if derived.outcome is None else encode.outcome(derived.outcome),
        hand=None if value.hand is None else _encode_hand(value.hand, derived),
        legal_moves=[encode.move(move) for move in value.legal_moves],
    )


def _encode_hand(hand: HandView, derived: Derived) -> views_pb2.HandView:
    revealed = hand.revealed or ()
    return views_pb2.HandView(
        holding=encode.cards(cards_of(hand.holding)),
        holding_counts=hand.holding_counts,
        turned_card=encode.card(hand.turned),
        calls=[encode.call_made(call) for call in hand.calls],
        contract=None if derived.contract is None else encode.contract(derived.contract),
        trump=encode.strain(derived.trump),
        opening_leader=encode.seat(derived.opening_leader),
        trick=None if hand.trick is None else _encode_trick(hand.trick),
        past_tricks=[_encode_trick(trick) for trick in hand.past_tricks],
        trick_counts=hand.trick_counts,
        result=None if derived.result is None else encode.result(derived.result),
        revealed=[cards_pb2.CardSet(cards=encode.cards(cards_of(dealt))) for dealt in revealed],
    )


def _encode_trick(trick: Trick) -> views_pb2.Trick:
    return views_pb2.Trick(
        number=trick.number,
        leader=encode.seat(trick.leader),
        cards=encode.cards(trick.cards),
        winner=encode.seat(trick.winner),
    )
