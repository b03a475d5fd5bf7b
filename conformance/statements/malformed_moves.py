"""Malformed moves and fair deals, and raw bytes."""

from typing import Any

from conformance.runner import card_json, cards_json, move_json
from conformance.statements.notation import CLASSIC, ONE_SUIT_EACH, choice
from conformance.statements.positions import at, bytes_json
from conformance.statements.section import Section

JSON = Any


def moves(made: Section) -> None:
    setup = at(CLASSIC, "W:13 W:=H")
    call = {"kind": "CALL_KIND_BID", "tricks": 8}
    rows: tuple[tuple[str, str, str, JSON, str], ...] = (
        ("none", "No move", "", None, "move MISSING"),
        ("empty", "A move without seat or deed", "C128", {}, "move.seat MISSING, move MISSING"),
        ("no-deed", "A seat alone: no move ends a round", "C118", {"seat": "SEAT_WEST"}, "move MISSING"),
        ("no-seat", "A card without a seat", "C128", {"card": card_json("H2")}, "move.seat MISSING"),
        ("seat-5", "A fifth seat", "C128", {"seat": 5, "card": card_json("H2")}, "move.seat UNKNOWN_VALUE"),
        ("card-0", "No card", "C128", {"seat": "SEAT_WEST", "card": 0}, "move.card UNKNOWN_VALUE"),
        (
            "card-63",
            "A rank of fifteen",
            "C11 C145",
            {"seat": "SEAT_WEST", "card": 63},
            "move.card UNKNOWN_VALUE",
        ),
        (
            "card-49",
            "A phantom ace of one",
            "C11 C145",
            {"seat": "SEAT_WEST", "card": 49},
            "move.card UNKNOWN_VALUE",
        ),
        (
            "card-negative",
            "A negative card",
            "C130",
            {"seat": "SEAT_WEST", "card": -50},
            "move.card UNKNOWN_VALUE",
        ),
        ("trump-0", "No strain", "C128", {"seat": "SEAT_WEST", "trump": 0}, "move.trump UNKNOWN_VALUE"),
        ("trump-6", "A sixth strain", "", {"seat": "SEAT_WEST", "trump": 6}, "move.trump UNKNOWN_VALUE"),
        ("call-0", "A call of no kind", "C128", {"seat": "SEAT_WEST", "call": {}}, "move.call.kind MISSING"),
        (
            "call-4",
            "A fourth kind of call",
            "",
            {"seat": "SEAT_WEST", "call": {"kind": 4}},
            "move.call.kind UNKNOWN_VALUE",
        ),
        (
            "bid-0",
            "A bid of no tricks",
            "C128",
            {"seat": "SEAT_WEST", "call": {"kind": "CALL_KIND_BID"}},
            "move.call.tricks MISSING",
        ),
        (
            "bid-strain",
            "A bid of a sixth strain",
            "",
            {"seat": "SEAT_WEST", "call": {**call, "strain": 6}},
            "move.call.strain UNKNOWN_VALUE",
        ),
        (
            "pass-8",
            "A pass of eight",
            "",
            {"seat": "SEAT_WEST", "call": {**call, "kind": "CALL_KIND_PASS"}},
            "move.call UNEXPECTED",
        ),
        (
            "double-h",
            "A double in hearts",
            "",
            {"seat": "SEAT_WEST", "call": {"kind": "CALL_KIND_DOUBLE", "strain": "STRAIN_HEARTS"}},
            "move.call UNEXPECTED",
        ),
    )
    for slug, title, shows, move, found in rows:
        request = {"game": "$game", **({} if move is None else {"move": move})}
        made.invalid(f"move-{slug}", title, shows, "ValidateMove", request, found, setup)
    made.add(
        "move-north",
        "North, whose number is not zero, is a seat like the others",
        "C128",
        "ValidateMove",
        {"game": "$game", "move": move_json("N:S2")},
        {"fields": {"verdict.reason": "REFUSAL_REASON_OUT_OF_TURN"}},
        setup,
    )
    for rpc in ("ValidateMove", "ApplyMove", "ListLegalMoves", "ViewGame", "ValidateGame"):
        found = "game MISSING, move MISSING" if rpc in ("ValidateMove", "ApplyMove") else "game MISSING"
        made.invalid(f"empty-{rpc.lower()}", f"Nothing at all ({rpc})", "C157", rpc, {}, found)


def fair_deals(made: Section) -> None:
    seed = bytes_json(bytes(16))
    good: dict[str, JSON] = {"game_id": "g", "hand_number": 1, "seed": seed}
    rows: tuple[tuple[str, str, JSON, str], ...] = (
        ("no-id", "No game", {"game_id": ""}, "game_id MISSING"),
        ("hand-0", "Hand nought", {"hand_number": 0}, "hand_number MISSING"),
        ("hand-far", "A hand beyond 2^31", {"hand_number": 2**31 + 1}, "hand_number OUT_OF_RANGE"),
        ("no-seed", "No seed", {"seed": ""}, "seed MISSING"),
        ("seed-15", "A seed of 15 bytes", {"seed": bytes_json(bytes(15))}, "seed OUT_OF_RANGE"),
        ("seed-65", "A seed of 65 bytes", {"seed": bytes_json(bytes(65))}, "seed OUT_OF_RANGE"),
    )
    for slug, title, change, found in rows:
        made.invalid(f"commit-{slug}", f"CommitDeal: {title}", "", "CommitDeal", {**good, **change}, found)
    found = "game_id MISSING, hand_number MISSING, dealer MISSING, deal_order MISSING, seeded.seed MISSING,"
    found += "seeded.commitment MISSING, dealt.hands WRONG_COUNT"
    made.invalid("verify-empty", "VerifyDeal: nothing at all", "", "VerifyDeal", {}, found)
    hands = [{"cards": cards_json(ONE_SUIT_EACH[letter])} for letter in "NWSE"]
    verify: dict[str, JSON] = {
        "game_id": "g",
        "hand_number": 1,
        "dealer": "SEAT_NORTH",
        "deal_order": "DEAL_ORDER_SINGLY",
        "seeded": {"seed": seed, "commitment": bytes_json(bytes(32))},
        "dealt": {"hands": hands},
    }
    rows = (
        ("dealer-5", "A fifth seat", {"dealer": 5}, "dealer UNKNOWN_VALUE"),
        ("order-3", "A third order", {"deal_order": 3}, "deal_order UNKNOWN_VALUE"),
        (
            "turned",
            "A turned card that is none",
            {"dealt": {"hands": hands, "turned_card": 15}},
            "dealt.turned_card UNKNOWN_VALUE",
        ),
        (
            "twice",
            "A hand twice",
            {"dealt": {"hands": [hands[0], hands[0], *hands[2:]]}},
            ",".join(f"dealt.hands[1].cards[{place}] DUPLICATE" for place in range(13)),
        ),
    )
    for slug, title, change, found in rows:
        made.invalid(f"verify-{slug}", f"VerifyDeal: {title}", "", "VerifyDeal", {**verify, **change}, found)


def raw(made: Section) -> None:
    """What JSON can't say."""
    violations: list[JSON] = [{"path": "request", "reason": "UNKNOWN_VALUE"}]
    status: dict[str, JSON] = {
        "status": {"code": "INVALID_ARGUMENT", "reason": "INVALID_REQUEST", "violations": violations}
    }
    for slug, title, data in (
        ("truncated", "A length beyond the end", "0aff"),
        ("tag-0", "A field numbered nought", "0000"),
        ("text", "Plain text", "7b7d0a"),
        ("id-not-utf8", "A game id that is not UTF-8", "0a040a02c328"),
        ("varint-11", "A number without end", "ffffffffffffffffffffff01"),
        ("group", "A group that never ends", "0b"),
    ):
        made.add(
            f"raw-{slug}",
            f"Bytes that are no message: {title.lower()}",
            "C157",
            "ValidateMove",
            None,
            status,
            raw=data,
        )
    setup = at(CLASSIC)
    request = {"game": "$game", "move": move_json("W:7")}
    legal = {"response": {"verdict": {"ruling": "RULING_LEGAL"}}}
    for slug, title, data in (
        ("unknown-number", "An unknown field with a number is ignored", "983f1f"),
        ("unknown-text", "An unknown field with text is ignored", "9a3f0474757274"),
        ("unknown-in-move", "An unknown field in the move, as a target or a turn, is ignored", "1203983f1f"),
        ("nothing", "An empty move merged into the move changes nothing", "1200"),
    ):
        made.add(f"append-{slug}", title, "C145 C146", "ValidateMove", request, legal, setup, append=data)
    low = {"fields": {"verdict.reason": "REFUSAL_REASON_BID_OUT_OF_RANGE"}}
    made.add(
        "append-merge",
        "A later value of a field counts: a bid of seven becomes six",
        "",
        "ValidateMove",
        request,
        low,
        setup,
        append="12041a021006",
    )
    card = {"fields": {"verdict.reason": "REFUSAL_REASON_WRONG_PHASE"}}
    made.add(
        "append-oneof",
        "The last deed of a move counts: a card after a bid",
        "C145",
        "ValidateMove",
        request,
        card,
        setup,
        append="12022832",
    )
    score: dict[str, JSON] = {
        "rule_set": choice(CLASSIC),
        "scores": [0, 0],
        "contract": {"declarer": "SEAT_NORTH", "tricks": 8},
    }
    made.invalid(
        "append-minus-one",
        "Tricks of minus one and fourteen",
        "C67",
        "ScoreHand",
        score,
        "tricks OUT_OF_RANGE",
        append="2a0bffffffffffffffffff010e",
    )
    right = {**score, "tricks": [9]}
    fields = {"fields": {"result.lines[0].points": 9}}
    made.add(
        "append-unpacked", "A packed list goes on unpacked", "", "ScoreHand", right, fields, append="2804"
    )
    request = {"game": "$game", "move": {"seat": "SEAT_WEST"}}
    made.invalid(
        "append-huge-enum",
        "An enum number of 64 bits",
        "C130",
        "ValidateMove",
        request,
        "move.card UNKNOWN_VALUE",
        setup,
        append="120b28ffffffffffffffffff01",
    )
