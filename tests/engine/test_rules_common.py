"""C1 to C9, R1, R2, E1, P1, P2: cards, turns, tricks, revokes and the frame of a game."""

import dataclasses
from itertools import pairwise
from typing import Any

import pytest

from tarneeb_service.engine import game, moves
from tarneeb_service.engine.cards import CARD_TEXT, DECK, DIAMONDS, FULL_DECK, HEARTS, SPADES, SUITS, cards_of
from tarneeb_service.engine.deals import deal_deck
from tarneeb_service.engine.events import TrickWon
from tarneeb_service.engine.moves import Bid, Pass, PlayCard
from tarneeb_service.engine.play import trick_winner
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.rules import DealOrder, PastTricks, Revoke
from tarneeb_service.engine.seats import SEAT_NAMES, TEAM_NAMES, next_seat, partner
from tarneeb_service.engine.shuffle import first_dealer
from tarneeb_service.engine.state import AwaitingDeal, HandEnd, InPlay
from tarneeb_service.engine.verdicts import RefusalReason, Ruling
from tarneeb_service.engine.views import view
from tests.positions import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    bidding,
    card,
    cards,
    deal,
    legal_cards,
    lines,
    make,
    move_of,
    name_trump,
    new_game,
    play_hand,
    points,
    refused,
    scores,
    turn,
)

# North leads spades; West holds one, South none, East two.
MIXED = (
    "SA SK SQ SJ ST S9 S8 H2 H3 D2 D3 C2 C3",
    "S2 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA D4",
    "D5 D6 D7 D8 D9 DT DJ DQ DK DA C4 C5 C6",
    "S3 S4 S5 S6 S7 C7 C8 C9 CT CJ CQ CK CA",
)


def in_play(preset: str = "saharat_classic", trump: int = HEARTS, **overrides: Any) -> InPlay:
    """North declares 7 and leads from MIXED."""
    state = bidding(preset, "0:7 1:P 2:P 3:P", EAST, MIXED, **overrides)
    state = name_trump(state, trump)
    assert isinstance(state, InPlay)
    return state


@pytest.mark.rule("C1")
def test_deck_partners_and_rank() -> None:
    assert len(set(DECK)) == 52
    assert sorted(CARD_TEXT[value] for value in DECK if CARD_TEXT[value][1] == "A") == [
        "CA",
        "DA",
        "HA",
        "SA",
    ]
    assert [partner(seat) for seat in range(4)] == [SOUTH, EAST, NORTH, WEST]
    for suit in SUITS:
        letter, other = " CDHS"[suit], " DHSC"[suit]
        ranks = [letter + rank for rank in "23456789TJQKA"]
        for low, high in pairwise(ranks):
            for trump in (suit, 5):
                trick = cards(f"{low} {high} {other}A {other}K")
                assert trick_winner(NORTH, trick, trump) == WEST


@pytest.mark.rule("C2")
def test_c46_everything_turns_to_the_right() -> None:
    assert SEAT_NAMES == ("North", "West", "South", "East")
    assert TEAM_NAMES == ("North–South", "West–East")
    assert [next_seat(seat) for seat in range(4)] == [WEST, SOUTH, EAST, NORTH]
    state = deal(new_game("saharat_classic"))
    spoke = []
    for text in ("1:7", "2:8", "3:9", "0:P", "1:P"):
        spoke.append(turn(state))
        state = make(state, text)
    assert spoke == [WEST, SOUTH, EAST, NORTH, WEST]
    played = make(in_play(), "0:SA 1:S2 2:D5")
    assert turn(played) == EAST


@pytest.mark.rule("C3")
def test_first_dealer_is_named_or_picked_by_a_seed() -> None:
    assert {first_dealer(bytes([number]) * 16, "g") for number in range(64)} == {0, 1, 2, 3}
    assert first_dealer(b"s" * 16, "g") == first_dealer(b"s" * 16, "g")
    header = new_game("saharat_classic").header
    assert [game.create(header, seat).next_dealer for seat in range(4)] == [0, 1, 2, 3]


@pytest.mark.rule("C3")
@pytest.mark.parametrize(("option", "dealer"), [("right", SOUTH), ("same", WEST)])
@pytest.mark.parametrize("preset", PRESET_IDS)
def test_deal_passes_to_the_right_after_a_played_hand(preset: str, option: str, dealer: int) -> None:
    rule = type(presets()[preset].rules.dealer_after_scored)[option.upper()]
    state = new_game(preset, WEST, dealer_after_scored=rule)
    auction = {"COMPETITIVE": "2:7 3:P 0:P 1:P", "INDIVIDUAL": "2:3 3:3 0:3 1:3", "NONE": ""}
    text = auction[state.header.rules.auction.name]
    if preset == "jawaker_egyptian":
        text = "2:7H 3:P 0:P 1:P 2:P"
    after = play_hand(state, text, [3, 3, 4, 3])
    assert isinstance(after, AwaitingDeal)
    assert after.next_dealer == dealer


@pytest.mark.rule("C4")
def test_dealt_from_the_dealers_right_singly_or_in_packets() -> None:
    (north, west, south, east), last = deal_deck(DECK, NORTH, DealOrder.SINGLY)
    assert cards_of(west) == DECK[0::4]
    assert cards_of(south) == DECK[1::4]
    assert cards_of(east) == DECK[2::4]
    assert cards_of(north) == DECK[3::4]
    assert last == DECK[-1]
    packets, last = deal_deck(DECK, SOUTH, DealOrder.PACKETS)
    assert [cards_of(packets[seat]) for seat in (EAST, NORTH, WEST, SOUTH)] == [
        DECK[start : start + 13] for start in (0, 13, 26, 39)
    ]
    assert last in cards_of(packets[SOUTH])


@pytest.mark.rule("C5", "R1")
def test_follow_suit_when_able_else_any_card() -> None:
    state = make(in_play(), "0:SA")
    assert legal_cards(state) == "S2"
    verdict = refused(state, move_of("1:H4"))
    assert (verdict.reason, verdict.rule_id) == (RefusalReason.MUST_FOLLOW_SUIT, "C5")
    state = make(state, "1:S2")
    # South has no spade: a discard is as legal as anything, nobody is forced to ruff.
    assert len(game.legal_moves(state)) == 13
    assert turn(make(state, "2:C4 3:S3")) == NORTH


@pytest.mark.rule("C5")
def test_nobody_is_forced_to_ruff() -> None:
    state = make(in_play(trump=SPADES), "0:D2 1:D4")
    assert legal_cards(state) == "D5 D6 D7 D8 D9 DT DJ DQ DK DA"
    # East has no diamond; trumps and clubs are equally legal.
    state = make(state, "2:D5")
    assert len(game.legal_moves(state)) == 13


@pytest.mark.rule("C6")
@pytest.mark.parametrize(
    ("trump", "leader", "trick", "taker"),
    [
        pytest.param(HEARTS, NORTH, "SA S2 D5 S3", NORTH, id="highest of the suit led"),
        pytest.param(HEARTS, NORTH, "SA S2 H2 S3", SOUTH, id="a trump beats it"),
        pytest.param(HEARTS, NORTH, "SA HT H2 HK", EAST, id="a higher trump beats that"),
        pytest.param(HEARTS, EAST, "D2 CA SA DA", SOUTH, id="discards never win"),
        pytest.param(5, WEST, "D2 HA SA CA", WEST, id="no trump"),
        pytest.param(SPADES, EAST, "C8 DT DQ HQ", EAST, id="C04"),
        pytest.param(SPADES, WEST, "C7 DA CK HA", EAST, id="C05"),
        pytest.param(HEARTS, NORTH, "C5 DA C6 C2", SOUTH, id="C07"),
        pytest.param(DIAMONDS, SOUTH, "H5 HK S2 H9", EAST, id="C08"),
        pytest.param(HEARTS, NORTH, "C5 CK C6 C2", WEST, id="C10"),
        pytest.param(HEARTS, NORTH, "S5 S9 S2 SK", EAST, id="C16"),
    ],
)
def test_trick_taker(trump: int, leader: int, trick: str, taker: int) -> None:
    assert trick_winner(leader, cards(trick), trump) == taker


@pytest.mark.rule("C6")
def test_taker_leads_the_next_trick() -> None:
    state = make(in_play(), "0:S8 1:S2 2:D5")
    _, state, events = game.apply(state, move_of("3:S7"))
    assert events[-1] == TrickWon(NORTH, 1)
    assert turn(state) == NORTH
    state = make(state, "0:D2 1:D4 2:D6 3:S3")
    assert turn(state) == SOUTH


@pytest.mark.rule("C7")
@pytest.mark.parametrize(("shown", "numbers"), [("ALL", [1, 2]), ("LAST", [2]), ("NONE", [])])
def test_past_tricks_that_a_view_shows(shown: str, numbers: list[int]) -> None:
    state = make(in_play(past_tricks=PastTricks[shown]), "0:SA 1:S2 2:D5 3:S3 0:D2 1:D4 2:D6 3:S4 2:D7")
    hand = view(state, NORTH).public.hand
    assert hand is not None
    assert [trick.number for trick in hand.past_tricks] == numbers
    assert hand.trick is not None
    assert hand.trick.cards == (card("D7"),)


@pytest.mark.rule("C7")
@pytest.mark.parametrize("preset", PRESET_IDS)
def test_won_tricks_lie_face_down_where_the_document_says_so(preset: str) -> None:
    face_down = preset.startswith("cardgames_zone")
    assert presets()[preset].rules.past_tricks is (PastTricks.NONE if face_down else PastTricks.ALL)


@pytest.mark.rule("C8")
def test_c68_thirteen_tricks_and_scores_below_zero() -> None:
    after = play_hand(new_game("saharat_classic", scores=(3, 0)), "1:P 2:8 3:P 0:P", [3, 4, 2, 4])
    assert after.last is not None
    assert after.last.play is not None
    assert len(after.last.play.winners) == 13
    assert after.last.play.holdings == (0, 0, 0, 0)
    assert scores(after) == [-5, 8]


@pytest.mark.rule("C9")
def test_no_move_carries_a_signal() -> None:
    fields = {
        kind.__name__: [field.name for field in dataclasses.fields(kind)]
        for kind in (moves.Bid, moves.Pass, moves.Double, moves.NameTrump, moves.PlayCard)
    }
    assert fields == {
        "Bid": ["seat", "tricks", "strain"],
        "Pass": ["seat"],
        "Double": ["seat"],
        "NameTrump": ["seat", "strain"],
        "PlayCard": ["seat", "card"],
    }


@pytest.mark.rule("R1")
@pytest.mark.parametrize("preset", PRESET_IDS)
def test_every_preset_refuses_a_revoke(preset: str) -> None:
    assert presets()[preset].rules.revoke is Revoke.REFUSED


@pytest.mark.rule("R2")
def test_option_a_revoke_is_accepted_and_loses_the_hand() -> None:
    # 003 §7: declarers' revoke. West has taken the first trick; the rest goes to the defenders.
    state = make(
        in_play(revoke=Revoke.FORFEITS), "0:S8 1:S2 2:D5 3:S3 0:H2 1:H4 2:D6 3:S4 1:D4 2:D7 3:C7 0:D2"
    )
    state = make(state, "2:DA 3:C8")
    assert PlayCard(NORTH, card("H3")) not in game.legal_moves(state)
    verdict, after, _ = game.apply(state, move_of("0:H3"))
    assert (verdict.ruling, verdict.rule_id) == (Ruling.FORFEITS, "R2")
    assert isinstance(after, AwaitingDeal)
    assert after.last is not None
    assert (after.last.result.end, after.last.result.offender) == (HandEnd.FORFEITED, NORTH)
    assert [(line.bid, line.tricks, line.points, line.made) for line in lines(after)] == [
        (7, 2, -7, False),
        (None, 11, 11, None),
    ]
    assert after.next_dealer == NORTH
    assert sum(mask.bit_count() for mask in (after.last.play.holdings if after.last.play else ())) == 52 - 15


@pytest.mark.rule("R2")
def test_option_defenders_revoke_makes_the_contract_without_sweep_values() -> None:
    state = make(in_play(revoke=Revoke.FORFEITS), "0:S8")
    after = make(state, "1:H4")
    # All 13 go to the declarers, and count 13, not the 16 of a sweep (S3).
    assert [(line.tricks, line.points, line.made) for line in lines(after)] == [(13, 13, True), (0, 0, None)]


@pytest.mark.rule("R2")
def test_option_revoke_in_an_individual_game_fails_both_partners() -> None:
    state = deal(new_game("saharat_syrian_41", EAST, revoke=Revoke.FORFEITS), *MIXED, turned="C7")
    state = make(make(state, "0:2 1:3 2:4 3:5"), "0:SA")
    after = make(state, "1:H4")
    assert points(after) == [2, -3, 4, -5]
    assert [line.tricks for line in lines(after)] == [0, 0, 0, 0]


@pytest.mark.rule("R2")
def test_option_revoke_without_an_auction_gives_the_others_at_least_seven() -> None:
    state = deal(new_game("cardgames_zone_turned_trump", EAST, revoke=Revoke.FORFEITS), *MIXED, turned="C7")
    after = make(state, "0:SA 1:H4")
    assert points(after) == [13, 0]
    # Nobody can be awarded fewer than the majority: six tricks by the offender leave seven.
    assert [line.tricks for line in lines(after)] == [13, 0]


@pytest.mark.rule("E1")
def test_outcome_names_winner_and_loser() -> None:
    after = play_hand(new_game("tarneeb_wikipedia", scores=(40, 3)), "1:P 2:8 3:P 0:P", [4, 2, 4, 3])
    assert not isinstance(after, AwaitingDeal)
    assert (after.outcome.winner, after.outcome.loser) == (0, 1)


@pytest.mark.rule("P1")
def test_a_move_may_name_the_revision_it_was_made_for() -> None:
    state = deal(new_game("saharat_classic", revision=6))
    assert state.revision == 7
    assert game.judge(state, Bid(WEST, 7), 7).accepted
    for other in (0, 6, 8):
        verdict = refused(state, Bid(WEST, 7), other)
        assert (verdict.reason, verdict.rule_id, verdict.game_revision) == (
            RefusalReason.STALE_REVISION,
            "P1",
            7,
        )


@pytest.mark.rule("P2")
def test_each_move_belongs_to_its_phase() -> None:
    waiting = new_game("saharat_classic", EAST)
    bidding = deal(waiting, *MIXED)
    naming = make(bidding, "0:7 1:P 2:P 3:P")
    playing = name_trump(naming)
    call, trump, lead = Pass(NORTH), moves.NameTrump(NORTH, HEARTS), move_of("0:SA")
    for state, wrong in (
        (waiting, (call, trump, lead)),
        (bidding, (trump, lead)),
        (naming, (call, lead)),
        (playing, (call, trump)),
    ):
        for move in wrong:
            verdict = refused(state, move)
            assert (verdict.reason, verdict.rule_id) == (RefusalReason.WRONG_PHASE, "P2")


def test_cards_are_conserved_from_deal_to_last_trick() -> None:
    after = play_hand(new_game("saharat_classic"), "1:7 2:P 3:P 0:P", [3, 4, 3, 3])
    assert after.last is not None
    assert sum(after.last.deal.dealt) == FULL_DECK
    assert after.last.play is not None
    assert sorted(after.last.play.played) == sorted(DECK)
