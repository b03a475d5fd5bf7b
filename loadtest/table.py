"""One table: a game played as a backend plays it, by the choosing rule of clients/PROGRAM.md."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from tarneeb.v1 import cards_pb2, game_pb2, moves_pb2, verdicts_pb2, views_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_client.choosing import choose

# loadtest.caller.Caller, or anything that is called like it.
Call = Callable[..., Any]
SEATS = (views_pb2.VIEWER_NORTH, views_pb2.VIEWER_WEST, views_pb2.VIEWER_SOUTH, views_pb2.VIEWER_EAST)


@dataclass(frozen=True, slots=True)
class Position:
    """A game as it is stored, the move that is chosen in it, and some that are refused."""

    snapshot: bytes
    move: moves_pb2.Move
    illegal: tuple[moves_pb2.Move, ...]


class Table:
    """A game after the other, one call a step; what is kept is what a backend keeps."""

    def __init__(self, call: Call, rule_sets: Sequence[str], chance: random.Random) -> None:
        """Play these rule sets by turns, dealt by ``chance``."""
        self._call, self._chance = call, chance
        self._rule_sets = cycle(rule_sets)
        self._snapshot = b""
        self._views: dict[int, views_pb2.GameView] = {}
        self.games_ended = self.hands_ended = 0

    def step(self) -> None:
        """Make the next call: a game, a deal or a move."""
        view = self._views.get(views_pb2.VIEWER_NORTH)
        if view is None or view.phase == game_pb2.PHASE_GAME_OVER:
            self.games_ended += view is not None
            self._create()
        elif view.phase == game_pb2.PHASE_AWAITING_DEAL:
            self._deal()
        else:
            self._move()

    def position(self) -> Position | None:
        """Where the game stands, if a seat is to act."""
        if not self._views:
            return None
        seat = self._views[views_pb2.VIEWER_NORTH].seat_to_act
        if not seat:
            return None
        view = self._views[seat]
        return Position(self._snapshot, choose(view), tuple(illegal_moves(view)))

    def _create(self) -> None:
        request = pb.CreateGameRequest(
            id=f"load-{self._chance.getrandbits(64):016x}",
            first_dealer=cards_pb2.SEAT_EAST,
            viewers=SEATS,
            form=pb.GAME_FORM_SNAPSHOT,
            omit_rules=True,
        )
        request.rule_set.preset_id = next(self._rule_sets)
        self._store(self._call("CreateGame", request))

    def _deal(self) -> None:
        request = pb.DealHandRequest(snapshot=self._snapshot, viewers=SEATS, omit_rules=True)
        request.deal.seeded.seed = self._chance.randbytes(32)
        self._store(self._call("DealHand", request))

    def _move(self) -> None:
        position = self.position()
        assert position
        request = pb.ApplyMoveRequest(
            snapshot=self._snapshot, move=position.move, viewers=SEATS, omit_rules=True
        )
        response = self._call("ApplyMove", request, problem=not_legal)
        self.hands_ended += response.HasField("hand_record")
        self._store(response)

    def _store(self, response: Any) -> None:
        self._snapshot = response.snapshot
        self._views = {view.viewer: view for view in response.views}


def not_legal(response: Any) -> str:
    """What is wrong with the verdict on a move that may be made."""
    verdict = response.verdict
    if verdict.ruling == verdicts_pb2.RULING_LEGAL:
        return ""
    return f"a legal move was not accepted: {verdict.rule_id} {verdict.message}"


def illegal_moves(view: views_pb2.GameView) -> list[moves_pb2.Move]:
    """Moves that the rules do not take as they are, whatever the rule set."""
    seat, legal = view.seat_to_act, view.legal_moves
    out_of_turn = moves_pb2.Move()
    out_of_turn.CopyFrom(legal[0])
    out_of_turn.seat = cards_pb2.Seat.ValueType(seat % 4 + 1)
    stale = moves_pb2.Move()
    stale.CopyFrom(legal[0])
    stale.revision = view.revision + 1
    moves = [out_of_turn, stale]
    if view.phase == game_pb2.PHASE_PLAY:
        playable = {move.card for move in legal}
        held = view.hand.holding
        # A revoke, where there is one; else a pass, which is no card.
        moves += [moves_pb2.Move(seat=seat, card=card) for card in held if card not in playable][:2]
        moves.append(moves_pb2.Move(seat=seat, call=moves_pb2.Call(kind=moves_pb2.CALL_KIND_PASS)))
    else:
        call = moves_pb2.Call(kind=moves_pb2.CALL_KIND_BID, tricks=14)
        moves += [moves_pb2.Move(seat=seat, call=call), moves_pb2.Move(seat=seat, card=view.hand.holding[0])]
    return moves


def positions(call: Call, rule_sets: Sequence[str], hands: int = 1, seed: int = 1) -> list[Position]:
    """Every position of some hands of each rule set, in turns of one call."""
    found = []
    for rule_set in rule_sets:
        table = Table(call, [rule_set], random.Random(f"{seed} {rule_set}"))
        while table.hands_ended < hands:
            position = table.position()
            if position is not None:
                found.append(position)
            table.step()
    return found
