"""Which refusal is given when several hold, and what a refusal leaves alone; batches."""

from typing import Any

from conformance.runner import move_json
from conformance.statements.notation import CLASSIC, EGYPT, contract, seat
from conformance.statements.positions import at, finished, playing
from conformance.statements.section import Section

JSON = Any


def order(made: Section) -> None:
    """When several reasons hold, the first of the documented order is given."""
    over = finished()
    made.refused(
        "order-over-stale", "Over, and stale: over", "W1 P1", over, "N:SA", "GAME_OVER", "W1", revision=1
    )
    made.refused(
        "order-stale-phase",
        "Stale, and the wrong phase: stale",
        "P1 P2",
        at(CLASSIC),
        "W:H2",
        "STALE_REVISION",
        "P1",
        revision=0,
        game_revision=1,
    )
    made.refused(
        "order-stale-turn",
        "Stale, and out of turn: stale",
        "P1 C2 C121",
        playing(),
        "N:S7",
        "STALE_REVISION",
        "P1",
        revision=3,
        game_revision=4,
    )
    made.refused(
        "order-phase-turn",
        "The wrong phase, and out of turn: the phase",
        "P2 C2",
        at(CLASSIC),
        "N:S2",
        "WRONG_PHASE",
        "P2",
        phase="PHASE_AUCTION",
    )
    made.refused(
        "order-passed-turn",
        "Passed, and out of turn: passed",
        "A2 C2",
        at(CLASSIC, "W:7 S:P"),
        "S:8",
        "ALREADY_PASSED",
        "A2",
        seat_to_act=seat("E"),
    )
    made.refused(
        "order-open-pass",
        "With open passes: out of turn",
        "A9 C2",
        at(EGYPT, "W:P"),
        "W:7S",
        "OUT_OF_TURN",
        "C2",
        seat_to_act=seat("S"),
    )
    made.refused(
        "order-zone-pass",
        "One call each, passed, out of turn: passed",
        "A2 A5",
        at("cardgames_zone", "W:P"),
        "W:7",
        "ALREADY_PASSED",
        "A2",
        seat_to_act=seat("S"),
    )
    made.refused(
        "order-declarer-suit",
        "Not the declarer, and no suit: not the declarer",
        "A7",
        at(CLASSIC, "W:13"),
        "S:=N",
        "NOT_DECLARER",
        "A7",
        seat_to_act=seat("W"),
    )
    made.refused(
        "order-turn-range",
        "Out of turn, and out of range: out of turn",
        "C2 A1",
        at(CLASSIC),
        "S:14",
        "OUT_OF_TURN",
        "C2",
        seat_to_act=seat("W"),
    )
    made.refused(
        "order-strain-range",
        "No strain, and out of range: no strain",
        "A8",
        at(EGYPT),
        "W:14",
        "STRAIN_MISSING",
        "A8",
    )
    made.refused(
        "order-strain-range-classic",
        "A strain, and out of range: the strain",
        "A1",
        at(CLASSIC),
        "W:14H",
        "STRAIN_NOT_ALLOWED",
        "A1",
    )
    made.refused(
        "order-barred-low",
        "Barred, and below the own minimum: barred",
        "A12 A13",
        at("saharat_400", scores=[0, 50, 0, 0], barred_bids=[4]),
        "W:4",
        "BID_BARRED",
        "A12",
        lowest_bid={"tricks": 5},
        barred_bids=[4],
    )
    made.refused(
        "order-own-doubled",
        "His own, and doubled already: his own",
        "A11",
        at(EGYPT, "W:7S S:X E:P N:P"),
        "W:X",
        "OWN_BID",
        "A11",
        bid_holder=seat("W"),
    )
    made.refused(
        "order-held-follow",
        "Not held, and not following: not held",
        "C1 C5",
        playing(),
        "W:DA",
        "CARD_NOT_HELD",
        "C1",
    )
    made.refused(
        "order-turn-held",
        "Out of turn, and not held: out of turn",
        "C2 C1",
        playing(),
        "S:S2",
        "OUT_OF_TURN",
        "C2",
        seat_to_act=seat("W"),
    )


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
            {"ruling": "RULING_REFUSED", "reason": "REFUSAL_REASON_DOUBLE_NOT_ALLOWED", "rule_id": "A10"},
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
            {"status": {"code": "FAILED_PRECONDITION", "reason": "NEWER_RULES"}},
            setup,
            edits=[{"set": "game.rules_revision", "to": 1_000_000}],
        )
