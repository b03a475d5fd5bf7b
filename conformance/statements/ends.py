"""Ends of hands and games: the dealer after a hand, who has won, and ties."""

from typing import Any

from conformance.statements import ends_winners
from conformance.statements.notation import (
    AWAITING,
    OVER,
    dashed,
    outcome,
    right_of,
    seat,
    seat_lines,
    team_lines,
)
from conformance.statements.positions import Setup, nearly_played
from conformance.statements.scores import Scores
from conformance.statements.section import Section

JSON = Any


def section() -> Scores:
    made = Scores("ends", "Ends of hands and games: the next dealer, who has won, and ties.")
    _dealers(made)
    _played_out(made)
    ends_winners.teams(made)
    ends_winners.floors_and_sweeps(made)
    ends_winners.players(made)
    _after_the_end(made)
    return made


def _played_out_vector(
    made: Section,
    slug: str,
    title: str,
    shows: str,
    setup: Setup,
    calls: str,
    counts: list[int],
    trump: str,
    lines: list[JSON],
    scores: list[int],
    ended: JSON = None,
) -> None:
    setup, last = nearly_played(setup, calls, counts, trump)
    number = setup.referee.hand_number
    dealer = setup.json["hands"] and setup.referee.dealer
    result = {"end": "HAND_END_SCORED", "lines": lines}
    hand_ended: dict[str, JSON] = {"hand_number": number, "result": result, "scores": scores}
    fields: dict[str, JSON] = {
        "game.hand.result": result,
        "game.scores": scores,
        "game.phase": OVER if ended else AWAITING,
        "game.outcome": ended,
        "game.seat_to_act": None,
        "game.next_dealer": None if ended else seat(right_of("NWSE"[dealer or 0])),
        "events[2]": {"hand_ended": hand_ended},
        "events[3]": {"game_won": ended} if ended else None,
        "events[4]": None,
    }
    made.accepted(slug, title, shows, setup, last, fields)


def _dealers(made: Section) -> None:
    for dealer in "NWSE":
        declarer = right_of(dealer)
        turn = "NWSE".index(declarer)
        counts = [0, 0, 0, 0]
        counts[turn], counts[(turn + 1) % 4] = 8, 5
        points = [0, 0]
        points[turn % 2] = 8
        tricks = [5, 5]
        tricks[turn % 2] = 8
        lines = team_lines(declarer, 7, tricks, points, made=True)
        others = " ".join(f"{'NWSE'[(turn + step) % 4]}:P" for step in (1, 2, 3))
        _played_out_vector(
            made,
            f"dealer-after-{dealer.lower()}",
            "After a played hand the deal passes to the right",
            "C3 C41 C43",
            Setup("saharat_classic", dealer),
            f"{declarer}:7 {others} {declarer}:=H",
            counts,
            "H",
            lines,
            points,
        )
    setup, last = nearly_played(Setup("saharat_classic"), "W:7 S:P E:P N:P W:=S", [5, 8, 0, 0], "S")
    setup.play(last).deal()
    made.legal("second-dealer", "The second hand opens one seat on", "C3 C41", setup, "7 8 9 10 11 12 13 P")
    same = Setup("saharat_classic", dealer_after_scored="same")
    setup, last = nearly_played(same, "W:7 S:P E:P N:P W:=S", [5, 8, 0, 0], "S")
    made.accepted(
        "dealer-stays", "A house where the dealer stays", "C3", setup, last, {"game.next_dealer": seat("N")}
    )


def _played_out(made: Section) -> None:
    calls = "W:3 S:3 E:3 N:3"
    for preset in ("saharat_syrian_41", "jawaker_syrian_41", "mulouk_41", "saharat_400"):
        counts = [3, 4, 2, 4]
        lines = seat_lines([3, 3, 3, 3], counts, [3, 3, -3, 3])
        _played_out_vector(
            made,
            f"individual-{dashed(preset)}",
            f"A hand of {preset}, to its last card",
            "S10 C8",
            Setup(preset),
            calls,
            counts,
            "H",
            lines,
            [3, 3, -3, 3],
        )
    contracts = {
        "saharat_classic": "W:9 S:P E:P N:P W:=D",
        "jawaker_classic": "W:9 S:P E:P N:P W:=D",
        "cardgames_zone": "W:8 S:P E:9 N:P E:=D",
        "tarneeb_wikipedia": "W:8 S:P E:9 N:P W:P E:=D",
        "jawaker_egyptian": "W:9D S:P E:P N:P W:P",
    }
    for preset, auction in contracts.items():
        declarer = "E" if preset in ("cardgames_zone", "tarneeb_wikipedia") else "W"
        _played_out_vector(
            made,
            f"failed-{dashed(preset)}",
            f"A failed nine of {preset}, to its last card",
            "S2 C61 C8",
            Setup(preset),
            auction,
            [3, 4, 3, 3],
            "D",
            team_lines(declarer, 9, [6, 7], [6, -9], made=False),
            [6, -9],
        )
    lines = [{"team": "TEAM_NORTH_SOUTH", "tricks": 7, "points": 7}, {"team": "TEAM_WEST_EAST", "tricks": 6}]
    _played_out_vector(
        made,
        "no-auction",
        "A hand without an auction, to its last card",
        "S9 A16",
        Setup("cardgames_zone_turned_trump"),
        "",
        [4, 3, 3, 3],
        "C",
        lines,
        [7, 0],
    )
    for lead, who in (("dealer", "the dealer"), ("dealers_right", "his right")):
        _played_out_vector(
            made,
            f"led-by-{dashed(lead)}",
            f"South declares, {who} leads: to the last card",
            "A7 S1 C8",
            Setup("saharat_classic", opening_lead=lead),
            "W:P S:8 E:P N:P S:=C",
            [4, 2, 5, 2],
            "C",
            team_lines("S", 8, [9, 4], [9, 0], made=True),
            [9, 0],
        )
    _played_out_vector(
        made,
        "defenders-win",
        "The target is reached on defence as well",
        "W1 C101",
        Setup("saharat_classic", "E", [38, 36]),
        "N:9 W:P S:P E:P N:=H",
        [4, 3, 3, 3],
        "H",
        team_lines("N", 9, [7, 6], [-9, 6], made=False),
        [29, 42],
        outcome("W"),
    )
    _played_out_vector(
        made,
        "400-over",
        "400: over right after the last card (North bids 4: at a score of 40 A13 bars 3)",
        "W5 C92",
        Setup("saharat_400", "E", [40, 0, 5, 0]),
        "N:4 W:4 S:3 E:4",
        [4, 3, 3, 3],
        "H",
        seat_lines([4, 4, 3, 4], [4, 3, 3, 3], [4, -4, 3, -4]),
        [44, -4, 8, -4],
        outcome("N"),
    )


def _after_the_end(made: Section) -> None:
    setup = Setup("saharat_classic", "E", [38, 36])
    setup, last = nearly_played(setup, "N:9 W:P S:P E:P N:=H", [4, 3, 3, 3], "H")
    setup.play(last)
    made.legal("over-legal", "After the end nobody moves", "W1", setup, "")
    made.invalid(
        "over-deal",
        "After the end nobody deals",
        "W1 P2",
        "DealHand",
        {"game": "$game", "deal": {"seeded": {"seed": "AAAAAAAAAAAAAAAAAAAAAA=="}}},
        "game.phase WRONG_PHASE",
        setup,
    )
    made.add(
        "over-valid",
        "A finished game is consistent",
        "",
        "ValidateGame",
        {"game": "$game"},
        {"response": {}},
        setup,
    )
