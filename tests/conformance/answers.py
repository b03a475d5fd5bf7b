"""Every answer of every vector as a hash, in some order: python -m tests.conformance.answers 7.

For test_processes.py, which runs it in processes of their own.
"""

import json
import random
import sys
from hashlib import sha256

from conformance import runner
from tests.conformance.test_vectors import CASES, in_process


def answers(seed: int) -> dict[str, str]:
    """The hash of all that a vector's calls get, setup and all; the vectors in the order of a seed."""
    found = {}
    order = [case.values for case in CASES]
    random.Random(seed).shuffle(order)
    for vector, deals in order:
        got: list[bytes | runner.Failure] = []

        def send(rpc: str, request: bytes, got: list[bytes | runner.Failure] = got) -> bytes | runner.Failure:
            got.append(in_process(rpc, request))
            return got[-1]

        send(vector["rpc"], runner.request_bytes(send, vector, deals))
        found[vector["id"]] = sha256(repr(got).encode()).hexdigest()
    return found


if __name__ == "__main__":
    json.dump(answers(int(sys.argv[1])), sys.stdout)
