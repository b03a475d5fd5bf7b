"""Send the real server garbage for a while: python -m tools.fuzz --seconds 300.

Random bytes, sound requests cut, spliced, flipped or with fields spoiled, and sound requests written in ways that
no serializer does; a game is sent as a snapshot as often as not. Only whole answers and the refusals of
docs/errors.md may come back, and within a second; a game that is answered must be one that the service takes back.
Exit 1 with the first request that gets anything else.
"""

import argparse
import random
import sys
import time
from collections import Counter

from google.protobuf.message import Message

from harness.serving import serving
from tests.fuzz.calls import Code, FindingError, Target
from tests.fuzz.sound import requests_of_a_game
from tests.fuzz.spoiling import garbage, rewritten
from tests.rpc.samples import METHODS, samples

# How many calls are made of one random game, and how often progress is told.
CALLS_OF_A_GAME = 400
PROGRESS_SECONDS = 20.0


def fuzz(target: Target, seconds: float, seed: int) -> None:
    """Send requests for a while.

    Raises:
        FindingError: One got what none may get.
    """
    chance = random.Random(seed)
    deadline = time.monotonic() + seconds
    told = time.monotonic()
    while time.monotonic() < deadline:
        made = requests_of_a_game(chance)
        for method, requests in made.items():
            for request in requests[:3]:
                sound(target, method, request, chance)
        for _ in range(CALLS_OF_A_GAME):
            method = chance.choice(METHODS)
            if chance.random() < 0.1:
                target.send(method, chance.randbytes(chance.choice((0, 1, 2, 8, 64, 512))))
            else:
                target.send(method, garbage(chance.choice(made[method] or samples(method)), chance))
        if time.monotonic() - told > PROGRESS_SECONDS:
            told = time.monotonic()
            print(f"{deadline - told:5.0f} s left, {summary(target.outcomes)}", flush=True)


def sound(target: Target, method: str, request: Message, chance: random.Random) -> None:
    """Send a sound request twice: as it should be, and written strangely.

    Raises:
        FindingError: It is refused, or the answers differ.
    """
    data = request.SerializeToString()
    expected = target.send(method, data)
    if expected.code is not Code.OK:
        raise FindingError(method, data, f"a sound request got {expected.code.name}")
    strange = rewritten(request, chance)
    if target.send(method, strange).data != expected.data:
        raise FindingError(method, strange, f"another answer than its twin {data.hex()}")


def summary(outcomes: Counter[tuple[str, str]]) -> str:
    """Return how many calls there were, by what came of them."""
    codes: Counter[str] = Counter()
    for (_, code), count in outcomes.items():
        codes[code] += count
    return f"{outcomes.total()} calls: " + ", ".join(f"{count} {code}" for code, count in codes.most_common())


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Send the real server garbage for a while.")
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: 60)")
    parser.add_argument(
        "--seed", type=int, default=time.time_ns() % 2**32, help="repeat a run (default: a new one)"
    )
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    finding = None
    with serving() as server:
        target = Target(f"127.0.0.1:{server.port}")
        try:
            fuzz(target, arguments.seconds, arguments.seed)
        except FindingError as error:
            finding = error
        target.close()
    for (method, name), count in sorted(target.outcomes.items()):
        print(f"{method:15} {name:20} {count:7}")
    print(f"fuzz: {summary(target.outcomes)}; {1 if finding else 0} findings")
    if finding:
        print(finding)
    return 1 if finding else 0


if __name__ == "__main__":
    sys.exit(main())
