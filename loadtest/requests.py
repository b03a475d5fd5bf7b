"""Requests as JSON, for tools that are not ours: ValidateMove with a legal move, hand by hand as played."""

import argparse
import json
from pathlib import Path

import grpc
from google.protobuf.json_format import MessageToDict

from loadtest.caller import Caller, Target
from loadtest.table import positions
from tarneeb.v1 import tarneeb_service_pb2 as pb


def write(target: Target, path: Path, hands: int = 1) -> int:
    """Play some hands of every rule set on a service, write a request for each move, and say how many."""
    with target.channel() as channel:
        call = Caller(channel, target.metadata(), deadline=10)
        rule_sets = [each.preset_id for each in call("ListRuleSets", pb.ListRuleSetsRequest()).rule_sets]
        requests = [
            MessageToDict(pb.ValidateMoveRequest(snapshot=here.snapshot, move=here.move))
            for here in positions(call, rule_sets, hands)
        ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(requests), encoding="utf-8")
    return len(requests)


def main() -> None:
    parser = argparse.ArgumentParser("python -m loadtest.requests", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=Path("build/loadtest/requests.json"))
    parser.add_argument("--host", default="localhost:50051", help="HOST:PORT of a service")
    parser.add_argument("--hands", type=int, default=1, help="hands of each rule set (default: 1)")
    parser.add_argument("--ca", default="", metavar="FILE", help="PEM authorities: TLS with these")
    parser.add_argument("--token-file", default="", metavar="FILE", help="a file with a bearer token")
    options = parser.parse_args()
    target = Target(options.host, ca=options.ca, token_file=options.token_file)
    try:
        print(f"{write(target, options.file, options.hands)} requests in {options.file}")
    except grpc.RpcError as error:
        parser.exit(1, f"{options.host}: {error.code().name}: {error.details()}\n")


if __name__ == "__main__":
    main()
