from conformance.statements import auctions_houses, auctions_individual, auctions_strain
from conformance.statements.follows import still
from conformance.statements.notation import BIDS_7, CLASSIC, PLAY, dashed, seat, strain
from conformance.statements.positions import at
from conformance.statements.section import Section

"""Auctions: who may call what, when it is over, and what comes of it."""


THREE = ("saharat_classic", "jawaker_classic", "tarneeb_wikipedia")


def section() -> Section:
    made = Section("auctions", "Auctions: who may call what, when it is over, and what comes of it.")
    _classic(made)
    _classic_options(made)
    _one_call_each(made)
    auctions_strain.with_strain(made)
    auctions_strain.doubles(made)
    auctions_individual.individual(made)
    auctions_individual.four_hundred(made)
    auctions_houses.open_passes(made)
    auctions_houses.forced_with_open_passes(made)
    auctions_houses.barred_next(made)
    return made


def _classic(made: Section) -> None:
    for preset in THREE:
        name = dashed(preset)
        made.state(f"""
            {name}-first | A1 C2 | The dealer's right opens ({preset}) | {preset} | may {BIDS_7}
            {name}-after-9 | A1 | A bid must beat the last | {preset} W:9 | may 10 11 12 13 P
            {name}-after-passes | A1 | Passes bind nobody | {preset} W:P S:P E:P | may {BIDS_7}
            {name}-four-passes | A6 C28 C127 | Four passes: void, the next dealer deals ({preset}) |
                {preset} W:P S:P E:P | N:P void ALL_PASSED W [0,0]
            {name}-last-bids | A3 C20 | Three passes, then a bid: it is over ({preset}) |
                {preset} W:P S:P E:P | N:7 wins N 7
            {name}-13 | A4 C31 | A bid of 13 ends it at once ({preset}) | {preset} | W:13 wins W 13
        """)
    made.state("""
        skip-passed | A2 C22 | Who passed is skipped | classic W:7 S:P E:8 | N:P goes on W
        last-but-one | A3 C22 | All but one have passed | classic W:7 S:P E:8 N:P | W:P wins E 8
        no-way-back | A2 C23 | A new bid calls nobody back | classic W:7 S:P E:8 N:P | W:9 goes on E
        passed-bids | A2 C23 | Who passed is out |
            classic W:7 S:P E:8 N:P W:9 | S:10 refused ALREADY_PASSED A2 seat_to_act=E
        lower | A1 C25 | A lower bid | classic W:9 | S:7 refused BID_TOO_LOW A1 lowest_bid=10
        equal | A1 C25 | An equal bid | classic W:9 | S:9 refused BID_TOO_LOW A1 lowest_bid=10
        fourteen | A1 C26 | There is no bid of 14, and the game stays as it is |
            classic | W:14 refused BID_OUT_OF_RANGE A1 lowest_bid=7 highest_bid=13
        six | A1 | Six is too little | classic | W:6 refused BID_OUT_OF_RANGE A1 lowest_bid=7 highest_bid=13
        overbid-partner | A1 C38 | The partner may be overbid | classic W:7 S:P | E:8 goes on N
    """)
    title = "A first bid is an event and nothing more"
    bid = {"call_made": {"seat": seat("W"), "kind": "CALL_KIND_BID", "tricks": 7}}
    made.accepted("first-bid", title, "A1", at(CLASSIC), "W:7", {**still("S"), "events": [bid]})
    title = "A pass is an event and nothing more"
    fields = {**still("S"), "events": [{"call_made": {"seat": seat("W"), "kind": "CALL_KIND_PASS"}}]}
    made.accepted("first-pass", title, "A1", at(CLASSIC), "W:P", fields)
    made.state("""
        only-13 | A1 | After 12 only 13 is left | classic W:12 | may 13 P
        dealer-n | A1 C2 C46 | Whoever deals, his right opens | classic dealer=N | may 7 8 9 10 11 12 13 P
        dealer-w | A1 C2 C46 | Whoever deals, his right opens | classic dealer=W | may 7 8 9 10 11 12 13 P
        dealer-s | A1 C2 C46 | Whoever deals, his right opens | classic dealer=S | may 7 8 9 10 11 12 13 P
        dealer-e | A1 C2 C46 | Whoever deals, his right opens | classic dealer=E | may 7 8 9 10 11 12 13 P
        naming | A7 T1 | The declarer names any suit, held or not | classic W:7 S:P E:P N:P | may =C =D =H =S
    """)
    fields = {
        "game.phase": PLAY,
        "game.hand.trump": strain("C"),
        "game.hand.opening_leader": seat("W"),
        "game.seat_to_act": seat("W"),
        "events": [{"trump_named": {"seat": seat("W"), "trump": strain("C")}}],
    }
    title = "The declarer names any suit, held or not"
    made.accepted("names-unheld", title, "A7 T1", at(CLASSIC, "W:7 S:P E:P N:P"), "W:=C", fields)
    # Every trick to West, whose hearts are trump.
    tricks = " / ".join(f"W:H{rank} S:D{rank} E:C{rank} N:S{rank}" for rank in "23456789TJQKA")
    made.state(f"""
        second-hand | A1 C32 C41 | Nothing of the last auction is left |
            classic W:10 S:P E:P N:P / W:=H / {tricks} deal | may {BIDS_7}
        after-void | A6 C28 C50 | After a void hand the auction is new | classic W:P S:P E:P N:P deal | may {BIDS_7}
        after-two-voids | A6 C28 | And again | classic W:P S:P E:P N:P deal S:P E:P N:P W:P deal | may {BIDS_7}
    """)


def _classic_options(made: Section) -> None:
    made.state("""
        forced-legal | A6 C29 | The fourth seat must bid |
            classic all_pass=last_must_bid W:P S:P E:P | may 7 8 9 10 11 12 13
        forced-pass | A6 C29 | The fourth seat may not pass |
            classic all_pass=last_must_bid W:P S:P E:P | N:P refused PASS_NOT_ALLOWED A6 lowest_bid=7
        forced-free | A6 | The fourth seat may pass once there is a bid |
            classic all_pass=last_must_bid W:P S:P E:7 | N:P wins E 7
        same-dealer | A6 | A house where the same dealer deals again |
            classic dealer_after_all_pass=same W:P S:P E:P | N:P void ALL_PASSED N [0,0]
        other-bids | A1 | A house that bids from 5 to 9 | cardgames_zone minimum_bid=5 maximum_bid=9 | may 5 6 7 8 9 P
        no-bid-left | A1 | Nothing beats the highest bid | cardgames_zone minimum_bid=5 maximum_bid=9 W:9 | may P
        none-beats | A1 | No bid beats the highest |
            cardgames_zone minimum_bid=5 maximum_bid=9 W:9 | S:9 refused BID_TOO_LOW A1
        barred | A1 | Barred bids are skipped | classic barred_bids=[8,9] W:7 | may 10 11 12 13 P
        13-goes-on | A4 | A house where 13 does not end it | classic slam_bid=continues | W:13 goes on S
    """)


def _one_call_each(made: Section) -> None:
    made.state("""
        zone-first | A5 | One call each, from 7 | cardgames_zone | may 7 8 9 10 11 12 13 P
        zone-over | A5 C40 | Four calls and it is over | cardgames_zone W:7 S:P E:8 | N:9 wins N 9
        zone-first-wins | A5 | The first bid may stand | cardgames_zone W:7 S:P E:P | N:P wins W 7
        zone-13 | A4 A5 | A 13 ends it before the fourth call | cardgames_zone W:7 | S:13 wins S 13
        zone-void | A6 | All pass: dealt again, by the next (open in 003) |
            cardgames_zone W:P S:P E:P | N:P void ALL_PASSED W [0,0]
        zone-lower | A5 | Every bid beats the last | cardgames_zone W:8 | S:8 refused BID_TOO_LOW A1 lowest_bid=9
    """)
