"""A backend with older stubs: plays a hand by what it keeps, and prints what came of it as JSON.

    python old_backend.py ADDRESS snapshot|game|json

Run by ``test_older_stubs`` with the older stubs on its path, and nothing of ours. Its types are not known here.
"""

import json
import sys
from typing import Any

import grpc
from google.protobuf import json_format
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from tarneeb.v1 import cards_pb2, game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb


def main() -> None:
    address, kept = sys.argv[1:]
    form = pb.GAME_FORM_SNAPSHOT if kept == "snapshot" else pb.GAME_FORM_GAME
    steps = 0
    try:
        with grpc.insecure_channel(address) as channel:
            creating: Any = pb.CreateGameRequest(id="old", first_dealer=cards_pb2.SEAT_NORTH, form=form)
            creating.rule_set.preset_id = "saharat_classic"
            game = keep(call(channel, "CreateGame", creating), kept)
            dealing = pb.DealHandRequest(**{field_of(kept): game})
            dealing.deal.seeded.seed = bytes(16)
            game = keep(call(channel, "DealHand", dealing), kept)
            while True:
                listed = call(channel, "ListLegalMoves", pb.ListLegalMovesRequest(**{field_of(kept): game}))
                if not listed.moves:
                    break
                request = pb.ApplyMoveRequest(move=listed.moves[0], **{field_of(kept): game})
                answer = call(channel, "ApplyMove", request)
                steps += 1
                assert answer.revision == steps + 1
                game = keep(answer, kept)
    except grpc.RpcError as error:
        print(json.dumps({"steps": steps, "violations": violations(error)}))
        return
    read: Any = game_pb2.Game.FromString(game) if isinstance(game, bytes) else game
    print(json.dumps({"steps": steps, "phase": read.phase, "tricks": len(read.hand.trick_winners)}))


def call(channel: grpc.Channel, method: str, request: Any) -> Any:
    answer: Any = getattr(pb, f"{method}Response")
    # Mypy knows the stubs of today, which lie elsewhere.
    path: Any = f"/tarneeb.v1.TarneebService/{method}"
    multicallable: Any = channel.unary_unary(
        path, request_serializer=type(request).SerializeToString, response_deserializer=answer.FromString
    )
    answered = multicallable(request, timeout=20)
    # As prost, protobuf.js and JSON do: what these stubs do not know is gone.
    answered.DiscardUnknownFields()
    return answered


def keep(answer: Any, kept: str) -> Any:
    """What the backend has of the next game when it wants it again."""
    if kept == "snapshot":
        return answer.snapshot
    if kept == "json":
        return json_format.Parse(json_format.MessageToJson(answer.game), game_pb2.Game())
    return answer.game


def field_of(kept: str) -> Any:
    return "snapshot" if kept == "snapshot" else "game"


def violations(error: Any) -> list[tuple[str, str, str]]:
    bad = error_details_pb2.BadRequest()
    status: Any = rpc_status.from_call(error)
    for detail in status.details:
        detail.Unpack(bad)
    return [(item.field, item.reason, item.description) for item in bad.field_violations]


if __name__ == "__main__":
    main()
