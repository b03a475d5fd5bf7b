"""The quick way to read a hand and the plain way give the same, whatever the hand is."""

from collections.abc import Callable
from typing import Any

import pytest

from bench.positions import RULE_SETS, mid_hand
from tarneeb.v1 import game_pb2
from tarneeb_service.wire import encode, hands

Change = Callable[[Any], object]

CHANGES: dict[str, Change] = {
    "nothing": lambda hand: None,
    "no cards dealt": lambda hand: hand.ClearField("dealt"),
    "three seats": lambda hand: hand.dealt.pop(),
    "twelve cards": lambda hand: hand.dealt[1].cards.pop(),
    "fourteen cards": lambda hand: hand.dealt[1].cards.append(78),
    "a number of two bytes": lambda hand: hand.dealt[0].cards.__setitem__(0, 200),
    "twelve cards in thirteen bytes": lambda hand: (
        hand.dealt[0].cards.pop(),
        hand.dealt[0].cards.__setitem__(0, 200),
    ),
    "a card below zero": lambda hand: hand.played.append(-1),
    "a played card of two bytes": lambda hand: hand.played.append(300),
    "no card": lambda hand: hand.played.append(0),
    "a winner of zero": lambda hand: hand.trick_winners.append(0),
    "a winner of two bytes": lambda hand: hand.trick_winners.append(128),
    "an unknown call": lambda hand: hand.calls.add(seat=9, kind=7, tricks=200, strain=6),
    "a call below zero": lambda hand: hand.calls.add(seat=-1),
    "an empty call": lambda hand: hand.calls.add(),
    "an empty contract": lambda hand: (hand.ClearField("contract"), hand.contract.SetInParent()),
    "a large contract": lambda hand: hand.contract.MergeFrom(
        game_pb2.Contract(tricks=2**32 - 1, strain=-5, declarer=-1)  # type: ignore[arg-type]
    ),
    "odd enums": lambda hand: hand.MergeFrom(game_pb2.Hand(trump=-3, opening_leader=99, turned_card=1000)),  # type: ignore[arg-type]
    "odd scores": lambda hand: hand.scores_before.append(-(2**31)),
    "a result": lambda hand: hand.result.lines.add(bid=3, points=-3),
    "a field of a later release": lambda hand: hand.MergeFromString(b"\xa2\x06\x03new"),
    "a card set of a later release": lambda hand: hand.dealt[3].MergeFromString(b"\xa2\x06\x03new"),
    "unpacked lists": lambda hand: hand.MergeFromString(b"\x40\x12\x40\x13\x48\x01"),
}


@pytest.mark.parametrize("rule_set", RULE_SETS)
@pytest.mark.parametrize("change", CHANGES)
def test_both_ways_give_the_same(rule_set: str, change: str) -> None:
    state = mid_hand(rule_set, played=6)
    hand = encode.game(state).hand
    CHANGES[change](hand)
    individual = state.header.rules.individual
    position, derived = hands.read_hand(hand, individual)
    plain, plain_derived = hands.read_plainly(hand, individual)
    assert [tuple(dealt) for dealt in position.dealt] == [tuple(dealt) for dealt in plain.dealt]
    for name in ("scores_before", "turned", "calls", "played"):
        assert getattr(position, name) == getattr(plain, name)
    assert derived == plain_derived


def test_a_sound_hand_is_read_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "read_plainly", None)
    for rule_set in RULE_SETS:
        state = mid_hand(rule_set)
        hands.read_hand(encode.game(state).hand, state.header.rules.individual)
