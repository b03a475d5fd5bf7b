"""The states of a game, one type a phase, so that nothing is "only set when".

None can be changed: applying a move makes a new one, and so does taking one back. A value of these types
is *checked*: it was made by the rules, or ``check.check`` has derived it from what was dealt.

They are named tuples, where the rest of the engine has frozen dataclasses: every call of the service makes a
dozen or more, and a frozen dataclass of seven fields takes 3.5 times as long to make.
"""

from enum import IntEnum
from typing import NamedTuple

from tarneeb_service.engine.moves import Bid, Call
from tarneeb_service.engine.rules import RuleSet

Scores = tuple[int, ...]

# The last revision, and the last number of a hand: what a signed number of 32 bits holds in every language.
LAST_NUMBER = 2**31 - 1


class Phase(IntEnum):
    """What a game waits for; the numbers are those of ``game.proto``."""

    AWAITING_DEAL = 1
    AUCTION = 2
    NAMING_TRUMP = 3
    PLAY = 4
    GAME_OVER = 5


class HandEnd(IntEnum):
    """Why a hand ended."""

    SCORED = 1
    ALL_PASSED = 2
    LOW_TOTAL = 3
    FORFEITED = 4


class WinReason(IntEnum):
    """What won a game."""

    TARGET = 1
    SWEEP = 2


class Header(NamedTuple):
    """What never changes during a game."""

    id: str
    preset_id: str
    rules: RuleSet


class Deal(NamedTuple):
    """What is given at the start of a hand; ``dealt`` has a mask a seat, ``turned`` a card or none."""

    number: int
    dealer: int
    scores_before: Scores
    dealt: tuple[int, int, int, int]
    turned: int | None


class Bidding(NamedTuple):
    """How far the auction has come; everything but the dealer follows from ``calls``."""

    turn: int
    calls: tuple[Call, ...] = ()
    high: Bid | None = None
    # Seats whose double counts, or may again, should they hold the bid when the auction ends; as bits (A10).
    doubled_seats: int = 0
    # Seats that are out, as bits (A2).
    passed: int = 0
    # Passes in a row, doubles included (A9, A10).
    passes: int = 0

    @property
    def doubled(self) -> bool:
        """Whether a double lies on the highest bid."""
        return self.high is not None and bool(self.doubled_seats >> self.high.seat & 1)


class Contract(NamedTuple):
    """The bid that won a competitive auction."""

    declarer: int
    tricks: int
    strain: int | None
    doubled: bool


class ScoreLine(NamedTuple):
    """What a hand brought one side, a team or a seat by its index, and the ids of the rules that gave the points."""

    side: int
    bid: int | None
    tricks: int
    points: int
    made: bool | None
    rule_ids: tuple[str, ...] = ()


class HandResult(NamedTuple):
    """How a hand ended; ``offender`` is the seat that revoked in a forfeited hand."""

    end: HandEnd
    lines: tuple[ScoreLine, ...] = ()
    offender: int | None = None


class Outcome(NamedTuple):
    """Which team won the game, which lost it (E1), by what, and the seats that won it where scores are theirs (W5)."""

    winner: int
    loser: int
    reason: WinReason
    winning_seats: tuple[int, ...] = ()


class Play(NamedTuple):
    """The card play of a hand; ``holdings`` are masks, ``played`` is flat and in order of play."""

    calls: tuple[Call, ...]
    contract: Contract | None
    trump: int
    opening_leader: int
    holdings: tuple[int, int, int, int]
    played: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def leader(self) -> int:
        """Who leads the trick on the table."""
        return self.winners[-1] if self.winners else self.opening_leader

    @property
    def trick(self) -> tuple[int, ...]:
        """The cards on the table, from the leader on."""
        return self.played[4 * len(self.winners) :]

    @property
    def turn(self) -> int:
        """Who plays next."""
        return (self.leader + len(self.played) - 4 * len(self.winners)) % 4

    def tricks_of(self, seat: int) -> int:
        """Return how many tricks a seat has taken."""
        return self.winners.count(seat)


class EndedHand(NamedTuple):
    """A hand that is over. ``play`` is none when it was void before a card was played."""

    deal: Deal
    calls: tuple[Call, ...]
    play: Play | None
    result: HandResult


class AwaitingDeal(NamedTuple):
    """Between hands."""

    header: Header
    revision: int
    scores: Scores
    next_dealer: int
    last: EndedHand | None

    @property
    def next_number(self) -> int:
        """The number of the hand that is dealt next; void hands count."""
        return (self.last.deal.number if self.last else 0) + 1


class InAuction(NamedTuple):
    """A hand that is bid for."""

    header: Header
    revision: int
    deal: Deal
    bidding: Bidding


class NamingTrump(NamedTuple):
    """The auction is won; the declarer names trump."""

    header: Header
    revision: int
    deal: Deal
    calls: tuple[Call, ...]
    contract: Contract


class InPlay(NamedTuple):
    """A hand whose cards are played."""

    header: Header
    revision: int
    deal: Deal
    play: Play


class GameOver(NamedTuple):
    """A game that was won."""

    header: Header
    revision: int
    scores: Scores
    last: EndedHand
    outcome: Outcome


State = AwaitingDeal | InAuction | NamingTrump | InPlay | GameOver

_PHASES = {
    AwaitingDeal: Phase.AWAITING_DEAL,
    InAuction: Phase.AUCTION,
    NamingTrump: Phase.NAMING_TRUMP,
    InPlay: Phase.PLAY,
    GameOver: Phase.GAME_OVER,
}


def phase_of(state: State) -> Phase:
    """Return what the game waits for."""
    return _PHASES[type(state)]


def seat_to_act(state: State) -> int | None:
    """Return who moves next, or none when the game waits for no move."""
    match state:
        case InAuction():
            return state.bidding.turn
        case NamingTrump():
            return state.contract.declarer
        case InPlay():
            return state.play.turn
    return None


def scores_of(state: State) -> Scores:
    """Return the scores as they stand."""
    match state:
        case AwaitingDeal() | GameOver():
            return state.scores
        case _:
            return state.deal.scores_before


def deal_of(state: State) -> Deal | None:
    """Return the deal of the current hand, ended or not; none before the first."""
    match state:
        case AwaitingDeal() | GameOver():
            return state.last.deal if state.last else None
        case _:
            return state.deal


def play_of(state: State) -> Play | None:
    """Return the card play of the current hand, over or not; none before its first lead."""
    match state:
        case InPlay(play=play):
            return play
        case AwaitingDeal(last=last) | GameOver(last=last) if last is not None:
            return last.play
    return None


def calls_of(state: State) -> tuple[Call, ...]:
    """Return the calls of the current hand."""
    match state:
        case InAuction(bidding=bidding):
            return bidding.calls
        case NamingTrump(calls=calls):
            return calls
        case InPlay(play=play):
            return play.calls
        case AwaitingDeal(last=last) | GameOver(last=last) if last is not None:
            return last.calls
    return ()


def result_of(state: State) -> HandResult | None:
    """Return how the current hand ended; none while it is played and before the first."""
    match state:
        case AwaitingDeal() | GameOver():
            return state.last.result if state.last else None
        case _:
            return None
