"""What a file holds, and what is said of one that holds nothing."""

import contextlib
import io
import random
from pathlib import Path

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st

from tarneeb.v1 import game_pb2, records_pb2, views_pb2
from tarneeb_record import format_record
from tarneeb_service.cli.choices import FORMATS
from tarneeb_service.cli.files import read as reading
from tarneeb_service.cli.files.read import UnreadableError, read
from tarneeb_service.engine.views import view
from tarneeb_service.wire.game import encode_game
from tarneeb_service.wire.views import encode_view
from tests.cli.run import run, run_for_real
from tests.cli.samples import SEED, empty_record, record_of, state_of
from tests.record_text import seeds
from tests.record_text.seeds import around, pieces_in, spelled, spellings

DEALT = empty_record("mulouk_41", "#" * 35)
DEALT.hands.add().deal.CopyFrom(record_of("void").hands[0].deal)
MESSAGES = [
    message
    for record in (empty_record("mulouk_41"), DEALT, record_of("example"))
    for message in (
        encode_game(state_of(record)),
        record,
        *(encode_view(view(state_of(record), viewer)) for viewer in (0, 4)),
    )
]


def said(path: Path, form: str | None = None) -> str:
    with pytest.raises(UnreadableError) as caught:
        read(str(path), form)
    return str(caught.value)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_messages_are_told_apart(tmp_path: Path, message: reading.Read) -> None:
    path = tmp_path / "file"
    forms = {"binary": message.SerializeToString(), "json": json_format.MessageToJson(message).encode()}
    names = json_format.MessageToJson(message, preserving_proto_field_name=True).encode()
    if isinstance(message, records_pb2.GameRecord):
        forms["text"] = b"\n# from a ticket\n" + format_record(message).encode()
    for form, data in (*forms.items(), ("json", b"\xef\xbb\xbf\n" + names)):
        path.write_bytes(data)
        for given_form in (None, form):
            found = read(str(path), given_form)
            assert type(found) is type(message)
            assert found == message


@pytest.mark.parametrize(
    "data, form, says",
    [
        (b"", None, "the file is empty"),
        (b" \n\n", "json", "the file is empty"),
        (b"hello", None, "is neither a game, a view nor a record: JSON starts with '{'"),
        (b"# only a comment", None, "is neither a game, a view nor a record"),
        (b"\xff\x00\x00\x01" * 40, None, "is no game, view or record"),
        (
            "tarneeb-record 1\n".encode("utf-16"),
            None,
            "is text in UTF-16, as Windows may save it: save it as",
        ),
        ("{}".encode("utf-16"), "json", "is text in UTF-16"),
        (b"\xfe\xff\x00{\x00}", None, "is text in UTF-16"),
        ('tarneeb-record 1\nid "\u0637"'.encode("cp1256"), None, "is no text in UTF-8: save it as UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00", None, "is no game, view or record"),
        (b"\xff\xff", "text", "is no text in UTF-8"),
        (b"\xff\xff", "json", "is no JSON in UTF-8"),
        (b"[" * 100_000, "json", "is no JSON in UTF-8"),
        (b"[]", "json", "must be a JSON object"),
        (b'{"a":\n }', None, "line 2, column 2: no JSON: Expecting value"),
        (b'{"a":1}', None, "is neither a game (with rules), a view (with a viewer) nor a record"),
        (
            b'{"rules":{},"x":1}',
            None,
            "looks like a game, but is none: there is no such field as its number 2",
        ),
        (
            b'{"viewer":"VIEWER_UP"}',
            None,
            "looks like a view, but is none: viewer: must be a Viewer, as VIEWER_",
        ),
        (b'{"viewer":1e999}', None, "looks like a view, but is none: viewer: must be a Viewer, as VIEWER_"),
        (b'{"hands":3}', None, "looks like a record, but is none: hands: must be a list"),
        (b'{"hands":[{},3]}', None, "looks like a record, but is none: hands[1]: must be an object"),
        (b'{"rules":{},"id":7}', None, "looks like a game, but is none: id: must be a string"),
        (
            b'{"hands":[{"deal":{"deck":{},"hands":{}}}]}',
            None,
            "looks like a record, but is none: hands[0].deal: two of its fields can't stand together",
        ),
        (
            b'{"hands":[{"deal":{"seeded":{"seed":"A"}}}]}',
            None,
            "looks like a record, but is none: hands[0].deal.seeded.seed: must be a string of base64",
        ),
        (
            b'{"hands":' + b"[" * 900 + b"]" * 900 + b"}",
            None,
            "looks like a record, but is none: hands[0]: must be an object",
        ),
        (b"tarneeb-record 1\nid g", None, "line 2, column 4: write the id in double quotes"),
    ],
)
def test_files_that_hold_nothing(tmp_path: Path, data: bytes, form: str | None, says: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    text = said(path, form)
    assert text.startswith(says)
    assert text.isprintable() or "\n" in text


def test_files_that_are_not_there(tmp_path: Path) -> None:
    assert said(tmp_path / "none") == "can't be read: No such file or directory"
    assert said(tmp_path) == "can't be read: Is a directory"
    assert said(Path("a\0b")) == "can't be read: no such name is possible"


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 2**20)
    path = tmp_path / "file"
    path.write_bytes(b" " * (2**20 + 1))
    assert said(path) == "is larger than 1 MB, so it is no game or record"


@given(st.binary(max_size=200), st.sampled_from([None, *FORMATS]))
def test_garbage_is_unreadable_or_a_message(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, form: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "garbage"
    path.write_bytes(data)
    try:
        found = read(str(path), form)
    except UnreadableError:
        return
    assert isinstance(found, game_pb2.Game | views_pb2.GameView | records_pb2.GameRecord)


@pytest.mark.parametrize("command", [("show",), ("replay", "--quiet"), ("table", "--svg", "/dev/null")])
def test_damaged_files_never_end_in_a_trace(
    tmp_path: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(7)
    path = tmp_path / "file"
    name, *options = command
    for message in MESSAGES[-4:]:
        whole = message.SerializeToString()
        for _ in range(25):
            data = bytearray(whole)
            for _ in range(chance.randint(1, 6)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            path.write_bytes(data[: chance.choice([len(data), chance.randrange(len(data))])])
            assert run(name, path, *options) in (0, 1, 2)
            assert "Traceback" not in capsys.readouterr().err


def test_the_real_command_on_garbage() -> None:
    commands = (("show", "-"), ("replay", "-"), ("table", "-", "--svg"), ("show", "-", "--as", "west"))
    for data, command in zip((b"", b"\x00\xff" * 100, b'{"rules": 1}', b"\x08\x07"), commands, strict=True):
        result = run_for_real(*command, data=data)
        assert result.returncode == 2
        assert result.stdout == b""
        assert result.stderr.startswith(b"tarneeb-service: standard input: ")
        assert b"Traceback" not in result.stderr


def outputs_of(path: Path, *command: str) -> str:
    """What a command writes, to either stream."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert run(*command, path) in (0, 1, 2)
    return out.getvalue() + err.getvalue()


@pytest.mark.parametrize("seed", spellings(seeds.SEED))
@pytest.mark.parametrize(
    "document",
    [
        '{{"rule_set":{{}},"{seed}":1}}',
        '{{"rule_set":"{seed}"}}',
        '{{"rule_set":{{"overrides":{{"{seed}":1}}}}}}',
        '{{"first_dealer":"{seed}"}}',
        '{{"hands":"{seed}"}}',
        '{{"hands":["{seed}"]}}',
        '{{"hands":[{{"deal":"{seed}"}}]}}',
        '{{"hands":[{{"deal":{{"{seed}":""}}}}]}}',
        '{{"hands":[{{"deal":{{"hands":{{"hands":"{seed}"}}}}}}]}}',
        '{{"hands":[{{"deal":{{"deck":{{"cards":"{seed}"}}}}}}]}}',
        '{{"hands":[{{"deal":{{"deck":{{"cards":["{seed}"]}}}}}}]}}',
        '{{"hands":[{{"deal":{{"seeded":{{"seed":["{seed}"]}}}}}}]}}',
        '{{"hands":[{{"deal":{{"seeded":"{seed}"}}}}]}}',
        '{{"hands":[{{"moves":[{{"card":"{seed}"}}]}}]}}',
        '{{"hands":[{{"moves":[{{"call":{{"tricks":"{seed}"}}}}]}}]}}',
        '{{"hands":[{{"moves":[{{"trump":{{"{seed}":[]}}}}]}}]}}',
        '{{"rules":{{"target":"{seed}"}}}}',
        '{{"rules":{{}},"hand":{{"dealt":"{seed}"}}}}',
        '{{"rules":{{}},"phase":"{seed}"}}',
        '{{"viewer":"{seed}"}}',
        '{{"viewer":1,"hand":{{"holding":["{seed}"]}}}}',
        '{{"{seed}":1}}',
        '{{"record":{{"{seed}":1}}}}',
        '{{"hands":{seed}}}',
        "{seed}",
        '"{seed}"',
    ],
)
def test_no_message_about_json_repeats_a_seed(tmp_path: Path, document: str, seed: str) -> None:
    path = tmp_path / "file"
    path.write_text(document.format(seed=seed), encoding="utf-8")
    for command in ("show", "replay"):
        for form in (None, *FORMATS):
            text = outputs_of(path, command, *(() if form is None else ("--format", form)))
            assert not pieces_in(text, seed)


@given(st.data())
def test_no_seed_anywhere_in_a_file_is_repeated(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """But for the id: that is a name, and shown."""
    record = MESSAGES[-3]
    assert isinstance(record, records_pb2.GameRecord)
    form = data.draw(st.sampled_from(["text", "json"]))
    whole = format_record(record) if form == "text" else json_format.MessageToJson(record, indent=1)
    # Behind the id, which comes first in both forms.
    start = data.draw(st.integers(whole.index("\n", whole.index("ticket-2041")), len(whole)))
    length = data.draw(st.integers(0, 40))
    seed, (before, after) = data.draw(spelled), data.draw(around)
    path = tmp_path_factory.getbasetemp() / "seeded"
    path.write_text(whole[:start] + before + seed + after + whole[start + length :], encoding="utf-8")
    for command in ("show", "replay"):
        assert not pieces_in(outputs_of(path, command), seed)


def test_no_message_about_a_bad_file_repeats_a_seed(tmp_path: Path, record: records_pb2.GameRecord) -> None:
    text = format_record(record)
    seed = SEED.hex()
    for broken in (
        text.replace("seed ", "sead "),
        text.replace(seed, seed + "0"),
        text.replace(seed, seed[:20] + "\n" + seed[20:]),
        text.replace(" cut ", " "),
    ):
        path = tmp_path / "file"
        path.write_text(broken, encoding="utf-8")
        assert seed[:16] not in said(path)
    encoded = json_format.MessageToDict(record)["hands"][2]["deal"]["seeded"]["seed"]
    document = json_format.MessageToJson(record)
    for broken in (document.replace(encoded, encoded[:-3]), document.replace('"seed"', '"sead"')):
        path.write_text(broken, encoding="utf-8")
        assert encoded[:8] not in said(path)
