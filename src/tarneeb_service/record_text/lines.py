"""The text form of a record: a short header, then one line a hand.

``docs/records.md`` has the grammar. The text says what the message says and judges nothing: whether a hand
has 13 cards, or a move is legal, is for a replay to find. No message of an error repeats a seed.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from tarneeb.v1 import records_pb2, rules_pb2
from tarneeb_service.engine.problems import Problem, ProblemReason
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.record_text.words import (
    Tokens,
    UnreadableWord,
    deal_text,
    move_text,
    no_token,
    quoted,
    read_deck,
    read_hands,
    read_move,
    read_seed,
    seat_of,
    seat_text,
)
from tarneeb_service.wire.problems import raise_if_any
from tarneeb_service.wire.records import MOST_RECORDED_HANDS

MAGIC, VERSION = "tarneeb-record", "1"
FIRST_LINE = f"{MAGIC} {VERSION}"
# More would not help a person.
MOST_FAULTS = 20
_HAND_NUMBER = re.compile(r"[0-9]{1,4}")
_PRESET = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a text, and how to put it right; lines and columns count from 1."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        """Return the fault as a line for people."""
        return f"line {self.line}, column {self.column}: {self.message}"


class RecordTextError(ValueError):
    """A text that is no record: the first fault of each bad line, at most ``MOST_FAULTS`` of them."""

    def __init__(self, faults: list[Fault]) -> None:
        """Keep the first faults, and how many there are."""
        self.faults, self.total = faults[:MOST_FAULTS], len(faults)
        lines = [str(fault) for fault in self.faults]
        if self.total > len(lines):
            lines.append(f"and {self.total - len(lines)} bad lines more")
        super().__init__("\n".join(lines))


def parse_record(text: str) -> records_pb2.Record:
    """Return the record of a text.

    Raises:
        RecordTextError: With line, column and remedy for every bad line.
    """
    return _Parser().parse(text)


def format_record(record: records_pb2.Record) -> str:
    """Return the text of a record; ``parse_record`` reads the same record from it.

    Cards of a dealt hand are sorted, as their order says nothing.

    Raises:
        ProblemsError: With the path of every part that has no text form, as a number that is no card.
    """
    problems: list[Problem] = []
    if len(record.hands) > MOST_RECORDED_HANDS:
        problems.append(Problem("hands", ProblemReason.WRONG_COUNT, f"at most {MOST_RECORDED_HANDS} hands"))
    lines = [
        FIRST_LINE,
        f"id {_json_text(record.id)}",
        f"rules {_rules_text(record, problems)}",
        f"dealer {seat_text(record.first_dealer, 'first_dealer', problems)}",
    ]
    for index, hand in enumerate(record.hands[:MOST_RECORDED_HANDS]):
        path = f"hands[{index}]"
        words = [
            f"{index + 1}",
            deal_text(hand.deal, f"{path}.deal", problems),
            *_moves_text(hand, path, problems),
        ]
        lines.append(" ".join(words))
    raise_if_any(problems, "record")
    return "\n".join(lines) + "\n"


class _Parser:
    """One run over one text."""

    def __init__(self) -> None:
        self.record = records_pb2.Record()
        self.faults: list[Fault] = []
        self.expected_hand = 1
        self.missing: dict[str, Callable[[str, int], None]] = {
            "id": self.id,
            "rules": self.rules,
            "dealer": self.dealer,
        }
        self.headers = dict(self.missing)

    def parse(self, text: str) -> records_pb2.Record:
        # Not `splitlines`, which also splits at characters that a JSON string may hold.
        lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
        started = False
        for number, line in enumerate(lines, start=1):
            tokens = Tokens(line)
            if tokens.peek() is None:
                continue
            try:
                if started:
                    self.line(line, tokens)
                else:
                    _first_line(tokens)
                    started = True
            except UnreadableWord as fault:
                self.faults.append(Fault(number, fault.column, fault.message))
                if not started:
                    break
        if not started and not self.faults:
            self.faults.append(Fault(1, 1, f"the text is empty: a record starts with '{FIRST_LINE}'"))
        if started:
            at_end = len(lines) - (1 if len(lines) > 1 and not lines[-1] else 0)
            self.faults += [Fault(at_end, 1, f"there is no '{name}' line") for name in self.missing]
        if self.faults:
            raise RecordTextError(self.faults)
        return self.record

    def line(self, line: str, tokens: Tokens) -> None:
        first = tokens.take("")
        if _HAND_NUMBER.fullmatch(first.text):
            self.hand(int(first.text), first.column, tokens)
            return
        header = self.headers.get(first.word)
        if header is None:
            message = f"{quoted(first.text)} starts no line: write id, rules, dealer or the number of a hand"
            raise UnreadableWord(first.column, message)
        if self.missing.pop(first.word, None) is None:
            raise UnreadableWord(first.column, f"there is a '{first.word}' line already: keep one")
        if self.record.hands:
            raise UnreadableWord(first.column, f"'{first.word}' belongs above the first hand")
        header(line, first.column - 1 + len(first.text))

    def id(self, line: str, start: int) -> None:
        start = _skip_space(line, start)
        document, end = _json(line, start, 'write the id in double quotes, as in: id "g-1"')
        self.record.id = _text(document, start, 'write the id in double quotes, as in: id "g-1"')
        _nothing_left(line, end)

    def rules(self, line: str, start: int) -> None:
        start = _skip_space(line, start)
        hint = "name a preset, as in: rules mulouk_41"
        bare = _PRESET.match(line, start)
        if bare:
            self.record.rule_set.preset_id, end = bare[0], bare.end()
        else:
            document, end = _json(line, start, hint)
            self.record.rule_set.preset_id = _text(document, start, hint)
        start = _skip_space(line, end)
        if start < len(line) and line[start] == "{":
            hint = 'overrides are JSON, as in: rules saharat_classic {"target":61}'
            document, end = _json(line, start, hint)
            self.record.rule_set.overrides.CopyFrom(_overrides(document, line[start:end], start))
        _nothing_left(line, end)

    def dealer(self, line: str, _start: int) -> None:
        tokens = Tokens(line)
        tokens.take("")
        token = tokens.take("name a seat: North, West, South or East")
        names = [name for name in SEAT_NAMES if token.word in (name.lower(), name[0].lower())]
        if not names:
            raise UnreadableWord(token.column, f"{quoted(token.text)} is no seat: North, West, South or East")
        self.record.first_dealer = seat_of(names[0][0])
        no_token(tokens)

    def hand(self, number: int, column: int, tokens: Tokens) -> None:
        expected, self.expected_hand = self.expected_hand, number + 1
        # Kept even when it is bad, so that a later header line is still one below the first hand.
        hand = self.record.hands.add()
        if number != expected:
            raise UnreadableWord(column, f"hand {expected} belongs here: is a line missing?")
        if number > MOST_RECORDED_HANDS:
            raise UnreadableWord(column, f"a record has at most {MOST_RECORDED_HANDS} hands")
        source = tokens.take("say where the cards come from: hands, deck or seed")
        match source.word:
            case "hands":
                read_hands(tokens, hand.deal.hands)
            case "deck":
                read_deck(tokens, hand.deal.deck)
            case "seed":
                read_seed(tokens, hand.deal.seeded)
            case _:
                message = f"{quoted(source.text)} is no source of cards: write hands, deck or seed"
                raise UnreadableWord(source.column, message)
        if tokens.peek() is None:
            return
        if not tokens.skip("|"):
            no_token(tokens, "the deal ends before this: write | before the moves")
        while tokens.peek() is not None:
            if not tokens.skip("/"):
                read_move(tokens.take(""), hand.moves.add())


def _first_line(tokens: Tokens) -> None:
    first = tokens.take("")
    if first.word != MAGIC:
        raise UnreadableWord(first.column, f"this is no record: its first line must be '{FIRST_LINE}'")
    version = tokens.take(f"write '{FIRST_LINE}'")
    if version.text != VERSION:
        raise UnreadableWord(version.column, f"this reads version {VERSION} of the text and no other")
    no_token(tokens)


def _json(line: str, start: int, hint: str) -> tuple[object, int]:
    try:
        return json.JSONDecoder().raw_decode(line, start)
    except (ValueError, RecursionError):
        raise UnreadableWord(start + 1, hint) from None


def _text(document: object, start: int, hint: str) -> str:
    # Half a surrogate pair is legal in JSON, and in no message.
    if not isinstance(document, str) or (
        not document.isascii() and any("\ud800" <= char <= "\udfff" for char in document)
    ):
        raise UnreadableWord(start + 1, hint)
    return document


def _overrides(document: object, text: str, start: int) -> rules_pb2.RuleSet:
    try:
        return json_format.Parse(text, rules_pb2.RuleSet())
    except (json_format.ParseError, RecursionError):
        why = json_misfit(document, rules_pb2.RuleSet.DESCRIPTOR)
        raise UnreadableWord(start + 1, f"the overrides are no rule set: {why}") from None


def json_misfit(document: object, kind: Descriptor, path: str = "") -> str:
    """Return where a JSON document is not that of a message, and what belongs there.

    Protobuf's own errors repeat what they did not understand, which may be a seed. This repeats only names
    of fields, which are ours.
    """
    start = f"{path}: " if path else ""
    if not isinstance(document, dict):
        return f"{start}must be an object"
    fields = {name: field for field in kind.fields for name in (field.name, field.json_name)}
    for number, (name, item) in enumerate(document.items(), start=1):
        field = fields.get(name)
        if field is None:
            near = get_close_matches(name[:40], fields, 1)
            hint = f"; is it {near[0]}?" if near else ""
            return f"{start}there is no such field as its number {number}{hint}"
        if _fits({name: item}, kind):
            continue
        place = f"{path}.{name}" if path else name
        if field.is_repeated:
            if not isinstance(item, list):
                return f"{place}: must be a list"
            index = next((index for index, one in enumerate(item) if not _fits({name: [one]}, kind)), 0)
            place, item = f"{place}[{index}]", item[index]
        if field.message_type is not None:
            return json_misfit(item, field.message_type, place)
        return f"{place}: must be {_scalar(field)}"
    return f"{start}two of its fields can't stand together"


def _fits(document: dict[str, object], kind: Descriptor) -> bool:
    try:
        json_format.ParseDict(document, GetMessageClass(kind)())
    except (json_format.ParseError, ValueError, TypeError, OverflowError, RecursionError):
        return False
    return True


def _scalar(field: FieldDescriptor) -> str:
    if field.enum_type is not None:
        return f"a {field.enum_type.name}, as {field.enum_type.values[1].name}"
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return "a string"
        case FieldDescriptor.TYPE_BYTES:
            return "a string of base64"
        case FieldDescriptor.TYPE_BOOL:
            return "true or false"
    return "a whole number in its range"


def _skip_space(line: str, start: int) -> int:
    return start + len(line[start:]) - len(line[start:].lstrip())


def _nothing_left(line: str, end: int) -> None:
    start = _skip_space(line, end)
    # A comment starts a word, here as elsewhere.
    if start < len(line) and (line[start] != "#" or start == end):
        raise UnreadableWord(start + 1, "nothing more belongs on this line: take it out")


def _rules_text(record: records_pb2.Record, problems: list[Problem]) -> str:
    if not record.HasField("rule_set"):
        problems.append(Problem("rule_set", ProblemReason.MISSING, "is required"))
    choice = record.rule_set
    bare = _PRESET.fullmatch(choice.preset_id)
    preset = choice.preset_id if bare else _json_text(choice.preset_id)
    if not choice.HasField("overrides"):
        return preset
    # The names of docs/rules.md; proto JSON reads them as well as its own.
    overrides = json_format.MessageToDict(choice.overrides, preserving_proto_field_name=True)
    return f"{preset} {json.dumps(overrides, separators=(',', ':'))}"


def _moves_text(hand: records_pb2.RecordedHand, path: str, problems: list[Problem]) -> list[str]:
    words = ["|"] if hand.moves else []
    cards = 0
    for index, move in enumerate(hand.moves):
        if move.WhichOneof("action") == "card":
            # A mark before each lead, so that tricks can be counted.
            if cards % 4 == 0 and index:
                words.append("/")
            cards += 1
        words.append(move_text(move, f"{path}.moves[{index}]", problems))
    return words


def _json_text(text: str) -> str:
    # Letters of any script stay readable; what does not print, or would turn the line around, is escaped.
    return json.dumps(text, ensure_ascii=not text.isprintable())
