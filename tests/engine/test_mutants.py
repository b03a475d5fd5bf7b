"""What mutation testing showed that no other test of single rules would notice."""

import random
from itertools import product
from typing import Any

import pytest

from tarneeb_service.engine import verdicts
from tarneeb_service.engine.auction import judge_call, judge_individual_bid, legal_calls
from tarneeb_service.engine.cards import CLUBS, DECK, HEARTS, NO_TRUMP, cards_of, mask_of
from tarneeb_service.engine.moves import Bid, Call, Double, Pass
from tarneeb_service.engine.play import judge_card, trick_winner
from tarneeb_service.engine.presets import PRESET_IDS, presets, resolve
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.replay import replay_calls, replay_cards
from tarneeb_service.engine.rules import DefendersScore, Revoke
from tarneeb_service.engine.scoring import score_contract, score_individual, score_majority
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.snapshot import BID, DOUBLE, PASS, RawCall
from tarneeb_service.engine.state import Bidding, Contract, HandEnd, InAuction, NamingTrump, Play, calls_of
from tests.positions import card, cards
from tests.random_games import states

INDIVIDUAL = [name for name in PRESET_IDS if presets()[name].rules.individual]


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_legal_calls_are_those_of_the_seat_to_act(preset: str) -> None:
    rules = presets()[preset].rules
    for seat in SEATS:
        calls = legal_calls(rules, (0, 0, 0, 0), Bidding(seat))
        assert {call.seat for call in calls} <= {seat}


@pytest.mark.parametrize(("declarer", "offender"), list(product(SEATS, SEATS)))
def test_a_revoke_is_held_against_the_offenders_team(declarer: int, offender: int) -> None:
    rules = resolve("saharat_classic", {"revoke": Revoke.FORFEITS})
    result = score_contract(rules, Contract(declarer, 8, None, doubled=False), (7, 6), offender)
    own = declarer % 2
    assert [line.side for line in result.lines] == [0, 1]
    assert (result.end, result.offender) == (HandEnd.FORFEITED, offender)
    line = result.lines[own]
    assert (line.made, line.bid) == (offender % 2 != own, 8)
    assert result.lines[1 - own].made is None
    assert line.points == (8 if line.made else -8)


@pytest.mark.parametrize("scoring", DefendersScore)
def test_defenders_who_revoke_keep_their_tricks_only_where_they_always_score(scoring: DefendersScore) -> None:
    rules = resolve("saharat_classic", {"revoke": Revoke.FORFEITS, "defenders_score": scoring})
    contract = Contract(0, 8, None, doubled=False)
    kept = 4 if scoring is DefendersScore.ALWAYS else 0
    assert score_contract(rules, contract, (9, 4), offender=1).lines[1].points == kept
    given = 0 if scoring is DefendersScore.NEVER else 4
    assert score_contract(rules, contract, (9, 4), offender=2).lines[1].points == given


@pytest.mark.parametrize("offender", [None, *SEATS])
def test_lines_of_hands_without_a_contract(offender: int | None) -> None:
    rules = presets()["cardgames_zone_turned_trump"].rules
    result = score_majority(rules, (6, 7), offender)
    assert [(line.side, line.bid, line.tricks, line.made) for line in result.lines] == [
        (0, None, 6, None),
        (1, None, 7, None),
    ]
    assert result.offender == offender
    if offender is not None:
        assert [line.points == 0 for line in result.lines] == [offender % 2 == team for team in (0, 1)]


@pytest.mark.parametrize("offender", [None, *SEATS])
def test_lines_of_four_players(offender: int | None) -> None:
    rules = presets()["saharat_syrian_41"].rules
    bids, tricks = (2, 3, 4, 5), (2, 4, 3, 4)
    result = score_individual(rules, bids, tricks, (0, 0, 0, 0), offender)
    made = [True, True, False, False] if offender is None else [seat % 2 != offender % 2 for seat in SEATS]
    assert [(line.side, line.bid, line.tricks, line.made) for line in result.lines] == list(
        zip(SEATS, bids, tricks, made, strict=True)
    )
    assert [line.points > 0 for line in result.lines] == made
    assert result.offender == offender


@pytest.mark.parametrize("preset", INDIVIDUAL)
def test_an_individual_bid_is_judged_by_the_bidders_own_score(preset: str) -> None:
    rules = presets()[preset].rules
    for seat, score, tricks in product(SEATS, (-5, 0, 29, 30, 39, 40, 50, 60), range(15)):
        scores: Any = [99] * 4
        scores[seat] = score
        expected = judge_call(rules, tuple(scores), Bidding(seat), Bid(seat, tricks))
        assert judge_individual_bid(rules, score, seat, tricks) == expected


def mask(text: str) -> int:
    return mask_of(cards(text))


def test_suits_are_told_apart_when_one_must_be_followed() -> None:
    """Every suit led, every other suit played by one who could follow."""
    rules = presets()["saharat_classic"].rules
    for led, other in product("CDHS", "CDHS"):
        held = (mask(f"{led}2"), mask(f"{led}3 {other}4"), mask("CA"), mask("DA"))
        play = Play((), None, HEARTS, 0, held, (card(f"{led}5"),))
        verdict = judge_card(rules, play, card(f"{other}4"))
        assert (verdict is None) == (led == other)
        if verdict is not None:
            assert verdict == verdicts.revoke(1, card(f"{led}5") >> 4, mask(f"{led}3"), forfeits=False)


@pytest.mark.parametrize("trump", range(CLUBS, NO_TRUMP + 1))
def test_a_replay_is_what_trick_after_trick_gives(trump: int) -> None:
    """Up to the first card of another, card played before, or revoke."""
    chance = random.Random(trump)
    for wildness in (0.0, 0.03, 0.3) * 8:
        deck = list(DECK)
        chance.shuffle(deck)
        dealt = [mask_of(deck[start : start + 13]) for start in (0, 13, 26, 39)]
        leader = chance.randrange(4)
        played: list[int] = []
        winners: list[int] = []
        wrong, reason = None, None
        held = [set(cards_of(one)) for one in dealt]
        seat, trick = leader, list[int]()
        for index in range(chance.choice((0, 1, 5, 51, 52))):
            following = [one for one in held[seat] if trick and one >> 4 == trick[0] >> 4]
            wild = chance.random() < wildness or not held[seat]
            choices = DECK if wild else sorted(following or held[seat])
            now = chance.choice(choices)
            played.append(now)
            if now not in held[seat]:
                twice = now in cards_of(dealt[seat])
                reason = ProblemReason.PLAYED_TWICE if twice else ProblemReason.NOT_DEALT
            elif following and now not in following:
                reason = ProblemReason.ILLEGAL_HISTORY
            held[seat].discard(now)
            if reason is not None:
                wrong = index
                # Whatever comes then changes nothing.
                played += chance.sample(DECK, 3)
                break
            trick.append(now)
            seat = (seat + 1) % 4
            if len(trick) == 4:
                seat = trick_winner(seat, trick, trump)
                winners.append(seat)
                trick = []
        result = replay_cards(dealt, leader, trump, played)
        assert result[1:] == (winners, wrong, reason)
        assert result.holdings == [mask_of(sorted(one)) for one in held]


CLASSIC = presets()["saharat_classic"].rules


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_a_replay_of_calls_is_what_call_after_call_gives(preset: str) -> None:
    rules = presets()[preset].rules
    for state in states(rules, random.Random(preset), hands=3, wildness=0.5):
        if isinstance(state, InAuction | NamingTrump):
            calls, deal = calls_of(state), state.deal
            raw = [raw_call(call) for call in calls]
            bidding, closed = replay_calls(rules, deal.dealer, deal.scores_before, raw)
            assert (bidding.calls, closed) == (calls, isinstance(state, NamingTrump))
            assert closed or bidding == getattr(state, "bidding", None)


def raw_call(call: Call) -> RawCall:
    kind = {Bid: BID, Pass: PASS, Double: DOUBLE}[type(call)]
    return RawCall(call.seat, kind, getattr(call, "tricks", 0), getattr(call, "strain", None) or 0)


@pytest.mark.parametrize(
    ("last", "problem"),
    [
        ((None, BID, 8, 0), ("hand.calls[1].seat", ProblemReason.MISSING, "name a seat")),
        ((3, BID, 8, 0), ("hand.calls[1].seat", ProblemReason.MISMATCH, "it was South's turn")),
        ((2, BID, 8, 6), ("hand.calls[1].strain", ProblemReason.UNKNOWN_VALUE, "is no strain")),
        ((2, PASS, 8, 0), ("hand.calls[1]", ProblemReason.UNEXPECTED, "only a bid has tricks and a strain")),
        ((2, BID, 7, 0), ("hand.calls[1]", ProblemReason.ILLEGAL_HISTORY, "South must bid 8 or more.")),
    ],
)
def test_a_replay_names_the_call_that_can_not_be(
    last: tuple[Any, ...], problem: tuple[str, ProblemReason, str]
) -> None:
    with pytest.raises(ProblemsError) as caught:
        replay_calls(CLASSIC, 0, (0, 0), [RawCall(1, BID, 7, 0), RawCall(*last)])
    assert caught.value.problems == [Problem(*problem)]


def test_a_replay_takes_no_call_after_the_last() -> None:
    with pytest.raises(ProblemsError) as caught:
        replay_calls(CLASSIC, 0, (0, 0), [RawCall(1, BID, 13, 0), RawCall(2, PASS, 0, 0)])
    (problem,) = caught.value.problems
    assert problem == Problem(
        "hand.calls[1]", ProblemReason.UNEXPECTED, "the auction was over before this call"
    )
