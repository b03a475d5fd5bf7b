"""Positions to reach, and the same played by the oracle."""

import base64
import copy
from typing import Any

from conformance.statements import fair
from conformance.statements.notation import CLASSIC, ONE_SUIT_EACH, choice, dealt_to_order, right_of, seat
from tests.oracle.hands import arranged_tricks, takers_of
from tests.oracle.referee import Referee
from tests.oracle.rule_sets import RULE_SETS

JSON = Any


SISTER = {"H": "D", "D": "H", "S": "C", "C": "S"}

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "N": "no_trump"}


PHASES = {"awaiting_deal": "AWAITING_DEAL", "naming_trump": "NAMING_TRUMP", "game_over": "GAME_OVER"}


class Setup:
    """A position to reach: rules, first dealer, scores, hands; and the same played by the oracle."""

    def __init__(
        self, preset: str, dealer: str = "N", scores: list[int] | None = None, **overrides: JSON
    ) -> None:
        self.json: dict[str, JSON] = {"rule_set": choice(preset, overrides), "first_dealer": dealer}
        self.referee = Referee({**RULE_SETS[preset], **overrides}, "NWSE".index(dealer))
        self.steps = 0
        self.deals: dict[str, dict[str, str]] = {}
        if scores is not None:
            self.json["scores"] = scores
            self.referee.scores = list(scores)

    def deal(
        self,
        name: str = "one-suit-each",
        holdings: dict[str, str] | None = None,
        turned: str | None = None,
    ) -> "Setup":
        """Deal the next hand; under rules that turn a card the dealer's last one, unless named."""
        holdings = holdings or ONE_SUIT_EACH
        dealer = self.referee.next_dealer
        assert dealer is not None
        if self.referee.rules["trump"] in ("sister", "turned"):
            turned = turned or holdings["NWSE"[dealer]].split()[-1]
        self.deals[name] = holdings
        self.referee.deal([holdings[letter].split() for letter in "NWSE"], turned)
        hand = {"deal": name, **({"turned": turned} if turned else {})}
        self.json.setdefault("hands", []).append(hand)
        self.steps += 1
        return self

    def deal_seeded(self, seed: bytes, cut: bytes = b"") -> "Setup":
        """Deal the next hand from a seed."""
        referee = self.referee
        assert referee.next_dealer is not None
        cards = fair.deck(seed, cut, self.json.get("id", "conformance"), referee.hand_number + 1)
        dealt = fair.hands(cards, "NWSE"[referee.next_dealer])
        turns = referee.rules["trump"] in ("sister", "turned")
        referee.deal([dealt[letter] for letter in "NWSE"], cards[-1] if turns else None)
        seeded = {"seed": bytes_json(seed), **({"cut": bytes_json(cut)} if cut else {})}
        self.json.setdefault("hands", []).append({"deal": {"seeded": seeded}})
        self.steps += 1
        return self

    def play(self, *lines: str) -> "Setup":
        """Make moves, as in `W:7 S:P`."""
        for move in " ".join(lines).split():
            self.referee.move("NWSE".index(move[0]), oracle_move(move))
            self.steps += 1
        if any(lines):
            self.json["hands"][-1].setdefault("moves", []).extend(line for line in lines if line)
        return self


def bytes_json(data: bytes) -> str:
    """Bytes in proto JSON."""
    return base64.b64encode(data).decode()


def oracle_move(text: str) -> tuple[Any, ...]:
    """A move of the notation as the oracle says it."""
    move = text[2:]
    if move in ("P", "X"):
        return ("pass",) if move == "P" else ("double",)
    if move[0] == "=":
        return ("trump", SUIT_NAMES[move[1]])
    if move[0].isdigit():
        named = None if move[-1].isdigit() else SUIT_NAMES[move[-1]]
        return ("bid", int(move.rstrip("CDHSN")), named)
    return ("card", move)


def oracle_game(referee: Referee, steps: int) -> JSON:
    """What the oracle knows of a game, as proto JSON; what it keeps no book of is missing."""

    def of(index: int | None) -> str | None:
        return None if index is None else seat("NWSE"[index])

    game: dict[str, JSON] = {
        "revision": steps,
        "scores": referee.scores,
        "hand_number": referee.hand_number,
        "dealer": of(referee.dealer),
        "next_dealer": of(referee.next_dealer),
        "phase": f"PHASE_{PHASES.get(referee.phase, referee.phase.upper())}",
        "seat_to_act": of(referee.turn),
        "outcome": None,
        "hand": {
            "trump": None if referee.trump is None else f"STRAIN_{referee.trump.upper()}",
            "opening_leader": of(referee.opening_leader),
            "trick_winners": [of(taker) for taker in referee.trick_winners] or None,
            "contract": _contract(referee),
            "result": _result(referee),
        },
    }
    if referee.winner is not None:
        names = ("TEAM_NORTH_SOUTH", "TEAM_WEST_EAST")
        game["outcome"] = {
            "winner": names[referee.winner],
            "loser": names[1 - referee.winner],
            "reason": f"WIN_REASON_{(referee.win_reason or '').upper()}",
        }
        if referee.winning_seats:
            game["outcome"]["winning_seats"] = [of(index) for index in referee.winning_seats]
    return game


def _contract(referee: Referee) -> JSON:
    if referee.contract is None:
        return None
    declarer, tricks, named, doubled = referee.contract
    made: dict[str, JSON] = {"declarer": seat("NWSE"[declarer]), "tricks": tricks}
    if named:
        made["strain"] = f"STRAIN_{named.upper()}"
    return {**made, **({"doubled": True} if doubled else {})}


def _result(referee: Referee) -> JSON:
    if referee.result is None:
        return None
    made: dict[str, JSON] = {"end": f"HAND_END_{referee.result['end'].upper()}"}
    if referee.result["lines"]:
        made["lines"] = lines_json(referee.result["lines"])
    if referee.result["offender"] is not None:
        made["offender"] = seat("NWSE"[referee.result["offender"]])
    return made


def lines_json(lines: list[dict[str, Any]]) -> list[JSON]:
    """The oracle's lines in proto JSON."""
    made = []
    for line in lines:
        side = (
            {"seat": seat("NWSE"[line["side"]])}
            if len(lines) == 4
            else {"team": ("TEAM_NORTH_SOUTH", "TEAM_WEST_EAST")[line["side"]]}
        )
        entry: dict[str, JSON] = {**side}
        if line["bid"] is not None:
            entry["bid"] = line["bid"]
        entry.update({key: line[key] for key in ("tricks", "points") if line[key]})
        if line["made"] is not None:
            entry["made"] = line["made"]
        made.append(entry)
    return made


def explained(lines: list[JSON], held: list[dict[str, Any]]) -> list[JSON]:
    """Lines as answers tell them: with the rules that gave the points, which no game stores."""
    return [{**line, "rule_ids": oracle["rule_ids"]} for line, oracle in zip(lines, held, strict=True)]


def result_told(stored: JSON, referee: Referee) -> JSON:
    """The result that a game stores, as events and views tell it."""
    if not stored or "lines" not in stored:
        return stored
    return {**stored, "lines": explained(stored["lines"], (referee.result or {})["lines"])}


def at(
    preset: str, calls: str = "", dealer: str = "N", scores: list[int] | None = None, **rules: JSON
) -> Setup:
    """A dealt hand after some calls."""
    setup = Setup(preset, dealer, scores, **rules).deal()
    return setup.play(calls) if calls else setup


def position(preset: str, trump: str, leader: str, name: str, hands: dict[str, str], **rules: JSON) -> Setup:
    """A hand before the first card: some seat leads, some suit is trump."""
    dealer = "ENWS"["NWSE".index(leader)]
    turned = None
    if preset in ("saharat_syrian_41", "jawaker_syrian_41", "mulouk_41", "cardgames_zone_turned_trump"):
        shown = trump if preset == "cardgames_zone_turned_trump" else SISTER[trump]
        turned = next(card for card in hands[dealer].split() if card[0] == shown)
    setup = Setup(preset, dealer, **rules).deal(name, hands, turned)
    if preset == "cardgames_zone_turned_trump":
        return setup
    if turned or preset == "saharat_400":
        order = [leader]
        while len(order) < 4:
            order.append(right_of(order[-1]))
        return setup.play(" ".join(f"{letter}:3" for letter in order))
    if preset == "jawaker_egyptian":
        others = [right_of(leader), right_of(right_of(leader)), dealer]
        passes = " ".join(f"{letter}:P" for letter in [*others, leader])
        return setup.play(f"{leader}:7{trump} {passes}")
    if preset == "cardgames_zone":
        others = [right_of(leader), right_of(right_of(leader)), dealer]
        return setup.play(f"{leader}:7 {' '.join(f'{letter}:P' for letter in others)} {leader}:={trump}")
    return setup.play(f"{leader}:13 {leader}:={trump}")


def in_order(leader: str, cards: list[str]) -> list[str]:
    """Cards as moves, in order of play from the leader."""
    moves, turn = [], leader
    for card in cards:
        moves.append(f"{turn}:{card}")
        turn = right_of(turn)
    return moves


def nearly_played(setup: Setup, calls: str, counts: list[int], trump: str) -> tuple[Setup, str]:
    """Deal, call and play a hand up to its last card, which comes back; each seat takes so many tricks."""
    tricks = arranged_tricks(takers_of(counts), SUIT_NAMES[trump])
    hands = {letter: " ".join(trick[i] for trick in tricks) for i, letter in enumerate("NWSE")}
    name = f"takes-{'-'.join(str(count) for count in counts)}-{trump.lower()}"
    dealer = setup.referee.next_dealer
    assert dealer is not None
    turned = None
    rules = setup.referee.rules
    if rules["trump"] in ("sister", "turned"):
        shown = SISTER[trump] if rules["trump"] == "sister" else trump
        turned = next(card for card in hands["NWSE"[dealer]].split() if card[0] == shown)
    setup.deal(name, hands, turned).play(calls)
    lines = []
    # A copy finds out who leads each trick.
    scout = copy.deepcopy(setup.referee)
    for trick in tricks:
        assert scout.turn is not None
        order = [(scout.turn + step) % 4 for step in range(4)]
        lines.append(" ".join(f"{'NWSE'[place]}:{trick[place]}" for place in order))
        for place in order:
            scout.move(place, ("card", trick[place]))
    *most, last = " ".join(lines).split()
    for start in range(0, 48, 4):
        setup.play(" ".join(most[start : start + 4]))
    setup.play(" ".join(most[48:]))
    return setup, last


def finished() -> Setup:
    """A game that North and South have won; West was dealt clubs only."""
    setup, last = nearly_played(Setup(CLASSIC, "E", target=1), "N:9 W:P S:P E:P N:=H", [9, 4, 0, 0], "H")
    return setup.play(last)


def playing(**rules: JSON) -> Setup:
    """North has led the seven of spades; West has one spade. Hearts are trump."""
    hands = dealt_to_order({"N": "S7", "W": "S2 H3 H4", "S": "SA DA"}, {"W": "S"})
    return position(CLASSIC, "H", "N", "one-spade", hands, **rules).play("N:S7")
