"""Games, hands and results: ``game.proto``.

A game is read as it stands, wrong or not, and the engine checks it; here only what
has no place in a snapshot is refused.
"""

from tarneeb.v1 import game_pb2
from tarneeb_service.engine.derived import derived_of
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.engine.seats import SEATS
from tarneeb_service.engine.snapshot import (
    RawCall,
    RawContract,
    RawDerived,
    RawHand,
    RawOutcome,
    RawResult,
    RawScoreLine,
    Snapshot,
)
from tarneeb_service.engine.state import (
    Contract,
    HandResult,
    Header,
    Outcome,
    State,
    calls_of,
    deal_of,
    play_of,
)
from tarneeb_service.wire.cards import (
    decode_card_sets,
    decode_seat,
    encode_card,
    encode_card_sets,
    encode_cards,
    encode_seat,
    encode_seats,
    encode_strain,
    encode_team,
)
from tarneeb_service.wire.moves import encode_call_made
from tarneeb_service.wire.problems import NewerRulesError, preset_id_problem, raise_if_any, text_problem
from tarneeb_service.wire.rules import decode_rules, encode_rules

# What follows in a hand, in the order of ``RawDerived``.
_DerivedHand = tuple[RawContract | None, int | None, int | None, tuple[int, ...], RawResult | None]
_NO_DERIVED_HAND: _DerivedHand = (None, None, None, (), None)
# No auction is half as long, so one of these is refused, and the rest need not be read.
_MOST_CALLS = 1024


def decode_game(message: game_pb2.Game) -> Snapshot:
    """Return a game as it was stored.

    Raises:
        ProblemsError: Id, rules or rules revision are no basis for a check; paths from the game.
        NewerRulesError: A newer release made the game.
    """
    revision = message.rules_revision
    if revision > RULES_REVISION:
        raise NewerRulesError(revision)
    problems = [text_problem("id", message.id), preset_id_problem("preset_id", message.preset_id)]
    if not revision:
        problems.append(Problem("rules_revision", ProblemReason.MISSING, "keep the one that CreateGame gave"))
    if not message.HasField("rules"):
        problems.append(Problem("rules", ProblemReason.MISSING, "keep those that CreateGame gave"))
        raise_if_any(problems)
    try:
        rules = decode_rules(message.rules, revision or RULES_REVISION)
    except ProblemsError as error:
        raise_if_any([*problems, *(problem.under("rules") for problem in error.problems)])
        raise
    raise_if_any(problems)
    hand, derived_hand = None, _NO_DERIVED_HAND
    if message.HasField("hand"):
        hand, derived_hand = _decode_hand(message.hand, rules.individual)
    return Snapshot(
        Header(message.id, message.preset_id, rules),
        message.revision,
        message.hand_number,
        decode_seat(message.dealer),
        hand,
        RawDerived(
            tuple(message.scores[:]),
            decode_seat(message.next_dealer),
            message.phase or None,
            decode_seat(message.seat_to_act),
            _decode_outcome(message.outcome) if message.HasField("outcome") else None,
            *derived_hand,
        ),
    )


def encode_game(state: State) -> game_pb2.Game:
    """Return the snapshot of a game that callers keep."""
    header, derived, deal = state.header, derived_of(state), deal_of(state)
    message = game_pb2.Game(
        id=header.id,
        preset_id=header.preset_id,
        rules=encode_rules(header.rules),
        rules_revision=RULES_REVISION,
        revision=state.revision,
        scores=derived.scores,
        next_dealer=encode_seat(derived.next_dealer),
        phase=encode_phase(derived.phase),
        seat_to_act=encode_seat(derived.seat_to_act),
        outcome=None if derived.outcome is None else encode_outcome(derived.outcome),
    )
    if deal is None:
        return message
    message.hand_number = deal.number
    message.dealer = encode_seat(deal.dealer)
    play, hand = play_of(state), message.hand
    hand.dealt.extend(encode_card_sets(deal.dealt))
    hand.calls.extend(encode_call_made(call) for call in calls_of(state))
    hand.scores_before.extend(deal.scores_before)
    if deal.turned is not None:
        hand.turned_card = encode_card(deal.turned)
    if derived.contract is not None:
        hand.contract.CopyFrom(encode_contract(derived.contract))
    if derived.trump is not None:
        hand.trump = encode_strain(derived.trump)
    if play is not None:
        hand.opening_leader = encode_seat(play.opening_leader)
        hand.played.extend(encode_cards(play.played))
        hand.trick_winners.extend(encode_seats(play.winners))
    if derived.result is not None:
        hand.result.CopyFrom(encode_result(derived.result))
        for line in hand.result.lines:
            # It follows from the rest, and its words may get better from release to release.
            line.ClearField("rule_ids")
    return message


def encode_phase(phase: int) -> game_pb2.Phase.ValueType:
    """Return a phase, or unspecified for zero."""
    return game_pb2.Phase.ValueType(phase)


def encode_contract(contract: Contract) -> game_pb2.Contract:
    """Return a contract."""
    return game_pb2.Contract(
        declarer=encode_seat(contract.declarer),
        tricks=contract.tricks,
        strain=encode_strain(contract.strain),
        doubled=contract.doubled,
    )


def encode_result(result: HandResult) -> game_pb2.HandResult:
    """Return how a hand ended; two lines are those of teams, four those of seats."""
    by_seat = len(result.lines) == len(SEATS)
    lines = [
        game_pb2.ScoreLine(
            bid=line.bid, tricks=line.tricks, points=line.points, made=line.made, rule_ids=line.rule_ids
        )
        for line in result.lines
    ]
    for message, line in zip(lines, result.lines, strict=True):
        if by_seat:
            message.seat = encode_seat(line.side)
        else:
            message.team = encode_team(line.side)
    return game_pb2.HandResult(
        end=game_pb2.HandEnd.ValueType(result.end), lines=lines, offender=encode_seat(result.offender)
    )


def encode_outcome(outcome: Outcome) -> game_pb2.Outcome:
    """Return how a game ended."""
    return game_pb2.Outcome(
        winner=encode_team(outcome.winner),
        loser=encode_team(outcome.loser),
        reason=game_pb2.WinReason.ValueType(outcome.reason),
        winning_seats=encode_seats(outcome.winning_seats),
    )


def _decode_hand(message: game_pb2.Hand, individual: bool) -> tuple[RawHand, _DerivedHand]:
    """Return a hand as it was stored, and what it says of what follows from it."""
    calls = [
        RawCall(decode_seat(call.seat), call.kind, call.tricks, call.strain)
        for call in message.calls[:_MOST_CALLS]
    ]
    return (
        RawHand(
            tuple(message.scores_before[:]),
            decode_card_sets(message.dealt),
            message.turned_card or None,
            tuple(calls),
            tuple(message.played[:]),
        ),
        (
            _decode_contract(message.contract) if message.HasField("contract") else None,
            message.trump or None,
            decode_seat(message.opening_leader),
            tuple([winner - 1 for winner in message.trick_winners[:]]),
            _decode_result(message.result, individual) if message.HasField("result") else None,
        ),
    )


def _decode_contract(message: game_pb2.Contract) -> RawContract:
    return RawContract(decode_seat(message.declarer), message.tricks, message.strain or None, message.doubled)


def _decode_result(message: game_pb2.HandResult, individual: bool) -> RawResult:
    lines = [
        RawScoreLine(
            # A line of the wrong kind names no side, and so follows from no hand.
            decode_seat(line.seat if individual else line.team),
            line.bid if line.HasField("bid") else None,
            line.tricks,
            line.points,
            line.made if line.HasField("made") else None,
            # One is wrong already.
            tuple(line.rule_ids[:1]),
        )
        # One more than sides is wrong already.
        for line in message.lines[: len(SEATS) + 1]
    ]
    return RawResult(message.end or None, tuple(lines), decode_seat(message.offender))


def _decode_outcome(message: game_pb2.Outcome) -> RawOutcome:
    seats = tuple([seat - 1 for seat in message.winning_seats[: len(SEATS)]])
    return RawOutcome(decode_seat(message.winner), decode_seat(message.loser), message.reason or None, seats)
