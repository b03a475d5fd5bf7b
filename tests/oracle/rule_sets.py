"""The ten rule sets, read from the rule documents.

The names of the switches are those of `rules.proto`; the values are the enum values in lower case
without their prefix. `None` stands for a field that is not set. Ladders are lists of
(from_score, value); bid values are lists of (bid, points, from_score or None).
"""

from typing import Any

Rules = dict[str, Any]

# What no document changes, and the neutral value of every switch that some auction has no use for.
COMMON: Rules = {
    "auction": "competitive",
    "minimum_bid": 7,
    "maximum_bid": 13,
    "barred_bids": [],
    "passing": "final",
    "call_limit": "none",
    "slam_bid": "ends_auction",
    "all_pass": "void",
    "doubling": "none",
    "raised_double": "stays",
    "own_minimum": [],
    "minimum_total": 0,
    "total_minimum": [],
    "trump": "named",
    "fixed_trump": None,
    "opening_lead": "declarer",
    "first_card": "any",
    "deal_order": "singly",
    "cut": "optional",
    "dealer_after_scored": "right",
    "dealer_after_all_pass": "right",
    "dealer_after_low_total": "right",
    "target": 41,
    "sweep_points": 13,
    "defenders_sweep_points": 13,
    "slam_made_points": 13,
    "slam_failed_points": 13,
    "slam_defence_sweep": "tricks",
    "failed_slam_trick_factor": 1,
    "defenders_score": "when_failed",
    "doubled_result": "always",
    "bid_values": [],
    "sweep_wins": "never",
    "win_floor": "none",
    "tie_break": "team_total",
    "revoke": "refused",
    "past_tricks": "all",
    "reveal": "nobody",
}

# 001 §2 and 002 say the same of thirteen tricks: 16 unbid, 26 bid and made, −16 bid and failed (S3 to S5).
KABOOT_POINTS: Rules = {
    "sweep_points": 16,
    "defenders_sweep_points": 16,
    "slam_made_points": 26,
    "slam_failed_points": 16,
}

# 000, 001 §3 and 002: each for himself, from the dealer's right, two to thirteen, eleven in all.
FORTY_ONE: Rules = {
    "auction": "individual",
    "minimum_bid": 2,
    "minimum_total": 11,
    "trump": "sister",
    "opening_lead": "dealers_right",
    "win_floor": "partner_above_zero",
}

RULE_SETS: dict[str, Rules] = {
    # 001 §2.
    "saharat_classic": {**COMMON, **KABOOT_POINTS},
    # 001 §3: a low total passes the deal on; the highest player decides when both teams qualify.
    "saharat_syrian_41": {**COMMON, **FORTY_ONE, "tie_break": "highest_player"},
    # 001 §4: hearts always; both minimums climb; own values of bids.
    "saharat_400": {
        **COMMON,
        **FORTY_ONE,
        "own_minimum": [(30, 3), (40, 4), (50, 5)],
        "total_minimum": [(30, 12), (40, 13), (50, 14)],
        "trump": "fixed",
        "fixed_trump": "hearts",
        "bid_values": [
            (5, 10, None),
            (5, 5, 30),
            (6, 12, None),
            (6, 6, 30),
            (7, 14, None),
            (8, 16, None),
            (9, 27, None),
            (10, 40, None),
            (11, 40, None),
            (12, 40, None),
            (13, 40, None),
        ],
        "tie_break": "highest_player",
    },
    # 000: six is barred; after a low total the same dealer deals again; the higher team total decides.
    "mulouk_41": {
        **COMMON,
        **FORTY_ONE,
        "barred_bids": [6],
        "dealer_after_low_total": "same",
    },
    # 002, first part: as 001 §2, but 16 for either team that takes 13 without bidding them; to 31.
    "jawaker_classic": {**COMMON, **KABOOT_POINTS, "slam_defence_sweep": "points", "target": 31},
    # 002, Egyptian: strain in the bid, a pass is not final, doubling, to 41.
    "jawaker_egyptian": {
        **COMMON,
        **KABOOT_POINTS,
        "slam_defence_sweep": "points",
        "passing": "open",
        "slam_bid": "continues",
        "doubling": "anyone",
        # Whoever was highest when the double was said, should he win.
        "raised_double": "returns",
        "trump": "in_bid",
    },
    # 002, Syrian 41.
    "jawaker_syrian_41": {**COMMON, **FORTY_ONE},
    # 003: one call each, no bonus for thirteen tricks, won tricks face down (§2), to 31.
    "cardgames_zone": {**COMMON, "call_limit": "one_each", "target": 31, "past_tricks": "none"},
    # 003 §8: the dealer's last card makes trump, without an auction.
    "cardgames_zone_turned_trump": {
        **COMMON,
        "auction": "none",
        "trump": "turned",
        "opening_lead": "dealers_right",
        "target": 31,
        "past_tricks": "none",
    },
    # 004: thirteen tricks win the game.
    "tarneeb_wikipedia": {**COMMON, "sweep_wins": "always"},
}
