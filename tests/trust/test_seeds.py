"""No seed comes back, whatever is asked: not in a game, view, event, verdict or error (C142)."""

import base64
import random
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson
from hypothesis import given, settings

from tarneeb.v1 import cards_pb2, game_pb2, records_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.errors import status_of
from tarneeb_service.wire.moves import encode_move
from tarneeb_service.wire.problems import NewerRulesError
from tests.random_games import all_moves
from tests.rpc.samples import function_of, spoil
from tests.scale import SCALE
from tests.strategies import seeds

VIEWERS: Any = [1, 2, 3, 4, 5]
# Fewer bytes than this could be anywhere by chance.
PIECE = 6


def answer_to(method: str, request: Any) -> tuple[Any, bytes]:
    """The answer, or none, and every byte that goes back, as protobuf and as JSON."""
    try:
        answer = function_of(method)(request)
    except (ProblemsError, NewerRulesError) as error:
        status = status_of(error, "")
        return None, f"{status.message} {error}".encode() + status.details
    return answer, answer.SerializeToString() + MessageToJson(answer).encode()


def pieces(secret: bytes) -> Iterator[bytes]:
    """A secret in all the ways that it could be written."""
    for start in range(len(secret) - PIECE + 1):
        piece = secret[start : start + PIECE]
        yield piece
        yield piece.hex().encode()
        yield str(list(piece)).encode()[1:-1]
    for start in range(3):
        whole = secret[start:]
        yield base64.b64encode(whole[: len(whole) // 3 * 3])[:8]
        yield base64.urlsafe_b64encode(whole[: len(whole) // 3 * 3])[:8]


def assert_secret(secret: bytes, sent: bytes) -> None:
    for piece in pieces(secret):
        assert piece not in sent
        assert piece.upper() not in sent


def asked(seed: bytes, preset_id: str, chance: random.Random) -> Iterator[tuple[str, Any]]:
    """Every request that takes a seed, and those about the game that came of it; refused ones too."""
    choice = rules_pb2.RuleSetChoice(preset_id=preset_id)
    create = pb.CreateGameRequest(id="g", rule_set=choice, first_dealer_seed=seed, viewers=VIEWERS)
    yield "CreateGame", create
    yield "CreateGame", pb.CreateGameRequest(rule_set=choice, first_dealer_seed=seed)
    start = methods.create_game(create).game
    commit = pb.CommitDealRequest(game_id="g", hand_number=1, seed=seed)
    yield "CommitDeal", commit
    yield "CommitDeal", pb.CommitDealRequest(game_id="g", seed=seed)
    deal = records_pb2.SeededDeal(seed=seed, cut=b"cut", commitment=methods.commit_deal(commit).commitment)
    dealt = pb.DealHandRequest(game=start, deal=records_pb2.Deal(seeded=deal), viewers=VIEWERS)
    yield "DealHand", dealt
    stored = methods.deal_hand(dealt).game
    for wrong in (b"", bytes(31), bytes(32)):
        lie = records_pb2.SeededDeal(seed=seed, cut=bytes(65 - len(wrong)), commitment=wrong)
        yield "DealHand", pb.DealHandRequest(game=start, deal=records_pb2.Deal(seeded=lie), viewers=VIEWERS)
    yield from _verified(deal, stored)
    yield from _replayed(create, deal, stored)
    for move in some_moves(stored, chance):
        yield "ApplyMove", pb.ApplyMoveRequest(game=stored, move=move, viewers=VIEWERS)
        yield "UndoMove", pb.UndoMoveRequest(game=_after(stored, move), viewers=VIEWERS)
    yield "ViewGame", pb.ViewGameRequest(game=stored, viewers=VIEWERS)
    yield "ListLegalMoves", pb.ListLegalMovesRequest(game=stored)


def _after(stored: game_pb2.Game, move: Any) -> game_pb2.Game:
    """The game after a move; the same one when it is refused or can't be judged."""
    answer, _ = answer_to("ApplyMove", pb.ApplyMoveRequest(game=stored, move=move))
    return answer.game if answer is not None and answer.HasField("game") else stored


def some_moves(stored: game_pb2.Game, chance: random.Random) -> Iterator[Any]:
    legal = methods.list_legal_moves(pb.ListLegalMovesRequest(game=stored)).moves
    yield from chance.sample(list(legal), 1)
    yield from (encode_move(move) for move in chance.sample(all_moves(), 3))


def _verified(deal: records_pb2.SeededDeal, stored: game_pb2.Game) -> Iterator[tuple[str, Any]]:
    for commitment in (deal.commitment, bytes(32), b""):
        for order in (1, 2, 0):
            request = pb.VerifyDealRequest(
                game_id="g",
                hand_number=1,
                dealer=stored.dealer,
                deal_order=rules_pb2.DealOrder.ValueType(order),
                seeded=deal,
                dealt=records_pb2.DealtHands(hands=stored.hand.dealt),
            )
            request.seeded.commitment = commitment
            yield "VerifyDeal", request


def _replayed(
    create: pb.CreateGameRequest, deal: records_pb2.SeededDeal, stored: game_pb2.Game
) -> Iterator[tuple[str, Any]]:
    record = records_pb2.GameRecord(id="g", rule_set=create.rule_set, first_dealer=stored.dealer)
    record.hands.add(deal=records_pb2.Deal(seeded=deal))
    record.hands.add(deal=records_pb2.Deal(seeded=deal))
    for detail in (0, 1, 2, 3):
        kind = pb.StepDetail.ValueType(detail)
        yield "ReplayGame", pb.ReplayGameRequest(record=record, step_detail=kind, viewers=VIEWERS)
    lie = records_pb2.GameRecord.FromString(record.SerializeToString())
    lie.hands[0].deal.seeded.commitment = bytes(32)
    yield "ReplayGame", pb.ReplayGameRequest(record=lie)
    lie.first_dealer = cards_pb2.SEAT_UNSPECIFIED
    yield "ReplayGame", pb.ReplayGameRequest(record=lie)


@pytest.mark.parametrize("preset_id", PRESET_IDS)
def test_no_answer_holds_a_seed(preset_id: str) -> None:
    chance = random.Random(preset_id)
    seed = chance.randbytes(32)
    answered: set[str] = set()
    refused: set[str] = set()
    for method, request in asked(seed, preset_id, chance):
        answer, sent = answer_to(method, request)
        (refused if answer is None else answered).add(method)
        assert_secret(seed, sent)
    assert answered > {"CreateGame", "CommitDeal", "DealHand", "VerifyDeal", "ReplayGame", "ApplyMove"}
    assert refused >= {"CreateGame", "CommitDeal", "DealHand", "VerifyDeal", "ReplayGame"}


@given(seeds())
@settings(max_examples=20 * SCALE)
def test_no_error_of_a_spoiled_request_holds_a_seed(number: int) -> None:
    chance = random.Random(number)
    seed = chance.randbytes(chance.randint(16, 64))
    for method, sound in list(asked(seed, chance.choice(PRESET_IDS), chance)):
        request = type(sound).FromString(sound.SerializeToString())
        for _ in range(chance.randrange(3)):
            spoil(request, chance)
        assert_secret(seed, answer_to(method, request)[1])


def test_the_search_would_find_one() -> None:
    secret = bytes(range(100, 132))
    for written in (
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        repr(list(secret)).encode(),
    ):
        with pytest.raises(AssertionError):
            assert_secret(secret, b"before" + written + b"after")
    for start in range(3):
        with pytest.raises(AssertionError):
            assert_secret(secret, base64.b64encode(bytes(start) + secret))
