"""Houses in which another leads the first trick, or another suit is always trump."""

from typing import Any

from conformance.statements.notation import ONE_SUIT_EACH, dealt_to_order, played, seat, strain
from conformance.statements.positions import Setup, at, position
from conformance.statements.section import Section

JSON = Any
DEALER: dict[str, JSON] = {"opening_lead": "dealer"}
RIGHT: dict[str, JSON] = {"opening_lead": "dealers_right"}
# Slug, what it is, rule set, house, first dealer, calls but the last, the last, trump, who leads, and who
# may think that he does. The declarer is never the dealer nor his right.
LEADS: tuple[tuple[str, str, str, dict[str, JSON], str, str, str, str, str, str], ...] = (
    (
        "dealer-named",
        "The dealer leads",
        "saharat_classic",
        DEALER,
        "N",
        "W:P S:9 E:P N:P",
        "S:=D",
        "D",
        "N",
        "SW",
    ),
    (
        "dealer-east",
        "Whoever deals",
        "saharat_classic",
        DEALER,
        "E",
        "N:P W:8 S:P E:P",
        "W:=C",
        "C",
        "E",
        "WN",
    ),
    (
        "dealer-in-bid",
        "The dealer leads",
        "jawaker_egyptian",
        DEALER,
        "W",
        "S:7S E:8N N:P W:P S:P",
        "E:P",
        "N",
        "W",
        "ES",
    ),
    (
        "dealer-zone",
        "The dealer leads",
        "cardgames_zone",
        DEALER,
        "S",
        "E:7 N:8 W:P S:P",
        "N:=S",
        "S",
        "S",
        "NE",
    ),
    ("dealer-400", "The dealer leads", "saharat_400", DEALER, "N", "W:3 S:3 E:3", "N:3", "H", "N", "W"),
    ("dealer-41", "The dealer leads", "mulouk_41", DEALER, "S", "E:3 N:3 W:3", "S:3", "H", "S", "E"),
    (
        "right-named",
        "The dealer's right leads",
        "saharat_classic",
        RIGHT,
        "N",
        "W:P S:9 E:P N:P",
        "S:=D",
        "D",
        "W",
        "SN",
    ),
    (
        "right-fourth",
        "The dealer's right leads",
        "tarneeb_wikipedia",
        RIGHT,
        "N",
        "W:7 S:P E:P N:8 W:P",
        "N:=C",
        "C",
        "W",
        "N",
    ),
    (
        "right-in-bid",
        "The dealer's right leads",
        "jawaker_egyptian",
        RIGHT,
        "W",
        "S:7S E:8N N:P W:P S:P",
        "E:P",
        "N",
        "S",
        "EW",
    ),
    (
        "right-zone",
        "The dealer's right leads",
        "cardgames_zone",
        RIGHT,
        "S",
        "E:7 N:8 W:P S:P",
        "N:=S",
        "S",
        "E",
        "NS",
    ),
)


def leads(made: Section) -> None:
    """The seat to act once the play begins, its cards, and a card by another seat."""
    for slug, what, preset, house, dealer, calls, last, trump, leader, others in LEADS:
        setup = at(preset, calls, dealer, **house)
        fields: dict[str, JSON] = {
            "game.phase": "PHASE_PLAY",
            "game.seat_to_act": seat(leader),
            "game.hand.opening_leader": seat(leader),
            "game.hand.trump": strain(trump),
        }
        shows = "A12" if preset in ("saharat_400", "mulouk_41") else "A7"
        made.accepted(f"lead-{slug}", f"{what} ({preset})", shows, setup, last, fields)
        _first_trick(made, slug, preset, shows, setup.play(last), leader, others)
    for slug, house, dealer, leader, other in (
        ("turned", DEALER, "N", "N", "W"),
        ("turned-east", DEALER, "E", "E", "N"),
    ):
        preset = "cardgames_zone_turned_trump"
        setup = at(preset, dealer=dealer, **house)
        fields = {
            "game.phase": "PHASE_PLAY",
            "game.seat_to_act": seat(leader),
            "game.hand.opening_leader": seat(leader),
        }
        made.dealt(f"lead-dealer-{slug}", f"The dealer leads ({preset})", "A16", setup, fields)
        _first_trick(made, f"dealer-{slug}", preset, "A16", at(preset, dealer=dealer, **house), leader, other)


def _first_trick(
    made: Section, slug: str, preset: str, shows: str, setup: Setup, leader: str, others: str
) -> None:
    made.legal(f"lead-{slug}-legal", f"He may lead any card ({preset})", shows, setup, ONE_SUIT_EACH[leader])
    for other in others:
        made.refused(
            f"lead-{slug}-not-{other.lower()}",
            f"And {other} may not ({preset})",
            f"C2 {shows}",
            setup,
            f"{other}:{ONE_SUIT_EACH[other].split()[0]}",
            "OUT_OF_TURN",
            "C2",
            seat_to_act=seat(leader),
        )
    first = ONE_SUIT_EACH[leader].split()[4]
    following = "NWSE"[("NWSE".index(leader) + 1) % 4]
    fields = {"game.seat_to_act": seat(following), "events": [played(f"{leader}:{first}")]}
    made.accepted(
        f"lead-{slug}-plays",
        f"He leads, his right follows ({preset})",
        "C2",
        setup,
        f"{leader}:{first}",
        fields,
    )


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
        title = f"Always {name.replace('_', '-')}: a club led, and nobody else has one"
        made.accepted(
            f"fixed-{name.replace('_', '-')}", title, "T4 C6", setup.play("N:C5 W:DA S:H2"), "E:S2", fields
        )
        dealt = Setup("saharat_400", fixed_trump=name).deal()
        fields = {"game.hand.trump": strain(letter), "events[0].hand_dealt.trump": strain(letter)}
        made.dealt(
            f"fixed-{name.replace('_', '-')}-dealt",
            f"{title.split(':', maxsplit=1)[0]}: known with the deal",
            "T4",
            dealt,
            fields,
        )
