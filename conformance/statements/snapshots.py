"""Games as snapshots: the same answers as of messages, in the form asked for; and what is wrong with one."""

from typing import Any

from conformance.runner import move_json
from conformance.statements.notation import CLASSIC, choice
from conformance.statements.positions import Setup, at
from conformance.statements.section import Section

JSON = Any


def forms(made: Section) -> None:
    """What is asked of a snapshot is answered as of the game, and the next game is a snapshot again."""
    setup = at(CLASSIC, "W:7")
    follows = {"id": "conformance", "revision": 3, "seat_to_act": "SEAT_EAST", "phase": "PHASE_AUCTION"}
    for form, other in (("snapshot", "game"), ("game", "snapshot")):
        request: dict[str, JSON] = {form: f"${form}"}
        title = f"By {form}: the next game comes in the same form"
        fields: dict[str, JSON] = {f"{form}.{name}": value for name, value in follows.items()}
        fields |= {"verdict": {"ruling": "RULING_LEGAL"}, "revision": 3, other: None}
        move = {**request, "move": move_json("S:8")}
        made.add(f"{form}-apply", title, "", "ApplyMove", move, {"fields": fields}, setup)
        fields = {f"{form}.revision": 1, f"{form}.hand_number": 1, "revision": 1, other: None}
        deal = {**request, "deal": {"seeded": {"seed": "AAAAAAAAAAAAAAAAAAAAAA=="}}}
        made.add(f"{form}-deal", title, "", "DealHand", deal, {"fields": fields}, Setup(CLASSIC))
    snapshot: dict[str, JSON] = {"snapshot": "$snapshot"}
    refused = {
        "verdict.reason": "REFUSAL_REASON_BID_TOO_LOW",
        "game": None,
        "snapshot": None,
        "revision": None,
    }
    title = "By snapshot: a refused move has no next game"
    move = {**snapshot, "move": move_json("S:7")}
    made.add("snapshot-refused", title, "", "ApplyMove", move, {"fields": refused}, setup)
    bids = [move_json(f"S:{text}") for text in ("8", "9", "10", "11", "12", "13", "P")]
    response: dict[str, JSON] = {"seat_to_act": "SEAT_SOUTH", "moves": bids}
    made.add(
        "snapshot-legal",
        "By snapshot: legal moves",
        "",
        "ListLegalMoves",
        snapshot,
        {"response": response},
        setup,
    )
    title = "By snapshot: a consistent game"
    made.add("snapshot-valid", title, "", "ValidateGame", snapshot, {"response": {}}, setup)
    fields = {"views[0].revision": 2, "views[0].seat_to_act": "SEAT_SOUTH"}
    seen = {**snapshot, "viewers": ["VIEWER_NORTH"]}
    made.add("snapshot-view", "By snapshot: a view", "", "ViewGame", seen, {"fields": fields}, setup)
    items = [{**part, "move": move_json("S:8")} for part in (snapshot, {"game": "$game"})]
    response = {"results": [{"verdict": {"ruling": "RULING_LEGAL"}}] * 2}
    title = "A batch takes both forms"
    made.add("snapshot-batch", title, "", "ValidateMoves", {"items": items}, {"response": response}, setup)
    new = {"id": "table 7", "rule_set": choice(CLASSIC), "first_dealer": "SEAT_EAST"}
    for form, forms_set in (("UNSPECIFIED", "both"), ("GAME", "game"), ("SNAPSHOT", "snapshot")):
        fields = {}
        for name in ("game", "snapshot"):
            there = forms_set in ("both", name)
            fields |= {f"{name}.next_dealer": "SEAT_EAST"} if there else {name: None}
        made.add(
            f"form-{form.lower()}",
            f"A new game in the form asked for: {forms_set}",
            "",
            "CreateGame",
            {**new, "form": f"GAME_FORM_{form}"},
            {"fields": fields},
        )
    made.add(
        "snapshot-newer",
        "A snapshot of newer rules is not misread",
        "",
        "ListLegalMoves",
        snapshot,
        {"status": {"code": "UNAVAILABLE", "reason": "NEWER_RULES"}},
        setup,
        edits=[{"set": "snapshot.rules_revision", "to": 1_000_000}],
    )


def malformed(made: Section) -> None:
    """Bytes that are no game, and games that lie: the paths are below ``snapshot``."""
    setup = at(CLASSIC, "W:7")
    title = "Bytes that are no game"
    made.invalid(
        "snapshot-garbage", title, "", "ListLegalMoves", {"snapshot": "/w=="}, "snapshot UNKNOWN_VALUE"
    )
    title = "No bytes: a refused move left none"
    made.invalid("snapshot-empty", title, "", "ListLegalMoves", {"snapshot": ""}, "snapshot MISSING")
    made.invalid(
        "snapshot-both",
        "Of two forms the last one sent counts",
        "",
        "ListLegalMoves",
        {"game": "$game"},
        "snapshot MISSING",
        setup,
        append="1200",
    )
    for slug, title, edit, found in (
        ("scores", "A snapshot that lies", {"set": "snapshot.scores[0]", "to": 5}, "scores[0] MISMATCH"),
        ("rule", "A snapshot that lost a rule", {"remove": "snapshot.rules.reveal"}, "rules.reveal MISSING"),
    ):
        made.invalid(
            f"snapshot-{slug}",
            title,
            "",
            "ListLegalMoves",
            {"snapshot": "$snapshot"},
            f"snapshot.{found}",
            setup,
            edits=[edit],
        )
    new = {"id": "table 7", "rule_set": choice(CLASSIC), "first_dealer": "SEAT_EAST"}
    made.invalid("form", "No such form", "", "CreateGame", {**new, "form": 9}, "form UNKNOWN_VALUE")
