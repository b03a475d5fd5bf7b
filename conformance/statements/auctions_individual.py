from conformance.statements.follows import void
from conformance.statements.notation import PLAY, dashed, dealt_to_order, seat, strain
from conformance.statements.positions import Setup, at
from conformance.statements.section import Section

"""Auctions of individual bids, and none at all."""


def individual(made: Section) -> None:
    two_up = "2 3 4 5 6 7 8 9 10 11 12 13"
    for preset in ("saharat_syrian_41", "jawaker_syrian_41", "saharat_400"):
        name = dashed(preset)
        made.state(f"""
            {name}-first | A12 C71 | 2 to 13 and no pass ({preset}) | {preset} | may {two_up}
            {name}-pass | A12 C71 | Nobody passes | {preset} | W:P refused PASS_NOT_ALLOWED A12 lowest_bid=2
            {name}-free | A12 C76 | A bid need not beat the last | {preset} W:5 | may {two_up}
            {name}-low | A14 A15 C49 | A total of 10: void, the next dealer deals ({preset}) |
                {preset} dealer=E N:2 W:3 S:2 | E:3 void LOW_TOTAL N [0,0,0,0]
            {name}-eleven | A14 C44 | A total of 11 plays; the dealer's right leads ({preset}) |
                {preset} dealer=E N:2 W:3 S:3 |
                E:3 leads to game.phase=PHASE_PLAY game.hand.opening_leader=SEAT_NORTH game.seat_to_act=SEAT_NORTH
                game.hand.contract=null events[1]=null
        """)
    made.state("""
        mulouk-first | A12 | Two to thirteen without six | mulouk_41 | may 2 3 4 5 7 8 9 10 11 12 13
        mulouk-six | A12 | Nobody may bid six | mulouk_41 | W:6 refused BID_BARRED A12 lowest_bid=2 barred_bids=[6]
        mulouk-pass | A12 C71 | Nobody passes | mulouk_41 | W:P refused PASS_NOT_ALLOWED A12 lowest_bid=2
        mulouk-low | A14 A15 C49 | A total of 10: void, the same dealer deals |
            mulouk_41 dealer=E N:2 W:3 S:2 | E:3 void LOW_TOTAL E [0,0,0,0]
        mulouk-again | A15 C49 | Then the same seat opens again |
            mulouk_41 dealer=E N:2 W:3 S:2 E:3 deal | may 2 3 4 5 7 8 9 10 11 12 13
        any-total | A14 | A house where any total plays |
            saharat_syrian_41 minimum_total=0 W:2 S:2 E:2 |
            N:2 leads to game.phase=PHASE_PLAY game.seat_to_act=SEAT_WEST
    """)
    turned = "cardgames_zone_turned_trump"
    fields = {
        "game.phase": PLAY,
        "game.hand.trump": strain("S"),
        "game.seat_to_act": seat("W"),
        "game.hand.opening_leader": seat("W"),
    }
    made.dealt("none", "No auction: play starts with the deal", "A16 T5", at(turned), fields)


def four_hundred(made: Section) -> None:
    steps = ((-3, 2), (0, 2), (10, 2), (29, 2), (30, 3), (39, 3), (40, 4), (49, 4), (50, 5), (67, 5))
    for score, lowest in steps:
        name, legal = str(score).replace("-", "minus-"), " ".join(map(str, range(lowest, 14)))
        made.state(f"""
            400-minimum-{name} | A13 C73 | Own score {score}: from {lowest} |
                saharat_400 scores=[0,{score},0,0] | may {legal}
        """)
    made.state("""
        400-below-own | A13 C74 | Four is too little at 52 |
            saharat_400 scores=[0,52,0,0] | W:4 refused BID_TOO_LOW A13 lowest_bid=5
        400-one | A12 | One is no bid at all |
            saharat_400 | W:1 refused BID_OUT_OF_RANGE A12 lowest_bid=2 highest_bid=13
        400-others-score | A13 | Others' scores set no minimum |
            saharat_400 scores=[60,0,45,35] | may 2 3 4 5 6 7 8 9 10 11 12 13
    """)
    # Best score, dealer East, the first three bids, the last bid, and whether it plays.
    totals = (
        ([29, 0, 0, 0], "N:3 W:3 S:3", 2, True),
        ([30, 0, 0, 0], "N:3 W:3 S:3", 2, False),
        ([31, 0, 0, 0], "N:3 W:3 S:3", 2, False),
        ([31, 0, 0, 0], "N:3 W:3 S:3", 3, True),
        ([0, 0, 39, 0], "N:3 W:3 S:3", 3, True),
        ([0, 0, 40, 0], "N:3 W:3 S:4", 2, False),
        ([0, 0, 40, 0], "N:3 W:3 S:4", 3, True),
        ([0, 50, 0, -20], "N:3 W:5 S:3", 2, False),
        ([0, 50, 0, -20], "N:3 W:5 S:3", 3, True),
    )
    for index, (scores, calls, last, plays) in enumerate(totals):
        setup = at("saharat_400", calls, dealer="E", scores=scores)
        fields = {"game.phase": PLAY} if plays else void("LOW_TOTAL", "N", scores)
        word = "plays" if plays else "is too little"
        title = f"Best score {max(scores)}: {calls} E:{last} {word}"
        made.accepted(f"400-total-{index}", title, "A14 C77", setup, f"E:{last}", fields)
    hands = dealt_to_order({"W": "S2 S3 S4 C2 C3 C4 D2 D3 D4 D5 H2 H3 C5"})
    setup = Setup("saharat_400").deal("poor-west", hands)
    made.legal("400-poor", "The poorest hand may bid two", "A12", setup, "2 3 4 5 6 7 8 9 10 11 12 13")
