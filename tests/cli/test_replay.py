"""``tarneeb-service replay``."""

import os
import re
import subprocess
from base64 import b64encode
from pathlib import Path

import pytest
from google.protobuf import json_format

from tarneeb.v1 import cards_pb2, game_pb2, records_pb2
from tarneeb_record import format_record
from tests.cli.run import COMMAND, run, run_for_real, same_as_kept
from tests.cli.samples import RECORDS, SEED, record_of

Capture = pytest.CaptureFixture[str]


def written(path: Path, record: records_pb2.GameRecord) -> Path:
    path.write_bytes(record.SerializeToString())
    return path


def test_a_whole_record(record_file: Path) -> None:
    result = run_for_real("replay", record_file)
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode()
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
    same_as_kept("replay.txt", text)


def test_a_wrong_move(wrong_file: Path) -> None:
    result = run_for_real("replay", wrong_file)
    assert (result.returncode, result.stderr) == (1, b"")
    same_as_kept("replay_wrong.txt", result.stdout.decode())


def test_quiet(record_file: Path, wrong_file: Path, capsys: Capture) -> None:
    assert run("replay", record_file, "--quiet") == 0
    assert capsys.readouterr().out.splitlines() == [
        "ticket-2041 · saharat_classic · to 31 · 3 hands · 123 steps",
        "Scores: North–South 15, West–East -9",
        "East deals next",
        "Accepted: all 123 steps",
    ]
    assert run("replay", wrong_file, "--quiet") == 1
    text = capsys.readouterr().out
    assert "West plays" not in text
    assert "Refused at hand 1, move 9: South plays ♣2" in text


def test_one_hand(record_file: Path, wrong_file: Path, capsys: Capture) -> None:
    assert run("replay", record_file, "--hand", "2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:6]] == ["2.0", "2.1", "2.2", "2.3", "2.4"]
    assert lines[-3:] == [
        "Scores: North–South 15, West–East -9",
        "East deals next",
        "Accepted: all 123 steps",
    ]
    # What is wrong elsewhere is still told.
    assert run("replay", wrong_file, "--hand", "2") == 1
    assert "Refused at hand 1, move 9" in capsys.readouterr().out
    assert run("replay", record_file, "--hand", "4") == 2
    assert "has 3 hands: there is no hand 4" in capsys.readouterr().err


@pytest.mark.parametrize("other", [("--hand", "2"), ("--step",)])
def test_options_that_exclude_each_other(record_file: Path, other: tuple[str, ...], capsys: Capture) -> None:
    assert run("replay", record_file, "--quiet", *other) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "--quiet shows no steps: it goes with neither --hand nor --step" in captured.err


def test_a_hand_in_progress_ends_with_its_table(capsys: Capture) -> None:
    assert run("replay", RECORDS / "doubled.txt") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == ["▶ West to play", "", "Accepted: all 19 steps"]


def test_a_game_to_its_end_and_one_step_beyond(tmp_path: Path, capsys: Capture) -> None:
    record = record_of("over")
    assert run("replay", written(tmp_path / "record.pb", record)) == 0
    assert "West–East won: target reached\n\nAccepted" in capsys.readouterr().out
    record.hands[-1].moves.add(seat=cards_pb2.SEAT_NORTH, card=cards_pb2.CARD_SPADES_ACE)
    assert run("replay", written(tmp_path / "record.pb", record)) == 1
    assert "GAME_OVER (W1): The game is over: start a new one." in capsys.readouterr().out


def test_a_deal_that_can_not_be_dealt(
    tmp_path: Path, record: records_pb2.GameRecord, capsys: Capture
) -> None:
    hands = record.hands[1].deal.hands.hands
    hands[0].cards[0] = hands[1].cards[0]
    assert run("replay", written(tmp_path / "record.pb", record)) == 1
    text = capsys.readouterr().out
    assert (
        "Refused at hand 2, the deal\n  record.hands[1].deal.hands.hands[1].cards[0]: this card was dealt"
        in text
    )


def test_a_move_that_is_none(tmp_path: Path, record: records_pb2.GameRecord, capsys: Capture) -> None:
    record.hands[0].moves[3].seat = cards_pb2.Seat.ValueType(9)
    assert run("replay", written(tmp_path / "record.pb", record)) == 1
    text = capsys.readouterr().out
    assert (
        "Refused at hand 1, move 4: a move that is none\n  record.hands[0].moves[3].seat: 9 is no seat"
        in text
    )


def test_a_move_for_another_revision(tmp_path: Path, record: records_pb2.GameRecord, capsys: Capture) -> None:
    record.hands[0].moves[0].revision = 7
    assert run("replay", "--quiet", written(tmp_path / "record.pb", record)) == 0
    assert "Accepted" in capsys.readouterr().out
    assert run("replay", "--check-revisions", written(tmp_path / "record.pb", record)) == 1
    text = capsys.readouterr().out
    assert (
        "Refused at hand 1, move 1: West bids 7, at revision 7\n  STALE_REVISION (P1): The move was made"
        in text
    )


def test_a_record_of_a_newer_release(tmp_path: Path, record: records_pb2.GameRecord, capsys: Capture) -> None:
    record.rules_revision = 2**31
    path = written(tmp_path / "record.pb", record)
    for command in ("replay", "show"):
        assert run(command, path) == 2
        assert "which this release does not know" in capsys.readouterr().err


def test_a_record_that_can_not_start(tmp_path: Path, record: records_pb2.GameRecord, capsys: Capture) -> None:
    record.rule_set.preset_id = "nobodys"
    path = written(tmp_path / "record.pb", record)
    assert run("replay", path) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"tarneeb-service: {path}: the record can't be played",
        "tarneeb-service:   record.rule_set.preset_id: name one of the presets",
    ]


def test_something_else_than_a_record(game_file: Path, capsys: Capture) -> None:
    assert run("replay", game_file) == 2
    assert "holds a game, not a record: look at it with 'show'" in capsys.readouterr().err


def test_every_kind_of_move_and_event(capsys: Capture) -> None:
    assert run("replay", RECORDS / "egyptian.txt") == 0
    text = capsys.readouterr().out
    assert "West bids 7♥" in text
    assert "South bids 8NT" in text
    assert "East doubles" in text
    assert re.search("South passes +South 8NT, doubled is the contract", text)
    assert run("replay", RECORDS / "individual.txt") == 0
    assert "North deals, ♥5 is turned, diamonds is trump, from hands" in capsys.readouterr().out


@pytest.mark.parametrize("options", [(), ("--quiet",), ("--hand", "3"), ("--ascii",)])
def test_a_seed_is_never_printed(
    tmp_path: Path, record: records_pb2.GameRecord, options: tuple[str, ...]
) -> None:
    """Whole, wrong at a move, and refused at the seed itself."""
    wrong_move, wrong_seed = records_pb2.GameRecord(), records_pb2.GameRecord()
    wrong_move.CopyFrom(record)
    wrong_move.hands[2].moves[5].seat = cards_pb2.SEAT_NORTH
    wrong_seed.CopyFrom(record)
    wrong_seed.hands[2].deal.seeded.commitment = b"\0" * 32
    for case in (record, wrong_move, wrong_seed):
        data = json_format.MessageToJson(case).encode() if case is record else format_record(case).encode()
        result = run_for_real("replay", "-", *options, data=data)
        assert result.returncode == (0 if case is record else 1)
        for spelled in (SEED, SEED.hex().encode(), b64encode(SEED)):
            assert spelled[:10] not in result.stdout + result.stderr


def test_steps_need_a_terminal(record_file: Path, capsys: Capture) -> None:
    assert run("replay", record_file, "--step") == 2
    assert "--step waits for keys: it needs a terminal" in capsys.readouterr().err


def on_a_terminal(*arguments: str | Path, keys: bytes, **variables: str) -> tuple[int, str]:
    """Run the command on a terminal of its own, and return its exit code and what was to be seen."""
    ours, theirs = os.openpty()
    environment = {
        "PATH": os.environ["PATH"],
        "TERM": "xterm",
        "COLUMNS": "100",
        "PYTHONUTF8": "1",
        **variables,
    }
    process = subprocess.Popen(
        [COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, close_fds=True
    )
    os.close(theirs)
    os.write(ours, keys)
    seen = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(ours)
    return process.wait(60), seen.decode()


def test_step_by_step(record_file: Path) -> None:
    code, text = on_a_terminal("replay", record_file, "--step", keys=b"\n\nh\nr\n")
    assert code == 0
    # Each Enter shows a step, h goes on with the next hand, r runs to the end.
    assert text.count("next step") == 4
    assert "Accepted: all 123 steps" in text
    assert "\x1b[31m" in text


def test_a_terminal_that_is_closed_runs_to_the_end(record_file: Path) -> None:
    code, text = on_a_terminal("replay", record_file, "--step", keys=b"\x04")
    assert code == 0
    assert "Accepted: all 123 steps" in text


def test_colour_only_where_it_is_wanted(game_file: Path, game: game_pb2.Game) -> None:
    _, text = on_a_terminal("show", game_file, keys=b"")
    assert "\x1b[31m" in text
    _, text = on_a_terminal("show", game_file, keys=b"", NO_COLOR="1")
    assert "\x1b[31m" not in text
    assert b"\x1b" not in run_for_real("show", game_file, FORCE_COLOR="1").stdout
