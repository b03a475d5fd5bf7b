"""Stands for a backend's database: one row a game, replaced only at the revision that was read."""

from typing import NamedTuple


class Row(NamedTuple):
    """What is stored of a game: the bytes as they came, and the revision beside them."""

    snapshot: bytes
    revision: int


class Store:
    """Rows by the id of the game."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}

    def add(self, game_id: str, row: Row) -> None:
        self._rows[game_id] = row

    def load(self, game_id: str) -> Row:
        return self._rows[game_id]

    def replace(self, game_id: str, row: Row, read_at: int) -> bool:
        """As `UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?`."""
        if self.load(game_id).revision != read_at:
            return False
        self.add(game_id, row)
        return True
