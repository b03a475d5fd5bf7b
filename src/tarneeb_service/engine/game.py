"""The game as a whole: make one, deal, list and judge moves, make them.

Each function takes a checked state and returns a new one; none changes its arguments, and none deals by
itself. ``judge`` and ``legal_moves`` rest on the same functions of ``auction`` and ``play``.
"""

from tarneeb_service.engine import auction, play, scoring, verdicts
from tarneeb_service.engine.cards import SISTER_SUIT, SUITS, TRICKS, cards_of
from tarneeb_service.engine.events import (
    AuctionWon,
    CallMade,
    CardPlayed,
    Event,
    GameWon,
    HandDealt,
    HandEnded,
    TrickWon,
    TrumpNamed,
)
from tarneeb_service.engine.moves import Bid, Call, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.rules import NextDealer, OpeningLead, Passing, RuleSet, Trump
from tarneeb_service.engine.seats import SEATS, next_seat
from tarneeb_service.engine.state import (
    AwaitingDeal,
    Bidding,
    Contract,
    Deal,
    EndedHand,
    GameOver,
    HandEnd,
    HandResult,
    Header,
    InAuction,
    InPlay,
    NamingTrump,
    Play,
    State,
    phase_of,
)
from tarneeb_service.engine.verdicts import LEGAL, Ruling, Verdict


def create(header: Header, first_dealer: int) -> AwaitingDeal:
    """Return a game without a hand, at revision 0 and with all scores zero (C3)."""
    return AwaitingDeal(header, 0, (0,) * header.rules.sides, first_dealer, None)


def deal(
    state: AwaitingDeal, dealt: tuple[int, int, int, int], turned: int | None
) -> tuple[InAuction | InPlay, list[Event]]:
    """Deal the next hand.

    Args:
        state: A game between hands.
        dealt: Four disjoint masks of 13 cards, in seat order.
        turned: The dealer's last card, under rules that turn one; else none.
    """
    number, dealer = state.next_number, state.next_dealer
    event = HandDealt(number, dealer, turned, trump_with_deal(state.header.rules, turned))
    following = start_of_hand(
        state.header, state.revision + 1, Deal(number, dealer, state.scores, dealt, turned)
    )
    return following, [event]


def start_of_hand(header: Header, revision: int, deal: Deal) -> InAuction | InPlay:
    """Return the first state of a hand: the auction, or the play where there is none (A16)."""
    if not header.rules.has_auction:
        trump = trump_with_deal(header.rules, deal.turned)
        return InPlay(header, revision, deal, start_of_play(header.rules, deal, (), None, trump or 0))
    return InAuction(header, revision, deal, auction.opening(deal.dealer))


def trump_with_deal(rules: RuleSet, turned: int | None) -> int | None:
    """Return the trump that is known before the first call, or none (T3, T4, T5)."""
    if not rules.turns_card:
        return rules.fixed_trump
    if turned is None:
        return None
    return SISTER_SUIT[turned >> 4] if rules.trump is Trump.SISTER else turned >> 4


def start_of_play(
    rules: RuleSet, deal: Deal, calls: tuple[Call, ...], contract: Contract | None, trump: int
) -> Play:
    """Return the play before the first card."""
    if rules.declarer_leads and contract is not None:
        leader = contract.declarer
    else:
        leader = deal.dealer if rules.opening_lead is OpeningLead.DEALER else next_seat(deal.dealer)
    return Play(calls, contract, trump, leader, deal.dealt)


def after_auction(state: InAuction) -> State:
    """Return what a closed auction leads to: a void hand, the naming of trump, or the play.

    Args:
        state: A hand whose auction is closed.
    """
    header, deal, calls = state.header, state.deal, state.bidding.calls
    rules = header.rules
    contract = None
    if rules.individual:
        if auction.total_is_low(rules, deal.scores_before, bids_of(calls)):
            return _void(state, HandEnd.LOW_TOTAL, rules.dealer_after_low_total)
    else:
        contract = auction.contract_of(state.bidding)
        if contract is None:
            return _void(state, HandEnd.ALL_PASSED, rules.dealer_after_all_pass)
        if rules.trump is Trump.NAMED:
            return NamingTrump(header, state.revision, deal, calls, contract)
    trump = trump_with_deal(rules, deal.turned)
    if trump is None:
        trump = contract.strain if contract is not None else None
    return InPlay(header, state.revision, deal, start_of_play(rules, deal, calls, contract, trump or 0))


def after_naming(state: NamingTrump, revision: int, trump: int) -> InPlay:
    """Return the play that follows when the declarer has named trump."""
    start = start_of_play(state.header.rules, state.deal, state.calls, state.contract, trump)
    return InPlay(state.header, revision, state.deal, start)


def after_card(
    header: Header, revision: int, deal: Deal, play: Play, *, forfeits: bool
) -> InPlay | AwaitingDeal | GameOver:
    """Return what the last card of a play leads to: the next one, or the end of the hand, and maybe of the game."""
    rules, offender = header.rules, None
    if forfeits:
        # R2: the hand ends with this card, before its trick counts for the offender's side.
        play = play._replace(winners=play.winners[: (len(play.played) - 1) // 4])
        offender = (play.turn - 1) % 4
    elif len(play.winners) < TRICKS:
        return InPlay(header, revision, deal, play)
    result = _result_of_play(rules, deal, play, offender)
    scores = scoring.add_points(deal.scores_before, result)
    ended = EndedHand(deal, play.calls, play, result)
    outcome = scoring.outcome_of(rules, deal.scores_before, result)
    if outcome is not None:
        return GameOver(header, revision, scores, ended, outcome)
    return AwaitingDeal(header, revision, scores, _next_dealer(deal.dealer, rules.dealer_after_scored), ended)


def _result_of_play(rules: RuleSet, deal: Deal, play: Play, offender: int | None) -> HandResult:
    """Score a hand that is over from its tricks; those left after a revoke go to the other side (R2)."""
    by_seat = tuple(play.tricks_of(seat) for seat in SEATS)
    if rules.individual:
        bids = tuple(bids_of(play.calls))
        return scoring.score_individual(rules, bids, by_seat, deal.scores_before, offender)
    teams = [by_seat[0] + by_seat[2], by_seat[1] + by_seat[3]]
    if offender is not None:
        teams[1 - offender % 2] += TRICKS - len(play.winners)
    if play.contract is None:
        return scoring.score_majority(rules, tuple(teams), offender)
    return scoring.score_contract(rules, play.contract, tuple(teams), offender)


def bids_of(calls: tuple[Call, ...]) -> list[int]:
    """Return the four individual bids in seat order (A12)."""
    bids = [0, 0, 0, 0]
    for call in calls:
        if isinstance(call, Bid):
            bids[call.seat] = call.tricks
    return bids


def legal_moves(state: State) -> list[Move]:
    """Return the legal moves of the seat to act in canonical order; none when the game waits for no move."""
    rules = state.header.rules
    match state:
        case InAuction(bidding=bidding):
            return [*auction.legal_calls(rules, state.deal.scores_before, bidding)]
        case NamingTrump(contract=contract):
            return [NameTrump(contract.declarer, suit) for suit in SUITS]
        case InPlay(play=current):
            seat = current.turn
            return [PlayCard(seat, card) for card in cards_of(play.playable(rules, current))]
    return []


def judge(state: State, move: Move, made_for: int | None = None) -> Verdict:
    """Say whether a move is legal, and if not, the first reason in the order of ``RefusalReason``.

    Args:
        state: The game.
        move: Any move of any seat.
        made_for: The revision the move was made for, when the mover names one.
    """
    if isinstance(state, GameOver):
        return verdicts.game_over()
    if made_for is not None and made_for != state.revision:
        return verdicts.stale_revision(made_for, state.revision)
    rules = state.header.rules
    if isinstance(state, InPlay) and isinstance(move, PlayCard):
        turn = state.play.turn
        if move.seat != turn:
            return verdicts.out_of_turn(move.seat, turn)
        return play.judge_card(rules, state.play, move.card) or LEGAL
    match state, move:
        case InAuction(bidding=bidding), Bid(seat) | Pass(seat) | Double(seat):
            if seat != bidding.turn:
                return _not_his_call(rules, bidding, seat)
            return auction.judge_call(rules, state.deal.scores_before, bidding, move) or LEGAL
        case NamingTrump(contract=contract), NameTrump(seat, strain):
            if seat != contract.declarer:
                return verdicts.not_declarer(seat, contract.declarer)
            return LEGAL if strain in SUITS else verdicts.trump_not_a_suit()
    return verdicts.wrong_phase(phase_of(state))


def apply(state: State, move: Move, made_for: int | None = None) -> tuple[Verdict, State, list[Event]]:
    """Make a move if it is accepted.

    Returns:
        The verdict, the next state (the same one when the move is refused) and what happened.
    """
    verdict = judge(state, move, made_for)
    if not verdict.accepted:
        return verdict, state, []
    following: State
    events: list[Event]
    match state, move:
        case InAuction(), Bid() | Pass() | Double():
            following, events = _call(state, move)
        case NamingTrump(), NameTrump():
            following = after_naming(state, state.revision + 1, move.strain)
            events = [TrumpNamed(move.seat, move.strain)]
        case InPlay(), PlayCard():
            following, events = _play_card(state, move, forfeits=verdict.ruling is Ruling.FORFEITS)
        case _:  # pragma: no cover - judge refuses every other pair
            raise AssertionError(f"{type(state).__name__} accepted {type(move).__name__}")
    return verdict, following, [*events, *_ending(following)]


def _not_his_call(rules: RuleSet, bidding: Bidding, seat: int) -> Verdict:
    if rules.passing is Passing.FINAL and bidding.passed >> seat & 1:
        return verdicts.already_passed(seat, bidding.turn)
    return verdicts.out_of_turn(seat, bidding.turn)


def _call(state: InAuction, call: Call) -> tuple[State, list[Event]]:
    rules = state.header.rules
    bidding = auction.after(rules, state.bidding, call)
    following = InAuction(state.header, state.revision + 1, state.deal, bidding)
    events: list[Event] = [CallMade(call)]
    if not auction.is_closed(rules, bidding):
        return following, events
    contract = None if rules.individual else auction.contract_of(bidding)
    if contract is not None:
        events.append(AuctionWon(contract))
    return after_auction(following), events


def _play_card(state: InPlay, move: PlayCard, *, forfeits: bool) -> tuple[State, list[Event]]:
    following = play.after(state.play, move.card)
    events: list[Event] = [CardPlayed(move.seat, move.card)]
    if not forfeits and len(following.winners) > len(state.play.winners):
        events.append(TrickWon(following.winners[-1], len(following.winners)))
    return after_card(state.header, state.revision + 1, state.deal, following, forfeits=forfeits), events


def _ending(state: State) -> list[Event]:
    """Return the events of a hand and a game that have just ended."""
    if not isinstance(state, AwaitingDeal | GameOver) or state.last is None:
        return []
    events: list[Event] = [HandEnded(state.last.deal.number, state.last.result, state.scores)]
    if isinstance(state, GameOver):
        events.append(GameWon(state.outcome))
    return events


def _void(state: InAuction, end: HandEnd, dealer: NextDealer) -> AwaitingDeal:
    deal = state.deal
    ended = EndedHand(deal, state.bidding.calls, None, HandResult(end))
    return AwaitingDeal(
        state.header, state.revision, deal.scores_before, _next_dealer(deal.dealer, dealer), ended
    )


def _next_dealer(dealer: int, rule: NextDealer) -> int:
    return next_seat(dealer) if rule is NextDealer.RIGHT else dealer
