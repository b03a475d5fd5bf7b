"""A refusal said to its mover in his language, from reason and parameters; never from the English message."""

import json
import re
from pathlib import Path
from typing import Any

from program.text import RANKS, SEATS, STRAINS
from tarneeb.v1.game_pb2 import Phase
from tarneeb.v1.moves_pb2 import CALL_KIND_BID, Move
from tarneeb.v1.verdicts_pb2 import RefusalReason, Verdict


class Words:
    """A table as clients/words/ar.json."""

    def __init__(self, path: Path) -> None:
        self._table: dict[str, Any] = json.loads(path.read_text("utf-8"))

    def refusal(self, move: Move, verdict: Verdict) -> str:
        """The first sentence for the reason whose places all have a value."""
        reason = RefusalReason.Name(verdict.reason).removeprefix("REFUSAL_REASON_")
        values = self._values(move, verdict)
        for sentence in self._table["refusals"][reason]:
            if set(re.findall(r"{(\w+)}", sentence)) <= values.keys():
                return str(sentence.format_map(values))
        raise KeyError(f"no sentence fits {reason}")

    def _values(self, move: Move, verdict: Verdict) -> dict[str, str]:
        """What each place of a sentence stands for; what is not there has no value."""
        table = self._table
        values = {"seat": self._seat(move.seat)}
        if move.HasField("revision"):
            values["made_for"] = str(move.revision)
        if move.WhichOneof("action") == "card":
            values["card"] = self._card(move.card)
        if move.call.kind == CALL_KIND_BID:
            values["bid"] = self._bid(move.call.tricks, move.call.strain)
        if verdict.game_revision:
            values["game_revision"] = str(verdict.game_revision)
        if verdict.highest_bid:
            values["highest_bid"] = str(verdict.highest_bid)
        if verdict.phase:
            values["phase"] = table["phases"][Phase.Name(verdict.phase).removeprefix("PHASE_").lower()]
        if verdict.seat_to_act:
            values["seat_to_act"] = self._seat(verdict.seat_to_act)
        if verdict.bid_holder:
            values["bid_holder"] = self._seat(verdict.bid_holder)
        if verdict.HasField("lowest_bid"):
            values["lowest_bid"] = self._bid(verdict.lowest_bid.tricks, verdict.lowest_bid.strain)
        if verdict.barred_bids:
            values["barred_bids"] = table["separator"].join(map(str, verdict.barred_bids))
        if verdict.led_suit:
            values["led_suit"] = table["strains"][STRAINS[verdict.led_suit]]
        if verdict.trump:
            values["trump"] = table["strains"][STRAINS[verdict.trump]]
        if verdict.playable_cards:
            values["playable_cards"] = table["separator"].join(map(self._card, verdict.playable_cards))
        return values

    def _seat(self, seat: int) -> str:
        return str(self._table["seats"][SEATS[seat]])

    def _card(self, card: int) -> str:
        rank, suit = self._table["ranks"][RANKS[card & 15]], self._table["strains"][STRAINS[card >> 4]]
        return str(self._table["card"]).format(rank=rank, suit=suit)

    def _bid(self, tricks: int, strain: int) -> str:
        if not strain:
            return str(tricks)
        return str(self._table["bid"]).format(tricks=tricks, strain=self._table["strains"][STRAINS[strain]])
