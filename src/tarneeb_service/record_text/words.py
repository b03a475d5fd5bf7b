"""The words of a record's text: cards, deals and moves, read and written.

``record_text`` puts them into lines. No message of an error repeats a seed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tarneeb.v1 import cards_pb2, moves_pb2, records_pb2
from tarneeb_service.engine.cards import CARD_OF_TEXT, CARD_TEXT
from tarneeb_service.engine.problems import Problem, ProblemReason, unknown_card
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.wire.cards import seat_problem

SEAT_LETTERS = tuple(name[0] for name in SEAT_NAMES)
STRAIN_TEXT = ("", "C", "D", "H", "S", "NT")

_NUMBER_LIMIT = 2**32
_FLAGS = re.ASCII | re.IGNORECASE
_TOKEN = re.compile(r"[|/]|[^\s|/]+")
_MOVE = re.compile(
    r"(?P<seat>[NWSE])(@(?P<revision>[0-9]{1,10}))?:"
    r"((?P<word>pass|double)|=(?P<trump>NT|[CDHS])|(?P<suit>[CDHS])(?P<rank>10|[2-9TJQKA])"
    r"|(?P<tricks>[0-9]{1,10})(?P<strain>NT|[CDHS])?)",
    _FLAGS,
)
_DEALT = re.compile(r"(?P<seat>[NWSE]):(?P<cards>.+)", _FLAGS)
_ONE_SUIT = re.compile(r"(?P<suit>[CDHS])(?P<ranks>(10|[2-9TJQKA])+)", _FLAGS)
_CARD = re.compile(r"(?P<suit>[CDHS])(?P<rank>10|[2-9TJQKA])", _FLAGS)
_RANK = re.compile(r"10|[2-9TJQKA]", _FLAGS)
_HEX = re.compile(r"-|([0-9a-f]{2})+", _FLAGS)
# What a piece of a seed looks like: a run of hex or base64, or one of the groups that people split hex into.
_SEED_LIKE = re.compile(r"[0-9a-f]{4}|[0-9a-z+/_=-]{6}", _FLAGS)
_WORDS = {"pass": moves_pb2.CALL_KIND_PASS, "double": moves_pb2.CALL_KIND_DOUBLE}


class UnreadableWord(Exception):
    """What is wrong at a column of the line being read."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(message)
        self.column, self.message = column, message


@dataclass(frozen=True, slots=True)
class Token:
    """A word, and the column where it starts, from 1."""

    text: str
    column: int

    @property
    def word(self) -> str:
        """The text, whatever its case."""
        return self.text.lower()


class Tokens:
    """The words of a line, one after the other; a word that starts with ``#`` ends it."""

    def __init__(self, line: str) -> None:
        self.end = len(line.rstrip()) + 1
        self._tokens = list(self._read(line))
        self._next = 0

    @staticmethod
    def _read(line: str) -> Iterator[Token]:
        for match in _TOKEN.finditer(line):
            if match[0].startswith("#"):
                return
            yield Token(match[0], match.start() + 1)

    def peek(self) -> Token | None:
        """Return the next word without taking it; none at the end."""
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def take(self, expected: str) -> Token:
        """Take the next word; at the end of the line, say what was expected."""
        token = self.peek()
        if token is None:
            raise UnreadableWord(self.end, f"the line ends here: {expected}")
        self._next += 1
        return token

    def skip(self, word: str) -> bool:
        """Take the next word if it is this one."""
        token = self.peek()
        if token is None or token.word != word:
            return False
        self._next += 1
        return True


def read_hands(tokens: Tokens, hands: records_pb2.DealtHands) -> None:
    """Read four hands and the turned card, if there is one."""
    dealt: dict[int, list[int]] = {}
    while (token := tokens.peek()) is not None and token.word not in ("turned", "|"):
        tokens.take("")
        match = _DEALT.fullmatch(token.text)
        if match is None:
            message = f"{quoted(token.text)} is no hand: write seat and cards, as in N:SAK3,HT9"
            raise UnreadableWord(token.column, message)
        seat = seat_of(match["seat"].upper())
        if seat in dealt:
            raise UnreadableWord(token.column, f"{SEAT_NAMES[seat - 1]} has a hand already")
        dealt[seat] = _read_suits(match["cards"], token.column + 2)
    for number, name in enumerate(SEAT_NAMES, start=1):
        if number not in dealt:
            column = tokens.end if token is None else token.column
            raise UnreadableWord(column, f"{name}'s hand is missing: add {name[0]}:...")
        hands.hands.add(cards=_cards(sorted(dealt[number])))
    if tokens.skip("turned"):
        token = tokens.take("name the turned card, as in: turned D7")
        hands.turned_card = _card(_CARD.fullmatch(token.text), token)


def _read_suits(text: str, column: int) -> list[int]:
    if text == "-":
        return []
    cards = []
    for part in text.split(","):
        match = _ONE_SUIT.fullmatch(part)
        if match is None:
            message = f"{quoted(part)} is no suit with its ranks: write as in SAKT2, a comma between suits"
            raise UnreadableWord(column, message)
        cards += [_card_of(match["suit"], rank) for rank in _RANK.findall(match["ranks"])]
        column += len(part) + 1
    return cards


def read_deck(tokens: Tokens, deck: records_pb2.Deck) -> None:
    """Read the cards of a deck."""
    # So that an empty deck is one.
    deck.SetInParent()
    while (token := tokens.peek()) is not None and token.text != "|":
        tokens.take("")
        deck.cards.append(_card(_CARD.fullmatch(token.text), token))


def read_seed(tokens: Tokens, seeded: records_pb2.SeededDeal) -> None:
    """Read a seed, with commitment and cut if there are any."""
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
    if not _HEX.fullmatch(token.text):
        raise UnreadableWord(token.column, f"the {what} is no hex: write two digits a byte, without spaces")
    return b"" if token.text == "-" else bytes.fromhex(token.text)


def read_move(token: Token, move: moves_pb2.Move) -> None:
    """Read a move."""
    match = _MOVE.fullmatch(token.text)
    if match is None:
        message = f"{quoted(token.text)} is no move: write as in W:8, W:9NT, S:pass, E:double, E:=H or E:SA"
        raise UnreadableWord(token.column, message)
    move.seat = seat_of(match["seat"].upper())
    if match["revision"]:
        move.revision = _number(match["revision"], token)
    if match["suit"]:
        move.card = cards_pb2.Card.ValueType(_card_of(match["suit"], match["rank"]))
    elif match["trump"]:
        move.trump = _strain(match["trump"])
    elif match["word"]:
        move.call.kind = _WORDS[match["word"].lower()]
    else:
        move.call.kind = moves_pb2.CALL_KIND_BID
        move.call.tricks = _number(match["tricks"], token)
        move.call.strain = _strain(match["strain"] or "")


def _number(digits: str, token: Token) -> int:
    number = int(digits)
    if number >= _NUMBER_LIMIT:
        raise UnreadableWord(token.column, f"a number must be below {_NUMBER_LIMIT}")
    return number


def _card(match: re.Match[str] | None, token: Token) -> cards_pb2.Card.ValueType:
    if match is None:
        raise UnreadableWord(
            token.column, f"{quoted(token.text)} is no card: write suit and rank, as in SA or HT"
        )
    return cards_pb2.Card.ValueType(_card_of(match["suit"], match["rank"]))


def _card_of(suit: str, rank: str) -> int:
    return CARD_OF_TEXT[suit.upper() + ("T" if rank == "10" else rank.upper())]


def seat_of(letter: str) -> cards_pb2.Seat.ValueType:
    """Return the seat of its letter."""
    return cards_pb2.Seat.ValueType(SEAT_LETTERS.index(letter) + 1)


def _strain(text: str) -> cards_pb2.Strain.ValueType:
    return cards_pb2.Strain.ValueType(STRAIN_TEXT.index(text.upper()))


def _cards(values: Iterable[int]) -> list[cards_pb2.Card.ValueType]:
    return [cards_pb2.Card.ValueType(value) for value in values]


def no_token(tokens: Tokens, message: str = "nothing more belongs on this line: take it out") -> None:
    """Refuse a line that goes on."""
    token = tokens.peek()
    if token is not None:
        raise UnreadableWord(token.column, message)


def quoted(text: str) -> str:
    """Return a word of the text for a message: short, safe for a terminal, and never a piece of a seed.

    Where in a text a seed stands, and in what spelling, nobody knows once the text is wrong. So a word is
    repeated only when it can be no piece of one, whatever it was meant to be; all others are "this".
    """
    if len(text) > 8 or _SEED_LIKE.search(text):
        return "this"
    return "'" + "".join(char if char.isprintable() else "?" for char in text) + "'"


def deal_text(deal: records_pb2.Deal, path: str, problems: list[Problem]) -> str:
    """Return a deal as text; what has no text form is added to the problems."""
    match deal.WhichOneof("source"):
        case "hands":
            return _hands_text(deal.hands, f"{path}.hands", problems)
        case "deck":
            cards = [
                _card_text(card, f"{path}.deck.cards[{index}]", problems)
                for index, card in enumerate(deal.deck.cards)
            ]
            return " ".join(["deck", *cards])
        case "seeded":
            seeded = deal.seeded
            words = ["seed", seeded.seed.hex() or "-"]
            if seeded.commitment:
                words += ["commitment", seeded.commitment.hex()]
            if seeded.cut:
                words += ["cut", seeded.cut.hex()]
            return " ".join(words)
    problems.append(Problem(path, ProblemReason.MISSING, "must have one of seeded, deck and hands"))
    return ""


def move_text(move: moves_pb2.Move, path: str, problems: list[Problem]) -> str:
    """Return a move as text; what has no text form is added to the problems."""
    revision = f"@{move.revision}" if move.HasField("revision") else ""
    start = f"{seat_text(move.seat, f'{path}.seat', problems)[:1]}{revision}:"
    match move.WhichOneof("action"):
        case "card":
            return start + _card_text(move.card, f"{path}.card", problems)
        case "trump":
            if not move.trump:
                problems.append(Problem(f"{path}.trump", ProblemReason.MISSING, "must be a strain"))
            return f"{start}={_strain_text(move.trump, f'{path}.trump', problems)}"
        case "call":
            return start + _call_text(move.call, f"{path}.call", problems)
    problems.append(Problem(path, ProblemReason.MISSING, "must have one of call, trump and card"))
    return ""


def seat_text(number: int, path: str, problems: list[Problem]) -> str:
    """Return the name of a seat; a number that is none is added to the problems."""
    problem = seat_problem(path, number)
    if problem is None:
        return SEAT_NAMES[number - 1]
    problems.append(problem)
    return ""


def _hands_text(hands: records_pb2.DealtHands, path: str, problems: list[Problem]) -> str:
    if len(hands.hands) != len(SEAT_NAMES):
        message = f"must have four hands, not {len(hands.hands)}"
        problems.append(Problem(f"{path}.hands", ProblemReason.WRONG_COUNT, message))
    words = ["hands"]
    for seat, hand in enumerate(hands.hands[: len(SEAT_NAMES)]):
        suits: dict[str, list[int]] = {}
        # From the highest down, spades first, as people sort a hand.
        for index, card in sorted(enumerate(hand.cards), key=lambda item: -item[1]):
            text = _card_text(card, f"{path}.hands[{seat}].cards[{index}]", problems)
            suits.setdefault(text[:1], []).append(card)
        parts = [
            suit + "".join(CARD_TEXT.get(card, " ?")[1] for card in cards) for suit, cards in suits.items()
        ]
        words.append(f"{SEAT_LETTERS[seat]}:{','.join(parts) or '-'}")
    if hands.turned_card:
        words += ["turned", _card_text(hands.turned_card, f"{path}.turned_card", problems)]
    return " ".join(words)


def _call_text(call: moves_pb2.Call, path: str, problems: list[Problem]) -> str:
    if call.kind == moves_pb2.CALL_KIND_BID:
        return f"{call.tricks}{_strain_text(call.strain, f'{path}.strain', problems)}"
    words = [word for word, kind in _WORDS.items() if call.kind == kind]
    if not words:
        message = "must be a bid, a pass or a double"
        problems.append(Problem(f"{path}.kind", ProblemReason.UNKNOWN_VALUE, message))
    elif call.tricks or call.strain:
        problems.append(Problem(path, ProblemReason.UNEXPECTED, "only a bid has tricks and a strain"))
    return "".join(words)


def _card_text(card: int, path: str, problems: list[Problem]) -> str:
    if card not in CARD_TEXT:
        problems.append(unknown_card(path))
    return CARD_TEXT.get(card, "")


def _strain_text(strain: int, path: str, problems: list[Problem]) -> str:
    if 0 <= strain < len(STRAIN_TEXT):
        return STRAIN_TEXT[strain]
    problems.append(Problem(path, ProblemReason.UNKNOWN_VALUE, "is no strain"))
    return ""
