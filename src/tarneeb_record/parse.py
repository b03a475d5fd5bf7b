"""A text to its record.

``docs/records.md`` has the grammar. The text says what the message says and judges nothing: whether a hand
has 13 cards, or a move is legal, is for a replay to find. No message of an error repeats a seed.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf import json_format

from tarneeb.v1 import cards_pb2, moves_pb2, records_pb2, rules_pb2
from tarneeb_record.json_misfit import json_misfit
from tarneeb_record.names import CARD_OF_TEXT, MOST_HANDS, SEAT_NAMES
from tarneeb_record.tokens import (
    CALL_WORDS,
    CARD,
    DEALT,
    FIRST_LINE,
    HAND_NUMBER,
    HEX,
    MAGIC,
    MOVE,
    NUMBER,
    ONE_SUIT,
    PRESET,
    RANK,
    SEAT_LETTERS,
    STRAIN_TEXT,
    VERSION,
    Token,
    Tokens,
    UnreadableWord,
    no_token,
    quoted,
)

# More would not help a person.
MOST_FAULTS = 20
_NUMBER_LIMIT = 2**32


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


def parse_record(text: str) -> records_pb2.GameRecord:
    """Return the record of a text.

    Raises:
        RecordTextError: With line, column and remedy for every bad line.
    """
    return _Parser().parse(text)


class _Parser:
    """One run over one text."""

    def __init__(self) -> None:
        self.record = records_pb2.GameRecord()
        self.faults: list[Fault] = []
        self.expected_hand = 1
        self.missing: dict[str, Callable[[str, int], None]] = {
            "id": self.id,
            "rules": self.rules,
            "dealer": self.dealer,
        }
        self.headers = {**self.missing, "rules_revision": self.rules_revision}
        self.given: set[str] = set()

    def parse(self, text: str) -> records_pb2.GameRecord:
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
        if HAND_NUMBER.fullmatch(first.text):
            self.hand(int(first.text), first.column, tokens)
            return
        header = self.headers.get(first.word)
        if header is None:
            known = "id, rules, dealer, rules_revision or the number of a hand"
            raise UnreadableWord(first.column, f"{quoted(first.text)} starts no line: write {known}")
        self.missing.pop(first.word, None)
        if first.word in self.given:
            raise UnreadableWord(first.column, f"there is a '{first.word}' line already: keep one")
        self.given.add(first.word)
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
        bare = PRESET.match(line, start)
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
        self.record.first_dealer = _seat_of(names[0][0])
        no_token(tokens)

    def rules_revision(self, line: str, _start: int) -> None:
        tokens = Tokens(line)
        tokens.take("")
        token = tokens.take("write a number, as in: rules_revision 1")
        if not NUMBER.fullmatch(token.text):
            raise UnreadableWord(token.column, f"{quoted(token.text)} is no number: write as in 1")
        self.record.rules_revision = _number(token.text, token)
        no_token(tokens)

    def hand(self, number: int, column: int, tokens: Tokens) -> None:
        expected, self.expected_hand = self.expected_hand, number + 1
        # Kept even when it is bad, so that a later header line is still one below the first hand.
        hand = self.record.hands.add()
        if number != expected:
            raise UnreadableWord(column, f"hand {expected} belongs here: is a line missing?")
        if number > MOST_HANDS:
            raise UnreadableWord(column, f"a record has at most {MOST_HANDS} hands")
        source = tokens.take("say where the cards come from: hands, deck or seed")
        match source.word:
            case "hands":
                _read_hands(tokens, hand.deal.hands)
            case "deck":
                _read_deck(tokens, hand.deal.deck)
            case "seed":
                _read_seed(tokens, hand.deal.seeded)
            case _:
                message = f"{quoted(source.text)} is no source of cards: write hands, deck or seed"
                raise UnreadableWord(source.column, message)
        if tokens.peek() is None:
            return
        if not tokens.skip("|"):
            no_token(tokens, "the deal ends before this: write | before the moves")
        while tokens.peek() is not None:
            if not tokens.skip("/"):
                _read_move(tokens.take(""), hand.moves.add())


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


def _skip_space(line: str, start: int) -> int:
    return start + len(line[start:]) - len(line[start:].lstrip())


def _nothing_left(line: str, end: int) -> None:
    start = _skip_space(line, end)
    # A comment starts a word, here as elsewhere.
    if start < len(line) and (line[start] != "#" or start == end):
        raise UnreadableWord(start + 1, "nothing more belongs on this line: take it out")


def _read_hands(tokens: Tokens, hands: records_pb2.DealtHands) -> None:
    dealt: dict[int, list[cards_pb2.Card.ValueType]] = {}
    while (token := tokens.peek()) is not None and token.word not in ("turned", "|"):
        tokens.take("")
        match = DEALT.fullmatch(token.text)
        if match is None:
            message = f"{quoted(token.text)} is no hand: write seat and cards, as in N:SAK3,HT9"
            raise UnreadableWord(token.column, message)
        seat = _seat_of(match["seat"])
        if seat in dealt:
            raise UnreadableWord(token.column, f"{SEAT_NAMES[seat - 1]} has a hand already")
        dealt[seat] = _read_suits(match["cards"], token.column + 2)
    for number, name in enumerate(SEAT_NAMES, start=1):
        if number not in dealt:
            column = tokens.end if token is None else token.column
            raise UnreadableWord(column, f"{name}'s hand is missing: add {name[0]}:...")
        hands.hands.add(cards=sorted(dealt[number]))
    if tokens.skip("turned"):
        token = tokens.take("name the turned card, as in: turned D7")
        hands.turned_card = _card(token)


def _read_suits(text: str, column: int) -> list[cards_pb2.Card.ValueType]:
    if text == "-":
        return []
    cards = []
    for part in text.split(","):
        match = ONE_SUIT.fullmatch(part)
        if match is None:
            message = f"{quoted(part)} is no suit with its ranks: write as in SAKT2, a comma between suits"
            raise UnreadableWord(column, message)
        cards += [_card_of(match["suit"], rank) for rank in RANK.findall(match["ranks"])]
        column += len(part) + 1
    return cards


def _read_deck(tokens: Tokens, deck: records_pb2.Deck) -> None:
    # So that an empty deck is one.
    deck.SetInParent()
    while (token := tokens.peek()) is not None and token.text != "|":
        tokens.take("")
        deck.cards.append(_card(token))


def _read_seed(tokens: Tokens, seeded: records_pb2.SeededDeal) -> None:
    seeded.SetInParent()
    seeded.seed = _read_hex(tokens, "seed")
    seen = set()
    while (token := tokens.peek()) is not None and token.text != "|":
        tokens.take("")
        if token.word not in ("commitment", "cut"):
            message = "after the seed, one word of hex, come commitment, cut or |"
            raise UnreadableWord(token.column, message)
        if token.word in seen:
            raise UnreadableWord(token.column, f"there is a {token.word} already")
        seen.add(token.word)
        value = _read_hex(tokens, token.word)
        if token.word == "cut":
            seeded.cut = value
        else:
            seeded.commitment = value


def _read_hex(tokens: Tokens, what: str) -> bytes:
    token = tokens.take(f"write the {what} as hex")
    if not HEX.fullmatch(token.text):
        raise UnreadableWord(token.column, f"the {what} is no hex: write two digits a byte, without spaces")
    return b"" if token.text == "-" else bytes.fromhex(token.text)


def _read_move(token: Token, move: moves_pb2.Move) -> None:
    match = MOVE.fullmatch(token.text)
    if match is None:
        message = f"{quoted(token.text)} is no move: write as in W:8, W:9NT, S:pass, E:double, E:=H or E:SA"
        raise UnreadableWord(token.column, message)
    move.seat = _seat_of(match["seat"])
    if match["revision"]:
        move.revision = _number(match["revision"], token)
    if match["suit"]:
        move.card = _card_of(match["suit"], match["rank"])
    elif match["trump"]:
        move.trump = _strain(match["trump"])
    elif match["word"]:
        move.call.kind = CALL_WORDS[match["word"].lower()]
    else:
        move.call.kind = moves_pb2.CALL_KIND_BID
        move.call.tricks = _number(match["tricks"], token)
        move.call.strain = _strain(match["strain"] or "")


def _number(digits: str, token: Token) -> int:
    number = int(digits)
    if number >= _NUMBER_LIMIT:
        raise UnreadableWord(token.column, f"a number must be below {_NUMBER_LIMIT}")
    return number


def _card(token: Token) -> cards_pb2.Card.ValueType:
    match = CARD.fullmatch(token.text)
    if match is None:
        message = f"{quoted(token.text)} is no card: write suit and rank, as in SA or HT"
        raise UnreadableWord(token.column, message)
    return _card_of(match["suit"], match["rank"])


def _card_of(suit: str, rank: str) -> cards_pb2.Card.ValueType:
    return cards_pb2.Card.ValueType(CARD_OF_TEXT[suit.upper() + ("T" if rank == "10" else rank.upper())])


def _seat_of(letter: str) -> cards_pb2.Seat.ValueType:
    return cards_pb2.Seat.ValueType(SEAT_LETTERS.index(letter.upper()) + 1)


def _strain(text: str) -> cards_pb2.Strain.ValueType:
    return cards_pb2.Strain.ValueType(STRAIN_TEXT.index(text.upper()))
