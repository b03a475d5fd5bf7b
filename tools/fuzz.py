"""Send the real server garbage for a while: python tools/fuzz.py --seconds 300.

Random bytes, sound requests with flipped bits or cut short, and sound requests with fields spoiled. Only answers
and the refusals of docs/errors.md may come back, and quickly. Exit 1 with the first request that gets anything else.
"""

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import grpc

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.rpc.samples import METHODS, request_class, samples, spoil  # noqa: E402  # from the repository's root
from tools.server_process import serving  # noqa: E402  # from the repository's root

SERVICE = "tarneeb.v1.TarneebService"
EXPECTED = {
    grpc.StatusCode.OK,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}
# The slowest sound request is a long record; none of these comes near it.
MOST_SECONDS = 2.0


def garbage(method: str, chance: random.Random) -> bytes:
    """Return the bytes of a request that is hardly sound."""
    kind = chance.randrange(4)
    if kind == 0:
        return chance.randbytes(chance.choice((0, 1, 2, 8, 64, 512)))
    sample = chance.choice(samples(method))
    if kind == 1:
        message = request_class(method).FromString(sample.SerializeToString())
        for _ in range(chance.choice((1, 1, 2, 4, 8))):
            spoil(message, chance)
        return message.SerializeToString()
    data = bytearray(sample.SerializeToString())
    if kind == 2:
        return bytes(data[: chance.randrange(len(data) + 1)])
    for _ in range(chance.choice((1, 2, 4, 16))):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def fuzz(address: str, seconds: float, seed: int) -> str | None:
    """Send requests for a while and return the first finding, or none."""
    chance = random.Random(seed)
    outcomes: Counter[tuple[str, str]] = Counter()
    deadline = time.monotonic() + seconds
    with grpc.insecure_channel(address) as channel:
        calls: dict[str, Any] = {method: channel.unary_unary(f"/{SERVICE}/{method}") for method in METHODS}
        while time.monotonic() < deadline:
            method = chance.choice(METHODS)
            data = garbage(method, chance)
            began, code, details = time.monotonic(), grpc.StatusCode.OK, ""
            try:
                calls[method](data, timeout=10)
            except grpc.RpcError as error:
                code, details = error.code(), error.details() or ""
            took = time.monotonic() - began
            outcomes[method, code.name] += 1
            if code not in EXPECTED or took > MOST_SECONDS:
                return f"{method} answered {code.name} after {took:.1f} s: {details}\nrequest {data.hex()}"
    for (method, name), count in sorted(outcomes.items()):
        print(f"{method:15} {name:20} {count:7}")
    print(f"fuzz: {outcomes.total()} requests of {len(METHODS)} methods, 0 findings")
    return None


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Send the real server garbage for a while.")
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: 60)")
    parser.add_argument(
        "--seed", type=int, default=time.time_ns() % 2**32, help="repeat a run (default: a new one)"
    )
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    with serving() as server:
        finding = fuzz(f"127.0.0.1:{server.port}", arguments.seconds, arguments.seed)
    if finding:
        print(finding)
    return 1 if finding else 0


if __name__ == "__main__":
    sys.exit(main())
