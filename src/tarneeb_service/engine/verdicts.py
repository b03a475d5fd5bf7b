"""Verdicts: what the rules say of a move, with the reason, the rule, and the parameters of the sentence.

A sentence names the thing and the remedy. It is for the acting seat alone, and tells nothing of what the
others hold: a card that is not held is refused in the same words wherever it is.
"""

from dataclasses import dataclass
from enum import IntEnum

from tarneeb_service.engine.cards import CARD_TEXT, NO_TRUMP, STRAIN_NAMES, TRICKS, cards_of, cards_text
from tarneeb_service.engine.moves import bid_text
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.engine.state import Phase


class Ruling(IntEnum):
    """What the rules say of a move; the numbers are those of ``verdicts.proto``."""

    LEGAL = 1
    REFUSED = 2
    FORFEITS = 3


class RefusalReason(IntEnum):
    """Why a move is refused, in the order in which reasons are looked for."""

    GAME_OVER = 1
    STALE_REVISION = 2
    WRONG_PHASE = 3
    ALREADY_PASSED = 4
    NOT_DECLARER = 5
    OUT_OF_TURN = 6
    PASS_NOT_ALLOWED = 7
    DOUBLE_NOT_ALLOWED = 8
    STRAIN_MISSING = 9
    STRAIN_NOT_ALLOWED = 10
    BID_OUT_OF_RANGE = 11
    BID_BARRED = 12
    BID_TOO_LOW = 13
    NOTHING_TO_DOUBLE = 14
    OWN_BID = 15
    ALREADY_DOUBLED = 16
    TRUMP_NOT_A_SUIT = 17
    CARD_NOT_HELD = 18
    MUST_FOLLOW_SUIT = 19
    MUST_LEAD_TRUMP = 20


BidLimit = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class OpenCalls:
    """What a seat may call other than double: the bids from the lowest to the highest but for those barred, a pass.

    ``lowest`` is none where no bid is left, ``barred`` are the numbers in between that nobody may bid.
    """

    lowest: BidLimit | None
    highest: int
    barred: tuple[int, ...]
    may_pass: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling and, unless the move is legal, why. Parameters are set for the reasons that use them."""

    ruling: Ruling
    reason: RefusalReason | None = None
    rule_id: str = ""
    message: str = ""
    game_revision: int | None = None
    phase: Phase | None = None
    seat_to_act: int | None = None
    lowest_bid: BidLimit | None = None
    highest_bid: int | None = None
    barred_bids: tuple[int, ...] = ()
    bid_holder: int | None = None
    led_suit: int | None = None
    playable_cards: tuple[int, ...] = ()
    trump: int | None = None
    may_pass: bool = False

    @property
    def accepted(self) -> bool:
        """Whether the move may be made."""
        return self.ruling is not Ruling.REFUSED


LEGAL = Verdict(Ruling.LEGAL)

_WAITS_FOR = {
    Phase.AWAITING_DEAL: "the next deal",
    Phase.AUCTION: "a call",
    Phase.NAMING_TRUMP: "the declarer to name trump",
    Phase.PLAY: "a card",
    Phase.GAME_OVER: "nothing",
}


def game_over() -> Verdict:
    """W1, W5: no move after the end."""
    return Verdict(Ruling.REFUSED, RefusalReason.GAME_OVER, "W1", "The game is over: start a new one.")


def stale_revision(made_for: int, revision: int) -> Verdict:
    """P1: the move was made for another revision."""
    message = (
        f"The move was made for revision {made_for}, the game is at {revision}: look again and decide anew."
    )
    return Verdict(Ruling.REFUSED, RefusalReason.STALE_REVISION, "P1", message, game_revision=revision)


def wrong_phase(phase: Phase) -> Verdict:
    """P2: the game waits for something else."""
    message = f"The game waits for {_WAITS_FOR[phase]}."
    return Verdict(Ruling.REFUSED, RefusalReason.WRONG_PHASE, "P2", message, phase=phase)


def already_passed(seat: int, turn: int) -> Verdict:
    """A2: a pass was final."""
    message = f"{SEAT_NAMES[seat]} has passed and is out of this auction; it is {SEAT_NAMES[turn]}'s turn."
    return Verdict(Ruling.REFUSED, RefusalReason.ALREADY_PASSED, "A2", message, seat_to_act=turn)


def not_declarer(seat: int, declarer: int) -> Verdict:
    """A7: another seat won the auction."""
    message = f"{SEAT_NAMES[declarer]} won the auction and names trump, not {SEAT_NAMES[seat]}."
    return Verdict(Ruling.REFUSED, RefusalReason.NOT_DECLARER, "A7", message, seat_to_act=declarer)


def out_of_turn(seat: int, turn: int) -> Verdict:
    """C2: it is another seat's turn."""
    message = f"It is {SEAT_NAMES[turn]}'s turn, not {SEAT_NAMES[seat]}'s."
    return Verdict(Ruling.REFUSED, RefusalReason.OUT_OF_TURN, "C2", message, seat_to_act=turn)


def pass_not_allowed(seat: int, rule_id: str, calls: OpenCalls) -> Verdict:
    """A6, A12: the seat has to bid."""
    message = f"{SEAT_NAMES[seat]} must bid: {_bids(calls)}."
    return _refused_call(RefusalReason.PASS_NOT_ALLOWED, rule_id, message, calls)


def double_not_allowed(calls: OpenCalls) -> Verdict:
    """A10: these rules have no double."""
    message = f"There is no double under these rules: {_instead(calls)}."
    return _refused_call(RefusalReason.DOUBLE_NOT_ALLOWED, "A10", message, calls)


def strain_missing(calls: OpenCalls) -> Verdict:
    """A8: a bid names its strain."""
    message = f"A bid names tricks and a suit or no-trump under these rules: {_bid_or_pass(calls)}."
    return _refused_call(RefusalReason.STRAIN_MISSING, "A8", message, calls)


def strain_not_allowed(rule_id: str, calls: OpenCalls) -> Verdict:
    """A1, A12: a bid names tricks only."""
    message = f"A bid names tricks only under these rules: {_bid_or_pass(calls)}."
    return _refused_call(RefusalReason.STRAIN_NOT_ALLOWED, rule_id, message, calls)


def bid_out_of_range(rule_id: str, tricks: int, calls: OpenCalls) -> Verdict:
    """A1, A12: no such bid."""
    if calls.lowest is None:
        message = f"{tricks} is no bid, and none is left: pass."
    else:
        message = f"{tricks} is no bid: bid {_bids(calls, name_highest=True)}."
    return _refused_call(RefusalReason.BID_OUT_OF_RANGE, rule_id, message, calls, highest_bid=calls.highest)


def bid_barred(tricks: int, barred: tuple[int, ...], calls: OpenCalls) -> Verdict:
    """A12: nobody may make this bid, nor any other of ``barred``."""
    message = f"{tricks} may not be bid under these rules: {_bid_or_pass(calls)}."
    return _refused_call(RefusalReason.BID_BARRED, "A12", message, calls, barred_bids=barred)


def bid_too_low(seat: int, rule_id: str, calls: OpenCalls) -> Verdict:
    """A1, A8, A13: the bid does not beat the last, or is below the own minimum."""
    if calls.lowest is None:
        message = "No bid beats the last one: pass."
    else:
        message = f"{SEAT_NAMES[seat]} must bid {_bids(calls)}."
    return _refused_call(RefusalReason.BID_TOO_LOW, rule_id, message, calls)


def nothing_to_double(calls: OpenCalls) -> Verdict:
    """A11: no bid yet."""
    message = f"There is no bid to double yet: {_instead(calls)}."
    return _refused_call(RefusalReason.NOTHING_TO_DOUBLE, "A11", message, calls)


def own_bid(seat: int, holder: int, calls: OpenCalls) -> Verdict:
    """A11: one's own, or the partner's where only opponents double."""
    whose = "his own" if seat == holder else f"his partner {SEAT_NAMES[holder]}'s"
    message = f"{SEAT_NAMES[seat]} may not double {whose} bid: {_instead(calls)}."
    return _refused_call(RefusalReason.OWN_BID, "A11", message, calls, bid_holder=holder)


def already_doubled(calls: OpenCalls) -> Verdict:
    """A11: no second double and no redouble."""
    message = f"The highest bid is doubled already: {_instead(calls)}."
    return _refused_call(RefusalReason.ALREADY_DOUBLED, "A11", message, calls)


def _refused_call(
    reason: RefusalReason,
    rule_id: str,
    message: str,
    calls: OpenCalls,
    *,
    highest_bid: int | None = None,
    barred_bids: tuple[int, ...] | None = None,
    bid_holder: int | None = None,
) -> Verdict:
    """Refuse a call, with what may be called instead."""
    if calls.lowest is not None:
        highest_bid = calls.highest
    return Verdict(
        Ruling.REFUSED,
        reason,
        rule_id,
        message,
        lowest_bid=calls.lowest,
        highest_bid=highest_bid,
        barred_bids=calls.barred if barred_bids is None else barred_bids,
        bid_holder=bid_holder,
        may_pass=calls.may_pass,
    )


def _instead(calls: OpenCalls) -> str:
    if calls.lowest is None:
        return "pass"
    return "bid or pass" if calls.may_pass else "bid"


def _bid_or_pass(calls: OpenCalls) -> str:
    return "pass" if calls.lowest is None else f"bid {_bids(calls)}"


def _bids(calls: OpenCalls, *, name_highest: bool = False) -> str:
    """Return the bids that are open, of which there is one: each number that the words admit may be bid."""
    tricks, strain = calls.lowest or (calls.highest, None)
    text = bid_text(tricks, strain)
    if tricks == calls.highest and strain in (None, NO_TRUMP):
        return text
    text += " or more"
    if name_highest or calls.highest < TRICKS:
        text += f", {calls.highest} at most"
    if calls.barred:
        text += f", but not {' or '.join(map(str, calls.barred))}"
    return text


def trump_not_a_suit() -> Verdict:
    """A7: the declarer names a suit."""
    message = "Trump must be a suit: clubs, diamonds, hearts or spades."
    return Verdict(Ruling.REFUSED, RefusalReason.TRUMP_NOT_A_SUIT, "A7", message)


def card_not_held(seat: int, card: int) -> Verdict:
    """C1: the same words whoever holds it, and when it was played."""
    message = f"{SEAT_NAMES[seat]} does not hold {CARD_TEXT[card]}: play a legal card from the holding."
    return Verdict(Ruling.REFUSED, RefusalReason.CARD_NOT_HELD, "C1", message)


def revoke(seat: int, led_suit: int, playable: int, *, forfeits: bool) -> Verdict:
    """C5, R1, R2: the seat could have followed suit."""
    cards = cards_of(playable)
    suit = STRAIN_NAMES[led_suit]
    if forfeits:
        message = f"{SEAT_NAMES[seat]} did not follow {suit} although holding {cards_text(cards)}: the hand is lost."
    else:
        message = f"{SEAT_NAMES[seat]} must follow {suit}: holds {cards_text(cards)}."
    return Verdict(
        Ruling.FORFEITS if forfeits else Ruling.REFUSED,
        RefusalReason.MUST_FOLLOW_SUIT,
        "R2" if forfeits else "C5",
        message,
        led_suit=led_suit,
        playable_cards=cards,
    )


def must_lead_trump(seat: int, trump: int, playable: int) -> Verdict:
    """T6: the hand opens with a trump."""
    cards = cards_of(playable)
    message = (
        f"{SEAT_NAMES[seat]} must lead {STRAIN_NAMES[trump]}, the trump suit: holds {cards_text(cards)}."
    )
    return Verdict(
        Ruling.REFUSED, RefusalReason.MUST_LEAD_TRUMP, "T6", message, playable_cards=cards, trump=trump
    )
