"""Impossible games: what was called and played, and what should follow."""

from typing import Any

from conformance.runner import card_json, cards_json
from conformance.statements import fair
from conformance.statements.changed_games import game_problems, gone, to
from conformance.statements.notation import CLASSIC, dealt_to_order, seat
from conformance.statements.positions import Setup, at, nearly_played
from conformance.statements.section import Section

JSON = Any


def history(made: Section) -> None:
    calls = at(CLASSIC, "W:7 S:8")
    bid = {"seat": "SEAT_EAST", "kind": "CALL_KIND_BID"}
    rows: tuple[tuple[str, str, str, list[JSON], str], ...] = (
        (
            "low-bid",
            "A bid that beats nothing",
            "A1 C34",
            [to("hand.calls[1].tricks", 7)],
            "game.hand.calls[1] ILLEGAL_HISTORY",
        ),
        (
            "bid-14",
            "A bid of fourteen",
            "A1",
            [to("hand.calls[1].tricks", 14)],
            "game.hand.calls[1] ILLEGAL_HISTORY",
        ),
        (
            "double",
            "A double where there is none",
            "A10",
            [to("hand.calls[1]", {"seat": "SEAT_SOUTH", "kind": "CALL_KIND_DOUBLE"})],
            "game.hand.calls[1] ILLEGAL_HISTORY",
        ),
        (
            "turn",
            "A call out of turn",
            "C2",
            [to("hand.calls[1].seat", "SEAT_EAST")],
            "game.hand.calls[1].seat MISMATCH",
        ),
        (
            "no-kind",
            "A call of no kind",
            "C128",
            [gone("hand.calls[1].kind"), gone("hand.calls[1].tricks")],
            "game.hand.calls[1].kind MISSING",
        ),
        (
            "kind-9",
            "A call of an unknown kind",
            "",
            [to("hand.calls[1]", {"seat": "SEAT_SOUTH", "kind": 9})],
            "game.hand.calls[1].kind UNKNOWN_VALUE",
        ),
        (
            "pass-8",
            "A pass of eight",
            "",
            [to("hand.calls[1].kind", "CALL_KIND_PASS")],
            "game.hand.calls[1] UNEXPECTED",
        ),
        (
            "no-seat",
            "A call of nobody",
            "C128",
            [gone("hand.calls[0].seat")],
            "game.hand.calls[0].seat MISSING",
        ),
    )
    for slug, title, shows, edits, found in rows:
        game_problems(made, f"calls-{slug}", title, shows, calls, edits, found)
    won = at(CLASSIC, "W:13")
    game_problems(
        made,
        "calls-after",
        "A call after the auction",
        "A4",
        won,
        [to("hand.calls[1]", {**bid, "seat": "SEAT_SOUTH"})],
        "game.hand.calls[1] UNEXPECTED",
    )
    hands = dealt_to_order({"N": "S7 S8", "W": "S2 C9 S4", "S": "SA S3 HK", "E": "S9 D4"})
    play = Setup(CLASSIC, "E").deal("spades-all-round", hands).play("N:13 N:=H N:S7 W:S2 S:SA E:S9 S:S3")
    rows = (
        (
            "not-dealt",
            "A card that the seat was not dealt",
            "C130",
            [to("hand.played[1]", card_json("D4"))],
            "game.hand.played[1] NOT_DEALT",
        ),
        (
            "twice",
            "A card played twice",
            "C14 C130",
            [to("hand.played[4]", card_json("SA"))],
            "game.hand.played[4] PLAYED_TWICE",
        ),
        (
            "revoke",
            "A card that did not follow",
            "C5 C130",
            [to("hand.played[1]", card_json("C9"))],
            "game.hand.played[1] ILLEGAL_HISTORY",
        ),
        (
            "no-card",
            "A card that is none",
            "",
            [to("hand.played[4]", 15)],
            "game.hand.played[4] UNKNOWN_VALUE",
        ),
        (
            "53",
            "Fifty-three cards",
            "C8",
            [to("hand.played", cards_json(" ".join([*fair.DECK, "C2"])))],
            "game.hand.played WRONG_COUNT",
        ),
    )
    for slug, title, shows, edits, found in rows:
        game_problems(made, f"played-{slug}", title, shows, play, edits, found)
    game_problems(
        made,
        "played-early",
        "A card in the auction",
        "P2",
        calls,
        [to("hand.played", cards_json("S2"))],
        "game.hand.played UNEXPECTED",
    )


def derived(made: Section) -> None:
    hands = dealt_to_order({"N": "S7 S8", "W": "S2 C9 S4", "S": "SA S3 HK", "E": "S9 D4"})
    play = (
        Setup(CLASSIC, "E", [10, 10])
        .deal("spades-all-round", hands)
        .play("N:13 N:=H N:S7 W:S2 S:SA E:S9 S:S3")
    )
    rows: tuple[tuple[str, str, str, list[JSON], str], ...] = (
        (
            "winner",
            "A wrong winner",
            "C6 C130",
            [to("hand.trick_winners[0]", seat("E"))],
            "game.hand.trick_winners[0] MISMATCH",
        ),
        (
            "winners-0",
            "No winner",
            "C122 C130",
            [gone("hand.trick_winners")],
            "game.hand.trick_winners WRONG_COUNT",
        ),
        (
            "winners-2",
            "Two winners of one trick",
            "C122 C130",
            [to("hand.trick_winners[1]", seat("S"))],
            "game.hand.trick_winners WRONG_COUNT",
        ),
        (
            "turn",
            "The turn of another",
            "C10 C130",
            [to("seat_to_act", seat("S"))],
            "game.seat_to_act MISMATCH",
        ),
        ("no-turn", "Nobody's turn", "C128", [gone("seat_to_act")], "game.seat_to_act MISSING"),
        ("turn-5", "A fifth seat's turn", "", [to("seat_to_act", 5)], "game.seat_to_act UNKNOWN_VALUE"),
        ("phase", "Another phase", "", [to("phase", "PHASE_AUCTION")], "game.phase MISMATCH"),
        ("no-phase", "No phase", "C128", [gone("phase")], "game.phase MISSING"),
        ("phase-9", "An unknown phase", "", [to("phase", 9)], "game.phase UNKNOWN_VALUE"),
        (
            "contract",
            "Another contract",
            "C130",
            [to("hand.contract.tricks", 12)],
            "game.hand.contract MISMATCH",
        ),
        (
            "declarer",
            "Another declarer",
            "C130",
            [to("hand.contract.declarer", seat("W"))],
            "game.hand.contract MISMATCH",
        ),
        ("no-contract", "No contract", "C127", [gone("hand.contract")], "game.hand.contract MISSING"),
        (
            "leader",
            "Another leader",
            "C44",
            [to("hand.opening_leader", seat("W"))],
            "game.hand.opening_leader MISMATCH",
        ),
        ("no-leader", "No leader", "", [gone("hand.opening_leader")], "game.hand.opening_leader MISSING"),
        (
            "no-trump",
            "No trump although cards were played",
            "T1",
            [gone("hand.trump")],
            "game.hand.trump MISSING",
        ),
        (
            "trump-nt",
            "No-trump named",
            "A7",
            [to("hand.trump", "STRAIN_NO_TRUMP")],
            "game.hand.trump UNKNOWN_VALUE",
        ),
        (
            "outcome",
            "An end that has not come",
            "C100",
            [
                to(
                    "outcome",
                    {"winner": "TEAM_NORTH_SOUTH", "loser": "TEAM_WEST_EAST", "reason": "WIN_REASON_TARGET"},
                )
            ],
            "game.outcome UNEXPECTED",
        ),
        (
            "result",
            "A result that has not come",
            "",
            [to("hand.result", {"end": "HAND_END_SCORED"})],
            "game.hand.result UNEXPECTED",
        ),
        (
            "next-dealer",
            "A next dealer during play",
            "",
            [to("next_dealer", seat("N"))],
            "game.next_dealer UNEXPECTED",
        ),
        (
            "scores",
            "Scores changed in the game alone",
            "C149",
            [to("scores[0]", 40)],
            "game.scores[0] MISMATCH",
        ),
        (
            "scores-trusted",
            "Scores changed before the hand too: the caller is trusted",
            "C149",
            [to("scores[0]", 40), to("hand.scores_before[0]", 40)],
            "",
        ),
        (
            "two",
            "Two lies, both named",
            "C130",
            [to("scores[0]", 40), to("seat_to_act", seat("S"))],
            "game.scores[0] MISMATCH, game.seat_to_act MISMATCH",
        ),
    )
    for slug, title, shows, edits, found in rows:
        game_problems(made, f"derived-{slug}", title, shows, play, edits, found)
    hearts = at("saharat_400", "W:3")
    game_problems(
        made,
        "derived-400-trump",
        "400: trump is hearts",
        "T4 C130",
        hearts,
        [to("hand.trump", "STRAIN_SPADES")],
        "game.hand.trump MISMATCH",
    )
    over, last = nearly_played(Setup(CLASSIC, "E", target=1), "N:9 W:P S:P E:P N:=H", [9, 4, 0, 0], "H")
    over.play(last)
    game_problems(
        made,
        "derived-other-team",
        "Another team won",
        "C100",
        over,
        [to("outcome.winner", "TEAM_WEST_EAST")],
        "game.outcome MISMATCH",
    )
    game_problems(
        made,
        "derived-no-winner",
        "A game won by nobody",
        "C70",
        over,
        [gone("outcome")],
        "game.outcome MISSING",
    )
    game_problems(
        made,
        "derived-points",
        "Other points",
        "S1",
        over,
        [to("hand.result.lines[0].points", 10)],
        "game.hand.result MISMATCH",
    )
    lower = [to("rules.target", 100)]
    game_problems(
        made,
        "derived-target",
        "Another target after the end: the outcome no longer follows",
        "C86 C148",
        over,
        lower,
        "game.phase MISMATCH, game.outcome UNEXPECTED, game.next_dealer MISSING",
    )


def both_sides(made: Section) -> None:
    setup = at(CLASSIC, "W:7")
    request = {"game": "$game", "move": {"seat": 9}}
    edits = [to("seat_to_act", seat("N")), to("scores[1]", 5)]
    found = "game.scores[1] MISMATCH, game.seat_to_act MISMATCH, move.seat UNKNOWN_VALUE, move MISSING"
    for rpc in ("ValidateMove", "ApplyMove"):
        made.invalid(
            f"both-{rpc.lower()}",
            f"Game and move: every problem of both ({rpc})",
            "C130",
            rpc,
            request,
            found,
            setup,
            edits=edits,
        )
    fifty = [to(f"hand.dealt[{place}].cards", [0] * 13) for place in range(4)]
    listed = ",".join(
        f"game.hand.dealt[{place // 13}].cards[{place % 13}] UNKNOWN_VALUE" for place in range(32)
    )
    made.invalid(
        "many",
        "Fifty-two problems: 32 are shown, and their number",
        "C130",
        "ListLegalMoves",
        {"game": "$game"},
        listed,
        setup,
        edits=fifty,
        problems=52,
    )
