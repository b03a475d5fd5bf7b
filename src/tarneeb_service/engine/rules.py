"""Rule sets as data: one field for every point on which houses differ.

``docs/rules.md`` has the rule ids in brackets. Field names, enum names and numbers are those of
``rules.proto``. The defaults are *neutral*: the value a field must keep where it has no meaning, so that no
option is silently without effect.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property

from tarneeb_service.engine.cards import TRICKS

# Rises when an answer of the engine changes, so that replicas of two releases never disagree in silence.
RULES_REVISION = 1
# The revision that brought a switch; one that is not here came with the first. A game of an earlier revision lacks the
# switch and plays by its neutral value, which therefore is what was the rule before.
BROUGHT_BY: Mapping[str, int] = {}

# The bid of all tricks.
SLAM = TRICKS


class Auction(IntEnum):
    """How a hand is bid for (A1, A12, A16)."""

    COMPETITIVE = 1
    INDIVIDUAL = 2
    NONE = 3


class Passing(IntEnum):
    """Whether a pass ends a seat's part in the auction (A2, A9)."""

    FINAL = 1
    OPEN = 2


class CallLimit(IntEnum):
    """How many calls a seat has (A5)."""

    NONE = 1
    ONE_EACH = 2


class SlamBid(IntEnum):
    """Whether a bid of 13 ends the auction (A4, A9)."""

    ENDS_AUCTION = 1
    CONTINUES = 2


class AllPass(IntEnum):
    """What four passes do (A6)."""

    VOID = 1
    LAST_MUST_BID = 2


class Doubling(IntEnum):
    """Who may double (A11)."""

    NONE = 1
    ANYONE = 2
    OPPONENTS = 3


class RaisedDouble(IntEnum):
    """What becomes of a double when a higher bid is made (A10)."""

    STAYS = 1
    GONE = 2
    RETURNS = 3


class Trump(IntEnum):
    """Where trump comes from (T1 to T5)."""

    NAMED = 1
    IN_BID = 2
    SISTER = 3
    TURNED = 4
    FIXED = 5


class OpeningLead(IntEnum):
    """Who leads the first trick."""

    DECLARER = 1
    DEALERS_RIGHT = 2
    DEALER = 3


class FirstCard(IntEnum):
    """What the first card must be (T6)."""

    ANY = 1
    TRUMP = 2


class DealOrder(IntEnum):
    """In what portions the cards are dealt (C4)."""

    SINGLY = 1
    PACKETS = 2


class Cut(IntEnum):
    """Whether a deal from a seed needs a cut (C4)."""

    OPTIONAL = 1
    REQUIRED = 2


class NextDealer(IntEnum):
    """Who deals next (C3, A6, A15)."""

    RIGHT = 1
    SAME = 2


class SlamDefenceSweep(IntEnum):
    """What defenders score for all 13 against a bid of 13 (S6)."""

    TRICKS = 1
    POINTS = 2


class DefendersScore(IntEnum):
    """When defenders score their tricks (S1, S8)."""

    WHEN_FAILED = 1
    ALWAYS = 2
    NEVER = 3


class DoubledResult(IntEnum):
    """When a double doubles the points, and whose (A10, S7)."""

    ALWAYS = 1
    WHEN_MADE = 2
    BIDDERS = 3


class SweepWins(IntEnum):
    """Whether all 13 tricks win the game (W3)."""

    NEVER = 1
    ALWAYS = 2
    WHEN_BID = 3


class WinFloor(IntEnum):
    """What keeps a side at the target from winning (W4, W5)."""

    NONE = 1
    BEFORE_HAND = 2
    PARTNER_ABOVE_ZERO = 3


class TieBreak(IntEnum):
    """Who wins when both teams qualify (W6)."""

    TEAM_TOTAL = 1
    HIGHEST_PLAYER = 2


class Revoke(IntEnum):
    """What a revoke does (R1, R2)."""

    REFUSED = 1
    FORFEITS = 2


class PastTricks(IntEnum):
    """Which past tricks a view shows (C7)."""

    ALL = 1
    LAST = 2
    NONE = 3


class Reveal(IntEnum):
    """Who sees all four hands once a hand is over."""

    NOBODY = 1
    SPECTATORS = 2
    EVERYBODY = 3


# (from_score, value), by rising score.
Ladder = tuple[tuple[int, int], ...]
# (bid, points, from_score or None).
BidValues = tuple[tuple[int, int, int | None], ...]


# No slots: what is found out once is kept beside the fields.
@dataclass(frozen=True)
class RuleSet:
    """One full rule set. ``rule_checks.problems_in`` says whether it makes sense."""

    auction: Auction = Auction.COMPETITIVE
    minimum_bid: int = 7
    maximum_bid: int = 13
    barred_bids: tuple[int, ...] = ()
    passing: Passing = Passing.FINAL
    call_limit: CallLimit = CallLimit.NONE
    slam_bid: SlamBid = SlamBid.ENDS_AUCTION
    all_pass: AllPass = AllPass.VOID
    doubling: Doubling = Doubling.NONE
    raised_double: RaisedDouble = RaisedDouble.STAYS
    own_minimum: Ladder = ()
    minimum_total: int = 0
    total_minimum: Ladder = ()
    trump: Trump = Trump.NAMED
    fixed_trump: int | None = None
    opening_lead: OpeningLead = OpeningLead.DECLARER
    first_card: FirstCard = FirstCard.ANY
    deal_order: DealOrder = DealOrder.SINGLY
    cut: Cut = Cut.OPTIONAL
    dealer_after_scored: NextDealer = NextDealer.RIGHT
    dealer_after_all_pass: NextDealer = NextDealer.RIGHT
    dealer_after_low_total: NextDealer = NextDealer.RIGHT
    target: int = 41
    sweep_points: int = 13
    defenders_sweep_points: int = 13
    slam_made_points: int = 13
    slam_failed_points: int = 13
    slam_defence_sweep: SlamDefenceSweep = SlamDefenceSweep.TRICKS
    failed_slam_trick_factor: int = 1
    defenders_score: DefendersScore = DefendersScore.WHEN_FAILED
    doubled_result: DoubledResult = DoubledResult.ALWAYS
    bid_values: BidValues = ()
    sweep_wins: SweepWins = SweepWins.NEVER
    win_floor: WinFloor = WinFloor.NONE
    tie_break: TieBreak = TieBreak.TEAM_TOTAL
    revoke: Revoke = Revoke.REFUSED
    past_tricks: PastTricks = PastTricks.ALL
    reveal: Reveal = Reveal.NOBODY

    def __hash__(self) -> int:
        """Hash once: a rule set is the key under which ``wire`` finds its bytes, and has some forty fields."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, name) for name in FIELD_NAMES))

    @cached_property
    def has_auction(self) -> bool:
        """Whether there are calls before the play (A16)."""
        return self.auction is not Auction.NONE

    @cached_property
    def individual(self) -> bool:
        """Whether bids and scores belong to seats instead of teams."""
        return self.auction is Auction.INDIVIDUAL

    @cached_property
    def sides(self) -> int:
        """How many scores a game has: 4 seats or 2 teams."""
        return 4 if self.individual else 2

    @cached_property
    def turns_card(self) -> bool:
        """Whether the dealer's last card is shown (T3, T5)."""
        return self.trump in (Trump.SISTER, Trump.TURNED)

    @cached_property
    def declarer_leads(self) -> bool:
        """Whether the first lead is the declarer's (A7)."""
        return self.opening_lead is OpeningLead.DECLARER

    @cached_property
    def opens_with_trump(self) -> bool:
        """Whether the first card must be a trump (T6)."""
        return self.first_card is FirstCard.TRUMP

    @cached_property
    def bids_strain(self) -> bool:
        """Whether a bid names a strain (A8)."""
        return self.trump is Trump.IN_BID

    def own_minimum_at(self, score: int) -> int:
        """Return the lowest bid open to a player with this score before the hand (A13)."""
        return _ladder_value(self.own_minimum, score, self.minimum_bid)

    def minimum_total_at(self, best_score: int) -> int:
        """Return what four bids must total when this is the best score before the hand (A14)."""
        return _ladder_value(self.total_minimum, best_score, self.minimum_total)

    def bid_value(self, bid: int, score: int) -> tuple[int, bool]:
        """Return what an individual bid is worth at this own score before the hand, and if that counts (S11, S12)."""
        best = (float("-inf"), bid)
        for number, points, from_score in self.bid_values:
            floor = float("-inf") if from_score is None else from_score
            if number == bid and score >= floor >= best[0]:
                best = (floor, points)
        return best[1], best[0] > float("-inf")


def _ladder_value(ladder: Ladder, score: int, base: int) -> int:
    value = base
    for from_score, step in ladder:
        if score < from_score:
            break
        value = step
    return value


NEUTRAL = RuleSet()
FIELD_NAMES = tuple(field.name for field in fields(RuleSet))
