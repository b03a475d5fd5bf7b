"""Who sits at the table and who looks on: each has the last view that was sent to it, and nothing else."""

from collections.abc import Callable, Iterable
from hashlib import sha256

from program import text
from tarneeb.v1 import cards_pb2
from tarneeb.v1.views_pb2 import GameView, Viewer

VIEWERS = [
    Viewer.VIEWER_NORTH,
    Viewer.VIEWER_WEST,
    Viewer.VIEWER_SOUTH,
    Viewer.VIEWER_EAST,
    Viewer.VIEWER_SPECTATOR,
]
SPECTATOR = Viewer.VIEWER_SPECTATOR


class Seats:
    """The five viewers of a game."""

    def __init__(self, log: Callable[[str], None]) -> None:
        """Every view is told to ``log`` too, as a line."""
        self._log = log
        self._views: dict[int, GameView] = {}
        self._digests = {viewer: sha256() for viewer in VIEWERS}

    def send(self, views: Iterable[GameView]) -> None:
        for view in views:
            self._views[view.viewer] = view
            line = text.view(view)
            self._digests[view.viewer].update(f"{line}\n".encode())
            self._log(line)

    def view_of(self, viewer: int) -> GameView:
        return self._views[viewer]

    @property
    def public(self) -> GameView:
        """What everybody may know."""
        return self._views[SPECTATOR]

    @property
    def to_act(self) -> cards_pb2.Seat.ValueType:
        return self.public.seat_to_act

    def digests(self) -> str:
        """A line of all that was sent since the last one."""
        told = [f"{text.SEATS[viewer]} {digest.hexdigest()[:16]}" for viewer, digest in self._digests.items()]
        self._digests = {viewer: sha256() for viewer in VIEWERS}
        return f"views {' '.join(told)}"
