"""From a position that nobody vouches for to a state that the rules accept, or every problem in it.

What a position gives (rules, dealer, scores before the hand, cards dealt) is taken as true; the hand is
replayed from there, and all that follows is compared with what the position says.
"""

from collections.abc import Sequence
from functools import lru_cache

from tarneeb_service.engine import check_calls, game
from tarneeb_service.engine import play as card_play
from tarneeb_service.engine.cards import DECK, STRAIN_NAMES, SUITS
from tarneeb_service.engine.check_parts import (
    MOST_CARDS,
    problems_in_parts,
    problems_in_played,
    problems_in_scores,
)
from tarneeb_service.engine.deals import masks_of_hands, problems_in_hands, turned_card_problem
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rules import Revoke, RuleSet
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.engine.snapshot import Derived, HandPosition, Position, RawCall, derived_of
from tarneeb_service.engine.state import (
    AwaitingDeal,
    Deal,
    Header,
    InAuction,
    InPlay,
    NamingTrump,
    Phase,
    Play,
    Scores,
    State,
)

MOST_REVISIONS = 2**31
CARDS = frozenset(DECK)
NO_CARDS = (0, 0, 0, 0)


def check(position: Position) -> State:
    """Return the state of a position.

    Raises:
        ProblemsError: The position contradicts the rules or itself; the error has every problem, with paths
            from the game.
    """
    problems: list[Problem] = []
    state = _Check(position, problems).state()
    if state is not None:
        _compare(position.derived, derived_of(state), problems)
    else:
        # What hangs on a part that is wrong can't be judged; the rest can.
        named = {problem.path for problem in problems}
        problems += [problem for problem in problems_in_parts(position) if problem.path not in named]
    if problems or state is None:
        raise ProblemsError(problems)
    return state


# All that comes before the first card stays the same for the 52 cards of a hand, and is sent with each. Only what
# is sound gets in, since what is wrong is raised: an entry is small, and nobody can fill the cache with much.
@lru_cache(maxsize=2048)
def _start_of_play(
    rules: RuleSet,
    hand_number: int,
    dealer: int | None,
    scores_before: Scores,
    dealt: tuple[Sequence[int], ...],
    turned: int | None,
    calls: tuple[RawCall, ...],
    trump: int | None,
) -> tuple[Deal, Play]:
    """Return the deal and the play before the first card.

    Raises:
        ProblemsError: Something is wrong, or the auction is not over.
    """
    derived = Derived((), None, 0, None, None, None, trump, None, (), None)
    hand = HandPosition(scores_before, dealt, turned, calls, ())
    position = Position(Header("", "", rules), 0, hand_number, dealer, hand, derived)
    problems: list[Problem] = []
    state = _Check(position, problems).state()
    if problems or not isinstance(state, InPlay):
        raise ProblemsError(problems)
    return state.deal, state.play


class _Check:
    """One run over one position; the steps share the list of problems."""

    def __init__(self, position: Position, problems: list[Problem]) -> None:
        self.position = position
        self.header = position.header
        self.rules: RuleSet = position.header.rules
        self.problems = problems

    def add(self, path: str, reason: ProblemReason, message: str) -> None:
        self.problems.append(Problem(path, reason, message))

    def state(self) -> State | None:
        """Return the state that follows from the given parts, or none when they are no basis for one."""
        position = self.position
        if not 0 <= position.revision <= MOST_REVISIONS:
            self.add("revision", ProblemReason.OUT_OF_RANGE, f"must be 0 to {MOST_REVISIONS}")
        hand = position.hand
        if hand is None:
            return self.first_state()
        if hand.played:
            start = self.known_start(hand)
            if start is not None:
                return self.cards(start, hand.played)
        if not 1 <= position.hand_number <= MOST_REVISIONS:
            self.add(
                "hand_number",
                ProblemReason.OUT_OF_RANGE,
                f"must be 1 to {MOST_REVISIONS} once a hand was dealt",
            )
        dealer = self.seat("dealer", position.dealer)
        scores_are_sound = self.scores("hand.scores_before", hand.scores_before)
        masks = masks_of_hands(hand.dealt)
        if masks is None:
            self.problems += problems_in_hands(hand.dealt, "hand.dealt", "hands")
        turned_is_sound = self.turned(hand, dealer)
        if dealer is None or not scores_are_sound or not turned_is_sound:
            return None
        # The calls can be judged without the cards.
        dealt = Deal(position.hand_number, dealer, hand.scores_before, masks or NO_CARDS, hand.turned)
        return self.played_hand(game.start_of_hand(self.header, position.revision, dealt), hand)

    def known_start(self, hand: HandPosition) -> InPlay | None:
        """Return the state before the first card, when nothing up to there is wrong."""
        position = self.position
        try:
            deal, play = _start_of_play(
                self.rules,
                position.hand_number,
                position.dealer,
                hand.scores_before,
                hand.dealt,
                hand.turned,
                hand.calls,
                position.derived.trump,
            )
        except ProblemsError:
            return None
        return InPlay(self.header, position.revision, deal, play)

    def first_state(self) -> State | None:
        """Return a game that awaits its first deal; its scores and next dealer are given."""
        position = self.position
        given = position.derived
        if position.hand_number:
            self.add("hand", ProblemReason.MISSING, "the current hand must stay until the next deal")
        if position.dealer is not None:
            self.add("dealer", ProblemReason.UNEXPECTED, "must be unset before the first deal")
        next_dealer = self.seat("next_dealer", given.next_dealer)
        if not self.scores("scores", given.scores) or next_dealer is None:
            return None
        return AwaitingDeal(self.header, position.revision, given.scores, next_dealer, None)

    def seat(self, path: str, seat: int | None) -> int | None:
        if seat is None:
            self.add(path, ProblemReason.MISSING, "name a seat")
            return None
        if not 0 <= seat < 4:
            self.add(path, ProblemReason.UNKNOWN_VALUE, "is no seat")
            return None
        return seat

    def scores(self, path: str, scores: Scores) -> bool:
        found = problems_in_scores(path, scores, self.rules)
        self.problems += found
        return not found

    def turned(self, hand: HandPosition, dealer: int | None) -> bool:
        dealers = hand.dealt[dealer] if dealer is not None and len(hand.dealt) == 4 else None
        problem = turned_card_problem(
            "hand.turned_card", hand.turned, turns_card=self.rules.turns_card, dealers=dealers
        )
        if problem is not None:
            self.problems.append(problem)
        return problem is None

    def played_hand(self, state: InAuction | InPlay, hand: HandPosition) -> State | None:
        """Return where the calls, the trump named and the cards played lead from the start of a hand."""
        following: State | None = state
        if isinstance(state, InAuction):
            following = self.auction(state, hand.calls)
        elif hand.calls:
            self.add("hand.calls", ProblemReason.UNEXPECTED, "these rules have no auction")
        if isinstance(following, NamingTrump):
            following = self.naming(following, bool(hand.played))
        if isinstance(following, InPlay):
            return self.cards(following, hand.played)
        if hand.played and following is not None:
            self.add("hand.played", ProblemReason.UNEXPECTED, "no card can have been played yet")
        return None if state.deal.dealt == NO_CARDS else following

    def auction(self, state: InAuction, calls: tuple[RawCall, ...]) -> State | None:
        hand = state.deal
        try:
            bidding, closed = check_calls.replay(self.rules, hand.dealer, hand.scores_before, calls)
        except ProblemsError as error:
            self.problems += error.problems
            return None
        reached = InAuction(state.header, state.revision, hand, bidding)
        return game.after_auction(reached) if closed else reached

    def naming(self, state: NamingTrump, cards_were_played: bool) -> State | None:
        trump = self.position.derived.trump
        if trump is None:
            if not cards_were_played:
                return state
            self.add(
                "hand.trump", ProblemReason.MISSING, "cards were played, so the declarer has named trump"
            )
            return None
        if trump not in SUITS:
            self.add("hand.trump", ProblemReason.UNKNOWN_VALUE, "must be a suit")
            return None
        current = game.start_of_play(self.rules, state.deal, state.calls, state.contract, trump)
        return InPlay(state.header, state.revision, state.deal, current)

    def cards(self, state: InPlay, played: tuple[int, ...]) -> State | None:
        start = state.play
        if start.holdings == NO_CARDS:
            return None
        if len(played) > MOST_CARDS or not CARDS.issuperset(played):
            self.problems += problems_in_played(played)
            return None
        reached = card_play.replay(start.holdings, start.opening_leader, start.trump, played)
        winners = tuple(reached.winners)
        offender = None
        if reached.revokes and reached.revokes == [len(played) - 1] and self.rules.revoke is Revoke.FORFEITS:
            # R2: the hand ended with this card, before its trick counted.
            trick, place = divmod(len(played) - 1, 4)
            offender = ((start.opening_leader, *winners)[trick] + place) % 4
            winners = winners[:trick]
            reached.revokes.clear()
        wrong = reached.not_dealt or reached.played_twice or reached.revokes
        if (wrong or self.rules.opens_with_trump) and self.illegal_cards(state, played, reached):
            return None
        north, west, south, east = reached.holdings
        current = Play(
            start.calls,
            start.contract,
            start.trump,
            start.opening_leader,
            (north, west, south, east),
            played,
            winners,
        )
        if offender is not None or len(played) == 52:
            return game.after_play(self.header, state.revision, state.deal, current, offender)
        return InPlay(self.header, state.revision, state.deal, current)

    def illegal_cards(self, state: InPlay, played: tuple[int, ...], reached: card_play.Replay) -> bool:
        """Name every card that the rules refuse, and say whether there is one."""
        before = len(self.problems)
        for index in reached.not_dealt:
            self.add(
                f"hand.played[{index}]",
                ProblemReason.NOT_DEALT,
                "was not dealt to the seat whose turn it was",
            )
        for index in reached.played_twice:
            self.add(f"hand.played[{index}]", ProblemReason.PLAYED_TWICE, "was played before")
        for index in reached.revokes:
            self.add(
                f"hand.played[{index}]", ProblemReason.ILLEGAL_HISTORY, "the seat could follow suit (C5)"
            )
        if played and self.rules.opens_with_trump and 0 not in reached.not_dealt:
            verdict = card_play.judge_card(self.rules, state.play, played[0])
            if verdict is not None:
                self.add(
                    "hand.played[0]", ProblemReason.ILLEGAL_HISTORY, "the first card must be a trump (T6)"
                )
        return len(self.problems) > before


def _compare(given: Derived, derived: Derived, problems: list[Problem]) -> None:
    """Name every derived field that says something else."""
    if given == derived:
        return
    for name, is_, should_be in zip(Derived._fields, given, derived, strict=True):
        if is_ == should_be:
            continue
        path = (
            name if name in ("scores", "next_dealer", "phase", "seat_to_act", "outcome") else f"hand.{name}"
        )
        if isinstance(is_, tuple) and isinstance(should_be, tuple):
            _compare_lists(path, is_, should_be, problems)
            continue
        if should_be is None:
            problems.append(
                Problem(path, ProblemReason.UNEXPECTED, "must be unset at this point of the game")
            )
        elif is_ is None or (name == "phase" and is_ == 0):
            problems.append(Problem(path, ProblemReason.MISSING, f"must be {_text(name, should_be)}"))
        else:
            reason = ProblemReason.UNKNOWN_VALUE if _unknown(name, is_) else ProblemReason.MISMATCH
            problems.append(
                Problem(path, reason, f"does not follow from the game: must be {_text(name, should_be)}")
            )


def _compare_lists(
    path: str, given: tuple[int, ...], derived: tuple[int, ...], problems: list[Problem]
) -> None:
    if len(given) != len(derived):
        message = f"must have {len(derived)} entries, not {len(given)}"
        problems.append(Problem(path, ProblemReason.WRONG_COUNT, message))
    for index, (is_, should_be) in enumerate(zip(given, derived, strict=False)):
        if is_ != should_be:
            text = SEAT_NAMES[should_be] if path.endswith("winners") else str(should_be)
            message = f"does not follow from the game: must be {text}"
            problems.append(Problem(f"{path}[{index}]", ProblemReason.MISMATCH, message))


def _text(name: str, value: object) -> str:
    match name, value:
        case (("next_dealer" | "seat_to_act" | "opening_leader"), int(seat)):
            return SEAT_NAMES[seat]
        case "trump", int(strain):
            return STRAIN_NAMES[strain]
        case "phase", Phase():
            return value.name.lower().replace("_", " ")
    return f"the {name} that ResolveRuleSet's rules and the hand give"


def _unknown(name: str, value: object) -> bool:
    known = {"next_dealer": 4, "seat_to_act": 4, "opening_leader": 4, "phase": 6, "trump": 6}.get(name)
    return known is not None and isinstance(value, int) and not 0 <= value < known
