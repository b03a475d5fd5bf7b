"""A release with a new rules revision is rolled out while games are played: no call is lost, no game stands still."""

import json
import random
import threading
import time
from pathlib import Path
from typing import Any, Self

import grpc
import pytest
from google.rpc import error_details_pb2

from harness.service_process import SERVICE_CONFIG, START_SECONDS, ServiceProcess
from tarneeb.v1 import cards_pb2, game_pb2, records_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tests import later_release
from tests.rpc.samples import choice
from tests.server.support import detail, reason

PLAYERS = 4
LATER = (str(Path(later_release.__file__)),)
HANDLED = (
    'grpc_server_handled_total{{grpc_code="{code}",grpc_method="ApplyMove"'
    ',grpc_service="tarneeb.v1.TarneebService",grpc_type="unary"}}'
)


class Backend:
    """Plays games by their snapshots until it is stopped, with the retry that docs/errors.md asks for."""

    def __init__(self, ports: list[int]) -> None:
        config = json.loads(SERVICE_CONFIG)
        # A machine that stalls for a second is not to look like a lost call.
        config["methodConfig"][0].pop("timeout", None)
        options = [
            ("grpc.service_config", json.dumps(config)),
            ("grpc.initial_reconnect_backoff_ms", 200),
            ("grpc.max_reconnect_backoff_ms", 400),
        ]
        addresses = ",".join(f"127.0.0.1:{port}" for port in ports)
        self._channel = grpc.insecure_channel(f"ipv4:{addresses}", options=options)
        self._stub: Any = TarneebServiceStub(self._channel)
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._play_on, args=(number,)) for number in range(PLAYERS)]
        self.calls = 0
        self.lost: list[str] = []
        self.snapshots: dict[int, bytes] = {}

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(30)
        self._channel.close()

    def _play_on(self, number: int) -> None:
        try:
            while not self._stop.is_set():
                self._play(number, random.Random(number))
        except (grpc.RpcError, AssertionError) as error:
            self.lost.append(repr(error))

    def _play(self, number: int, chance: random.Random) -> None:
        """Play one game, or until all is over."""
        creating = pb.CreateGameRequest(id="g", rule_set=choice(), first_dealer=cards_pb2.SEAT_NORTH)
        answer = self._call("CreateGame", creating)
        revision = 0
        while not self._stop.is_set():
            self.snapshots[number] = answer.snapshot
            listed = self._call("ListLegalMoves", pb.ListLegalMovesRequest(snapshot=answer.snapshot))
            if listed.moves:
                move = chance.choice(listed.moves)
                answer = self._call("ApplyMove", pb.ApplyMoveRequest(snapshot=answer.snapshot, move=move))
            elif game_pb2.Game.FromString(answer.snapshot).phase == game_pb2.PHASE_GAME_OVER:
                return
            else:
                deal = records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=chance.randbytes(16)))
                answer = self._call("DealHand", pb.DealHandRequest(snapshot=answer.snapshot, deal=deal))
            revision += 1
            assert answer.revision == revision

    def _call(self, method: str, request: Any) -> Any:
        """Call, and try again when older replicas are all that the own attempts of the channel met."""
        end = time.monotonic() + 20
        while True:
            try:
                answer = getattr(self._stub, method)(request, timeout=20)
            except grpc.RpcError as error:
                if reason(error) != "NEWER_RULES" or time.monotonic() > end:
                    raise
                time.sleep(
                    detail(error, error_details_pb2.RetryInfo).retry_delay.ToTimedelta().total_seconds()
                )
            else:
                self.calls += 1
                return answer


def wait_for_moves(replica: ServiceProcess, code: str = "OK") -> None:
    end = time.monotonic() + START_SECONDS
    while replica.sample(HANDLED.format(code=code)) < 20:
        assert time.monotonic() < end, f"no 20 moves were {code}"
        time.sleep(0.05)


def test_no_call_is_lost(tmp_path: Path) -> None:
    settings = {"TARNEEB_DRAIN_SECONDS": 0.5, "TARNEEB_LOG_SUCCESSES_PER_SECOND": 0}
    replicas = [ServiceProcess(tmp_path, settings) for _ in range(2)]
    ports = [replica.port for replica in replicas]
    try:
        with Backend(ports) as backend:
            for replica in replicas:
                wait_for_moves(replica)
            assert {revision_of(snapshot) for snapshot in backend.snapshots.values()} == {
                later_release.NEXT - 1
            }
            for index, port in enumerate(ports):
                if index:
                    # The last of the older ones meets games that it leaves to the newer one.
                    wait_for_moves(replicas[index], "Unavailable")
                replicas[index].terminate()
                replicas[index] = ServiceProcess(tmp_path, {**settings, "TARNEEB_PORT": port}, program=LATER)
                wait_for_moves(replicas[index])
    finally:
        for replica in replicas:
            replica.kill()
    assert backend.lost == []
    assert backend.calls > 100
    assert {revision_of(snapshot) for snapshot in backend.snapshots.values()} == {later_release.NEXT}


def revision_of(snapshot: bytes) -> int:
    return game_pb2.Game.FromString(snapshot).rules_revision


@pytest.mark.parametrize("program", [("-m", "tarneeb_service"), LATER])
def test_the_later_release_is_one(tmp_path: Path, program: tuple[str, ...]) -> None:
    with (
        ServiceProcess(tmp_path, program=program) as replica,
        grpc.insecure_channel(f"127.0.0.1:{replica.port}") as channel,
    ):
        answered = TarneebServiceStub(channel).ListRuleSets(pb.ListRuleSetsRequest(), timeout=20)
        assert answered.rules_revision == (later_release.NEXT if program is LATER else later_release.NEXT - 1)
