"""Short ways to say proto JSON, and deals made to order."""

from typing import Any

from conformance.runner import SEATS, SUITS, card_json, cards_json
from tests.oracle.cards import DECK

JSON = Any
RANKS = "23456789TJQKA"
# North has the spades, West the hearts, South the diamonds, East the clubs.
ONE_SUIT_EACH = {
    seat: " ".join(suit + rank for rank in RANKS) for seat, suit in zip("NWSE", "SHDC", strict=True)
}

_NEXT_DEALER = ("dealer_after_scored", "dealer_after_all_pass", "dealer_after_low_total")
# Those that most vectors are of.
CLASSIC, EGYPT = "saharat_classic", "jawaker_egyptian"
STRAINS = "CDHSN"
NAMING, PLAY, AUCTION = "PHASE_NAMING_TRUMP", "PHASE_PLAY", "PHASE_AUCTION"
AWAITING, OVER = "PHASE_AWAITING_DEAL", "PHASE_GAME_OVER"
BIDS_7 = "7 8 9 10 11 12 13 P"


def dashed(text: str) -> str:
    """A name or a title as part of an id."""
    kept = "".join(letter if letter.isalnum() else "-" for letter in text.lower())
    return "-".join(part for part in kept.split("-") if part)


def seat(letter: str) -> str:
    return SEATS[letter]


def strain(letter: str) -> str:
    return f"STRAIN_{SUITS[letter]}"


def suit(letter: str) -> str:
    return f"SUIT_{SUITS[letter]}"


def team(letter: str) -> str:
    """The team of a seat."""
    return "TEAM_NORTH_SOUTH" if letter in "NS" else "TEAM_WEST_EAST"


def viewer(letter: str) -> str:
    return "VIEWER_SPECTATOR" if letter == "X" else SEATS[letter].replace("SEAT", "VIEWER")


def right_of(letter: str) -> str:
    return "NWSE"[("NWSE".index(letter) + 1) % 4]


def rule_json(name: str, value: JSON) -> JSON:
    """A switch of the oracle's notation in proto JSON."""
    if name == "fixed_trump":
        return f"STRAIN_{(value or 'unspecified').upper()}"
    if name == "barred_bids":
        return {"numbers": value} if value else {}
    if name in ("own_minimum", "total_minimum"):
        return {"steps": [{"from_score": step[0], "value": step[1]} for step in value]} if value else {}
    if name == "bid_values":
        ordered = sorted(value, key=lambda entry: (entry[2] is not None, entry[2] or 0, entry[0]))
        entries = [
            {"bid": bid, "points": points, **({} if least is None else {"from_score": least})}
            for bid, points, least in ordered
        ]
        return {"values": entries} if entries else {}
    if not isinstance(value, str):
        return value
    prefix = "NEXT_DEALER" if name in _NEXT_DEALER else name.upper()
    return f"{prefix}_{value.upper()}"


def choice(preset: str, overrides: dict[str, JSON] | None = None) -> JSON:
    """A `RuleSetChoice`, with overrides in the oracle's notation."""
    changed = {name: rule_json(name, value) for name, value in (overrides or {}).items()}
    return {"preset_id": preset, **({"overrides": changed} if changed else {})}


def contract(seat_letter: str, bid: str, *, doubled: bool = False) -> JSON:
    """A `Contract` from `N` and `8` or `8H`."""
    made: dict[str, JSON] = {"declarer": seat(seat_letter), "tricks": int(bid.rstrip("CDHSN"))}
    if not bid[-1].isdigit():
        made["strain"] = strain(bid[-1])
    return {**made, **({"doubled": True} if doubled else {})}


def team_lines(declarer: str, bid: int, tricks: list[int], points: list[int], *, made: bool) -> list[JSON]:
    """The two lines of a contract; zeros are left out, as proto JSON does."""
    lines = []
    for index, name in enumerate(("TEAM_NORTH_SOUTH", "TEAM_WEST_EAST")):
        line: dict[str, JSON] = {"team": name}
        if team(declarer) == name:
            line["bid"] = bid
        line.update(_counts(tricks[index], points[index]))
        if team(declarer) == name:
            line["made"] = made
        lines.append(line)
    return lines


def plain_lines(tricks: list[int], points: list[int]) -> list[JSON]:
    """The two lines of a hand without an auction."""
    names = ("TEAM_NORTH_SOUTH", "TEAM_WEST_EAST")
    return [{"team": name, **_counts(tricks[i], points[i])} for i, name in enumerate(names)]


def seat_lines(bids: list[int], tricks: list[int], points: list[int]) -> list[JSON]:
    """The four lines of individual bids; who lost points did not make it."""
    return [
        {"seat": seat(letter), "bid": bids[i], **_counts(tricks[i], points[i]), "made": points[i] > 0}
        for i, letter in enumerate("NWSE")
    ]


def lines_of(bid: str, tricks: list[int], points: list[int], *, made: bool | None = None) -> list[JSON]:
    """The lines of a contract as in `N:8`, of individual bids as in `5,2,4,3`, or of `none`.

    Whether a contract is made follows from the tricks, unless it is said.
    """
    if bid == "none":
        return plain_lines(tricks, points)
    if ":" not in bid:
        return seat_lines([int(each) for each in bid.split(",")], tricks, points)
    least = int(bid[2:].rstrip("CDHSNX"))
    success = tricks["NWSE".index(bid[0]) % 2] >= least if made is None else made
    return team_lines(bid[0], least, tricks, points, made=success)


def _counts(tricks: int, points: int) -> dict[str, JSON]:
    return {**({"tricks": tricks} if tricks else {}), **({"points": points} if points else {})}


def outcome(winner: str, reason: str = "TARGET", *, by_seat: bool = False) -> JSON:
    """An `Outcome`; the winner is named by one of its seats, or by those that won it where scores are theirs."""
    return {
        "winner": team(winner[0]),
        "loser": team(right_of(winner[0])),
        "reason": f"WIN_REASON_{reason}",
        **({"winning_seats": [seat(letter) for letter in winner]} if by_seat else {}),
    }


def played(move: str) -> JSON:
    """The event of a card played."""
    return {"card_played": {"seat": seat(move[0]), "card": card_json(move[2:])}}


def dealt_to_order(wanted: dict[str, str], closed: dict[str, str] | None = None) -> dict[str, str]:
    """Four hands that hold what is wanted.

    Args:
        wanted: Cards by seat.
        closed: Suits by seat of which the seat holds nothing but what is wanted.
    """
    hands = {letter: wanted.get(letter, "").split() for letter in "NWSE"}
    closed = closed or {}
    given = {card for hand in hands.values() for card in hand}
    places = [letter for letter in "NWSE" for _ in range(13 - len(hands[letter]))]
    taken: dict[int, str] = {}

    def place(card: str, tried: set[int]) -> bool:
        # Augmenting paths: whoever stands in the way moves on, if he can.
        for index, letter in enumerate(places):
            if index in tried or card[0] in closed.get(letter, ""):
                continue
            tried.add(index)
            if index not in taken or place(taken[index], tried):
                taken[index] = card
                return True
        return False

    for card in DECK:
        if card not in given and not place(card, set()):
            raise ValueError(f"no place for {card}")
    for index, card in taken.items():
        hands[places[index]].append(card)
    return {letter: " ".join(sorted(hand, key=DECK.index)) for letter, hand in hands.items()}


def held(text: str) -> list[str]:
    """Cards as an answer lists them: ascending."""
    return cards_json(" ".join(sorted(text.split(), key=DECK.index)))


def call_made(caller: int, call: tuple[Any, ...]) -> JSON:
    made: dict[str, JSON] = {"seat": seat("NWSE"[caller])}
    if call[0] != "bid":
        return {**made, "kind": f"CALL_KIND_{call[0].upper()}"}
    made.update({"kind": "CALL_KIND_BID", "tricks": call[1]})
    return {**made, **({"strain": f"STRAIN_{call[2].upper()}"} if call[2] else {})}
