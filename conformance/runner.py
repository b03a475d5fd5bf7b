"""Runs conformance vectors against anything that answers requests.

An example to port: README.md describes every step in words. It needs the stubs of `tarneeb.v1` and nothing of
the service.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import json_format, message_factory
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from tarneeb.v1 import game_pb2, tarneeb_service_pb2

HERE = Path(__file__).resolve().parent
SERVICE = tarneeb_service_pb2.DESCRIPTOR.services_by_name["TarneebService"]
SEATS = {"N": "SEAT_NORTH", "W": "SEAT_WEST", "S": "SEAT_SOUTH", "E": "SEAT_EAST"}
SUITS = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES", "N": "NO_TRUMP"}
_NUMBERS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")
RANKS = dict(zip("23456789TJQKA", (*_NUMBERS, "JACK", "QUEEN", "KING", "ACE"), strict=True))
MOVE = re.compile(
    r"(?P<seat>[NWSE]):((?P<tricks>\d+)(?P<strain>[CDHSN])?|(?P<other>[PX])|=(?P<trump>[CDHSN])|(?P<card>[CDHS][2-9TJQKA]))"
)


@dataclass(frozen=True)
class Failure:
    """A status that is not OK: code and reasons by name, violations as (path, reason)."""

    code: str
    reason: str = ""
    problems: int = 0
    violations: tuple[tuple[str, str], ...] = ()


# What may stand where in a vector. One with anything else is of a later format, and not to be half understood.
KEYS = {
    "vector": "id title rules cases rpc setup request edits append raw repeat expect",
    "setup": "id rule_set first_dealer scores hands",
    "hands": "deal turned moves",
    "edits": "set to remove",
    "expect": "response fields problems hides status",
    "hides": "at cards",
    "status": "code reason violations problems",
    "violations": "path reason",
}


# A method's name and a serialized request, to a serialized response or a failure.
Send = Callable[[str, bytes], bytes | Failure]


class SetupError(RuntimeError):
    """A step of a setup was not accepted."""


def files() -> list[Path]:
    """The vector files, in order of name."""
    return sorted(path for path in HERE.glob("*.json") if path.name != "schema.json")


def load(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


def over_channel(channel: grpc.Channel) -> Send:
    """Send over a gRPC channel, as bytes."""

    def send(rpc: str, request: bytes) -> bytes | Failure:
        call: Any = channel.unary_unary(f"/{SERVICE.full_name}/{rpc}", None, None)
        try:
            answer: bytes = call(request, timeout=30)
        except grpc.RpcError as error:
            # What a unary call raises is the call itself, though the types do not say so.
            failed: Any = error
            return failure_of(rpc_status.from_call(failed), failed.code().name)
        return answer

    return send


def failure_of(status: Any, code: str) -> Failure:
    """Read a `google.rpc.Status`; without one only the code is known."""
    if status is None:
        return Failure(code)
    info, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        # Each fills the one it is of, and leaves the other alone.
        detail.Unpack(info)
        detail.Unpack(bad_request)
    found = tuple((violation.field, violation.reason) for violation in bad_request.field_violations)
    return Failure(code, info.reason, int(info.metadata.get("problems", "0")), found)


def run(send: Send, vector: dict[str, Any], deals: dict[str, Any]) -> list[str]:
    """Run a vector and return every difference, in words; none when it passes."""
    strange = [*_unknown_keys(vector), *_unknown_paths(vector)]
    if strange:
        return strange
    try:
        data = request_bytes(send, vector, deals)
    except SetupError as error:
        return [str(error)]
    rpc, expect = vector["rpc"], expanded(vector["expect"])
    answers = [send(rpc, data) for _ in range(vector.get("repeat", 1))]
    if any(answer != answers[0] for answer in answers):
        return ["the same request got different answers"]
    answer = answers[0]
    if isinstance(answer, Failure):
        return list(_failure_differences(answer, expect.get("status")))
    if "status" in expect:
        return [f"expected {expect['status']['code']}, got an answer"]
    return list(_answer_differences(_json_of(rpc, answer), expect))


def _unknown_keys(vector: dict[str, Any]) -> Iterator[str]:
    """Name every key of a vector that this runner does not know."""
    setup, expect = vector.get("setup", {}), vector["expect"]
    status = expect.get("status", {})
    found: dict[str, Any] = {"vector": vector, "setup": setup, "expect": expect, "status": status}
    found.update({"hands": setup.get("hands", []), "edits": vector.get("edits", [])})
    found.update({"hides": expect.get("hides", [])})
    found["violations"] = [*status.get("violations", []), *expect.get("problems", [])]
    for place, parts in found.items():
        for part in parts if isinstance(parts, list) else [parts]:
            yield from (f"unknown key: {key} in {place}" for key in part if key not in KEYS[place].split())


def _unknown_paths(vector: dict[str, Any]) -> Iterator[str]:
    """Name every path that no answer of the method can have: nothing would ever be found there."""
    expect = vector["expect"]
    for path in [*expect.get("fields", {}), *(hidden["at"] for hidden in expect.get("hides", ()))]:
        message: Any = SERVICE.methods_by_name[vector["rpc"]].output_type
        items = False
        for key in _keys(path):
            field = (
                None if isinstance(key, int) or items or message is None else message.fields_by_name.get(key)
            )
            if field is not None:
                # A snapshot is read as the game it holds.
                game = game_pb2.Game.DESCRIPTOR if key == "snapshot" else None
                message, items = game or field.message_type, field.is_repeated
            elif isinstance(key, int) and items:
                items = False
            else:
                yield f"{path}: {vector['rpc']} answers with no such field"
                break


def request_bytes(send: Send, vector: dict[str, Any], deals: dict[str, Any]) -> bytes:
    """Build the bytes of a vector's request.

    Raises:
        SetupError: The setup was not accepted.
    """
    if "raw" in vector:
        return bytes.fromhex(vector["raw"])
    game = game_of(send, vector["setup"], deals) if "setup" in vector else None
    request = expanded(vector["request"], game)
    for step in expanded(vector.get("edits", [])):
        edit(request, step)
    message = json_format.ParseDict(_with_snapshots(request), _request_class(vector["rpc"])())
    # Protobuf merges concatenated messages, so bytes after the request can say what JSON can't.
    return message.SerializeToString() + bytes.fromhex(vector.get("append", ""))


def game_of(send: Send, setup: dict[str, Any], deals: dict[str, Any]) -> Any:
    """Play a setup, and return the game reached as JSON.

    Raises:
        SetupError: A step was not accepted.
    """

    def call(rpc: str, request: Any, game: Any = None) -> Any:
        message: Any = json_format.ParseDict(request, _request_class(rpc)())
        if game is not None:
            message.game.CopyFrom(game)
        answer = send(rpc, message.SerializeToString())
        if isinstance(answer, Failure):
            raise SetupError(f"setup: {rpc} failed: {answer}")
        response: Any = _response_class(rpc).FromString(answer)
        if not response.HasField("game"):
            raise SetupError(f"setup: {rpc} of {request} was refused: {response}")
        return response.game

    first = {"id": setup.get("id", "conformance"), "first_dealer": SEATS[setup["first_dealer"]]}
    game = call("CreateGame", {**first, "rule_set": setup["rule_set"]})
    if "scores" in setup:
        game.scores[:] = setup["scores"]
    for hand in setup.get("hands", ()):
        game = call("DealHand", {"deal": deal_json(hand, deals)}, game)
        for move in " ".join(hand.get("moves", ())).split():
            game = call("ApplyMove", {"move": move_json(move)}, game)
    return json_format.MessageToDict(game, preserving_proto_field_name=True)


def deal_json(hand: dict[str, Any], deals: dict[str, Any]) -> Any:
    """A hand's cards as a `Deal`: spelled out, or named in the file's `deals`."""
    if not isinstance(hand["deal"], str):
        return expanded(hand["deal"])
    holdings = deals[hand["deal"]]
    dealt: dict[str, Any] = {"hands": [{"cards": cards_json(holdings[seat])} for seat in SEATS]}
    if "turned" in hand:
        dealt["turned_card"] = card_json(hand["turned"])
    return {"hands": dealt}


def move_json(text: str) -> Any:
    """`W:8H`, `S:P`, `E:X`, `N:=H` or `W:SA` as a `Move`."""
    found = MOVE.fullmatch(text)
    if found is None:
        raise SetupError(f"setup: {text} is no move")
    seat = {"seat": SEATS[found["seat"]]}
    if found["card"]:
        return {**seat, "card": card_json(found["card"])}
    if found["trump"]:
        return {**seat, "trump": f"STRAIN_{SUITS[found['trump']]}"}
    if found["other"]:
        kind = {"P": "CALL_KIND_PASS", "X": "CALL_KIND_DOUBLE"}[found["other"]]
        return {**seat, "call": {"kind": kind}}
    call = {"kind": "CALL_KIND_BID", "tricks": int(found["tricks"])}
    if found["strain"]:
        call["strain"] = f"STRAIN_{SUITS[found['strain']]}"
    return {**seat, "call": call}


def card_json(text: str) -> str:
    return f"CARD_{SUITS[text[0]]}_{RANKS[text[1]]}"


def cards_json(text: str) -> list[str]:
    return [card_json(name) for name in text.split()]


def value_at(tree: Any, path: str) -> Any:
    """The value at a path as `game.hand.dealt[2].cards[0]`; none where there is nothing."""
    for key in _keys(path):
        if isinstance(key, int):
            tree = tree[key] if isinstance(tree, list) and key < len(tree) else None
        else:
            tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def _keys(path: str) -> list[str | int]:
    return [int(key) if key.isdigit() else key for key in re.findall(r"\w+", path)]


def expanded(value: Any, game: Any = None) -> Any:
    """Copy a value with what short forms stand for: `$game`, `$snapshot`, `$cards SA H2`, `$move W:8`, `$moves`."""
    if isinstance(value, dict):
        return {key: expanded(item, game) for key, item in value.items()}
    if isinstance(value, list):
        return [expanded(item, game) for item in value]
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    form, _, text = value.partition(" ")
    match form:
        case "$game" | "$snapshot":
            return json.loads(json.dumps(game))
        case "$cards":
            return cards_json(text)
        case "$move":
            return move_json(text)
        case "$moves":
            return [move_json(move) for move in text.split()]
    raise SetupError(f"{form} stands for nothing")


def edit(request: Any, step: dict[str, Any]) -> None:
    """Set or remove the value at a path; what is missing on the way is made."""
    *parents, last = _keys(step.get("set") or step["remove"])
    place = request
    for key, following in pairwise([*parents, last]):
        if isinstance(key, str):
            place.setdefault(key, [] if isinstance(following, int) else {})
        place = place[key]
    if "remove" in step:
        del place[last]
    elif isinstance(last, int) and last == len(place):
        place.append(step["to"])
    else:
        place[last] = step["to"]


def _request_class(rpc: str) -> type[Message]:
    found: type[Message] = message_factory.GetMessageClass(SERVICE.methods_by_name[rpc].input_type)
    return found


def _response_class(rpc: str) -> type[Message]:
    found: type[Message] = message_factory.GetMessageClass(SERVICE.methods_by_name[rpc].output_type)
    return found


def _with_snapshots(value: Any) -> Any:
    """Serialize the game of each `snapshot`: it is spelled out until now, so that edits can reach into it."""
    if isinstance(value, list):
        return [_with_snapshots(item) for item in value]
    if not isinstance(value, dict):
        return value
    made = {key: _with_snapshots(item) for key, item in value.items()}
    if isinstance(made.get("snapshot"), dict):
        data = json_format.ParseDict(made["snapshot"], game_pb2.Game()).SerializeToString()
        made["snapshot"] = base64.b64encode(data).decode()
    return made


def _with_games(value: Any) -> Any:
    """Read each `snapshot` of an answer as the game it holds: not the bytes count, but what is in them."""
    if isinstance(value, list):
        return [_with_games(item) for item in value]
    if not isinstance(value, dict):
        return value
    made = {key: _with_games(item) for key, item in value.items()}
    if "snapshot" in made:
        game = game_pb2.Game.FromString(base64.b64decode(made["snapshot"]))
        made["snapshot"] = json_format.MessageToDict(game, preserving_proto_field_name=True)
    return made


def _json_of(rpc: str, answer: bytes) -> Any:
    return _with_games(
        json_format.MessageToDict(_response_class(rpc).FromString(answer), preserving_proto_field_name=True)
    )


def _without_messages(value: Any) -> Any:
    """Drop the sentences for people: each implementation has its own."""
    if isinstance(value, dict):
        return {key: _without_messages(item) for key, item in value.items() if key != "message"}
    return [_without_messages(item) for item in value] if isinstance(value, list) else value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _failure_differences(failure: Failure, status: Any) -> Iterator[str]:
    if status is None:
        yield f"expected an answer, got {failure}"
        return
    found = sorted(set(failure.violations))
    expected = sorted((item["path"], item["reason"]) for item in status.get("violations", ()))
    for name, is_, should_be in (
        ("code", failure.code, status["code"]),
        ("reason", failure.reason, status["reason"]),
        ("violations", found, expected),
    ):
        if is_ != should_be:
            yield f"{name}: expected {should_be}, got {is_}"
    if "problems" in status and failure.problems != status["problems"]:
        yield f"problems: expected {status['problems']}, got {failure.problems}"


def _answer_differences(answer: Any, expect: dict[str, Any]) -> Iterator[str]:
    for hidden in expect.get("hides", ()):
        part = value_at(answer, hidden["at"])
        if part is None:
            # What is not there hides everything, and proves nothing.
            yield f"{hidden['at']} is not there"
        shown = set(_texts(part))
        leaked = [card for card in hidden["cards"].split() if card_json(card) in shown]
        if leaked:
            yield f"{hidden['at']} shows {' '.join(leaked)}"
    answer = _without_messages(answer)
    if "response" in expect and answer != expect["response"]:
        yield f"response: expected {json.dumps(expect['response'])}, got {json.dumps(answer)}"
    for path, value in expect.get("fields", {}).items():
        if value_at(answer, path) != value:
            yield f"{path}: expected {json.dumps(value)}, got {json.dumps(value_at(answer, path))}"
    if "problems" in expect:
        found = sorted(
            {
                (item["path"], item["reason"].removeprefix("PROBLEM_REASON_"))
                for item in answer.get("problems", ())
            }
        )
        expected = sorted((item["path"], item["reason"]) for item in expect["problems"])
        if found != expected:
            yield f"problems: expected {expected}, got {found}"
