"""A record to its text.

``docs/records.md`` has the grammar. What is printed has one form.
"""

import json

from google.protobuf import json_format

from tarneeb.v1 import errors_pb2, moves_pb2, records_pb2
from tarneeb.v1.errors_pb2 import Problem
from tarneeb_record.names import CARD_TEXT, MOST_HANDS, SEAT_NAMES
from tarneeb_record.tokens import CALL_WORDS, FIRST_LINE, PRESET, SEAT_LETTERS, STRAIN_TEXT

MISSING = errors_pb2.PROBLEM_REASON_MISSING
UNEXPECTED = errors_pb2.PROBLEM_REASON_UNEXPECTED
UNKNOWN_VALUE = errors_pb2.PROBLEM_REASON_UNKNOWN_VALUE
WRONG_COUNT = errors_pb2.PROBLEM_REASON_WRONG_COUNT


class NoRecordTextError(ValueError):
    """A record that has no text form, with every part of it that has none; paths start with ``record``."""

    def __init__(self, problems: list[Problem]) -> None:
        """Keep the problems."""
        super().__init__("; ".join(f"{problem.path}: {problem.message}" for problem in problems[:8]))
        self.problems = problems


def format_record(record: records_pb2.GameRecord) -> str:
    """Return the text of a record; ``parse_record`` reads the same record from it.

    Cards of a dealt hand are sorted, as their order says nothing.

    Raises:
        NoRecordTextError: With the path of every part that has no text form, as a number that is no card.
    """
    problems: list[Problem] = []
    if len(record.hands) > MOST_HANDS:
        problems.append(_problem("record.hands", WRONG_COUNT, f"at most {MOST_HANDS} hands"))
    lines = [
        FIRST_LINE,
        f"id {_json_text(record.id)}",
        f"rules {_rules_text(record, problems)}",
        f"dealer {_seat_text(record.first_dealer, 'record.first_dealer', problems)}",
    ]
    if record.rules_revision:
        lines.append(f"rules_revision {record.rules_revision}")
    for index, hand in enumerate(record.hands[:MOST_HANDS]):
        path = f"record.hands[{index}]"
        words = [
            f"{index + 1}",
            _deal_text(hand.deal, f"{path}.deal", problems),
            *_moves_text(hand, path, problems),
        ]
        lines.append(" ".join(words))
    if problems:
        raise NoRecordTextError(problems)
    return "\n".join(lines) + "\n"


def _rules_text(record: records_pb2.GameRecord, problems: list[Problem]) -> str:
    if not record.HasField("rule_set"):
        problems.append(_problem("record.rule_set", MISSING, "is required"))
    choice = record.rule_set
    bare = PRESET.fullmatch(choice.preset_id)
    preset = choice.preset_id if bare else _json_text(choice.preset_id)
    if not choice.HasField("overrides"):
        return preset
    # The names of docs/rules.md; proto JSON reads them as well as its own.
    overrides = json_format.MessageToDict(choice.overrides, preserving_proto_field_name=True)
    return f"{preset} {json.dumps(overrides, separators=(',', ':'))}"


def _moves_text(hand: records_pb2.RecordedHand, path: str, problems: list[Problem]) -> list[str]:
    words = ["|"] if hand.moves else []
    cards = 0
    for index, move in enumerate(hand.moves):
        if move.WhichOneof("action") == "card":
            # A mark before each lead, so that tricks can be counted.
            if cards % 4 == 0 and index:
                words.append("/")
            cards += 1
        words.append(_move_text(move, f"{path}.moves[{index}]", problems))
    return words


def _json_text(text: str) -> str:
    # Letters of any script stay readable; what does not print, or would turn the line around, is escaped.
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _deal_text(deal: records_pb2.Deal, path: str, problems: list[Problem]) -> str:
    """Return a deal as text; what has no text form is added to the problems."""
    match deal.WhichOneof("source"):
        case "hands":
            return _hands_text(deal.hands, f"{path}.hands", problems)
        case "deck":
            cards = [
                _card_text(card, f"{path}.deck.cards[{index}]", problems)
                for index, card in enumerate(deal.deck.cards)
            ]
            return " ".join(["deck", *cards])
        case "seeded":
            seeded = deal.seeded
            words = ["seed", seeded.seed.hex() or "-"]
            if seeded.commitment:
                words += ["commitment", seeded.commitment.hex()]
            if seeded.cut:
                words += ["cut", seeded.cut.hex()]
            return " ".join(words)
    problems.append(_problem(path, MISSING, "must have one of seeded, deck and hands"))
    return ""


def _move_text(move: moves_pb2.Move, path: str, problems: list[Problem]) -> str:
    """Return a move as text; what has no text form is added to the problems."""
    revision = f"@{move.revision}" if move.HasField("revision") else ""
    start = f"{_seat_text(move.seat, f'{path}.seat', problems)[:1]}{revision}:"
    match move.WhichOneof("action"):
        case "card":
            return start + _card_text(move.card, f"{path}.card", problems)
        case "trump":
            if not move.trump:
                problems.append(_problem(f"{path}.trump", MISSING, "must be a strain"))
            return f"{start}={_strain_text(move.trump, f'{path}.trump', problems)}"
        case "call":
            return start + _call_text(move.call, f"{path}.call", problems)
    problems.append(_problem(path, MISSING, "must have one of call, trump and card"))
    return ""


def _seat_text(number: int, path: str, problems: list[Problem]) -> str:
    """Return the name of a seat; a number that is none is added to the problems."""
    if 1 <= number <= len(SEAT_NAMES):
        return SEAT_NAMES[number - 1]
    reason, message = (UNKNOWN_VALUE, f"{number} is no seat") if number else (MISSING, "name a seat")
    problems.append(_problem(path, reason, message))
    return ""


def _hands_text(hands: records_pb2.DealtHands, path: str, problems: list[Problem]) -> str:
    if len(hands.hands) != len(SEAT_NAMES):
        message = f"must have four hands, not {len(hands.hands)}"
        problems.append(_problem(f"{path}.hands", WRONG_COUNT, message))
    words = ["hands"]
    for seat, hand in enumerate(hands.hands[: len(SEAT_NAMES)]):
        suits: dict[str, list[int]] = {}
        # From the highest down, spades first, as people sort a hand.
        for index, card in sorted(enumerate(hand.cards), key=lambda item: -item[1]):
            text = _card_text(card, f"{path}.hands[{seat}].cards[{index}]", problems)
            suits.setdefault(text[:1], []).append(card)
        parts = [
            suit + "".join(CARD_TEXT.get(card, " ?")[1] for card in cards) for suit, cards in suits.items()
        ]
        words.append(f"{SEAT_LETTERS[seat]}:{','.join(parts) or '-'}")
    if hands.turned_card:
        words += ["turned", _card_text(hands.turned_card, f"{path}.turned_card", problems)]
    return " ".join(words)


def _call_text(call: moves_pb2.Call, path: str, problems: list[Problem]) -> str:
    if call.kind == moves_pb2.CALL_KIND_BID:
        return f"{call.tricks}{_strain_text(call.strain, f'{path}.strain', problems)}"
    words = [word for word, kind in CALL_WORDS.items() if call.kind == kind]
    if not words:
        message = "must be a bid, a pass or a double"
        problems.append(_problem(f"{path}.kind", UNKNOWN_VALUE, message))
    elif call.tricks or call.strain:
        problems.append(_problem(path, UNEXPECTED, "only a bid has tricks and a strain"))
    return "".join(words)


def _card_text(card: int, path: str, problems: list[Problem]) -> str:
    if card not in CARD_TEXT:
        problems.append(_problem(path, UNKNOWN_VALUE, "is none of the 52 cards"))
    return CARD_TEXT.get(card, "")


def _strain_text(strain: int, path: str, problems: list[Problem]) -> str:
    if 0 <= strain < len(STRAIN_TEXT):
        return STRAIN_TEXT[strain]
    problems.append(_problem(path, UNKNOWN_VALUE, "is no strain"))
    return ""


def _problem(path: str, reason: errors_pb2.ProblemReason.ValueType, message: str) -> Problem:
    return Problem(path=path, reason=reason, message=message)
