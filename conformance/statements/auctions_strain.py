"""Auctions with strain, and doubles."""

from itertools import pairwise
from typing import Any

from conformance.statements.follows import still, void, won
from conformance.statements.notation import STRAINS, seat, strain
from conformance.statements.positions import at
from conformance.statements.section import Section

JSON = Any


def with_strain(made: Section) -> None:
    egypt = "jawaker_egyptian"
    every = strained(7, 8, 9, 10, 11, 12, 13)
    made.legal("egypt-first", "A bid names tricks and strain", "A8", at(egypt), f"{every} P")
    title = "The same number in a higher strain beats it"
    made.legal("egypt-hearts", title, "A8", at(egypt, "W:12H"), "12S 12N 13C 13D 13H 13S 13N P X")
    made.legal("egypt-13-nt", "Nothing beats 13 no-trump", "A8", at(egypt, "W:13N"), "P X")
    for index, (low, high) in enumerate(pairwise(STRAINS)):
        title = "Clubs, diamonds, hearts, spades, no-trump: each beats the one before"
        made.accepted(f"egypt-order-{index}", title, "A8", at(egypt, f"W:7{low}"), f"S:7{high}", still("E"))
        above = (
            {"tricks": 7, "strain": strain(STRAINS[index + 2])}
            if index < 3
            else {"tricks": 8, "strain": strain("C")}
        )
        made.refused(
            f"egypt-order-down-{index}",
            "And not the other way",
            "A8",
            at(egypt, f"W:7{high}"),
            f"S:7{low}",
            "BID_TOO_LOW",
            "A8",
            lowest_bid=above,
        )
    made.accepted("egypt-13-open", "13 does not end it", "A9 C31", at(egypt), "W:13S", still("S"))
    title = "13 no-trump over 13 spades"
    made.accepted("egypt-13-beaten", title, "A9 C31", at(egypt, "W:13S"), "S:13N", still("E"))
    title = "After three passes the highest bidder is asked once more"
    made.accepted("egypt-asked", title, "A9 C37", at(egypt, "W:7S S:P E:P"), "N:P", still("W"))
    title = "He may raise himself"
    made.accepted("egypt-raise", title, "A8 A9 C37", at(egypt, "W:7S S:P E:P N:P"), "W:8S", still("S"))
    raised = at(egypt, "W:7S S:P E:P N:P W:8S S:P E:P N:P")
    made.accepted("egypt-four", "Four passes in a row end it", "A9 C37", raised, "W:P", won("W", "8S"))
    title = "A pass is not final"
    made.accepted("egypt-back", title, "A9", at(egypt, "W:P S:7C E:P N:P"), "W:7D", still("S"))
    title = "Four passes before any bid: void"
    made.accepted(
        "egypt-void", title, "A6 A9", at(egypt, "W:P S:P E:P"), "N:P", void("ALL_PASSED", "W", [0, 0])
    )
    made.refused(
        "egypt-below",
        "A lower bid after a higher one",
        "A8 C34",
        at(egypt, "W:9S"),
        "S:7S",
        "BID_TOO_LOW",
        "A8",
        lowest_bid={"tricks": 9, "strain": strain("N")},
    )
    title = "A contract without trump"
    made.accepted("egypt-nt", title, "T2 A9", at(egypt, "W:7N S:P E:P N:P"), "W:P", won("W", "7N"))


def doubles(made: Section) -> None:
    egypt = "jawaker_egyptian"
    fields = {**still("E"), "events": [{"call_made": {"seat": seat("S"), "kind": "CALL_KIND_DOUBLE"}}]}
    made.accepted("double", "A double, like a pass", "A10", at(egypt, "W:7S"), "S:X", fields)
    setup = at(egypt, "W:7S S:X E:P N:P")
    made.accepted(
        "double-stands", "The double counts as a pass", "A10 C35", setup, "W:P", won("W", "7S", doubled=True)
    )
    setup = at(egypt, "W:7S S:X E:8H N:P W:P S:P")
    made.accepted("double-outbid", "Outbid, the double is gone", "A10 C35", setup, "E:P", won("E", "8H"))
    raised = "W:7S S:X E:P N:P W:8S S:P E:P N:P"
    title = "Raised by its holder, the double stays (open)"
    made.accepted("double-raised", title, "A10 C35", at(egypt, raised), "W:P", won("W", "8S", doubled=True))
    title = "A house where the raise shakes it off"
    gone = at(egypt, raised, raised_double="gone")
    made.accepted("double-shaken", title, "A10 C35", gone, "W:P", won("W", "8S"))
    made.legal("double-again", "No second double, no redouble", "A11", at(egypt, "W:13S S:X"), "13N P")
    made.legal("double-holder", "The holder has none", "A11", at(egypt, "W:13S S:X E:P N:P"), "13N P")
    made.legal("double-partner", "Even the partner may (open)", "A11", at(egypt, "W:13N S:P"), "P X")
    opponents: dict[str, JSON] = {"doubling": "opponents"}
    title = "A house where only opponents may"
    made.legal("double-opponents", title, "A11", at(egypt, "W:13N S:P", **opponents), "P")
    made.refused(
        "double-own-side",
        "Not one's own side",
        "A11",
        at(egypt, "W:13N S:P", **opponents),
        "E:X",
        "OWN_BID",
        "A11",
        bid_holder=seat("W"),
    )
    made.legal(
        "double-after-outbid", "The new bid may be doubled", "A11", at(egypt, "W:13C S:X E:13N"), "P X"
    )
    title = "Won back by the doubled player with a higher bid: it is gone"
    back = at(egypt, "W:7S S:X E:8H N:P W:9S S:P E:P N:P")
    made.accepted("double-won-back", title, "A10", back, "W:P", won("W", "9S"))


def strained(*tricks: int, less: int = 0) -> str:
    """Bids with every strain, without the lowest ones."""
    return " ".join([f"{number}{named}" for number in tricks for named in STRAINS][less:])
