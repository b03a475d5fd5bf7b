from conformance.statements.follows import still
from conformance.statements.notation import EGYPT, STRAINS, seat
from conformance.statements.positions import at
from conformance.statements.section import Section

"""Auctions with strain, and doubles."""


def with_strain(made: Section) -> None:
    every = " ".join(f"{number}{named}" for number in range(7, 14) for named in STRAINS)
    made.state(f"""
        egypt-first | A8 | A bid names tricks and strain | egyptian | may {every} P
        egypt-hearts | A8 | The same number in a higher strain beats it |
            egyptian W:12H | may 12S 12N 13C 13D 13H 13S 13N P X
        egypt-13-nt | A8 | Nothing beats 13 no-trump | egyptian W:13N | may P X
    """)
    bids = ["7C", "7D", "7H", "7S", "7N", "8C"]
    for index in range(4):
        low, high, above = bids[index : index + 3]
        made.state(f"""
            egypt-order-{index} | A8 | Clubs, diamonds, hearts, spades, no-trump: each beats the one before |
                egyptian W:{low} | S:{high} goes on E
            egypt-order-down-{index} | A8 | And not the other way |
                egyptian W:{high} | S:{low} refused BID_TOO_LOW A8 lowest_bid={above}
        """)
    made.state("""
        egypt-13-open | A9 C31 | 13 does not end it | egyptian | W:13S goes on S
        egypt-13-beaten | A9 C31 | 13 no-trump over 13 spades | egyptian W:13S | S:13N goes on E
        egypt-asked | A9 C37 | After three passes the highest bidder is asked once more |
            egyptian W:7S S:P E:P | N:P goes on W
        egypt-raise | A8 A9 C37 | He may raise himself | egyptian W:7S S:P E:P N:P | W:8S goes on S
        egypt-four | A9 C37 | Four passes in a row end it |
            egyptian W:7S S:P E:P N:P W:8S S:P E:P N:P | W:P wins W 8S
        egypt-back | A9 | A pass is not final | egyptian W:P S:7C E:P N:P | W:7D goes on S
        egypt-void | A6 A9 | Four passes before any bid: void |
            egyptian W:P S:P E:P | N:P void ALL_PASSED W [0,0]
        egypt-below | A8 C34 | A lower bid after a higher one |
            egyptian W:9S | S:7S refused BID_TOO_LOW A8 lowest_bid=9N
        egypt-nt | T2 A9 | A contract without trump | egyptian W:7N S:P E:P N:P | W:P wins W 7N
    """)


def doubles(made: Section) -> None:
    fields = {**still("E"), "events": [{"call_made": {"seat": seat("S"), "kind": "CALL_KIND_DOUBLE"}}]}
    made.accepted("double", "A double, like a pass", "A10", at(EGYPT, "W:7S"), "S:X", fields)
    made.state("""
        double-stands | A10 C35 | The double counts as a pass | egyptian W:7S S:X E:P N:P | W:P wins W 7SX
        double-outbid | A10 C35 | Outbid, the double does not fall on the other |
            egyptian W:7S S:X E:8H N:P W:P S:P | E:P wins E 8H
        double-raised | A10 C35 | Raised by its holder, the double stays |
            egyptian W:7S S:X E:P N:P W:8S S:P E:P N:P | W:P wins W 8SX
        double-shaken | A10 C35 | A house where the raise shakes it off |
            egyptian raised_double=gone W:7S S:X E:P N:P W:8S S:P E:P N:P | W:P wins W 8S
        double-again | A11 | No second double, no redouble | egyptian W:13S S:X | may 13N P
        double-holder | A11 | The holder has none | egyptian W:13S S:X E:P N:P | may 13N P
        double-partner | A11 | Even the partner may (open) | egyptian W:13N S:P | may P X
        double-opponents | A11 | A house where only opponents may |
            egyptian doubling=opponents W:13N S:P | may P
        double-own-side | A11 | Not one's own side |
            egyptian doubling=opponents W:13N S:P | E:X refused OWN_BID A11 bid_holder=W
        double-after-outbid | A11 | The new bid may be doubled | egyptian W:13C S:X E:13N | may P X
        double-won-back | A10 | Won back by the doubled player with a higher bid: it returns (open) |
            egyptian W:7S S:X E:8H N:P W:9S S:P E:P N:P | W:P wins W 9SX
        double-by-the-letter | A10 | Who held the highest bid when it was doubled wins, with whatever bid |
            egyptian W:7C S:X E:7D N:P W:8C S:P E:P N:P | W:P wins W 8CX
        double-each-his-own | A10 | Two players doubled: each keeps his own |
            egyptian W:7C S:X E:7D N:X W:8C S:P E:8D N:P W:P S:P | E:P wins E 8DX
        double-not-of-a-third | A10 | A third player's bid is not doubled by theirs |
            egyptian W:7C S:X E:7D N:X W:P S:8C E:P N:P W:P | S:P wins S 8C
        double-not-twice | A11 | Who comes back doubled can't be doubled again |
            egyptian W:13C S:X E:13D N:P W:13H | may 13S 13N P
        double-back-stays | A10 | A house where it falls when another outbids |
            egyptian raised_double=stays W:7C S:X E:7D N:P W:8C S:P E:P N:P | W:P wins W 8C
        double-back-gone | A10 | And one where any higher bid shakes it off |
            egyptian raised_double=gone W:7C S:X E:7D N:P W:8C S:P E:P N:P | W:P wins W 8C
        double-raised-stays | A10 C35 | A house where it stays while the holder raises |
            egyptian raised_double=stays W:7S S:X E:P N:P W:8S S:P E:P N:P | W:P wins W 8SX
    """)
