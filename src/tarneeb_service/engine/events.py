"""What happened, in order: public facts only, fit for the whole table."""

from dataclasses import dataclass

from tarneeb_service.engine.moves import Call, Move
from tarneeb_service.engine.state import Contract, HandResult, Outcome, Scores


@dataclass(frozen=True, slots=True)
class HandDealt:
    """The cards were dealt; ``trump`` where the rules settle it with the deal (T3 to T5)."""

    hand_number: int
    dealer: int
    turned: int | None
    trump: int | None


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call was made."""

    call: Call


@dataclass(frozen=True, slots=True)
class AuctionWon:
    """The auction was won."""

    contract: Contract


@dataclass(frozen=True, slots=True)
class TrumpNamed:
    """The declarer named trump."""

    seat: int
    strain: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick is complete; ``number`` is 1 to 13."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class HandEnded:
    """The hand ended; ``scores`` are those after it."""

    hand_number: int
    result: HandResult
    scores: Scores


@dataclass(frozen=True, slots=True)
class GameWon:
    """The game was won."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class MoveUndone:
    """A move was taken back; ``reopened`` when it had ended the hand."""

    hand_number: int
    move: Move
    reopened: bool


Event = (
    HandDealt | CallMade | AuctionWon | TrumpNamed | CardPlayed | TrickWon | HandEnded | GameWon | MoveUndone
)
