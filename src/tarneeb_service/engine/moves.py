"""What a seat can do. A move says nothing about whether it is legal; ``game.judge`` does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bid:
    """A promise of tricks, with a strain under rules where trump is in the bid (A1, A8, A12)."""

    seat: int
    tricks: int
    strain: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """No bid (A1, A9)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Double:
    """A pass that doubles the points of the highest bid (A10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The declarer's choice of trump (A7, T1)."""

    seat: int
    strain: int


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A card laid on the table (C5)."""

    seat: int
    card: int


Call = Bid | Pass | Double
Move = Bid | Pass | Double | NameTrump | PlayCard


def bid_text(tricks: int, strain: int | None) -> str:
    """Return a bid as people write it: ``8``, ``8H``, ``8NT``."""
    return f"{tricks}{('', 'C', 'D', 'H', 'S', 'NT')[strain or 0]}"
