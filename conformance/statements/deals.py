"""Deals: fair ones from a seed, and those that callers bring; computed by `fair`, not by the service."""

from typing import Any

from conformance.runner import card_json, cards_json
from conformance.statements import fair
from conformance.statements.notation import ONE_SUIT_EACH, choice, dashed, held, right_of, seat, strain
from conformance.statements.positions import SISTER, Setup, bytes_json
from conformance.statements.section import Section

JSON = Any
ID = "conformance"
LONG_ID, ARABIC_ID = "g" * 64, "طاولة-٧"
COUNTING = bytes(range(64))
ORDER_SINGLY, ORDER_PACKETS = "DEAL_ORDER_SINGLY", "DEAL_ORDER_PACKETS"
# Name, seed, cut, game id, hand number, dealer.
FAIR = (
    ("shortest-seed", COUNTING[:16], b"", ID, 1, "N"),
    ("longest-seed", COUNTING, b"", ID, 1, "N"),
    ("seed-of-17", COUNTING[:17], b"", ID, 1, "N"),
    ("one-byte-cut", COUNTING[:16], b"\x00", ID, 1, "N"),
    ("longest-cut", COUNTING[:16], COUNTING, ID, 1, "N"),
    ("zero-seed", bytes(16), b"", ID, 1, "N"),
    ("all-ones-seed", b"\xff" * 16, b"", ID, 1, "N"),
    ("31-bit-prime-seed", (2**31 - 1).to_bytes(16, "big"), b"", ID, 1, "N"),
    ("special-seed", (2147473674).to_bytes(16, "big"), b"", ID, 1, "N"),
    ("seed-100-hand-2", (100).to_bytes(16, "big"), b"", ID, 2, "N"),
    ("seed-101-hand-1", (101).to_bytes(16, "big"), b"", ID, 1, "N"),
    ("another-game", COUNTING[:16], b"", "another", 1, "N"),
    ("longest-id", COUNTING[:16], b"", LONG_ID, 1, "N"),
    ("shortest-id", COUNTING[:16], b"", "g", 1, "N"),
    ("arabic-id", COUNTING[:32], b"cut", ARABIC_ID, 1, "N"),
    ("hand-2", COUNTING[:16], b"", ID, 2, "N"),
    ("hand-256", COUNTING[:16], b"", ID, 256, "N"),
    ("hand-65536", COUNTING[:16], b"", ID, 65536, "N"),
    ("highest-hand", COUNTING[:16], b"", ID, 2**31 - 1, "N"),
    ("dealer-west", COUNTING[:16], b"", ID, 1, "W"),
    ("dealer-south", COUNTING[:16], b"", ID, 1, "S"),
    ("dealer-east", COUNTING[:16], b"", ID, 1, "E"),
    ("seed-end-in-cut", COUNTING[:16], COUNTING[16:17], ID, 1, "N"),
)


def section() -> Section:
    made = Section(
        "deals",
        "Deals: commitments, fair deals from seeds, decks and hands, the first dealer, the turned card.",
    )
    for row in FAIR:
        _fair(made, *row)
    _through_deal_hand(made)
    _unfair(made)
    _first_dealers(made)
    _brought(made)
    _turned(made)
    return made


def hands_json(dealt: dict[str, list[str]]) -> list[JSON]:
    return [{"cards": held(" ".join(dealt[letter]))} for letter in "NWSE"]


def _verify(seed: bytes, cut: bytes, game_id: str, hand: int, dealer: str, *, packets: bool = False) -> JSON:
    deck = fair.deck(seed, cut, game_id, hand)
    seeded = {
        "seed": bytes_json(seed),
        "commitment": bytes_json(fair.commitment(seed, game_id, hand)),
        "cut": bytes_json(cut),
    }
    return {
        "game_id": game_id,
        "hand_number": hand,
        "dealer": seat(dealer),
        "deal_order": ORDER_PACKETS if packets else ORDER_SINGLY,
        "seeded": {key: value for key, value in seeded.items() if value},
        "dealt": {
            "hands": hands_json(fair.hands(deck, dealer, packets=packets)),
            "turned_card": card_json(deck[-1]),
        },
    }


ALL_FAIR = {"response": {"fair": True, "commitment_matches": True, "cards_match": True}}


def _fair(made: Section, name: str, seed: bytes, cut: bytes, game_id: str, hand: int, dealer: str) -> None:
    shows = {
        "31-bit-prime-seed": "C52",
        "special-seed": "C52",
        "zero-seed": "C52",
        "seed-100-hand-2": "C53",
        "seed-101-hand-1": "C53",
        "hand-2": "C50 C158",
    }.get(name, "")
    if dealer == "N":
        request = {"game_id": game_id, "hand_number": hand, "seed": bytes_json(seed)}
        expect = {"response": {"commitment": bytes_json(fair.commitment(seed, game_id, hand))}}
        made.add(
            f"commit-{name}",
            f"The commitment: {name.replace('-', ' ')}",
            shows,
            "CommitDeal",
            request,
            expect,
        )
    request = _verify(seed, cut, game_id, hand, dealer)
    title = f"The cards of a seed: {name.replace('-', ' ')}"
    made.add(f"cards-{name}", title, f"C1 C2 C4 {shows} C11", "VerifyDeal", request, ALL_FAIR)


def _through_deal_hand(made: Section) -> None:
    seed = COUNTING[:16]
    for preset, dealer, order in (
        ("saharat_classic", "N", "singly"),
        ("saharat_classic", "S", "singly"),
        ("tarneeb_wikipedia", "W", "packets"),
        ("tarneeb_wikipedia", "E", "packets"),
    ):
        packets = order == "packets"
        dealt = fair.hands(fair.deck(seed, b"cut", ID, 1), dealer, packets=packets)
        title = f"A hand dealt {'13 at a time' if packets else 'singly'} from a seed, {dealer} deals"
        deal = {
            "seeded": {
                "seed": bytes_json(seed),
                "cut": bytes_json(b"cut"),
                "commitment": bytes_json(fair.commitment(seed, ID, 1)),
            }
        }
        fields: dict[str, JSON] = {
            "game.hand.dealt": hands_json(dealt),
            "game.hand.turned_card": None,
            "game.seat_to_act": seat(right_of(dealer)),
            "game.hand_number": 1,
            "game.revision": 1,
            "events": [{"hand_dealt": {"hand_number": 1, "dealer": seat(dealer)}}],
        }
        slug = f"dealt-{dashed(preset)}-{dealer.lower()}"
        request = {"game": "$game", "deal": deal}
        setup = Setup(preset, dealer, deal_order=order)
        made.add(slug, title, "C3 C4 C59 C160", "DealHand", request, {"fields": fields}, setup, repeat=3)
    request = _verify(seed, b"", ID, 1, "N", packets=True)
    made.add("cards-packets", "The cards of a seed, 13 at a time", "C4", "VerifyDeal", request, ALL_FAIR)
    # After a void hand the same seed gives other cards: the hand's number is part of the deal.
    setup = Setup("saharat_400", "E").deal_seeded(seed).play("N:2 W:2 S:2 E:2")
    dealt = fair.hands(fair.deck(seed, b"", ID, 2), "N")
    assert dealt != fair.hands(fair.deck(seed, b"", ID, 1), "N")
    fields = {
        "game.hand_number": 2,
        "game.hand.dealt": hands_json(dealt),
        "game.hand.calls": None,
        "game.dealer": "SEAT_NORTH",
        "game.seat_to_act": "SEAT_WEST",
    }
    made.add(
        "redeal",
        "A void hand is dealt anew: the same seed, other cards, a new auction",
        "A14 C50 C158 C119",
        "DealHand",
        {"game": "$game", "deal": {"seeded": {"seed": bytes_json(seed)}}},
        {"fields": fields},
        setup,
    )


def _unfair(made: Section) -> None:
    seed = COUNTING[:16]
    good = _verify(seed, b"cut", ID, 1, "N")

    def judged(slug: str, title: str, change: JSON, *, committed: bool, cards: bool) -> None:
        request = {**good, **change}
        response: dict[str, JSON] = {"commitment_matches": True} if committed else {}
        if cards:
            response["cards_match"] = True
        made.add(slug, title, "", "VerifyDeal", request, {"response": response})

    seeded = good["seeded"]
    other = {**seeded, "cut": bytes_json(b"cat")}
    judged("unfair-cut", "Another cut", {"seeded": other}, committed=True, cards=False)
    other = {**seeded, "commitment": bytes_json(bytes(32))}
    judged("unfair-commitment", "Another commitment", {"seeded": other}, committed=False, cards=True)
    other = {**seeded, "seed": bytes_json(COUNTING[1:17])}
    judged("unfair-seed", "Another seed", {"seeded": other}, committed=False, cards=False)
    judged("unfair-dealer", "Another dealer", {"dealer": seat("W")}, committed=True, cards=False)
    judged("unfair-order", "Another order", {"deal_order": ORDER_PACKETS}, committed=True, cards=False)
    judged("unfair-game", "Another game", {"game_id": "other"}, committed=False, cards=False)
    judged("unfair-hand", "Another hand", {"hand_number": 2}, committed=False, cards=False)
    swapped = [good["dealt"]["hands"][i] for i in (1, 0, 2, 3)]
    judged(
        "unfair-cards", "Two hands changed places", {"dealt": {"hands": swapped}}, committed=True, cards=False
    )
    turned = next(card for card in good["dealt"]["hands"][0]["cards"] if card != good["dealt"]["turned_card"])
    other = {**good["dealt"], "turned_card": turned}
    judged("unfair-turned", "Another card turned", {"dealt": other}, committed=True, cards=False)
    request = {**good, "dealt": {"hands": good["dealt"]["hands"]}}
    made.add("fair-unturned", "The turned card may be left out", "", "VerifyDeal", request, ALL_FAIR)
    shuffled = [{"cards": list(reversed(hand["cards"]))} for hand in good["dealt"]["hands"]]
    request = {**good, "dealt": {"hands": shuffled}}
    made.add("fair-any-order", "A hand's cards may come in any order", "", "VerifyDeal", request, ALL_FAIR)


def _first_dealers(made: Section) -> None:
    request = {"game_id": ID, "hand_number": 0, "seed": bytes_json(COUNTING)}
    expect = {"response": {"commitment": bytes_json(fair.commitment(COUNTING, ID, 0))}}
    title = "The commitment to a seed of the first dealer, as hand nought"
    made.add("commit-first-dealer", title, "C3", "CommitDeal", request, expect)
    # The first counting seeds that pick each seat.
    found: dict[str, bytes] = {}
    number = 0
    while len(found) < 4:
        seed = number.to_bytes(16, "big")
        found.setdefault(fair.first_dealer(seed, ID), seed)
        number += 1
    picked = [(letter, found[letter], ID) for letter in "NWSE"]
    picked += [
        (fair.first_dealer(COUNTING, ID), COUNTING, ID),
        (fair.first_dealer(COUNTING, ARABIC_ID), COUNTING, ARABIC_ID),
    ]
    for index, (letter, seed, game_id) in enumerate(picked):
        request = {
            "id": game_id,
            "rule_set": choice("saharat_classic"),
            "first_dealer_seed": bytes_json(seed),
        }
        expect = {"fields": {"game.next_dealer": seat(letter), "game.phase": "PHASE_AWAITING_DEAL"}}
        title = f"A seed of {len(seed)} bytes picks {letter} as the first dealer"
        made.add(f"first-dealer-{index + 1}", title, "C3 C47", "CreateGame", request, expect, repeat=3)


def _brought(made: Section) -> None:
    deck = [card for rank in "23456789TJQKA" for card in ("C" + rank, "D" + rank, "H" + rank, "S" + rank)]
    for dealer in "NWSE":
        for order in ("singly", "packets"):
            setup = Setup("saharat_classic", dealer, deal_order=order)
            dealt = fair.hands(deck, dealer, packets=order == "packets")
            if order == "singly":
                # Every fourth card: the dealer's right gets the clubs.
                assert set(dealt[right_of(dealer)]) == {"C" + rank for rank in "23456789TJQKA"}
            fields: dict[str, JSON] = {"game.hand.dealt": hands_json(dealt), "game.dealer": seat(dealer)}
            title = f"A deck dealt {order} by {dealer}: from his right, the last card his own"
            made.add(
                f"deck-{order}-{dealer.lower()}",
                title,
                "C2 C4",
                "DealHand",
                {"game": "$game", "deal": {"deck": {"cards": cards_json(" ".join(deck))}}},
                {"fields": fields},
                setup,
            )
    fields = {
        "game.hand.dealt": [{"cards": held(ONE_SUIT_EACH[letter])} for letter in "NWSE"],
        "game.hand_number": 1,
        "game.phase": "PHASE_AUCTION",
        "game.dealer": seat("N"),
        "game.next_dealer": None,
    }
    made.dealt(
        "hands", "Four hands as they were dealt elsewhere", "C1", Setup("saharat_classic").deal(), fields
    )
    shuffled = [{"cards": cards_json(" ".join(reversed(ONE_SUIT_EACH[letter].split())))} for letter in "NWSE"]
    made.add(
        "hands-any-order",
        "In any order; answers list them ascending",
        "C1",
        "DealHand",
        {"game": "$game", "deal": {"hands": {"hands": shuffled}}},
        {"fields": {"game.hand.dealt": fields["game.hand.dealt"]}},
        Setup("saharat_classic"),
    )
    for scores, first in (([0, 0], "N"), ([31, -7], "S")):
        setup = Setup("saharat_classic", first, scores).deal()
        made.dealt(
            f"scores-before-{first.lower()}",
            "A deal keeps the scores and writes them down",
            "C8",
            setup,
            {"game.scores": scores, "game.hand.scores_before": scores},
        )
    setup = Setup("tarneeb_wikipedia", cut="required")
    shown = bytes_json(fair.commitment(COUNTING[:16], ID, 1))
    deal = {"seeded": {"seed": bytes_json(COUNTING[:16]), "cut": bytes_json(b"x"), "commitment": shown}}
    made.add(
        "cut-required",
        "A house that needs a cut, and got one after the commitment was shown",
        "C4",
        "DealHand",
        {"game": "$game", "deal": deal},
        {"fields": {"game.hand_number": 1}},
        setup,
    )


def _turned(made: Section) -> None:
    for preset in ("saharat_syrian_41", "jawaker_syrian_41", "mulouk_41", "cardgames_zone_turned_trump"):
        own = preset == "cardgames_zone_turned_trump"
        for dealer, shown in zip("NWSE", "SHDC", strict=True):
            card = ONE_SUIT_EACH[dealer].split()[2]
            trump = shown if own else SISTER[shown]
            setup = Setup(preset, dealer).deal(turned=card)
            event = {
                "hand_number": 1,
                "dealer": seat(dealer),
                "turned_card": card_json(card),
                "trump": strain(trump),
            }
            fields: dict[str, JSON] = {
                "game.hand.trump": strain(trump),
                "game.hand.turned_card": card_json(card),
                "events": [{"hand_dealt": event}],
            }
            title = f"{card} turned by {dealer}: {trump} is trump, {'its own' if own else 'its sister'} suit"
            made.dealt(
                f"turned-{dashed(preset)}-{shown.lower()}",
                title,
                "T5" if own else "T3 C56",
                setup,
                fields,
            )
    fields = {
        "game.hand.trump": strain("H"),
        "events[0].hand_dealt.trump": strain("H"),
        "game.hand.turned_card": None,
    }
    made.dealt("fixed-hearts", "400: hearts, with the deal", "T4", Setup("saharat_400").deal(), fields)
    # The dealer's last card as dealt is low, his highest when sorted a spade.
    deck = fair.DECK[:51] + fair.DECK[51:]
    last = "D7"
    deck = [card for card in deck if card != last] + [last]
    place, spade = 47, deck.index("SK")
    deck[place], deck[spade] = deck[spade], deck[place]
    dealt = fair.hands(deck, "N")
    assert dealt["N"][-1] == last
    assert "SK" in dealt["N"]
    fields = {
        "game.hand.turned_card": card_json(last),
        "game.hand.trump": strain("H"),
        "game.hand.dealt": hands_json(dealt),
    }
    made.add(
        "turned-52nd",
        "The turned card is the 52nd dealt, not the dealer's highest",
        "T3 C55",
        "DealHand",
        {"game": "$game", "deal": {"deck": {"cards": cards_json(" ".join(deck))}}},
        {"fields": fields},
        Setup("saharat_syrian_41"),
    )
