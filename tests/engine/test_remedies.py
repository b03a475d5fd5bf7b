"""What the sentence of a refused call says would do is accepted."""

import random
import re

from hypothesis import given, settings

from tarneeb_service.engine import game
from tarneeb_service.engine.moves import Bid, Double, Move, Pass
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.state import InAuction
from tarneeb_service.engine.verdicts import Verdict
from tests.random_games import any_moves, states
from tests.scale import SCALE
from tests.strategies import any_rules, seeds

LOWEST = re.compile(r"(\d+)(NT|[CDHS])? or (?:more|another)")
STRAINS = {"C": 1, "D": 2, "H": 3, "S": 4, "NT": 5, None: None}


def remedies(state: InAuction, verdict: Verdict) -> list[Move]:
    """The calls that a sentence says would do."""
    seat, sentence = state.bidding.turn, verdict.message
    found: list[Move] = []
    if (named := LOWEST.search(sentence)) is not None:
        found.append(Bid(seat, int(named[1]), STRAINS[named[2]]))
    elif re.search(r"\bbid\b[^:]*\.$", sentence):
        # Any bid: the lowest there is.
        found += [move for move in game.legal_moves(state) if isinstance(move, Bid)][:1]
        assert found, sentence
    if re.search(r"\bpass\.$", sentence):
        found.append(Pass(seat))
    return found


@settings(max_examples=60 * SCALE)
@given(any_rules(), seeds())
def test_what_a_refused_call_is_told_is_accepted(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    for state in states(rules, chance, hands=3, wildness=0.4):
        if not isinstance(state, InAuction):
            continue
        seat = state.bidding.turn
        calls = [move for move in any_moves(state, chance, 60) if isinstance(move, Bid | Pass | Double)]
        for call in calls:
            if call.seat != seat:
                continue
            verdict = game.judge(state, call)
            if verdict.accepted or "STRAIN" in getattr(verdict.reason, "name", ""):
                continue
            told = remedies(state, verdict)
            assert told, verdict.message
            for move in told:
                assert game.judge(state, move).accepted, (verdict.message, move)
