"""Views: ``views.proto``."""

from collections.abc import Sequence
from typing import Protocol

from tarneeb.v1 import views_pb2
from tarneeb_service.engine.cards import cards_of
from tarneeb_service.engine.derived import Derived
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.engine.views import VIEWERS, Public, PublicHand, Trick, View
from tarneeb_service.wire.cards import encode_card, encode_card_sets, encode_cards, encode_seat, encode_strain
from tarneeb_service.wire.game import encode_contract, encode_outcome, encode_phase, encode_result
from tarneeb_service.wire.moves import encode_call_made, encode_move
from tarneeb_service.wire.problems import raise_if_any
from tarneeb_service.wire.rules import encode_rules


class Views(Protocol):
    """The views of an answer, a list that makes its own items."""

    def add(self) -> views_pb2.GameView:
        """Add an empty view, and return it."""


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


def put_views(messages: Views, shown: Sequence[View], *, omit_rules: bool = False) -> None:
    """Add what some viewers may know of one game to an answer, with or without the rules."""
    if not shown:
        return
    # What everybody may know is written once: to read its bytes takes a fifth of setting every field.
    public = _encode_public(shown[0].public, omit_rules=omit_rules).SerializeToString()
    for view in shown:
        message = messages.add()
        message.MergeFromString(public)
        _add_own(message, view)


def encode_view(view: View, *, omit_rules: bool = False) -> views_pb2.GameView:
    """Return what one viewer may know, with or without the rules."""
    message = _encode_public(view.public, omit_rules=omit_rules)
    _add_own(message, view)
    return message


def _add_own(message: views_pb2.GameView, view: View) -> None:
    message.viewer = views_pb2.Viewer.ValueType(view.viewer + 1)
    message.legal_moves.extend([encode_move(move) for move in view.legal_moves])
    if view.holding:
        message.hand.holding.extend(encode_cards(cards_of(view.holding)))
    if view.revealed is not None:
        del message.hand.past_tricks[:]
        message.hand.past_tricks.extend([_encode_trick(trick) for trick in view.revealed.tricks])
        message.hand.revealed.extend(encode_card_sets(view.revealed.dealt))


def _encode_public(public: Public, *, omit_rules: bool) -> views_pb2.GameView:
    header, derived = public.header, public.derived
    return views_pb2.GameView(
        id=header.id,
        preset_id=header.preset_id,
        rules=None if omit_rules else encode_rules(header.rules),
        revision=public.revision,
        scores=derived.scores,
        hand_number=public.hand_number,
        dealer=encode_seat(public.dealer),
        next_dealer=encode_seat(derived.next_dealer),
        phase=encode_phase(derived.phase),
        seat_to_act=encode_seat(derived.seat_to_act),
        outcome=None if derived.outcome is None else encode_outcome(derived.outcome),
        hand=None if public.hand is None else _encode_hand(public.hand, derived),
        cutter=encode_seat(public.cutter),
        rules_revision=RULES_REVISION,
    )


def _encode_hand(hand: PublicHand, derived: Derived) -> views_pb2.HandView:
    return views_pb2.HandView(
        holding_counts=hand.holding_counts,
        turned_card=encode_card(hand.turned),
        calls=[encode_call_made(call) for call in hand.calls],
        contract=None if derived.contract is None else encode_contract(derived.contract),
        trump=encode_strain(derived.trump),
        opening_leader=encode_seat(derived.opening_leader),
        trick=None if hand.trick is None else _encode_trick(hand.trick),
        past_tricks=[_encode_trick(trick) for trick in hand.past_tricks],
        trick_counts=hand.trick_counts,
        result=None if derived.result is None else encode_result(derived.result),
    )


def _encode_trick(trick: Trick) -> views_pb2.Trick:
    return views_pb2.Trick(
        number=trick.number,
        leader=encode_seat(trick.leader),
        cards=encode_cards(trick.cards),
        winner=encode_seat(trick.winner),
    )
