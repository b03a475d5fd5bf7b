"""Scores of individual bids."""

from typing import Any

from conformance.statements.scores import by_seat
from conformance.statements.section import Section

JSON = Any


def individual(made: Section) -> None:
    for preset in ("saharat_syrian_41", "jawaker_syrian_41", "mulouk_41"):
        name = preset.replace("_", "-")
        by_seat(
            made,
            f"{name}-lines",
            f"Each for himself, no overtricks ({preset})",
            "S10 C83",
            preset,
            [5, 2, 4, 3],
            [3, 4, 4, 2],
            [-5, 2, 4, -3],
        )
        by_seat(
            made,
            f"{name}-partner",
            f"The partner's tricks are his own ({preset})",
            "S10 C79",
            preset,
            [5, 2, 2, 3],
            [3, 3, 4, 3],
            [-5, 2, 2, 3],
        )
        by_seat(
            made,
            f"{name}-face",
            f"A bid is worth its number ({preset})",
            "S11",
            preset,
            [10, 2, 2, 2],
            [10, 1, 1, 1],
            [10, -2, -2, -2],
        )
    by_seat(
        made,
        "13-of-41",
        "All 13 are the bid and no more",
        "S10 S3",
        "saharat_syrian_41",
        [13, 2, 2, 2],
        [13, 0, 0, 0],
        [13, -2, -2, -2],
    )


def four_hundred(made: Section) -> None:
    preset = "saharat_400"
    values = {2: 2, 3: 3, 4: 4, 5: 10, 6: 12, 7: 14, 8: 16, 9: 27, 10: 40, 11: 40, 12: 40, 13: 40}
    later = {3: 3, 4: 4, 5: 5, 6: 6, 7: 14, 8: 16, 9: 27, 10: 40, 11: 40, 12: 40, 13: 40}
    for bid, value in values.items():
        # The others bid enough for a total of 11, and too much for what is left.
        bids = [bid, 3, 3, 3]
        left = 13 - bid
        tricks = [bid, min(left, 2), min(max(left - 2, 0), 2), 0]
        tricks[3] = 13 - sum(tricks)
        points = [value] + [3 if taken >= 3 else -3 for taken in tricks[1:]]
        by_seat(
            made, f"400-made-{bid}", f"400: a made {bid} is {value}", "S11 C85", preset, bids, tricks, points
        )
        short = [bid - 1, 0, 0, 14 - bid]
        points = [-value, -3, -3, 3 if 14 - bid >= 3 else -3]
        title = f"400: a failed {bid} costs {value}"
        by_seat(made, f"400-failed-{bid}", title, "S11 C80", preset, bids, short, points)
    for bid, value in later.items():
        bids = [bid, 3, 3, 3]
        short = [bid - 1, 0, 0, 14 - bid]
        points = [-value, -3, -3, 3 if 14 - bid >= 3 else -3]
        scores = [30, 0, 0, 0]
        title = f"400 from a score of 30: a failed {bid} costs {value}"
        shows = "S11 S12 C85"
        by_seat(made, f"400-at-30-{bid}", title, shows, preset, bids, short, points, scores)
    by_seat(
        made,
        "400-28",
        "At 28 a made five is ten",
        "S12 C82",
        preset,
        [5, 2, 2, 2],
        [5, 1, 3, 4],
        [10, -2, 2, 2],
        [28, 0, 0, 0],
    )
    ended = {"winner": "TEAM_NORTH_SOUTH", "loser": "TEAM_WEST_EAST", "reason": "WIN_REASON_TARGET"}
    by_seat(
        made,
        "400-38",
        "At 38 it is five",
        "S12 C82",
        preset,
        [5, 3, 2, 2],
        [5, 1, 3, 4],
        [5, -3, 2, 2],
        [38, 0, 0, 0],
        ended,
    )
    by_seat(
        made,
        "400-31",
        "At 31 a failed five costs five",
        "S12 C82",
        preset,
        [5, 3, 2, 2],
        [4, 2, 3, 4],
        [-5, -3, 2, 2],
        [31, 0, 0, 0],
    )
    by_seat(
        made,
        "400-partner",
        "400: the partner's tricks are his own",
        "S10 C79 C80",
        preset,
        [5, 2, 4, 2],
        [3, 3, 4, 3],
        [-10, 2, 4, 2],
    )
    by_seat(
        made,
        "400-six-at-30",
        "The own score counts, not the best",
        "S12",
        preset,
        [6, 3, 3, 2],
        [6, 3, 3, 1],
        [12, 3, 3, -2],
        [0, 30, 0, 0],
    )
    by_seat(
        made,
        "400-house-44",
        "A house where eleven is worth 44",
        "S11",
        preset,
        [11, 2, 2, 2],
        [11, 1, 1, 0],
        [44, -2, -2, -2],
        bid_values=[(11, 44, None)],
    )
