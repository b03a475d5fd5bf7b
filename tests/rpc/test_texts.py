"""A text that is not UTF-8 is named by its path, wherever a request or a snapshot has texts."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from tarneeb.v1 import game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.rpc.dispatch import dispatch, methods_table
from tests.rpc.samples import METHODS, SERVICE, request_class

TABLE = methods_table()
MARK = "\x01\x02\x03\x04"
ODD = (b"\xff\xfe\xfd\xfc", b"\xc0\x80ab", b"\xed\xa0\x80a", b"\xf4\x90\x80\x80", b"ab\xe2\x82")

Path = tuple[FieldDescriptor, ...]


def text_paths(kind: Descriptor) -> Iterator[Path]:
    for field in kind.fields:
        if field.type == FieldDescriptor.TYPE_STRING:
            yield (field,)
        elif field.message_type is not None:
            yield from ((field, *path) for path in text_paths(field.message_type))


def with_text(message: Any, path: Path, text: str) -> str:
    """Set the text at a path, in the second item of each list on the way, and return the path in words."""
    field, *rest = path
    value = getattr(message, field.name)
    if field.type == FieldDescriptor.TYPE_STRING:
        if not field.is_repeated:
            setattr(message, field.name, text)
            return field.name
        value.extend(["sound", text])
        return f"{field.name}[1]"
    if not field.is_repeated:
        return f"{field.name}.{with_text(value, tuple(rest), text)}"
    value.add()
    return f"{field.name}[1].{with_text(value.add(), tuple(rest), text)}"


def spoilt(message: Message, odd: bytes) -> bytes:
    data = message.SerializeToString()
    assert data.count(MARK.encode()) == 1
    return data.replace(MARK.encode(), odd)


def violations(method: str, data: bytes) -> list[tuple[str, str, str]]:
    outcome = dispatch(TABLE[method], data, "id", lambda: None)
    assert outcome.status is not None
    found = error_details_pb2.BadRequest()
    details = status_pb2.Status.FromString(outcome.status.details).details
    (bad,) = [each for each in details if each.Is(found.DESCRIPTOR)]
    bad.Unpack(found)
    return [(each.field, each.reason, each.description) for each in found.field_violations]


def not_utf_8(path: str) -> list[tuple[str, str, str]]:
    return [(path, "UNKNOWN_VALUE", "is not UTF-8")]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        pytest.param(method, path, id=f"{method}: {'.'.join(field.name for field in path)}")
        for method in METHODS
        for path in text_paths(SERVICE.methods_by_name[method].input_type)
    ],
)
def test_every_text_of_a_request(method: str, path: Path) -> None:
    for odd in ODD:
        request = request_class(method)()
        where = with_text(request, path, MARK)
        assert violations(method, spoilt(request, odd)) == not_utf_8(where)


@pytest.mark.parametrize("path", [*text_paths(game_pb2.Game.DESCRIPTOR)], ids=lambda path: path[-1].name)
def test_every_text_of_a_snapshot(path: Path) -> None:
    game = game_pb2.Game()
    where = with_text(game, path, MARK)
    for odd in ODD:
        snapshot = spoilt(game, odd)
        for method in METHODS:
            if "snapshot" in request_class(method).DESCRIPTOR.fields_by_name and method != "ValidateGame":
                request: Any = request_class(method)(snapshot=snapshot)
                assert not_utf_8(f"snapshot.{where}")[0] in violations(method, request.SerializeToString())
        answer = dispatch(
            TABLE["ValidateGame"],
            pb.ValidateGameRequest(snapshot=snapshot).SerializeToString(),
            "id",
            lambda: None,
        )
        assert isinstance(answer.response, pb.ValidateGameResponse)
        assert [(each.path, each.message) for each in answer.response.problems] == [
            (f"snapshot.{where}", "is not UTF-8")
        ]


def test_several_are_all_named() -> None:
    request = pb.ApplyMoveRequest(game=game_pb2.Game(id="\x01\x02\x03\x04", preset_id="\x01\x02\x03\x04"))
    data = request.SerializeToString().replace(MARK.encode(), ODD[0])
    assert violations("ApplyMove", data) == not_utf_8("game.id") + not_utf_8("game.preset_id")


def test_bytes_are_not_asked_to_be_texts() -> None:
    request = pb.CommitDealRequest(game_id=MARK, seed=b"\xff" * 16)
    assert violations("CommitDeal", spoilt(request, ODD[0])) == not_utf_8("game_id")


@pytest.mark.parametrize("more", [b"\x0a\xff", b"\x00\x00", b"\x0b"])
def test_what_is_no_message_besides_is_told_as_a_whole(more: bytes) -> None:
    """A text is named only where the rest can be read; and only if it is still there at the end."""
    request = pb.CommitDealRequest(game_id=MARK)
    ((path, reason, _),) = violations("CommitDeal", spoilt(request, ODD[0]) + more)
    assert (path, reason) == ("request", "UNKNOWN_VALUE")
    twice = spoilt(request, ODD[0]) + pb.CommitDealRequest(game_id="g").SerializeToString()
    ((path, reason, _),) = violations("CommitDeal", twice)
    assert (path, reason) == ("request", "UNKNOWN_VALUE")


def test_a_message_full_of_empty_ones_takes_no_long_search() -> None:
    """As many items as 4 MB hold, and the text behind them: not found, and not looked for without end."""
    items = pb.ValidateMovesRequest.DESCRIPTOR.fields_by_name["items"].number
    last = pb.ValidateMovesRequest()
    last.items.add().game.id = MARK
    data = bytes([items << 3 | 2, 0]) * 2_000_000 + spoilt(last, ODD[0])
    start = time.process_time()
    ((path, reason, _),) = violations("ValidateMoves", data)
    assert (path, reason) == ("request", "UNKNOWN_VALUE")
    assert time.process_time() - start < 2
