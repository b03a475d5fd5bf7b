"""Which refusal is given when several hold, and what a refusal leaves alone; batches."""

from typing import Any

from conformance.runner import move_json
from conformance.statements.notation import CLASSIC, contract
from conformance.statements.positions import at, playing
from conformance.statements.section import Section

JSON = Any


def order(made: Section) -> None:
    """When several reasons hold, the first of the documented order is given."""
    made.state("""
        order-over-stale | W1 P1 | Over, and stale: over | $finished | N:SA refused GAME_OVER W1 revision=1
        order-stale-phase | P1 P2 | Stale, and the wrong phase: stale |
            classic | W:H2 refused STALE_REVISION P1 revision=0 game_revision=1
        order-stale-turn | P1 C2 C121 | Stale, and out of turn: stale |
            $playing | N:S7 refused STALE_REVISION P1 revision=3 game_revision=4
        order-phase-turn | P2 C2 | The wrong phase, and out of turn: the phase |
            classic | N:S2 refused WRONG_PHASE P2 phase=AUCTION
        order-passed-turn | A2 C2 | Passed, and out of turn: passed |
            classic W:7 S:P | S:8 refused ALREADY_PASSED A2 seat_to_act=E
        order-open-pass | A9 C2 | With open passes: out of turn |
            egyptian W:P | W:7S refused OUT_OF_TURN C2 seat_to_act=S
        order-zone-pass | A2 A5 | One call each, passed, out of turn: passed |
            cardgames_zone W:P | W:7 refused ALREADY_PASSED A2 seat_to_act=S
        order-declarer-suit | A7 | Not the declarer, and no suit: not the declarer |
            classic W:13 | S:=N refused NOT_DECLARER A7 seat_to_act=W
        order-turn-range | C2 A1 | Out of turn, and out of range: out of turn |
            classic | S:14 refused OUT_OF_TURN C2 seat_to_act=W
        order-strain-range | A8 | No strain, and out of range: no strain |
            egyptian | W:14 refused STRAIN_MISSING A8
        order-strain-range-classic | A1 | A strain, and out of range: the strain |
            classic | W:14H refused STRAIN_NOT_ALLOWED A1
        order-barred-low | A12 A13 | Barred, and below the own minimum: barred |
            saharat_400 scores=[0,50,0,0] barred_bids=[4] | W:4 refused BID_BARRED A12 lowest_bid=5 barred_bids=[4]
        order-own-doubled | A11 | His own, and doubled already: his own |
            egyptian W:7S S:X E:P N:P | W:X refused OWN_BID A11 bid_holder=W
        order-held-follow | C1 C5 | Not held, and not following: not held | $playing | W:DA refused CARD_NOT_HELD C1
        order-turn-held | C2 C1 | Out of turn, and not held: out of turn |
            $playing | S:S2 refused OUT_OF_TURN C2 seat_to_act=W
    """)


def untouched(made: Section) -> None:
    for slug, setup, move in (
        ("bid", at(CLASSIC, "W:9"), "S:7"),
        ("card", playing(), "W:H3"),
        ("trump", at(CLASSIC, "W:13"), "S:=H"),
    ):
        expect = {"fields": {"verdict.ruling": "RULING_REFUSED", "game": None, "events": None, "views": None}}
        request = {"game": "$game", "move": move_json(move), "viewers": ["VIEWER_NORTH"]}
        title = "A refused move makes no game, no events, no views"
        made.add(f"untouched-{slug}", title, "C26 C134", "ApplyMove", request, expect, setup, repeat=3)
    for slug, setup, move, ruling in (
        ("legal", at(CLASSIC), "W:7", {"ruling": "RULING_LEGAL"}),
        (
            "refused",
            at(CLASSIC),
            "W:X",
            {
                "ruling": "RULING_REFUSED",
                "reason": "REFUSAL_REASON_DOUBLE_NOT_ALLOWED",
                "rule_id": "A10",
                "lowest_bid": {"tricks": 7},
                "highest_bid": 13,
                "may_pass": True,
            },
        ),
    ):
        request = {"game": "$game", "move": move_json(move)}
        response = {"response": {"verdict": ruling}}
        title = f"ValidateMove gives the verdict alone: {slug}"
        made.add(f"validate-{slug}", title, "", "ValidateMove", request, response, setup, repeat=3)
    request = {"game": "$game", "move": {**move_json("S:8"), "revision": 2}}
    fields = {"verdict": {"ruling": "RULING_LEGAL"}, "game.revision": 3}
    title = "The right revision, and the next is one more"
    made.add(
        "revision",
        title,
        "P1 C119 C121",
        "ApplyMove",
        request,
        {"fields": fields},
        at(CLASSIC, "W:7"),
        repeat=3,
    )
    fields = {"game.hand.contract": contract("W", "13"), "verdict": {"ruling": "RULING_LEGAL"}}
    request = {
        "game": "$game",
        "move": {"seat": "SEAT_WEST", "call": {"kind": "CALL_KIND_BID", "tricks": 13}},
    }
    title = "The same request, the same bytes: a retry is harmless"
    made.add("retry", title, "C121", "ApplyMove", request, {"fields": fields}, at(CLASSIC), repeat=10)


def batches(made: Section) -> None:
    setup = at(CLASSIC, "W:7")

    def item(move: str) -> JSON:
        return {"game": "$game", "move": move_json(move)}

    items = [
        item("S:8"),
        item("S:7"),
        item("E:8"),
        {"game": "$game"},
        {"move": move_json("S:8")},
        item("S:P"),
    ]
    fields = {
        "results[0].verdict": {"ruling": "RULING_LEGAL"},
        "results[1].verdict.reason": "REFUSAL_REASON_BID_TOO_LOW",
        "results[2].verdict.reason": "REFUSAL_REASON_OUT_OF_TURN",
        "results[3].verdict": None,
        "results[3].problems.reason": "ERROR_REASON_INVALID_REQUEST",
        "results[3].problems.problem_count": 1,
        "results[3].problems.problems[0].path": "move",
        "results[3].problems.problems[0].reason": "PROBLEM_REASON_MISSING",
        "results[4].problems.problems[0].path": "game",
        "results[5].verdict": {"ruling": "RULING_LEGAL"},
        "results[6]": None,
    }
    title = "A batch answers in order; an item that can't be judged says so for itself"
    made.add("batch", title, "", "ValidateMoves", {"items": items}, {"fields": fields}, setup)
    made.add("batch-empty", "An empty batch", "", "ValidateMoves", {"items": []}, {"response": {}})
    made.invalid(
        "batch-257", "More than 256 items", "", "ValidateMoves", {"items": [{}] * 257}, "items WRONG_COUNT"
    )
    newer = [{"set": "items[0].game.rules_revision", "to": 1_000_000}]
    fields = {
        "results[0].problems.reason": "ERROR_REASON_NEWER_RULES",
        "results[1].verdict": {"ruling": "RULING_LEGAL"},
    }
    title = "A game of newer rules is that item's alone"
    made.add(
        "batch-newer",
        title,
        "",
        "ValidateMoves",
        {"items": [item("S:8"), item("S:8")]},
        {"fields": fields},
        setup,
        edits=newer,
    )
    for rpc, request in (
        ("ValidateMove", item("S:8")),
        ("ListLegalMoves", {"game": "$game"}),
        ("ApplyMove", item("S:8")),
        ("ViewGame", {"game": "$game", "viewers": ["VIEWER_NORTH"]}),
        ("ValidateGame", {"game": "$game"}),
    ):
        made.add(
            f"newer-{rpc.lower()}",
            f"A game of newer rules is not misread ({rpc})",
            "",
            rpc,
            request,
            {"status": {"code": "UNAVAILABLE", "reason": "NEWER_RULES"}},
            setup,
            edits=[{"set": "game.rules_revision", "to": 1_000_000}],
        )
