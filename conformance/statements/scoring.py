from conformance.statements import scoring_odd, scoring_seats, scoring_why
from conformance.statements.notation import EGYPT, dashed
from conformance.statements.scores import Scores
from conformance.statements.tables import rows

"""Scores of hands, through ScoreHand, which needs no cards; what is no hand is refused."""


# Rule sets in which all 13 tricks are 16, or 26 when bid, and those in which they are 13.
SIXTEEN = ("saharat_classic", "jawaker_classic", "jawaker_egyptian")
THIRTEEN = ("cardgames_zone", "tarneeb_wikipedia")


def section() -> Scores:
    made = Scores("scoring", "Scores of hands: contract or bids and tricks in, lines and new scores out.")
    for preset in (*SIXTEEN, *THIRTEEN):
        _contracts(made, preset)
    _named_cases(made)
    _options(made)
    _doubled(made)
    _without_auction(made)
    scoring_seats.individual(made)
    scoring_seats.four_hundred(made)
    scoring_why.named(made)
    scoring_odd.forfeited(made)
    scoring_odd.no_hand(made)
    return made


def _contracts(made: Scores, preset: str) -> None:
    sweep, slam, lost = (16, 26, 16) if preset in SIXTEEN else (13, 13, 13)
    against = 16 if preset.startswith("jawaker") else 13
    # What it is, rules, declarer and bid, tricks, points.
    table = f"""
        made with overtricks | S1 | N:8 | 9,4 | 9,0
        made exactly | S1 | W:9 | 4,9 | 0,9
        one short | S2 | N:8 | 7,6 | -8,6
        failed badly | S2 | E:12 | 9,4 | 9,-12
        all 13 unbid | S3 | S:8 | 13,0 | {sweep},0
        13 bid and made | S4 | W:13 | 0,13 | 0,{slam}
        13 bid, one short | S5 | N:13 | 12,1 | -{lost},1
        defenders take all against 7 | S6 S3 | N:7 | 0,13 | -7,{sweep}
        defenders take all against 13 | S6 S5 | N:13 | 0,13 | -{lost},{against}
    """
    for title, shows, bid, tricks, points in rows(table, 5):
        strain, ended = "S" if preset == EGYPT else "", ""
        if preset == "tarneeb_wikipedia" and tricks in ("13,0", "0,13"):
            shows, ended = f"{shows} W3", f" won by {'N' if tricks == '13,0' else 'W'} SWEEP"
        made.scored(f"""
            {dashed(preset)}-{dashed(title)} | {shows} | {preset}: {bid}{strain}, {title} |
                {preset} | {bid}{strain} | {tricks} | {points}{ended}
        """)


def _named_cases(made: Scores) -> None:
    made.scored("""
        bid-not-tricks | S2 C61 | A failed bid costs the bid, not the tricks | classic | W:9 | 6,7 | 6,-9
        defenders-nothing | S1 C62 | Defenders get nothing when it is made | classic | N:8 | 9,4 | 9,0
        slam-two-short | S5 C64 | 13 bid, eleven taken | classic | N:13 | 11,2 | -16,2
        defence-sweep | S6 C65 | All 13 by the defenders are 16 | classic | N:7 | 0,13 | -7,16
        defence-sweep-slam | S6 C65 | But 13 against a bid of 13 (001) | classic | N:13 | 0,13 | -16,13
        below-zero | C8 W2 C68 | There is no floor at nought | classic scores=[3,0] | N:8 | 5,8 | -8,8
        deep-below-zero | C8 W2 | Nor does a low score end a game | classic scores=[-200,10] | N:13 | 5,8 | -16,8
    """)


def _options(made: Scores) -> None:
    made.scored("""
        always | S8 C62 | A house where defenders always score | classic defenders_score=always | N:8 | 9,4 | 9,4
        always-slam | S8 | Also against a made 13: no tricks, no points |
            classic defenders_score=always | N:13 | 13,0 | 26,0
        never | S8 | A house where defenders never score | classic defenders_score=never | N:8 | 7,6 | -8,0
        never-sweep | S8 S6 | Not even for all 13 | jawaker_classic defenders_score=never | N:13 | 0,13 | -16,0
        twice | S8 C64 | Defenders' tricks twice on a failed 13 |
            classic failed_slam_trick_factor=2 | N:13 | 11,2 | -16,4
        twice-only-slam | S8 | But once on a failed 12 | classic failed_slam_trick_factor=2 | N:12 | 11,2 | -12,2
        twice-defence-sweep | S8 S6 | All 13 on a failed 13 are tricks as well (open in S6): twice, 26 |
            classic failed_slam_trick_factor=2 | N:13 | 0,13 | -16,26
        twice-defence-sweep-points | S8 S6 | Where all 13 against a 13 are 16, they are no tricks: once |
            classic failed_slam_trick_factor=2 slam_defence_sweep=points | N:13 | 0,13 | -16,16
        twice-seven | S8 S6 | Nor do the 13 on a failed seven count twice |
            classic failed_slam_trick_factor=2 | N:7 | 0,13 | -7,16
        slam-defence-points | S6 C65 | A house where all 13 against a 13 are 16 |
            classic slam_defence_sweep=points | N:13 | 0,13 | -16,16
        kaboot | S3 | Doubled kaboot, unbid | cardgames_zone sweep_points=26 slam_made_points=26 | N:8 | 13,0 | 26,0
        kaboot-bid | S4 | Doubled kaboot, bid |
            cardgames_zone sweep_points=26 slam_made_points=26 | N:13 | 13,0 | 26,0
        kaboot-defence | S3 | Doubled kaboot is the declarers' |
            cardgames_zone sweep_points=26 slam_made_points=26 | N:8 | 0,13 | -8,13
        made-thirteen | S3 | Sweep points of nought | cardgames_zone sweep_points=0 | N:7 | 13,0 | 0,0
    """)


def _doubled(made: Scores) -> None:
    for name, rest in (
        ("made", "S7 | W:8HX | 4,9 | 0,18"),
        ("failed", "S7 A10 | W:8HX | 6,7 | 12,-16"),
        ("sweep", "S7 | W:8NX | 0,13 | 0,32"),
        ("slam", "S7 | W:13SX | 0,13 | 0,52 won by W"),
        ("slam-failed", "S7 | W:13SX | 1,12 | 2,-32"),
        ("defence-sweep", "S7 | W:7CX | 13,0 | 32,-14"),
        ("defence-sweep-slam", "S6 S7 | W:13SX | 13,0 | 32,-32"),
    ):
        shows, _, bid = rest.partition(" | ")
        title = f"Doubled, {name}: both sides' points twice"
        made.scored(f"doubled-{name} | {shows} | {title} | egyptian | {bid}")
    made.scored("""
        when-made | A10 | A house that doubles only what is made: made |
            egyptian doubled_result=when_made | W:8HX | 4,9 | 0,18
        when-made-failed | A10 | And failed | egyptian doubled_result=when_made | W:8HX | 6,7 | 6,-8
        bidders | A10 S7 | A house that doubles for the bidders alone: made |
            egyptian doubled_result=bidders | W:8HX | 4,9 | 0,18
        bidders-failed | A10 S7 | And failed: the defenders count once |
            egyptian doubled_result=bidders | W:8HX | 6,7 | 6,-16
    """)


def _without_auction(made: Scores) -> None:
    made.scored("""
        majority | S9 | Seven tricks score, six do not | cardgames_zone_turned_trump | none | 7,6 | 7,0
        majority-west | S9 | Whichever side it is | cardgames_zone_turned_trump | none | 3,10 | 0,10
        none-sweep | S9 | All 13 are 13 | cardgames_zone_turned_trump | none | 13,0 | 13,0
        none-kaboot | S9 | Doubled kaboot | cardgames_zone_turned_trump sweep_points=26 | none | 0,13 | 0,26
    """)
