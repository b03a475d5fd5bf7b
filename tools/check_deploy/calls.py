"""A caller: enough of a game to get verdicts of every kind from a running service."""

import random
from collections.abc import Iterator
from contextlib import suppress

import grpc

from tarneeb.v1 import (
    cards_pb2,
    game_pb2,
    moves_pb2,
    records_pb2,
    rules_pb2,
    verdicts_pb2,
)
from tarneeb.v1 import (
    tarneeb_service_pb2 as pb,
)
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub

PRESETS = ("saharat_classic", "jawaker_egyptian", "saharat_400", "mulouk_41")
SECONDS = 10


def new_game(stub: TarneebServiceStub, preset: str, game_id: str) -> game_pb2.Game:
    """A game that waits for its deal."""
    request = pb.CreateGameRequest(
        id=game_id,
        rule_set=rules_pb2.RuleSetChoice(preset_id=preset),
        first_dealer=cards_pb2.SEAT_NORTH,
    )
    return stub.CreateGame(request, timeout=SECONDS).game


def dealt(stub: TarneebServiceStub, game: game_pb2.Game, seed: bytes) -> game_pb2.Game:
    """The game with its next hand."""
    deal = records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=seed, cut=b"cut"))
    return stub.DealHand(pb.DealHandRequest(game=game, deal=deal), timeout=SECONDS).game


def a_pass(seat: cards_pb2.Seat.ValueType) -> moves_pb2.Move:
    return moves_pb2.Move(seat=seat, call=moves_pb2.Call(kind=moves_pb2.CALL_KIND_PASS))


def a_request(stub: TarneebServiceStub) -> pb.ValidateMoveRequest:
    """A legal pass in a game of its own."""
    game = dealt(stub, new_game(stub, PRESETS[0], "check"), bytes(16))
    return pb.ValidateMoveRequest(game=game, move=a_pass(game.seat_to_act))


def get_verdict(channel: grpc.Channel) -> verdicts_pb2.Verdict:
    """The verdict on a legal pass."""
    stub = TarneebServiceStub(channel)
    return stub.ValidateMove(a_request(stub), timeout=SECONDS).verdict


def wrong_move(game: game_pb2.Game, chance: random.Random) -> moves_pb2.Move:
    """A move that is most likely refused: out of turn, a call in play, a card not held."""
    seat = cards_pb2.Seat.ValueType(chance.randint(1, 4))
    if chance.random() < 0.5:
        return a_pass(seat)
    card = cards_pb2.Card.ValueType(16 * chance.randint(1, 4) + chance.randint(2, 14))
    return moves_pb2.Move(seat=game.seat_to_act, card=card)


def lied_about(game: game_pb2.Game) -> game_pb2.Game:
    """The game as a broken store might give it back: a card is gone, and the scores are too many."""
    lie = game_pb2.Game()
    lie.CopyFrom(game)
    del lie.hand.dealt[0].cards[0]
    lie.scores.append(1)
    return lie


def play(stub: TarneebServiceStub, number: int) -> Iterator[game_pb2.Game]:
    """Play a game with random legal moves, one call or two a step, now and then a wrong one or a lie."""
    chance = random.Random(number)
    game = new_game(stub, PRESETS[number % len(PRESETS)], f"check-{number}")
    while game.phase != game_pb2.PHASE_GAME_OVER:
        yield game
        if game.phase == game_pb2.PHASE_AWAITING_DEAL:
            game = dealt(stub, game, chance.randbytes(16))
            continue
        moves = stub.ListLegalMoves(pb.ListLegalMovesRequest(game=game), timeout=SECONDS).moves
        if chance.random() < 0.15:
            request = pb.ValidateMoveRequest(game=game, move=wrong_move(game, chance))
            stub.ValidateMove(request, timeout=SECONDS)
        if chance.random() < 0.05:
            items = [pb.ValidateMoveRequest(game=game, move=move) for move in moves]
            stub.ValidateMoves(pb.ValidateMovesRequest(items=items), timeout=SECONDS)
        if chance.random() < 0.02:
            with suppress(grpc.RpcError):
                stub.ValidateMove(
                    pb.ValidateMoveRequest(game=lied_about(game), move=moves[0]), timeout=SECONDS
                )
        apply = pb.ApplyMoveRequest(game=game, move=chance.choice(moves))
        game = stub.ApplyMove(apply, timeout=SECONDS).game


def make_calls(channel: grpc.Channel, steps: int) -> int:
    """Play so many steps, of one game after another; returns how many there were."""
    stub = TarneebServiceStub(channel)
    done = number = 0
    while done < steps:
        number += 1
        for _ in play(stub, number):
            done += 1
            if done >= steps:
                break
    return done
