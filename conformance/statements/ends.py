"""Ends of hands and games: the dealer after a hand, who has won, and ties."""

from typing import Any

from conformance.statements import ends_winners
from conformance.statements.notation import AWAITING, OVER, lines_of, right_of, seat
from conformance.statements.positions import Setup, nearly_played
from conformance.statements.scores import Scores, score_and_outcome
from conformance.statements.section import Section
from conformance.statements.tables import numbers, rows, rules_of

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


def _hands(made: Section, text: str) -> None:
    """Hands to their last card: `slug | rules and cases | title | rule set | calls | tricks | bid | points`.

    The tricks are those of each seat, and the trump: `3,4,2,4 H`. The rest is as in `Scores.scored`.
    """
    for slug, shows, title, rules, calls, taken, bid, told in rows(text, 8):
        preset, chosen = rules_of(rules)
        dealer, before = chosen.pop("dealer", "N"), chosen.pop("scores", None)
        counts, trump = numbers(taken.partition(" ")[0]), taken[-1]
        points, ended = score_and_outcome(told)
        sides = counts if len(points) == 4 else [counts[0] + counts[2], counts[1] + counts[3]]
        scores = [score + won for score, won in zip(before or [0] * len(points), points, strict=True)]
        result = {"end": "HAND_END_SCORED", "lines": lines_of(bid, sides, points)}
        setup = Setup(preset, dealer, before, **chosen)
        setup, last = nearly_played(setup, "" if calls == "none" else calls, counts, trump)
        fields: dict[str, JSON] = {
            "game.hand.result": result,
            "game.scores": scores,
            "game.phase": OVER if ended else AWAITING,
            "game.outcome": ended,
            "game.seat_to_act": None,
            "game.next_dealer": None if ended else seat(right_of(dealer)),
            "events[2]": {
                "hand_ended": {"hand_number": 1, "result": made.told(setup, last, result), "scores": scores}
            },
            "events[3]": {"game_won": ended} if ended else None,
            "events[4]": None,
        }
        made.accepted(slug, title, shows, setup, last, fields)


def _dealers(made: Section) -> None:
    title = "After a played hand the deal passes to the right"
    table = f"""
        dealer-after-n | C3 C41 C43 | {title} | classic | W:7 S:P E:P N:P W:=H | 0,8,5,0 H | W:7 | 0,8
        dealer-after-w | C3 C41 C43 | {title} | classic dealer=W | S:7 E:P N:P W:P S:=H | 0,0,8,5 H | S:7 | 8,0
        dealer-after-s | C3 C41 C43 | {title} | classic dealer=S | E:7 N:P W:P S:P E:=H | 5,0,0,8 H | E:7 | 0,8
        dealer-after-e | C3 C41 C43 | {title} | classic dealer=E | N:7 W:P S:P E:P N:=H | 8,5,0,0 H | N:7 | 8,0
    """
    _hands(made, table)
    setup, last = nearly_played(Setup("saharat_classic"), "W:7 S:P E:P N:P W:=S", [5, 8, 0, 0], "S")
    setup.play(last).deal()
    made.legal("second-dealer", "The second hand opens one seat on", "C3 C41", setup, "7 8 9 10 11 12 13 P")
    same = Setup("saharat_classic", dealer_after_scored="same")
    setup, last = nearly_played(same, "W:7 S:P E:P N:P W:=S", [5, 8, 0, 0], "S")
    made.accepted(
        "dealer-stays", "A house where the dealer stays", "C3", setup, last, {"game.next_dealer": seat("N")}
    )


def _played_out(made: Section) -> None:
    table = """
        individual-saharat-syrian-41 | S10 C8 | A hand of saharat_syrian_41, to its last card |
            saharat_syrian_41 | W:3 S:3 E:3 N:3 | 3,4,2,4 H | 3,3,3,3 | 3,3,-3,3
        individual-jawaker-syrian-41 | S10 C8 | A hand of jawaker_syrian_41, to its last card |
            jawaker_syrian_41 | W:3 S:3 E:3 N:3 | 3,4,2,4 H | 3,3,3,3 | 3,3,-3,3
        individual-mulouk-41 | S10 C8 | A hand of mulouk_41, to its last card |
            mulouk_41 | W:3 S:3 E:3 N:3 | 3,4,2,4 H | 3,3,3,3 | 3,3,-3,3
        individual-saharat-400 | S10 C8 | A hand of saharat_400, to its last card |
            saharat_400 | W:3 S:3 E:3 N:3 | 3,4,2,4 H | 3,3,3,3 | 3,3,-3,3
        failed-saharat-classic | S2 C61 C8 | A failed nine of saharat_classic, to its last card |
            classic | W:9 S:P E:P N:P W:=D | 3,4,3,3 D | W:9 | 6,-9
        failed-jawaker-classic | S2 C61 C8 | A failed nine of jawaker_classic, to its last card |
            jawaker_classic | W:9 S:P E:P N:P W:=D | 3,4,3,3 D | W:9 | 6,-9
        failed-cardgames-zone | S2 C61 C8 | A failed nine of cardgames_zone, to its last card |
            cardgames_zone | W:8 S:P E:9 N:P E:=D | 3,4,3,3 D | E:9 | 6,-9
        failed-tarneeb-wikipedia | S2 C61 C8 | A failed nine of tarneeb_wikipedia, to its last card |
            tarneeb_wikipedia | W:8 S:P E:9 N:P W:P E:=D | 3,4,3,3 D | E:9 | 6,-9
        failed-jawaker-egyptian | S2 C61 C8 | A failed nine of jawaker_egyptian, to its last card |
            egyptian | W:9D S:P E:P N:P W:P | 3,4,3,3 D | W:9 | 6,-9
        no-auction | S9 A16 | A hand without an auction, to its last card |
            cardgames_zone_turned_trump | none | 4,3,3,3 C | none | 7,0
        led-by-dealer | A7 S1 C8 | South declares, the dealer leads: to the last card |
            classic opening_lead=dealer | W:P S:8 E:P N:P S:=C | 4,2,5,2 C | S:8 | 9,0
        led-by-dealers-right | A7 S1 C8 | South declares, his right leads: to the last card |
            classic opening_lead=dealers_right | W:P S:8 E:P N:P S:=C | 4,2,5,2 C | S:8 | 9,0
        defenders-win | W1 C101 | The target is reached on defence as well |
            classic dealer=E scores=[38,36] | N:9 W:P S:P E:P N:=H | 4,3,3,3 H | N:9 | -9,6 won by W
        400-over | W5 C92 | 400: over right after the last card (North bids 4: at a score of 40 A13 bars 3) |
            saharat_400 dealer=E scores=[40,0,5,0] | N:4 W:4 S:3 E:4 | 4,3,3,3 H | 4,4,3,4 | 4,-4,3,-4 won by N
    """
    _hands(made, table)


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
