"""Every reason to refuse: that it is reached, its rule, its sentence and its parameters; and their order."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tarneeb_service.engine import game
from tarneeb_service.engine.cards import CARD_TEXT, SPADES
from tarneeb_service.engine.moves import Move, PlayCard
from tarneeb_service.engine.rules import Doubling, FirstCard, Revoke
from tarneeb_service.engine.state import InPlay, Phase, State
from tarneeb_service.engine.verdicts import RefusalReason, Ruling, Verdict
from tests.engine import test_refusals_auction
from tests.engine.refusal_cases import assert_verdict, auction, case, north_plays
from tests.positions import NORTH, SOUTH, WEST, card, cards, make, move_of, new_game, play_hand


@cache
def finished() -> State:
    state = new_game("tarneeb_wikipedia", scores=(40, 0), revision=7)
    return play_hand(state, "1:P 2:7 3:P 0:P", [4, 3, 3, 3])


CASES = [
    case("call", finished(), "0:P", "GAME_OVER W1 The game is over: start a new one."),
    case("card", finished(), "1:SA", "GAME_OVER W1 The game is over: start a new one."),
    case(
        "older",
        auction("saharat_classic"),
        "1:P",
        "STALE_REVISION P1 The move was made for revision 7, the game is at 8: look again and decide anew.",
        made_for=7,
        game_revision=8,
    ),
    case(
        "newer",
        auction("saharat_classic"),
        "1:P",
        "STALE_REVISION P1 The move was made for revision 9, the game is at 8: look again and decide anew.",
        made_for=9,
        game_revision=8,
    ),
    case(
        "no deal",
        new_game("saharat_classic"),
        "1:P",
        "WRONG_PHASE P2 The game waits for the next deal.",
        phase=Phase.AWAITING_DEAL,
    ),
    case(
        "auction",
        auction("saharat_classic"),
        "1:SA",
        "WRONG_PHASE P2 The game waits for a call.",
        phase=Phase.AUCTION,
    ),
    case(
        "naming",
        auction("saharat_classic", "1:7 2:P 3:P 0:P"),
        "1:SA",
        "WRONG_PHASE P2 The game waits for the declarer to name trump.",
        phase=Phase.NAMING_TRUMP,
    ),
    case("play", north_plays(), "0:P", "WRONG_PHASE P2 The game waits for a card.", phase=Phase.PLAY),
    case(
        "bid",
        auction("saharat_classic", "1:P 2:7 3:8"),
        "1:9",
        "ALREADY_PASSED A2 West has passed and is out of this auction; it is North's turn.",
        seat_to_act=NORTH,
    ),
    case(
        "doubled before",
        auction("saharat_classic", "1:7 2:X 3:8", doubling=Doubling.ANYONE),
        "2:P",
        "ALREADY_PASSED A2 South has passed and is out of this auction; it is North's turn.",
        seat_to_act=NORTH,
    ),
    case(
        "partner",
        auction("saharat_classic", "1:P 2:P 3:P 0:7"),
        "2:=H",
        "NOT_DECLARER A7 North won the auction and names trump, not South.",
        seat_to_act=NORTH,
    ),
    case(
        "call",
        auction("saharat_classic"),
        "0:7",
        "OUT_OF_TURN C2 It is West's turn, not North's.",
        seat_to_act=WEST,
    ),
    case("card", north_plays(), "2:D2", "OUT_OF_TURN C2 It is North's turn, not South's.", seat_to_act=NORTH),
    case(
        "open pass",
        auction("jawaker_egyptian", "1:P"),
        "1:7S",
        "OUT_OF_TURN C2 It is South's turn, not West's.",
        seat_to_act=SOUTH,
    ),
    case(
        "no-trump",
        auction("saharat_classic", "1:7 2:P 3:P 0:P"),
        "1:=N",
        "TRUMP_NOT_A_SUIT A7 Trump must be a suit: clubs, diamonds, hearts or spades.",
    ),
    case(
        "another's",
        north_plays(),
        "0:SA",
        "CARD_NOT_HELD C1 North does not hold SA: play a legal card from the holding.",
    ),
    case(
        "played before",
        make(north_plays(), "0:SK 1:SA 2:D2 3:C3 1:H3 2:D3 3:HA 0:H2 3:C4"),
        "0:SK",
        "CARD_NOT_HELD C1 North does not hold SK: play a legal card from the holding.",
    ),
    case(
        "refused",
        make(north_plays(), "0:SK"),
        "1:H3",
        "MUST_FOLLOW_SUIT C5 West must follow spades: holds S9 SA.",
        led_suit=SPADES,
        playable_cards=cards("S9 SA"),
    ),
    case(
        "forfeits",
        make(north_plays(revoke=Revoke.FORFEITS), "0:SK"),
        "1:H3",
        "MUST_FOLLOW_SUIT R2 West did not follow spades although holding S9 SA: the hand is lost.",
        ruling=Ruling.FORFEITS,
        led_suit=SPADES,
        playable_cards=cards("S9 SA"),
    ),
    case(
        "option",
        north_plays(first_card=FirstCard.TRUMP),
        "0:SK",
        "MUST_LEAD_TRUMP T6 North must lead hearts, the trump suit: holds H2.",
        playable_cards=(card("H2"),),
        trump=3,
    ),
]


@pytest.mark.parametrize(("state", "move", "made_for", "expected"), CASES)
def test_refusal(state: State, move: Move, made_for: int | None, expected: Verdict) -> None:
    assert_verdict(state, move, made_for, expected)


def all_cases() -> list[Verdict]:
    return [case.values[3] for case in (*CASES, *test_refusals_auction.CASES)]


def test_every_reason_is_reached() -> None:
    assert {verdict.reason for verdict in all_cases()} == set(RefusalReason)


def test_the_documents_table_is_the_truth() -> None:
    """Order, rules and examples in docs/errors.md are those of the engine."""
    text = (Path(__file__).parents[2] / "docs" / "errors.md").read_text("utf-8")
    rows = [
        [cell.strip(" `") for cell in row.split("|")[1:-1]] for row in text.splitlines() if row[:1] == "|"
    ]
    refusals = [row for row in rows if row[0] in RefusalReason.__members__ and len(row) == 4 and row[3]]
    assert [row[0] for row in refusals] == [reason.name for reason in RefusalReason]
    for name, rules, parameters, example in refusals:
        found = [verdict for verdict in all_cases() if verdict.reason is RefusalReason[name]]
        assert {verdict.rule_id for verdict in found} == set(rules.split(", ")), name
        named = set(re.findall(r"\w+", parameters))
        set_fields = {
            field
            for verdict in found
            for field in Verdict.__dataclass_fields__
            if field not in ("ruling", "reason", "rule_id", "message")
            and getattr(verdict, field) not in (None, ())
            # Seat 0 equals it.
            and getattr(verdict, field) is not False
        }
        assert set_fields == named, name
        shapes = {shape(verdict.message) for verdict in found}
        assert shape(example) in shapes, name


def shape(sentence: str) -> str:
    """A sentence without its seats, numbers, suits and cards."""
    sentence = re.sub(r"\b(North|West|South|East)\b", "Seat", sentence)
    sentence = re.sub(r"(\b[CDHS][2-9TJQKA]\b ?)+", "cards ", sentence)
    return (
        re.sub(r"\d+(NT|[CDHS])?|clubs|diamonds|hearts|spades", "x", sentence)
        .replace(" :", ":")
        .replace(" .", ".")
    )


# Each move has the reason it is listed with and, but for the last ones, one that comes later in the order.
ORDER = [
    pytest.param(finished, "0:P", 3, "GAME_OVER", id="game over before stale"),
    pytest.param(lambda: auction("saharat_classic"), "0:SA", 3, "STALE_REVISION", id="stale before phase"),
    pytest.param(lambda: auction("saharat_classic"), "0:SA", None, "WRONG_PHASE", id="phase before turn"),
    pytest.param(
        lambda: auction("saharat_classic", "1:P 2:7 3:8"),
        "1:7S",
        None,
        "ALREADY_PASSED",
        id="passed before turn and strain",
    ),
    pytest.param(
        lambda: auction("saharat_classic", "1:7 2:P 3:P 0:P"),
        "0:=N",
        None,
        "NOT_DECLARER",
        id="declarer before trump",
    ),
    pytest.param(
        lambda: auction("saharat_400"), "2:P", None, "OUT_OF_TURN", id="turn before pass not allowed"
    ),
    pytest.param(
        lambda: auction("jawaker_egyptian"), "1:14", None, "STRAIN_MISSING", id="strain before range"
    ),
    pytest.param(lambda: auction("mulouk_41"), "1:6H", None, "STRAIN_NOT_ALLOWED", id="strain before barred"),
    pytest.param(
        lambda: auction("saharat_classic", "1:9", barred_bids=(8,), minimum_bid=8),
        "2:7",
        None,
        "BID_OUT_OF_RANGE",
        id="range before too low",
    ),
    pytest.param(
        lambda: auction("saharat_classic", "1:9", barred_bids=(8,)),
        "2:8",
        None,
        "BID_BARRED",
        id="barred before too low",
    ),
    pytest.param(
        lambda: auction("jawaker_egyptian", "1:7S 2:X 3:P 0:P"),
        "1:X",
        None,
        "OWN_BID",
        id="own bid before doubled",
    ),
    pytest.param(lambda: make(north_plays(), "0:SK"), "2:SK", None, "OUT_OF_TURN", id="turn before held"),
    pytest.param(lambda: make(north_plays(), "0:SK"), "1:D2", None, "CARD_NOT_HELD", id="held before follow"),
    pytest.param(
        lambda: north_plays(first_card=FirstCard.TRUMP),
        "0:D2",
        None,
        "CARD_NOT_HELD",
        id="held before trump lead",
    ),
]


@pytest.mark.parametrize(("state", "move", "made_for", "reason"), ORDER)
def test_the_first_reason_is_given(
    state: Callable[[], State], move: str, made_for: int | None, reason: str
) -> None:
    assert game.judge(state(), move_of(move), made_for).reason is RefusalReason[reason]


def test_a_card_not_held_tells_nothing_of_who_holds_it() -> None:
    state = make(north_plays(), "0:SK 1:SA 2:D2 3:C3")
    assert isinstance(state, InPlay)
    held = state.play.holdings[WEST]
    sentences = set()
    for value, text in CARD_TEXT.items():
        if not held >> value & 1:
            verdict = game.judge(state, PlayCard(WEST, value))
            sentences.add(verdict.message.replace(text, "XX"))
            assert verdict == Verdict(Ruling.REFUSED, RefusalReason.CARD_NOT_HELD, "C1", verdict.message)
    assert sentences == {"West does not hold XX: play a legal card from the holding."}
