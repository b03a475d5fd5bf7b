"""Files with games, views and records in them."""

from pathlib import Path

import pytest
from google.protobuf import json_format

from tarneeb.v1 import game_pb2, records_pb2
from tarneeb_record import format_record
from tarneeb_service.wire.cards import encode_card
from tarneeb_service.wire.game import encode_game
from tests.cli.samples import middle_of_a_hand, record_of


@pytest.fixture
def record() -> records_pb2.GameRecord:
    return record_of("example")


@pytest.fixture
def record_file(tmp_path: Path, record: records_pb2.GameRecord) -> Path:
    path = tmp_path / "record.txt"
    path.write_text(format_record(record), encoding="utf-8")
    return path


@pytest.fixture
def wrong_file(tmp_path: Path, record: records_pb2.GameRecord) -> Path:
    """The same record, but South leaves the suit that was led although it could follow."""
    moves = record.hands[0].moves
    moves[8].card = encode_card(0x12)
    path = tmp_path / "wrong.txt"
    path.write_text(format_record(record), encoding="utf-8")
    return path


@pytest.fixture
def game() -> game_pb2.Game:
    return encode_game(middle_of_a_hand())


@pytest.fixture
def game_file(tmp_path: Path, game: game_pb2.Game) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json_format.MessageToJson(game), encoding="utf-8")
    return path
