from conformance.statements.section import Section

"""Auctions of houses that combine options: a forced bid with open passes, barred bids that come next."""


def open_passes(made: Section) -> None:
    """Four passes end an auction with open passing, also where trump is named afterwards."""
    made.state("""
        open-back | A9 | With open passes who passed may bid |
            classic passing=open W:P S:7 E:P N:P | may 8 9 10 11 12 13 P
        open-three | A9 | Three passes: the highest bidder is asked again |
            classic passing=open W:P S:7 E:P N:P | W:P goes on S
        open-four | A9 A7 | The fourth ends it, and he names trump |
            classic passing=open W:P S:7 E:P N:P / W:P | S:P wins S 7
        open-raise | A9 A8 | Or he raises himself, and it goes on |
            classic passing=open W:P S:7 E:P N:P / W:P | S:8 goes on E
        open-void | A9 A6 | Four passes and no bid: void |
            classic passing=open W:P S:P E:P | N:P void ALL_PASSED W [0,0]
        open-13 | A4 | 13 ends it where the house has not said otherwise | classic passing=open | W:13 wins W 13
    """)


def forced_with_open_passes(made: Section) -> None:
    """A6 does not ask who is out, but whether this would be the fourth pass."""
    made.state("""
        forced-open-legal | A6 A9 C29 | The fourth must bid where passes stay open, too |
            egyptian all_pass=last_must_bid W:P S:P E:P |
            may 7C 7D 7H 7S 7N 8C 8D 8H 8S 8N 9C 9D 9H 9S 9N 10C 10D 10H 10S 10N
            11C 11D 11H 11S 11N 12C 12D 12H 12S 12N 13C 13D 13H 13S 13N
        forced-open-pass | A6 A9 C29 | The fourth pass is refused where passes stay open, too |
            egyptian all_pass=last_must_bid W:P S:P E:P | N:P refused PASS_NOT_ALLOWED A6 lowest_bid=7C
        forced-open-double | A11 A6 | Nor is there anything to double |
            egyptian all_pass=last_must_bid W:P S:P E:P | N:X refused NOTHING_TO_DOUBLE A11
        forced-open-bid | A6 A9 | He bids, and the first is asked again |
            egyptian all_pass=last_must_bid W:P S:P E:P | N:7C goes on W
        forced-open-own | A6 A9 | His own later pass is free |
            egyptian all_pass=last_must_bid W:P S:P E:P / N:7C W:P S:P E:P | N:P wins N 7C
        forced-open-third | A6 A9 | The third pass is nobody's last chance |
            egyptian all_pass=last_must_bid W:P S:P | E:P goes on N
        forced-open-named | A6 A9 C29 | The same where trump is named |
            classic all_pass=last_must_bid passing=open W:P S:P E:P | may 7 8 9 10 11 12 13
        forced-open-named-pass | A6 A9 C29 | And the pass is refused |
            classic all_pass=last_must_bid passing=open W:P S:P E:P | N:P refused PASS_NOT_ALLOWED A6 lowest_bid=7
        forced-zone-pass | A5 A6 C29 | One call each, and the last must bid |
            cardgames_zone all_pass=last_must_bid W:P S:P E:P | N:P refused PASS_NOT_ALLOWED A6 lowest_bid=7
    """)


def barred_next(made: Section) -> None:
    """The lowest bid that is named is never a barred one."""
    made.state("""
        barred-low | A1 A12 | Too low, and the next two are barred: the lowest is beyond them |
            classic barred_bids=[8,9] W:7 | S:7 refused BID_TOO_LOW A1 lowest_bid=10
        barred-second | A12 | The second barred bid names the lowest beyond both |
            classic barred_bids=[8,9] W:7 | S:9 refused BID_BARRED A12 lowest_bid=10 barred_bids=[8,9]
        barred-range | A1 A12 | Out of range, and the next are barred |
            classic barred_bids=[8,9] W:7 | S:14 refused BID_OUT_OF_RANGE A1 lowest_bid=10 highest_bid=13
        barred-first | A12 | The lowest bid of all barred | classic barred_bids=[7] | may 8 9 10 11 12 13 P
        barred-first-bid | A12 | The lowest bid of all barred: eight is the lowest |
            classic barred_bids=[7] | W:7 refused BID_BARRED A12 lowest_bid=8 barred_bids=[7]
        barred-forced | A6 A12 | Who must bid is not told a barred number |
            classic all_pass=last_must_bid barred_bids=[7] W:P S:P E:P | N:P refused PASS_NOT_ALLOWED A6 lowest_bid=8
        barred-strain | A8 A12 | After seven no-trump, eight barred: nine clubs |
            egyptian barred_bids=[8] W:7N | S:7N refused BID_TOO_LOW A8 lowest_bid=9C
        barred-strain-bid | A8 A12 | A barred number is barred in every strain |
            egyptian barred_bids=[8] W:7N | S:8S refused BID_BARRED A12 lowest_bid=9C barred_bids=[8]
        barred-strain-legal | A8 A12 | And what is left |
            egyptian barred_bids=[8] W:7N |
            may 9C 9D 9H 9S 9N 10C 10D 10H 10S 10N 11C 11D 11H 11S 11N 12C 12D 12H 12S 12N 13C 13D 13H 13S 13N P X
        barred-own-low | A12 A13 | The own minimum is barred: five is the lowest (low) |
            saharat_400 scores=[0,40,0,0] barred_bids=[4] | W:3 refused BID_TOO_LOW A13 lowest_bid=5
        barred-own-pass | A12 A13 | The own minimum is barred: five is the lowest (pass) |
            saharat_400 scores=[0,40,0,0] barred_bids=[4] | W:P refused PASS_NOT_ALLOWED A12 lowest_bid=5
        barred-own-bid | A12 A13 | The own minimum itself |
            saharat_400 scores=[0,40,0,0] barred_bids=[4] | W:4 refused BID_BARRED A12 lowest_bid=5 barred_bids=[4]
        barred-41 | A12 | Two and three barred in 41: four is the lowest |
            saharat_syrian_41 barred_bids=[2,3] | W:P refused PASS_NOT_ALLOWED A12 lowest_bid=4
        barred-41-four | A12 | And four may be bid |
            saharat_syrian_41 barred_bids=[2,3] | W:4 leads to game.seat_to_act=SEAT_SOUTH game.phase=PHASE_AUCTION
    """)
