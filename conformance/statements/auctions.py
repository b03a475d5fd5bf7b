"""Auctions: who may call what, when it is over, and what comes of it."""

from typing import Any

from conformance.statements import auctions_houses, auctions_individual, auctions_strain
from conformance.statements.follows import still, void, won
from conformance.statements.notation import BIDS_7, PLAY, seat, strain
from conformance.statements.positions import at
from conformance.statements.section import Section

JSON = Any
THREE = ("saharat_classic", "jawaker_classic", "tarneeb_wikipedia")


def section() -> Section:
    made = Section("auctions", "Auctions: who may call what, when it is over, and what comes of it.")
    _classic(made)
    _classic_options(made)
    _one_call_each(made)
    auctions_strain.with_strain(made)
    auctions_strain.doubles(made)
    auctions_individual.individual(made)
    auctions_individual.four_hundred(made)
    auctions_houses.open_passes(made)
    auctions_houses.forced_with_open_passes(made)
    auctions_houses.barred_next(made)
    return made


def _classic(made: Section) -> None:
    for preset in THREE:
        name = preset.replace("_", "-")
        made.legal(f"{name}-first", f"The dealer's right opens ({preset})", "A1 C2", at(preset), BIDS_7)
        made.legal(f"{name}-after-9", "A bid must beat the last", "A1", at(preset, "W:9"), "10 11 12 13 P")
        made.legal(f"{name}-after-passes", "Passes bind nobody", "A1", at(preset, "W:P S:P E:P"), BIDS_7)
        title = f"Four passes: void, the next dealer deals ({preset})"
        made.accepted(
            f"{name}-four-passes",
            title,
            "A6 C28 C127",
            at(preset, "W:P S:P E:P"),
            "N:P",
            void("ALL_PASSED", "W", [0, 0]),
        )
        title = f"Three passes, then a bid: it is over ({preset})"
        made.accepted(f"{name}-last-bids", title, "A3 C20", at(preset, "W:P S:P E:P"), "N:7", won("N", "7"))
        title = f"A bid of 13 ends it at once ({preset})"
        made.accepted(f"{name}-13", title, "A4 C31", at(preset), "W:13", won("W", "13"))
    classic = "saharat_classic"
    title = "Who passed is skipped"
    made.accepted("skip-passed", title, "A2 C22", at(classic, "W:7 S:P E:8"), "N:P", still("W"))
    title = "All but one have passed"
    made.accepted("last-but-one", title, "A3 C22", at(classic, "W:7 S:P E:8 N:P"), "W:P", won("E", "8"))
    title = "A new bid calls nobody back"
    made.accepted("no-way-back", title, "A2 C23", at(classic, "W:7 S:P E:8 N:P"), "W:9", still("E"))
    made.refused(
        "passed-bids",
        "Who passed is out",
        "A2 C23",
        at(classic, "W:7 S:P E:8 N:P W:9"),
        "S:10",
        "ALREADY_PASSED",
        "A2",
        seat_to_act=seat("E"),
    )
    lowest = {"tricks": 10}
    made.refused(
        "lower", "A lower bid", "A1 C25", at(classic, "W:9"), "S:7", "BID_TOO_LOW", "A1", lowest_bid=lowest
    )
    made.refused(
        "equal", "An equal bid", "A1 C25", at(classic, "W:9"), "S:9", "BID_TOO_LOW", "A1", lowest_bid=lowest
    )
    made.refused(
        "fourteen",
        "There is no bid of 14, and the game stays as it is",
        "A1 C26",
        at(classic),
        "W:14",
        "BID_OUT_OF_RANGE",
        "A1",
        lowest_bid={"tricks": 7},
        highest_bid=13,
    )
    made.refused(
        "six",
        "Six is too little",
        "A1",
        at(classic),
        "W:6",
        "BID_OUT_OF_RANGE",
        "A1",
        lowest_bid={"tricks": 7},
        highest_bid=13,
    )
    title = "The partner may be overbid"
    made.accepted("overbid-partner", title, "A1 C38", at(classic, "W:7 S:P"), "E:8", still("N"))
    title = "A first bid is an event and nothing more"
    fields = {
        **still("S"),
        "events": [{"call_made": {"seat": seat("W"), "kind": "CALL_KIND_BID", "tricks": 7}}],
    }
    made.accepted("first-bid", title, "A1", at(classic), "W:7", fields)
    title = "A pass is an event and nothing more"
    fields = {**still("S"), "events": [{"call_made": {"seat": seat("W"), "kind": "CALL_KIND_PASS"}}]}
    made.accepted("first-pass", title, "A1", at(classic), "W:P", fields)
    made.legal("only-13", "After 12 only 13 is left", "A1", at(classic, "W:12"), "13 P")
    title = "Whoever deals, his right opens"
    for dealer in "NWSE":
        made.legal(f"dealer-{dealer.lower()}", title, "A1 C2 C46", at(classic, dealer=dealer), BIDS_7)
    title = "The declarer names any suit, held or not"
    made.legal("naming", title, "A7 T1", at(classic, "W:7 S:P E:P N:P"), "=C =D =H =S")
    fields = {
        "game.phase": PLAY,
        "game.hand.trump": strain("C"),
        "game.hand.opening_leader": seat("W"),
        "game.seat_to_act": seat("W"),
        "events": [{"trump_named": {"seat": seat("W"), "trump": strain("C")}}],
    }
    made.accepted("names-unheld", title, "A7 T1", at(classic, "W:7 S:P E:P N:P"), "W:=C", fields)
    second = at(classic, "W:10 S:P E:P N:P").play("W:=H", *_suit_tricks())
    title = "Nothing of the last auction is left"
    made.legal("second-hand", title, "A1 C32 C41", second.deal(), BIDS_7)
    again = at(classic, "W:P S:P E:P N:P").deal()
    made.legal("after-void", "After a void hand the auction is new", "A6 C28 C50", again, BIDS_7)
    again = again.play("S:P E:P N:P W:P").deal()
    made.legal("after-two-voids", "And again", "A6 C28", again, BIDS_7)


def _suit_tricks() -> list[str]:
    """Every trick to West, whose hearts are trump."""
    return [f"W:H{rank} S:D{rank} E:C{rank} N:S{rank}" for rank in "23456789TJQKA"]


def _classic_options(made: Section) -> None:
    forced: dict[str, JSON] = {"all_pass": "last_must_bid"}
    setup = at("saharat_classic", "W:P S:P E:P", **forced)
    made.legal("forced-legal", "The fourth seat must bid", "A6 C29", setup, "7 8 9 10 11 12 13")
    made.refused(
        "forced-pass",
        "The fourth seat may not pass",
        "A6 C29",
        setup,
        "N:P",
        "PASS_NOT_ALLOWED",
        "A6",
        lowest_bid={"tricks": 7},
    )
    title = "The fourth seat may pass once there is a bid"
    made.accepted(
        "forced-free", title, "A6", at("saharat_classic", "W:P S:P E:7", **forced), "N:P", won("E", "7")
    )
    same = at("saharat_classic", "W:P S:P E:P", dealer_after_all_pass="same")
    title = "A house where the same dealer deals again"
    made.accepted("same-dealer", title, "A6", same, "N:P", void("ALL_PASSED", "N", [0, 0]))
    low: dict[str, JSON] = {"minimum_bid": 5, "maximum_bid": 9}
    made.legal(
        "other-bids", "A house that bids from 5 to 9", "A1", at("cardgames_zone", **low), "5 6 7 8 9 P"
    )
    made.legal("no-bid-left", "Nothing beats the highest bid", "A1", at("cardgames_zone", "W:9", **low), "P")
    made.refused(
        "none-beats",
        "No bid beats the highest",
        "A1",
        at("cardgames_zone", "W:9", **low),
        "S:9",
        "BID_TOO_LOW",
        "A1",
    )
    barred: dict[str, JSON] = {"barred_bids": [8, 9]}
    title = "Barred bids are skipped"
    made.legal("barred", title, "A1", at("saharat_classic", "W:7", **barred), "10 11 12 13 P")
    goes_on = at("saharat_classic", slam_bid="continues")
    title = "A house where 13 does not end it"
    made.accepted("13-goes-on", title, "A4", goes_on, "W:13", still("S"))


def _one_call_each(made: Section) -> None:
    zone = "cardgames_zone"
    made.legal("zone-first", "One call each, from 7", "A5", at(zone), BIDS_7)
    title = "Four calls and it is over"
    made.accepted("zone-over", title, "A5 C40", at(zone, "W:7 S:P E:8"), "N:9", won("N", "9"))
    made.accepted(
        "zone-first-wins", "The first bid may stand", "A5", at(zone, "W:7 S:P E:P"), "N:P", won("W", "7")
    )
    made.accepted(
        "zone-13", "A 13 ends it before the fourth call", "A4 A5", at(zone, "W:7"), "S:13", won("S", "13")
    )
    title = "All pass: dealt again, by the next (open in 003)"
    made.accepted("zone-void", title, "A6", at(zone, "W:P S:P E:P"), "N:P", void("ALL_PASSED", "W", [0, 0]))
    made.refused(
        "zone-lower",
        "Every bid beats the last",
        "A5",
        at(zone, "W:8"),
        "S:8",
        "BID_TOO_LOW",
        "A1",
        lowest_bid={"tricks": 9},
    )
