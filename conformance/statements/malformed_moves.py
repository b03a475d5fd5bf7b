"""Malformed moves and fair deals, and raw bytes."""

from typing import Any

from conformance.runner import cards_json, move_json
from conformance.statements.edits import spoilt_requests
from conformance.statements.notation import CLASSIC, ONE_SUIT_EACH, choice
from conformance.statements.positions import at, bytes_json
from conformance.statements.section import Section

JSON = Any


def moves(made: Section) -> None:
    setup = at(CLASSIC, "W:13 W:=H")
    west: dict[str, JSON] = {"game": "$game", "move": {"seat": "SEAT_WEST"}}
    spoilt_requests(
        made,
        "ValidateMove",
        west,
        """
        move-none |  | No move | -move | move MISSING
        move-empty | C128 | A move without seat or deed | move={} | move.seat MISSING, move MISSING
        move-no-deed | C118 | A seat alone: no move ends a round | none | move MISSING
        move-no-seat | C128 | A card without a seat | -move.seat; move.card=CARD_HEARTS_TWO | move.seat MISSING
        move-seat-5 | C128 | A fifth seat | move.seat=5; move.card=CARD_HEARTS_TWO | move.seat UNKNOWN_VALUE
        move-card-0 | C128 | No card | move.card=0 | move.card UNKNOWN_VALUE
        move-card-63 | C11 C145 | A rank of fifteen | move.card=63 | move.card UNKNOWN_VALUE
        move-card-49 | C11 C145 | A phantom ace of one | move.card=49 | move.card UNKNOWN_VALUE
        move-card-negative | C130 | A negative card | move.card=-50 | move.card UNKNOWN_VALUE
        move-trump-0 | C128 | No strain | move.trump=0 | move.trump UNKNOWN_VALUE
        move-trump-6 |  | A sixth strain | move.trump=6 | move.trump UNKNOWN_VALUE
        move-call-0 | C128 | A call of no kind | move.call={} | move.call.kind MISSING
        move-call-4 |  | A fourth kind of call | move.call.kind=4 | move.call.kind UNKNOWN_VALUE
        move-bid-0 | C128 | A bid of no tricks | move.call.kind=CALL_KIND_BID | move.call.tricks MISSING
        move-bid-strain |  | A bid of a sixth strain |
            move.call.kind=CALL_KIND_BID; move.call.tricks=8; move.call.strain=6 | move.call.strain UNKNOWN_VALUE
        move-pass-8 |  | A pass of eight | move.call.kind=CALL_KIND_PASS; move.call.tricks=8 | move.call UNEXPECTED
        move-double-h |  | A double in hearts |
            move.call.kind=CALL_KIND_DOUBLE; move.call.strain=STRAIN_HEARTS | move.call UNEXPECTED
        """,
        setup,
    )
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
    spoilt_requests(
        made,
        "CommitDeal",
        {"game_id": "g", "hand_number": 1, "seed": seed},
        """
        commit-no-id |  | CommitDeal: No game | game_id= | game_id MISSING
        commit-no-hand |  | CommitDeal: No hand | -hand_number | hand_number MISSING
        commit-hand-far |  | CommitDeal: A hand beyond 2^31 - 1 | hand_number=2147483648 | hand_number OUT_OF_RANGE
        commit-no-seed |  | CommitDeal: No seed | seed= | seed MISSING
        commit-seed-15 |  | CommitDeal: A seed of 15 bytes | seed=$zeros 15 | seed OUT_OF_RANGE
        commit-seed-65 |  | CommitDeal: A seed of 65 bytes | seed=$zeros 65 | seed OUT_OF_RANGE
        """,
    )
    spoilt_requests(
        made,
        "VerifyDeal",
        {},
        """
        verify-empty |  | VerifyDeal: nothing at all | none |
            game_id MISSING, hand_number MISSING, dealer MISSING, deal_order MISSING, seeded.seed MISSING,
            seeded.commitment MISSING, dealt.hands WRONG_COUNT
        """,
    )
    hands = [{"cards": cards_json(ONE_SUIT_EACH[letter])} for letter in "NWSE"]
    verify: dict[str, JSON] = {
        "game_id": "g",
        "hand_number": 1,
        "dealer": "SEAT_NORTH",
        "deal_order": "DEAL_ORDER_SINGLY",
        "seeded": {"seed": seed, "commitment": bytes_json(bytes(32))},
        "dealt": {"hands": hands},
    }
    spoilt_requests(
        made,
        "VerifyDeal",
        verify,
        """
        verify-dealer-5 |  | VerifyDeal: A fifth seat | dealer=5 | dealer UNKNOWN_VALUE
        verify-order-3 |  | VerifyDeal: A third order | deal_order=3 | deal_order UNKNOWN_VALUE
        verify-turned |  | VerifyDeal: A turned card that is none |
            dealt.turned_card=15 | dealt.turned_card UNKNOWN_VALUE
        """,
    )
    twice = {**verify, "dealt": {"hands": [hands[0], hands[0], *hands[2:]]}}
    found = ",".join(f"dealt.hands[1].cards[{place}] DUPLICATE" for place in range(13))
    made.invalid("verify-twice", "VerifyDeal: A hand twice", "", "VerifyDeal", twice, found)


def raw(made: Section) -> None:
    """What JSON can't say."""
    for slug, title, data, path in (
        ("truncated", "A length beyond the end", "0aff", "request"),
        ("tag-0", "A field numbered nought", "0000", "request"),
        ("text", "Plain text", "7b7d0a", "request"),
        ("id-not-utf8", "A game id that is not UTF-8", "0a040a02c328", "game.id"),
        ("varint-11", "A number without end", "ffffffffffffffffffffff01", "request"),
        ("group", "A group that never ends", "0b", "request"),
    ):
        status: dict[str, JSON] = {
            "code": "INVALID_ARGUMENT",
            "reason": "INVALID_REQUEST",
            "violations": [{"path": path, "reason": "UNKNOWN_VALUE"}],
        }
        made.add(
            f"raw-{slug}",
            f"Bytes that are no message: {title.lower()}",
            "C157",
            "ValidateMove",
            None,
            {"status": status},
            raw=data,
        )
    setup = at(CLASSIC)
    request = {"game": "$game", "move": move_json("W:7")}
    legal = {"response": {"verdict": {"ruling": "RULING_LEGAL"}}}
    for slug, title, data in (
        ("unknown-number", "An unknown field with a number is ignored", "983f1f"),
        ("unknown-text", "An unknown field with text is ignored", "9a3f0474757274"),
        ("unknown-in-move", "An unknown field in the move, as a target or a turn, is ignored", "1a03983f1f"),
        ("nothing", "An empty move merged into the move changes nothing", "1a00"),
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
        append="1a041a021006",
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
        append="1a022832",
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
        append="1a0b28ffffffffffffffffff01",
    )
