"""Games of an older release go on, and those of a newer one wait for it: with a made-up next revision, both ways."""

import random
from typing import Any

import pytest
from google.rpc import code_pb2, error_details_pb2, status_pb2

from tarneeb.v1 import cards_pb2, errors_pb2, game_pb2, records_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.problems import ProblemReason, ProblemsError
from tarneeb_service.engine.rules import BROUGHT_BY, FIELD_NAMES, NEUTRAL, RULES_REVISION, PastTricks
from tarneeb_service.engine.state import AwaitingDeal, GameOver, State
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.dispatch import dispatch, methods_table
from tarneeb_service.rpc.games import state_of
from tarneeb_service.wire.moves import encode_move
from tarneeb_service.wire.problems import NewerRulesError
from tarneeb_service.wire.rules import encode_rules
from tests.later_release import NEXT, SWITCH, later
from tests.random_games import pick
from tests.rpc.samples import choice, hands_of, some_games
from tests.rpc.samples import record as some_record
from tests.rpc.test_bad_games import MOVE

__all__ = ["later"]

NORTH = cards_pb2.SEAT_NORTH
VIEWERS: Any = [1, 5]


def new_game(**overrides: Any) -> game_pb2.Game:
    return methods.create_game(
        pb.CreateGameRequest(id="g", rule_set=choice(**overrides), first_dealer=NORTH, form=pb.GAME_FORM_GAME)
    ).game


def old_game(**overrides: Any) -> game_pb2.Game:
    """A game as the release before the switch made it."""
    game = new_game(**overrides)
    game.rules.ClearField(SWITCH)
    assert game.rules_revision == RULES_REVISION
    return game


def refusals_of(game: game_pb2.Game) -> list[tuple[str, ProblemReason, str]]:
    with pytest.raises(ProblemsError) as refused:
        methods.view_game(pb.ViewGameRequest(snapshot=game.SerializeToString(), viewers=VIEWERS))
    return [(problem.path, problem.reason, problem.message) for problem in refused.value.problems]


def test_the_table_speaks_of_switches_and_of_revisions_that_were() -> None:
    assert set(BROUGHT_BY) <= set(FIELD_NAMES)
    assert all(2 <= revision <= RULES_REVISION for revision in BROUGHT_BY.values())


def test_a_rule_that_is_missing_although_its_revision_knew_it_is_refused() -> None:
    game = old_game()
    ((path, reason, message),) = refusals_of(game)
    assert (path, reason) == (f"snapshot.rules.{SWITCH}", ProblemReason.MISSING)
    assert "stubs" in message
    assert "snapshot as they came" in message


@pytest.mark.usefixtures("later")
def test_a_switch_that_came_later_has_its_neutral_value() -> None:
    # The house shows fewer tricks than the neutral value does, but this game is older than the house.
    game = new_game(past_tricks=rules_pb2.PAST_TRICKS_NONE)
    game.rules_revision -= 1
    game.rules.ClearField(SWITCH)
    assert state_of(game).header.rules.past_tricks is NEUTRAL.past_tricks is PastTricks.ALL
    # An unset enum and its zero say the same.
    game.rules.past_tricks = rules_pb2.PAST_TRICKS_UNSPECIFIED
    assert state_of(game).header.rules.past_tricks is PastTricks.ALL
    # What is set counts: no option is silently without effect.
    game.rules.past_tricks = rules_pb2.PAST_TRICKS_LAST
    assert state_of(game).header.rules.past_tricks is PastTricks.LAST


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("name", [name for name in FIELD_NAMES if name not in (SWITCH, "fixed_trump")])
def test_an_older_game_still_needs_what_its_revision_knew(name: str) -> None:
    game = new_game()
    game.rules_revision -= 1
    game.rules.ClearField(SWITCH)
    game.rules.ClearField(name)  # type: ignore[arg-type]
    assert [(path, reason) for path, reason, _ in refusals_of(game)] == [
        (f"snapshot.rules.{name}", ProblemReason.MISSING)
    ]


@pytest.mark.usefixtures("later")
def test_a_game_of_the_new_revision_needs_the_switch() -> None:
    game = new_game()
    assert game.rules_revision == NEXT
    game.rules.ClearField(SWITCH)
    assert [path for path, _, _ in refusals_of(game)] == [f"snapshot.rules.{SWITCH}"]
    # Nor does a game that lost its revision pass for an old one.
    game.ClearField("rules_revision")
    assert [path for path, _, _ in refusals_of(game)] == [
        "snapshot.rules_revision",
        f"snapshot.rules.{SWITCH}",
    ]


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("index", range(0, len(some_games()), 5))
def test_any_older_game_is_judged_and_answered_as_one_of_today(index: int) -> None:
    older, today = game_pb2.Game(), game_pb2.Game()
    today.CopyFrom(some_games()[index])
    today.rules.past_tricks = rules_pb2.PAST_TRICKS_ALL
    older.CopyFrom(today)
    older.rules.ClearField(SWITCH)
    today.rules_revision = NEXT
    for move in methods.list_legal_moves(pb.ListLegalMovesRequest(game=today)).moves[:3]:
        answers = [
            methods.apply_move(
                pb.ApplyMoveRequest(snapshot=game.SerializeToString(), move=move, viewers=VIEWERS)
            )
            for game in (older, today)
        ]
        assert answers[0] == answers[1]
        # From here on it is a game of this release, whole again.
        after = game_pb2.Game.FromString(answers[0].snapshot)
        assert after.rules_revision == NEXT
        assert after.rules.past_tricks == rules_pb2.PAST_TRICKS_ALL


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("preset", ["jawaker_classic", "saharat_400", "jawaker_egyptian"])
def test_an_older_game_is_played_to_its_end(preset: str) -> None:
    """Every answer is set back to what the older release would have stored, so each step reads an old game."""
    chance = random.Random(preset)
    game = new_game_of(preset)
    revision, seen = 0, set()
    state: State
    while not isinstance(state := state_of(game), GameOver):
        set_back(game)
        seen.add(game.phase)
        if isinstance(state, AwaitingDeal):
            dealing = pb.DealHandRequest(snapshot=game.SerializeToString(), deal=hands_of(state))
            answer: Any = methods.deal_hand(dealing)
        else:
            move = encode_move(pick(state, chance))
            answer = methods.apply_move(pb.ApplyMoveRequest(snapshot=game.SerializeToString(), move=move))
        revision += 1
        assert answer.revision == revision
        game = game_pb2.Game.FromString(answer.snapshot)
    set_back(game)
    assert not methods.validate_game(pb.ValidateGameRequest(snapshot=game.SerializeToString())).problems
    assert game.outcome.reason
    assert {game_pb2.PHASE_AWAITING_DEAL, game_pb2.PHASE_AUCTION, game_pb2.PHASE_PLAY} <= seen


def new_game_of(preset: str) -> game_pb2.Game:
    request = pb.CreateGameRequest(
        id="g", rule_set=choice(preset), first_dealer=NORTH, form=pb.GAME_FORM_GAME
    )
    request.rule_set.overrides.past_tricks = rules_pb2.PAST_TRICKS_ALL
    return methods.create_game(request).game


def set_back(game: game_pb2.Game) -> None:
    game.rules_revision = NEXT - 1
    game.rules.ClearField(SWITCH)


@pytest.mark.usefixtures("later")
def test_a_newer_game_is_left_to_an_upgraded_replica(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = methods.create_game(
        pb.CreateGameRequest(id="g", rule_set=choice(), first_dealer=NORTH)
    ).snapshot
    monkeypatch.undo()
    with pytest.raises(NewerRulesError):
        methods.view_game(pb.ViewGameRequest(snapshot=snapshot, viewers=VIEWERS))
    data = pb.ViewGameRequest(snapshot=snapshot, viewers=VIEWERS).SerializeToString()
    status = dispatch(methods_table()["ViewGame"], data, "request-7", lambda: None).status
    assert status
    assert status.code == code_pb2.UNAVAILABLE
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    for detail in status_pb2.Status.FromString(status.details).details:
        detail.Unpack(info) or detail.Unpack(retry)
    assert info.reason == "NEWER_RULES"
    assert dict(info.metadata) == {
        "game_rules_revision": str(NEXT),
        "service_rules_revision": str(RULES_REVISION),
    }
    assert 0 < retry.retry_delay.ToMilliseconds() <= 1_000


@pytest.mark.parametrize("stored", ["game", "snapshot"])
def test_a_newer_game_in_a_batch_is_that_items_alone(stored: str) -> None:
    game = new_game()
    sound = pb.ValidateMoveRequest(snapshot=game.SerializeToString(), move=MOVE)
    game.rules_revision = NEXT
    newer = pb.ValidateMoveRequest(game=game, move=sound.move)
    if stored == "snapshot":
        newer.snapshot = game.SerializeToString()
    first, second = methods.validate_moves(pb.ValidateMovesRequest(items=[newer, sound])).results
    assert first.problems.reason == errors_pb2.ERROR_REASON_NEWER_RULES
    assert [problem.path for problem in first.problems.problems] == [f"{stored}.rules_revision"]
    assert second.HasField("verdict")


# A preset in which the switch is not neutral.
HIDING = "cardgames_zone"


def record_of(revision: int, **overrides: Any) -> records_pb2.GameRecord:
    record = some_record()
    record.rule_set.CopyFrom(choice(HIDING, **overrides))
    record.rules_revision = revision
    return record


def replayed(record: records_pb2.GameRecord) -> game_pb2.Game:
    answer = methods.replay_game(pb.ReplayGameRequest(record=record, form=pb.GAME_FORM_GAME))
    assert answer.accepted_steps == 5
    return answer.game


@pytest.mark.usefixtures("later")
def test_a_record_older_than_a_switch_is_played_without_it() -> None:
    """As a game of its time would go on, and not as the preset is today."""
    rules = {revision: replayed(record_of(revision)).rules for revision in (NEXT - 1, NEXT, 0)}
    assert rules[NEXT - 1].past_tricks == rules_pb2.PAST_TRICKS_ALL
    # One of today has what the preset says; so has one that does not say when it was made.
    assert rules[NEXT] == rules[0]
    assert rules[NEXT].past_tricks == rules_pb2.PAST_TRICKS_NONE
    # No other rule was touched, and the game that was reached is one of this release.
    rules[NEXT - 1].past_tricks = rules[NEXT].past_tricks
    assert rules[NEXT - 1] == rules[NEXT]
    assert replayed(record_of(NEXT - 1)).rules_revision == NEXT


@pytest.mark.usefixtures("later")
def test_what_an_older_record_sets_counts() -> None:
    found = replayed(record_of(NEXT - 1, past_tricks=rules_pb2.PAST_TRICKS_LAST)).rules
    assert found.past_tricks == rules_pb2.PAST_TRICKS_LAST


@pytest.mark.usefixtures("later")
def test_a_record_and_a_game_of_one_revision_are_read_alike() -> None:
    record = record_of(NEXT - 1)
    game = replayed(record)
    set_back(game)
    # The full rules of its time as overrides, as the documents have callers keep them.
    record.rule_set.overrides.CopyFrom(game.rules)
    assert not record.rule_set.overrides.HasField(SWITCH)
    assert replayed(record).rules == encode_rules(state_of(game).header.rules)


@pytest.mark.usefixtures("later")
def test_a_record_of_a_newer_release_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    record = record_of(NEXT)
    assert replayed(record).rules_revision == NEXT
    monkeypatch.undo()
    with pytest.raises(NewerRulesError):
        methods.replay_game(pb.ReplayGameRequest(record=record))
    # Neither is the switch in a table that knows none, nor its revision asked for.
    assert replayed(record_of(RULES_REVISION)).rules.past_tricks == rules_pb2.PAST_TRICKS_NONE
