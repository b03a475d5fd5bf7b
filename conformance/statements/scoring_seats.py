from conformance.statements.notation import dashed
from conformance.statements.scores import Scores

"""Scores of individual bids."""


def individual(made: Scores) -> None:
    for preset in ("saharat_syrian_41", "jawaker_syrian_41", "mulouk_41"):
        name = dashed(preset)
        made.scored(f"""
            {name}-lines | S10 C83 | Each for himself, no overtricks ({preset}) |
                {preset} | 5,2,4,3 | 3,4,4,2 | -5,2,4,-3
            {name}-partner | S10 C79 | The partner's tricks are his own ({preset}) |
                {preset} | 5,2,2,3 | 3,3,4,3 | -5,2,2,3
            {name}-face | S11 | A bid is worth its number ({preset}) |
                {preset} | 10,2,2,2 | 10,1,1,1 | 10,-2,-2,-2
        """)
    made.scored("""
        13-of-41 | S10 S3 | All 13 are the bid and no more | saharat_syrian_41 | 13,2,2,2 | 13,0,0,0 | 13,-2,-2,-2
    """)


def four_hundred(made: Scores) -> None:
    values = {2: 2, 3: 3, 4: 4, 5: 10, 6: 12, 7: 14, 8: 16, 9: 27, 10: 40, 11: 40, 12: 40, 13: 40}
    later = {3: 3, 4: 4, 5: 5, 6: 6, 7: 14, 8: 16, 9: 27, 10: 40, 11: 40, 12: 40, 13: 40}
    # The others bid enough for a total of 11, and too much for what is left.
    for bid, value in values.items():
        left = 13 - bid
        south = min(max(left - 2, 0), 2)
        west = min(left, 2)
        east = left - west - south
        points = f"{value},-3,-3,{3 if east >= 3 else -3}"
        made.scored(f"""
            400-made-{bid} | S11 C85 | 400: a made {bid} is {value} |
                saharat_400 | {bid},3,3,3 | {bid},{west},{south},{east} | {points}
            400-failed-{bid} | S11 C80 | 400: a failed {bid} costs {value} |
                saharat_400 | {_one_short(bid, value)}
        """)
    for bid, value in later.items():
        made.scored(f"""
            400-at-30-{bid} | S11 S12 C85 | 400 from a score of 30: a failed {bid} costs {value} |
                saharat_400 scores=[30,0,0,0] | {_one_short(bid, value)}
        """)
    made.scored("""
        400-28 | S12 C82 | At 28 a made five is ten | saharat_400 scores=[28,0,0,0] | 5,2,2,2 | 5,1,3,4 | 10,-2,2,2
        400-38 | S12 C82 | At 38 it is five | saharat_400 scores=[38,0,0,0] | 5,3,2,2 | 5,1,3,4 | 5,-3,2,2 won by N
        400-31 | S12 C82 | At 31 a failed five costs five |
            saharat_400 scores=[31,0,0,0] | 5,3,2,2 | 4,2,3,4 | -5,-3,2,2
        400-partner | S10 C79 C80 | 400: the partner's tricks are his own |
            saharat_400 | 5,2,4,2 | 3,3,4,3 | -10,2,4,2
        400-six-at-30 | S12 | The own score counts, not the best |
            saharat_400 scores=[0,30,0,0] | 6,3,3,2 | 6,3,3,1 | 12,3,3,-2
        400-house-44 | S11 | A house where eleven is worth 44 |
            saharat_400 bid_values=[[11,44,null]] | 11,2,2,2 | 11,1,1,0 | 44,-2,-2,-2
    """)


def _one_short(bid: int, value: int) -> str:
    """North one short of his bid, East with all the rest."""
    east = 14 - bid
    return f"{bid},3,3,3 | {bid - 1},0,0,{east} | -{value},-3,-3,{3 if east >= 3 else -3}"
