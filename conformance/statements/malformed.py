"""Malformed requests and impossible games: the paths and reasons that must be named, and raw bytes."""

from typing import Any

from conformance.runner import card_json, cards_json
from conformance.statements import fair, malformed_games, malformed_history, malformed_moves
from conformance.statements.notation import CLASSIC, ONE_SUIT_EACH, choice
from conformance.statements.positions import Setup, at, bytes_json
from conformance.statements.section import Section

JSON = Any


def section() -> Section:
    made = Section(
        "malformed", "Malformed requests and impossible games: what is wrong, and where; and raw bytes."
    )
    _creating(made)
    _dealing(made)
    malformed_moves.moves(made)
    malformed_games.given(made)
    malformed_games.hands(made)
    malformed_history.history(made)
    malformed_history.derived(made)
    malformed_history.both_sides(made)
    malformed_moves.fair_deals(made)
    malformed_moves.raw(made)
    return made


def _creating(made: Section) -> None:
    good: dict[str, JSON] = {"id": "g", "rule_set": choice(CLASSIC), "first_dealer": "SEAT_NORTH"}
    seeded = {key: value for key, value in good.items() if key != "first_dealer"}
    rows: tuple[tuple[str, str, str, JSON, str], ...] = (
        ("no-id", "No id", "", {**good, "id": ""}, "id MISSING"),
        ("id-65", "An id of 65 bytes", "", {**good, "id": "g" * 65}, "id OUT_OF_RANGE"),
        ("id-65-utf8", "33 letters of two bytes", "", {**good, "id": "é" * 33}, "id OUT_OF_RANGE"),
        ("id-control", "A line break in an id", "", {**good, "id": "a\nb"}, "id OUT_OF_RANGE"),
        (
            "id-delete",
            "A control character that is seven bits",
            "",
            {**good, "id": "a\x7f"},
            "id OUT_OF_RANGE",
        ),
        ("id-c1", "A control character of eight bits", "", {**good, "id": "a\x85"}, "id OUT_OF_RANGE"),
        ("no-rules", "No rules", "", {key: good[key] for key in ("id", "first_dealer")}, "rule_set MISSING"),
        ("no-preset", "No preset", "", {**good, "rule_set": {}}, "rule_set.preset_id MISSING"),
        (
            "preset",
            "No such preset",
            "",
            {**good, "rule_set": choice("bridge")},
            "rule_set.preset_id UNKNOWN_PRESET",
        ),
        (
            "locked",
            "A locked target",
            "",
            {**good, "rule_set": choice("mulouk_41", {"target": 61})},
            "rule_set.overrides.target LOCKED",
        ),
        (
            "no-dealer",
            "Neither a dealer nor a seed: there is no default",
            "C3 C58",
            seeded,
            "first_dealer MISSING",
        ),
        ("dealer-0", "A dealer that is no seat", "C128", {**good, "first_dealer": 0}, "first_dealer MISSING"),
        ("dealer-5", "A fifth seat", "", {**good, "first_dealer": 5}, "first_dealer UNKNOWN_VALUE"),
        (
            "seed-15",
            "A seed of 15 bytes",
            "C3",
            {**seeded, "first_dealer_seed": bytes_json(bytes(15))},
            "first_dealer_seed OUT_OF_RANGE",
        ),
        (
            "seed-65",
            "A seed of 65 bytes",
            "C3",
            {**seeded, "first_dealer_seed": bytes_json(bytes(65))},
            "first_dealer_seed OUT_OF_RANGE",
        ),
        ("viewer", "No such viewer", "", {**good, "viewers": [9]}, "viewers[0] UNKNOWN_VALUE"),
        ("all", "Everything at once", "", {}, "id MISSING, rule_set MISSING, first_dealer MISSING"),
    )
    for slug, title, shows, request, found in rows:
        made.invalid(f"create-{slug}", f"CreateGame: {title}", shows, "CreateGame", request, found)


def _dealing(made: Section) -> None:
    hands = [{"cards": cards_json(ONE_SUIT_EACH[letter])} for letter in "NWSE"]
    deck = cards_json(" ".join(fair.DECK))
    good: dict[str, JSON] = {"hands": {"hands": hands}}
    seed = bytes_json(bytes(16))

    def deal(slug: str, title: str, shows: str, source: JSON, found: str, setup: Setup | None = None) -> None:
        request: dict[str, JSON] = {"game": "$game"}
        if source is not None:
            request["deal"] = source
        setup = setup or Setup(CLASSIC)
        made.invalid(f"deal-{slug}", f"DealHand: {title}", shows, "DealHand", request, found, setup)

    deal("none", "No deal", "", None, "deal MISSING")
    deal("empty", "A deal without cards or seed", "", {}, "deal MISSING")
    deal(
        "seed-15",
        "A seed of 15 bytes",
        "",
        {"seeded": {"seed": bytes_json(bytes(15))}},
        "deal.seeded.seed OUT_OF_RANGE",
    )
    deal(
        "seed-65",
        "A seed of 65 bytes",
        "",
        {"seeded": {"seed": bytes_json(bytes(65))}},
        "deal.seeded.seed OUT_OF_RANGE",
    )
    deal("no-seed", "No seed: there is no default", "C58", {"seeded": {}}, "deal.seeded.seed MISSING")
    deal(
        "cut-65",
        "A cut of 65 bytes",
        "C4",
        {"seeded": {"seed": seed, "cut": bytes_json(bytes(65))}},
        "deal.seeded.cut OUT_OF_RANGE",
    )
    deal(
        "commitment-31",
        "A commitment of 31 bytes",
        "",
        {"seeded": {"seed": seed, "commitment": bytes_json(bytes(31))}},
        "deal.seeded.commitment OUT_OF_RANGE",
    )
    deal(
        "commitment",
        "The commitment of another seed",
        "",
        {"seeded": {"seed": seed, "commitment": bytes_json(bytes(32))}},
        "deal.seeded.commitment COMMITMENT",
    )
    other = fair.commitment(bytes(16), "conformance", 2)
    deal(
        "commitment-hand",
        "The commitment of another hand",
        "C53",
        {"seeded": {"seed": seed, "commitment": bytes_json(other)}},
        "deal.seeded.commitment COMMITMENT",
    )
    deal(
        "cut-needed",
        "No cut where one is needed",
        "C4",
        {"seeded": {"seed": seed}},
        "deal.seeded.cut MISSING, deal.seeded.commitment MISSING",
        Setup(CLASSIC, cut="required"),
    )
    # Whoever may pick the seed after the cut is not bound by it.
    deal(
        "commitment-needed",
        "No commitment where a cut is needed",
        "C4",
        {"seeded": {"seed": seed, "cut": bytes_json(b"x")}},
        "deal.seeded.commitment MISSING",
        Setup(CLASSIC, cut="required"),
    )
    deal(
        "cut-alone",
        "A commitment, and no cut where one is needed",
        "C4",
        {"seeded": {"seed": seed, "commitment": bytes_json(fair.commitment(bytes(16), "conformance", 1))}},
        "deal.seeded.cut MISSING",
        Setup(CLASSIC, cut="required"),
    )
    deal("deck-51", "A deck of 51", "C1", {"deck": {"cards": deck[:51]}}, "deal.deck.cards WRONG_COUNT")
    deal(
        "deck-53", "A deck of 53", "C1", {"deck": {"cards": [*deck, deck[0]]}}, "deal.deck.cards WRONG_COUNT"
    )
    deal(
        "deck-twice",
        "A card twice",
        "C1 C130",
        {"deck": {"cards": [*deck[:51], deck[0]]}},
        "deal.deck.cards[51] DUPLICATE",
    )
    for number in (15, 17, 31, 33, 79, 1000):
        deal(
            f"deck-card-{number}",
            f"Card number {number} is none of the 52",
            "C11",
            {"deck": {"cards": [number, *deck[1:]]}},
            "deal.deck.cards[0] UNKNOWN_VALUE",
        )
    deal("hands-3", "Three hands", "C1", {"hands": {"hands": hands[:3]}}, "deal.hands.hands WRONG_COUNT")
    short = [{"cards": hands[0]["cards"][:12]}, *hands[1:]]
    deal(
        "hand-12",
        "A hand of twelve",
        "C1 C130",
        {"hands": {"hands": short}},
        "deal.hands.hands[0].cards WRONG_COUNT",
    )
    twice = [hands[0], {"cards": [*hands[1]["cards"][:12], card_json("SA")]}, *hands[2:]]
    deal(
        "hand-twice",
        "A card in two hands",
        "C1 C130",
        {"hands": {"hands": twice}},
        "deal.hands.hands[1].cards[12] DUPLICATE",
    )
    turned = {"hands": {"hands": hands, "turned_card": card_json("S9")}}
    deal("turned", "A turned card where none is turned", "T3", turned, "deal.hands.turned_card UNEXPECTED")
    deal(
        "unturned",
        "None where one is turned",
        "T3",
        good,
        "deal.hands.turned_card MISSING",
        Setup("mulouk_41"),
    )
    deal(
        "turned-other",
        "The turned card of another seat",
        "T3 T5",
        turned,
        "deal.hands.turned_card NOT_DEALT",
        Setup("mulouk_41", "W"),
    )
    odd = {"hands": {"hands": hands, "turned_card": 15}}
    deal(
        "turned-odd",
        "A turned card that is none",
        "T3",
        odd,
        "deal.hands.turned_card UNKNOWN_VALUE",
        Setup("mulouk_41"),
    )
    deal("twice", "A deal in the auction", "P2", good, "game.phase WRONG_PHASE", at(CLASSIC))
    deal("in-play", "A deal during play", "P2", good, "game.phase WRONG_PHASE", at(CLASSIC, "W:13 W:=H"))
    made.invalid("deal-no-game", "DealHand: no game", "C157", "DealHand", {"deal": good}, "game MISSING")
