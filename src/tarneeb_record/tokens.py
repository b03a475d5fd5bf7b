"""The words of a record's text, and the names that reading and writing share.

No message of an error repeats a seed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tarneeb.v1 import moves_pb2
from tarneeb_record.names import SEAT_NAMES

MAGIC, VERSION = "tarneeb-record", "1"
FIRST_LINE = f"{MAGIC} {VERSION}"
SEAT_LETTERS = tuple(name[0] for name in SEAT_NAMES)
STRAIN_TEXT = ("", "C", "D", "H", "S", "NT")
CALL_WORDS = {"pass": moves_pb2.CALL_KIND_PASS, "double": moves_pb2.CALL_KIND_DOUBLE}

_FLAGS = re.ASCII | re.IGNORECASE
HAND_NUMBER = re.compile(r"[0-9]{1,4}")
NUMBER = re.compile(r"[0-9]{1,10}")
PRESET = re.compile(r"[A-Za-z0-9_]+")
MOVE = re.compile(
    r"(?P<seat>[NWSE])(@(?P<revision>[0-9]{1,10}))?:"
    r"((?P<word>pass|double)|=(?P<trump>NT|[CDHS])|(?P<suit>[CDHS])(?P<rank>10|[2-9TJQKA])"
    r"|(?P<tricks>[0-9]{1,10})(?P<strain>NT|[CDHS])?)",
    _FLAGS,
)
DEALT = re.compile(r"(?P<seat>[NWSE]):(?P<cards>.+)", _FLAGS)
ONE_SUIT = re.compile(r"(?P<suit>[CDHS])(?P<ranks>(10|[2-9TJQKA])+)", _FLAGS)
CARD = re.compile(r"(?P<suit>[CDHS])(?P<rank>10|[2-9TJQKA])", _FLAGS)
RANK = re.compile(r"10|[2-9TJQKA]", _FLAGS)
HEX = re.compile(r"-|([0-9a-f]{2})+", _FLAGS)
_TOKEN = re.compile(r"[|/]|[^\s|/]+")
# What a piece of a seed looks like: a run of hex or base64, or one of the groups that people split hex into.
_SEED_LIKE = re.compile(r"[0-9a-f]{4}|[0-9a-z+/_=-]{6}", _FLAGS)


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
