"""Which rules gave a line its points: the one that did first, then those that changed them."""

from conformance.statements.scores import Scores


def named(made: Scores) -> None:
    made.scored(
        """
        why-made | S1 | Why nine: made | classic | N:8 | 9,4 | 9,0 | S1, S1
        why-failed | S2 | Why minus eight: failed | classic | N:8 | 7,6 | -8,6 | S2, S2
        why-16 | S3 | Why 16: all 13 tricks | classic | N:8 | 13,0 | 16,0 | S3, S1
        why-26 | S4 | Why 26: 13 bid and made | classic | W:13 | 0,13 | 0,26 | S1, S4
        why-minus-16 | S5 | Why minus 16: 13 bid and failed | classic | N:13 | 11,2 | -16,2 | S5, S5
        why-defence | S3 S6 | Why 16 for the defenders | classic | N:7 | 0,13 | -7,16 | S2, S3 S6
        why-defence-13 | S6 | Why 13 for them: against a bid of 13 their tricks |
            classic | N:13 | 0,13 | -16,13 | S5, S6
        why-defence-slam | S3 S6 | And why 16 elsewhere | jawaker_classic | N:13 | 0,13 | -16,16 | S5, S3 S6
        why-twice | S5 S8 | Why four for two tricks |
            classic failed_slam_trick_factor=2 | N:13 | 11,2 | -16,4 | S5, S5 S8
        why-twice-all | S6 S8 | Why 26 for the defenders |
            classic failed_slam_trick_factor=2 | N:13 | 0,13 | -16,26 | S5, S6 S8
        why-once-all | S6 S8 | The factor is not named where it changes nothing |
            jawaker_classic failed_slam_trick_factor=2 | N:13 | 0,13 | -16,16 | S5, S3 S6
        why-always | S8 | Why four against a made bid | classic defenders_score=always | N:8 | 9,4 | 9,4 | S1, S8
        why-never | S8 | Why nothing against a failed one | classic defenders_score=never | N:8 | 7,6 | -8,0 | S2, S8
        why-never-made | S1 S8 | Against a made one they get nothing anyway |
            classic defenders_score=never | N:8 | 9,4 | 9,0 | S1, S1
        why-doubled | S7 | Why 18; nothing doubled is nothing | egyptian | W:8HX | 4,9 | 0,18 | S1, S1 S7
        why-doubled-both | S7 | Doubled and failed | egyptian | W:8HX | 6,7 | 12,-16 | S2 S7, S2 S7
        why-doubled-all | S3 S6 S7 | Three rules in one line | egyptian | W:7CX | 13,0 | 32,-14 | S3 S6 S7, S2 S7
        why-not-doubled | A10 | Doubled, but why only eight |
            egyptian doubled_result=when_made | W:8HX | 6,7 | 6,-8 | S2 A10, S2 A10
        why-bidders | S7 S8 | Doubled for the bidders alone |
            egyptian doubled_result=bidders | W:8HX | 6,7 | 6,-16 | S2 S8, S2 S7
        why-majority | S9 | Without an auction | cardgames_zone_turned_trump | none | 13,0 | 13,0 | S9, S9
        why-own | S10 S11 | Each for himself |
            saharat_400 | 5,3,3,3 | 5,2,3,3 | 10,-3,3,3 | S10 S11, S10 S11, S10 S11, S10 S11
        why-at-30 | S10 S12 | Why five for five, with 30 before the hand |
            saharat_400 scores=[30,30,0,0] | 5,3,5,3 | 5,2,3,3 | 5,-3,-10,3 | S10 S12, S10 S11, S10 S11, S10 S11
        """,
        why_too=True,
    )
    made.scored(
        """
        why-step | S12 | A house's own step | saharat_syrian_41 bid_values=[[5,9,20]] scores=[20,19,0,0] |
            5,5,2,2 | 5,4,2,2 | 9,-5,2,2 | S10 S12, S10 S11, S10 S11, S10 S11
        """,
        why_too=True,
    )
