"""Microseconds in process of one call: decode, check, judge and encode; no gRPC."""

import gc
import statistics
import time
from collections.abc import Callable

from bench.positions import RULE_SETS, legal_request, mid_hand, refused_request
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import check, game
from tarneeb_service.rpc import methods
from tarneeb_service.wire.game import decode_game
from tarneeb_service.wire.moves import decode_move
from tarneeb_service.wire.verdicts import encode_verdict

CALLS, ROUNDS = 100, 60
GOAL = 30.0


def microseconds(call: Callable[[], object], calls: int = CALLS, rounds: int = ROUNDS) -> float:
    """CPU time of a call in the best of some rounds: others share the machine, and can only add to it."""
    times = []
    call()
    gc.collect()
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(calls):
            call()
        times.append((time.process_time() - start) / calls * 1e6)
    return min(times)


def stages(request: pb.ValidateMoveRequest) -> dict[str, float]:
    """What each stage of ValidateMove takes, and the whole from bytes to bytes."""
    data = request.SerializeToString()
    position = decode_game(request.game)
    state = check(position)
    move, made_for = decode_move(request.move, "move")
    verdict = game.judge(state, move, made_for)
    parse = pb.ValidateMoveRequest.FromString

    def encode() -> bytes:
        return pb.ValidateMoveResponse(verdict=encode_verdict(verdict)).SerializeToString()

    return {
        "parse": microseconds(lambda: parse(data)),
        # Bytes are parsed anew for each call: reading a parsed message a second time is cheaper.
        "decode": microseconds(lambda: decode_game(parse(data).game)) - microseconds(lambda: parse(data)),
        "check": microseconds(lambda: check(position)),
        "move": microseconds(lambda: decode_move(request.move, "move")),
        "judge": microseconds(lambda: game.judge(state, move, made_for)),
        "encode": microseconds(encode),
        "whole": microseconds(lambda: methods.validate_move(parse(data)).SerializeToString()),
    }


def apply_whole(request: pb.ValidateMoveRequest) -> float:
    """What ApplyMove takes from bytes to bytes."""
    data = request.SerializeToString()
    parse = pb.ApplyMoveRequest.FromString
    return microseconds(lambda: methods.apply_move(parse(data)).SerializeToString(), calls=50)


def main() -> None:
    """Print a line a rule set."""
    print("core: µs of CPU a call in process, mid-hand (26 cards played), bytes to bytes")
    names = ["parse", "decode", "check", "move", "judge", "encode", "whole"]
    heading = "".join(f"{name:>8}" for name in names)
    print(f"  {'ValidateMove':28}{heading}{'ApplyMove':>11}")
    wholes = []
    for rule_set in RULE_SETS:
        request = legal_request(mid_hand(rule_set))
        times = stages(request)
        wholes.append(times["whole"])
        columns = "".join(f"{times[name]:8.1f}" for name in names)
        print(f"  {rule_set:28}{columns}{apply_whole(request):11.1f}")
    refused = stages(refused_request(mid_hand("saharat_classic")))
    print(f"  {'saharat_classic, refused':28}" + "".join(f"{refused[name]:8.1f}" for name in names))
    median = statistics.median(wholes)
    verdict = "met" if median <= GOAL else "missed"
    print(f"  median {median:.1f} µs; goal {GOAL:.0f} µs: {verdict}")


if __name__ == "__main__":
    main()
