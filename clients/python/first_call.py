"""A game backend in small: it keeps a game, has each move judged, and stores what comes back.

    python first_call.py [host:port]

It needs the generated stubs of `tarneeb.v1` on the path (clients/README.md) and `grpcio`.
"""

import json
import secrets
import sys
from typing import NamedTuple

import grpc

from tarneeb.v1 import cards_pb2, moves_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub

# Every call may be repeated: nothing is kept between two calls. CANCELLED is what a server that stops gives
# to calls it had not begun. The deadline goes with each call: grpcio lets a "timeout" in here expire early.
SERVICE_CONFIG = {
    "methodConfig": [
        {
            "name": [{"service": "tarneeb.v1.TarneebService"}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.05s",
                "maxBackoff": "1s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
            },
        }
    ]
}
# Seconds, retries included.
DEADLINE = 2


class Row(NamedTuple):
    """What is stored of a game: the bytes as they came, and the revision beside them."""

    snapshot: bytes
    revision: int


class Store:
    """Stands for the backend's database: one row a game, replaced only at the revision that was read."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}

    def add(self, game_id: str, row: Row) -> None:
        self._rows[game_id] = row

    def load(self, game_id: str) -> Row:
        return self._rows[game_id]

    def replace(self, game_id: str, row: Row, read_at: int) -> bool:
        """As `UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?`."""
        if self.load(game_id).revision != read_at:
            return False
        self.add(game_id, row)
        return True


class Backend:
    """What a backend does with a move."""

    def __init__(self, stub: TarneebServiceStub, store: Store) -> None:
        self._stub, self._store = stub, store

    def start(self, game_id: str) -> None:
        request = pb.CreateGameRequest(
            id=game_id, first_dealer=cards_pb2.SEAT_EAST, form=pb.GAME_FORM_SNAPSHOT
        )
        request.rule_set.preset_id = "saharat_classic"
        created = self._stub.CreateGame(request, timeout=DEADLINE)
        self._store.add(game_id, Row(created.snapshot, created.revision))
        deal = pb.DealHandRequest(snapshot=created.snapshot)
        deal.deal.seeded.seed = secrets.token_bytes(32)
        dealt = self._stub.DealHand(deal, timeout=DEADLINE)
        self._store.replace(game_id, Row(dealt.snapshot, dealt.revision), created.revision)

    def legal_moves(self, game_id: str) -> list[moves_pb2.Move]:
        request = pb.ListLegalMovesRequest(snapshot=self._store.load(game_id).snapshot)
        return list(self._stub.ListLegalMoves(request, timeout=DEADLINE).moves)

    def move(self, game_id: str, move: moves_pb2.Move) -> verdicts_pb2.Verdict:
        """Make a move; one that came too late meets the game as it is by then."""
        while True:
            row = self._store.load(game_id)
            request = pb.ApplyMoveRequest(snapshot=row.snapshot, move=move)
            answer = self._stub.ApplyMove(request, timeout=DEADLINE)
            accepted = answer.verdict.ruling != verdicts_pb2.RULING_REFUSED
            following = Row(answer.snapshot, answer.revision)
            if not accepted or self._store.replace(game_id, following, row.revision):
                return answer.verdict


def bid(seat: cards_pb2.Seat.ValueType, tricks: int) -> moves_pb2.Move:
    call = moves_pb2.Call(kind=moves_pb2.CALL_KIND_BID, tricks=tricks)
    return moves_pb2.Move(seat=seat, call=call)


def told(verdict: verdicts_pb2.Verdict) -> str:
    """A verdict for its mover; a front end would say the reason and its parameters in its own language."""
    if verdict.ruling == verdicts_pb2.RULING_LEGAL:
        return "legal"
    reason = verdicts_pb2.RefusalReason.Name(verdict.reason).removeprefix("REFUSAL_REASON_")
    return f"refused, {reason} ({verdict.rule_id}): {verdict.message}"


def main() -> int:
    target = sys.argv[1] if len(sys.argv) > 1 else "localhost:50051"
    options = [("grpc.service_config", json.dumps(SERVICE_CONFIG))]
    with grpc.insecure_channel(target, options=options) as channel:
        backend = Backend(TarneebServiceStub(channel), Store())
        try:
            backend.start("first-call")
            legal = backend.legal_moves("first-call")
        except grpc.RpcError as error:
            print(f"{target}: {error.details()}")
            return 1
        bids = [str(move.call.tricks) for move in legal if move.call.kind == moves_pb2.CALL_KIND_BID]
        print(f"North may pass or bid {', '.join(bids)}")
        print("North bids 9:", told(backend.move("first-call", bid(cards_pb2.SEAT_NORTH, 9))))
        print("West bids 8:", told(backend.move("first-call", bid(cards_pb2.SEAT_WEST, 8))))
        late = bid(cards_pb2.SEAT_WEST, 10)
        late.revision = 1
        print("West bids 10, made for revision 1:", told(backend.move("first-call", late)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
