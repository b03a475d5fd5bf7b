"""The lines of a transcript: clients/PROGRAM.md says how each thing is written."""

from collections.abc import Iterable, Sequence

from tarneeb.v1 import cards_pb2, events_pb2, game_pb2, moves_pb2, views_pb2
from tarneeb.v1.moves_pb2 import CallKind

SEATS = "-NWSEV"
TEAMS = ("-", "NS", "WE")
STRAINS = ("-", "C", "D", "H", "S", "NT")
RANKS = "..23456789TJQKA"


def card(number: int) -> str:
    return STRAINS[number >> 4] + RANKS[number & 15] if number else "-"


def check(*, good: bool) -> str:
    return "yes" if good else "no"


def joined(parts: Iterable[object], by: str = ",") -> str:
    return by.join(str(part) for part in parts) or "-"


def bid(tricks: int, strain: int) -> str:
    return f"{tricks}{STRAINS[strain] if strain else ''}"


def move(value: moves_pb2.Move) -> str:
    match value.WhichOneof("action"):
        case "card":
            deed = card(value.card)
        case "trump":
            deed = f"={STRAINS[value.trump]}"
        case _:
            deed = _call(value.call)
    return f"{SEATS[value.seat]}:{deed}"


def _call(value: moves_pb2.Call | moves_pb2.CallMade) -> str:
    if value.kind == CallKind.CALL_KIND_BID:
        return bid(value.tricks, value.strain)
    return "pass" if value.kind == CallKind.CALL_KIND_PASS else "double"


def _call_made(value: moves_pb2.CallMade) -> str:
    return f"{SEATS[value.seat]}:{_call(value)}"


def events(values: Iterable[events_pb2.Event]) -> str:
    return "; ".join(text for text in map(_event, values) if text)


def _event(value: events_pb2.Event) -> str:
    match value.WhichOneof("event"):
        case "hand_dealt":
            dealt = value.hand_dealt
            turned = f" turned {card(dealt.turned_card)}" if dealt.turned_card else ""
            trump = f" trump {STRAINS[dealt.trump]}" if dealt.trump else ""
            return f"dealt {dealt.hand_number} {SEATS[dealt.dealer]}{turned}{trump}"
        case "call_made":
            return _call_made(value.call_made)
        case "auction_won":
            return f"contract {_contract(value.auction_won, ' doubled')}"
        case "trump_named":
            return f"{SEATS[value.trump_named.seat]}:={STRAINS[value.trump_named.trump]}"
        case "card_played":
            return f"{SEATS[value.card_played.seat]}:{card(value.card_played.card)}"
        case "trick_won":
            return f"trick {value.trick_won.trick_number} {SEATS[value.trick_won.seat]}"
        case "hand_ended":
            ended = value.hand_ended
            return f"ended {ended.hand_number} {_result(ended.result)} {joined(ended.scores)}"
        case "game_won":
            return f"won {TEAMS[value.game_won.winner]} {_win_reason(value.game_won)}"
        case "move_undone":
            undone = value.move_undone
            reopened = " reopened" if undone.hand_reopened else ""
            return f"undone {undone.hand_number} {move(undone.move)}{reopened}"
    return ""


def _contract(value: game_pb2.Contract, doubled: str) -> str:
    return f"{SEATS[value.declarer]}:{bid(value.tricks, value.strain)}{doubled if value.doubled else ''}"


def _result(value: game_pb2.HandResult) -> str:
    end = game_pb2.HandEnd.Name(value.end).removeprefix("HAND_END_").lower()
    return f"{end}:{joined(map(_line, value.lines), '/')}:{SEATS[value.offender]}"


def _line(value: game_pb2.ScoreLine) -> str:
    side = SEATS[value.seat] if value.WhichOneof("side") == "seat" else TEAMS[value.team]
    made = ("made" if value.made else "failed") if value.HasField("made") else "-"
    return joined((side, value.bid if value.HasField("bid") else "-", value.tricks, value.points, made), ".")


def _win_reason(value: game_pb2.Outcome) -> str:
    return game_pb2.WinReason.Name(value.reason).removeprefix("WIN_REASON_").lower()


def view(value: views_pb2.GameView) -> str:
    """A view in one line."""
    outcome = value.outcome
    pairs: list[tuple[str, object]] = [
        ("id", value.id),
        ("preset", value.preset_id),
        ("revision", value.revision),
        ("scores", joined(value.scores)),
        ("hand", value.hand_number),
        ("dealer", SEATS[value.dealer]),
        ("next", SEATS[value.next_dealer]),
        ("cutter", SEATS[value.cutter]),
        ("phase", game_pb2.Phase.Name(value.phase).removeprefix("PHASE_").lower()),
        ("act", SEATS[value.seat_to_act]),
        (
            "outcome",
            f"{TEAMS[outcome.winner]}.{TEAMS[outcome.loser]}.{_win_reason(outcome)}"
            if value.HasField("outcome")
            else "-",
        ),
        ("legal", joined(map(move, value.legal_moves))),
    ]
    if value.HasField("hand"):
        pairs += _hand(value.hand)
    return f"view {SEATS[value.viewer]} " + " ".join(f"{key}={text}" for key, text in pairs)


def _hand(hand: views_pb2.HandView) -> list[tuple[str, object]]:
    return [
        ("holding", _cards(hand.holding)),
        ("counts", joined(hand.holding_counts)),
        ("turned", card(hand.turned_card)),
        ("calls", joined(map(_call_made, hand.calls))),
        ("contract", _contract(hand.contract, ".doubled") if hand.HasField("contract") else "-"),
        ("trump", STRAINS[hand.trump]),
        ("leader", SEATS[hand.opening_leader]),
        ("trick", _trick(hand.trick) if hand.HasField("trick") else "-"),
        ("past", joined(map(_trick, hand.past_tricks))),
        ("taken", joined(hand.trick_counts)),
        ("result", _result(hand.result) if hand.HasField("result") else "-"),
        ("revealed", joined(_cards(each.cards, "/") for each in hand.revealed)),
    ]


def _trick(value: views_pb2.Trick) -> str:
    return joined((value.number, SEATS[value.leader], _cards(value.cards, "/"), SEATS[value.winner]), ".")


def _cards(values: Sequence[cards_pb2.Card.ValueType], by: str = ",") -> str:
    return joined(map(card, values), by)
