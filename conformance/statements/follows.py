"""What follows a call that is accepted: the fields of the answer."""

from typing import Any

from conformance.statements.notation import AUCTION, AWAITING, NAMING, PLAY, STRAINS, contract, seat, strain

JSON = Any


def won(declarer: str, bid: str, *, doubled: bool = False) -> dict[str, JSON]:
    """What follows when the last call of a trump-in-bid or named auction wins it."""
    fields: dict[str, JSON] = {
        "game.seat_to_act": seat(declarer),
        "game.hand.contract": contract(declarer, bid, doubled=doubled),
        "events[1]": {"auction_won": contract(declarer, bid, doubled=doubled)},
        "events[2]": None,
    }
    if bid[-1] in STRAINS:
        return {"game.phase": PLAY, "game.hand.trump": strain(bid[-1]), **fields}
    return {"game.phase": NAMING, "game.hand.trump": None, **fields}


def still(turn: str) -> dict[str, JSON]:
    """What follows when the auction goes on."""
    return {
        "game.phase": AUCTION,
        "game.seat_to_act": seat(turn),
        "game.hand.contract": None,
        "events[1]": None,
    }


def void(end: str, next_dealer: str, scores: list[int]) -> dict[str, JSON]:
    """What follows when a hand is thrown in."""
    return {
        "game.phase": AWAITING,
        "game.next_dealer": seat(next_dealer),
        "game.seat_to_act": None,
        "game.scores": scores,
        "game.hand.contract": None,
        "game.hand.result": {"end": f"HAND_END_{end}"},
        "game.hand.opening_leader": None,
        "game.outcome": None,
        "events[1]": {
            "hand_ended": {"hand_number": 1, "result": {"end": f"HAND_END_{end}"}, "scores": scores}
        },
        "events[2]": None,
    }
