"""A game as it is stored: any values, and nobody vouches for them; ``check.check`` makes a state of them.

Everything here is a plain number or none: no type of ``state`` is ever built around what was not checked.
Seats and teams are counted from 0, strains and cards are those of ``cards``, and unset is none.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tarneeb_service.engine.moves import Bid, Call, Double, Pass
from tarneeb_service.engine.state import Header

BID, PASS, DOUBLE = 1, 2, 3


class RawCall(NamedTuple):
    """A call: ``kind`` is ``BID``, ``PASS`` or ``DOUBLE``; zero is unset."""

    seat: int | None
    kind: int
    tricks: int
    strain: int


class RawHand(NamedTuple):
    """What was given and done in a hand."""

    scores_before: tuple[int, ...]
    dealt: tuple[Sequence[int], ...]
    turned: int | None
    calls: tuple[RawCall, ...]
    played: tuple[int, ...]


class RawContract(NamedTuple):
    """A contract."""

    declarer: int | None
    tricks: int
    strain: int | None
    doubled: bool


class RawScoreLine(NamedTuple):
    """What a hand brought one side; the ids of rules are never stored."""

    side: int | None
    bid: int | None
    tricks: int
    points: int
    made: bool | None
    rule_ids: tuple[str, ...] = ()


class RawResult(NamedTuple):
    """How a hand ended."""

    end: int | None
    lines: tuple[RawScoreLine, ...]
    offender: int | None


class RawOutcome(NamedTuple):
    """Who won the game, who lost it, and by what."""

    winner: int | None
    loser: int | None
    reason: int | None
    winning_seats: tuple[int, ...] = ()


class RawDerived(NamedTuple):
    """What the snapshot says of all that follows from what was given, in the order of ``Derived``."""

    scores: tuple[int, ...]
    next_dealer: int | None
    phase: int | None
    seat_to_act: int | None
    outcome: RawOutcome | None
    contract: RawContract | None
    trump: int | None
    opening_leader: int | None
    trick_winners: tuple[int, ...]
    result: RawResult | None


class Snapshot(NamedTuple):
    """A game; its header is that of a game, since whoever reads one reads sound rules or none."""

    header: Header
    revision: int
    hand_number: int
    dealer: int | None
    hand: RawHand | None
    derived: RawDerived


def call_of(seat: int, kind: int, tricks: int, strain: int) -> Call:
    """Return a call whose words ``check_parts`` found sound."""
    if kind == BID:
        return Bid(seat, tricks, strain or None)
    return Pass(seat) if kind == PASS else Double(seat)
