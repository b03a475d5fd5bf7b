"""The tables in which vectors are stated: a row that is wrong is never written down as something else."""

import pytest

from conformance.statements.edits import edited, edits, spoilt_games
from conformance.statements.notation import lines_of
from conformance.statements.positions import at
from conformance.statements.scores import Scores
from conformance.statements.section import Disagreement, Section
from conformance.statements.tables import position_of, rows


def test_a_row_goes_on_where_a_line_is_indented_further() -> None:
    table = """
        first | one |
            two
        second |  | a : b / c
    """
    assert rows(table, 3) == [["first", "one", "two"], ["second", "", "a : b / c"]]


@pytest.mark.parametrize("row", ["a | b", "a | b | c | d", "a | b |"])
def test_a_row_with_another_number_of_columns_is_refused(row: str) -> None:
    with pytest.raises(ValueError, match="columns, not 3"):
        rows(row, 3)


def test_a_position_has_options_dealer_scores_and_moves() -> None:
    setup = position_of("classic dealer=E scores=[0,7] target=31 barred_bids=[8,9] N:7 / W:10")
    assert setup.json == {
        "rule_set": {
            "preset_id": "saharat_classic",
            "overrides": {"target": 31, "barred_bids": {"numbers": [8, 9]}},
        },
        "first_dealer": "E",
        "scores": [0, 7],
        "hands": [{"deal": "one-suit-each", "moves": ["N:7", "W:10"]}],
    }
    assert setup.referee.turn == "NWSE".index("S")


def test_a_position_may_have_several_hands() -> None:
    hands = position_of("egyptian W:P S:P E:P N:P deal S:7H").json["hands"]
    assert [hand["moves"] for hand in hands] == [["W:P S:P E:P N:P"], ["S:7H"]]


def test_a_named_position_is_not_changed_by_who_uses_it() -> None:
    named = {"here": at("saharat_classic")}
    position_of("$here W:7", named)
    assert named["here"].steps == 1


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("may 8 9 10 11 12 13", Disagreement),
        ("S:8 refused BID_TOO_LOW A1", Disagreement),
        ("S:7 goes on E", ValueError),
        ("S:8 goes on W", Disagreement),
        ("S:13 wins S 12", Disagreement),
        ("S:8 leads to game.phase=PHASE_PLAY", Disagreement),
        ("S:8 leads", ValueError),
        ("S:8 allowed", ValueError),
    ],
)
def test_what_the_oracle_or_nobody_knows_is_not_stated(what: str, wrong: type[Exception]) -> None:
    section = Section("auctions", "")
    with pytest.raises(wrong):
        section.state(f"slug | A1 | Title | classic W:7 | {what}")
    assert section.vectors == []


@pytest.mark.parametrize("points", ["9,1", "-8,4", "8,0", "9,0 won by N"])
def test_other_points_or_winners_than_the_oracles_are_not_stated(points: str) -> None:
    with pytest.raises(Disagreement, match="scoring-slug: the oracle says"):
        Scores("scoring", "").scored(f"slug | S1 | Title | classic | N:8 | 9,4 | {points}")
    with pytest.raises(Disagreement, match="scoring-slug: the oracle says"):
        Scores("scoring", "").ends(f"slug | S1 | Title | classic | N:8 | 9,4 | {points}")


def test_edits_set_and_take_away() -> None:
    assert edits("none") == []
    assert edits('hand.played[1]=15; -phase; id="a b"; seed=$zeros 3', "game.") == [
        {"set": "game.hand.played[1]", "to": 15},
        {"remove": "game.phase"},
        {"set": "game.id", "to": "a b"},
        {"set": "game.seed", "to": "AAAA"},
    ]


def test_an_edited_request_leaves_the_first_alone() -> None:
    request = {"id": "g", "deal": {"cards": [1, 2]}}
    assert edited(request, "-id; deal.cards[2]=3; more.deep=word") == {
        "deal": {"cards": [1, 2, 3]},
        "more": {"deep": "word"},
    }
    assert request == {"id": "g", "deal": {"cards": [1, 2]}}


def test_a_spoilt_game_expects_its_problems_and_no_others() -> None:
    section = Section("malformed", "")
    spoilt_games(
        section, at("saharat_classic"), "slug | C1 | Title | -phase | game.phase MISSING, game.id MISMATCH"
    )
    assert section.vectors[0]["expect"] == {
        "problems": [
            {"path": "game.phase", "reason": "MISSING"},
            {"path": "game.id", "reason": "MISMATCH"},
        ]
    }


def test_whether_a_contract_is_made_follows_from_the_tricks() -> None:
    north, _ = lines_of("N:8", [8, 5], [8, 0])
    assert north == {"team": "TEAM_NORTH_SOUTH", "bid": 8, "tricks": 8, "points": 8, "made": True}
    assert lines_of("N:8", [7, 6], [-8, 6])[0]["made"] is False
    assert lines_of("N:8", [8, 5], [-8, 13], made=False)[0]["made"] is False
    assert "made" not in lines_of("none", [8, 5], [8, 0])[0]
