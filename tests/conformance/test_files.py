"""The vector files: what they say passes their schema, covers the contract, and is what the tool writes."""

import json
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema

from conformance import runner
from tarneeb.v1 import errors_pb2, verdicts_pb2
from tests.oracle.rule_sets import RULE_SETS

FILES = runner.files()
VECTORS: list[dict[str, Any]] = [vector for path in FILES for vector in runner.load(path)["vectors"]]
ROOT = Path(__file__).resolve().parents[2]
# Reasons that no request of a vector can bring about, and why.
NOT_A_REQUEST = {"UNSPECIFIED"}


def test_every_file_passes_the_schema() -> None:
    schema = json.loads((runner.HERE / "schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in FILES:
        errors = [
            f"{path.name}: {error.json_path}: {error.message[:200]}"
            for error in validator.iter_errors(runner.load(path))
        ]
        assert errors == []


def test_files_are_sections_and_ids_are_their_own() -> None:
    for path in FILES:
        document = runner.load(path)
        assert document["section"] == path.stem
        assert all(vector["id"].startswith(f"{path.stem}-") for vector in document["vectors"])
    ids = [vector["id"] for vector in VECTORS]
    assert len(ids) == len(set(ids))
    assert len(ids) >= 300


def test_deals_are_decks_and_all_are_used() -> None:
    for path in FILES:
        document = runner.load(path)
        used = {
            hand["deal"]
            for vector in document["vectors"]
            for hand in vector.get("setup", {}).get("hands", ())
            if isinstance(hand["deal"], str)
        }
        assert used == set(document.get("deals", {}))
        for holdings in document.get("deals", {}).values():
            assert [len(holdings[seat].split()) for seat in "NWSE"] == [13] * 4
            assert len({card for cards in holdings.values() for card in cards.split()}) == 52


def test_every_preset_and_method() -> None:
    text = json.dumps(VECTORS)
    assert {preset for preset in RULE_SETS if f'"{preset}"' not in text} == set()
    for preset in RULE_SETS:
        # Not only its rules: some game of it is dealt, played or scored.
        assert any(
            f'"{preset}"' in json.dumps(vector)
            for vector in VECTORS
            if vector["rpc"] in ("ApplyMove", "ScoreHand")
        )
    assert {vector["rpc"] for vector in VECTORS} == set(runner.SERVICE.methods_by_name)


def test_every_refusal_reason() -> None:
    text = json.dumps([vector["expect"] for vector in VECTORS])
    names = set(verdicts_pb2.RefusalReason.keys()) - {"REFUSAL_REASON_UNSPECIFIED"}
    assert {name for name in names if f'"{name}"' not in text} == set()


def problem_reasons(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("path"), str) and isinstance(value.get("reason"), str):
            yield value["reason"]
        yield from (reason for item in value.values() for reason in problem_reasons(item))
    elif isinstance(value, list):
        yield from (reason for item in value for reason in problem_reasons(item))


def test_every_problem_reason() -> None:
    shown = set(problem_reasons([vector["expect"] for vector in VECTORS]))
    names = {name.removeprefix("PROBLEM_REASON_") for name in errors_pb2.ProblemReason.keys()}  # noqa: SIM118  # no dict
    assert names - NOT_A_REQUEST == shown


RULES = set(
    re.findall(r"^- \*\*([A-Z]\d+)\*\*", (ROOT / "docs" / "rules.md").read_text("utf-8"), re.MULTILINE)
)


def test_every_rule() -> None:
    shown = {rule for vector in VECTORS for rule in vector.get("rules", ())}
    assert shown <= RULES
    # Signals are in no message (C9), and seats are given up between games (E1).
    assert RULES - shown == {"C9", "E1"}


def test_the_schema_takes_the_rules_that_there_are_and_no_others() -> None:
    schema = json.loads((runner.HERE / "schema.json").read_text("utf-8"))
    pattern = schema["$defs"]["vector"]["properties"]["rules"]["items"]["pattern"]
    tried = {f"{letter}{number}" for letter in string.ascii_uppercase for number in ["", *range(100), "01"]}
    assert {name for name in tried if re.search(pattern, name)} == RULES


def rule_ids(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key.split(".")[-1] == "rule_id":
                yield item
            yield from rule_ids(item)
    elif isinstance(value, list):
        yield from (rule for item in value for rule in rule_ids(item))


def test_refusals_name_rules_that_there_are() -> None:
    named = set(rule_ids([vector["expect"] for vector in VECTORS]))
    assert len(named) > 10
    assert named <= RULES


def test_every_recorded_case() -> None:
    rows = re.findall(
        r"^\| (C\d+) \| .* \| (.*) \|$", (runner.HERE / "cases.md").read_text("utf-8"), re.MULTILINE
    )
    by_case = dict(rows)
    assert len(rows) == len(by_case) > 90
    shown = {case for vector in VECTORS for case in vector.get("cases", ())}
    assert shown == {case for case, where in rows if where.split("; ")[0] == "vectors"}
    assert all(where for where in by_case.values())


def test_the_tests_that_cases_name_are_there_and_name_the_case() -> None:
    text = (runner.HERE / "cases.md").read_text("utf-8")
    rows = re.findall(r"^\| (C\d+) \| .* \| vectors; (\S+) \|$", text, re.MULTILINE)
    assert len(rows) == text.count("vectors; ") > 0
    for case, path in rows:
        # As C28, or in the name of a test.
        assert re.search(rf"\b{case}\b|def test_{case.lower()}_", (ROOT / path).read_text("utf-8")), case


def test_the_tool_writes_these_files() -> None:
    command = [sys.executable, "-m", "conformance.statements", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_titles_are_lines() -> None:
    titles = [vector["title"] for vector in VECTORS]
    assert [title for title in titles if len(title) > 110 or title.endswith(".")] == []
