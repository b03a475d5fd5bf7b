"""A card play that changes in place, for whoever plays very many: searches, calibration, random hands.

``play.playable`` and ``play.after`` say the same of every card, and cost eleven times as much.

>>> from tarneeb_service.engine.cards import CARD_OF_TEXT, SPADES, SUIT_MASK, cards_of, cards_text
>>> from tarneeb_service.engine.presets import resolve
>>> north, west, south, east = range(4)
>>> clubs, diamonds, hearts, spades = SUIT_MASK[1:5]
>>> start = Play((), None, SPADES, north, (clubs, diamonds, hearts, spades))
>>> line = Line(resolve("saharat_classic", {}), start)
>>> for text in ("CA", "D2", "HA", "S2"):
...     line.play(CARD_OF_TEXT[text])
>>> line.turn == line.winners[0] == east
True
>>> cards_text(cards_of(line.playable))
'S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA'
"""

from tarneeb_service.engine.cards import DECK, SUIT_MASK
from tarneeb_service.engine.play import playable
from tarneeb_service.engine.rules import RuleSet
from tarneeb_service.engine.state import Play

# Indexed by card. A tuple, as it is found faster than in a dictionary: three hands more in a hundred.
_BIT = tuple(1 << number for number in range(DECK[-1] + 1))


class Line:
    """One line of play, from a position on. Read what you like; only ``play`` may change it.

    A revoke ends a hand, so there is none in a line, whatever the rules say of it. Nothing is taken back: a copy
    made before costs as much as two or three cards.

    Attributes:
        trump: The strain that is trump.
        holdings: What the seats hold, as masks.
        played: The cards in order of play.
        winners: Who took the tricks that are complete.
        leader: Who leads the trick on the table, or the next.
        turn: Who plays next.
        playable: The mask of the cards he may play (C5, T6); 0 when the hand is over.
        top: The card that takes the trick on the table, as it lies; 0 when the table is empty.
        taker: Who played it; the leader when the table is empty.
    """

    __slots__ = (
        "_asked",
        "_start",
        "holdings",
        "leader",
        "playable",
        "played",
        "taker",
        "top",
        "trump",
        "turn",
        "winners",
    )

    def __init__(self, rules: RuleSet, start: Play) -> None:
        """Begin where a play stands, be it in the middle of a trick."""
        trick, leader = start.trick, start.leader
        self._start = start
        self.trump = start.trump
        self.holdings = [*start.holdings]
        self.played = [*start.played[: 4 * len(start.winners)]]
        self.winners = [*start.winners]
        self.turn = self.leader = self.taker = leader
        self.top = self._asked = 0
        if trick:
            # It is taken up and played again, so that what is known of it is found out in one place.
            for index, card in enumerate(trick):
                self.holdings[(leader + index) % 4] |= _BIT[card]
            for card in trick:
                self.play(card)
        else:
            self.playable = playable(rules, start)

    def play(self, card: int) -> None:
        """Play a card of ``playable`` for the seat to act; another one makes a line that means nothing."""
        turn, holdings = self.turn, self.holdings
        holdings[turn] ^= _BIT[card]
        self.played.append(card)
        top = self.top
        if not top:
            self._asked = SUIT_MASK[card >> 4]
            self.top = card
        # Numbers of one suit differ in their last four bits alone, and rise with the rank.
        elif card > top if card ^ top < 16 else card >> 4 == self.trump:
            self.top = card
            self.taker = turn
        turn = turn + 1 & 3
        if turn == self.leader:
            self.top = 0
            self.turn = self.leader = turn = self.taker
            self.winners.append(turn)
            self.playable = holdings[turn]
        else:
            self.turn = turn
            holding = holdings[turn]
            self.playable = holding & self._asked or holding

    def copy(self) -> "Line":
        """Return a line that goes its own way from here."""
        other = object.__new__(Line)
        other._start = self._start
        other.trump = self.trump
        other.holdings = self.holdings[:]
        other.played = self.played[:]
        other.winners = self.winners[:]
        other.leader = self.leader
        other.turn = self.turn
        other.playable = self.playable
        other.top = self.top
        other.taker = self.taker
        other._asked = self._asked
        return other

    def to_play(self) -> Play:
        """Return the play as it stands, a value that never changes."""
        north, west, south, east = self.holdings
        return self._start._replace(
            holdings=(north, west, south, east), played=tuple(self.played), winners=tuple(self.winners)
        )
