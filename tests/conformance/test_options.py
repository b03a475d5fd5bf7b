"""Every option of a rule set, in play: some vector fails when it alone is changed."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor

from conformance import runner
from tarneeb.v1 import rules_pb2, tarneeb_service_pb2
from tests.conformance.test_vectors import CASES, in_process

FIELDS = list(rules_pb2.RuleSet.DESCRIPTOR.fields)
# What no one change can replace, since other fields must change with it: being played is enough.
CHANGE_WITH_OTHERS = ("auction", "trump")
# Another value of what is no enum; the first that makes sense is taken.
OTHERS: dict[str, list[Any]] = {
    "minimum_bid": [8, 6, 3],
    "maximum_bid": [12, 8],
    "minimum_total": [10, 14],
    "target": [1, 1_000_000],
    "failed_slam_trick_factor": [1, 2],
    "barred_bids": [{}, {"numbers": [8]}],
    "own_minimum": [{}],
    "total_minimum": [{}],
    "bid_values": [{}],
}
POINTS = [1, 999]


def choice_of(vector: dict[str, Any]) -> dict[str, Any] | None:
    """The rule set that a vector deals, plays, scores or replays by; none when it only resolves one."""
    setup, request, rpc = vector.get("setup", {}), vector.get("request", {}), vector["rpc"]
    record = request.get("record", {})
    found: dict[str, Any] | None = None
    if setup.get("hands") or (setup and rpc == "DealHand"):
        found = setup["rule_set"]
    elif rpc == "ScoreHand":
        found = request.get("rule_set")
    elif rpc == "ReplayGame" and record.get("hands"):
        found = record.get("rule_set")
    return found


def copied(value: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(value))
    return found


@cache
def resolved(choice: str) -> Any:
    """The full rule set of a choice as JSON; none when it makes no sense."""
    request = json_format.ParseDict(
        {"rule_set": json.loads(choice)}, tarneeb_service_pb2.ResolveRuleSetRequest()
    )
    answer = in_process("ResolveRuleSet", request.SerializeToString())
    assert isinstance(answer, bytes)
    response = tarneeb_service_pb2.ResolveRuleSetResponse.FromString(answer)
    return json_format.MessageToDict(response, preserving_proto_field_name=True).get("rules")


def played_by(choice: dict[str, Any]) -> Any:
    return resolved(json.dumps(choice))


def played() -> Iterator[tuple[dict[str, Any], dict[str, Any], Any]]:
    """The vectors that play something, with the deals of their files and their rules in full."""
    for vector, deals in (case.values for case in CASES):
        choice = choice_of(vector)
        rules = choice and played_by(choice)
        # One that compares a whole rule set would notice any change, and shows nothing.
        if rules and '"rules": {' not in json.dumps(vector["expect"]):
            yield vector, deals, rules


PLAYED = list(played())


def notices(vector: dict[str, Any], deals: dict[str, Any], name: str, value: Any) -> bool:
    changed = copied(vector)
    choice = choice_of(changed)
    assert choice is not None
    choice["overrides"] = {**choice.get("overrides", {}), name: value}
    return played_by(choice) is not None and runner.run(in_process, changed, deals) != []


def others_of(field: FieldDescriptor, now: Any) -> list[Any]:
    if field.enum_type is not None:
        return [value.name for value in field.enum_type.values if value.number and value.name != now]
    return [value for value in OTHERS.get(field.name, POINTS) if value != now]


def is_shown(field: FieldDescriptor, value: Any) -> bool:
    """Whether some vector that is played with this value fails with every other way to play it that makes sense."""
    # The likely ones first, to be done soon.
    likely = sorted(PLAYED, key=lambda one: f'"{field.name}"' not in json.dumps(one[0]))
    return any(
        notices(vector, deals, field.name, other)
        for vector, deals, rules in likely
        if value is None or rules[field.name] == value
        for other in others_of(field, rules[field.name])
    )


@pytest.mark.parametrize("name", [field.name for field in FIELDS])
def test_every_option_is_played(name: str) -> None:
    field = rules_pb2.RuleSet.DESCRIPTOR.fields_by_name[name]
    if field.enum_type is None:
        assert is_shown(field, None)
        return
    values = [value.name for value in field.enum_type.values if value.number]
    used = {rules[name] for _, _, rules in PLAYED}
    assert [value for value in values if value not in used] == []
    if name not in CHANGE_WITH_OTHERS:
        assert [value for value in values if not is_shown(field, value)] == []


def test_a_rule_set_that_is_only_resolved_is_not_played() -> None:
    vector = {"rpc": "ResolveRuleSet", "request": {"rule_set": {"preset_id": "saharat_400"}}}
    assert choice_of(vector) is None
