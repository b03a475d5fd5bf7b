"""A game stays on one replica, by the lines of docs/operations.md, and goes on when that replica goes."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import yaml

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tools.check_deploy.calls import SECONDS, a_request
from tools.check_deploy.envoy_config import cluster, host
from tools.check_deploy.gateway import envoy, expect
from tools.check_deploy.manifests import ROOT
from tools.check_deploy.processes import Service, end, service

PAGE = ROOT / "docs/operations.md"
GAMES, CALLS = 20, 5


def check(program: Path) -> str:
    """Calls for a game find it remembered, whichever game it is; those without the header go anywhere."""
    with ExitStack() as stack:
        services = [stack.enter_context(service()) for _ in range(2)]
        gateway = stack.enter_context(envoy(program, services, _hash_by_game))
        channel = stack.enter_context(grpc.insecure_channel(gateway.address))
        stub = TarneebServiceStub(channel)
        request = a_request(stub)
        games = {f"table-{number}": _of_game(request, f"table-{number}") for number in range(GAMES)}
        for game_id, one in games.items():
            for _ in range(CALLS):
                _validate(stub, game_id, one)
        shares = [_lookups(each, "hit") for each in services]
        misses = sum(_lookups(each, "miss") for each in services)
        expect("each game is checked once", (misses, sum(shares)) == (GAMES, GAMES * (CALLS - 1)), shares)
        expect("games are dealt out among replicas", min(shares) > 0, shares)
        end(services[0].process)
        for game_id, one in games.items():
            _validate(stub, game_id, one)
    return f"{GAMES} games, {CALLS} calls each: each checked once; all went on when a replica stopped"


def _hash_by_game(config: dict[str, Any]) -> None:
    route, one = _snippet()
    action = host(config)["routes"][-1]["route"]
    action["hash_policy"] = route["route"]["hash_policy"]
    action["retry_policy"].update(route["route"]["retry_policy"])
    cluster(config, "tarneeb").update(one)


def _snippet() -> tuple[dict[str, Any], dict[str, Any]]:
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    route, one = yaml.safe_load_all(text)
    return route, one


def _of_game(request: pb.ValidateMoveRequest, game_id: str) -> pb.ValidateMoveRequest:
    request.game.id = game_id
    return pb.ValidateMoveRequest(snapshot=request.game.SerializeToString(), move=request.move)


def _validate(stub: TarneebServiceStub, game_id: str, request: pb.ValidateMoveRequest) -> None:
    stub.ValidateMove(request, timeout=SECONDS, metadata=(("x-game-id", game_id),))


def _lookups(one: Service, result: str) -> int:
    (found,) = re.findall(
        rf'^tarneeb_memory_lookups_total{{result="{result}"}} (\S+)', one.metrics(), re.MULTILINE
    )
    return round(float(found))
