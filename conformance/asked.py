"""Ask a running server every vector, and write what was sent and answered.

    python -m conformance.asked DIR --target HOST:PORT

The file ``vectors.jsonl`` in the folder needs neither setups nor proto JSON to be run: clients/PROGRAM.md has its keys.
An answer is written only after it was held against what the vector expects.
"""

import argparse
import base64
import json
import sys
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import message_factory
from google.protobuf.message import DecodeError

from conformance import runner


def asked(send: runner.Send, vector: dict[str, Any], deals: dict[str, Any]) -> dict[str, Any]:
    """What is sent for a vector and what comes back, as a line of the file.

    Raises:
        AssertionError: The answer is not the one that the vector expects.
    """
    differences = runner.run(send, vector, deals)
    assert not differences, f"{vector['id']}: {differences}"
    rpc, data = vector["rpc"], runner.request_bytes(send, vector, deals)
    line: dict[str, Any] = {"id": vector["id"], "rpc": rpc, "request": _base64(data)}
    if not _is_message(rpc, data):
        line["raw"] = True
    if "repeat" in vector:
        line["repeat"] = vector["repeat"]
    answer = send(rpc, data)
    if isinstance(answer, bytes):
        line["response"] = _base64(answer)
    else:
        line["status"] = {
            "code": answer.code,
            "reason": answer.reason,
            "problems": answer.problems,
            "violations": sorted(set(answer.violations)),
        }
    return line


def write(folder: Path, target: str) -> int:
    """Write all vectors into a folder, and return how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    with grpc.insecure_channel(target) as channel:
        send = runner.over_channel(channel)
        lines = [
            json.dumps(asked(send, vector, document.get("deals", {})))
            for document in map(runner.load, runner.files())
            for vector in document["vectors"]
        ]
    (folder / "vectors.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _is_message(rpc: str, data: bytes) -> bool:
    request = message_factory.GetMessageClass(runner.SERVICE.methods_by_name[rpc].input_type)
    try:
        request.FromString(data)
    except DecodeError:
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--target", default="localhost:50051", help="HOST:PORT of a running server")
    options = parser.parse_args()
    print(f"{write(options.folder, options.target)} vectors in {options.folder / 'vectors.jsonl'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
