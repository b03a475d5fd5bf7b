"""Random games under every rule set: the book must always add up."""

import random

import pytest

from tests.oracle.cards import DECK
from tests.oracle.referee import Referee
from tests.oracle.rule_sets import RULE_SETS


def random_hand(referee: Referee, chance: random.Random) -> None:
    """Deal and play a hand with random legal moves."""
    deck = list(DECK)
    chance.shuffle(deck)
    hands = [deck[:13], deck[13:26], deck[26:39], deck[39:]]
    assert referee.next_dealer is not None
    turns = referee.rules["trump"] in ("sister", "turned")
    referee.deal(hands, hands[referee.next_dealer][-1] if turns else None)
    while referee.turn is not None:
        moves = referee.legal()
        assert moves
        assert len(moves) == len(set(moves))
        if referee.phase == "auction":
            # The low bids and the last call: else nearly every auction goes to thirteen.
            moves = moves[: max(1, len(moves) // 4)] + moves[-1:]
        referee.move(referee.turn, chance.choice(moves))


@pytest.mark.parametrize("name", RULE_SETS)
def test_random_games(name: str) -> None:
    chance = random.Random(name)
    for first_dealer in range(4):
        referee = Referee(RULE_SETS[name], first_dealer)
        for number in range(1, 21):
            before = list(referee.scores)
            random_hand(referee, chance)
            assert referee.hand_number == number
            assert referee.result is not None
            if referee.result["end"] == "scored":
                assert sum(line["tricks"] for line in referee.result["lines"]) == 13
                assert sorted(referee.played) == sorted(DECK)
                assert not any(referee.holdings)
            else:
                assert referee.scores == before
            for line in referee.result["lines"]:
                assert referee.scores[line["side"]] == before[line["side"]] + line["points"]
            assert (referee.phase == "game_over") == (referee.winner is not None)
            if referee.winner is not None:
                break
