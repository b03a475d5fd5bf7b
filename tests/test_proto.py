"""The contract: linted, generated afresh, and the same numbers and names as in the engine."""

import re
import shutil
import subprocess
import sys
from enum import IntEnum
from pathlib import Path

import pytest

from tarneeb.v1 import cards_pb2, errors_pb2, game_pb2, moves_pb2, rules_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import cards, problems, rules, seats, shuffle, snapshot, state, verdicts
from tarneeb_service.engine.check_parts import MOST_SCORE
from tarneeb_service.engine.rule_checks import MOST_ENTRIES, MOST_POINTS, MOST_TARGET
from tarneeb_service.engine.rules import FIELD_NAMES, NEUTRAL
from tarneeb_service.engine.state import LAST_NUMBER as LAST
from tarneeb_service.rpc.methods import MOST_DETAILED_STEPS, MOST_ITEMS
from tarneeb_service.rpc.score_pad import MOST_BEFORE_REVOKE
from tarneeb_service.wire.problems import LONGEST_TEXT, MOST_SHOWN
from tarneeb_service.wire.records import MOST_RECORDED_HANDS, MOST_RECORDED_MOVES
from tests.rpc.samples import METHODS, function_of

ROOT = Path(__file__).parent.parent

ENUMS = [
    (rules_pb2.Auction, rules.Auction),
    (rules_pb2.Passing, rules.Passing),
    (rules_pb2.CallLimit, rules.CallLimit),
    (rules_pb2.SlamBid, rules.SlamBid),
    (rules_pb2.AllPass, rules.AllPass),
    (rules_pb2.Doubling, rules.Doubling),
    (rules_pb2.RaisedDouble, rules.RaisedDouble),
    (rules_pb2.Trump, rules.Trump),
    (rules_pb2.OpeningLead, rules.OpeningLead),
    (rules_pb2.FirstCard, rules.FirstCard),
    (rules_pb2.DealOrder, rules.DealOrder),
    (rules_pb2.Cut, rules.Cut),
    (rules_pb2.NextDealer, rules.NextDealer),
    (rules_pb2.SlamDefenceSweep, rules.SlamDefenceSweep),
    (rules_pb2.DefendersScore, rules.DefendersScore),
    (rules_pb2.DoubledResult, rules.DoubledResult),
    (rules_pb2.SweepWins, rules.SweepWins),
    (rules_pb2.WinFloor, rules.WinFloor),
    (rules_pb2.TieBreak, rules.TieBreak),
    (rules_pb2.Revoke, rules.Revoke),
    (rules_pb2.PastTricks, rules.PastTricks),
    (rules_pb2.Reveal, rules.Reveal),
    (game_pb2.Phase, state.Phase),
    (game_pb2.HandEnd, state.HandEnd),
    (game_pb2.WinReason, state.WinReason),
    (verdicts_pb2.Ruling, verdicts.Ruling),
    (verdicts_pb2.RefusalReason, verdicts.RefusalReason),
    (errors_pb2.ProblemReason, problems.ProblemReason),
]


def prefix(name: str) -> str:
    """SCREAMING_SNAKE of an enum's name, as buf wants its values to begin."""
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in name).lstrip("_") + "_"


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_buf_lint() -> None:
    buf = shutil.which("buf", path=str(Path(sys.executable).parent)) or shutil.which("buf")
    if buf is None:
        pytest.skip("buf is not installed")
    run(buf, "lint")


def test_generated_code_is_fresh() -> None:
    run(sys.executable, "-m", "tools.generate", "--check")


@pytest.mark.parametrize(("message", "engine"), ENUMS, ids=lambda enum: getattr(enum, "__name__", "proto"))
def test_enums_have_the_same_names_and_numbers(message: object, engine: type[IntEnum]) -> None:
    descriptor = message.DESCRIPTOR  # type: ignore[attr-defined]
    assert descriptor.name == engine.__name__
    start = prefix(descriptor.name)
    values = {value.name.removeprefix(start): value.number for value in descriptor.values}
    assert values.pop("UNSPECIFIED") == 0
    assert values == {member.name: member.value for member in engine}


def test_every_enum_of_a_rule_is_compared() -> None:
    compared = {descriptor.DESCRIPTOR.name for descriptor, _ in ENUMS}
    named = {field.enum_type.name for field in rules_pb2.RuleSet.DESCRIPTOR.fields if field.enum_type}
    assert named - compared == {"Strain"}


def test_rule_sets_have_the_same_fields_in_the_same_order() -> None:
    fields = rules_pb2.RuleSet.DESCRIPTOR.fields
    assert tuple(field.name for field in fields) == FIELD_NAMES
    for field in fields:
        neutral = getattr(NEUTRAL, field.name)
        assert field.has_presence
        assert (field.enum_type is not None) == (isinstance(neutral, IntEnum) or field.name == "fixed_trump")
        if isinstance(neutral, IntEnum):
            assert field.enum_type is not None
            assert field.enum_type.name == type(neutral).__name__


def test_cards_suits_strains_and_seats() -> None:
    ranks = [
        "TWO",
        "THREE",
        "FOUR",
        "FIVE",
        "SIX",
        "SEVEN",
        "EIGHT",
        "NINE",
        "TEN",
        "JACK",
        "QUEEN",
        "KING",
        "ACE",
    ]
    suits = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
    expected = {
        f"CARD_{suit}_{rank}": 16 * (1 + suits.index(suit)) + 2 + ranks.index(rank)
        for suit in suits
        for rank in ranks
    }
    assert dict(cards_pb2.Card.items()) == {"CARD_UNSPECIFIED": 0, **expected}
    assert sorted(expected.values()) == sorted(cards.DECK)
    for name, value in expected.items():
        _, suit, rank = name.split("_")
        assert cards.CARD_TEXT[value] == suit[0] + "23456789TJQKA"[ranks.index(rank)]
    assert [name.removeprefix("SUIT_").lower() for name in cards_pb2.Suit.keys()[1:]] == list(
        cards.STRAIN_NAMES[1:5]
    )
    assert [
        name.removeprefix("STRAIN_").lower().replace("_", "-") for name in cards_pb2.Strain.keys()[1:]
    ] == list(cards.STRAIN_NAMES[1:])
    assert cards_pb2.Strain.values()[1:] == list(cards.STRAINS)
    assert [name.removeprefix("SEAT_").title() for name in cards_pb2.Seat.keys()[1:]] == list(
        seats.SEAT_NAMES
    )
    assert cards_pb2.Team.values() == [0, 1, 2]
    assert dict(moves_pb2.CallKind.items()) == {
        "CALL_KIND_UNSPECIFIED": 0,
        "CALL_KIND_BID": snapshot.BID,
        "CALL_KIND_PASS": snapshot.PASS,
        "CALL_KIND_DOUBLE": snapshot.DOUBLE,
    }


def test_every_method_is_free_of_side_effects_and_has_a_function() -> None:
    for method in pb.DESCRIPTOR.services_by_name["TarneebService"].methods:
        assert method.GetOptions().idempotency_level == 1
        assert not method.client_streaming
        assert not method.server_streaming
        assert method.input_type.name == f"{method.name}Request"
        assert method.output_type.name == f"{method.name}Response"
    assert all(callable(function_of(method)) for method in METHODS)


def test_every_enum_begins_with_unspecified() -> None:
    for file in (pb, cards_pb2, errors_pb2, game_pb2, moves_pb2, rules_pb2, verdicts_pb2):
        for enum in file.DESCRIPTOR.enum_types_by_name.values():
            assert enum.values[0].number == 0
            assert enum.values[0].name == f"{prefix(enum.name)}UNSPECIFIED"


def test_a_bare_protoc_works_in_every_language() -> None:
    """The options that buf's managed mode would set, so that nobody needs it."""
    files = sorted((ROOT / "proto").rglob("*.proto"))
    assert files
    for path in files:
        name = path.stem.title().replace("_", "")
        text = path.read_text("utf-8")
        for option in (
            'csharp_namespace = "Tarneeb.V1"',
            'go_package = "tarneeb/v1;tarneebv1"',
            "java_multiple_files = true",
            f'java_outer_classname = "{name}Proto"',
            'java_package = "com.tarneeb.v1"',
            'objc_class_prefix = "TXX"',
            'php_metadata_namespace = "Tarneeb\\\\V1\\\\GPBMetadata"',
            'php_namespace = "Tarneeb\\\\V1"',
            'ruby_package = "Tarneeb::V1"',
        ):
            assert f"option {option};" in text, (path.name, option)


# What the comments say of the code's limits, in the words of each file.
STATED = {
    "cards.proto": [],
    "errors.proto": [f"first {MOST_SHOWN} problems"],
    "events.proto": [f"1 to {LAST}"],
    "game.proto": [
        f"1 to {LONGEST_TEXT} bytes",
        f"at most {LONGEST_TEXT} bytes",
        f"up to {LAST}",
        f"from -{MOST_SCORE} to {MOST_SCORE}",
        f"below zero for a loss: -{2 * MOST_POINTS} to {2 * MOST_POINTS}",
    ],
    "moves.proto": [f"0 to {LAST}"],
    "records.proto": [
        f"1 to {LONGEST_TEXT} bytes",
        f"at most {MOST_RECORDED_HANDS}, with at most {MOST_RECORDED_MOVES} moves in all",
        f"{shuffle.SHORTEST_SEED} to {shuffle.LONGEST_SEED} random bytes",
        f"{shuffle.COMMITMENT_SIZE} bytes",
        f"up to {shuffle.LONGEST_CUT} bytes",
    ],
    "rules.proto": [
        f"1 to {MOST_TARGET}",
        f"-{MOST_TARGET} to {MOST_TARGET}",
        f"0 to {MOST_POINTS}",
        f"At most {MOST_ENTRIES} numbers",
        f"At most {MOST_ENTRIES} steps",
        f"At most {MOST_ENTRIES} entries",
        f"0 to {rules.SLAM} in `own_minimum`, 0 to {4 * rules.SLAM} in `total_minimum`",
    ],
    "tarneeb_service.proto": [
        f"1 to {LONGEST_TEXT} bytes",
        f"1 to {LAST}",
        f"from -{MOST_SCORE} to {MOST_SCORE}",
        f"at most {MOST_ITEMS}, or fewer",
        f"1 to {MOST_DETAILED_STEPS}. Zero: {MOST_DETAILED_STEPS}",
        f"The first {MOST_SHOWN} problems",
        f"at most {MOST_BEFORE_REVOKE} for the offender's",
        f"{shuffle.SHORTEST_SEED} to {shuffle.LONGEST_SEED} random bytes",
        f"{shuffle.COMMITMENT_SIZE} bytes",
    ],
    "verdicts.proto": [f"0 to {LAST}"],
    "views.proto": [f"1 to {LONGEST_TEXT} bytes", f"0 to {LAST}"],
}


@pytest.mark.parametrize("path", sorted((ROOT / "proto").rglob("*.proto")), ids=lambda path: path.name)
def test_the_comments_state_the_limits_of_the_code(path: Path) -> None:
    comments = " ".join(re.findall(r"^ *// ?(.*)$", path.read_text("utf-8"), re.MULTILINE))
    for words in STATED[path.name]:
        assert words in comments, words
    # And no other number that is as large, so that none is left behind when a limit moves.
    stated = set(re.findall(r"\d{2,}", " ".join(STATED[path.name])))
    small = {str(number) for number in range(10, 17)} | {"52"}
    assert set(re.findall(r"(?<![A-Z\d_])\d{2,}", comments)) <= stated | small
