"""Every refusal of a call: its rule, its sentence and its parameters."""

import pytest

from tarneeb_service.engine.cards import NO_TRUMP
from tarneeb_service.engine.moves import Move
from tarneeb_service.engine.rules import AllPass, Doubling
from tarneeb_service.engine.state import State
from tarneeb_service.engine.verdicts import Verdict
from tests.engine.refusal_cases import assert_verdict, auction, case
from tests.positions import WEST

CASES = [
    case(
        "individual",
        auction("saharat_400"),
        "1:P",
        "PASS_NOT_ALLOWED A12 West must bid: 2 or more.",
        lowest_bid=(2, None),
    ),
    case(
        "own minimum",
        auction("saharat_400", scores=(0, 44, 0, 0)),
        "1:P",
        "PASS_NOT_ALLOWED A12 West must bid: 4 or more.",
        lowest_bid=(4, None),
    ),
    case(
        "last must bid",
        auction("saharat_classic", "1:P 2:P 3:P", all_pass=AllPass.LAST_MUST_BID),
        "0:P",
        "PASS_NOT_ALLOWED A6 North must bid: 7 or more.",
        lowest_bid=(7, None),
    ),
    case(
        "last must bid a strain",
        auction("jawaker_egyptian", "1:P 2:P 3:P", all_pass=AllPass.LAST_MUST_BID),
        "0:P",
        "PASS_NOT_ALLOWED A6 North must bid: 7C or more.",
        lowest_bid=(7, 1),
    ),
    case(
        "classic",
        auction("saharat_classic", "1:7"),
        "2:X",
        "DOUBLE_NOT_ALLOWED A10 There is no double under these rules: bid or pass.",
    ),
    case(
        "individual",
        auction("mulouk_41"),
        "1:X",
        "DOUBLE_NOT_ALLOWED A10 There is no double under these rules: bid.",
    ),
    case(
        "egyptian",
        auction("jawaker_egyptian"),
        "1:7",
        "STRAIN_MISSING A8 A bid must name its strain under these rules: tricks and a suit or no-trump.",
    ),
    case(
        "classic",
        auction("saharat_classic"),
        "1:7H",
        "STRAIN_NOT_ALLOWED A1 A bid names no strain under these rules: bid tricks only.",
    ),
    case(
        "individual",
        auction("saharat_400"),
        "1:7H",
        "STRAIN_NOT_ALLOWED A12 A bid names no strain under these rules: bid tricks only.",
    ),
    case(
        "above",
        auction("saharat_classic", "1:9"),
        "2:14",
        "BID_OUT_OF_RANGE A1 14 is no bid: bid 10 or more, 13 at most.",
        lowest_bid=(10, None),
        highest_bid=13,
    ),
    case(
        "below",
        auction("saharat_classic", "1:9"),
        "2:6",
        "BID_OUT_OF_RANGE A1 6 is no bid: bid 10 or more, 13 at most.",
        lowest_bid=(10, None),
        highest_bid=13,
    ),
    case(
        "individual",
        auction("saharat_syrian_41"),
        "1:1",
        "BID_OUT_OF_RANGE A12 1 is no bid: bid 2 or more, 13 at most.",
        lowest_bid=(2, None),
        highest_bid=13,
    ),
    case(
        "below an own minimum",
        auction("saharat_400", scores=(0, 44, 0, 0)),
        "1:1",
        "BID_OUT_OF_RANGE A12 1 is no bid: bid 4 or more, 13 at most.",
        lowest_bid=(4, None),
        highest_bid=13,
    ),
    case(
        "the lowest barred",
        auction("saharat_classic", barred_bids=(7, 8)),
        "1:6",
        "BID_OUT_OF_RANGE A1 6 is no bid: bid 9 or more, 13 at most.",
        lowest_bid=(9, None),
        highest_bid=13,
    ),
    case(
        "nothing left",
        auction("jawaker_egyptian", "1:13N"),
        "2:14S",
        "BID_OUT_OF_RANGE A1 14 is no bid, and none is left: pass.",
        highest_bid=13,
    ),
    case(
        "mulouk",
        auction("mulouk_41"),
        "1:6",
        "BID_BARRED A12 6 may not be bid under these rules: bid 2 or another higher number.",
        lowest_bid=(2, None),
        barred_bids=(6,),
    ),
    case(
        "competitive",
        auction("saharat_classic", "1:7", barred_bids=(8, 9)),
        "2:8",
        "BID_BARRED A12 8 may not be bid under these rules: bid 10 or another higher number.",
        lowest_bid=(10, None),
        barred_bids=(8, 9),
    ),
    case(
        "equal",
        auction("saharat_classic", "1:9"),
        "2:9",
        "BID_TOO_LOW A1 South must bid 10 or more.",
        lowest_bid=(10, None),
    ),
    case(
        "strain",
        auction("jawaker_egyptian", "1:7S"),
        "2:7H",
        "BID_TOO_LOW A8 South must bid 7NT or more.",
        lowest_bid=(7, NO_TRUMP),
    ),
    case(
        "own minimum",
        auction("saharat_400", scores=(0, 30, 0, 0)),
        "1:2",
        "BID_TOO_LOW A13 West must bid 3 or more.",
        lowest_bid=(3, None),
    ),
    case(
        "nothing higher",
        auction("jawaker_egyptian", "1:13N"),
        "2:13S",
        "BID_TOO_LOW A8 No bid beats the last one: pass.",
    ),
    case(
        "first call",
        auction("jawaker_egyptian"),
        "1:X",
        "NOTHING_TO_DOUBLE A11 There is no bid to double yet: bid or pass.",
    ),
    case(
        "the last must bid",
        auction("jawaker_egyptian", "1:P 2:P 3:P", all_pass=AllPass.LAST_MUST_BID),
        "0:X",
        "NOTHING_TO_DOUBLE A11 There is no bid to double yet: bid.",
    ),
    case(
        "no bid left",
        auction("jawaker_egyptian", "1:13N 2:X"),
        "3:X",
        "ALREADY_DOUBLED A11 The highest bid is doubled already: pass.",
    ),
    case(
        "his own",
        auction("jawaker_egyptian", "1:7S 2:P 3:P 0:P"),
        "1:X",
        "OWN_BID A11 West may not double his own bid: bid or pass.",
        bid_holder=WEST,
    ),
    case(
        "his partner's",
        auction("jawaker_egyptian", "1:7S 2:P", doubling=Doubling.OPPONENTS),
        "3:X",
        "OWN_BID A11 East may not double his partner West's bid: bid or pass.",
        bid_holder=WEST,
    ),
    case(
        "again",
        auction("jawaker_egyptian", "1:7S 2:X 3:P"),
        "0:X",
        "ALREADY_DOUBLED A11 The highest bid is doubled already: bid or pass.",
    ),
]


@pytest.mark.parametrize(("state", "move", "made_for", "expected"), CASES)
def test_refused_call(state: State, move: Move, made_for: int | None, expected: Verdict) -> None:
    assert_verdict(state, move, made_for, expected)
