"""Random games of the engine, held against the oracle after every step.

`TARNEEB_TEST_SCALE` makes the run longer.
"""

import random

import pytest
from hypothesis import example, given

from tarneeb_service.engine.presets import PRESET_IDS, presets, resolve
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.state import AwaitingDeal, GameOver
from tests.engine.mirror import follow, oracle_picture, oracle_rules, picture
from tests.oracle.referee import Referee
from tests.oracle.rule_sets import RULE_SETS
from tests.random_games import steps
from tests.scale import SCALE
from tests.strategies import seeds, sound_rules


def agree(referee: Referee, rules: RuleSet, chance: random.Random, hands: int, wildness: float) -> bool:
    """Play a game on both sides, and say whether it came to its end."""
    over = False
    for step in steps(rules, chance, hands=hands, wildness=wildness):
        if step.before.revision == 0:
            assert isinstance(step.before, AwaitingDeal)
            referee.next_dealer = step.before.next_dealer
            assert picture(step.before) == oracle_picture(referee)
        follow(referee, step)
        assert picture(step.after) == oracle_picture(referee)
        over = isinstance(step.after, GameOver)
    return over


@pytest.mark.parametrize("preset", PRESET_IDS)
@pytest.mark.parametrize("number", range(3 * SCALE))
def test_whole_games(preset: str, number: int) -> None:
    # The oracle's own rules, so that a slip in a preset shows too.
    referee = Referee(RULE_SETS[preset], 0)
    wildness, hands = ((0.02, 300), (0.1, 20), (0.5, 10))[number % 3]
    over = agree(referee, presets()[preset].rules, random.Random(f"{preset} {number}"), hands, wildness)
    # Sensible players bring every rule set to an end.
    assert over or wildness > 0.02


@given(rules=sound_rules(), seed=seeds())
@example(rules=resolve("saharat_classic", {"target": 70}), seed=0)
def test_house_rules(rules: RuleSet, seed: int) -> None:
    agree(Referee(oracle_rules(rules), 0), rules, random.Random(seed), 4, 0.2)
