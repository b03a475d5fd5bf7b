"""``tarneeb-service show``."""

import io
import os
import sys
from pathlib import Path

import pytest
from google.protobuf import json_format

from tarneeb.v1 import cards_pb2, game_pb2, records_pb2, views_pb2
from tarneeb_record import format_record
from tarneeb_service.cli.seen.table import Seen, seen_by
from tarneeb_service.cli.terminal.screen import Screen
from tarneeb_service.cli.terminal.table import draw_table
from tarneeb_service.engine.views import view as view_of
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.views import encode_view
from tests.cli.run import run, run_for_real, same_as_kept
from tests.cli.samples import POSITIONS, SEED, WEST, middle_of_a_hand, seen

Capture = pytest.CaptureFixture[str]


def drawn(position: Seen, *, plain: bool = False) -> str:
    out = io.StringIO()
    draw_table(Screen(out, plain=plain), position)
    return out.getvalue()


@pytest.mark.parametrize("name", POSITIONS)
def test_tables(name: str) -> None:
    text = drawn(seen(name))
    assert max(map(len, text.splitlines())) <= 80
    assert not any(line != line.rstrip() for line in text.splitlines())
    same_as_kept(f"show_{name}.txt", text)


def test_a_table_in_ascii() -> None:
    text = drawn(seen("trick"), plain=True)
    assert text.isascii()
    same_as_kept("show_ascii.txt", text)


def test_a_hand_of_one_suit_fits() -> None:
    hands = " ".join(f"{seat}:{suit}AKQJT98765432" for seat, suit in zip("NWSE", "SHDC", strict=True))
    text = f'tarneeb-record 1\nid "g"\nrules saharat_classic\ndealer North\n1 hands {hands}\n'
    result = run_for_real("show", "-", data=text.encode())
    assert "♠ AKQJ1098765432" in result.stdout.decode()
    assert "♥ AKQJ1098765432" in result.stdout.decode()


def test_the_real_command_draws_a_record_from_a_pipe(record: records_pb2.GameRecord) -> None:
    result = run_for_real("show", "-", data=record.SerializeToString())
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode()
    assert "Scores, to 31" in text
    assert "North–South  15" in text
    assert "\x1b" not in text
    assert SEED.hex() not in text


@pytest.mark.parametrize("form", ["json", "binary", "text"])
def test_every_form_gives_the_same_table(
    tmp_path: Path, record: records_pb2.GameRecord, form: str, capsys: Capture
) -> None:
    data = {
        "json": json_format.MessageToJson(record).encode(),
        "binary": record.SerializeToString(),
        "text": format_record(record).encode(),
    }
    path = tmp_path / "record"
    path.write_bytes(data[form])
    assert run("show", path) == 0
    found_out = capsys.readouterr().out
    assert run("show", path, "--format", form) == 0
    assert capsys.readouterr().out == found_out
    same_as_kept("show_record.txt", found_out)


def test_a_game_and_its_views_in_json_and_binary(tmp_path: Path, capsys: Capture) -> None:
    state = middle_of_a_hand()
    game, view = encode_game(state), encode_view(view_of(state, WEST))
    for message, viewer in ((game, None), (view, WEST)):
        out = io.StringIO()
        draw_table(Screen(out), seen_by(state, viewer))
        for data in (message.SerializeToString(), json_format.MessageToJson(message).encode()):
            path = tmp_path / "file"
            path.write_bytes(data)
            assert run("show", path) == 0
            assert capsys.readouterr().out == out.getvalue()


def test_an_answer_of_the_service_is_as_good_as_its_game(
    tmp_path: Path, game: game_pb2.Game, capsys: Capture
) -> None:
    path = tmp_path / "answer.json"
    path.write_text(f'{{"game": {json_format.MessageToJson(game)}, "events": []}}', encoding="utf-8")
    assert run("show", path) == 0
    assert "West 9" in capsys.readouterr().out


@pytest.mark.parametrize("command", [("show",), ("table", "--svg")])
def test_a_viewer_is_shown_nothing_of_the_others_hands(
    tmp_path: Path, game: game_pb2.Game, command: tuple[str, ...], capsys: Capture
) -> None:
    """North and East swap a club that neither has played: West can't tell."""
    other = game_pb2.Game()
    other.CopyFrom(game)
    north, east = other.hand.dealt[0].cards, other.hand.dealt[3].cards
    mine, his = cards_pb2.CARD_CLUBS_SEVEN, cards_pb2.CARD_CLUBS_TEN
    north[list(north).index(mine)], east[list(east).index(his)] = his, mine
    pictures: dict[str, list[str]] = {"west": [], "spectator": [], "all": []}
    for number, message in enumerate((game, other)):
        path = tmp_path / f"{number}.pb"
        path.write_bytes(message.SerializeToString())
        for viewer, drawings in pictures.items():
            name, *options = command
            flags = () if viewer == "all" else ("--as", viewer.upper())
            assert run(name, path, *flags, *options) == 0
            drawings.append(capsys.readouterr().out)
    assert pictures["west"][0] == pictures["west"][1]
    assert pictures["spectator"][0] == pictures["spectator"][1]
    assert pictures["all"][0] != pictures["all"][1]


@pytest.mark.parametrize(
    "at, says",
    [
        ("0", "North deals next"),
        ("1.0", "revision 1 "),
        ("1.9", "revision 10 "),
        ("1", "Hand 1: played out"),
        ("2", "void: all passed"),
        ("3.4", "South to name trump"),
    ],
)
def test_a_place_in_a_record(record_file: Path, at: str, says: str, capsys: Capture) -> None:
    assert run("show", record_file, "--at", at) == 0
    assert says in capsys.readouterr().out


@pytest.mark.parametrize(
    "at, says",
    [
        ("4", "has 3 hands: there is no hand 4"),
        ("0.3", "has 3 hands: there is no hand 0"),
        ("2.5", "has 4 moves in hand 2: there is no move 5"),
        ("x", "'x' is no place"),
        ("1.", "'1.' is no place"),
        ("²", "'²' is no place"),
    ],
)
def test_a_place_that_is_not_there(record_file: Path, at: str, says: str, capsys: Capture) -> None:
    assert run("show", record_file, "--at", at) == 2
    assert says in capsys.readouterr().err


def test_a_record_with_a_wrong_move(wrong_file: Path, capsys: Capture) -> None:
    assert run("show", wrong_file) == 1
    text = capsys.readouterr().out
    assert "South to play" in text
    assert text.endswith(
        "Refused at hand 1, move 9: South plays ♣2\n"
        "  MUST_FOLLOW_SUIT (C5): South must follow diamonds: holds D3 D6 D7.\n"
    )


def test_a_refusal_is_told_to_the_mover_alone(wrong_file: Path, capsys: Capture) -> None:
    assert run("show", wrong_file, "--as", "south") == 1
    assert "holds D3 D6 D7" in capsys.readouterr().out
    assert run("show", wrong_file, "--as", "west") == 1
    text = capsys.readouterr().out
    assert "Refused at hand 1, move 9; the move and the reason are for the seat that moved" in text
    assert "♣2" not in text


def test_a_game_that_contradicts_itself(tmp_path: Path, game: game_pb2.Game, capsys: Capture) -> None:
    game.scores[0] = 99
    game.hand.trick_winners[0] = cards_pb2.SEAT_EAST
    path = tmp_path / "game.json"
    path.write_text(json_format.MessageToJson(game), encoding="utf-8")
    assert run("show", path) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert lines[0] == f"tarneeb-service: {path}: the game contradicts itself"
    assert [line.split(":")[1].strip() for line in lines[1:]] == [
        "game.scores[0]",
        "game.hand.trick_winners[0]",
    ]


def test_very_many_problems_are_cut(tmp_path: Path, game: game_pb2.Game, capsys: Capture) -> None:
    for dealt in game.hand.dealt:
        dealt.cards[:] = [cards_pb2.Card.ValueType(1)] * 13
    path = tmp_path / "game.pb"
    path.write_bytes(game.SerializeToString())
    assert run("show", path) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 22
    assert lines[-1].endswith("problems more")


def test_a_game_of_a_newer_release(tmp_path: Path, game: game_pb2.Game, capsys: Capture) -> None:
    game.rules_revision += 1
    path = tmp_path / "game.pb"
    path.write_bytes(game.SerializeToString())
    assert run("show", path) == 2
    assert "does not know: use a newer one" in capsys.readouterr().err


def test_a_view_shows_only_its_viewer(tmp_path: Path, capsys: Capture) -> None:
    view = encode_view(view_of(middle_of_a_hand(), WEST))
    path = tmp_path / "view.json"
    path.write_text(json_format.MessageToJson(view), encoding="utf-8")
    assert run("show", path, "--as", "west") == 0
    assert run("show", path, "--as", "north") == 2
    assert "is the view of west: it does not hold what north sees" in capsys.readouterr().err
    assert run("show", path, "--at", "1") == 2
    assert "holds a view: only a record has steps" in capsys.readouterr().err


def test_a_view_that_can_not_be_drawn(tmp_path: Path, capsys: Capture) -> None:
    view = views_pb2.GameView(
        viewer=views_pb2.VIEWER_WEST, id="g\x1b[31m", scores=[1], dealer=cards_pb2.Seat.ValueType(9)
    )
    view.rules.target = 41
    hand = view.hand
    hand.holding.extend([cards_pb2.Card.ValueType(1)] * 14)
    hand.holding_counts.extend([13, 13, 99])
    hand.trick.cards.extend([cards_pb2.CARD_CLUBS_TWO] * 5)
    hand.calls.add()
    hand.contract.tricks = 7
    hand.result.lines.add()
    hand.revealed.add()
    path = tmp_path / "view.pb"
    path.write_bytes(view.SerializeToString())
    assert run("show", path) == 1
    error = capsys.readouterr().err
    assert "\x1b" not in error
    for place in (
        "id",
        "phase",
        "scores",
        "hand.holding",
        "hand.holding[0]",
        "hand.holding_counts",
        "hand.holding_counts[2]",
        "hand.trick_counts",
        "hand.trick.leader",
        "hand.trick.cards",
        "hand.calls[0]",
        "hand.contract.declarer",
        "hand.result.lines[0]",
        "hand.revealed",
        "hand.revealed[0].cards",
    ):
        assert f"  {place}: " in error, place


def test_a_terminal_without_the_signs_gets_letters(game_file: Path) -> None:
    result = run_for_real("show", game_file, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert result.stdout.isascii()
    assert b"S A Q 6" in result.stdout


def test_names_that_a_terminal_lacks_are_escaped() -> None:
    text = 'tarneeb-record 1\nid "طرنيب"\nrules mulouk_41\ndealer North\n'
    result = run_for_real("show", "-", data=text.encode(), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert rb"\u0637" in result.stdout


@pytest.mark.parametrize("command", [("show",), ("replay",), ("table", "--svg", "-")])
@pytest.mark.parametrize("file, code", [("record_file", 0), ("wrong_file", 1)])
def test_a_reader_that_had_enough_changes_no_exit_code(
    file: str, code: int, command: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    name, *options = command
    program = Path(sys.executable).parent / "tarneeb-service"
    pid = os.posix_spawn(
        program,
        [str(program), name, str(request.getfixturevalue(file)), *options],
        dict(os.environ),
        file_actions=[(os.POSIX_SPAWN_DUP2, writing, 1)],
    )
    os.close(writing)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == code


def test_help_names_the_exit_codes(capsys: Capture) -> None:
    for command in ("show", "replay", "table"):
        assert run(command, "--help") == 0
        text = capsys.readouterr().out
        assert "exit codes:\n  0  " in text
        assert "\n  1  " in text
        assert "\n  2  the file can't be read, or the command line is wrong" in text
        assert max(map(len, text.splitlines())) <= 80
