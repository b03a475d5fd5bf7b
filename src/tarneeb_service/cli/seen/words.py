"""Games in words and signs, for terminals and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass

from tarneeb.v1 import game_pb2, moves_pb2, views_pb2
from tarneeb_record.tokens import STRAIN_TEXT
from tarneeb_service.cli.seen.table import Seen
from tarneeb_service.engine import events as happened
from tarneeb_service.engine.cards import STRAIN_NAMES
from tarneeb_service.engine.moves import Bid, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.seats import SEAT_NAMES, TEAM_NAMES
from tarneeb_service.engine.views import SPECTATOR
from tarneeb_service.wire.game import encode_contract

RANKS = ("", "", *(str(number) for number in range(2, 11)), "J", "Q", "K", "A")


@dataclass(frozen=True, slots=True)
class Signs:
    """What a terminal can show: suits by number, and marks."""

    suits: tuple[str, ...]
    dash: str
    dot: str
    spot: str
    turn: str
    hidden: str
    ascii: bool

    def card(self, card: int) -> str:
        """Return a card, as ``♠A``."""
        return f"{self.suits[card >> 4]}{RANKS[card & 15]}"

    def strain(self, strain: int) -> str:
        """Return a strain as it stands in a bid."""
        return self.suits[strain] if strain else ""

    def side(self, line: game_pb2.ScoreLine) -> str:
        """Return whose line it is."""
        return SEAT_NAMES[line.seat - 1] if line.WhichOneof("side") == "seat" else self.team(line.team - 1)

    def team(self, team: int) -> str:
        """Return a team."""
        return TEAM_NAMES[team].replace("–", self.dash)


SIGNS = Signs(("", "♣", "♦", "♥", "♠", "NT"), "–", "·", "·", "▶", "▒", ascii=False)
ASCII = Signs(STRAIN_TEXT, "-", "|", ".", ">", "#", ascii=True)


def title(seen: Seen, signs: Signs) -> str:
    """Return what is looked at, and by whom."""
    view = seen.view
    parts = [view.id, view.preset_id or "no preset"]
    if view.hand_number:
        parts.append(f"hand {view.hand_number}")
    parts += [f"revision {view.revision}", whose_view(seen)]
    return f" {signs.dot} ".join(parts)


def whose_view(seen: Seen) -> str:
    """Return who sees the table like this."""
    if seen.everything:
        return "all hands open"
    viewer = seen.view.viewer - 1
    return "as a spectator sees it" if viewer == SPECTATOR else f"as {SEAT_NAMES[viewer]} sees it"


def status(seen: Seen, signs: Signs) -> str:
    """Return what the game waits for, or who won it."""
    view = seen.view
    if view.phase == game_pb2.PHASE_GAME_OVER:
        if not view.outcome.winner:
            return "The game is over"
        how = "all 13 tricks" if view.outcome.reason == game_pb2.WIN_REASON_SWEEP else "target reached"
        return f"{signs.team(view.outcome.winner - 1)} won: {how}"
    if view.phase == game_pb2.PHASE_AWAITING_DEAL:
        return f"{SEAT_NAMES[view.next_dealer - 1]} deals next" if view.next_dealer else "Waits for a deal"
    does = {game_pb2.PHASE_AUCTION: "call", game_pb2.PHASE_NAMING_TRUMP: "name trump"}.get(view.phase, "play")
    return f"{SEAT_NAMES[seen.to_act]} to {does}" if seen.to_act is not None else f"Waits for a {does}"


def call_text(call: moves_pb2.CallMade, signs: Signs) -> str:
    """Return a call in short, for a column of calls."""
    if call.kind == moves_pb2.CALL_KIND_BID:
        return f"{call.tricks}{signs.strain(call.strain)}"
    return "dbl" if call.kind == moves_pb2.CALL_KIND_DOUBLE else "pass"


def call_rows(
    calls: Sequence[moves_pb2.CallMade],
) -> tuple[list[int], list[list[moves_pb2.CallMade | None]]]:
    """Return the seats from the first caller on, and the calls in rows under them; who is out has none."""
    if not calls:
        return [], []
    first = calls[0].seat - 1
    rows: list[list[moves_pb2.CallMade | None]] = []
    last = 4
    for call in calls:
        column = (call.seat - 1 - first) % 4
        if column <= last:
            rows.append([None] * 4)
        rows[-1][column] = call
        last = column
    return [(first + place) % 4 for place in range(4)], rows


def contract_text(contract: game_pb2.Contract, signs: Signs) -> str:
    """Return who plays what."""
    doubled = ", doubled" if contract.doubled else ""
    bid = f"{contract.tricks}{signs.strain(contract.strain)}"
    return f"{SEAT_NAMES[contract.declarer - 1]} {bid}{doubled}"


def bid_and_tricks(seen: Seen, seat: int) -> str:
    """Return what a seat bid for itself and took, as far as there is any."""
    bid = _own_bid(seen, seat)
    parts = [] if bid is None else [f"bid {bid}"]
    if seen.has_play:
        parts.append(plural(seen.hand.trick_counts[seat], "trick"))
    return ", ".join(parts)


def _own_bid(seen: Seen, seat: int) -> int | None:
    """Return a seat's bid in an individual auction, or the declarer's."""
    if seen.hand.HasField("contract"):
        return seen.hand.contract.tricks if seen.hand.contract.declarer == seat + 1 else None
    bids = [call.tricks for call in seen.hand.calls if call.seat == seat + 1 and call.tricks]
    return bids[-1] if bids and len(seen.view.scores) == 4 else None


def score_names(view: views_pb2.GameView, signs: Signs) -> list[str]:
    """Return whose the scores are, in their order."""
    return list(SEAT_NAMES) if len(view.scores) == 4 else [signs.team(0), signs.team(1)]


def how_it_ended(result: game_pb2.HandResult) -> str:
    """Return why a hand ended."""
    match result.end:
        case game_pb2.HAND_END_ALL_PASSED:
            return "void: all passed (A6)"
        case game_pb2.HAND_END_LOW_TOTAL:
            return "void: the bids total too little (A14)"
        case game_pb2.HAND_END_FORFEITED:
            who = f"{SEAT_NAMES[result.offender - 1]} did" if result.offender else "somebody did"
            return f"lost: {who} not follow suit (R2)"
    return "played out"


def line_parts(line: game_pb2.ScoreLine, signs: Signs) -> tuple[str, str, str]:
    """Return whose line it is, what the side did, and the points it gets."""
    did = []
    if line.HasField("bid"):
        did.append(f"bid {line.bid}")
    did.append(plural(line.tricks, "trick"))
    if line.HasField("made"):
        did.append("made" if line.made else "failed")
    return signs.side(line), ", ".join(did), f"{line.points:+d}" if line.points else "0"


def plural(count: int, noun: str) -> str:
    """Return a number of things."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def move_words(move: Move, signs: Signs) -> str:
    """Return a move as a sentence, made or not."""
    match move:
        case Bid(seat, tricks, strain):
            return f"{SEAT_NAMES[seat]} bids {tricks}{signs.strain(strain or 0)}"
        case Pass(seat):
            return f"{SEAT_NAMES[seat]} passes"
        case Double(seat):
            return f"{SEAT_NAMES[seat]} doubles"
        case NameTrump(seat, strain):
            return f"{SEAT_NAMES[seat]} names {STRAIN_NAMES[strain]}"
        case PlayCard(seat, card):
            return f"{SEAT_NAMES[seat]} plays {signs.card(card)}"


def event_words(event: happened.Event, signs: Signs) -> str:
    """Return what happened, in short; nothing for the ends of hands and games, which take more than a line."""
    match event:
        case happened.HandDealt(_, dealer, turned, trump):
            text = f"{SEAT_NAMES[dealer]} deals"
            if turned is not None:
                text += f", {signs.card(turned)} is turned"
            return f"{text}, {STRAIN_NAMES[trump]} is trump" if trump else text
        case happened.CallMade(call):
            return move_words(call, signs)
        case happened.AuctionWon(contract):
            return f"{contract_text(encode_contract(contract), signs)} is the contract"
        case happened.TrumpNamed(seat, strain):
            return move_words(NameTrump(seat, strain), signs)
        case happened.CardPlayed(seat, card):
            return move_words(PlayCard(seat, card), signs)
        case happened.TrickWon(seat, number):
            return f"{SEAT_NAMES[seat]} takes trick {number}"
    return ""
