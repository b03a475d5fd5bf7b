"""Files with a game, a view or a record in them, in proto JSON, binary or record text."""

import codecs
import json
import sys
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from tarneeb.v1 import game_pb2, records_pb2, views_pb2
from tarneeb_record import RecordTextError, parse_record
from tarneeb_record.json_misfit import json_misfit
from tarneeb_record.tokens import FIRST_LINE, MAGIC

Read = game_pb2.Game | views_pb2.GameView | records_pb2.GameRecord

# A record of the longest kind is far below it.
MOST_BYTES = 64 * 2**20
_KINDS: tuple[type[Read], ...] = (game_pb2.Game, views_pb2.GameView, records_pb2.GameRecord)
_NAMES = {game_pb2.Game: "a game", views_pb2.GameView: "a view", records_pb2.GameRecord: "a record"}


class UnreadableError(Exception):
    """A file that can't be read, with a line for people for each reason."""

    def __init__(self, *lines: str) -> None:
        """Keep the lines."""
        super().__init__("\n".join(lines))


def kind_of(message: Read) -> str:
    """Return what a file held, as ``a game``."""
    return _NAMES[type(message)]


def read(file: str, form: str | None = None) -> Read:
    """Return what a file holds; ``-`` is the standard input.

    Args:
        file: Its path.
        form: One of ``FORMATS`` of the choices, or none to find out.

    Raises:
        UnreadableError: There is no such file, or it holds nothing that can be read.
    """
    data = _bytes_of(file)
    if not data.strip():
        raise UnreadableError("the file is empty")
    # No message starts like this.
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableError("is text in UTF-16, as Windows may save it: save it as UTF-8")
    form = form or _form_of(data)
    match form:
        case "json":
            return _read_json(data)
        case "text":
            return _read_text(data)
    return _read_binary(data)


def reason_of(error: OSError | ValueError) -> str:
    """Return why a file can't be opened."""
    return error.strerror if isinstance(error, OSError) and error.strerror else "no such name is possible"


def _bytes_of(file: str) -> bytes:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UnreadableError(f"can't be read: {reason_of(error)}") from None
    if len(data) > MOST_BYTES:
        raise UnreadableError(f"is larger than {MOST_BYTES >> 20} MB, so it is no game or record")
    return data


def _form_of(data: bytes) -> str:
    text = _text_of(data)
    if text is None:
        return "text" if data.lstrip().lower().startswith(MAGIC.encode()) else "binary"
    lines = (line.strip() for line in text.split("\n"))
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if first.lower().startswith(MAGIC):
        return "text"
    if first.startswith("{"):
        return "json"
    # Short messages can be all letters; text for people has no control characters but these.
    if any(char < " " and char not in "\t\r\n" for char in text) or _candidates(data):
        return "binary"
    raise UnreadableError(
        "is neither a game, a view nor a record: JSON starts with '{', the text of a record with "
        f"'{FIRST_LINE}'"
    )


def _text_of(data: bytes) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _read_text(data: bytes) -> records_pb2.GameRecord:
    text = _text_of(data)
    if text is None:
        raise UnreadableError("is no text in UTF-8: save it as UTF-8")
    try:
        return parse_record(text)
    except RecordTextError as error:
        raise UnreadableError(*str(error).splitlines()) from None


def _read_json(data: bytes) -> Read:
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise UnreadableError(f"line {error.lineno}, column {error.colno}: no JSON: {error.msg}") from None
    except (ValueError, RecursionError):
        raise UnreadableError("is no JSON in UTF-8") from None
    if not isinstance(document, dict):
        raise UnreadableError("must be a JSON object: a game, a view or a record")
    # An answer of the service as grpcurl prints it, or a request, is as good.
    for name in ("game", "record"):
        if isinstance(document.get(name), dict):
            document = document[name]
            break
    kind = _kind_of_json(document)
    try:
        return json_format.ParseDict(document, kind())
    except (json_format.ParseError, ValueError, TypeError, OverflowError, RecursionError):
        why = json_misfit(document, kind.DESCRIPTOR)
        raise UnreadableError(f"looks like {_NAMES[kind]}, but is none: {why}") from None


def _kind_of_json(document: dict[str, Any]) -> type[Read]:
    if "viewer" in document:
        return views_pb2.GameView
    if document.keys() & {"ruleSet", "rule_set", "firstDealer", "first_dealer", "hands"}:
        return records_pb2.GameRecord
    if document.keys() & {"rules", "phase", "presetId", "preset_id"}:
        return game_pb2.Game
    raise UnreadableError(
        "is neither a game (with rules), a view (with a viewer) nor a record (with a ruleSet)"
    )


def _read_binary(data: bytes) -> Read:
    candidates = _candidates(data)
    if not candidates:
        raise UnreadableError("is no game, view or record: say with --format what it is, or look at the file")
    return candidates[0]


def _candidates(data: bytes) -> list[Read]:
    """Return what some bytes can be, the likeliest first: messages without fields of another kind."""
    found: list[tuple[int, Read]] = []
    for kind in _KINDS:
        message = kind()
        try:
            message.ParseFromString(data)
        except DecodeError:
            continue
        if _is_plausible(message):
            found.append((len(UnknownFieldSet(message)), message))
    return [message for _, message in sorted(found, key=lambda item: item[0])]


def _is_plausible(message: Read) -> bool:
    """Whether a message has what only its own kind has at these places."""
    if isinstance(message, records_pb2.GameRecord):
        return message.HasField("rule_set")
    if isinstance(message, views_pb2.GameView):
        return bool(message.viewer) and message.HasField("rules")
    return message.HasField("rules")
