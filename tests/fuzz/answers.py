"""What an answer must have, whatever was asked: nothing that parses but says nothing."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from tarneeb.v1 import errors_pb2, game_pb2, rules_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tests.rpc.checks import assert_names_no_card
from tests.rpc.samples import SERVICE, request_class

RULE_ID = re.compile(r"[ACEPRSTW][1-9][0-9]?")
REASONS_OF_PROBLEMS = frozenset(errors_pb2.ProblemReason.keys())
# Of the games that a replay answers with.
MOST_GAMES = 6
BOTH = {"game", "snapshot"}


def check_answer(method: str, request: bytes, data: bytes) -> list[game_pb2.Game]:
    """Hold an answer against what was asked, and return the games in it; each must be consistent."""
    asked = request_class(method).FromString(request)
    asked.DiscardUnknownFields()
    answer: Any = GetMessageClass(SERVICE.methods_by_name[method].output_type).FromString(data)
    assert not _has_unknown(answer, data), "unknown fields"
    for problem in problems_in(answer):
        check_problem(problem.path, errors_pb2.ProblemReason.Name(problem.reason), problem.message)
    check_forms(asked, answer)
    # What is checked below is the game, in whatever form it travelled.
    for message in (asked, answer):
        open_snapshots(message)
    CHECKS[method](asked, answer)
    games = list(games_in(answer))
    return games[:: len(games) // MOST_GAMES + 1] + games[-1:]


def check_forms(asked: Any, answer: Any) -> None:
    """A game comes in the form it was asked in: that of the request's own game, or the one that it names."""
    fields = asked.DESCRIPTOR.fields_by_name
    if "form" in fields:
        forms = {pb.GAME_FORM_GAME: {"game"}, pb.GAME_FORM_SNAPSHOT: {"snapshot"}}.get(asked.form, BOTH)
    elif "snapshot" in fields:
        forms = {asked.WhichOneof("stored")}
    else:
        return
    for message in [answer, *getattr(answer, "steps", ())]:
        found = {name for field, _ in message.ListFields() if (name := field.name) in BOTH}
        assert found in (set(), forms), f"asked for {sorted(forms)}, got {sorted(found)}"


def open_snapshots(message: Message) -> None:
    """Read every snapshot into the game beside it; where there is one already, both must be the same."""
    found: Any
    for found in list(_messages(message)):
        data = getattr(found, "snapshot", b"")
        if not data:
            continue
        # A request may hold anything; an answer that is no game fails where its game is looked at.
        with suppress(DecodeError):
            game = game_pb2.Game.FromString(data)
            assert not found.HasField("game") or found.game == game, "two games"
            found.game.CopyFrom(game)


def check_problem(path: str, reason: str, message: str) -> None:
    assert path, "no path"
    assert message, "no sentence"
    assert reason in REASONS_OF_PROBLEMS, reason
    assert reason != "PROBLEM_REASON_UNSPECIFIED"
    assert_names_no_card(f"{path} {message}")


def problems_in(message: Message) -> Iterator[errors_pb2.Problem]:
    """Every problem anywhere in an answer."""
    for found in _messages(message):
        if isinstance(found, errors_pb2.Problem):
            yield found


def games_in(message: Message) -> Iterator[game_pb2.Game]:
    """Every game anywhere in an answer."""
    for found in _messages(message):
        if isinstance(found, game_pb2.Game):
            yield found


def _messages(message: Message) -> Iterator[Message]:
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else (value,):
                yield from _messages(inner)


def _has_unknown(answer: Message, data: bytes) -> bool:
    known = type(answer).FromString(data)
    known.DiscardUnknownFields()
    return known.ByteSize() != answer.ByteSize()


def check_verdict(verdict: verdicts_pb2.Verdict) -> bool:
    """Hold a verdict against itself, and return whether the move was accepted."""
    ruling = verdict.ruling
    assert ruling in (
        verdicts_pb2.RULING_LEGAL,
        verdicts_pb2.RULING_REFUSED,
        verdicts_pb2.RULING_FORFEITS,
    ), f"ruling {ruling}"
    if ruling == verdicts_pb2.RULING_LEGAL:
        assert verdict == verdicts_pb2.Verdict(ruling=ruling), f"a legal move with {verdict}"
    else:
        assert verdict.reason in verdicts_pb2.RefusalReason.values(), f"reason {verdict.reason}"
        assert verdict.reason, "no reason"
        assert RULE_ID.fullmatch(verdict.rule_id), f"rule {verdict.rule_id!r}"
        assert verdict.message, "no sentence"
    return ruling != verdicts_pb2.RULING_REFUSED


def check_views(asked: Any, views: Any) -> None:
    """Each viewer asked for, in order, and rules in each."""
    assert [view.viewer for view in views] == list(asked.viewers), "other viewers than asked for"
    for view in views:
        assert view.HasField("rules") != asked.omit_rules, "a view without rules, or with them unasked"
        assert view.id, "a view without an id"
        assert view.phase, "a view without a phase"


def check_step(game: game_pb2.Game, following: game_pb2.Game) -> None:
    """The next revision of the same game."""
    assert following.revision == game.revision + 1, f"revision {game.revision}, then {following.revision}"
    assert following.id == game.id, "another id"
    rules = rules_pb2.RuleSet.FromString(game.rules.SerializeToString())
    # Left out it is none, as when it is said.
    rules.fixed_trump = game.rules.fixed_trump
    assert following.rules == rules, "other rules"


def _resolved(_asked: pb.ResolveRuleSetRequest, answer: pb.ResolveRuleSetResponse) -> None:
    assert answer.HasField("rules") != bool(answer.problems), "rules and problems, or neither"
    if answer.HasField("rules"):
        _check_full(answer.rules)


def _check_full(rules: Message) -> None:
    unset = [
        field.name
        for field in rules.DESCRIPTOR.fields
        if field.has_presence and not rules.HasField(field.name)
    ]
    assert not unset, f"rules without {unset}"


def _listed(_asked: pb.ListRuleSetsRequest, answer: pb.ListRuleSetsResponse) -> None:
    assert answer.rule_sets, "no presets"
    assert answer.rules_revision, "no revision"
    for preset in answer.rule_sets:
        _check_full(preset.rules)


def _created(asked: pb.CreateGameRequest, answer: pb.CreateGameResponse) -> None:
    assert answer.game.id == asked.id, "another id"
    assert answer.game.phase == game_pb2.PHASE_AWAITING_DEAL, "another phase"
    assert not answer.game.revision, "not at revision 0"
    check_views(asked, answer.views)


def _dealt(asked: pb.DealHandRequest, answer: pb.DealHandResponse) -> None:
    check_step(asked.game, answer.game)
    assert [event.WhichOneof("event") for event in answer.events] == ["hand_dealt"], "other events"
    check_views(asked, answer.views)


def _legal(asked: pb.ListLegalMovesRequest, answer: pb.ListLegalMovesResponse) -> None:
    assert bool(answer.seat_to_act) == bool(answer.moves), "a seat without moves, or moves without a seat"
    assert answer.seat_to_act == asked.game.seat_to_act, "another seat"
    assert {move.seat for move in answer.moves} <= {answer.seat_to_act}, "moves of others"
    assert all(move.WhichOneof("action") for move in answer.moves), "a move that does nothing"
    assert len({move.SerializeToString() for move in answer.moves}) == len(answer.moves), "a move twice"


def _judged(_asked: pb.ValidateMoveRequest, answer: pb.ValidateMoveResponse) -> None:
    check_verdict(answer.verdict)


def _applied(asked: pb.ApplyMoveRequest, answer: pb.ApplyMoveResponse) -> None:
    if check_verdict(answer.verdict):
        check_step(asked.game, answer.game)
        assert answer.events, "no events"
        assert answer.HasField("hand_record") == answer.game.hand.HasField("result"), (
            "a hand's record in the middle of it, or none at its end"
        )
        assert all(event.WhichOneof("event") for event in answer.events), "an event of nothing"
        check_views(asked, answer.views)
    else:
        assert answer == pb.ApplyMoveResponse(verdict=answer.verdict), "more than a refusal"


def _undone(asked: pb.UndoMoveRequest, answer: pb.UndoMoveResponse) -> None:
    check_step(asked.game, answer.game)
    assert answer.undone.WhichOneof("action"), "a move that does nothing"
    assert not answer.undone.HasField("revision"), "a move with a revision"
    assert [event.WhichOneof("event") for event in answer.events] == ["move_undone"], "other events"
    assert answer.events[0].move_undone.move == answer.undone, "another move"
    check_views(asked, answer.views)


def _batch(asked: pb.ValidateMovesRequest, answer: pb.ValidateMovesResponse) -> None:
    assert len(answer.results) == len(asked.items), (
        f"{len(answer.results)} results of {len(asked.items)} items"
    )
    for result in answer.results:
        assert result.WhichOneof("result"), "a result of nothing"
        if result.HasField("verdict"):
            check_verdict(result.verdict)
        else:
            found = result.problems
            assert found.reason, "problems without a reason"
            assert 0 < len(found.problems) == min(32, found.problem_count), "a wrong count of problems"


def _replayed(asked: pb.ReplayGameRequest, answer: pb.ReplayGameResponse) -> None:
    hands = asked.record.hands
    assert answer.total_steps == len(hands) + sum(len(hand.moves) for hand in hands), (
        "another number of steps"
    )
    assert answer.HasField("game"), "no game"
    assert answer.game.revision == answer.accepted_steps, "another revision"
    stopped = answer.accepted_steps < answer.total_steps
    assert answer.HasField("refused") == stopped, "stopped and nothing refused, or the other way round"
    if stopped:
        refused = answer.refused
        assert refused.HasField("verdict") != bool(refused.problems), "a verdict and problems, or neither"
        if refused.HasField("verdict"):
            assert not check_verdict(refused.verdict), "an accepted move refused"
    first = asked.first_step or 1
    end = min(answer.accepted_steps, first - 1 + (asked.step_limit or 1000))
    assert len(answer.steps) == (max(0, end - first + 1) if asked.step_detail else 0), "other steps"
    for step in answer.steps:
        assert step.events, "a step without events"
        assert step.HasField("game") == (asked.step_detail == pb.STEP_DETAIL_GAMES), (
            "a game not asked for, or none"
        )
        if asked.step_detail == pb.STEP_DETAIL_VIEWS:
            check_views(asked, step.views)


def _validated(_asked: pb.ValidateGameRequest, _answer: pb.ValidateGameResponse) -> None:
    """Problems or none: all of it has been looked at."""


def _viewed(asked: pb.ViewGameRequest, answer: pb.ViewGameResponse) -> None:
    assert answer.views, "no views"
    check_views(asked, answer.views)


def _committed(_asked: pb.CommitDealRequest, answer: pb.CommitDealResponse) -> None:
    assert len(answer.commitment) == 32, f"a commitment of {len(answer.commitment)} bytes"


def _verified(_asked: pb.VerifyDealRequest, answer: pb.VerifyDealResponse) -> None:
    assert answer.fair == (answer.commitment_matches and answer.cards_match), "fair, but not in its parts"
    assert answer.message, "no sentence"


def _scored(asked: pb.ScoreHandRequest, answer: pb.ScoreHandResponse) -> None:
    assert answer.result.end, "a hand without an end"
    assert len(answer.scores) == len(asked.scores), "other sides"
    points = [line.points for line in answer.result.lines] or [0] * len(asked.scores)
    assert [*answer.scores] == [score + more for score, more in zip(asked.scores, points, strict=True)], (
        "other sums"
    )


CHECKS: dict[str, Callable[[Any, Any], None]] = {
    "ListRuleSets": _listed,
    "ResolveRuleSet": _resolved,
    "CreateGame": _created,
    "DealHand": _dealt,
    "ListLegalMoves": _legal,
    "ValidateMove": _judged,
    "ApplyMove": _applied,
    "UndoMove": _undone,
    "ValidateMoves": _batch,
    "ReplayGame": _replayed,
    "ValidateGame": _validated,
    "ViewGame": _viewed,
    "CommitDeal": _committed,
    "VerifyDeal": _verified,
    "ScoreHand": _scored,
}
