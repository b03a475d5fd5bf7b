"""The sentences of clients/words say every refusal, with places that every client knows."""

import json
import re
import unicodedata
from pathlib import Path

import pytest

from program.words import Words
from tarneeb.v1.cards_pb2 import (
    CARD_CLUBS_TWO,
    CARD_SPADES_ACE,
    CARD_SPADES_TWO,
    SEAT_NORTH,
    SEAT_WEST,
    STRAIN_CLUBS,
    STRAIN_NO_TRUMP,
    SUIT_SPADES,
)
from tarneeb.v1.moves_pb2 import CALL_KIND_BID, Call, Move
from tarneeb.v1.verdicts_pb2 import (
    REFUSAL_REASON_BID_TOO_LOW,
    REFUSAL_REASON_MUST_FOLLOW_SUIT,
    REFUSAL_REASON_STALE_REVISION,
    BidLimit,
    RefusalReason,
    Verdict,
)

CLIENTS = Path(__file__).parents[2] / "clients"
PATHS = sorted((CLIENTS / "words").glob("*.json"))
# What a verdict always has beside the move; clients/PROGRAM.md has the others.
ALWAYS = {
    "STALE_REVISION": {"game_revision"},
    "WRONG_PHASE": {"phase"},
    "ALREADY_PASSED": {"seat_to_act"},
    "NOT_DECLARER": {"seat_to_act"},
    "OUT_OF_TURN": {"seat_to_act"},
    "STRAIN_MISSING": {"bid"},
    "STRAIN_NOT_ALLOWED": {"bid"},
    "BID_OUT_OF_RANGE": {"bid", "highest_bid"},
    "BID_BARRED": {"bid", "barred_bids"},
    "OWN_BID": {"bid_holder"},
    "CARD_NOT_HELD": {"card"},
    "MUST_FOLLOW_SUIT": {"card", "led_suit", "playable_cards"},
    "MUST_LEAD_TRUMP": {"card", "trump", "playable_cards"},
}


def table(path: Path) -> dict[str, dict[str, list[str]]]:
    document: dict[str, dict[str, list[str]]] = json.loads(path.read_text("utf-8"))
    return document


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_reason_can_be_said_whatever_the_verdict_lacks(path: Path) -> None:
    sentences = table(path)["refusals"]
    assert set(sentences) == {
        name.removeprefix("REFUSAL_REASON_")
        for name in RefusalReason.keys()  # noqa: SIM118
    } - {"UNSPECIFIED"}
    for reason, several in sentences.items():
        assert set(re.findall(r"{(\w+)}", several[-1])) <= ALWAYS.get(reason, set()) | {"seat"}, reason


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_place_is_in_the_list_of_places(path: Path) -> None:
    page = (CLIENTS / "PROGRAM.md").read_text("utf-8").partition("\n## Arabic\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    sentences = [each for several in table(path)["refusals"].values() for each in several]
    used = {place for each in sentences for place in re.findall(r"{(\w+)}", each)}
    assert used <= listed
    assert "seat" in listed


def test_arabic_has_only_arabic_letters_and_ascii_digits() -> None:
    for several in table(CLIENTS / "words" / "ar.json")["refusals"].values():
        for sentence in several:
            letters = [char for char in re.sub(r"{\w+}", "", sentence) if char.isalpha() or char.isdigit()]
            assert letters
            assert all(unicodedata.name(char).startswith("ARABIC LETTER") for char in letters), sentence


@pytest.fixture(scope="module")
def words() -> Words:
    return Words(CLIENTS / "words" / "ar.json")


def test_what_is_there_is_said(words: Words) -> None:
    move = Move(seat=SEAT_WEST, call=Call(kind=CALL_KIND_BID, tricks=7, strain=STRAIN_CLUBS))
    verdict = Verdict(
        reason=REFUSAL_REASON_BID_TOO_LOW, lowest_bid=BidLimit(tricks=8, strain=STRAIN_NO_TRUMP)
    )
    assert words.refusal(move, verdict) == "الطلب 7 السباتي قليل: على الغرب أن يطلب 8 بلا طرنيب أو أكثر."
    assert words.refusal(move, Verdict(reason=REFUSAL_REASON_BID_TOO_LOW)) == "لا طلب أعلى من الأخير: قل باس."


SPADES = [CARD_SPADES_TWO, CARD_SPADES_ACE]


def test_cards_and_a_revision(words: Words) -> None:
    verdict = Verdict(
        reason=REFUSAL_REASON_MUST_FOLLOW_SUIT,
        led_suit=SUIT_SPADES,
        playable_cards=SPADES,
    )
    assert (
        words.refusal(Move(seat=SEAT_NORTH, card=CARD_CLUBS_TWO), verdict)
        == "على الشمال أن يتبع البستوني: معه 2 البستوني، آس البستوني."
    )
    stale = Verdict(reason=REFUSAL_REASON_STALE_REVISION, game_revision=9)
    assert "(4)" in words.refusal(Move(seat=SEAT_NORTH, revision=4, card=CARD_CLUBS_TWO), stale)
