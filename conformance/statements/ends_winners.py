from conformance.statements.notation import dashed
from conformance.statements.scores import Scores
from conformance.statements.tables import numbers, rows

"""Who wins a game: of teams, by a sweep, of individual bids."""


# Rule sets of individual bids, by what decides when both teams qualify.
HIGHEST, TOTAL = ("saharat_syrian_41", "saharat_400"), ("mulouk_41", "jawaker_syrian_41")


def teams(made: Scores) -> None:
    made.ends("""
        team-exactly-41 | W1 | Exactly the target | classic scores=[33,20] | N:8 | 8,5 | 41,20 won by N
        team-one-short | W1 | One short of it | classic scores=[32,20] | N:8 | 8,5 | 40,20
        team-west-wins | W1 | The other team | classic scores=[20,33] | W:8 | 5,8 | 20,41 won by W
        team-on-defence | W1 C101 | On defence | classic scores=[38,36] | N:9 | 7,6 | 29,42 won by W
        team-target-31 | W1 C100 | A target of 31 | classic scores=[25,20] target=31 | N:8 | 8,5 | 33,20 won by N
        team-corrected | W1 C100 | The same hand corrected: the other wins |
            classic scores=[25,20] target=31 | W:11 | 2,11 | 25,31 won by W
        team-corrected-none | W1 C100 | Corrected again: nobody | classic scores=[17,20] target=31 | N:8 | 8,5 | 25,20
        team-nobody | W1 C100 | Below the target | classic scores=[25,20] target=31 | N:13 | 12,1 | 9,21
        team-jawaker-31 | W1 | Jawaker plays to 31 | jawaker_classic scores=[24,0] | N:7 | 7,6 | 31,0 won by N
        team-zone-31 | W1 | cardgames.zone plays to 31 | cardgames_zone scores=[24,0] | N:7 | 7,6 | 31,0 won by N
        team-one-point | W1 | A target of one | classic target=1 | N:7 | 7,6 | 7,0 won by N
        team-both-tie | W6 S8 C70 | Both at the target and equal: another hand |
            classic scores=[35,36] defenders_score=always | N:7 | 7,6 | 42,42
        team-both-higher | W6 S8 | Both at the target: the higher wins |
            classic scores=[35,38] defenders_score=always | N:7 | 7,6 | 42,44 won by W
        team-both-off | W6 C70 | Without that house rule it can't arise |
            classic scores=[35,36] | N:7 | 7,6 | 42,36 won by N
        team-low-score | W2 | No low score ends a game | classic scores=[-40,0] | N:13 | 0,13 | -56,13
        team-already-there | W1 C100 | The winner follows from this hand's scores alone |
            classic scores=[45,30] | N:9 | 8,5 | 36,35
    """)


def floors_and_sweeps(made: Scores) -> None:
    made.ends("""
        sweep-unbid | W3 | All 13 win, bid or not |
            tarneeb_wikipedia scores=[0,20] | N:8 | 13,0 | 13,20 won by N SWEEP
        sweep-bid | W3 | Bid and made | tarneeb_wikipedia scores=[0,20] | N:13 | 13,0 | 13,20 won by N SWEEP
        sweep-defenders | W3 | The defenders' 13 win too | tarneeb_wikipedia | N:8 | 0,13 | -8,13 won by W SWEEP
        sweep-below-zero | W3 | From below zero | tarneeb_wikipedia scores=[-30,0] | N:8 | 13,0 | -17,0 won by N SWEEP
        sweep-floor | W3 W4 | Not from below zero, in some houses |
            tarneeb_wikipedia scores=[-30,0] win_floor=before_hand | N:8 | 13,0 | -17,0
        sweep-floor-at-zero | W3 W4 | Nought is not below zero |
            tarneeb_wikipedia win_floor=before_hand | N:8 | 13,0 | 13,0 won by N SWEEP
        sweep-floor-before | W4 | Zero is counted before the hand |
            tarneeb_wikipedia scores=[-1,0] win_floor=before_hand target=5 | N:7 | 7,6 | 6,0
        sweep-floor-other | W4 | The other team is not held |
            tarneeb_wikipedia scores=[-1,40] win_floor=before_hand | W:7 | 6,7 | -1,47 won by W
        sweep-when-bid | W3 | Only when bid: bid |
            tarneeb_wikipedia sweep_wins=when_bid | N:13 | 13,0 | 13,0 won by N SWEEP
        sweep-when-not-bid | W3 | Only when bid: not bid | tarneeb_wikipedia sweep_wins=when_bid | N:12 | 13,0 | 13,0
        sweep-when-bid-defence | W3 | Only when bid: never the defenders |
            tarneeb_wikipedia sweep_wins=when_bid | N:13 | 0,13 | -13,13
        sweep-never | W3 | Elsewhere 13 tricks win nothing by themselves | classic | N:13 | 13,0 | 26,0
        sweep-and-target | W3 W1 | A sweep that also reaches the target is a sweep |
            tarneeb_wikipedia scores=[35,0] | N:7 | 13,0 | 48,0 won by N SWEEP
    """)


def players(made: Scores) -> None:
    # Scores after the hand and who has won, and for which rule sets.
    table = """
        partner-negative | W5 C91 | 45, but the partner is below zero | 45,10,-3,10 | every
        partner-zero | W5 | 45, but the partner is at zero | 45,10,0,10 | every
        partner-one | W5 | One point is above zero | 45,10,1,10 won by N | every
        partner-wins | W5 | It may be the partner who has 41 | 5,10,41,10 won by S | every
        both-partners | W5 | Both partners are at 41: both have won it | 43,10,41,10 won by NS | every
        over-zero-partner | W5 | Both are at 41, and of the others one | 41,44,41,1 won by W | highest
        nobody | W5 C97 | Nobody near the target | 10,10,10,10 | every
        team-total | W5 C98 | The team's total is no matter | 20,0,21,0 | every
        forty | W5 | Forty is not enough | 40,10,40,10 | every
        both-highest | W6 C94 | Both qualify: the team of the highest player | 41,42,20,1 won by W | highest
        both-total | W6 C94 | Both qualify: the higher team total | 41,42,20,1 won by N | total
        highest-equal | W6 C94 | Both qualify, equal players: another hand | 43,43,6,5 | highest
        total-unequal | W6 C94 | Both qualify, the totals decide | 43,43,6,5 won by N | total
        all-equal | W6 C95 | Equal in every way: another hand | 43,43,5,5 | every
        one-qualifies | W5 W6 | Only one of two teams at 41 qualifies | 44,42,-5,3 won by W | every
        lower-qualifies | W5 W6 | A higher player without a partner above zero counts for nothing |
            50,41,0,2 won by W | every
    """
    presets = {"every": (*HIGHEST, *TOTAL), "highest": HIGHEST, "total": TOTAL}
    for slug, shows, title, told, which in rows(table, 5):
        after = numbers(told.partition(" won by ")[0])
        for preset in presets[which]:
            # Four is worth four and made by all but East, whose five costs what the rules and his score say.
            cost = 5 if preset != "saharat_400" or after[3] + 5 >= 30 else 10
            before = [score - won for score, won in zip(after, (4, 4, 4, -cost), strict=True)]
            made.ends(f"""
                player-{slug}-{dashed(preset)} | {shows} | {title} ({preset}) |
                    {preset} scores={str(before).replace(" ", "")} | 4,4,4,5 | 4,4,4,1 | {told}
            """)
    made.ends("""
        player-no-floor | W5 | A house where the partner's score is no matter |
            saharat_syrian_41 scores=[41,6,-7,15] win_floor=none | 4,4,4,5 | 4,4,4,1 | 45,10,-3,10 won by N
    """)
