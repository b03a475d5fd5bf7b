"""Refusals: every reason, its rule and parameters, and which one is given when several hold."""

from typing import Any

from conformance.runner import card_json
from conformance.statements import batches, refusals_order
from conformance.statements.notation import CLASSIC, EGYPT, dealt_to_order, seat, strain
from conformance.statements.positions import Setup, at, finished, playing, position
from conformance.statements.section import Section

JSON = Any


def section() -> Section:
    made = Section("refusals", "Refusals: every reason with rule and parameters, and their order.")
    _every_reason(made)
    _phases(made)
    refusals_order.order(made)
    refusals_order.untouched(made)
    refusals_order.batches(made)
    batches.two_games(made)
    return made


def _every_reason(made: Section) -> None:
    made.refused("game-over", "The game is over", "W1", finished(), "N:SA", "GAME_OVER", "W1")
    made.refused(
        "stale",
        "Made for another revision",
        "P1 C121 C124",
        at(CLASSIC, "W:7"),
        "S:8",
        "STALE_REVISION",
        "P1",
        revision=1,
        game_revision=2,
    )
    made.refused(
        "future",
        "Made for a revision to come",
        "P1",
        at(CLASSIC, "W:7"),
        "S:8",
        "STALE_REVISION",
        "P1",
        revision=3,
        game_revision=2,
    )
    made.refused(
        "revision-0",
        "Revision nought is a revision",
        "P1 C128",
        at(CLASSIC, "W:7"),
        "S:8",
        "STALE_REVISION",
        "P1",
        revision=0,
        game_revision=2,
    )
    made.refused(
        "wrong-phase",
        "A card in the auction",
        "P2",
        at(CLASSIC),
        "W:H2",
        "WRONG_PHASE",
        "P2",
        phase="PHASE_AUCTION",
    )
    made.refused(
        "already-passed",
        "Passed and out",
        "A2",
        at(CLASSIC, "W:P S:7"),
        "W:8",
        "ALREADY_PASSED",
        "A2",
        seat_to_act=seat("E"),
    )
    made.refused(
        "not-declarer",
        "Another names trump",
        "A7 C134",
        at(CLASSIC, "W:13"),
        "S:=H",
        "NOT_DECLARER",
        "A7",
        seat_to_act=seat("W"),
    )
    made.refused(
        "out-of-turn-call",
        "Out of turn, a bid",
        "C2",
        at(CLASSIC),
        "S:8",
        "OUT_OF_TURN",
        "C2",
        seat_to_act=seat("W"),
    )
    made.refused(
        "out-of-turn-card",
        "Out of turn, a card",
        "C2",
        playing(),
        "S:SA",
        "OUT_OF_TURN",
        "C2",
        seat_to_act=seat("W"),
    )
    low = {"lowest_bid": {"tricks": 2}}
    made.refused(
        "pass", "A pass where all bid", "A12", at("saharat_400"), "W:P", "PASS_NOT_ALLOWED", "A12", **low
    )
    made.refused(
        "pass-400-at-40",
        "The lowest bid is one's own",
        "A12 A13",
        at("saharat_400", scores=[0, 40, 0, 0]),
        "W:P",
        "PASS_NOT_ALLOWED",
        "A12",
        lowest_bid={"tricks": 4},
    )
    for preset in (CLASSIC, "jawaker_classic", "cardgames_zone", "tarneeb_wikipedia", "saharat_400"):
        made.refused(
            f"double-{preset.replace('_', '-')}",
            f"No double in {preset}",
            "A10",
            at(preset, "W:8"),
            "S:X",
            "DOUBLE_NOT_ALLOWED",
            "A10",
        )
    made.refused("no-strain", "A bid without its strain", "A8", at(EGYPT), "W:7", "STRAIN_MISSING", "A8")
    for preset, rule in (
        (CLASSIC, "A1"),
        ("saharat_400", "A12"),
        ("cardgames_zone", "A1"),
        ("mulouk_41", "A12"),
    ):
        made.refused(
            f"strain-{preset.replace('_', '-')}",
            f"A strain where none is bid ({preset})",
            rule,
            at(preset),
            "W:7H",
            "STRAIN_NOT_ALLOWED",
            rule,
        )
    made.refused(
        "range-egypt",
        "Fourteen no-trump",
        "A1",
        at(EGYPT, "W:9S"),
        "S:14N",
        "BID_OUT_OF_RANGE",
        "A1",
        lowest_bid={"tricks": 9, "strain": strain("N")},
        highest_bid=13,
    )
    made.refused(
        "range-41",
        "Fourteen in 41",
        "A12",
        at("saharat_syrian_41"),
        "W:14",
        "BID_OUT_OF_RANGE",
        "A12",
        lowest_bid={"tricks": 2},
        highest_bid=13,
    )
    made.refused(
        "range-after-13-nt",
        "Fourteen when no bid is left",
        "A1",
        at(EGYPT, "W:13N"),
        "S:14C",
        "BID_OUT_OF_RANGE",
        "A1",
        highest_bid=13,
    )
    made.refused(
        "barred",
        "Six in mulouk_41",
        "A12",
        at("mulouk_41"),
        "W:6",
        "BID_BARRED",
        "A12",
        lowest_bid={"tricks": 2},
        barred_bids=[6],
    )
    made.refused(
        "too-low",
        "Not above the last",
        "A1",
        at(CLASSIC, "W:9"),
        "S:8",
        "BID_TOO_LOW",
        "A1",
        lowest_bid={"tricks": 10},
    )
    made.refused(
        "too-low-own",
        "Below the own minimum",
        "A13",
        at("saharat_400", scores=[0, 30, 0, 0]),
        "W:2",
        "BID_TOO_LOW",
        "A13",
        lowest_bid={"tricks": 3},
    )
    made.refused("nothing", "Nothing to double", "A11", at(EGYPT), "W:X", "NOTHING_TO_DOUBLE", "A11")
    made.refused(
        "nothing-passed", "Nor after passes", "A11", at(EGYPT, "W:P S:P"), "E:X", "NOTHING_TO_DOUBLE", "A11"
    )
    made.refused(
        "own-bid",
        "One's own bid",
        "A11",
        at(EGYPT, "W:7S S:P E:P N:P"),
        "W:X",
        "OWN_BID",
        "A11",
        bid_holder=seat("W"),
    )
    made.refused("doubled", "Doubled already", "A11", at(EGYPT, "W:7S S:X"), "E:X", "ALREADY_DOUBLED", "A11")
    made.refused(
        "no-trump", "No-trump is no suit", "A7", at(CLASSIC, "W:13"), "W:=N", "TRUMP_NOT_A_SUIT", "A7"
    )
    made.refused("not-held", "A card of another", "C1 C151", playing(), "W:SA", "CARD_NOT_HELD", "C1")
    made.refused(
        "played", "A card that is on the table", "C1 C14 C151", playing(), "W:S7", "CARD_NOT_HELD", "C1"
    )
    made.refused(
        "follow",
        "The suit led is held",
        "C5",
        playing(),
        "W:H3",
        "MUST_FOLLOW_SUIT",
        "C5",
        led_suit="SUIT_SPADES",
        playable_cards=[card_json("S2")],
    )
    hands = dealt_to_order({"N": "H2 H9 S3", "W": "H4"}, {"N": "H"})
    setup = position("jawaker_classic", "H", "N", "two-hearts", hands, first_card="trump")
    made.refused(
        "lead-trump",
        "The first card is a trump",
        "T6",
        setup,
        "N:S3",
        "MUST_LEAD_TRUMP",
        "T6",
        playable_cards=[card_json("H2"), card_json("H9")],
    )


def _phases(made: Section) -> None:
    """C134: each kind of move in each phase it does not belong to."""
    states = (
        ("new", Setup(CLASSIC), "PHASE_AWAITING_DEAL", ("W:7", "W:=H", "W:H2")),
        ("auction", at(CLASSIC), "PHASE_AUCTION", ("W:=H", "W:H2")),
        ("naming", at(CLASSIC, "W:13"), "PHASE_NAMING_TRUMP", ("W:P", "W:H2")),
        ("play", at(CLASSIC, "W:13 W:=H"), "PHASE_PLAY", ("W:P", "W:=H")),
        ("void", at(CLASSIC, "W:P S:P E:P N:P"), "PHASE_AWAITING_DEAL", ("S:7", "S:S2")),
        ("400-play", at("saharat_400", "W:3 S:3 E:3 N:3"), "PHASE_PLAY", ("W:3", "W:=H")),
        ("400-auction", at("saharat_400"), "PHASE_AUCTION", ("W:=H",)),
        ("turned", at("cardgames_zone_turned_trump"), "PHASE_PLAY", ("W:7", "W:P", "W:=H")),
        ("egypt", at(EGYPT, "W:7S S:P E:P N:P W:P"), "PHASE_PLAY", ("W:=H", "W:X")),
    )
    for name, setup, phase, moves in states:
        for index, move in enumerate(moves):
            made.refused(
                f"phase-{name}-{index + 1}",
                f"{move} while the game waits for something else ({name})",
                "P2 C134",
                setup,
                move,
                "WRONG_PHASE",
                "P2",
                phase=phase,
            )
