"""What follows a call: the answer's fields where it is accepted, what may be called instead where it is refused."""

from typing import Any

from conformance.statements.notation import AUCTION, AWAITING, NAMING, PLAY, STRAINS, contract, seat, strain
from conformance.statements.positions import SUIT_NAMES

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


CALL_REASONS = (
    "PASS_NOT_ALLOWED",
    "DOUBLE_NOT_ALLOWED",
    "STRAIN_MISSING",
    "STRAIN_NOT_ALLOWED",
    "BID_OUT_OF_RANGE",
    "BID_BARRED",
    "BID_TOO_LOW",
    "NOTHING_TO_DOUBLE",
    "OWN_BID",
    "ALREADY_DOUBLED",
)


def instead(legal: list[tuple[Any, ...]]) -> dict[str, JSON]:
    """The parameters of every refused call of a seat that may make these calls, by the oracle."""
    found: dict[str, JSON] = {}
    bids = [call for call in legal if call[0] == "bid"]
    if bids:
        _, tricks, suit = bids[0]
        letter = next((letter for letter, name in SUIT_NAMES.items() if name == suit), None)
        found["lowest_bid"] = {"tricks": tricks, **({} if letter is None else {"strain": strain(letter)})}
        found["highest_bid"] = bids[-1][1]
        barred = sorted({*range(tricks, bids[-1][1])} - {bid[1] for bid in bids})
        if barred:
            found["barred_bids"] = barred
    if ("pass",) in legal:
        found["may_pass"] = True
    return found
