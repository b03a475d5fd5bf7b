"""Houses in which another leads the first trick, or another suit is always trump."""

from typing import Any

from conformance.statements.notation import (
    ONE_SUIT_EACH,
    dashed,
    dealt_to_order,
    played,
    right_of,
    seat,
    strain,
)
from conformance.statements.positions import Setup, at, position
from conformance.statements.section import Section
from conformance.statements.tables import position_of, rows, rules_of

JSON = Any
# Slug, what it is, the calls but the last, the last, trump, who leads, and who may think that he does.
# The declarer is never the dealer nor his right.
LEADS = """
    dealer-named | The dealer leads | classic opening_lead=dealer W:P S:9 E:P N:P | S:=D | D | N | SW
    dealer-east | Whoever deals | classic dealer=E opening_lead=dealer N:P W:8 S:P E:P | W:=C | C | E | WN
    dealer-in-bid | The dealer leads | egyptian dealer=W opening_lead=dealer S:7S E:8N N:P W:P S:P | E:P | N | W | ES
    dealer-zone | The dealer leads | cardgames_zone dealer=S opening_lead=dealer E:7 N:8 W:P S:P | N:=S | S | S | NE
    dealer-400 | The dealer leads | saharat_400 opening_lead=dealer W:3 S:3 E:3 | N:3 | H | N | W
    dealer-41 | The dealer leads | mulouk_41 dealer=S opening_lead=dealer E:3 N:3 W:3 | S:3 | H | S | E
    right-named | The dealer's right leads | classic opening_lead=dealers_right W:P S:9 E:P N:P | S:=D | D | W | SN
    right-fourth | The dealer's right leads |
        tarneeb_wikipedia opening_lead=dealers_right W:7 S:P E:P N:8 W:P | N:=C | C | W | N
    right-in-bid | The dealer's right leads |
        egyptian dealer=W opening_lead=dealers_right S:7S E:8N N:P W:P S:P | E:P | N | S | EW
    right-zone | The dealer's right leads |
        cardgames_zone dealer=S opening_lead=dealers_right E:7 N:8 W:P S:P | N:=S | S | E | NS
"""


def leads(made: Section) -> None:
    """The seat to act once the play begins, its cards, and a card by another seat."""
    for slug, what, calls, last, trump, leader, others in rows(LEADS, 7):
        setup, preset = position_of(calls), rules_of(calls.split()[0])[0]
        fields: dict[str, JSON] = {
            "game.phase": "PHASE_PLAY",
            "game.seat_to_act": seat(leader),
            "game.hand.opening_leader": seat(leader),
            "game.hand.trump": strain(trump),
        }
        shows = "A12" if preset in ("saharat_400", "mulouk_41") else "A7"
        made.accepted(f"lead-{slug}", f"{what} ({preset})", shows, setup, last, fields)
        _first_trick(made, slug, preset, shows, setup.play(last), leader, others)
    preset = "cardgames_zone_turned_trump"
    for slug, leader, other in (("turned", "N", "W"), ("turned-east", "E", "N")):
        setup = at(preset, dealer=leader, opening_lead="dealer")
        fields = {
            "game.phase": "PHASE_PLAY",
            "game.seat_to_act": seat(leader),
            "game.hand.opening_leader": seat(leader),
        }
        made.dealt(f"lead-dealer-{slug}", f"The dealer leads ({preset})", "A16", setup, fields)
        _first_trick(made, f"dealer-{slug}", preset, "A16", setup, leader, other)


def _first_trick(
    made: Section, slug: str, preset: str, shows: str, setup: Setup, leader: str, others: str
) -> None:
    made.legal(f"lead-{slug}-legal", f"He may lead any card ({preset})", shows, setup, ONE_SUIT_EACH[leader])
    for other in others:
        row = f"""
            lead-{slug}-not-{other.lower()} | C2 {shows} | And {other} may not ({preset}) |
                $here | {other}:{ONE_SUIT_EACH[other].split()[0]} refused OUT_OF_TURN C2 seat_to_act={leader}
        """
        made.state(row, here=setup)
    first = f"{leader}:{ONE_SUIT_EACH[leader].split()[4]}"
    fields = {"game.seat_to_act": seat(right_of(leader)), "events": [played(first)]}
    title = f"He leads, his right follows ({preset})"
    made.accepted(f"lead-{slug}-plays", title, "C2", setup, first, fields)


def fixed_trumps(made: Section) -> None:
    """T4: the same four cards, led by North, under each trump that a house may have fixed."""
    cards = {"N": "C5", "W": "DA", "S": "H2", "E": "S2"}
    hands = dealt_to_order(cards, {"W": "C", "S": "C", "E": "C"})
    names = (("clubs", "C", "N"), ("diamonds", "D", "W"), ("hearts", "H", "S"), ("spades", "S", "E"))
    for name, letter, winner in (*names, ("no_trump", "N", "N")):
        setup = position("saharat_400", letter, "N", "a-club-and-three-discards", hands, fixed_trump=name)
        fields = {
            "game.hand.trump": strain(letter),
            "game.hand.trick_winners": [seat(winner)],
            "game.seat_to_act": seat(winner),
            "events": [played("E:S2"), {"trick_won": {"seat": seat(winner), "trick_number": 1}}],
        }
        title = f"Always {dashed(name)}: a club led, and nobody else has one"
        made.accepted(f"fixed-{dashed(name)}", title, "T4 C6", setup.play("N:C5 W:DA S:H2"), "E:S2", fields)
        dealt = Setup("saharat_400", fixed_trump=name).deal()
        fields = {"game.hand.trump": strain(letter), "events[0].hand_dealt.trump": strain(letter)}
        made.dealt(
            f"fixed-{dashed(name)}-dealt",
            f"{title.split(':', maxsplit=1)[0]}: known with the deal",
            "T4",
            dealt,
            fields,
        )
