"""The text form of records: what is printed is read again, and what can't be read is named with its place."""

import json
import re
from pathlib import Path

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st

from tarneeb.v1 import cards_pb2, moves_pb2, records_pb2, rules_pb2
from tarneeb_record import NoRecordTextError, RecordTextError, format_record, parse_record
from tarneeb_record.parse import MOST_FAULTS
from tarneeb_service.engine.cards import DECK
from tarneeb_service.engine.presets import PRESET_IDS
from tarneeb_service.engine.state import AwaitingDeal, scores_of
from tarneeb_service.rpc import replay
from tarneeb_service.wire.records import MOST_RECORDED_HANDS
from tests.record_text.seeds import SEED, around, pieces_in, spelled, spellings

PAGE = Path(__file__).parents[2] / "docs" / "records.md"

TEXT = """\
tarneeb-record 1
id "g-1"
rules saharat_classic {"target":61}
dealer North
1 hands N:SAK,HT9,D2 W:CQJ S:- E:C2 turned D7 | W:8 S:pass E:9NT N:double W@17:=H / W:HA S:H2 E:H3 N:H4 / W:SA
2 deck SA HT C2 | W:7
3 seed 00ff00ff00ff00ff00ff00ff00ff00ff commitment aa cut 12
4 seed - | W:SA S:S2 E:S3 N:S4 W:=NT
"""


def record_of(*hands: str) -> records_pb2.GameRecord:
    return parse_record('tarneeb-record 1\nid "g"\nrules mulouk_41\ndealer East\n' + "\n".join(hands))


def test_a_rules_revision_is_a_line_of_its_own() -> None:
    head = 'tarneeb-record 1\nid "g"\nrules mulouk_41\ndealer East\n'
    text = f"{head}rules_revision 3\n"
    assert parse_record(text).rules_revision == 3
    assert format_record(parse_record(text)) == text
    # Nor is it missed where it is not known.
    assert parse_record(head).rules_revision == 0
    for line, fault in (
        ("rules_revision", "line 5, column 15: the line ends here: write a number, as in: rules_revision 1"),
        ("rules_revision x", "line 5, column 16: 'x' is no number: write as in 1"),
        ("rules_revision 4294967296", "line 5, column 16: a number must be below 4294967296"),
        ("rules_revision 1 2", "line 5, column 18: nothing more belongs on this line: take it out"),
    ):
        assert faults(head + line) == [fault]
    again = f"{text}rules_revision 3\n"
    assert faults(again) == ["line 6, column 1: there is a 'rules_revision' line already: keep one"]


def faults(text: str) -> list[str]:
    with pytest.raises(RecordTextError) as caught:
        parse_record(text)
    return str(caught.value).splitlines()


def fault_of_hand(line: str) -> str:
    found = faults(f'tarneeb-record 1\nid "g"\nrules mulouk_41\ndealer N\n{line}\n')
    assert len(found) == 1
    return found[0]


cards = st.sampled_from(DECK).map(cards_pb2.Card.ValueType)
seats = st.integers(1, 4).map(cards_pb2.Seat.ValueType)
strains = st.integers(1, 5).map(cards_pb2.Strain.ValueType)
numbers = st.integers(0, 2**32 - 1)
# Lone surrogates are in no message; everything else is, control characters included.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
card_sets = st.lists(cards, max_size=14).map(lambda some: cards_pb2.CardSet(cards=some))
calls = st.one_of(
    st.builds(
        moves_pb2.Call,
        kind=st.just(moves_pb2.CALL_KIND_BID),
        tricks=numbers,
        strain=st.one_of(st.just(cards_pb2.STRAIN_UNSPECIFIED), strains),
    ),
    st.builds(moves_pb2.Call, kind=st.sampled_from([moves_pb2.CALL_KIND_PASS, moves_pb2.CALL_KIND_DOUBLE])),
)
moves = st.one_of(
    [
        st.builds(moves_pb2.Move, seat=seats, revision=st.none() | numbers, **{name: action})
        for name, action in (("call", calls), ("trump", strains), ("card", cards))
    ]
)
deals = st.one_of(
    st.builds(
        records_pb2.Deal,
        hands=st.builds(
            records_pb2.DealtHands,
            hands=st.lists(card_sets, min_size=4, max_size=4),
            turned_card=st.one_of(st.just(cards_pb2.CARD_UNSPECIFIED), cards),
        ),
    ),
    st.builds(records_pb2.Deal, deck=st.builds(records_pb2.Deck, cards=st.lists(cards, max_size=52))),
    st.builds(
        records_pb2.Deal,
        seeded=st.builds(
            records_pb2.SeededDeal,
            seed=st.binary(max_size=64),
            commitment=st.binary(max_size=32),
            cut=st.binary(max_size=64),
        ),
    ),
)
overrides = st.builds(
    rules_pb2.RuleSet,
    target=st.none() | numbers,
    auction=st.none() | st.integers(0, 9).map(rules_pb2.Auction.ValueType),
    barred_bids=st.none() | st.builds(rules_pb2.NumberList, numbers=st.lists(numbers, max_size=3)),
)
choices = st.builds(
    rules_pb2.RuleSetChoice,
    preset_id=st.one_of(st.sampled_from(PRESET_IDS), texts),
    overrides=st.none() | overrides,
)
all_records = st.builds(
    records_pb2.GameRecord,
    id=texts,
    rule_set=choices,
    first_dealer=seats,
    rules_revision=numbers,
    hands=st.lists(
        st.builds(records_pb2.RecordedHand, deal=deals, moves=st.lists(moves, max_size=12)), max_size=3
    ),
)


def sorted_hands(record: records_pb2.GameRecord) -> records_pb2.GameRecord:
    """The record with each dealt hand in ascending order, which is all the text leaves open."""
    copy = records_pb2.GameRecord()
    copy.CopyFrom(record)
    for hand in copy.hands:
        for dealt in hand.deal.hands.hands if hand.deal.HasField("hands") else ():
            dealt.cards.sort()
    return copy


def test_a_canonical_text_is_printed_as_it_was_read() -> None:
    assert format_record(parse_record(TEXT)) == TEXT


@given(all_records)
def test_a_record_is_read_as_it_was_printed(record: records_pb2.GameRecord) -> None:
    text = format_record(record)
    assert parse_record(text) == sorted_hands(record)
    assert format_record(parse_record(text)) == text
    assert text.count("\n") == 4 + bool(record.rules_revision) + len(record.hands)


@given(st.text(max_size=80), st.integers(0, len(TEXT)), st.integers(0, 40))
def test_any_text_is_a_record_or_has_faults(noise: str, start: int, length: int) -> None:
    for text in (noise, TEXT[:start] + noise + TEXT[start + length :]):
        try:
            record = parse_record(text)
        except RecordTextError as error:
            found = error.faults
        else:
            found = []
            assert parse_record(format_record(record)) == record
        assert all(1 <= fault.line <= text.count("\n") + 1 and fault.column >= 1 for fault in found)


def test_liberties() -> None:
    loose = (
        "\ufeff\r\n# from ticket 41\r\n  TARNEEB-RECORD 1 # v1\r\n"
        'Dealer n\r\nID "g-1" # the id\r\nRULES saharat_classic   { "target" : 61 } # house\r\n\r\n'
        "1 Hands E:c2 s:- w:cqj N:h109,sak,d2 TURNED d7|w:8 S:PASS e:09nt n:Double W@17:=h"
        "/w:ha s:h2/ e:h3 n:h4 w:sa #\r\n"
        "2 DECK sa h10 c2 | W:7\r\n3 Seed 00FF00ff00ff00ff00ff00ff00ff00ff cut 12 commitment AA\r\n"
        "4 seed -| W:SA S:S2 E:S3 N:S4 W:=nt"
    )
    assert format_record(parse_record(loose)) == TEXT


def test_overrides_by_either_name() -> None:
    text = 'tarneeb-record 1\nid "g"\nrules mulouk_41 {"minimumBid":3,"sweep_points":1}\ndealer East\n'
    assert '{"minimum_bid":3,"sweep_points":1}' in format_record(parse_record(text))


def test_an_id_of_any_script_stays_readable_and_can_not_turn_the_line_around() -> None:
    record = record_of()
    record.id = "طرنيب # 1"
    assert 'id "طرنيب # 1"\n' in format_record(record)
    record.id = "a\u202eb\n"
    assert 'id "a\\u202eb\\n"\n' in format_record(record)
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize(
    "text, fault",
    [
        ("", "line 1, column 1: the text is empty: a record starts with 'tarneeb-record 1'"),
        ("# only\n\n", "line 1, column 1: the text is empty: a record starts with 'tarneeb-record 1'"),
        ("\n  hello", "line 2, column 3: this is no record: its first line must be 'tarneeb-record 1'"),
        ("tarneeb-record 2", "line 1, column 16: this reads version 1 of the text and no other"),
        ("tarneeb-record", "line 1, column 15: the line ends here: write 'tarneeb-record 1'"),
    ],
)
def test_texts_of_something_else(text: str, fault: str) -> None:
    assert faults(text) == [fault]


def test_missing_lines_are_named_at_the_end() -> None:
    assert faults("tarneeb-record 1\n") == [
        "line 1, column 1: there is no 'id' line",
        "line 1, column 1: there is no 'rules' line",
        "line 1, column 1: there is no 'dealer' line",
    ]


@pytest.mark.parametrize(
    "line, fault",
    [
        ("id g", 'line 2, column 4: write the id in double quotes, as in: id "g-1"'),
        ("id 7", 'line 2, column 4: write the id in double quotes, as in: id "g-1"'),
        ('id "\\ud800"', 'line 2, column 4: write the id in double quotes, as in: id "g-1"'),
        ('id "a" b', "line 2, column 8: nothing more belongs on this line: take it out"),
        ('id "a"#b', "line 2, column 7: nothing more belongs on this line: take it out"),
        ("id " + "[" * 100_000, 'line 2, column 4: write the id in double quotes, as in: id "g-1"'),
    ],
)
def test_bad_ids(line: str, fault: str) -> None:
    assert faults(f"tarneeb-record 1\n{line}\nrules mulouk_41\ndealer N\n") == [fault]


@pytest.mark.parametrize(
    "line, fault",
    [
        ("rules", "column 6: name a preset, as in: rules mulouk_41"),
        ("rules mulouk_41#c", "column 16: nothing more belongs on this line: take it out"),
        ('rules mulouk_41 {"target":4}#c', "column 29: nothing more belongs on this line: take it out"),
        ("rules mulouk_41 target=4", "column 17: nothing more belongs on this line: take it out"),
        (
            "rules mulouk_41 {",
            'column 17: overrides are JSON, as in: rules saharat_classic {"target":61}',
        ),
        (
            'rules mulouk_41 {"cut":1,"tagret":4}',
            "column 17: the overrides are no rule set: there is no such field as its number 2; is it target?",
        ),
        (
            'rules mulouk_41 {"target":NaN}',
            "column 17: the overrides are no rule set: target: must be a whole number in its range",
        ),
        (
            'rules mulouk_41 {"cut":"CUT_SHORT"}',
            "column 17: the overrides are no rule set: cut: must be a Cut, as CUT_",
        ),
        (
            'rules mulouk_41 {"target":4,"target":4}',
            "column 17: the overrides are no rule set: two of its fields can't stand together",
        ),
        (
            'rules mulouk_41 {"barred_bids":{"numbers":[2,-1]}}',
            "column 17: the overrides are no rule set: barred_bids.numbers[1]: must be a whole number in its",
        ),
        ('rules mulouk_41 {"target":4} x', "column 30: nothing more belongs on this line: take it out"),
    ],
)
def test_bad_rules(line: str, fault: str) -> None:
    (found,) = faults(f'tarneeb-record 1\nid "g"\n{line}\ndealer N\n')
    assert found.startswith(f"line 3, {fault}")
    assert len(found) < 260


def test_every_bad_line_is_named_up_to_a_limit() -> None:
    found = faults('tarneeb-record 1\nid "g"\nid "h"\nrules mulouk_41\ndealer Up\n' + "what\n" * 30)
    assert len(found) == MOST_FAULTS + 1
    assert found[:3] == [
        "line 3, column 1: there is a 'id' line already: keep one",
        "line 5, column 8: 'Up' is no seat: North, West, South or East",
        "line 6, column 1: 'what' starts no line: write id, rules, dealer, rules_revision or the number of a hand",
    ]
    assert found[-1] == f"and {32 - MOST_FAULTS} bad lines more"


def test_hands_are_counted() -> None:
    head = 'tarneeb-record 1\nid "g"\nrules mulouk_41\n'
    assert faults(head + "1 deck\n3 deck\n4 deck\ndealer N\n") == [
        "line 5, column 1: hand 2 belongs here: is a line missing?",
        "line 7, column 1: 'dealer' belongs above the first hand",
    ]


def test_as_many_hands_as_a_replay_takes() -> None:
    hands = [f"{number:04} deck" for number in range(1, MOST_RECORDED_HANDS + 1)]
    record = record_of(*hands)
    assert parse_record(format_record(record)) == record
    with pytest.raises(RecordTextError, match="line 1005, column 1: a record has at most 1000 hands"):
        record_of(*hands, "1001 deck")
    record.hands.add().deal.deck.SetInParent()
    with pytest.raises(NoRecordTextError) as caught:
        format_record(record)
    assert [problem.path for problem in caught.value.problems] == ["record.hands"]
    assert fault_of_hand("00001 deck") == (
        "line 5, column 1: this starts no line: write id, rules, dealer, rules_revision or the number of a hand"
    )


@pytest.mark.parametrize(
    "line, fault",
    [
        ("1", "column 2: the line ends here: say where the cards come from: hands, deck or seed"),
        ("1 deal", "column 3: 'deal' is no source of cards: write hands, deck or seed"),
        ("1 hands N:SA W:S2 E:S4 | W:7", "column 24: South's hand is missing: add S:..."),
        ("1 hands N:SA W:S2 N:S4", "column 19: North has a hand already"),
        ("1 hands N", "column 9: 'N' is no hand: write seat and cards, as in N:SAK3,HT9"),
        (
            "1 hands N:SAK,HX",
            "column 15: 'HX' is no suit with its ranks: write as in SAKT2, a comma between suits",
        ),
        (
            "1 hands N:- W:- S:- E:- turned",
            "column 31: the line ends here: name the turned card, as in: turned D7",
        ),
        (
            "1 hands N:- W:- S:- E:- turned 7D",
            "column 32: '7D' is no card: write suit and rank, as in SA or HT",
        ),
        (
            "1 hands N:- W:- S:- E:- turned D7 W:8",
            "column 35: the deal ends before this: write | before the moves",
        ),
        ("1 deck SA W:8", "column 11: 'W:8' is no card: write suit and rank, as in SA or HT"),
        ("1 deck SA | W:8 S:9X", "column 17: 'S:9X' is no move: write as in W:8, W:9NT, S:pass"),
        ("1 deck SA | W:4294967296", "column 13: a number must be below 4294967296"),
        ("1 deck SA | W@9999999999:8", "column 13: a number must be below 4294967296"),
        ("1 deck SA | W:\u017fA", "column 13: 'W:\u017fA' is no move"),
        ("1 deck SA | W:\x1b[31m", "column 13: 'W:?[31m' is no move"),
        ("1 seed", "column 7: the line ends here: write the seed as hex"),
        ("1 seed 0", "column 8: the seed is no hex: write two digits a byte, without spaces"),
        ("1 seed 00 cut 1 cut 2", "column 15: the cut is no hex: write two digits a byte, without spaces"),
        ("1 seed 00 cut 11 cut 22", "column 18: there is a cut already"),
    ],
)
def test_bad_hands(line: str, fault: str) -> None:
    assert fault_of_hand(line).startswith(f"line 5, {fault}")


SPELLINGS = spellings(SEED)


@pytest.mark.parametrize("seed", SPELLINGS)
@pytest.mark.parametrize(
    "line",
    [
        "1 {seed}",
        "{seed}",
        "{seed} {seed}",
        "1 seed {seed}0",
        "1 seed {seed} {seed}",
        "1 seed {seed} | {seed}",
        "1 seed z{seed}",
        "1 seed 00 | 0x{seed}",
        "1 seed {seed} cut {seed}.",
        "1 seed={seed}",
        "1 seed:{seed}",
        "1 0x{seed}",
        "1 {seed},",
        "1 hands {seed}",
        "1 hands N:{seed}",
        "1 hands N:SA,{seed} W:- S:- E:-",
        "1 hands N:- W:- S:- E:- turned {seed}",
        "1 deck {seed}",
        "1 deck {seed}.",
        "1 deck {seed}…",
        "1 deck {seed}O",
        "1 deck SA | {seed}",
        "1 deck SA | {seed}.",
        "1 deck SA | {seed}…",
        "1 deck SA | {seed}O",
        "1 deck SA | W:{seed}",
        "1 deck SA | W:8 {seed}, cut 00",
        "{seed}, cut 00",
        "{seed}: 1",
    ],
)
def test_a_fault_never_repeats_a_seed(line: str, seed: str) -> None:
    (found,) = faults('tarneeb-record 1\nid "g"\nrules mulouk_41\ndealer N\n' + line.format(seed=seed))
    assert not pieces_in(found, seed)


@pytest.mark.parametrize("seed", SPELLINGS)
@pytest.mark.parametrize(
    "line",
    [
        "{seed}",
        "tarneeb-record {seed}",
        "tarneeb-record 1\n{seed}",
        "tarneeb-record 1\nid {seed}",
        'tarneeb-record 1\nid "g" {seed}',
        'tarneeb-record 1\nid "g" #\nrules mulouk_41 {seed}',
        'tarneeb-record 1\nrules mulouk_41 {{"{seed}":1}}',
        'tarneeb-record 1\nrules mulouk_41 {{"target":"{seed}"}}',
        'tarneeb-record 1\nrules mulouk_41 {{"cut":"{seed}"}}',
        'tarneeb-record 1\nrules mulouk_41 {{"own_minimum":{{"{seed}":1}}}}',
        'tarneeb-record 1\nrules mulouk_41 {{"own_minimum":"{seed}"}}',
        'tarneeb-record 1\nrules mulouk_41 {{"[{seed}]":1}}',
        "tarneeb-record 1\ndealer {seed}",
    ],
)
def test_a_fault_of_the_header_never_repeats_a_seed(line: str, seed: str) -> None:
    found = "\n".join(faults(line.format(seed=seed)))
    assert not pieces_in(found, seed)


@pytest.mark.parametrize("size", [4, 5])
def test_hex_in_groups_is_not_repeated_line_by_line(size: int) -> None:
    seed = SEED.hex()
    groups = [seed[start : start + size] for start in range(0, len(seed), size)]
    found = "\n".join(faults("tarneeb-record 1\n" + "\n".join(groups)))
    assert not [group for group in groups[:-1] if group in found]


@given(spelled, st.integers(0, len(TEXT)), st.integers(0, 60), around)
def test_no_seed_anywhere_in_a_text_is_repeated(
    seed: str, start: int, length: int, edges: tuple[str, str]
) -> None:
    before, after = edges
    text = TEXT[:start] + before + seed + after + TEXT[start + length :]
    found = ""
    try:
        parse_record(text)
    except RecordTextError as error:
        found = str(error)
    assert not pieces_in(found, seed)


@pytest.mark.parametrize(
    "change, path",
    [
        (lambda r: r.ClearField("rule_set"), "record.rule_set"),
        (lambda r: r.ClearField("first_dealer"), "record.first_dealer"),
        (lambda r: setattr(r, "first_dealer", 9), "record.first_dealer"),
        (lambda r: r.hands[0].deal.ClearField("hands"), "record.hands[0].deal"),
        (lambda r: r.hands[0].deal.hands.hands.pop(), "record.hands[0].deal.hands.hands"),
        (
            lambda r: r.hands[0].deal.hands.hands[2].cards.append(1),
            "record.hands[0].deal.hands.hands[2].cards[0]",
        ),
        (
            lambda r: setattr(r.hands[0].deal.hands, "turned_card", 1),
            "record.hands[0].deal.hands.turned_card",
        ),
        (lambda r: r.hands[0].moves.add(seat=1), "record.hands[0].moves[6]"),
        (lambda r: setattr(r.hands[0].moves[0], "seat", 0), "record.hands[0].moves[0].seat"),
        (lambda r: setattr(r.hands[0].moves[5], "card", 0), "record.hands[0].moves[5].card"),
        (lambda r: setattr(r.hands[0].moves[4], "trump", 0), "record.hands[0].moves[4].trump"),
        (lambda r: setattr(r.hands[0].moves[4], "trump", 6), "record.hands[0].moves[4].trump"),
        (lambda r: setattr(r.hands[0].moves[0].call, "kind", 4), "record.hands[0].moves[0].call.kind"),
        (lambda r: setattr(r.hands[0].moves[0].call, "strain", 7), "record.hands[0].moves[0].call.strain"),
        (lambda r: setattr(r.hands[0].moves[1].call, "tricks", 7), "record.hands[0].moves[1].call"),
    ],
)
def test_what_has_no_text_form_is_named(change: object, path: str) -> None:
    record = record_of("1 hands N:SAK W:SQ S:- E:HA | W:8 S:pass E:9NT N:double E:=H E:HA")
    assert callable(change)
    change(record)
    with pytest.raises(NoRecordTextError) as caught:
        format_record(record)
    assert [problem.path for problem in caught.value.problems] == [path]


def documented(mark: str) -> str:
    """The first fenced block of docs/records.md after a heading."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(rf"## {mark}\n.*?```text\n(.*?)```", text, re.DOTALL)
    assert found, mark
    return found[1]


def test_the_worked_example_is_canonical_and_can_be_replayed() -> None:
    text = documented("A worked example")
    record = parse_record(text)
    assert format_record(record) == "".join(
        line + "\n" for line in text.splitlines() if line and not line.startswith("#")
    )
    steps = list(replay.play(record, replay.start(record)))
    assert all(isinstance(step, replay.Reached) for step in steps)
    last = steps[-1]
    assert isinstance(last, replay.Reached)
    assert isinstance(last.state, AwaitingDeal)
    # The page says what the hands brought.
    said = re.search(
        r"scores are then (-?\d+) for North–South and (-?\d+) for West–East", PAGE.read_text("utf-8")
    )
    assert said
    assert scores_of(last.state) == (int(said[1]), int(said[2]))


def test_the_documented_message_is_that_of_the_text() -> None:
    page = PAGE.read_text("utf-8")
    found = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert found
    short = re.search(r"## The same in JSON\n.*?```text\n(.*?)```", page, re.DOTALL)
    assert short
    assert json_format.ParseDict(json.loads(found[1]), records_pb2.GameRecord()) == parse_record(short[1])


def test_the_documented_faults_are_those_of_the_parser() -> None:
    found = re.search(r"```\n(line .*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found
    head = 'tarneeb-record 1\nid "g"\nrules mulouk_41\ndealer N\n'
    assert faults(f"{head}1 deck H10 | W:KS\n{SEED.hex()} cut 00\n") == found[1].splitlines()
