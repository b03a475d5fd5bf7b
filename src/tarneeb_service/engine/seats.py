"""Seats and teams.

Seats are 0 to 3 in order of play, counter-clockwise: North, West, South, East (C2). A seat's team is
``seat % 2``: 0 for North and South, 1 for West and East.
"""

SEATS = (0, 1, 2, 3)
SEAT_NAMES = ("North", "West", "South", "East")
TEAM_NAMES = ("North–South", "West–East")


def next_seat(seat: int) -> int:
    """Return the seat at the right, which plays next (C2)."""
    return (seat + 1) % 4


def seat_before(seat: int) -> int:
    """Return the seat at the left, which plays before (C2)."""
    return (seat - 1) % 4


def partner(seat: int) -> int:
    """Return the seat opposite (C1)."""
    return (seat + 2) % 4
