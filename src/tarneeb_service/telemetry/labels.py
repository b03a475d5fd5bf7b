"""What logs and metrics tell of a call, read from its messages: never a card, a seed or a score."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tarneeb.v1 import errors_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.problems import Problem, ProblemsError
from tarneeb_service.engine.verdicts import RefusalReason, Ruling
from tarneeb_service.rpc.dispatch import Outcome

OTHER = "other"
RULE_SETS = frozenset(PRESET_IDS)
CALL_KINDS = (OTHER, "bid", "pass", "double")
RULINGS = {0: OTHER} | {ruling.value: ruling.name.lower() for ruling in Ruling}
REASONS = {0: "none"} | {reason.value: reason.name.lower() for reason in RefusalReason}
# By rule set, kind of move, ruling and reason.
MoveKey = tuple[str, str, int, int]


class Labels(NamedTuple):
    """What is told of one call. ``move`` is empty where there is no verdict on one."""

    game_id: str = ""
    rule_set: str = ""
    move: str = ""
    ruling: int = 0
    reason: int = 0


NONE = Labels()
# From a request and, once there is one, its response.
Read = Callable[[Any, Any], Labels]


def label_of(rule_set: str) -> str:
    """Return a rule set's id, or ``other`` for one that is no preset."""
    return rule_set if rule_set in RULE_SETS else OTHER


def of_move(request: Any, response: Any) -> Labels:
    """Read a request with game and move, and the response's verdict."""
    game = request.game
    if response is None:
        return Labels(game.id, game.preset_id)
    verdict = response.verdict
    return Labels(game.id, game.preset_id, _kind_of(request.move), verdict.ruling, verdict.reason)


def of_game(request: Any, _response: Any) -> Labels:
    """Read a request about a game."""
    game = request.game
    return Labels(game.id, game.preset_id)


def of_rule_set(request: Any, _response: Any) -> Labels:
    """Read a request about a rule set."""
    return Labels("", request.rule_set.preset_id)


def of_new_game(request: Any, _response: Any) -> Labels:
    """Read a request for a new game."""
    return Labels(request.id, request.rule_set.preset_id)


def of_record(request: Any, _response: Any) -> Labels:
    """Read a request about a record."""
    return Labels(request.record.id, request.record.rule_set.preset_id)


def of_deal(request: Any, _response: Any) -> Labels:
    """Read a request about a deal of a game."""
    return Labels(request.game_id)


def of_nothing(_request: Any, _response: Any) -> Labels:
    """Read a request that is about no game."""
    return NONE


_READERS: dict[str, Read] = {
    "ListRuleSets": of_nothing,
    "ResolveRuleSet": of_rule_set,
    "CreateGame": of_new_game,
    "DealHand": of_game,
    "ListLegalMoves": of_game,
    "ValidateMove": of_move,
    "ApplyMove": of_move,
    "UndoMove": of_game,
    "ValidateMoves": of_nothing,
    "ReplayGame": of_record,
    "ValidateGame": of_game,
    "ViewGame": of_game,
    "CommitDeal": of_deal,
    "VerifyDeal": of_deal,
    "ScoreHand": of_rule_set,
}


def read(method: str, outcome: Outcome) -> Labels:
    """Read the request of a call, as far as it had one, and its response."""
    return NONE if outcome.request is None else _READERS[method](outcome.request, outcome.response)


def moves_of(request: Any, response: Any) -> list[MoveKey]:
    """Return the verdicts of a batch; an item that could not be judged has none."""
    keys: list[MoveKey] = []
    for item, result in zip(request.items, response.results, strict=True):
        if result.WhichOneof("result") == "verdict":
            verdict = result.verdict
            keys.append((label_of(item.game.preset_id), _kind_of(item.move), verdict.ruling, verdict.reason))
    return keys


def snapshot_problems(found: Any) -> Iterator[int]:
    """Return the reasons of the problems that lie in a game: the caller's store, or its code, is wrong.

    ``found`` is an exception, or the response of a method that answers with problems.
    """
    problems: Any = ()
    if isinstance(found, ProblemsError | pb.ValidateGameResponse):
        problems = found.problems
    elif isinstance(found, pb.ValidateMovesResponse):
        problems = [
            problem
            for result in found.results
            if result.problems.reason == errors_pb2.ERROR_REASON_INVALID_REQUEST
            for problem in result.problems.problems
        ]
    for problem in problems:
        if _in_game(problem):
            yield int(problem.reason)


def _in_game(problem: Problem | errors_pb2.Problem) -> bool:
    return problem.path.split(".")[0] in ("game", "snapshot")


def _kind_of(move: Any) -> str:
    action: str | None = move.WhichOneof("action")
    if action == "call":
        kind = move.call.kind
        return CALL_KINDS[kind] if 0 < kind < len(CALL_KINDS) else OTHER
    return action or OTHER
