"""A section of vectors, and what is checked while it is written.

Expected values are stated by whoever writes a vector. The oracle plays every setup too, and must agree with
what is expected of a move, of a list of legal moves and of a score; where it does not, nothing is written.
"""

import copy
import json
import re
from typing import Any

from conformance.runner import deal_json, move_json, value_at
from conformance.statements.follows import CALL_REASONS, instead, still, void, won
from conformance.statements.layout import shortened
from conformance.statements.notation import seat
from conformance.statements.positions import Setup, oracle_game, oracle_move, result_told
from conformance.statements.tables import options, parameter, plain, position_of, rows

JSON = Any


class Disagreement(AssertionError):
    """What a vector expects is not what the oracle says."""


class Section:
    """The vectors of one file."""

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = name, about
        self.deals: dict[str, dict[str, str]] = {}
        self.vectors: list[dict[str, JSON]] = []

    def add(
        self,
        slug: str,
        title: str,
        shows: str,
        rpc: str,
        request: JSON,
        expect: JSON,
        setup: Setup | None = None,
        **more: JSON,
    ) -> None:
        """Write a vector down; `shows` names rules (`A3`) and recorded cases (`C20`)."""
        named = shows.split()
        cases = [name for name in named if re.fullmatch(r"C\d\d+", name)]
        rules = [name for name in named if name not in cases]
        vector: dict[str, JSON] = {"id": f"{self.name}-{slug}", "title": title}
        if rules:
            vector["rules"] = rules
        if cases:
            vector["cases"] = cases
        vector["rpc"] = rpc
        if setup is not None:
            vector["setup"] = copy.deepcopy(setup.json)
            for name, holdings in setup.deals.items():
                if self.deals.setdefault(name, holdings) != holdings:
                    raise ValueError(f"two deals are called {name}")
        if request is not None:
            vector["request"] = request
        self.vectors.append({**vector, **more, "expect": expect})

    def state(self, text: str, **named: Setup) -> None:
        """State what follows from positions: `slug | rules and cases | title | position | what`.

        `may 8 9 P`: these moves and no others are legal. `S:7 refused BID_TOO_LOW A1 lowest_bid=10`: with this rule and
        these parameters. `S:8 goes on E`: the auction, with East. `S:P wins E 8`: it is over, and who has won it with
        what. `N:P void ALL_PASSED W [0,0]`: the hand is, West deals next, and the scores. `W:C2 leads to path=value …`:
        it is accepted, and these fields follow.
        """
        for slug, shows, title, position, what in rows(text, 5):
            setup = position_of(position, named)
            move, verb, *rest = what.split()
            fields: dict[str, JSON] | None = None
            match move, verb, rest:
                case "may", _, _:
                    self.legal(slug, title, shows, setup, what.removeprefix("may "))
                case _, "refused", [reason, rule, *words]:
                    parameters = {name: parameter(name, value) for name, value in options(words).items()}
                    self.refused(slug, title, shows, setup, move, reason, rule, **parameters)
                case _, "goes", ["on", turn]:
                    fields = still(turn)
                case _, "wins", [declarer, bid]:
                    fields = won(declarer, bid.removesuffix("X"), doubled=bid.endswith("X"))
                case _, "void", [end, dealer, scores]:
                    fields = void(end, dealer, plain(scores))
                case _, "leads", ["to", *words]:
                    fields = options(words)
                case _:
                    raise ValueError(f"{slug}: {what}")
            if fields is not None:
                self.accepted(slug, title, shows, setup, move, fields)

    def legal(self, slug: str, title: str, shows: str, setup: Setup, moves: str, **more: JSON) -> None:
        """The legal moves are these and no others, in this order."""
        turn = "NWSE"[setup.referee.turn] if setup.referee.turn is not None else ""
        stated = [f"{turn}:{move}" for move in moves.split()]
        if [oracle_move(move) for move in stated] != setup.referee.legal():
            raise Disagreement(f"{self.name}-{slug}: the oracle lists {setup.referee.legal()}")
        response = {"seat_to_act": seat(turn), "moves": [move_json(move) for move in stated]} if turn else {}
        expect = {"response": response}
        self.add(slug, title, shows, "ListLegalMoves", {"game": "$game"}, expect, setup, **more)

    def refused(
        self,
        slug: str,
        title: str,
        shows: str,
        setup: Setup,
        move: str,
        reason: str,
        rule: str,
        **parameters: JSON,
    ) -> None:
        """A move is refused for a reason, with these parameters and no others.

        What a refused call tells of the calls that would do is the oracle's; a row may state it too.
        """
        if reason in CALL_REASONS:
            told = instead(setup.referee.legal())
            for name in told.keys() & parameters.keys():
                if told[name] != parameters[name] and (reason, name) != ("BID_BARRED", "barred_bids"):
                    raise Disagreement(f"{self.name}-{slug}: {name} is {told[name]} for the oracle")
            parameters = {**told, **parameters}
        if "revision" not in parameters:
            self._oracle_refuses(slug, setup, move)
        made_for = {"revision": parameters.pop("revision")} if "revision" in parameters else {}
        request = {"game": "$game", "move": {**move_json(move), **made_for}}
        verdict = {
            "ruling": "RULING_REFUSED",
            "reason": f"REFUSAL_REASON_{reason}",
            "rule_id": rule,
            **parameters,
        }
        # Through ApplyMove, whose answer to a refusal is the verdict and nothing else.
        self.add(slug, title, shows, "ApplyMove", request, {"response": {"verdict": verdict}}, setup)

    def accepted(
        self,
        slug: str,
        title: str,
        shows: str,
        setup: Setup,
        move: str,
        fields: dict[str, JSON],
        **more: JSON,
    ) -> None:
        """A move is accepted, and these fields of the answer follow."""
        referee = copy.deepcopy(setup.referee)
        referee.move("NWSE".index(move[0]), oracle_move(move))
        known = {"game": oracle_game(referee, setup.steps + 1)}
        self._compare(slug, fields, known)
        ruling = fields.get("verdict.ruling", "RULING_LEGAL")
        expect = {"fields": {"verdict.ruling": ruling, **fields}}
        request = {"game": "$game", "move": move_json(move)}
        self.add(slug, title, shows, "ApplyMove", request, expect, setup, **more)

    def told(self, setup: Setup, move: str, result: JSON) -> JSON:
        """A stored result as the event of the move that ends the hand tells it."""
        referee = copy.deepcopy(setup.referee)
        referee.move("NWSE".index(move[0]), oracle_move(move))
        return result_told(result, referee)

    def dealt(
        self, slug: str, title: str, shows: str, setup: Setup, fields: dict[str, JSON], **more: JSON
    ) -> None:
        """The last deal of a setup is made, and these fields of the answer follow."""
        known = {"game": oracle_game(setup.referee, setup.steps)}
        self._compare(slug, fields, known)
        before = Setup.__new__(Setup)
        before.json = {**setup.json, "hands": setup.json["hands"][:-1]}
        if not before.json["hands"]:
            del before.json["hands"]
        before.deals = setup.deals
        # Spelled out, since a request is plain proto JSON.
        deal = deal_json(setup.json["hands"][-1], setup.deals)
        if isinstance(setup.json["hands"][-1]["deal"], str):
            used = {hand["deal"] for hand in before.json.get("hands", ()) if isinstance(hand["deal"], str)}
            before.deals = {name: setup.deals[name] for name in used}
        request = {"game": "$game", "deal": deal}
        self.add(slug, title, shows, "DealHand", request, {"fields": fields}, before, **more)

    def invalid(
        self,
        slug: str,
        title: str,
        shows: str,
        rpc: str,
        request: JSON,
        violations: str,
        setup: Setup | None = None,
        **more: JSON,
    ) -> None:
        """The call fails with these violations, as in `game.id MISSING, move.card UNKNOWN_VALUE`."""
        status: dict[str, JSON] = {"code": "INVALID_ARGUMENT", "reason": "INVALID_REQUEST"}
        status["violations"] = problems(violations)
        if "problems" in more:
            status["problems"] = more.pop("problems")
        self.add(slug, title, shows, rpc, request, {"status": status}, setup, **more)

    def _oracle_refuses(self, slug: str, setup: Setup, move: str) -> None:
        try:
            copy.deepcopy(setup.referee).move("NWSE".index(move[0]), oracle_move(move))
        except ValueError:
            return
        raise Disagreement(f"{self.name}-{slug}: the oracle accepts {move}")

    def _compare(self, slug: str, fields: dict[str, JSON], known: JSON) -> None:
        for path, value in fields.items():
            parent, _, name = path.rpartition(".")
            if name.split("[")[0] in (value_at(known, parent) or {}) and value_at(known, path) != value:
                told = json.dumps(value_at(known, path))
                raise Disagreement(
                    f"{self.name}-{slug}: {path} is {told} for the oracle, not {json.dumps(value)}"
                )

    def document(self) -> JSON:
        return {
            "$schema": "./schema.json",
            "section": self.name,
            "about": self.about,
            **({"deals": self.deals} if self.deals else {}),
            "vectors": [shortened(vector) for vector in self.vectors],
        }


def problems(text: str) -> list[JSON]:
    """Problems as in `game.id MISSING, move.card UNKNOWN_VALUE`."""
    pairs = [item.split() for item in text.split(",") if item.strip()]
    return [{"path": path, "reason": reason} for path, reason in pairs]
