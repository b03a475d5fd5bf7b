"""Every rule and every ruling on an open point is shown by a test, and every rule cited is in docs/rules.md."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tarneeb_service.engine.rules import NEUTRAL

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ENGINE = ROOT / "src" / "tarneeb_service" / "engine"

RULE_IDS = [
    *(f"C{number}" for number in range(1, 10)),
    *(f"A{number}" for number in range(1, 17)),
    *(f"T{number}" for number in range(1, 7)),
    *(f"S{number}" for number in range(1, 13)),
    *(f"W{number}" for number in range(1, 7)),
    *("R1", "R2", "E1", "P1", "P2"),
]
# Rules on which the documents are silent or read two ways, or that a document has as a variant: the option
# that says otherwise, and its field.
OPTIONS = {
    "dealer_after_scored": "C3",
    "deal_order": "C4",
    "past_tricks": "C7",
    "passing": "A2",
    "slam_bid": "A4",
    "dealer_after_all_pass": "A6",
    "all_pass": "A6",
    "raised_double": "A10",
    "doubled_result": "A10",
    "doubling": "A11",
    "dealer_after_low_total": "A15",
    "first_card": "T6",
    "opening_lead": "T6",
    "slam_defence_sweep": "S6",
    "failed_slam_trick_factor": "S8",
    "defenders_score": "S8",
    "sweep_points": "S9",
    "bid_values": "S11",
    "sweep_wins": "W3",
    "win_floor": "W4",
    "tie_break": "W6",
    "revoke": "R2",
}


@cache
def sources_by_rule() -> dict[str, dict[str, str]]:
    """The source of each test by name, by the rules its marker names."""
    found: dict[str, dict[str, str]] = {}
    for path in HERE.glob("test_*.py"):
        text = path.read_text("utf-8")
        rows = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    for rule in mark.args:
                        assert isinstance(rule, ast.Constant)
                        source = "\n".join(rows[node.lineno - 1 : node.end_lineno])
                        found.setdefault(str(rule.value), {})[node.name] = source
    return found


def documented() -> set[str]:
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    return set(re.findall(r"^(?:#+|[-*])\s+\*\*([A-Z]\d+)\*\*", text, re.MULTILINE))


def test_every_rule_is_named_by_a_test() -> None:
    assert sorted(set(RULE_IDS) ^ set(sources_by_rule())) == []


def test_every_rule_is_documented_and_no_other() -> None:
    assert sorted(set(RULE_IDS) ^ documented()) == []


@pytest.mark.parametrize(("field", "rule"), OPTIONS.items())
def test_every_open_ruling_has_a_test_of_its_option(field: str, rule: str) -> None:
    assert hasattr(NEUTRAL, field)
    sources = sources_by_rule()[rule]
    enum = field.title().replace("_", "") + "."
    names = [name for name, source in sources.items() if field in source or enum in source]
    assert names, f"no test of {rule} uses {field}"


def test_every_rule_that_a_refusal_cites_is_documented() -> None:
    cited = set()
    for name in ("verdicts.py", "auction.py", "play.py", "game.py"):
        for node in ast.walk(ast.parse((ENGINE / name).read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                cited |= set(re.findall(r"^[A-Z]\d{1,2}$", node.value))
    assert {"W1", "P1", "P2", "C1", "C2", "C5", "R2", "A1", "A13", "T6"} <= cited
    assert sorted(cited - documented()) == []
