"""The engine's game and the oracle's side by side."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import CARD_OF_TEXT, CARD_TEXT, STRAIN_NAMES, cards_of
from tarneeb_service.engine.derived import derived_of
from tarneeb_service.engine.moves import Bid, Call, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.rules import FIELD_NAMES, RuleSet
from tarneeb_service.engine.state import (
    AwaitingDeal,
    Contract,
    GameOver,
    State,
    calls_of,
    deal_of,
    phase_of,
    play_of,
)
from tests.oracle.referee import Referee
from tests.random_games import Step

STRAINS = [name.replace("-", "_") for name in STRAIN_NAMES]


def oracle_rules(rules: RuleSet) -> dict[str, Any]:
    """A rule set as the oracle writes it."""
    return {name: _plain(name, getattr(rules, name)) for name in FIELD_NAMES}


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, IntEnum):
        return value.name.lower()
    if name == "fixed_trump":
        return None if value is None else STRAINS[value]
    return list(value) if isinstance(value, tuple) else value


def oracle_move(move: Move) -> tuple[Any, ...]:
    match move:
        case Bid(_, tricks, strain):
            return ("bid", tricks, None if strain is None else STRAINS[strain])
        case Pass():
            return ("pass",)
        case Double():
            return ("double",)
        case NameTrump(_, strain):
            return ("trump", STRAINS[strain])
        case PlayCard(_, card):
            return ("card", CARD_TEXT[card])


def names(cards: Sequence[int]) -> list[str]:
    return [CARD_TEXT[card] for card in cards]


def follow(referee: Referee, step: Step) -> None:
    """Make the engine's step at the oracle's table."""
    if step.dealt is not None:
        hands = [names(cards_of(mask)) for mask in step.dealt]
        referee.deal(hands, None if step.turned is None else CARD_TEXT[step.turned])
    elif step.move is not None:
        referee.move(step.move.seat, oracle_move(step.move))


def picture(state: State) -> dict[str, Any]:
    """All that both sides know of a game, in the oracle's words."""
    derived, deal, play = derived_of(state), deal_of(state), play_of(state)
    ended = state.last is not None if isinstance(state, AwaitingDeal) else isinstance(state, GameOver)
    return {
        "phase": phase_of(state).name.lower(),
        "turn": derived.seat_to_act,
        "dealer": None if deal is None else deal.dealer,
        "next_dealer": derived.next_dealer,
        "scores": list(derived.scores),
        "hand_number": 0 if deal is None else deal.number,
        "calls": [_call(call) for call in calls_of(state)],
        "contract": _contract(derived.contract),
        "trump": None if derived.trump is None else STRAINS[derived.trump],
        "opening_leader": derived.opening_leader,
        "played": [] if play is None else names(play.played),
        "trick_winners": list(derived.trick_winners),
        "holdings": _holdings(state),
        "legal": sorted(map(str, map(oracle_move, game.legal_moves(state)))),
        "result": _result(state) if ended else None,
        "winner": None if derived.outcome is None else derived.outcome.winner,
        "loser": None if derived.outcome is None else derived.outcome.loser,
        "winning_seats": [] if derived.outcome is None else list(derived.outcome.winning_seats),
        "win_reason": None if derived.outcome is None else derived.outcome.reason.name.lower(),
    }


def oracle_picture(referee: Referee) -> dict[str, Any]:
    return {
        "phase": referee.phase,
        "turn": referee.turn,
        "dealer": referee.dealer,
        "next_dealer": referee.next_dealer,
        "scores": referee.scores,
        "hand_number": referee.hand_number,
        "calls": referee.calls,
        "contract": referee.contract,
        "trump": referee.trump,
        "opening_leader": referee.opening_leader,
        "played": referee.played,
        "trick_winners": referee.trick_winners,
        "holdings": [sorted(holding) for holding in referee.holdings],
        "legal": sorted(map(str, referee.legal())),
        "result": referee.result,
        "winner": referee.winner,
        "loser": None if referee.winner is None else 1 - referee.winner,
        "winning_seats": referee.winning_seats,
        "win_reason": referee.win_reason,
    }


def _call(call: Call) -> tuple[int, tuple[Any, ...]]:
    return call.seat, oracle_move(call)


def _contract(contract: Contract | None) -> tuple[Any, ...] | None:
    if contract is None:
        return None
    strain = None if contract.strain is None else STRAINS[contract.strain]
    return contract.declarer, contract.tricks, strain, contract.doubled


def _holdings(state: State) -> list[list[str]]:
    deal, play = deal_of(state), play_of(state)
    if deal is None:
        return []
    masks = deal.dealt if play is None else play.holdings
    return [sorted(names(cards_of(mask))) for mask in masks]


def _result(state: State) -> dict[str, Any]:
    result = derived_of(state).result
    assert result is not None
    lines = [
        {
            "side": line.side,
            "bid": line.bid,
            "tricks": line.tricks,
            "points": line.points,
            "made": line.made,
            "rule_ids": list(line.rule_ids),
        }
        for line in result.lines
    ]
    return {"end": result.end.name.lower(), "lines": lines, "offender": result.offender}


def card_of(name: str) -> int:
    return CARD_OF_TEXT[name]
