"""Whole hands as a service sees them: many tables at once, a call of each in turn, every snapshot new."""

import random
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median_low
from typing import NamedTuple

from bench.positions import RULE_SETS, choose, deal
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1 import views_pb2
from tarneeb_service.engine import game
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.state import AwaitingDeal, GameOver, Header, InPlay, State, deal_of
from tarneeb_service.rpc.dispatch import SERVICE, dispatch, methods_table
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.moves import encode_move
from tarneeb_service.wire.records import encode_recorded_hand

# More than there are calls in flight: a call of a table waits until the one before it was answered, as tables do.
TABLES = 64
SEATS = tuple(views_pb2.Viewer.ValueType(number) for number in range(1, 5))
METHODS = tuple(methods_table())


class Request(NamedTuple):
    """A call: the method's name, and the message as bytes."""

    method: str
    data: bytes


class Moment(NamedTuple):
    """A seat is to move: the game, its snapshot, the call that answered with it, and the call that goes on."""

    state: State
    snapshot: bytes
    before: Request
    apply: Request

    @property
    def validate(self) -> Request:
        request = pb.ApplyMoveRequest.FromString(self.apply.data)
        asked = pb.ValidateMoveRequest(snapshot=self.snapshot, move=request.move)
        return Request("ValidateMove", asked.SerializeToString())

    @property
    def tricks(self) -> int:
        """Tricks of the hand that are played."""
        return len(self.state.play.played) // 4 if isinstance(self.state, InPlay) else 0


def snapshot_of(state: State) -> bytes:
    """The bytes that the service answers with."""
    return encode_game(state).SerializeToString(deterministic=True)


class Table:
    """Plays random hands, one game after the other."""

    def __init__(self, number: int, seed: str) -> None:
        self._name = f"{seed}-{number}"
        self._rule_set = RULE_SETS[number % len(RULE_SETS)]
        self._chance = random.Random(f"{self._name} {self._rule_set}")
        self._games = 0
        self._state: State | None = None
        self._before = Request("", b"")

    def next(self) -> Moment:
        """The next moment at which somebody is to move."""
        state = self._state
        while state is None or isinstance(state, AwaitingDeal | GameOver):
            state = self._dealt(state) if isinstance(state, AwaitingDeal) else self._created()
        snapshot, move = snapshot_of(state), choose(state, self._chance)
        asked = pb.ApplyMoveRequest(snapshot=snapshot, move=encode_move(move), viewers=SEATS, omit_rules=True)
        request = Request("ApplyMove", asked.SerializeToString())
        moment = Moment(state, snapshot, self._before, request)
        self._state, self._before = game.apply(state, move)[1], request
        return moment

    def _created(self) -> State:
        self._games += 1
        name = f"bench-{self._name}-{self._games}"
        return game.create(Header(name, self._rule_set, presets()[self._rule_set].rules), 0)

    def _dealt(self, state: AwaitingDeal) -> State:
        following = deal(state, self._chance)
        given = deal_of(following)
        assert given
        asked = pb.DealHandRequest(
            snapshot=snapshot_of(state),
            deal=encode_recorded_hand(given, ()).deal,
            viewers=SEATS,
            omit_rules=True,
        )
        self._before = Request("DealHand", asked.SerializeToString())
        return following


def moments(count: int, seed: str = "hands") -> list[Moment]:
    """So many moments of many tables, one of each in turn."""
    tables = [Table(number, seed) for number in range(TABLES)]
    return [tables[index % TABLES].next() for index in range(count)]


def validates(played: Sequence[Moment]) -> list[Request]:
    """A verdict for each."""
    return [moment.validate for moment in played]


def applies(played: Sequence[Moment]) -> list[Request]:
    """The next game for each, with a view for each seat."""
    return [moment.apply for moment in played]


def befores(played: Sequence[Moment]) -> list[Request]:
    """The calls that are answered with their snapshots: whoever gets these has seen them."""
    return [moment.before for moment in played]


def mixed(played: Sequence[Moment]) -> list[Request]:
    """What a backend may ask at most in each: the legal moves, a verdict, the next game, a view; and the deals."""
    requests = []
    for start in range(0, len(played), TABLES):
        bunch = played[start : start + TABLES]
        requests += [moment.before for moment in bunch if moment.before.method == "DealHand"]
        requests += [
            Request("ListLegalMoves", pb.ListLegalMovesRequest(snapshot=moment.snapshot).SerializeToString())
            for moment in bunch
        ]
        requests += validates(bunch) + applies(bunch)
        requests += [
            Request(
                "ViewGame",
                pb.ViewGameRequest(
                    snapshot=moment.snapshot, viewers=SEATS[:1], omit_rules=True
                ).SerializeToString(),
            )
            for moment in bunch
        ]
    return requests


def batches(played: Sequence[Moment], size: int) -> list[Request]:
    """Verdicts for all of them, so many a call."""
    items = [pb.ValidateMoveRequest.FromString(moment.validate.data) for moment in played]
    return [
        Request(
            "ValidateMoves", pb.ValidateMovesRequest(items=items[start : start + size]).SerializeToString()
        )
        for start in range(0, len(items) - size + 1, size)
    ]


def answers(requests: Iterable[Request]) -> list[Request]:
    """A middling answer for each method that is called; what an echo answers."""
    table, found = methods_table(), dict[str, list[bytes]]()
    for request in requests:
        outcome = dispatch(table[request.method], request.data, "", lambda: None)
        if outcome.error is not None:
            raise outcome.error
        found.setdefault(request.method, []).append(outcome.answer)
    return [
        Request(method, next(data for data in datas if len(data) == median_low(map(len, datas))))
        for method, datas in found.items()
    ]


def write(path: Path, requests: Iterable[Request]) -> None:
    """Write a stream's file: the methods' paths on a line, then a byte, four of length, and the message, of each."""
    with path.open("wb") as file:
        file.write(" ".join(f"/{SERVICE}/{name}" for name in METHODS).encode() + b"\n")
        for method, data in requests:
            file.write(struct.pack("<BI", METHODS.index(method), len(data)) + data)


def read(path: Path) -> dict[str, bytes]:
    """Read such a file with one message a method, by the method's name."""
    with path.open("rb") as file:
        names = [name.rpartition("/")[2] for name in file.readline().decode().split()]
        found = {}
        while head := file.read(5):
            number, length = struct.unpack("<BI", head)
            found[names[number]] = file.read(length)
    return found
