"""Recorded faults of other card-game code, as cases for the service: what travels, and what a caller may do."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tarneeb.v1 import cards_pb2, errors_pb2, game_pb2, moves_pb2, records_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.rpc import methods
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tests.positions import bidding, deal, make, move_of, new_game
from tests.rpc.bad_games import put, sound
from tests.rpc.samples import SEED, choice

ROOT = Path(__file__).parent.parent.parent


def game_of(name: str) -> game_pb2.Game:
    return game_pb2.Game.FromString(sound(name))


def apply(game: game_pb2.Game, move: Any, revision: int | None = None) -> pb.ApplyMoveResponse:
    request = pb.ApplyMoveRequest(game=game, move=encode_move(move))
    if revision is not None:
        request.move.revision = revision
    return methods.apply_move(request)


def problems(game: game_pb2.Game) -> list[str]:
    answer = methods.validate_game(pb.ValidateGameRequest(game=game))
    return [
        f"{problem.path} {errors_pb2.ProblemReason.Name(problem.reason).removeprefix('PROBLEM_REASON_')}"
        for problem in answer.problems
    ]


def low_total() -> tuple[game_pb2.Game, Any]:
    """A game of 400 before the last bid, and the bid that makes the total too low."""
    return encode_game(bidding("saharat_400", "1:2 2:2 3:3")), move_of("0:2")


def test_c58_neither_dealer_nor_seed() -> None:
    with pytest.raises(ProblemsError):
        methods.create_game(pb.CreateGameRequest(id="g", rule_set=choice()))


def test_c59_the_same_deal_on_another_replica() -> None:
    """A hand follows from seed, cut, game and number, in this process and in a fresh one."""
    game, move = low_total()
    waiting = apply(game, move).game
    request = pb.DealHandRequest(
        game=waiting, deal=records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED, cut=b"cut"))
    )
    code = (
        "import sys; from tarneeb.v1 import tarneeb_service_pb2 as pb; from tarneeb_service.rpc import methods; "
        "request = pb.DealHandRequest.FromString(bytes.fromhex(sys.argv[1])); "
        "print(methods.deal_hand(request).SerializeToString(deterministic=True).hex())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, request.SerializeToString().hex()],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "1"},
    )
    here = methods.deal_hand(request).SerializeToString(deterministic=True)
    assert bytes.fromhex(done.stdout) == here


def test_c86_rules_are_part_of_the_game() -> None:
    """No request beside CreateGame, the resolver, the score pad and a record carries rules of its own."""
    service = pb.DESCRIPTOR.services_by_name["TarneebService"]
    choosing = {
        method.name
        for method in service.methods
        for field in method.input_type.fields
        if field.message_type is not None and field.message_type.name in ("RuleSet", "RuleSetChoice")
    }
    assert choosing == {"CreateGame", "ResolveRuleSet", "ScoreHand"}


def test_c115_a_trick_is_taken_from_the_table_at_once() -> None:
    game = game_of("play")
    for text in ("2:DA", "3:C7"):
        game = apply(game, move_of(text)).game
    assert list(game.hand.trick_winners) == [cards_pb2.SEAT_NORTH, cards_pb2.SEAT_SOUTH]
    assert game.seat_to_act == cards_pb2.SEAT_SOUTH
    view = methods.view_game(pb.ViewGameRequest(game=game, viewers=[1])).views[0]  # type: ignore[list-item]
    assert list(view.hand.trick.cards) == []
    # A fifth card by who would have been next, made for the game before, is stale.
    late = apply(game, move_of("0:C2"), game.revision - 1)
    assert late.verdict.reason == verdicts_pb2.REFUSAL_REASON_STALE_REVISION


def test_c116_the_next_move_is_there_at_once() -> None:
    game = game_of("play")
    for text in ("2:DA", "3:C7"):
        game = apply(game, move_of(text)).game
    assert methods.list_legal_moves(pb.ListLegalMovesRequest(game=game)).moves


def test_c118_no_move_ends_a_hand() -> None:
    actions = {field.name for field in moves_pb2.Move.DESCRIPTOR.oneofs_by_name["action"].fields}
    assert actions == {"call", "trump", "card"}


def test_c119_the_same_move_gives_the_same_bytes() -> None:
    game, move = low_total()
    one, other = (apply(game, move).SerializeToString(deterministic=True) for _ in range(2))
    assert one == other


def test_c121_a_second_click_is_harmless_or_refused() -> None:
    game = game_of("play")
    first = apply(game, move_of("2:DA"), game.revision)
    # The same request again gives the same answer; on the next game it is stale, or out of turn.
    assert apply(game, move_of("2:DA"), game.revision) == first
    stale = apply(first.game, move_of("2:DA"), game.revision)
    assert stale.verdict.reason == verdicts_pb2.REFUSAL_REASON_STALE_REVISION
    assert not stale.HasField("game")
    turn = apply(first.game, move_of("2:DA"))
    assert turn.verdict.reason == verdicts_pb2.REFUSAL_REASON_OUT_OF_TURN


def test_c122_a_trick_is_awarded_once() -> None:
    game = game_of("play")
    assert len(game.hand.trick_winners) == len(game.hand.played) // 4 == 1
    game.hand.trick_winners.append(cards_pb2.SEAT_NORTH)
    assert problems(game) == ["game.hand.trick_winners WRONG_COUNT"]


def test_c124_of_two_moves_for_a_revision_one_is_stale() -> None:
    game = game_of("play")
    own = apply(game, move_of("2:DA"), game.revision)
    timer = apply(own.game, move_of("2:D6"), game.revision)
    assert timer.verdict.game_revision == game.revision + 1


def test_c127_a_passed_out_hand_names_nobody() -> None:
    state = bidding("saharat_classic", "1:P 2:P 3:P 0:P")
    game = encode_game(state)
    assert not game.hand.HasField("contract")
    assert (game.hand.trump, game.hand.opening_leader) == (0, 0)
    assert game.hand.result.end == game_pb2.HAND_END_ALL_PASSED
    assert not game.hand.result.lines


def test_c128_zero_is_missing_and_north_is_not() -> None:
    game = encode_game(make(deal(new_game("saharat_classic", 3)), ""))
    move = moves_pb2.Move(call=moves_pb2.Call(kind=moves_pb2.CALL_KIND_PASS))
    with pytest.raises(ProblemsError) as caught:
        methods.apply_move(pb.ApplyMoveRequest(game=game, move=move))
    assert caught.value.problems[0].path == "move.seat"
    move.seat = cards_pb2.SEAT_NORTH
    assert (
        methods.apply_move(pb.ApplyMoveRequest(game=game, move=move)).verdict.ruling
        == verdicts_pb2.RULING_LEGAL
    )
    # Revision 0 can be asked for, and is not "unset".
    move.revision = 0
    stale = methods.apply_move(pb.ApplyMoveRequest(game=game, move=move))
    assert stale.verdict.reason == verdicts_pb2.REFUSAL_REASON_STALE_REVISION


def test_c130_content_is_checked() -> None:
    game = game_of("play")
    # S2, dealt to West too.
    put("hand.dealt[0].cards[0]", cards_pb2.CARD_SPADES_TWO)(game)
    assert problems(game) == ["game.hand.dealt[1].cards[12] DUPLICATE"]
    game = game_of("400")
    put("hand.trump", cards_pb2.STRAIN_SPADES)(game)
    assert problems(game) == ["game.hand.trump MISMATCH"]
    game = game_of("play")
    put("seat_to_act", cards_pb2.SEAT_WEST)(game)
    assert problems(game) == ["game.seat_to_act MISMATCH"]
    # Passed, and yet the high bidder.
    game = game_of("play")
    put("hand.contract.declarer", cards_pb2.SEAT_SOUTH)(game)
    assert problems(game) == ["game.hand.contract.declarer MISMATCH"]


def test_c131_a_view_is_the_same_after_a_reconnect() -> None:
    request = pb.ViewGameRequest(game=game_of("play"), viewers=[3])  # type: ignore[list-item]
    one, other = (methods.view_game(request) for _ in range(2))
    assert one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)
    (view,) = one.views
    assert view.seat_to_act == cards_pb2.SEAT_SOUTH
    assert view.legal_moves
    assert len(view.hand.holding) == 12
    assert len(view.hand.trick.cards) == 2
    assert (list(view.scores), view.hand.contract.tricks) == ([0, 0], 7)


def test_c133_a_record_replays_to_the_same_bytes() -> None:
    game = methods.create_game(
        pb.CreateGameRequest(id="g", rule_set=choice(), first_dealer=cards_pb2.SEAT_NORTH)
    ).game
    record = records_pb2.GameRecord(id="g", rule_set=choice(), first_dealer=cards_pb2.SEAT_NORTH)
    for number in range(3):
        seeded = records_pb2.SeededDeal(seed=bytes([number]) * 16)
        hand = record.hands.add(deal=records_pb2.Deal(seeded=seeded))
        game = methods.deal_hand(pb.DealHandRequest(game=game, deal=hand.deal)).game
        while game.phase not in (game_pb2.PHASE_AWAITING_DEAL, game_pb2.PHASE_GAME_OVER):
            move = methods.list_legal_moves(pb.ListLegalMovesRequest(game=game)).moves[0]
            hand.moves.append(move)
            game = methods.apply_move(pb.ApplyMoveRequest(game=game, move=move)).game
        if game.phase == game_pb2.PHASE_GAME_OVER:
            break
    answer = methods.replay_game(pb.ReplayGameRequest(record=record))
    assert not answer.HasField("refused")
    assert answer.accepted_steps == answer.total_steps == game.revision
    assert answer.game.SerializeToString(deterministic=True) == game.SerializeToString(deterministic=True)


@pytest.mark.parametrize(
    ("name", "move", "reason"),
    [
        ("auction", {"seat": 3, "trump": 3}, "WRONG_PHASE"),
        ("naming", {"seat": 3, "trump": 3}, "NOT_DECLARER"),
        ("play", {"seat": 3, "call": {"kind": 2}}, "WRONG_PHASE"),
        ("naming", {"seat": 1, "card": 78}, "WRONG_PHASE"),
        ("400", {"seat": 2, "trump": 3}, "WRONG_PHASE"),
    ],
)
def test_c134_moves_of_another_phase(name: str, move: dict[str, Any], reason: str) -> None:
    game = game_of(name)
    before = game.SerializeToString(deterministic=True)
    request = pb.ApplyMoveRequest(game=game, move=moves_pb2.Move(**move))
    answer = methods.apply_move(request)
    assert verdicts_pb2.RefusalReason.Name(answer.verdict.reason) == f"REFUSAL_REASON_{reason}"
    assert not answer.HasField("game")
    assert request.game.SerializeToString(deterministic=True) == before
