"""What each method answers to a sound request."""

from typing import Any

import pytest

from tarneeb.v1 import cards_pb2, game_pb2, records_pb2, rules_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import DECK
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.engine.state import NamingTrump
from tarneeb_service.rpc import methods
from tarneeb_service.wire.cards import encode_cards
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tests.positions import bidding, deal, move_of, new_game
from tests.rpc.bad_games import _state, sound
from tests.rpc.samples import SEED, choice, some_states


def create(preset: str = "saharat_classic", **fields: Any) -> game_pb2.Game:
    fields.setdefault("first_dealer", cards_pb2.SEAT_NORTH)
    return methods.create_game(pb.CreateGameRequest(id="table 7", rule_set=choice(preset), **fields)).game


def game_of(name: str) -> game_pb2.Game:
    return game_pb2.Game.FromString(sound(name))


def test_list_rule_sets() -> None:
    answer = methods.list_rule_sets(pb.ListRuleSetsRequest())
    assert [info.preset_id for info in answer.rule_sets] == list(PRESET_IDS)
    assert answer.rules_revision == RULES_REVISION
    for info in answer.rule_sets:
        assert info.title
        assert info.description
        assert info.source
        assert all(info.rules.HasField(field.name) for field in info.rules.DESCRIPTOR.fields)  # type: ignore[arg-type]
        assert info.rules.target in info.offered_targets
        assert info.target_locked == (info.preset_id == "mulouk_41")
        # A preset is a choice without overrides.
        request = pb.ResolveRuleSetRequest(rule_set=rules_pb2.RuleSetChoice(preset_id=info.preset_id))
        assert methods.resolve_rule_set(request).rules == info.rules
        # And as overrides of itself.
        request.rule_set.overrides.CopyFrom(info.rules)
        assert methods.resolve_rule_set(request) == pb.ResolveRuleSetResponse(rules=info.rules)


def test_resolve_overrides_what_is_set_and_keeps_the_rest() -> None:
    request = pb.ResolveRuleSetRequest(rule_set=choice("mulouk_41", cut=rules_pb2.CUT_REQUIRED))
    # An empty list can be said; an unspecified enum says nothing.
    request.rule_set.overrides.barred_bids.SetInParent()
    request.rule_set.overrides.trump = rules_pb2.TRUMP_UNSPECIFIED
    rules = methods.resolve_rule_set(request).rules
    assert list(rules.barred_bids.numbers) == []
    assert (rules.cut, rules.trump) == (rules_pb2.CUT_REQUIRED, rules_pb2.TRUMP_SISTER)


def test_resolve_names_every_problem_as_an_answer() -> None:
    overrides: dict[str, Any] = {"target": 31, "minimum_bid": 99, "revoke": 77, "first_card": 2}
    answer = methods.resolve_rule_set(pb.ResolveRuleSetRequest(rule_set=choice("mulouk_41", **overrides)))
    assert not answer.HasField("rules")
    assert {problem.path for problem in answer.problems} >= {
        "rule_set.overrides.target",
        "rule_set.overrides.minimum_bid",
        "rule_set.overrides.revoke",
        "rule_set.overrides.first_card",
    }


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_create_game(preset: str) -> None:
    made = create(preset, first_dealer=cards_pb2.SEAT_EAST)
    sides = 4 if made.rules.auction == rules_pb2.AUCTION_INDIVIDUAL else 2
    assert made == game_pb2.Game(
        id="table 7",
        preset_id=preset,
        rules=made.rules,
        rules_revision=RULES_REVISION,
        scores=[0] * sides,
        next_dealer=cards_pb2.SEAT_EAST,
        phase=game_pb2.PHASE_AWAITING_DEAL,
    )


def test_create_game_from_a_seed_is_the_same_every_time() -> None:
    dealers = set()
    for number in range(32):
        seed = number.to_bytes(16, "big")
        request = pb.CreateGameRequest(id="g", rule_set=choice(), first_dealer_seed=seed)
        made = methods.create_game(request).game
        assert methods.create_game(request).game == made
        dealers.add(made.next_dealer)
    assert dealers == {1, 2, 3, 4}


def test_deal_from_a_deck_from_hands_and_from_a_seed() -> None:
    waiting = create("saharat_syrian_41")
    deck = records_pb2.Deck(cards=encode_cards(DECK))
    answer = methods.deal_hand(pb.DealHandRequest(game=waiting, deal=records_pb2.Deal(deck=deck)))
    dealt = answer.game
    # One at a time from the dealer's right; the last card is North's, and shown.
    assert list(dealt.hand.dealt[1].cards) == list(DECK[0::4])
    assert dealt.hand.turned_card == DECK[-1]
    assert (dealt.hand.trump, dealt.phase, dealt.seat_to_act) == (
        cards_pb2.STRAIN_CLUBS,
        game_pb2.PHASE_AUCTION,
        cards_pb2.SEAT_WEST,
    )
    assert (dealt.revision, dealt.hand_number, dealt.dealer, dealt.next_dealer) == (1, 1, 1, 0)
    (event,) = answer.events
    assert event.hand_dealt.turned_card == DECK[-1]
    hands = records_pb2.DealtHands(hands=dealt.hand.dealt, turned_card=dealt.hand.turned_card)
    same = methods.deal_hand(pb.DealHandRequest(game=waiting, deal=records_pb2.Deal(hands=hands)))
    assert same == answer
    seeded = records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED, cut=b"cut"))
    one, other = (methods.deal_hand(pb.DealHandRequest(game=waiting, deal=seeded)) for _ in range(2))
    assert one == other
    assert one.game.hand.dealt != dealt.hand.dealt
    assert SEED not in one.SerializeToString()


def test_legal_moves_are_those_of_the_seat_to_act_in_canonical_order() -> None:
    for preset in PRESET_IDS:
        for state in some_states(preset):
            answer = methods.list_legal_moves(pb.ListLegalMovesRequest(game=encode_game(state)))
            assert list(answer.moves) == [encode_move(move) for move in game.legal_moves(state)]
            assert {move.seat for move in answer.moves} <= {answer.seat_to_act}
            kinds = [move.WhichOneof("action") for move in answer.moves]
            assert len(set(kinds)) <= 1
            cards = [move.card for move in answer.moves if move.WhichOneof("action") == "card"]
            assert cards == sorted(cards)
            bids = [(move.call.tricks, move.call.strain) for move in answer.moves if move.call.kind == 1]
            assert bids == sorted(bids)
            calls_made = [move.call.kind for move in answer.moves if move.HasField("call")]
            assert calls_made == sorted(calls_made)


def test_validate_move_says_why() -> None:
    move = encode_move(move_of("2:C4"))
    verdict = methods.validate_move(pb.ValidateMoveRequest(game=game_of("play"), move=move)).verdict
    assert verdict == verdicts_pb2.Verdict(
        ruling=verdicts_pb2.RULING_REFUSED,
        reason=verdicts_pb2.REFUSAL_REASON_MUST_FOLLOW_SUIT,
        rule_id="C5",
        message="South must follow diamonds: holds D6 D7 D8 D9 DT DJ DQ DK DA.",
        led_suit=cards_pb2.SUIT_DIAMONDS,
        playable_cards=[39 - 1 + index for index in range(9)],  # type: ignore[misc]
    )
    move = encode_move(move_of("2:D6"))
    verdict = methods.validate_move(pb.ValidateMoveRequest(game=game_of("play"), move=move)).verdict
    assert verdict == verdicts_pb2.Verdict(ruling=verdicts_pb2.RULING_LEGAL)


def test_every_parameter_of_a_refusal_travels() -> None:
    state = bidding("jawaker_egyptian", "1:7S 2:P 3:P 0:P")
    refusals = {
        "1:X": verdicts_pb2.Verdict(
            ruling=verdicts_pb2.RULING_REFUSED,
            reason=verdicts_pb2.REFUSAL_REASON_OWN_BID,
            rule_id="A11",
            message="West may not double his own bid: bid or pass.",
            lowest_bid=verdicts_pb2.BidLimit(tricks=7, strain=cards_pb2.STRAIN_NO_TRUMP),
            highest_bid=13,
            bid_holder=cards_pb2.SEAT_WEST,
            may_pass=True,
        ),
        "1:14S": verdicts_pb2.Verdict(
            ruling=verdicts_pb2.RULING_REFUSED,
            reason=verdicts_pb2.REFUSAL_REASON_BID_OUT_OF_RANGE,
            rule_id="A1",
            message="14 is no bid: bid 7NT or more, 13 at most.",
            lowest_bid=verdicts_pb2.BidLimit(tricks=7, strain=cards_pb2.STRAIN_NO_TRUMP),
            highest_bid=13,
            may_pass=True,
        ),
        "2:P": verdicts_pb2.Verdict(
            ruling=verdicts_pb2.RULING_REFUSED,
            reason=verdicts_pb2.REFUSAL_REASON_OUT_OF_TURN,
            rule_id="C2",
            message="It is West's turn, not South's.",
            seat_to_act=cards_pb2.SEAT_WEST,
        ),
    }
    for text, expected in refusals.items():
        request = pb.ValidateMoveRequest(game=encode_game(state), move=encode_move(move_of(text)))
        assert methods.validate_move(request).verdict == expected
        request.move.revision = 0
        stale = methods.validate_move(request).verdict
        assert (stale.reason, stale.game_revision) == (
            verdicts_pb2.REFUSAL_REASON_STALE_REVISION,
            state.revision,
        )
    barred = pb.ValidateMoveRequest(
        game=encode_game(deal(new_game("mulouk_41"))), move=encode_move(move_of("1:6"))
    )
    assert list(methods.validate_move(barred).verdict.barred_bids) == [6]
    early = pb.ValidateMoveRequest(game=encode_game(state), move=encode_move(move_of("1:SA")))
    assert methods.validate_move(early).verdict.phase == game_pb2.PHASE_AUCTION


def test_apply_move_makes_it_or_refuses_it_without_a_game() -> None:
    request = pb.ApplyMoveRequest(game=game_of("play"), move=encode_move(move_of("2:C4")), viewers=[1])  # type: ignore[list-item]
    refused = methods.apply_move(request)
    assert refused.verdict.ruling == verdicts_pb2.RULING_REFUSED
    assert refused == pb.ApplyMoveResponse(verdict=refused.verdict)
    request.move.CopyFrom(encode_move(move_of("2:DA")))
    answer = methods.apply_move(request)
    assert answer.game.revision == request.game.revision + 1
    assert list(answer.game.hand.played) == [*request.game.hand.played, cards_pb2.CARD_DIAMONDS_ACE]
    assert [event.WhichOneof("event") for event in answer.events] == ["card_played"]
    assert methods.apply_move(request) == answer
    assert len(answer.views) == 1


def test_events_of_a_last_trick_end_hand_and_game() -> None:
    seen: list[str] = []
    current = game_of("play")
    while current.phase == game_pb2.PHASE_PLAY:
        moves = methods.list_legal_moves(pb.ListLegalMovesRequest(game=current)).moves
        answer = methods.apply_move(pb.ApplyMoveRequest(game=current, move=moves[0]))
        seen = [event.WhichOneof("event") or "" for event in answer.events]
        current = answer.game
    assert seen[:3] == ["card_played", "trick_won", "hand_ended"]


def test_naming_trump_over_the_wire() -> None:
    state = _state("naming")
    assert isinstance(state, NamingTrump)
    move = methods.list_legal_moves(pb.ListLegalMovesRequest(game=encode_game(state))).moves[2]
    answer = methods.apply_move(pb.ApplyMoveRequest(game=encode_game(state), move=move))
    assert answer.game.hand.trump == cards_pb2.STRAIN_HEARTS
    assert answer.events[0].trump_named.trump == cards_pb2.STRAIN_HEARTS


def test_score_hand_of_each_kind() -> None:
    request = pb.ScoreHandRequest(
        rule_set=choice(),
        scores=[38, 36],
        contract=game_pb2.Contract(declarer=cards_pb2.SEAT_SOUTH, tricks=9),
        tricks=[7, 6],
    )
    answer = methods.score_hand(request)
    assert [(line.team, line.points) for line in answer.result.lines] == [(1, -9), (2, 6)]
    assert list(answer.scores) == [29, 42]
    assert answer.outcome.winner == cards_pb2.TEAM_WEST_EAST
    request = pb.ScoreHandRequest(
        rule_set=choice("saharat_400"), scores=[0, 28, 0, 0], bids=[5, 5, 4, 2], tricks=[3, 5, 4, 1]
    )
    answer = methods.score_hand(request)
    assert [(line.seat, line.bid, line.made) for line in answer.result.lines] == [
        (1, 5, False),
        (2, 5, True),
        (3, 4, True),
        (4, 2, False),
    ]
    assert list(answer.scores) == [-10, 38, 4, -2]
    assert not answer.HasField("outcome")
    request = pb.ScoreHandRequest(
        rule_set=choice("cardgames_zone_turned_trump"), scores=[4, 5], tricks=[6, 7]
    )
    assert list(methods.score_hand(request).scores) == [4, 12]
    # A low total needs no tricks, and changes nothing.
    request = pb.ScoreHandRequest(rule_set=choice("mulouk_41"), scores=[1, 2, 3, 4], bids=[2, 2, 3, 3])
    answer = methods.score_hand(request)
    assert answer.result.end == game_pb2.HAND_END_LOW_TOTAL
    assert list(answer.scores) == [1, 2, 3, 4]


def test_score_hand_of_a_forfeited_hand() -> None:
    request = pb.ScoreHandRequest(
        rule_set=choice(revoke=rules_pb2.REVOKE_FORFEITS),
        scores=[0, 0],
        contract=game_pb2.Contract(declarer=cards_pb2.SEAT_NORTH, tricks=8),
        tricks=[2, 11],
        offender=cards_pb2.SEAT_SOUTH,
    )
    answer = methods.score_hand(request)
    assert answer.result.end == game_pb2.HAND_END_FORFEITED
    assert list(answer.scores) == [-8, 11]
