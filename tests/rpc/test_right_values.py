"""Every field of a contract, a result and an outcome that lies is named, and its right value told."""

from typing import Any

import pytest

from tarneeb.v1 import errors_pb2, game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.rpc import methods
from tests.rpc.bad_games import drop, put, sound

FOLLOWS = "does not follow from the game: must be"
# Game, path, what is put there (none unsets it), reason, message.
LIES = [
    ("play", "hand.contract.declarer", 2, "MISMATCH", f"{FOLLOWS} North"),
    ("play", "hand.contract.declarer", None, "MISSING", "must be North"),
    ("play", "hand.contract.tricks", 8, "MISMATCH", f"{FOLLOWS} 7"),
    ("play", "hand.contract.strain", 4, "UNEXPECTED", "must be unset at this point of the game"),
    ("egyptian", "hand.contract.strain", 4, "MISMATCH", f"{FOLLOWS} hearts"),
    ("egyptian", "hand.contract.strain", None, "MISSING", "must be hearts"),
    ("play", "hand.contract.doubled", True, "MISMATCH", f"{FOLLOWS} false"),
    ("egyptian", "hand.contract.doubled", False, "MISMATCH", f"{FOLLOWS} true"),
    ("scored", "hand.result.end", 2, "MISMATCH", f"{FOLLOWS} scored"),
    ("scored", "hand.result.end", None, "MISSING", "must be scored"),
    ("forfeited", "hand.result.end", 1, "MISMATCH", f"{FOLLOWS} forfeited"),
    ("forfeited", "hand.result.offender", 3, "MISMATCH", f"{FOLLOWS} West"),
    ("forfeited", "hand.result.offender", None, "MISSING", "must be West"),
    ("scored", "hand.result.offender", 3, "UNEXPECTED", "must be unset at this point of the game"),
    ("scored", "hand.result.lines[0].team", 2, "MISMATCH", f"{FOLLOWS} North–South"),
    ("scored", "hand.result.lines[0].team", None, "MISSING", "must be North–South"),
    ("scored", "hand.result.lines[0].bid", 7, "UNEXPECTED", "must be unset at this point of the game"),
    ("scored", "hand.result.lines[1].bid", 8, "MISMATCH", f"{FOLLOWS} 7"),
    ("scored", "hand.result.lines[1].bid", None, "MISSING", "must be 7"),
    ("scored", "hand.result.lines[1].tricks", 8, "MISMATCH", f"{FOLLOWS} 7"),
    ("scored", "hand.result.lines[1].points", 8, "MISMATCH", f"{FOLLOWS} 7"),
    ("scored", "hand.result.lines[1].points", -7, "MISMATCH", f"{FOLLOWS} 7"),
    ("scored", "hand.result.lines[1].made", False, "MISMATCH", f"{FOLLOWS} true"),
    ("scored", "hand.result.lines[1].made", None, "MISSING", "must be true"),
    ("scored", "hand.result.lines[0].made", True, "UNEXPECTED", "must be unset at this point of the game"),
    ("scored 400", "hand.result.lines[2].seat", 1, "MISMATCH", f"{FOLLOWS} South"),
    ("scored 400", "hand.result.lines[2].seat", 9, "UNKNOWN_VALUE", "is no seat"),
    ("over", "outcome.winner", 1, "MISMATCH", f"{FOLLOWS} West–East"),
    ("over", "outcome.winner", None, "MISSING", "must be West–East"),
    ("over", "outcome.winner", 9, "UNKNOWN_VALUE", "is no team"),
    ("over", "outcome.loser", 2, "MISMATCH", f"{FOLLOWS} North–South"),
    ("over", "outcome.reason", 2, "MISMATCH", f"{FOLLOWS} target"),
    ("scored", "hand.result.lines[1].rule_ids", ["S1"], "WRONG_COUNT", "must have 0 entries, not 1"),
    ("over", "outcome.winning_seats", [2], "WRONG_COUNT", "must have 0 entries, not 1"),
    ("over", "outcome.reason", 9, "UNKNOWN_VALUE", "is nothing that wins a game"),
]


def found_in(game: game_pb2.Game) -> list[tuple[str, str, str]]:
    found = methods.validate_game(pb.ValidateGameRequest(game=game)).problems
    reason = errors_pb2.ProblemReason
    return [(one.path, reason.Name(one.reason).removeprefix("PROBLEM_REASON_"), one.message) for one in found]


@pytest.mark.parametrize(("name", "path", "lie", "reason", "message"), LIES)
def test_the_field_is_named_and_its_right_value_told(
    name: str, path: str, lie: Any, reason: str, message: str
) -> None:
    game = game_pb2.Game.FromString(sound(name))
    assert found_in(game) == []
    (drop(path) if lie is None else put(path, lie))(game)
    assert found_in(game) == [(f"game.{path}", reason, message)]


def test_every_field_has_such_a_lie() -> None:
    lied_about = {path.rpartition(".")[2] for _, path, *_ in LIES}
    messages = (game_pb2.Contract, game_pb2.ScoreLine, game_pb2.Outcome, game_pb2.HandResult)
    fields = {field.name for message in messages for field in message.DESCRIPTOR.fields}
    assert lied_about == fields - {"lines"}


def test_a_line_too_many_is_counted() -> None:
    game = game_pb2.Game.FromString(sound("scored"))
    game.hand.result.lines.add(team=game.hand.result.lines[0].team)
    assert found_in(game) == [("game.hand.result.lines", "WRONG_COUNT", "must have 2 entries, not 3")]
