"""A line says of every card what ``play.playable``, ``play.after`` and ``replay_cards`` say, under any rules."""

import doctest
import random
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tarneeb_service.engine import line as line_module
from tarneeb_service.engine.cards import NO_TRUMP, STRAINS, cards_of, mask_of
from tarneeb_service.engine.line import Line
from tarneeb_service.engine.play import after, playable, trick_winner
from tarneeb_service.engine.presets import presets, resolve
from tarneeb_service.engine.replay import replay_cards
from tarneeb_service.engine.rules import FirstCard, Revoke, RuleSet
from tarneeb_service.engine.state import InPlay, Play
from tests.positions import card, cards
from tests.random_games import states
from tests.scale import SCALE
from tests.strategies import any_rules, seeds


def facts(line: Line) -> dict[str, Any]:
    """All that a line tells, each list as it is now."""
    names = [name for name in Line.__slots__ if not name.startswith("_")]
    return deepcopy({name: getattr(line, name) for name in names})


def taker_so_far(play: Play) -> int:
    """Who takes the trick as it lies; the leader's card, laid again, takes it from nobody."""
    trick = play.trick
    return trick_winner(play.leader, [*trick, *[trick[0]] * 3][:4], play.trump) if trick else play.leader


def assert_same(line: Line, rules: RuleSet, play: Play) -> None:
    assert line.to_play() == play
    assert line.playable == playable(rules, play)
    assert (line.trump, line.leader) == (play.trump, play.leader)
    if line.playable:
        assert line.turn == play.turn
    taker = taker_so_far(play)
    top = play.trick[(taker - play.leader) % 4] if play.trick else 0
    assert (line.taker, line.top) == (taker, top)


def first_play(rules: RuleSet, chance: random.Random) -> Play | None:
    """The start of the first hand that is played; none when all are void."""
    return next((state.play for state in states(rules, chance, hands=5) if isinstance(state, InPlay)), None)


@settings(max_examples=60 * SCALE)
@given(any_rules(), seeds(), st.sampled_from([None, *STRAINS]))
def test_a_line_is_what_the_rules_make_of_it(rules: RuleSet, seed: int, trump: int | None) -> None:
    chance = random.Random(seed)
    play = first_play(rules, chance)
    if play is None:
        return
    if trump is not None:
        # Any strain, whatever the auction came to.
        play = play._replace(trump=trump)
    start, line = play, Line(rules, play)
    while cards_to_play := playable(rules, play):
        assert_same(line, rules, play)
        # A copy, or a line made here, is the line that came here, and goes its own way.
        others = line.copy(), Line(rules, play)
        before = facts(line)
        chosen = chance.choice(cards_of(cards_to_play))
        for other in others:
            assert facts(other) == before
            other.play(chosen)
            assert facts(line) == before
        play = after(play, chosen)
        line.play(chosen)
        for other in others:
            assert facts(other) == facts(line)
            assert other.to_play() == play
    assert_same(line, rules, play)
    assert len(play.played) == 52
    replayed = replay_cards(start.holdings, start.opening_leader, start.trump, line.played)
    assert (replayed.holdings, replayed.winners) == (line.holdings, line.winners)
    assert replayed.wrong is None


def mask(text: str) -> int:
    return mask_of(cards(text))


def test_the_first_card_is_a_trump_where_the_rules_ask_for_it() -> None:
    holdings = (mask("CA S2 S3"), mask("CK C2 S4"), mask("D2 D3 S5"), mask("H2 H3 S6"))
    play = Play((), None, 4, 0, holdings)
    rules = resolve("saharat_classic", {})
    opening = resolve("saharat_classic", {"first_card": FirstCard.TRUMP})
    other = resolve("saharat_classic", {"first_card": FirstCard.ANY})
    assert Line(opening, play).playable == mask("S2 S3")
    assert Line(other, play).playable == holdings[0]
    assert Line(opening, play._replace(trump=NO_TRUMP)).playable == holdings[0]
    line = Line(opening, play)
    for text in ("S2", "S4", "S5", "S6"):
        line.play(card(text))
    assert line.playable == mask("H2 H3")
    assert Line(rules, line.to_play()).playable == mask("H2 H3")


def test_a_suit_is_followed_where_a_revoke_would_forfeit_too() -> None:
    play = Play((), None, 4, 0, (mask("CA"), mask("CK SA"), mask("D2"), mask("H2")))
    for revoke in Revoke:
        line = Line(resolve("saharat_classic", {"revoke": revoke}), play)
        line.play(card("CA"))
        assert line.playable == mask("CK")


def test_trumps_take_plain_suits_and_are_taken_by_higher_ones() -> None:
    holdings = (mask("CA"), mask("S2"), mask("DA"), mask("S3"))
    rules = presets()["saharat_classic"].rules
    takers = {4: [0, 1, 1, 3], 2: [0, 0, 2, 2], NO_TRUMP: [0, 0, 0, 0]}
    for trump, expected in takers.items():
        line = Line(rules, Play((), None, trump, 0, holdings))
        seen = []
        for holding in holdings:
            line.play(cards_of(holding)[0])
            seen.append(line.taker)
        assert seen == expected
        assert line.winners == expected[-1:]
        assert (line.leader, line.playable, line.top) == (expected[-1], 0, 0)


def test_the_example_runs() -> None:
    assert doctest.testmod(line_module).failed == 0
