"""From a snapshot that nobody vouches for to a state that the rules accept, or every problem in it.

What a snapshot gives (rules, dealer, scores before the hand, cards dealt) is taken as true; the hand is made
again from there, and all that follows is compared with what the snapshot says.
"""

from collections.abc import Sequence

from tarneeb_service.engine import game
from tarneeb_service.engine import play as card_play
from tarneeb_service.engine.cards import DECK, SUITS
from tarneeb_service.engine.check_parts import (
    problem_in_seat,
    problems_in_parts,
    problems_in_played,
    problems_in_scores,
)
from tarneeb_service.engine.compare import differences
from tarneeb_service.engine.deals import masks_of_hands, problems_in_hands, turned_card_problem
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError, out_of_range
from tarneeb_service.engine.replay import replay_calls, replay_cards
from tarneeb_service.engine.rules import Revoke
from tarneeb_service.engine.snapshot import RawCall, RawHand, Snapshot
from tarneeb_service.engine.state import (
    LAST_NUMBER,
    AwaitingDeal,
    Deal,
    InAuction,
    InPlay,
    NamingTrump,
    Play,
    State,
)
from tarneeb_service.engine.verdicts import RefusalReason

_CARDS = frozenset(DECK)
_NO_CARDS = (0, 0, 0, 0)
_WRONG_CARD = {
    ProblemReason.NOT_DEALT: "was not dealt to the seat whose turn it was",
    ProblemReason.PLAYED_TWICE: "was played before",
    ProblemReason.ILLEGAL_HISTORY: "the seat could follow suit (C5)",
}


def check(snapshot: Snapshot) -> State:
    """Return the state of a snapshot.

    Raises:
        ProblemsError: The snapshot contradicts the rules or itself; the error has every problem, with paths
            from the game.
    """
    run = _Run(snapshot)
    state, problems = run.state(), run.problems
    if state is not None:
        problems += differences(snapshot.derived, state)
    else:
        # What hangs on a part that is wrong can't be judged; what is wrong in itself can.
        named = {problem.path for problem in problems}
        problems += [problem for problem in problems_in_parts(snapshot, named) if problem.path not in named]
    if problems or state is None:
        raise ProblemsError(problems)
    return state


class _Run:
    """One run over the given parts of one snapshot; the steps share the list of problems."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.header = snapshot.header
        self.rules = snapshot.header.rules
        self.problems: list[Problem] = []

    def add(self, path: str, reason: ProblemReason, message: str) -> None:
        self.problems.append(Problem(path, reason, message))

    def none_of(self, problems: list[Problem]) -> bool:
        """Keep the problems, and say whether there is none."""
        self.problems += problems
        return not problems

    def state(self) -> State | None:
        """Return the state that follows from the given parts, or none when they are no basis for one."""
        snapshot, hand = self.snapshot, self.snapshot.hand
        if not 0 <= snapshot.revision <= LAST_NUMBER:
            self.problems.append(out_of_range("revision", 0, LAST_NUMBER))
        if hand is None or not (hand.dealt or snapshot.hand_number):
            return self.first_state()
        if not 1 <= snapshot.hand_number <= LAST_NUMBER:
            message = f"must be 1 to {LAST_NUMBER} once a hand was dealt"
            self.problems.append(out_of_range("hand_number", 1, LAST_NUMBER, message))
        dealer = self.seat("dealer", snapshot.dealer)
        scores_are_sound = self.none_of(
            problems_in_scores("hand.scores_before", hand.scores_before, self.rules)
        )
        masks = masks_of_hands(hand.dealt)
        if masks is None:
            self.problems += problems_in_hands(hand.dealt, "hand.dealt", "hands")
        turned_is_sound = self.turned(hand, None if masks is None else dealer)
        if dealer is None or not scores_are_sound or not turned_is_sound:
            return None
        # The calls can be judged without the cards.
        deal = Deal(snapshot.hand_number, dealer, hand.scores_before, masks or _NO_CARDS, hand.turned)
        return self.hand(game.start_of_hand(self.header, snapshot.revision, deal), hand)

    def first_state(self) -> State | None:
        """Return a game that awaits its first deal; its scores and next dealer are given."""
        snapshot, given = self.snapshot, self.snapshot.derived
        if snapshot.hand_number:
            self.add("hand", ProblemReason.MISSING, "the current hand must stay until the next deal")
            return None
        if snapshot.hand is not None:
            self.add("hand", ProblemReason.UNEXPECTED, "must be unset before the first deal")
            return None
        if snapshot.dealer is not None and self.seat("dealer", snapshot.dealer) is not None:
            self.add("dealer", ProblemReason.UNEXPECTED, "must be unset before the first deal")
        next_dealer = self.seat("next_dealer", given.next_dealer)
        scores_are_sound = self.none_of(problems_in_scores("scores", given.scores, self.rules))
        if not scores_are_sound or next_dealer is None:
            return None
        return AwaitingDeal(self.header, snapshot.revision, given.scores, next_dealer, None)

    def seat(self, path: str, seat: int | None) -> int | None:
        problem = problem_in_seat(path, seat)
        if problem is None:
            return seat
        self.problems.append(problem)
        return None

    def turned(self, hand: RawHand, dealer: int | None) -> bool:
        dealers = None if dealer is None else hand.dealt[dealer]
        problem = turned_card_problem(
            "hand.turned_card", hand.turned, turns_card=self.rules.turns_card, dealers=dealers
        )
        return self.none_of([] if problem is None else [problem])

    def hand(self, start: InAuction | InPlay, hand: RawHand) -> State | None:
        """Return where the calls, the trump named and the cards played lead from the start of a hand."""
        following: State | None = start
        if isinstance(start, InAuction):
            following = self.auction(start, hand.calls)
        elif hand.calls:
            self.add("hand.calls", ProblemReason.UNEXPECTED, "these rules have no auction")
        if isinstance(following, NamingTrump):
            following = self.naming(following, bool(hand.played))
        if isinstance(following, InPlay):
            return self.cards(following, hand.played)
        if hand.played and following is not None:
            self.add("hand.played", ProblemReason.UNEXPECTED, "no card can have been played yet")
            return None
        return None if start.deal.dealt == _NO_CARDS else following

    def auction(self, start: InAuction, calls: Sequence[RawCall]) -> State | None:
        deal = start.deal
        try:
            bidding, closed = replay_calls(self.rules, deal.dealer, deal.scores_before, calls)
        except ProblemsError as error:
            self.problems += error.problems
            return None
        reached = InAuction(self.header, start.revision, deal, bidding)
        return game.after_auction(reached) if closed else reached

    def naming(self, state: NamingTrump, cards_were_played: bool) -> State | None:
        trump = self.snapshot.derived.trump
        if trump is None:
            if not cards_were_played:
                return state
            message = "cards were played, so the declarer has named trump"
            self.add("hand.trump", ProblemReason.MISSING, message)
            return None
        if trump not in SUITS:
            self.add("hand.trump", ProblemReason.UNKNOWN_VALUE, "must be a suit")
            return None
        return game.after_naming(state, state.revision, trump)

    def cards(self, state: InPlay, played: tuple[int, ...]) -> State | None:
        start = state.play
        if start.holdings == _NO_CARDS:
            return None
        if len(played) > len(DECK) or not _CARDS.issuperset(played):
            self.problems += problems_in_played(played)
            return None
        holdings, winners, wrong, reason = replay_cards(
            start.holdings, start.opening_leader, start.trump, played
        )
        if self.rules.opens_with_trump and self.trump_is_due(start, played):
            return None
        forfeits = False
        if wrong is not None and reason is not None:
            revoked = reason is ProblemReason.ILLEGAL_HISTORY
            forfeits = revoked and self.rules.revoke is Revoke.FORFEITS
            if not forfeits:
                self.add(f"hand.played[{wrong}]", reason, _WRONG_CARD[reason])
                return None
            if wrong < len(played) - 1:
                message = "the hand was over before this card: a revoke had lost it (R2)"
                self.add(f"hand.played[{wrong + 1}]", ProblemReason.UNEXPECTED, message)
                return None
        north, west, south, east = holdings
        left = (north, west, south, east)
        play = Play(
            start.calls, start.contract, start.trump, start.opening_leader, left, played, tuple(winners)
        )
        return game.after_card(self.header, state.revision, state.deal, play, forfeits=forfeits)

    def trump_is_due(self, start: Play, played: tuple[int, ...]) -> bool:
        """Say whether the first card should have been a trump, and name it."""
        verdict = card_play.judge_card(self.rules, start, played[0]) if played else None
        if verdict is None or verdict.reason is not RefusalReason.MUST_LEAD_TRUMP:
            return False
        message = "the first card must be a trump (T6)"
        self.add("hand.played[0]", ProblemReason.ILLEGAL_HISTORY, message)
        return True
