"""The conformance vectors, asked through the stubs."""

import base64
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf.message import Message

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_client import Client, TarneebError


class Count(NamedTuple):
    """How many of how many passed."""

    passed: int
    total: int


def run(client: Client, folder: Path) -> Count:
    """Run all of a folder, naming each that differs on standard error."""
    lines = (folder / "vectors.jsonl").read_text("utf-8").splitlines()
    wrong = 0
    for vector in map(json.loads, lines):
        for _ in range(vector.get("repeat", 1)):
            found = difference(client, vector)
            if found:
                print(f"{vector['id']}: {found}", file=sys.stderr)
                wrong += 1
                break
    return Count(len(lines) - wrong, len(lines))


def difference(client: Client, vector: dict[str, Any]) -> str:
    """What is wrong with the answer to a vector; empty when nothing is."""
    rpc, data = vector["rpc"], base64.b64decode(vector["request"])
    request_type: type[Message] = getattr(pb, f"{rpc}Request")
    response_type: type[Message] = getattr(pb, f"{rpc}Response")
    try:
        if vector.get("raw"):
            answer = response_type.FromString(client.call_with_bytes(rpc, data))
        else:
            answer = method_of(client, rpc)(request_type.FromString(data))
    except TarneebError as error:
        said = {
            "code": error.code.name,
            "reason": error.reason_name,
            "problems": error.problems,
            "violations": sorted({(each.path, each.reason) for each in error.violations}),
        }
        expected = vector.get("status")
        if expected is None:
            return f"expected an answer, got {error}"
        expected["violations"] = [tuple(each) for each in expected["violations"]]
        return "" if said == expected else f"expected {expected}, got {said}"
    if "status" in vector:
        return f"expected {vector['status']}, got an answer"
    wanted = response_type.FromString(base64.b64decode(vector["response"]))
    return "" if answer == wanted else f"expected {wanted}, got {answer}"


def method_of(client: Client, rpc: str) -> Callable[[Message], Message]:
    """The client's method for the name in the contract."""
    method: Callable[[Message], Message] = getattr(client, re.sub(r"(?<=.)(?=[A-Z])", "_", rpc).lower())
    return method
