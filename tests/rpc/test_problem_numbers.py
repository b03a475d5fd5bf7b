"""The numbers of a problem: every range is said, they are true, and a remedy mends what it is of."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tarneeb.v1 import cards_pb2, errors_pb2, game_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.state import LAST_NUMBER
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.dispatch import dispatch, methods_table
from tarneeb_service.wire.problems import encode_problem
from tests.rpc.samples import METHODS, NUMBERS, choice, record, samples, spoil
from tests.scale import SCALE

CONTRACT = game_pb2.Contract(declarer=cards_pb2.SEAT_NORTH, tricks=8)
RANGES = (ProblemReason.OUT_OF_RANGE, ProblemReason.WRONG_COUNT)
# Paths whose number is of something else than what stands there, and those of values within a range that are barred.
OF_A_TOTAL = re.compile(
    r"tricks|record\.hands|contract\.tricks|bids\[\d\]|\w+\.(revision|hand_number)|.*rules_revision"
)
# Some that the search must find, or it looks at nothing.
SEEN = {
    "contract.tricks",
    "deal.deck.cards",
    "deal.hands.hands",
    "deal.seeded.seed",
    "game.hand.dealt[].cards",
    "game.hand.played",
    "game.hand.scores_before[]",
    "game.hand.trick_winners",
    "game.rules.target",
    "game.scores",
    "id",
    "seed",
    "tricks",
}


def problems_of(method: str, request: Any) -> tuple[Any, list[Problem]]:
    """The request as it was read, and what is wrong with it."""
    outcome = dispatch(methods_table()[method], request.SerializeToString(), "r", lambda: None)
    assert outcome.error is None or isinstance(outcome.error, ValueError), repr(outcome.error)
    return outcome.request, list(outcome.error.problems) if isinstance(outcome.error, ProblemsError) else []


def value_at(message: Any, path: str) -> Any:
    for name, index in re.findall(r"(\w+)(?:\[(\d+)\])?", path.replace("snapshot.", "game.")):
        message = getattr(message, name)
        if index:
            message = message[int(index)]
    return message


def size_of(value: Any) -> int:
    if isinstance(value, int):
        return value
    if isinstance(value, rules_pb2.Ladder):
        return len(value.steps)
    if isinstance(value, rules_pb2.NumberList):
        return len(value.numbers)
    if isinstance(value, rules_pb2.BidValueTable):
        return len(value.values)
    return len(value.encode() if isinstance(value, str) else value)


def spoiled(method: str) -> Iterator[Any]:
    chance = random.Random(method)
    for request in samples(method):
        for _ in range(20 * SCALE):
            changed = type(request).FromString(request.SerializeToString())
            for _ in range(chance.choice((1, 1, 2))):
                spoil(changed, chance)
            yield changed


def test_every_range_is_said_and_true() -> None:
    seen = set()
    for method in METHODS:
        for request in spoiled(method):
            read, found = problems_of(method, request)
            for problem in found:
                if problem.reason not in RANGES or problem.message == "must have no control characters":
                    continue
                seen.add(re.sub(r"\[\d+\]", "[]", problem.path))
                assert problem.minimum is not None, problem
                assert problem.maximum is not None, problem
                assert problem.minimum <= problem.maximum
                if OF_A_TOTAL.fullmatch(problem.path) or "control characters" in problem.message:
                    continue
                size = size_of(value_at(read, problem.path))
                assert not problem.minimum <= size <= problem.maximum, (problem, size)
    assert seen >= SEEN, SEEN - seen


@pytest.mark.parametrize(
    ("request_", "path", "limits"),
    [
        (pb.ReplayGameRequest(record=record(), step_limit=1001), "step_limit", (0, 1000)),
        (pb.ValidateMovesRequest(items=[pb.ValidateMoveRequest()] * 257), "items", (0, 256)),
        (
            pb.CommitDealRequest(game_id="g", seed=b"s" * 16, hand_number=2**31),
            "hand_number",
            (1, LAST_NUMBER),
        ),
        (
            pb.ScoreHandRequest(
                rule_set=choice("saharat_400"), scores=[50, 0, 0, 0], bids=[4, 3, 3, 3], tricks=[4, 3, 3, 3]
            ),
            "bids[0]",
            (5, 13),
        ),
        (
            pb.ScoreHandRequest(
                rule_set=choice(barred_bids=rules_pb2.NumberList(numbers=[7, 8])),
                scores=[0, 0],
                contract=CONTRACT,
                tricks=[9, 4],
            ),
            "contract.tricks",
            (9, 13),
        ),
        (
            pb.ScoreHandRequest(
                rule_set=choice(revoke=rules_pb2.REVOKE_FORFEITS),
                scores=[0, 0],
                contract=CONTRACT,
                tricks=[1, 12],
                offender=cards_pb2.SEAT_WEST,
            ),
            "tricks[1]",
            (0, 11),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_ends_of_a_range(request_: Any, path: str, limits: tuple[int, int]) -> None:
    method = type(request_).__name__.removesuffix("Request")
    (problem,) = problems_of(method, request_)[1]
    assert (problem.path, problem.minimum, problem.maximum) == (path, *limits)


def resolved(overrides: rules_pb2.RuleSet, preset: str) -> list[errors_pb2.Problem]:
    rule_set = rules_pb2.RuleSetChoice(preset_id=preset, overrides=overrides)
    return list(methods.resolve_rule_set(pb.ResolveRuleSetRequest(rule_set=rule_set)).problems)


def houses() -> Iterator[tuple[str, rules_pb2.RuleSet]]:
    """House rules that hardly make sense, a few overrides each."""
    chance = random.Random("houses")
    fields = [field for field in rules_pb2.RuleSet.DESCRIPTOR.fields if field.message_type is None]
    for _ in range(3_000 * SCALE):
        overrides = rules_pb2.RuleSet()
        for field in chance.sample(fields, chance.choice((1, 1, 2, 3))):
            number = chance.choice([*range(6)] if field.enum_type else [*NUMBERS, 2**32 - 1])
            setattr(overrides, field.name, number)
        if chance.random() < 0.2:
            overrides.own_minimum.steps.add(
                from_score=chance.choice((0, 10**7)), value=chance.choice(NUMBERS)
            )
        if chance.random() < 0.2:
            overrides.total_minimum.steps.add(value=chance.choice((*NUMBERS, 53)))
        yield chance.choice(PRESET_IDS), overrides


def test_a_form_can_mend_house_rules_by_the_numbers_alone() -> None:
    """What is in a problem's range, or its remedy, is not refused there in the same words again."""
    remedies: set[str] = set()
    limits: set[str] = set()
    for preset, overrides in houses():
        for problem in resolved(overrides, preset):
            path = problem.path.removeprefix("rule_set.overrides.")
            parent, _, name = path.rpartition(".")
            if parent and not overrides.HasField(parent.split(".")[0]):  # type: ignore[arg-type]
                # A step that the preset brought; a form shows the field that does not go with it.
                continue
            wanted = {
                which: getattr(problem, which)
                for which in ("minimum", "maximum", "remedy")
                if problem.HasField(which)
            }
            if problem.reason == errors_pb2.PROBLEM_REASON_OUT_OF_RANGE:
                assert wanted.keys() == {"minimum", "maximum"}
            for which, number in wanted.items():
                mended = rules_pb2.RuleSet.FromString(overrides.SerializeToString())
                setattr(value_at(mended, parent), name, number)
                still = resolved(mended, preset)
                again = [
                    each for each in still if (each.path, each.message) == (problem.path, problem.message)
                ]
                assert not again, (problem, overrides)
                (remedies if which == "remedy" else limits).add(path)
    assert remedies >= {"target", "doubling", "fixed_trump", "minimum_bid", "first_card", "call_limit"}
    assert limits >= {"target", "maximum_bid", "own_minimum.steps[0].value", "minimum_total"}


def test_the_numbers_travel() -> None:
    problem = Problem("a", ProblemReason.OUT_OF_RANGE, "m", 0, LAST_NUMBER, -1).under("b")
    assert encode_problem(problem) == errors_pb2.Problem(
        path="b.a",
        reason=errors_pb2.PROBLEM_REASON_OUT_OF_RANGE,
        message="m",
        minimum=0,
        maximum=LAST_NUMBER,
        remedy=-1,
    )
    plain = encode_problem(Problem("a", ProblemReason.MISSING, "m"))
    assert not any(plain.HasField(name) for name in ("minimum", "maximum", "remedy"))
