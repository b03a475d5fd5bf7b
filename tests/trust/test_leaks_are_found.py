"""The proof has teeth: each view that shows a little too much is found by comparing twins."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tarneeb_service.engine import game, views
from tarneeb_service.engine import play as card_play
from tarneeb_service.engine.cards import BIT, SUIT_MASK
from tarneeb_service.engine.check import check
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.problems import Problem, ProblemsError
from tarneeb_service.engine.rules import PastTricks, RuleSet
from tarneeb_service.engine.seats import partner
from tarneeb_service.engine.snapshot import Snapshot
from tarneeb_service.engine.state import Deal, Play, State, deal_of, play_of
from tarneeb_service.engine.verdicts import Verdict
from tarneeb_service.engine.views import Public, Revealed, Trick, View
from tarneeb_service.rpc import games, methods
from tests.trust.hidden import SPECTATOR, situations, twin
from tests.trust.test_views import VIEWERS, assert_looks_the_same
from tests.trust.wrong import REQUESTS

Leak = Callable[[View, State, Deal], View]


def holdings_of(state: State, deal: Deal) -> tuple[int, int, int, int]:
    play = play_of(state)
    return deal.dealt if play is None else play.holdings


def with_hand(shown: View, **changes: Any) -> View:
    assert shown.public.hand is not None
    return shown._replace(public=shown.public._replace(hand=shown.public.hand._replace(**changes)))


def partners_cards(shown: View, state: State, deal: Deal) -> View:
    if shown.viewer == SPECTATOR:
        return shown
    return shown._replace(holding=shown.holding | holdings_of(state, deal)[partner(shown.viewer)])


def one_card_of_another(shown: View, state: State, deal: Deal) -> View:
    other = holdings_of(state, deal)[0]
    return shown._replace(holding=shown.holding | other & -other)


def counts_of_spades(shown: View, state: State, deal: Deal) -> View:
    north, west, south, east = [(hand & SUIT_MASK[4]).bit_count() for hand in holdings_of(state, deal)]
    return with_hand(shown, holding_counts=(north, west, south, east))


def all_hands_in_play(shown: View, _state: State, deal: Deal) -> View:
    return shown._replace(revealed=Revealed((), deal.dealt))


def every_past_trick(shown: View, state: State, _deal: Deal) -> View:
    play = play_of(state)
    if play is None:
        return shown
    leaders = (play.opening_leader, *play.winners)
    tricks = [
        views.Trick(number + 1, leaders[number], play.played[4 * number : 4 * number + 4], winner)
        for number, winner in enumerate(play.winners)
    ]
    return with_hand(shown, past_tricks=tuple(tricks))


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
    sound = views._view

    def leaky(state: State, viewer: int, public: Public, tricks: list[Trick]) -> View:
        shown, deal = sound(state, viewer, public, tricks), deal_of(state)
        return shown if deal is None else leak(shown, state, deal)

    monkeypatch.setattr(views, "_view", leaky)
    assert_found(house())


def test_legal_moves_shown_to_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = views._view

    def leaky(state: State, viewer: int, public: Public, tricks: list[Trick]) -> View:
        return sound(state, viewer, public, tricks)._replace(legal_moves=tuple(game.legal_moves(state)))

    monkeypatch.setattr(views, "_view", leaky)
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


def lowest_of(game: Any) -> int:
    """A little of what three of four may not know: a card that North was dealt."""
    return min([card for hand in game.hand.dealt[:1] for card in hand.cards], default=0)


def in_first_event(answer: Any, card: int) -> None:
    if answer.events:
        answer.events[0].hand_dealt.hand_number = card


def in_last_event(answer: Any, card: int) -> None:
    answer.events.add().card_played.card = card


def in_views(answer: Any, card: int) -> None:
    for shown in answer.views:
        shown.hand.trick_counts[0] = card


def in_verdict(answer: Any, card: int) -> None:
    answer.verdict.game_revision = card


def in_moves(answer: Any, card: int) -> None:
    answer.moves.add(card=card)


def in_results(answer: Any, card: int) -> None:
    for result in answer.results:
        result.verdict.game_revision = card


@pytest.mark.parametrize(
    "method, spoil",
    [
        ("deal_hand", in_first_event),
        ("deal_hand", in_views),
        ("apply_move", in_first_event),
        ("apply_move", in_last_event),
        ("apply_move", in_views),
        ("apply_move", in_verdict),
        ("validate_move", in_verdict),
        ("validate_moves", in_results),
        ("list_legal_moves", in_moves),
    ],
)
def test_an_answer_that_tells_of_a_card(
    method: str, spoil: Callable[[Any, int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In numbers of any kind, and of one method alone."""
    sound = getattr(methods, method)

    def leaky(request: Any, *more: Any) -> Any:
        answer = type(response := sound(request, *more)).FromString(response.SerializeToString())
        about = request.items[0] if method == "validate_moves" else request
        spoil(answer, lowest_of(answer.game if method == "deal_hand" else about.game))
        return answer

    monkeypatch.setattr(methods, method, leaky)
    assert_found(house())


@pytest.mark.parametrize("method", REQUESTS)
def test_an_error_that_tells_of_a_card(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one method alone, whether it is raised or answered."""
    sound = getattr(methods, method)

    def leaky(request: Any, *more: Any) -> Any:
        asked = request.items[0] if method == "validate_moves" else request
        card = lowest_of(asked.game)
        try:
            answer = sound(request, *more)
        except ProblemsError as error:
            raise ProblemsError([telling(problem, card) for problem in error.problems]) from None
        found = answer.results[0].problems if method == "validate_moves" else answer
        for problem in getattr(found, "problems", []):
            problem.message += str(card)
        return answer

    monkeypatch.setattr(methods, method, leaky)
    assert_found(house())


@pytest.mark.parametrize("path", ["scores", "hand.turned_card", "hand.trump", "hand.result"])
def test_a_problem_that_tells_of_a_card(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In what is said of one field alone."""

    def leaky(position: Snapshot) -> State:
        try:
            return check(position)
        except ProblemsError as error:
            card = (
                0
                if position.hand is None
                else min([card for hand in position.hand.dealt[:1] for card in hand], default=0)
            )
            raise ProblemsError(
                [
                    telling(problem, card) if problem.path.startswith(path) else problem
                    for problem in error.problems
                ]
            ) from None

    monkeypatch.setattr(games, "check", leaky)
    assert_found(house())


def telling(problem: Problem, card: int) -> Problem:
    return replace(problem, message=f"{problem.message} {card}")


def test_nothing_is_found_where_nothing_leaks() -> None:
    with pytest.raises(pytest.fail.Exception):
        assert_found(house())
