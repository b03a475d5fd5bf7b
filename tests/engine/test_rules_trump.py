"""T1 to T6: where trump comes from, who leads, and what he may lead."""

from typing import Any

import pytest

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import CARD_OF_TEXT, DIAMONDS, HEARTS, NO_TRUMP, SPADES, STRAIN_NAMES
from tarneeb_service.engine.events import HandDealt
from tarneeb_service.engine.moves import NameTrump
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.rules import FirstCard, OpeningLead, Trump
from tarneeb_service.engine.state import InAuction, InPlay, NamingTrump
from tarneeb_service.engine.verdicts import RefusalReason
from tests.positions import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    bidding,
    deal,
    legal_cards,
    make,
    move_of,
    name_trump,
    new_game,
    refused,
    turn,
)

SISTER_PRESETS = ("saharat_syrian_41", "mulouk_41", "jawaker_syrian_41")
# As ONE_SUIT_EACH, but North and East have swapped their twos.
SWAPPED = (
    "C2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA",
    "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA",
    "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA",
    "S2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA",
)


@pytest.mark.rule("T1")
@pytest.mark.parametrize("suit", [1, 2, 3, 4])
def test_trump_is_named_after_the_auction(suit: int) -> None:
    state = bidding("saharat_classic", "1:7 2:P 3:P 0:P")
    assert isinstance(state, NamingTrump)
    state = name_trump(state, suit)
    assert isinstance(state, InPlay)
    assert (state.play.trump, turn(state)) == (suit, WEST)


@pytest.mark.rule("T1")
def test_no_trump_can_not_be_named() -> None:
    state = bidding("saharat_classic", "1:7 2:P 3:P 0:P")
    assert refused(state, NameTrump(WEST, NO_TRUMP)).reason is RefusalReason.TRUMP_NOT_A_SUIT


@pytest.mark.rule("T2")
@pytest.mark.parametrize(("letter", "strain"), [("C", 1), ("D", 2), ("H", 3), ("S", 4), ("N", 5)])
def test_trump_is_in_the_bid(letter: str, strain: int) -> None:
    state = bidding("jawaker_egyptian", f"1:7{letter} 2:P 3:P 0:P 1:P")
    assert isinstance(state, InPlay)
    assert (state.play.trump, state.play.opening_leader) == (strain, WEST)


@pytest.mark.rule("T3")
@pytest.mark.parametrize("preset", SISTER_PRESETS)
@pytest.mark.parametrize(
    ("dealer", "trump"), [(NORTH, "clubs"), (WEST, "diamonds"), (SOUTH, "hearts"), (EAST, "spades")]
)
def test_c56_trump_is_the_sister_suit_known_before_the_bids(preset: str, dealer: int, trump: str) -> None:
    state = deal(new_game(preset, dealer))
    assert isinstance(state, InAuction)
    turned = state.deal.turned
    assert turned is not None
    named = STRAIN_NAMES.index(trump)
    assert game.trump_with_deal(state.header.rules, turned) == named
    # It stays in the dealer's hand.
    assert state.deal.dealt[dealer] >> turned & 1
    first = (dealer + 1) % 4
    state = make(state, " ".join(f"{(first + index) % 4}:3" for index in range(4)))
    assert isinstance(state, InPlay)
    assert (state.play.trump, turn(state)) == (named, first)
    assert state.play.holdings[dealer] >> turned & 1


@pytest.mark.rule("T3")
def test_the_turned_card_and_trump_are_told_with_the_deal() -> None:
    state = new_game("mulouk_41", WEST)
    hands = deal(state)
    assert isinstance(hands, InAuction)
    turned = CARD_OF_TEXT["HA"]
    _, events = game.deal(state, hands.deal.dealt, turned)
    assert events == [HandDealt(1, WEST, turned, DIAMONDS)]


@pytest.mark.rule("T4")
def test_hearts_always() -> None:
    state = bidding("saharat_400", "1:3 2:3 3:3 0:3")
    assert isinstance(state, InPlay)
    assert state.play.trump == HEARTS
    assert [name for name in PRESET_IDS if presets()[name].rules.trump is Trump.FIXED] == ["saharat_400"]


@pytest.mark.rule("T4")
def test_option_another_fixed_trump() -> None:
    for strain in (SPADES, NO_TRUMP):
        state = deal(new_game("saharat_classic", trump=Trump.FIXED, fixed_trump=strain))
        state = make(state, "1:7 2:P 3:P 0:P")
        assert isinstance(state, InPlay)
        assert (state.play.trump, turn(state)) == (strain, WEST)


@pytest.mark.rule("T5")
def test_the_turned_cards_own_suit() -> None:
    for dealer, suit in ((NORTH, 4), (WEST, 3), (SOUTH, 2), (EAST, 1)):
        state = deal(new_game("cardgames_zone_turned_trump", dealer))
        assert isinstance(state, InPlay)
        assert (state.play.trump, turn(state)) == (suit, (dealer + 1) % 4)


def opening(trump: int, text: str = "1:P 2:P 3:7 0:P", **options: Any) -> InPlay:
    state = make(deal(new_game("tarneeb_wikipedia", first_card=FirstCard.TRUMP, **options), *SWAPPED), text)
    state = name_trump(state, trump)
    assert isinstance(state, InPlay)
    return state


@pytest.mark.rule("T6")
def test_option_the_first_lead_must_be_a_trump() -> None:
    state = opening(SPADES)
    assert (turn(state), legal_cards(state)) == (EAST, "S2")
    verdict = refused(state, move_of("3:C3"))
    assert (verdict.reason, verdict.rule_id) == (RefusalReason.MUST_LEAD_TRUMP, "T6")
    # Only the first card of the hand is bound.
    after = make(state, "3:S2 0:SA 1:H2 2:D2")
    assert turn(after) == NORTH
    assert len(legal_cards(after).split()) == 12
    assert all(preset.rules.first_card is FirstCard.ANY for preset in presets().values())


@pytest.mark.rule("T6")
def test_option_a_declarer_without_a_trump_leads_what_he_likes() -> None:
    assert len(legal_cards(opening(HEARTS)).split()) == 13


@pytest.mark.rule("T6")
def test_option_asks_nothing_with_no_trump() -> None:
    options: dict[str, Any] = {"first_card": FirstCard.TRUMP}
    state = deal(new_game("jawaker_egyptian", **options), *SWAPPED)
    assert len(legal_cards(make(state, "1:P 2:P 3:7N 0:P 1:P 2:P 3:P")).split()) == 13
    state = make(state, "1:P 2:P 3:7S 0:P 1:P 2:P 3:P")
    assert legal_cards(state) == "S2"


@pytest.mark.rule("T6")
@pytest.mark.parametrize("preset", PRESET_IDS)
def test_who_leads_first(preset: str) -> None:
    individual = presets()[preset].rules.auction.name != "COMPETITIVE"
    assert presets()[preset].rules.opening_lead is (
        OpeningLead.DEALERS_RIGHT if individual else OpeningLead.DECLARER
    )


@pytest.mark.rule("T6")
@pytest.mark.parametrize(("lead", "seat"), [("DECLARER", EAST), ("DEALERS_RIGHT", WEST), ("DEALER", NORTH)])
def test_option_who_leads_first(lead: str, seat: int) -> None:
    state = deal(new_game("saharat_classic", opening_lead=OpeningLead[lead]))
    assert turn(name_trump(make(state, "1:P 2:P 3:7 0:P"))) == seat


@pytest.mark.rule("T6")
def test_option_the_dealer_leads_without_a_declarer() -> None:
    for preset in ("jawaker_syrian_41", "cardgames_zone_turned_trump"):
        state = deal(new_game(preset, SOUTH, opening_lead=OpeningLead.DEALER))
        if preset == "jawaker_syrian_41":
            state = make(state, "3:3 0:3 1:3 2:3")
        assert turn(state) == SOUTH
