"""The proof has teeth: each view that shows a little too much is found by comparing twins."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from tarneeb_service.engine import game, views
from tarneeb_service.engine import play as card_play
from tarneeb_service.engine.cards import BIT, SUIT_MASK
from tarneeb_service.engine.position import Derived
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.rules import PastTricks, RuleSet
from tarneeb_service.engine.seats import partner
from tarneeb_service.engine.state import Deal, Play, State, play_of
from tarneeb_service.engine.verdicts import Verdict
from tarneeb_service.engine.views import HandView, View, view
from tarneeb_service.wire import views as wire_views
from tests.trust.hidden import SPECTATOR, situations, twin
from tests.trust.test_views import VIEWERS, assert_looks_the_same

Leak = Callable[[HandView, State, Deal, int], HandView]


def holdings_of(state: State, deal: Deal) -> tuple[int, int, int, int]:
    play = play_of(state)
    return deal.dealt if play is None else play.holdings


def partners_cards(shown: HandView, state: State, deal: Deal, viewer: int) -> HandView:
    if viewer == SPECTATOR:
        return shown
    return replace(shown, holding=shown.holding | holdings_of(state, deal)[partner(viewer)])


def one_card_of_another(shown: HandView, state: State, deal: Deal, viewer: int) -> HandView:
    other = holdings_of(state, deal)[0]
    return replace(shown, holding=shown.holding | other & -other)


def counts_of_spades(shown: HandView, state: State, deal: Deal, viewer: int) -> HandView:
    north, west, south, east = [(hand & SUIT_MASK[4]).bit_count() for hand in holdings_of(state, deal)]
    return replace(shown, holding_counts=(north, west, south, east))


def all_hands_in_play(shown: HandView, state: State, deal: Deal, viewer: int) -> HandView:
    return replace(shown, revealed=deal.dealt)


def every_past_trick(shown: HandView, state: State, deal: Deal, viewer: int) -> HandView:
    play = play_of(state)
    if play is None:
        return shown
    leaders = (play.opening_leader, *play.winners)
    tricks = [
        views.Trick(number + 1, leaders[number], play.played[4 * number : 4 * number + 4], winner)
        for number, winner in enumerate(play.winners)
    ]
    return replace(shown, past_tricks=tuple(tricks))


LEAKS: list[Leak] = [
    partners_cards,
    one_card_of_another,
    counts_of_spades,
    all_hands_in_play,
    every_past_trick,
]


def assert_found(rules: RuleSet) -> None:
    chance = random.Random(1)
    with pytest.raises(AssertionError):
        for _ in range(5):
            for state in situations(rules, chance, hands=1):
                for viewer in VIEWERS:
                    assert_looks_the_same(state, twin(state, viewer, chance), viewer, chance)


def house() -> RuleSet:
    return replace(presets()["saharat_classic"].rules, past_tricks=PastTricks.LAST)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_hand_that_shows_too_much(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = views._hand_view

    def leaky(state: State, deal: Deal, derived: Derived, viewer: int) -> HandView:
        return leak(sound(state, deal, derived, viewer), state, deal, viewer)

    monkeypatch.setattr(views, "_hand_view", leaky)
    assert_found(house())


def test_legal_moves_shown_to_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(state: State, viewer: int) -> View:
        return replace(view(state, viewer), legal_moves=tuple(game.legal_moves(state)))

    monkeypatch.setattr(wire_views, "view", leaky)
    assert_found(house())


def test_a_refusal_that_tells_who_holds_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = card_play.judge_card

    def leaky(rules: RuleSet, play: Play, card: int) -> Verdict | None:
        verdict = sound(rules, play, card)
        if verdict is not None and play.holdings[partner(play.turn)] & BIT[card]:
            return replace(verdict, message="Your partner holds it.")
        return verdict

    monkeypatch.setattr(card_play, "judge_card", leaky)
    assert_found(house())


def test_nothing_is_found_where_nothing_leaks() -> None:
    with pytest.raises(pytest.fail.Exception):
        assert_found(house())
