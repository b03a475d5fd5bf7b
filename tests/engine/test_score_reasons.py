"""Which rules gave a line its points, who won a game by his own score, and that no game stores the former."""

import re
from pathlib import Path
from typing import Any

import pytest

from tarneeb.v1 import game_pb2
from tarneeb_service.engine import game
from tarneeb_service.engine.check import check
from tarneeb_service.engine.presets import resolve
from tarneeb_service.engine.problems import ProblemReason, ProblemsError
from tarneeb_service.engine.rules import DefendersScore, DoubledResult, Revoke, SlamDefenceSweep
from tarneeb_service.engine.scoring import outcome_of, score_contract, score_individual, score_majority
from tarneeb_service.engine.state import Contract, HandEnd, HandResult, ScoreLine
from tarneeb_service.engine.undo import undo
from tarneeb_service.wire.events import encode_events
from tarneeb_service.wire.game import decode_game, encode_game
from tests.positions import NORTH, SOUTH, WEST, new_game, play_hand

RULES = Path(__file__).parents[2] / "docs" / "rules.md"
ALWAYS, NEVER = {"defenders_score": DefendersScore.ALWAYS}, {"defenders_score": DefendersScore.NEVER}
TWICE = {"failed_slam_trick_factor": 2}
POINTS = {"slam_defence_sweep": SlamDefenceSweep.POINTS}
WHEN_MADE, BIDDERS = (
    {"doubled_result": DoubledResult.WHEN_MADE},
    {"doubled_result": DoubledResult.BIDDERS},
)


@pytest.mark.parametrize(
    ("bid", "tricks", "options", "declarers", "defenders"),
    [
        (8, 9, {}, "S1", "S1"),
        (8, 7, {}, "S2", "S2"),
        (8, 13, {}, "S3", "S1"),
        (13, 13, {}, "S4", "S1"),
        (13, 12, {}, "S5", "S5"),
        (8, 0, {}, "S2", "S3 S6"),
        (13, 0, {}, "S5", "S6"),
        (13, 0, POINTS, "S5", "S3 S6"),
        (13, 11, TWICE, "S5", "S5 S8"),
        (13, 0, TWICE, "S5", "S6 S8"),
        (13, 0, TWICE | POINTS, "S5", "S3 S6"),
        (12, 0, TWICE, "S2", "S3 S6"),
        (8, 9, ALWAYS, "S1", "S8"),
        (8, 7, ALWAYS, "S2", "S2"),
        (8, 9, NEVER, "S1", "S1"),
        (8, 0, NEVER, "S2", "S8"),
    ],
)
@pytest.mark.parametrize("declarer", [NORTH, WEST])
def test_a_contract(
    bid: int, tricks: int, options: dict[str, Any], declarers: str, defenders: str, declarer: int
) -> None:
    rules = resolve("saharat_classic", options)
    taken = (tricks, 13 - tricks) if declarer == NORTH else (13 - tricks, tricks)
    lines = score_contract(rules, Contract(declarer, bid, None, False), taken).lines
    assert " ".join(lines[declarer % 2].rule_ids) == declarers
    assert " ".join(lines[1 - declarer % 2].rule_ids) == defenders


@pytest.mark.parametrize(
    ("tricks", "options", "declarers", "defenders"),
    [
        (9, {}, "S1 S7", "S1"),
        (7, {}, "S2 S7", "S2 S7"),
        (0, {}, "S2 S7", "S3 S6 S7"),
        (9, WHEN_MADE, "S1 S7", "S1"),
        (7, WHEN_MADE, "S2 A10", "S2 A10"),
        (9, BIDDERS, "S1 S7", "S1"),
        (7, BIDDERS, "S2 S7", "S2 S8"),
        (7, NEVER, "S2 S7", "S8"),
    ],
)
def test_a_double(tricks: int, options: dict[str, Any], declarers: str, defenders: str) -> None:
    rules = resolve("jawaker_egyptian", options)
    lines = score_contract(rules, Contract(SOUTH, 8, 1, True), (tricks, 13 - tricks)).lines
    assert [" ".join(line.rule_ids) for line in lines] == [declarers, defenders]


@pytest.mark.parametrize(
    ("offender", "doubled", "options", "expected"),
    [
        (NORTH, False, {}, ["R2", "R2"]),
        (WEST, False, {}, ["R2", "R2"]),
        (WEST, False, ALWAYS, ["R2", "S8"]),
        (NORTH, False, NEVER, ["R2", "S8"]),
        (NORTH, True, {}, ["R2 S7", "R2 S7"]),
        (NORTH, True, WHEN_MADE, ["R2 A10", "R2 A10"]),
        (NORTH, True, BIDDERS, ["R2 S7", "R2 S8"]),
    ],
)
def test_a_revoke(offender: int, doubled: bool, options: dict[str, Any], expected: list[str]) -> None:
    rules = resolve("jawaker_egyptian", {"revoke": Revoke.FORFEITS, **options})
    result = score_contract(rules, Contract(NORTH, 8, 1, doubled), (9, 4), offender)
    assert [" ".join(line.rule_ids) for line in result.lines] == expected


def test_without_an_auction_and_each_for_himself() -> None:
    turned = resolve("cardgames_zone_turned_trump", {})
    assert [line.rule_ids for line in score_majority(turned, (13, 0)).lines] == [("S9",)] * 2
    assert [line.rule_ids for line in score_majority(turned, (9, 4), WEST).lines] == [("R2",)] * 2
    four = resolve("saharat_400", {})
    bids, before = (5, 5, 2, 2), (30, 29, 50, 0)
    for offender, first in ((None, "S10"), (NORTH, "R2")):
        lines = score_individual(four, bids, (5, 4, 2, 2), before, offender).lines
        assert [line.rule_ids for line in lines] == [(first, "S12"), *[(first, "S11")] * 3]


@pytest.mark.parametrize(
    ("after", "seats"),
    [
        ((41, 0, 1, 0), (0,)),
        ((1, 0, 41, 0), (2,)),
        ((41, 90, 44, 0), (0, 2)),
        ((20, 0, 60, 50), (2,)),
        ((0, 41, 0, 1), (1,)),
    ],
)
def test_who_won_it_by_his_own_score(after: tuple[int, ...], seats: tuple[int, ...]) -> None:
    lines = tuple(ScoreLine(seat, None, 1, points, None) for seat, points in enumerate(after))
    outcome = outcome_of(resolve("mulouk_41", {}), (0, 0, 0, 0), HandResult(HandEnd.SCORED, lines))
    assert outcome is not None
    assert outcome.winning_seats == seats


def test_events_tell_it_and_no_game_stores_it() -> None:
    taken_back = undo(play_hand(new_game("saharat_classic"), "1:7 2:P 3:P 0:P", [3, 4, 3, 3]))
    assert taken_back is not None
    _, after, events = game.apply(*taken_back[:2])
    (ended,) = [event.hand_ended for event in encode_events(events) if event.HasField("hand_ended")]
    assert [[*line.rule_ids] for line in ended.result.lines] == [["S1"], ["S1"]]
    stored = encode_game(after)
    assert b"S1" not in stored.SerializeToString()
    assert check(decode_game(stored)) == after
    told = game_pb2.Game.FromString(stored.SerializeToString())
    told.hand.result.CopyFrom(ended.result)
    with pytest.raises(ProblemsError) as caught:
        check(decode_game(told))
    assert {problem.reason for problem in caught.value.problems} == {ProblemReason.WRONG_COUNT}
    assert all(problem.path.endswith("rule_ids") for problem in caught.value.problems)


def test_every_id_is_one_of_the_rules() -> None:
    known = set(re.findall(r"^- \*\*([A-Z]\d+)\*\*", RULES.read_text("utf-8"), re.MULTILINE))
    code = (RULES.parents[1] / "src/tarneeb_service/engine/scoring.py").read_text("utf-8")
    named = set(re.findall(r'"([A-Z]\d+)"', code))
    assert {"S1", "S12", "A10", "R2"} <= named <= known
