"""What the oracle says of a game, as the message that the service must answer with."""

from typing import Any

from tarneeb.v1 import cards_pb2, game_pb2, moves_pb2, rules_pb2
from tests.oracle.cards import DECK, SUITS, suit_of
from tests.oracle.referee import Referee

Move = tuple[Any, ...]

PHASES = {"awaiting_deal": 1, "auction": 2, "naming_trump": 3, "play": 4, "game_over": 5}
STRAINS = {None: 0, "clubs": 1, "diamonds": 2, "hearts": 3, "spades": 4, "no_trump": 5}
STRAIN_NAMES = {number: name for name, number in STRAINS.items()}
KINDS = {"bid": 1, "pass": 2, "double": 3}
KIND_NAMES = {number: name for name, number in KINDS.items()}
ENDS = {"scored": 1, "all_passed": 2, "low_total": 3, "forfeited": 4}
WIN_REASONS = {"target": 1, "sweep": 2}
# suit * 16 + rank, as cards.proto says.
NUMBERS = {card: (1 + SUITS.index(suit_of(card))) * 16 + 2 + "23456789TJQKA".index(card[1]) for card in DECK}
TEXTS = {number: card for card, number in NUMBERS.items()}


def oracle_move(move: moves_pb2.Move) -> Move:
    """A move as the oracle writes it."""
    match move.WhichOneof("action"):
        case "card":
            return ("card", TEXTS[move.card])
        case "trump":
            return ("trump", STRAIN_NAMES[move.trump])
    if move.call.kind == moves_pb2.CALL_KIND_BID:
        return ("bid", move.call.tricks, STRAIN_NAMES[move.call.strain])
    return (KIND_NAMES[move.call.kind],)


def move_message(seat: int, move: Move) -> moves_pb2.Move:
    """A move of the oracle as a message."""
    message = moves_pb2.Move(seat=_seat(seat))
    match move:
        case ("card", card):
            message.card = cards_pb2.Card.ValueType(NUMBERS[card])
        case ("trump", strain):
            message.trump = cards_pb2.Strain.ValueType(STRAINS[strain])
        case (kind, *bid):
            message.call.kind = moves_pb2.CallKind.ValueType(KINDS[kind])
            if bid:
                message.call.tricks = bid[0]
                message.call.strain = cards_pb2.Strain.ValueType(STRAINS[bid[1]])
    return message


def expected_game(referee: Referee, start: game_pb2.Game, steps: int) -> game_pb2.Game:
    """The whole game as the oracle has it.

    Args:
        referee: The oracle.
        start: The game as it was created; it gives id, preset, rules and rules revision.
        steps: How many deals and moves were accepted.
    """
    game = game_pb2.Game(
        id=start.id,
        preset_id=start.preset_id,
        rules=start.rules,
        rules_revision=start.rules_revision,
        revision=steps,
        scores=referee.scores,
        hand_number=referee.hand_number,
        dealer=_seat(referee.dealer),
        next_dealer=_seat(referee.next_dealer),
        phase=game_pb2.Phase.ValueType(PHASES[referee.phase]),
        seat_to_act=_seat(referee.turn),
    )
    if referee.winner is not None:
        game.outcome.winner = cards_pb2.Team.ValueType(referee.winner + 1)
        game.outcome.loser = cards_pb2.Team.ValueType(2 - referee.winner)
        game.outcome.reason = game_pb2.WinReason.ValueType(WIN_REASONS[referee.win_reason or ""])
        game.outcome.winning_seats.extend(_seat(seat) for seat in referee.winning_seats)
    if referee.hand_number:
        _fill_hand(game.hand, referee)
    return game


def _fill_hand(hand: game_pb2.Hand, referee: Referee) -> None:
    before = list(referee.scores)
    if referee.result is not None:
        for line in referee.result["lines"]:
            before[line["side"]] -= line["points"]
    hand.scores_before.extend(before)
    for dealt in referee.dealt:
        hand.dealt.add(cards=_cards(sorted(dealt, key=NUMBERS.__getitem__)))
    if referee.turned is not None:
        hand.turned_card = cards_pb2.Card.ValueType(NUMBERS[referee.turned])
    for seat, call in referee.calls:
        made = move_message(seat, call).call
        hand.calls.add(seat=_seat(seat), kind=made.kind, tricks=made.tricks, strain=made.strain)
    if referee.contract is not None:
        declarer, tricks, strain, doubled = referee.contract
        hand.contract.declarer = _seat(declarer)
        hand.contract.tricks = tricks
        hand.contract.strain = cards_pb2.Strain.ValueType(STRAINS[strain])
        hand.contract.doubled = doubled
    hand.trump = cards_pb2.Strain.ValueType(STRAINS[referee.trump])
    hand.opening_leader = _seat(referee.opening_leader)
    hand.played.extend(_cards(referee.played))
    hand.trick_winners.extend(_seat(seat) for seat in referee.trick_winners)
    if referee.result is not None:
        _fill_result(hand.result, referee.result)


def _fill_result(message: game_pb2.HandResult, result: dict[str, Any]) -> None:
    message.end = game_pb2.HandEnd.ValueType(ENDS[result["end"]])
    message.offender = _seat(result["offender"])
    for line in result["lines"]:
        score = message.lines.add(
            bid=line["bid"], tricks=line["tricks"], points=line["points"], made=line["made"]
        )
        if len(result["lines"]) == 4:
            score.seat = _seat(line["side"])
        else:
            score.team = cards_pb2.Team.ValueType(line["side"] + 1)


def differences(rules: rules_pb2.RuleSet, expected: dict[str, Any]) -> list[str]:
    """The switches in which a rule set of the service is not the oracle's."""
    return [
        f"{name} is {said!r}, the oracle has {switch!r}"
        for name, switch in expected.items()
        if (said := _switch(rules, name)) != (set(switch) if name == "bid_values" else switch)
    ]


def _switch(rules: rules_pb2.RuleSet, name: str) -> object:
    value = getattr(rules, name)
    match name:
        case "barred_bids":
            return list(value.numbers)
        case "own_minimum" | "total_minimum":
            return [(step.from_score, step.value) for step in value.steps]
        case "bid_values":
            return {
                (entry.bid, entry.points, entry.from_score if entry.HasField("from_score") else None)
                for entry in value.values
            }
        case "fixed_trump":
            return STRAIN_NAMES[value]
    kind = rules.DESCRIPTOR.fields_by_name[name].enum_type
    if kind is None:
        return value
    # `PASSING_FINAL` is "final" to the oracle.
    prefix = kind.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return kind.values_by_number[value].name.removeprefix(prefix).lower()


def _seat(seat: int | None) -> cards_pb2.Seat.ValueType:
    return cards_pb2.Seat.ValueType(0 if seat is None else seat + 1)


def _cards(texts: list[str]) -> list[cards_pb2.Card.ValueType]:
    return [cards_pb2.Card.ValueType(NUMBERS[text]) for text in texts]
