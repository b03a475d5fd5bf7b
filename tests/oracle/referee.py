"""A plain referee of one game: it is told each deal and each move, and keeps the book."""

from typing import Any

from tests.oracle.auction import (
    Calls,
    Move,
    auction_is_over,
    is_doubled,
    legal_calls,
    next_caller,
    standing_bid,
    total_is_too_low,
)
from tests.oracle.cards import DECK, SISTERS, SUITS, following_cards, right_of, suit_of, team_of, trick_winner
from tests.oracle.reasons import winning_seats
from tests.oracle.rule_sets import Rules
from tests.oracle.scoring import (
    Contract,
    Line,
    add_points,
    find_winner,
    forfeited_lines,
    hand_lines,
    outright_winner,
)


class Referee:
    """The state of a game, in plain attributes, and the two things that change it: deals and moves.

    Attributes:
        phase: "awaiting_deal", "auction", "naming_trump", "play" or "game_over".
        turn: The seat to act, or None.
        dealer: The dealer of the current or the last hand; None before the first.
        next_dealer: Who deals next; None unless a deal is awaited.
        scores: By team, or by seat when the auction is individual.
        hand_number: The number of deals so far, void ones too.
        turned: The card turned up at the deal, or None.
        dealt: The four hands as dealt.
        holdings: What is left of them.
        calls: The calls of the hand, as (seat, move).
        contract: (declarer, tricks, strain if it is part of the bid, doubled) once the auction is won.
        trump: A suit, "no_trump", or None while it is not known.
        opening_leader: Who leads the first trick, once play has begun.
        played: The cards of the hand in order of play.
        trick_winners: The seats that took the tricks so far.
        result: None while the hand is on; else its end, its lines and the offender of a revoke.
        winner: The team that has won the game, or None.
        winning_seats: Its players whose score won it, where scores are theirs.
        win_reason: "target", "sweep" or None.
    """

    def __init__(self, rules: Rules, first_dealer: int) -> None:
        """Seat four players who wait for the first deal (C3)."""
        self.rules = rules
        self.phase = "awaiting_deal"
        self.turn: int | None = None
        self.dealer: int | None = None
        self.next_dealer: int | None = first_dealer
        self.scores: list[int] = [0, 0, 0, 0] if rules["auction"] == "individual" else [0, 0]
        self.hand_number = 0
        self.turned: str | None = None
        self.dealt: list[list[str]] = []
        self.holdings: list[list[str]] = []
        self.calls: Calls = []
        self.contract: Contract | None = None
        self.trump: str | None = None
        self.opening_leader: int | None = None
        self.played: list[str] = []
        self.trick_winners: list[int] = []
        self.result: dict[str, Any] | None = None
        self.winner: int | None = None
        self.winning_seats: list[int] = []
        self.win_reason: str | None = None

    def deal(self, hands: list[list[str]], turned: str | None) -> None:
        """Start the next hand.

        Args:
            hands: The thirteen cards of each seat.
            turned: The dealer's last card, where the rules turn it (T3, T5); else None.

        Raises:
            ValueError: If no deal is due, or this is not one.
        """
        if self.phase != "awaiting_deal" or self.next_dealer is None:
            raise ValueError("no deal is due")
        if [len(hand) for hand in hands] != [13, 13, 13, 13]:
            raise ValueError("a deal is four hands of thirteen cards")
        if sorted(hands[0] + hands[1] + hands[2] + hands[3]) != sorted(DECK):
            raise ValueError("a deal has each of the 52 cards once")
        if self.rules["trump"] in ("sister", "turned"):
            if turned not in hands[self.next_dealer]:
                raise ValueError("the turned card is one of the dealer's")
        elif turned is not None:
            raise ValueError("these rules turn no card")

        self.dealer = self.next_dealer
        self.next_dealer = None
        self.hand_number += 1
        self.turned = turned
        self.dealt = [list(hand) for hand in hands]
        self.holdings = [list(hand) for hand in hands]
        self.calls = []
        self.contract = None
        self.trump = self._trump_of_the_deal(turned)
        self.opening_leader = None
        self.played = []
        self.trick_winners = []
        self.result = None
        if self.rules["auction"] == "none":
            self._start_play()
        else:
            self.phase = "auction"
            self.turn = next_caller(self.rules, self.dealer, self.calls)

    def legal(self) -> list[Move]:
        """Return the moves of the seat to act; none when nobody is.

        A revoke is never among them, even where it is accepted and forfeits the hand (R2).
        """
        if self.turn is None:
            return []
        if self.phase == "auction":
            return legal_calls(self.rules, self.scores, self.calls, self.turn)
        if self.phase == "naming_trump":
            return [("trump", suit) for suit in SUITS]
        return [("card", card) for card in self._playable()]

    def move(self, seat: int, move: Move) -> None:
        """Make a move.

        Raises:
            ValueError: If it is not that seat's turn or not a legal move; nothing has changed then.
        """
        if self.turn is None or seat != self.turn:
            raise ValueError(f"it is not seat {seat}'s turn")
        if move in self.legal():
            if self.phase == "auction":
                self._call(seat, move)
            elif self.phase == "naming_trump":
                self.trump = move[1]
                self._start_play()
            else:
                self._play(seat, move[1])
        elif self._is_revoke(seat, move) and self.rules["revoke"] == "forfeits":
            self._forfeit(seat, move[1])
        else:
            raise ValueError(f"seat {seat} may not {move}")

    def trick_on_table(self) -> list[str]:
        """Return the cards of the trick that is not complete yet."""
        return self.played[4 * len(self.trick_winners) :]

    def _trump_of_the_deal(self, turned: str | None) -> str | None:
        """Return the trump that is known before any call (T3, T4, T5)."""
        if self.rules["trump"] == "fixed":
            fixed: str = self.rules["fixed_trump"]
            return fixed
        if turned is None:
            return None
        if self.rules["trump"] == "sister":
            return SISTERS[suit_of(turned)]
        return suit_of(turned)

    def _call(self, seat: int, call: Move) -> None:
        """Write a call down and see what follows from it."""
        assert self.dealer is not None
        self.calls.append((seat, call))
        if not auction_is_over(self.rules, self.calls):
            self.turn = next_caller(self.rules, self.dealer, self.calls)
        elif self.rules["auction"] == "individual":
            if total_is_too_low(self.rules, self.scores, self.calls):
                self._void("low_total", self.rules["dealer_after_low_total"])
            else:
                self._start_play()
        elif standing_bid(self.calls) is None:
            self._void("all_passed", self.rules["dealer_after_all_pass"])
        else:
            self._award_contract()

    def _award_contract(self) -> None:
        """Make the highest bidder the declarer (A7, A9, T1, T2)."""
        bid = standing_bid(self.calls)
        assert bid is not None
        declarer, tricks, strain = bid
        self.contract = (declarer, tricks, strain, is_doubled(self.rules, self.calls))
        if self.rules["trump"] == "named":
            self.phase = "naming_trump"
            self.turn = declarer
            return
        if self.rules["trump"] == "in_bid":
            self.trump = strain
        self._start_play()

    def _start_play(self) -> None:
        """Give the lead to whom the rules give it."""
        assert self.dealer is not None
        if self.rules["opening_lead"] == "dealer":
            self.opening_leader = self.dealer
        elif self.rules["opening_lead"] == "dealers_right":
            self.opening_leader = right_of(self.dealer)
        elif self.contract is not None:
            self.opening_leader = self.contract[0]
        else:
            raise AssertionError("without a declarer the rules must name another leader")
        self.phase = "play"
        self.turn = self.opening_leader

    def _playable(self) -> list[str]:
        """Return the cards that the seat to act may play (C5, T6)."""
        assert self.turn is not None
        holding = self.holdings[self.turn]
        table = self.trick_on_table()
        if table:
            return following_cards(holding, table[0])
        is_declarer = self.contract is not None and self.contract[0] == self.turn
        if self.rules["first_card"] == "trump" and not self.played and is_declarer:
            trumps = [card for card in holding if suit_of(card) == self.trump]
            return trumps or list(holding)
        return list(holding)

    def _is_revoke(self, seat: int, move: Move) -> bool:
        """Say whether a move plays a held card that does not follow although the seat could (R2)."""
        if self.phase != "play" or len(move) != 2 or move[0] != "card":
            return False
        table = self.trick_on_table()
        if not table or move[1] not in self.holdings[seat]:
            return False
        return move[1] not in following_cards(self.holdings[seat], table[0])

    def _play(self, seat: int, card: str) -> None:
        """Put a card on the table; a fourth one completes the trick (C6)."""
        self.holdings[seat].remove(card)
        self.played.append(card)
        table = self.trick_on_table()
        if len(table) < 4:
            self.turn = right_of(seat)
            return
        # The fourth player's right is the leader.
        taker = trick_winner(right_of(seat), table, self.trump)
        self.trick_winners.append(taker)
        self.turn = taker
        if len(self.trick_winners) == 13:
            tricks = self._tricks_taken()
            bids_or_contract = self._bids_or_contract()
            lines = hand_lines(self.rules, self.scores, bids_or_contract, tricks)
            self._score("scored", lines, None, outright_winner(self.rules, bids_or_contract, tricks))

    def _forfeit(self, seat: int, card: str) -> None:
        """End the hand with a revoke; it never counts as a sweep (R2)."""
        self.holdings[seat].remove(card)
        self.played.append(card)
        tricks = self._tricks_taken()
        lines = forfeited_lines(self.rules, self.scores, self._bids_or_contract(), tricks, seat)
        self._score("forfeited", lines, seat, None)

    def _tricks_taken(self) -> list[int]:
        """Count the completed tricks, by seat in an individual auction, else by team."""
        if self.rules["auction"] == "individual":
            return [self.trick_winners.count(seat) for seat in range(4)]
        return [[team_of(seat) for seat in self.trick_winners].count(team) for team in (0, 1)]

    def _bids_or_contract(self) -> list[int] | Contract | None:
        """Return what the hand is scored by: four bids by seat, the contract, or None."""
        if self.rules["auction"] != "individual":
            return self.contract
        bids = dict(self.calls)
        return [bids[seat][1] for seat in range(4)]

    def _void(self, end: str, who_deals: str) -> None:
        """Throw the hand in; the scores stay (A6, A14)."""
        self.result = {"end": end, "lines": [], "offender": None}
        self._await_deal(who_deals)

    def _score(self, end: str, lines: list[Line], offender: int | None, sweeper: int | None) -> None:
        """Write the points down and look for a winner (W1 to W6)."""
        before = self.scores
        self.scores = add_points(before, lines)
        self.result = {"end": end, "lines": lines, "offender": offender}
        self.winner, self.win_reason = find_winner(self.rules, before, self.scores, sweeper)
        self.winning_seats = winning_seats(self.rules, self.scores, self.winner)
        if self.winner is None:
            self._await_deal(self.rules["dealer_after_scored"])
        else:
            self.phase = "game_over"
            self.turn = None

    def _await_deal(self, who_deals: str) -> None:
        """Name the next dealer (C3, A6, A15)."""
        assert self.dealer is not None
        self.phase = "awaiting_deal"
        self.turn = None
        self.next_dealer = self.dealer if who_deals == "same" else right_of(self.dealer)
