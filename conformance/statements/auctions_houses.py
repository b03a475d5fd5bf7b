"""Auctions of houses that combine options: a forced bid with open passes, barred bids that come next."""

from typing import Any

from conformance.statements.follows import still, void, won
from conformance.statements.notation import BIDS_7, CLASSIC, EGYPT, seat, strain
from conformance.statements.positions import at
from conformance.statements.section import Section

JSON = Any


def open_passes(made: Section) -> None:
    """Four passes end an auction with open passing, also where trump is named afterwards."""
    rules: dict[str, JSON] = {"passing": "open"}
    setup = at(CLASSIC, "W:P S:7 E:P N:P", **rules)
    made.legal("open-back", "With open passes who passed may bid", "A9", setup, "8 9 10 11 12 13 P")
    fields = still("S")
    made.accepted("open-three", "Three passes: the highest bidder is asked again", "A9", setup, "W:P", fields)
    setup.play("W:P")
    made.accepted("open-four", "The fourth ends it, and he names trump", "A9 A7", setup, "S:P", won("S", "7"))
    made.accepted("open-raise", "Or he raises himself, and it goes on", "A9 A8", setup, "S:8", still("E"))
    setup = at(CLASSIC, "W:P S:P E:P", **rules)
    made.accepted(
        "open-void", "Four passes and no bid: void", "A9 A6", setup, "N:P", void("ALL_PASSED", "W", [0, 0])
    )
    made.accepted(
        "open-13",
        "13 ends it where the house has not said otherwise",
        "A4",
        at(CLASSIC, **rules),
        "W:13",
        won("W", "13"),
    )


def forced_with_open_passes(made: Section) -> None:
    """A6 does not ask who is out, but whether this would be the fourth pass."""
    egypt: dict[str, JSON] = {"all_pass": "last_must_bid"}
    setup = at(EGYPT, "W:P S:P E:P", **egypt)
    every = " ".join(f"{tricks}{letter}" for tricks in range(7, 14) for letter in "CDHSN")
    made.legal(
        "forced-open-legal", "The fourth must bid where passes stay open, too", "A6 A9 C29", setup, every
    )
    made.refused(
        "forced-open-pass",
        "The fourth pass is refused where passes stay open, too",
        "A6 A9 C29",
        setup,
        "N:P",
        "PASS_NOT_ALLOWED",
        "A6",
        lowest_bid={"tricks": 7, "strain": strain("C")},
    )
    made.refused(
        "forced-open-double",
        "Nor is there anything to double",
        "A11 A6",
        setup,
        "N:X",
        "NOTHING_TO_DOUBLE",
        "A11",
    )
    made.accepted(
        "forced-open-bid", "He bids, and the first is asked again", "A6 A9", setup, "N:7C", still("W")
    )
    setup.play("N:7C W:P S:P E:P")
    made.accepted("forced-open-own", "His own later pass is free", "A6 A9", setup, "N:P", won("N", "7C"))
    title = "The third pass is nobody's last chance"
    made.accepted("forced-open-third", title, "A6 A9", at(EGYPT, "W:P S:P", **egypt), "E:P", still("N"))
    both: dict[str, JSON] = {"all_pass": "last_must_bid", "passing": "open"}
    setup = at(CLASSIC, "W:P S:P E:P", **both)
    made.legal(
        "forced-open-named", "The same where trump is named", "A6 A9 C29", setup, BIDS_7.removesuffix(" P")
    )
    made.refused(
        "forced-open-named-pass",
        "And the pass is refused",
        "A6 A9 C29",
        setup,
        "N:P",
        "PASS_NOT_ALLOWED",
        "A6",
        lowest_bid={"tricks": 7},
    )
    zone = at("cardgames_zone", "W:P S:P E:P", all_pass="last_must_bid")
    made.refused(
        "forced-zone-pass",
        "One call each, and the last must bid",
        "A5 A6 C29",
        zone,
        "N:P",
        "PASS_NOT_ALLOWED",
        "A6",
        lowest_bid={"tricks": 7},
    )


def barred_next(made: Section) -> None:
    """The lowest bid that is named is never a barred one."""

    def lowest(tricks: int, letter: str = "") -> JSON:
        return {"tricks": tricks, **({"strain": strain(letter)} if letter else {})}

    two: dict[str, JSON] = {"barred_bids": [8, 9]}
    setup = at(CLASSIC, "W:7", **two)
    made.refused(
        "barred-low",
        "Too low, and the next two are barred: the lowest is beyond them",
        "A1 A12",
        setup,
        "S:7",
        "BID_TOO_LOW",
        "A1",
        lowest_bid=lowest(10),
    )
    made.refused(
        "barred-second",
        "The second barred bid names the lowest beyond both",
        "A12",
        setup,
        "S:9",
        "BID_BARRED",
        "A12",
        lowest_bid=lowest(10),
        barred_bids=[8, 9],
    )
    made.refused(
        "barred-range",
        "Out of range, and the next are barred",
        "A1 A12",
        setup,
        "S:14",
        "BID_OUT_OF_RANGE",
        "A1",
        lowest_bid=lowest(10),
        highest_bid=13,
    )
    first: dict[str, JSON] = {"barred_bids": [7]}
    made.legal(
        "barred-first", "The lowest bid of all barred", "A12", at(CLASSIC, **first), "8 9 10 11 12 13 P"
    )
    made.refused(
        "barred-first-bid",
        "The lowest bid of all barred: eight is the lowest",
        "A12",
        at(CLASSIC, **first),
        "W:7",
        "BID_BARRED",
        "A12",
        lowest_bid=lowest(8),
        barred_bids=[7],
    )
    made.refused(
        "barred-forced",
        "Who must bid is not told a barred number",
        "A6 A12",
        at(CLASSIC, "W:P S:P E:P", all_pass="last_must_bid", **first),
        "N:P",
        "PASS_NOT_ALLOWED",
        "A6",
        lowest_bid=lowest(8),
    )
    setup = at(EGYPT, "W:7N", barred_bids=[8])
    made.refused(
        "barred-strain",
        "After seven no-trump, eight barred: nine clubs",
        "A8 A12",
        setup,
        "S:7N",
        "BID_TOO_LOW",
        "A8",
        lowest_bid=lowest(9, "C"),
    )
    made.refused(
        "barred-strain-bid",
        "A barred number is barred in every strain",
        "A8 A12",
        setup,
        "S:8S",
        "BID_BARRED",
        "A12",
        lowest_bid=lowest(9, "C"),
        barred_bids=[8],
    )
    nines = " ".join(f"{tricks}{letter}" for tricks in range(9, 14) for letter in "CDHSN")
    made.legal("barred-strain-legal", "And what is left", "A8 A12", setup, f"{nines} P X")
    own: dict[str, JSON] = {"barred_bids": [4]}
    setup = at("saharat_400", scores=[0, 40, 0, 0], **own)
    for slug, move, reason, rule in (
        ("low", "W:3", "BID_TOO_LOW", "A13"),
        ("pass", "W:P", "PASS_NOT_ALLOWED", "A12"),
    ):
        made.refused(
            f"barred-own-{slug}",
            f"The own minimum is barred: five is the lowest ({slug})",
            "A12 A13",
            setup,
            move,
            reason,
            rule,
            lowest_bid=lowest(5),
        )
    made.refused(
        "barred-own-bid",
        "The own minimum itself",
        "A12 A13",
        setup,
        "W:4",
        "BID_BARRED",
        "A12",
        lowest_bid=lowest(5),
        barred_bids=[4],
    )
    setup = at("saharat_syrian_41", barred_bids=[2, 3])
    made.refused(
        "barred-41",
        "Two and three barred in 41: four is the lowest",
        "A12",
        setup,
        "W:P",
        "PASS_NOT_ALLOWED",
        "A12",
        lowest_bid=lowest(4),
    )
    fields = {"game.seat_to_act": seat("S"), "game.phase": "PHASE_AUCTION"}
    made.accepted("barred-41-four", "And four may be bid", "A12", setup, "W:4", fields)
