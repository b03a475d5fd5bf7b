"""Card play: following suit, who takes a trick, and the revoke."""

from typing import Any

from conformance.statements import tricks_houses, tricks_revokes
from conformance.statements.notation import CLASSIC, dashed, dealt_to_order, played, seat, strain
from conformance.statements.positions import SISTER, at, in_order, position
from conformance.statements.section import Section

JSON = Any
# Rule set, trump, leader, four cards, winner, what it shows.
TRICKS = (
    ("saharat_classic", "S", "E", "C8 DT DQ HQ", "E", "C04", "Nobody follows or ruffs: the lead wins"),
    ("saharat_classic", "S", "W", "C7 DA CK HA", "E", "C05", "The highest of the suit led, not of the trick"),
    ("saharat_400", "H", "N", "C5 DA C6 C2", "S", "C07", "An ace of another suit wins nothing"),
    ("saharat_syrian_41", "D", "S", "H5 HK S2 H9", "E", "C08", "A discard never wins, wherever it lies"),
    ("saharat_400", "H", "N", "C5 CK C6 C2", "W", "C10", "The winner leads next"),
    ("saharat_classic", "H", "N", "S5 S9 S2 SK", "E", "C16", "All follow: the highest wins"),
    ("saharat_classic", "H", "N", "S5 H2 SA H3", "E", "", "The higher of two ruffs"),
    ("jawaker_classic", "C", "W", "CA C2 CK CQ", "W", "", "Trump led and followed"),
    ("jawaker_classic", "C", "W", "C2 DA HA SA", "W", "", "The two of trumps beats three aces"),
    ("jawaker_egyptian", "N", "S", "D2 SA HA CA", "S", "", "No-trump: nothing ruffs"),
    ("jawaker_egyptian", "N", "S", "D2 SA D3 CA", "N", "", "No-trump: the suit led alone counts"),
    ("jawaker_egyptian", "D", "N", "S9 ST D2 SJ", "S", "", "A ruff in third place"),
    ("cardgames_zone", "S", "E", "HT HJ HQ HK", "S", "", "Ten, jack, queen, king: in that order"),
    ("cardgames_zone", "S", "E", "HA HK HQ HJ", "E", "", "The ace is high"),
    ("cardgames_zone", "S", "E", "H9 HT H2 H8", "N", "", "The ten is above the nine"),
    ("tarneeb_wikipedia", "D", "N", "C3 D9 DT DJ", "E", "", "Three ruffs, each higher"),
    ("tarneeb_wikipedia", "D", "N", "C3 DJ DT D9", "W", "", "Three ruffs, each lower"),
    ("mulouk_41", "C", "W", "DA D2 D3 C2", "N", "", "The smallest trump beats the ace led"),
    ("jawaker_syrian_41", "H", "E", "D4 D5 S6 D3", "N", "", "Sister trump, nobody ruffs"),
    ("cardgames_zone_turned_trump", "S", "W", "H2 HA S2 HK", "E", "", "The turned suit itself is trump"),
    ("saharat_400", "H", "S", "H2 H4 H3 SA", "E", "", "Hearts led are trump led"),
)


def section() -> Section:
    made = Section("tricks", "Card play: following suit, who takes a trick, and what a revoke does.")
    for index, (preset, trump, leader, cards, winner, shows, title) in enumerate(TRICKS):
        _trick(made, index, preset, trump, leader, cards.split(), winner, shows, title)
    _following(made)
    _first_card(made)
    tricks_revokes.by_either_side(made)
    tricks_revokes.first_trick(made)
    tricks_revokes.fourth_card(made)
    tricks_houses.leads(made)
    tricks_houses.fixed_trumps(made)
    return made


def _trick(
    made: Section,
    index: int,
    preset: str,
    trump: str,
    leader: str,
    cards: list[str],
    winner: str,
    shows: str,
    title: str,
) -> None:
    moves = in_order(leader, cards)
    wanted = {move[0]: move[2:] for move in moves}
    closed = {move[0]: cards[0][0] for move in moves if move[2] != cards[0][0]}
    dealer = "ENWS"["NWSE".index(leader)]
    # The dealer needs a card to turn.
    if preset in ("saharat_syrian_41", "jawaker_syrian_41", "mulouk_41"):
        wanted[dealer] += " " + next(
            SISTER[trump] + rank for rank in "A3478" if SISTER[trump] + rank not in " ".join(wanted.values())
        )
    setup = position(preset, trump, leader, f"trick-{index + 1}", dealt_to_order(wanted, closed))
    fields = {
        "game.hand.trick_winners": [seat(winner)],
        "game.seat_to_act": seat(winner),
        "game.phase": "PHASE_PLAY",
        "game.hand.trump": strain(trump),
        "events": [played(moves[3]), {"trick_won": {"seat": seat(winner), "trick_number": 1}}],
    }
    made.accepted(
        f"winner-{index + 1}",
        f"{title}: {' '.join(moves)}, trump {'none' if trump == 'N' else trump}",
        f"C6 {shows}",
        setup.play(" ".join(moves[:3])),
        moves[3],
        fields,
    )


def _following(made: Section) -> None:
    # West has one spade.
    ruffer = dealt_to_order({"N": "S7", "W": "S2 H3 H4"}, {"W": "S"})
    void = dealt_to_order({"N": "S7", "W": "H3 H4 H5 D2 D3 D4 D5 C2 C3 C4 C5 C6 C7"}, {"W": "S"})
    table = """
        follow | C5 C01 | The one spade must be played | $hearts | may S2
        no-ruff | C5 C01 | No ruff while a spade is held |
            $hearts | W:H3 refused MUST_FOLLOW_SUIT C5 led_suit=S playable_cards=S2
        follow-trump | C5 C02 | A led trump is a suit like any other | $spades | may S2
        no-discard | C5 C02 | No discard on a led trump while holding one |
            $spades | W:H3 refused MUST_FOLLOW_SUIT C5 led_suit=S playable_cards=S2
        void | C5 | Without the suit any card goes, ruffs and discards |
            $void | may C2 C3 C4 C5 C6 C7 D2 D3 D4 D5 H3 H4 H5
        void-discards | C5 | Nobody must ruff | $void | W:C2 leads to game.seat_to_act=SEAT_SOUTH
        void-ruffs | C5 | Everybody may ruff | $void | W:H3 leads to game.seat_to_act=SEAT_SOUTH
    """
    made.state(
        table,
        hearts=position(CLASSIC, "H", "N", "one-spade", ruffer).play("N:S7"),
        spades=position(CLASSIC, "S", "N", "one-spade", ruffer).play("N:S7"),
        void=position(CLASSIC, "H", "N", "no-spade", void).play("N:S7"),
    )
    several = dealt_to_order({"N": "D7", "W": "D2 D5 DK DA"}, {"W": "D"})
    setup = position("saharat_400", "H", "N", "four-diamonds", several).play("N:D7")
    made.legal("no-need-to-win", "Any card of the suit, high or low", "C5", setup, "D2 D5 DK DA", repeat=20)
    made.legal("look-only", "Looking changes nothing", "C5 C13", setup, "D2 D5 DK DA", repeat=50)
    # Trick one is spades; East takes it and may lead what he likes.
    first = dealt_to_order({"N": "S5", "W": "S9", "S": "S2", "E": "SK H2 S3 D4 C6"})
    setup = position(CLASSIC, "H", "N", "east-takes", first).play("N:S5 W:S9 S:S2 E:SK")
    left = " ".join(card for card in first["E"].split() if card != "SK")
    made.legal("leader-free", "The last trick binds the leader to nothing", "C5 C6 C17", setup, left)
    fields = {
        "game.seat_to_act": seat("N"),
        "events": [played("E:H2")],
        "game.hand.trick_winners": [seat("E")],
    }
    made.accepted("fifth-card", "The next trick may begin at once", "C6 C115 C116", setup, "E:H2", fields)
    theirs = next(card for card in first["W"].split() if card[0] == "D")
    table = f"""
        fifth-seat | C2 C115 | The fifth card is the winner's | $east | N:S6 refused OUT_OF_TURN C2 seat_to_act=E
        played-card | C1 C14 | A card is played once | $east | E:SK refused CARD_NOT_HELD C1
        anothers-card | C1 C151 | Another's card: the same words | $east | E:{theirs} refused CARD_NOT_HELD C1
    """
    made.state(table, east=setup)
    one_each = dealt_to_order({"N": "S7", "W": "S2 H3", "E": "D7"}, {"W": "S"})
    for preset in ("saharat_syrian_41", "saharat_400", "jawaker_classic", "cardgames_zone"):
        setup = position(preset, "H", "N", "one-spade-five-presets", one_each).play("N:S7")
        made.legal(f"follow-{dashed(preset)}", f"Follow suit ({preset})", "C5", setup, "S2")
    # West has played twelve hearts, trump, and leads the last; South has one card left.
    twelve = " / ".join(f"W:H{rank} S:D{rank} E:C{rank} N:S{rank}" for rank in "23456789TJQK")
    made.state(f"""
        last-card | C5 | The last card plays itself | classic W:13 W:=H / {twelve} / W:HA | may DA
        declarer-leads | A7 | The declarer leads |
            classic dealer=S E:13 / E:=C | may C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA
    """)
    order = at(CLASSIC, "W:13 W:=H W:H2")
    for move, following in (("S:D2", "E"), ("E:C2", "N")):
        title = "Play goes to the right: North, West, South, East"
        fields = {"game.seat_to_act": seat(following), "events": [played(move)]}
        made.accepted(f"order-{following.lower()}", title, "C2 C46", order, move, fields)
        order.play(move)


def _first_card(made: Section) -> None:
    wiki, rules = "tarneeb_wikipedia", {"first_card": "trump"}
    hands = dealt_to_order({"N": "H2 H9 S3", "W": "H4"}, {"N": "H"})
    without = dealt_to_order({"N": "S3 S4"}, {"N": "H"})
    second = dealt_to_order({"N": "HA HK S3", "W": "H4", "S": "H5", "E": "H6"})
    table = """
        first-trump | T6 | A house where the first lead is a trump | $two | may H2 H9
        first-not-trump | T6 | Another suit is refused | $two |
            N:S3 refused MUST_LEAD_TRUMP T6 playable_cards=H2,H9 trump=H
        first-unheld | C1 T6 | A trump he does not hold | $two | N:H4 refused CARD_NOT_HELD C1
        first-none | T6 | Without a trump he leads what he likes | $none | N:S3 leads to game.seat_to_act=SEAT_WEST
        first-no-trump | T6 | No-trump asks nothing | $no_trump | N:S3 leads to game.seat_to_act=SEAT_WEST
        second-lead | T6 | Only the first lead is bound |
            $ace N:HA W:H4 S:H5 E:H6 | N:S3 leads to game.seat_to_act=SEAT_WEST
    """
    made.state(
        table,
        two=position(wiki, "H", "N", "two-hearts", hands, **rules),
        none=position(wiki, "H", "N", "no-heart", without, **rules),
        no_trump=position("jawaker_egyptian", "N", "N", "two-hearts", hands, **rules),
        ace=position(wiki, "H", "N", "ace-king", second, **rules),
    )
