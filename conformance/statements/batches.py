"""A batch of different games, some spelled out as a caller's store would hold them."""

from typing import Any

from conformance.runner import card_json, cards_json, move_json
from conformance.statements.notation import call_made, dealt_to_order, held, rule_json
from conformance.statements.positions import Setup, at, oracle_game, position
from conformance.statements.section import Section
from tests.oracle.rule_sets import RULE_SETS

JSON = Any


def stored_game(game_id: str, preset: str, setup: Setup) -> JSON:
    """A game of a preset's own rules as it is stored, from the oracle's book."""
    referee = setup.referee
    assert referee.rules == RULE_SETS[preset]
    known = oracle_game(referee, setup.steps)
    stated = known.pop("hand")
    hand = {
        # No hand of these games has been scored.
        "scores_before": referee.scores,
        "dealt": [{"cards": held(" ".join(hand))} for hand in referee.dealt],
        "turned_card": card_json(referee.turned) if referee.turned else None,
        "calls": [call_made(caller, call) for caller, call in referee.calls],
        "played": cards_json(" ".join(referee.played)),
        **stated,
    }
    return {
        "id": game_id,
        "preset_id": preset,
        "rules": {name: rule_json(name, value) for name, value in RULE_SETS[preset].items()},
        "rules_revision": 1,
        **{name: value for name, value in known.items() if value is not None},
        "hand": {name: value for name, value in hand.items() if value},
    }


def two_games(made: Section) -> None:
    """C155: games of other rules in other phases, item by item; none touches another."""
    first = at("saharat_classic", "W:7")
    syrian = stored_game("second", "saharat_syrian_41", at("saharat_syrian_41", "W:5"))
    hands = dealt_to_order({"N": "S7", "W": "S2 H3 H4"}, {"W": "S"})
    played = stored_game(
        "third", "saharat_400", position("saharat_400", "H", "N", "spade", hands).play("N:S7")
    )
    legal = {"ruling": "RULING_LEGAL"}

    def no(reason: str, rule: str, **parameters: JSON) -> JSON:
        return {
            "ruling": "RULING_REFUSED",
            "reason": f"REFUSAL_REASON_{reason}",
            "rule_id": rule,
            **parameters,
        }

    # The same moves, to be judged otherwise in the one game than in the other.
    rows: tuple[tuple[JSON, str, JSON], ...] = (
        ("$game", "S:8", legal),
        (syrian, "S:2", legal),
        (
            "$game",
            "S:2",
            no("BID_OUT_OF_RANGE", "A1", lowest_bid={"tricks": 8}, highest_bid=13, may_pass=True),
        ),
        (syrian, "S:P", no("PASS_NOT_ALLOWED", "A12", lowest_bid={"tricks": 2}, highest_bid=13)),
        (
            played,
            "W:H3",
            no("MUST_FOLLOW_SUIT", "C5", led_suit="SUIT_SPADES", playable_cards=[card_json("S2")]),
        ),
        ("$game", "S:P", legal),
        (played, "W:S2", legal),
        (played, "S:8", no("WRONG_PHASE", "P2", phase="PHASE_PLAY")),
        ("$game", "S:8", legal),
    )
    made.add(
        "batch-two-games",
        "Three games of other rules in turns: each item is judged by its own game",
        "C155 C32",
        "ValidateMoves",
        {"items": [{"game": game, "move": move_json(move)} for game, move, _ in rows]},
        {"response": {"results": [{"verdict": verdict} for _, _, verdict in rows]}},
        first,
        repeat=3,
    )
    for name, game, viewer in (("second", syrian, "VIEWER_SOUTH"), ("third", played, "VIEWER_WEST")):
        made.add(
            f"batch-{name}-valid",
            f"The {name} game of that batch by itself: consistent",
            "C155",
            "ValidateGame",
            {"game": game},
            {"response": {}},
        )
        fields = {"views[0].id": name, "views[0].viewer": viewer, "views[0].revision": game["revision"]}
        request = {"game": game, "viewers": [viewer]}
        title = f"And seen by itself ({name})"
        made.add(f"batch-{name}-view", title, "C155", "ViewGame", request, {"fields": fields})
