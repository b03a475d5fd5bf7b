from conformance.statements import batches, refusals_order, snapshots
from conformance.statements.notation import CLASSIC, dashed, dealt_to_order
from conformance.statements.positions import Setup, position
from conformance.statements.section import Section
from conformance.statements.tables import rows

"""Refusals: every reason, its rule and parameters, and which one is given when several hold."""


def section() -> Section:
    made = Section("refusals", "Refusals: every reason with rule and parameters, and their order.")
    _every_reason(made)
    _phases(made)
    refusals_order.order(made)
    refusals_order.untouched(made)
    refusals_order.batches(made)
    batches.two_games(made)
    snapshots.forms(made)
    return made


def _every_reason(made: Section) -> None:
    made.state("""
        game-over | W1 | The game is over | $finished | N:SA refused GAME_OVER W1
        stale | P1 C121 C124 | Made for another revision |
            classic W:7 | S:8 refused STALE_REVISION P1 revision=1 game_revision=2
        future | P1 | Made for a revision to come |
            classic W:7 | S:8 refused STALE_REVISION P1 revision=3 game_revision=2
        revision-0 | P1 C128 | Revision nought is a revision |
            classic W:7 | S:8 refused STALE_REVISION P1 revision=0 game_revision=2
        wrong-phase | P2 | A card in the auction | classic | W:H2 refused WRONG_PHASE P2 phase=AUCTION
        already-passed | A2 | Passed and out | classic W:P S:7 | W:8 refused ALREADY_PASSED A2 seat_to_act=E
        not-declarer | A7 C134 | Another names trump | classic W:13 | S:=H refused NOT_DECLARER A7 seat_to_act=W
        out-of-turn-call | C2 | Out of turn, a bid | classic | S:8 refused OUT_OF_TURN C2 seat_to_act=W
        out-of-turn-card | C2 | Out of turn, a card | $playing | S:SA refused OUT_OF_TURN C2 seat_to_act=W
        pass | A12 | A pass where all bid | saharat_400 | W:P refused PASS_NOT_ALLOWED A12 lowest_bid=2
        pass-below-six | A12 | Two or more, but not six | mulouk_41 | W:P refused PASS_NOT_ALLOWED A12 barred_bids=[6]
        no-strain-left | A8 | A bid without its strain when none is left |
            egyptian W:13N | S:9 refused STRAIN_MISSING A8 may_pass=true
        doubled-none-left | A11 | Doubled already, and no bid left: a pass |
            egyptian W:13N S:X | E:X refused ALREADY_DOUBLED A11 may_pass=true
        low-between | A1 | Eight or more, but neither nine nor ten |
            classic barred_bids=[9,10] W:7 | S:7 refused BID_TOO_LOW A1 lowest_bid=8 barred_bids=[9,10] may_pass=true
        pass-400-at-40 | A12 A13 | The lowest bid is one's own |
            saharat_400 scores=[0,40,0,0] | W:P refused PASS_NOT_ALLOWED A12 lowest_bid=4
    """)
    for preset in (CLASSIC, "jawaker_classic", "cardgames_zone", "tarneeb_wikipedia", "saharat_400"):
        made.state(f"""
            double-{dashed(preset)} | A10 | No double in {preset} | {preset} W:8 | S:X refused DOUBLE_NOT_ALLOWED A10
        """)
    made.state("no-strain | A8 | A bid without its strain | egyptian | W:7 refused STRAIN_MISSING A8")
    for preset, rule in (
        (CLASSIC, "A1"),
        ("saharat_400", "A12"),
        ("cardgames_zone", "A1"),
        ("mulouk_41", "A12"),
    ):
        made.state(f"""
            strain-{dashed(preset)} | {rule} | A strain where none is bid ({preset}) |
                {preset} | W:7H refused STRAIN_NOT_ALLOWED {rule}
        """)
    hands = dealt_to_order({"N": "H2 H9 S3", "W": "H4"}, {"N": "H"})
    table = """
        range-egypt | A1 | Fourteen no-trump |
            egyptian W:9S | S:14N refused BID_OUT_OF_RANGE A1 lowest_bid=9N highest_bid=13
        range-41 | A12 | Fourteen in 41 |
            saharat_syrian_41 | W:14 refused BID_OUT_OF_RANGE A12 lowest_bid=2 highest_bid=13
        range-after-13-nt | A1 | Fourteen when no bid is left |
            egyptian W:13N | S:14C refused BID_OUT_OF_RANGE A1 highest_bid=13
        barred | A12 | Six in mulouk_41 | mulouk_41 | W:6 refused BID_BARRED A12 lowest_bid=2 barred_bids=[6]
        too-low | A1 | Not above the last | classic W:9 | S:8 refused BID_TOO_LOW A1 lowest_bid=10
        too-low-own | A13 | Below the own minimum |
            saharat_400 scores=[0,30,0,0] | W:2 refused BID_TOO_LOW A13 lowest_bid=3
        nothing | A11 | Nothing to double | egyptian | W:X refused NOTHING_TO_DOUBLE A11
        nothing-passed | A11 | Nor after passes | egyptian W:P S:P | E:X refused NOTHING_TO_DOUBLE A11
        own-bid | A11 | One's own bid | egyptian W:7S S:P E:P N:P | W:X refused OWN_BID A11 bid_holder=W
        doubled | A11 | Doubled already | egyptian W:7S S:X | E:X refused ALREADY_DOUBLED A11
        no-trump | A7 | No-trump is no suit | classic W:13 | W:=N refused TRUMP_NOT_A_SUIT A7
        not-held | C1 C151 | A card of another | $playing | W:SA refused CARD_NOT_HELD C1
        played | C1 C14 C151 | A card that is on the table | $playing | W:S7 refused CARD_NOT_HELD C1
        follow | C5 | The suit led is held | $playing | W:H3 refused MUST_FOLLOW_SUIT C5 led_suit=S playable_cards=S2
        lead-trump | T6 | The first card is a trump | $hearts |
            N:S3 refused MUST_LEAD_TRUMP T6 playable_cards=H2,H9 trump=H
    """
    made.state(table, hearts=position("jawaker_classic", "H", "N", "two-hearts", hands, first_card="trump"))


def _phases(made: Section) -> None:
    """C134: each kind of move in each phase it does not belong to."""
    table = """
        new | $new | AWAITING_DEAL | W:7 W:=H W:H2
        auction | classic | AUCTION | W:=H W:H2
        naming | classic W:13 | NAMING_TRUMP | W:P W:H2
        play | classic W:13 W:=H | PLAY | W:P W:=H
        void | classic W:P S:P E:P N:P | AWAITING_DEAL | S:7 S:S2
        400-play | saharat_400 W:3 S:3 E:3 N:3 | PLAY | W:3 W:=H
        400-auction | saharat_400 | AUCTION | W:=H
        turned | cardgames_zone_turned_trump | PLAY | W:7 W:P W:=H
        egypt | egyptian W:7S S:P E:P N:P W:P | PLAY | W:=H W:X
    """
    for name, where, phase, moves in rows(table, 4):
        for index, move in enumerate(moves.split()):
            row = f"""
                phase-{name}-{index + 1} | P2 C134 | {move} while the game waits for something else ({name}) |
                    {where} | {move} refused WRONG_PHASE P2 phase={phase}
            """
            made.state(row, new=Setup(CLASSIC))
