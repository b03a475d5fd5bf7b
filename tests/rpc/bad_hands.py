"""Hands that lie: cards, calls, trump, and what a game has around them."""

from typing import Any

from tests.positions import card
from tests.rpc.bad_games import add_call, all_of, case, drop, edit, put

BID, PASS, DOUBLE = 1, 2, 3
NORTH, WEST, SOUTH, EAST = 1, 2, 3, 4
MANY = 100_000


def pop(items: Any) -> None:
    items.pop()


def add_many(items: Any) -> None:
    for _ in range(MANY):
        items.add()


def pass_for_ever(calls: Any) -> None:
    for _ in range(MANY):
        calls.add(seat=NORTH, kind=PASS)


# The second place of a doubled card is named; hands are sorted by suit.
TWICE = put("hand.dealt[1].cards[0]", card("S3"))
TWICE_TO_ONE = put("hand.dealt[1].cards[0]", card("HA"))
EVERYTHING_GIVEN = all_of(
    put("revision", 2**32 - 1),
    put("hand_number", 0),
    drop("dealer"),
    put("hand.scores_before", [1]),
    put("hand.dealt[0].cards[0]", 99),
    put("hand.turned_card", card("S2")),
)
FRAME_AND_RULES = all_of(
    drop("id"),
    drop("rules_revision"),
    put("preset_id", "\n"),
    put("rules.target", 0),
    put("rules.sweep_points", 9999),
)

DEALT_CASES = [
    case(
        "play",
        edit("hand.dealt[2].cards", lambda cards: cards.pop()),
        "hand.dealt[2].cards WRONG_COUNT",
        id="12 cards",
    ),
    case(
        "play",
        edit("hand.dealt[2].cards", lambda cards: cards.append(card("HA"))),
        "hand.dealt[2].cards WRONG_COUNT",
        "hand.dealt[2].cards[13] DUPLICATE",
        id="14 cards",
    ),
    case(
        "play",
        all_of(
            edit("hand.dealt[0].cards", lambda cards: cards.pop(0)),
            edit("hand.dealt[1].cards", lambda cards: cards.append(card("C2"))),
        ),
        "hand.dealt[0].cards WRONG_COUNT",
        "hand.dealt[1].cards WRONG_COUNT",
        id="12 and 14 cards",
    ),
    case(
        "play",
        put("hand.dealt[1].cards[0]", card("S3")),
        "hand.dealt[3].cards[8] DUPLICATE",
        id="a card dealt twice",
    ),
    case(
        "play",
        put("hand.dealt[1].cards[0]", card("HA")),
        "hand.dealt[1].cards[11] DUPLICATE",
        id="twice to one seat",
    ),
    *(
        case(
            "play",
            put("hand.dealt[1].cards[0]", number),
            "hand.dealt[1].cards[0] UNKNOWN_VALUE",
            id=f"card {number}",
        )
        for number in (0, 1, 15, 16, 17, 31, 33, 63, 65, 79, 82, -1, 2**31 - 1)
    ),
    case("play", edit("hand.dealt", pop), "hand.dealt WRONG_COUNT", id="three hands"),
    case("play", edit("hand.dealt", lambda sets: sets.add()), "hand.dealt WRONG_COUNT", id="five hands"),
    case("play", drop("hand.dealt"), "hand.dealt WRONG_COUNT", id="no hands"),
    case(
        "play",
        edit("hand.dealt", add_many),
        "hand.dealt WRONG_COUNT",
        id="absurdly many hands",
    ),
    case("sister", drop("hand.turned_card"), "hand.turned_card MISSING", id="no turned card"),
    case(
        "sister",
        put("hand.turned_card", card("SA")),
        "hand.turned_card NOT_DEALT",
        id="turned card of another",
    ),
    case(
        "turned", put("hand.turned_card", 5), "hand.turned_card UNKNOWN_VALUE", id="turned card that is none"
    ),
    case(
        "play",
        put("hand.turned_card", card("S3")),
        "hand.turned_card UNEXPECTED",
        id="turned card where none is",
    ),
]
PLAYED_CASES = [
    case(
        "play",
        put("hand.played[5]", card("S4")),
        "hand.played[5] NOT_DEALT",
        id="a card its seat was not dealt",
    ),
    case("play", put("hand.played[5]", card("S2")), "hand.played[5] PLAYED_TWICE", id="a card played twice"),
    case("play", put("hand.played[3]", card("C7")), "hand.played[3] ILLEGAL_HISTORY", id="a revoke"),
    case("play", put("hand.played[0]", 0), "hand.played[0] UNKNOWN_VALUE", id="no card played"),
    case("play", put("hand.played[5]", 81), "hand.played[5] UNKNOWN_VALUE", id="unknown card played"),
    case(
        "play",
        all_of(put("hand.played[0]", 0), put("hand.played[5]", 99)),
        "hand.played[0] UNKNOWN_VALUE",
        "hand.played[5] UNKNOWN_VALUE",
        id="two unknown cards",
    ),
    case(
        "forfeited",
        edit("hand.played", lambda cards: cards.append(card("S4"))),
        "hand.played[2] UNEXPECTED",
        id="a card after the revoke that lost the hand",
    ),
    case("play", put("hand.played", [card("SA")] * 53), "hand.played WRONG_COUNT", id="53 cards"),
    case(
        "play", put("hand.played", [card("SA")] * MANY), "hand.played WRONG_COUNT", id="absurdly many cards"
    ),
    case(
        "trump lead", put("hand.played[0]", card("SA")), "hand.played[0] ILLEGAL_HISTORY", id="no trump led"
    ),
    case(
        "auction",
        put("hand.played", [card("SA")]),
        "hand.played UNEXPECTED",
        id="a card before the auction is over",
    ),
    case(
        "play",
        edit("hand.played", lambda cards: cards.pop(3)),
        "hand.played[3] NOT_DEALT",
        id="a card left out",
    ),
]
CALL_CASES = [
    case("auction", put("hand.calls[1].seat", SOUTH), "hand.calls[1].seat MISMATCH", id="call out of turn"),
    case("auction", drop("hand.calls"), "seat_to_act MISMATCH", id="no calls"),
    case("auction", put("hand.calls[1].seat", 0), "hand.calls[1].seat MISSING", id="call of nobody"),
    case(
        "auction",
        put("hand.calls[1].seat", 9),
        "hand.calls[1].seat UNKNOWN_VALUE",
        id="call of an unknown seat",
    ),
    case("auction", put("hand.calls[1].kind", 0), "hand.calls[1].kind MISSING", id="no call"),
    case("auction", put("hand.calls[1].kind", 9), "hand.calls[1].kind UNKNOWN_VALUE", id="unknown call"),
    case("auction", put("hand.calls[1].tricks", 8), "hand.calls[1] UNEXPECTED", id="pass with tricks"),
    case("auction", put("hand.calls[1].strain", 3), "hand.calls[1] UNEXPECTED", id="pass with a strain"),
    case(
        "auction", put("hand.calls[0].strain", 9), "hand.calls[0].strain UNKNOWN_VALUE", id="unknown strain"
    ),
    case(
        "auction", put("hand.calls[0].strain", 3), "hand.calls[0] ILLEGAL_HISTORY", id="strain where none is"
    ),
    case("auction", put("hand.calls[0].tricks", 6), "hand.calls[0] ILLEGAL_HISTORY", id="bid too low"),
    case("auction", put("hand.calls[0].tricks", 2**32 - 1), "hand.calls[0] ILLEGAL_HISTORY", id="absurd bid"),
    case("auction", add_call(SOUTH, BID, 7), "hand.calls[2] ILLEGAL_HISTORY", id="bid that beats nothing"),
    case("auction", add_call(SOUTH, DOUBLE), "hand.calls[2] ILLEGAL_HISTORY", id="double where none is"),
    case(
        "auction",
        all_of(add_call(SOUTH, BID, 8), add_call(EAST, PASS), add_call(WEST, BID, 9)),
        "hand.calls[4].seat MISMATCH",
        id="bid of one who passed",
    ),
    case("play", add_call(SOUTH, BID, 8), "hand.calls[4] UNEXPECTED", id="call after the auction"),
    case(
        "auction",
        edit("hand.calls", pass_for_ever),
        "hand.calls[2].seat MISMATCH",
        id="absurdly many calls",
    ),
    case("turned", add_call(NORTH, PASS), "hand.calls UNEXPECTED", id="call without an auction"),
    case("400", put("hand.calls[0].kind", PASS), "hand.calls[0] UNEXPECTED", id="pass with a bid"),
    case(
        "play",
        put("hand.contract.declarer", 9),
        "hand.contract.declarer UNKNOWN_VALUE",
        id="unknown declarer",
    ),
    case("play", drop("hand.contract.declarer"), "hand.contract.declarer MISSING", id="no declarer"),
    case("play", drop("hand.contract"), "hand.contract MISSING", id="no contract"),
    case("400", put("hand.contract.tricks", 8), "hand.contract UNEXPECTED", id="contract of nobody"),
    case("auction", put("hand.contract.tricks", 8), "hand.contract UNEXPECTED", id="contract too early"),
]
TRUMP_CASES = [
    case("egyptian", put("hand.trump", 4), "hand.trump MISMATCH", id="trump that is not in the bid"),
    case("400", put("hand.trump", 4), "hand.trump MISMATCH", id="spades in 400"),
    case("400", drop("hand.trump"), "hand.trump MISSING", id="no trump in 400"),
    case("sister", put("hand.trump", 1), "hand.trump MISMATCH", id="the turned card's own suit"),
    case("turned", put("hand.trump", 4), "hand.trump MISMATCH", id="the sister suit"),
    case("turned", put("hand.trump", 9), "hand.trump UNKNOWN_VALUE", id="unknown trump"),
    case("auction", put("hand.trump", 4), "hand.trump UNEXPECTED", id="trump too early"),
    case("play", drop("hand.trump"), "hand.trump MISSING", id="cards without trump"),
    case("play", put("hand.trump", 5), "hand.trump UNKNOWN_VALUE", id="no-trump named"),
    case("play", put("hand.trump", 9), "hand.trump UNKNOWN_VALUE", id="unknown suit named"),
]
FRAME_CASES = [
    case("play", drop("id"), "id MISSING", id="no id"),
    case("play", put("id", "x" * 65), "id OUT_OF_RANGE", id="long id"),
    case("play", put("id", "ü" * 33), "id OUT_OF_RANGE", id="66 bytes of id"),
    case("play", put("id", "a\tb"), "id OUT_OF_RANGE", id="control character"),
    case("play", put("preset_id", "x" * 65), "preset_id OUT_OF_RANGE", id="long preset"),
    case("play", drop("rules"), "rules MISSING", id="no rules"),
    case("play", drop("rules.target"), "rules.target MISSING", id="a rule missing"),
    case("play", put("rules.target", 0), "rules.target OUT_OF_RANGE", id="target zero"),
    case("play", put("rules.auction", 99), "rules.auction UNKNOWN_VALUE", id="unknown auction"),
    case("play", put("rules.auction", 0), "rules.auction MISSING", id="unspecified auction"),
    case("play", put("rules.fixed_trump", 3), "rules.fixed_trump CONTRADICTION", id="contradiction"),
    case("play", put("rules.fixed_trump", 9), "rules.fixed_trump UNKNOWN_VALUE", id="unknown fixed trump"),
    case("play", drop("rules_revision"), "rules_revision MISSING", id="no rules revision"),
    case("play", put("revision", 2**32 - 1), "revision OUT_OF_RANGE", id="absurd revision"),
    case("play", drop("hand"), "hand MISSING", id="no hand in play"),
    case("scored", drop("hand"), "hand MISSING", id="no hand after one"),
    case(
        "waiting",
        edit("hand", lambda hand: hand.SetInParent()),
        "hand UNEXPECTED",
        id="a hand before the first",
    ),
    case("waiting", put("dealer", 9), "dealer UNKNOWN_VALUE", id="an unknown dealer before the first"),
    case("play", drop("hand_number"), "hand_number OUT_OF_RANGE", id="no hand number"),
    case("play", put("hand_number", 2**32 - 1), "hand_number OUT_OF_RANGE", id="absurd hand number"),
]
SEVERAL = [
    case(
        "play",
        all_of(
            put("seat_to_act", 1),
            put("phase", 5),
            put("scores", [1, 2]),
            put("hand.trick_winners[0]", 3),
            put("hand.opening_leader", 2),
            put("hand.contract.tricks", 9),
            put("next_dealer", 3),
            put("outcome.winner", 1),
            put("hand.result.end", 1),
        ),
        "hand.contract.tricks MISMATCH",
        id="every derived field: all the others hang on the contract",
    ),
    case(
        "play",
        all_of(put("seat_to_act", 1), put("scores", [1, 2]), put("hand.contract.doubled", True)),
        "scores[0] MISMATCH",
        "scores[1] MISMATCH",
        "hand.contract.doubled MISMATCH",
        id="derived fields, and one that hangs on another",
    ),
    case(
        "play",
        all_of(put("seat_to_act", 1), put("scores", [1, 2])),
        "scores[0] MISMATCH",
        "scores[1] MISMATCH",
        "seat_to_act MISMATCH",
        id="derived fields that do not hang together",
    ),
    case(
        "scored",
        all_of(
            put("hand.result.lines[0].tricks", 9), put("hand.result.lines[0].points", 9), put("phase", 77)
        ),
        "phase UNKNOWN_VALUE",
        "hand.result.lines[0].tricks MISMATCH",
        id="an unknown value that hangs on a wrong one",
    ),
    case(
        "play",
        all_of(
            put("revision", 2**32 - 1),
            put("hand_number", 0),
            drop("dealer"),
            put("hand.scores_before", [1]),
            put("hand.dealt[0].cards[0]", 99),
            put("hand.turned_card", card("S2")),
        ),
        "revision OUT_OF_RANGE",
        "hand_number OUT_OF_RANGE",
        "dealer MISSING",
        "hand.scores_before WRONG_COUNT",
        "hand.dealt[0].cards[0] UNKNOWN_VALUE",
        "hand.turned_card UNEXPECTED",
        id="every given field",
    ),
    case(
        "play",
        all_of(put("hand.dealt[0].cards[0]", 99), put("hand.calls[1].kind", 9)),
        "hand.dealt[0].cards[0] UNKNOWN_VALUE",
        "hand.calls[1].kind UNKNOWN_VALUE",
        id="cards and calls",
    ),
    case(
        "play",
        all_of(
            # Nothing after it can be judged by the rules, but much is wrong in itself.
            put("hand.calls[1].tricks", 3),
            put("hand.calls[1].kind", 1),
            put("hand.calls[3].kind", 9),
            put("hand.played[4]", 999),
            put("hand.played[5]", card("SA")),
            put("hand.trick_winners[0]", 9),
            put("hand.opening_leader", 6),
            put("hand.trump", 7),
            put("next_dealer", 9),
            put("phase", 0),
            put("seat_to_act", 7),
            put("scores", [1]),
        ),
        "hand.calls[1] ILLEGAL_HISTORY",
        "scores WRONG_COUNT",
        "hand.calls[3].kind UNKNOWN_VALUE",
        "hand.played[4] UNKNOWN_VALUE",
        "hand.played[5] PLAYED_TWICE",
        "phase MISSING",
        "next_dealer UNKNOWN_VALUE",
        "seat_to_act UNKNOWN_VALUE",
        "hand.trump UNKNOWN_VALUE",
        "hand.opening_leader UNKNOWN_VALUE",
        "hand.trick_winners[0] UNKNOWN_VALUE",
        id="parts after the first that is wrong",
    ),
    case(
        "play",
        all_of(drop("dealer"), put("hand.trick_winners", [1] * 14), put("scores[0]", 2**31 - 1)),
        "dealer MISSING",
        "scores[0] OUT_OF_RANGE",
        "hand.trick_winners WRONG_COUNT",
        id="no dealer, and parts",
    ),
    case(
        "play",
        all_of(
            put("hand.played[1]", card("D4")),
            put("hand.played[3]", card("SK")),
        ),
        "hand.played[1] ILLEGAL_HISTORY",
        id="three cards: the last two hang on the first",
    ),
    case(
        "play",
        all_of(
            drop("id"),
            drop("rules_revision"),
            put("preset_id", "\n"),
            put("rules.target", 0),
            put("rules.sweep_points", 9999),
        ),
        "id MISSING",
        "preset_id OUT_OF_RANGE",
        "rules_revision MISSING",
        "rules.target OUT_OF_RANGE",
        "rules.sweep_points OUT_OF_RANGE",
        id="frame and rules",
    ),
]
