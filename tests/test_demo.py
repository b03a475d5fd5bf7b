"""The demo: whole games through a server of their own, held against the oracle."""

import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import grpc
import pytest

from harness.serving import Server, serving
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tests.oracle.cards import DECK
from tests.oracle.rule_sets import RULE_SETS
from tools.demo.game import Disagreement, Stopped, Table
from tools.demo.oracle import NUMBERS, differences, move_message, oracle_move

COMMAND = [sys.executable, "-m", "tools.demo"]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def channel(server: Server) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"127.0.0.1:{server.port}") as opened:
        yield opened


def test_two_rule_sets_agree_with_the_oracle() -> None:
    chosen = ["--games", "1", "--rule-set", "cardgames_zone", "--rule-set", "saharat_400"]
    demo = subprocess.run([*COMMAND, *chosen], capture_output=True, text=True, timeout=100, check=False)
    assert demo.returncode == 0, demo.stdout + demo.stderr
    lines = demo.stdout.splitlines()
    assert re.fullmatch(r"demo: 2/2 rule sets, 2 games, [1-9]\d* moves, 0 disagreements", lines[-1])
    for line in lines[:2]:
        tried = re.fullmatch(
            r"(?P<set>\w+) +1 games +\d+ hands +\d+ moves +\d+ redeals  won by North–South [01], West–East [01]"
            r"  illegal moves tried (?P<tried>[1-9]\d*), refused (?P<refused>\d+)",
            line,
        )
        assert tried, line
        assert tried["set"] in chosen
        assert tried["tried"] == tried["refused"]


def test_the_same_seed_plays_the_same_game(channel: grpc.Channel) -> None:
    def play() -> tuple[bytes, object]:
        table = Table(channel, "jawaker_classic", 1, 7, threading.Event())
        tally = table.play()
        return table.game.SerializeToString(deterministic=True), tally

    assert play() == play()


def refuse_the_first(table: Table) -> None:
    table.referee.legal = lambda: [("card", "SA")]  # type: ignore[method-assign]


def lose_a_point(table: Table) -> None:
    table.referee.scores[0] += 1


@pytest.mark.parametrize(
    ("break_oracle", "says"),
    [(refuse_the_first, "legal moves"), (lose_a_point, "game.scores")],
)
def test_a_disagreement_is_found(
    channel: grpc.Channel, break_oracle: Callable[[Table], None], says: str
) -> None:
    table = Table(channel, "saharat_classic", 1, 1, threading.Event())
    table.deal()
    break_oracle(table)
    with pytest.raises(Disagreement, match=f"saharat_classic, game 1, revision .: {says}"):
        table.move()


def test_other_rules_are_a_disagreement(channel: grpc.Channel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULE_SETS, "saharat_classic", RULE_SETS["saharat_classic"] | {"target": 40})
    with pytest.raises(Disagreement, match="target is 41, the oracle has 40"):
        Table(channel, "saharat_classic", 1, 1, threading.Event())


def test_a_game_stops_when_told(channel: grpc.Channel) -> None:
    stop = threading.Event()
    table = Table(channel, "saharat_classic", 1, 1, stop)
    stop.set()
    with pytest.raises(Stopped):
        table.play()


def test_moves_survive_the_way_to_a_message_and_back() -> None:
    moves = [("pass",), ("double",), ("bid", 7, None), ("bid", 9, "no_trump"), ("trump", "spades")]
    for move in [*moves, *(("card", card) for card in DECK)]:
        assert oracle_move(move_message(2, move)) == move
    assert NUMBERS["C2"] == 18
    assert NUMBERS["SA"] == 78


def test_every_switch_of_the_rules_is_compared(channel: grpc.Channel) -> None:
    presets = TarneebServiceStub(channel).ListRuleSets(pb.ListRuleSetsRequest()).rule_sets
    assert {preset.preset_id for preset in presets} == set(RULE_SETS)
    for preset in presets:
        assert differences(preset.rules, RULE_SETS[preset.preset_id]) == []
        assert {field.name for field in preset.rules.DESCRIPTOR.fields} == set(RULE_SETS[preset.preset_id])
