"""Malformed requests and impossible games: the paths and reasons that must be named, and raw bytes."""

from typing import Any

from conformance.runner import cards_json
from conformance.statements import fair, malformed_games, malformed_moves, snapshots
from conformance.statements.edits import spoilt_requests
from conformance.statements.notation import CLASSIC, ONE_SUIT_EACH, choice
from conformance.statements.positions import Setup, at, bytes_json
from conformance.statements.section import Section
from conformance.statements.tables import rows

JSON = Any


def section() -> Section:
    made = Section(
        "malformed", "Malformed requests and impossible games: what is wrong, and where; and raw bytes."
    )
    _creating(made)
    snapshots.malformed(made)
    _dealing(made)
    malformed_moves.moves(made)
    malformed_games.given(made)
    malformed_games.hands(made)
    malformed_games.history(made)
    malformed_games.derived(made)
    malformed_games.forged(made)
    malformed_games.both_sides(made)
    malformed_moves.fair_deals(made)
    malformed_moves.raw(made)
    return made


def _creating(made: Section) -> None:
    good: dict[str, JSON] = {"id": "g", "rule_set": choice(CLASSIC), "first_dealer": "SEAT_NORTH"}
    spoilt_requests(
        made,
        "CreateGame",
        good,
        """
        create-no-id |  | CreateGame: No id | id= | id MISSING
        create-id-65 |  | CreateGame: An id of 65 bytes |
            id=ggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggg | id OUT_OF_RANGE
        create-id-65-utf8 |  | CreateGame: 33 letters of two bytes |
            id=ééééééééééééééééééééééééééééééééé | id OUT_OF_RANGE
        create-id-control |  | CreateGame: A line break in an id | id="a\\nb" | id OUT_OF_RANGE
        create-id-delete |  | CreateGame: A control character that is seven bits | id="a\\u007f" | id OUT_OF_RANGE
        create-id-c1 |  | CreateGame: A control character of eight bits | id="a\\u0085" | id OUT_OF_RANGE
        create-no-rules |  | CreateGame: No rules | -rule_set | rule_set MISSING
        create-no-preset |  | CreateGame: No preset | rule_set={} | rule_set.preset_id MISSING
        create-preset |  | CreateGame: No such preset | rule_set.preset_id=bridge | rule_set.preset_id UNKNOWN_PRESET
        create-locked |  | CreateGame: A locked target |
            rule_set.preset_id=mulouk_41; rule_set.overrides.target=61 | rule_set.overrides.target LOCKED
        create-trump-6 | T4 | CreateGame: Trump fixed, to what is no strain |
            rule_set.overrides={"trump": "TRUMP_FIXED", "fixed_trump": 6} |
            rule_set.overrides.fixed_trump UNKNOWN_VALUE
        create-no-dealer | C3 C58 | CreateGame: Neither a dealer nor a seed: there is no default |
            -first_dealer | first_dealer MISSING
        create-dealer-0 | C128 | CreateGame: A dealer that is no seat | first_dealer=0 | first_dealer MISSING
        create-dealer-5 |  | CreateGame: A fifth seat | first_dealer=5 | first_dealer UNKNOWN_VALUE
        create-seed-15 | C3 | CreateGame: A seed of 15 bytes |
            -first_dealer; first_dealer_seed=$zeros 15 | first_dealer_seed OUT_OF_RANGE
        create-seed-65 | C3 | CreateGame: A seed of 65 bytes |
            -first_dealer; first_dealer_seed=$zeros 65 | first_dealer_seed OUT_OF_RANGE
        create-viewer |  | CreateGame: No such viewer | viewers=[9] | viewers[0] UNKNOWN_VALUE
        create-all |  | CreateGame: Everything at once |
            -id; -rule_set; -first_dealer | id MISSING, rule_set MISSING, first_dealer MISSING
        """,
    )


def _dealing(made: Section) -> None:
    hands = [{"cards": cards_json(ONE_SUIT_EACH[letter])} for letter in "NWSE"]
    good: dict[str, JSON] = {"game": "$game", "deal": {"hands": {"hands": hands}}}
    deck: dict[str, JSON] = {"game": "$game", "deal": {"deck": {"cards": cards_json(" ".join(fair.DECK))}}}
    own, other = (bytes_json(fair.commitment(bytes(16), "conformance", hand)) for hand in (1, 2))
    new, cut = Setup(CLASSIC), Setup(CLASSIC, cut="required")
    spoilt_requests(
        made,
        "DealHand",
        {"game": "$game"},
        f"""
        deal-none |  | DealHand: No deal | none | deal MISSING
        deal-empty |  | DealHand: A deal without cards or seed | deal={{}} | deal MISSING
        deal-seed-15 |  | DealHand: A seed of 15 bytes | deal.seeded.seed=$zeros 15 | deal.seeded.seed OUT_OF_RANGE
        deal-seed-65 |  | DealHand: A seed of 65 bytes | deal.seeded.seed=$zeros 65 | deal.seeded.seed OUT_OF_RANGE
        deal-no-seed | C58 | DealHand: No seed: there is no default | deal.seeded={{}} | deal.seeded.seed MISSING
        deal-cut-65 | C4 | DealHand: A cut of 65 bytes |
            deal.seeded.seed=$zeros 16; deal.seeded.cut=$zeros 65 | deal.seeded.cut OUT_OF_RANGE
        deal-commitment-31 |  | DealHand: A commitment of 31 bytes |
            deal.seeded.seed=$zeros 16; deal.seeded.commitment=$zeros 31 | deal.seeded.commitment OUT_OF_RANGE
        deal-commitment |  | DealHand: The commitment of another seed |
            deal.seeded.seed=$zeros 16; deal.seeded.commitment=$zeros 32 | deal.seeded.commitment COMMITMENT
        deal-commitment-hand | C53 | DealHand: The commitment of another hand |
            deal.seeded.seed=$zeros 16; deal.seeded.commitment={other} |
            deal.seeded.commitment COMMITMENT
        """,
        new,
    )
    # Whoever may pick the seed after the cut is not bound by it.
    spoilt_requests(
        made,
        "DealHand",
        {"game": "$game"},
        f"""
        deal-cut-needed | C4 | DealHand: No cut where one is needed |
            deal.seeded.seed=$zeros 16 | deal.seeded.cut MISSING, deal.seeded.commitment MISSING
        deal-commitment-needed | C4 | DealHand: No commitment where a cut is needed |
            deal.seeded.seed=$zeros 16; deal.seeded.cut=eA== | deal.seeded.commitment MISSING
        deal-cut-alone | C4 | DealHand: A commitment, and no cut where one is needed |
            deal.seeded.seed=$zeros 16; deal.seeded.commitment={own} |
            deal.seeded.cut MISSING
        """,
        cut,
    )
    spoilt_requests(
        made,
        "DealHand",
        deck,
        """
        deal-deck-51 | C1 | DealHand: A deck of 51 | -deal.deck.cards[51] | deal.deck.cards WRONG_COUNT
        deal-deck-53 | C1 | DealHand: A deck of 53 | deal.deck.cards[52]=CARD_CLUBS_TWO | deal.deck.cards WRONG_COUNT
        deal-deck-twice | C1 C130 | DealHand: A card twice |
            deal.deck.cards[51]=CARD_CLUBS_TWO | deal.deck.cards[51] DUPLICATE
        """,
        new,
    )
    for number in (15, 17, 31, 33, 79, 1000):
        row = f"""
            deal-deck-card-{number} | C11 | DealHand: Card number {number} is none of the 52 |
                deal.deck.cards[0]={number} | deal.deck.cards[0] UNKNOWN_VALUE
        """
        spoilt_requests(made, "DealHand", deck, row, new)
    spoilt_requests(
        made,
        "DealHand",
        good,
        """
        deal-hands-3 | C1 | DealHand: Three hands | -deal.hands.hands[3] | deal.hands.hands WRONG_COUNT
        deal-hand-12 | C1 C130 | DealHand: A hand of twelve |
            -deal.hands.hands[0].cards[12] | deal.hands.hands[0].cards WRONG_COUNT
        deal-hand-twice | C1 C130 | DealHand: A card in two hands |
            deal.hands.hands[1].cards[12]=CARD_SPADES_ACE | deal.hands.hands[1].cards[12] DUPLICATE
        deal-turned | T3 | DealHand: A turned card where none is turned |
            deal.hands.turned_card=CARD_SPADES_NINE | deal.hands.turned_card UNEXPECTED
        """,
        new,
    )
    table = """
        unturned | mulouk | T3 | None where one is turned | none | deal.hands.turned_card MISSING
        turned-other | west | T3 T5 | The turned card of another seat |
            deal.hands.turned_card=CARD_SPADES_NINE | deal.hands.turned_card NOT_DEALT
        turned-odd | mulouk | T3 | A turned card that is none |
            deal.hands.turned_card=15 | deal.hands.turned_card UNKNOWN_VALUE
        twice | auction | P2 | A deal in the auction | none | game.phase WRONG_PHASE
        in-play | play | P2 | A deal during play | none | game.phase WRONG_PHASE
        no-game | nowhere | C157 | no game | -game | game MISSING
    """
    positions = {
        "mulouk": Setup("mulouk_41"),
        "west": Setup("mulouk_41", "W"),
        "auction": at(CLASSIC),
        "play": at(CLASSIC, "W:13 W:=H"),
        "nowhere": None,
    }
    for slug, where, shows, title, *rest in rows(table, 6):
        stated = " | ".join([f"deal-{slug}", shows, f"DealHand: {title}", *rest])
        spoilt_requests(made, "DealHand", good, stated, positions[where])
