"""Revokes that end a hand in its first trick, with the fourth card of a trick, or just before the end."""

from typing import Any

from conformance.statements.notation import (
    dealt_to_order,
    outcome,
    plain_lines,
    played,
    seat,
    seat_lines,
    team_lines,
)
from conformance.statements.positions import Setup, position
from conformance.statements.section import Section

JSON = Any
FORFEITS: dict[str, JSON] = {"revoke": "forfeits"}


def forfeited(
    move: str, led: str, lines: list[JSON], scores: list[int], takers: str = "", ended: JSON = None
) -> dict[str, JSON]:
    """What follows when a move revokes; `takers` took the tricks before, and nobody this one."""
    result = {"end": "HAND_END_FORFEITED", "lines": lines, "offender": seat(move[0])}
    over = {"hand_ended": {"hand_number": 1, "result": result, "scores": scores}}
    return {
        "verdict.ruling": "RULING_FORFEITS",
        "verdict.reason": "REFUSAL_REASON_MUST_FOLLOW_SUIT",
        "verdict.rule_id": "R2",
        "verdict.led_suit": led,
        "game.hand.result": result,
        "game.hand.trick_winners": [seat(taker) for taker in takers] or None,
        "game.scores": scores,
        "game.phase": "PHASE_GAME_OVER" if ended else "PHASE_AWAITING_DEAL",
        "game.outcome": ended,
        "game.seat_to_act": None,
        "events": [played(move), over, *([{"game_won": ended}] if ended else [])],
    }


def first_trick(made: Section) -> None:
    """W3: 13 tricks that were awarded and not taken win no game outright."""
    hands = dealt_to_order({"N": "S5 S6 D3", "W": "S9 S8 D6", "S": "S2 D7 C9", "E": "SK D8 H2"})
    wiki = "tarneeb_wikipedia"
    for slug, house in (("always", {}), ("when-bid", {"sweep_wins": "when_bid"})):
        # North bids 13 and leads.
        setup = position(wiki, "H", "N", "spades-and-diamonds", hands, **FORFEITS, **house).play("N:S5")
        made.accepted(
            f"forfeit-no-sweep-{slug}",
            f"All 13 by a revoke of the defenders are no sweep (sweeps win: {slug.replace('-', ' ')})",
            "R2 W3",
            setup,
            "W:D6",
            forfeited("W:D6", "SUIT_SPADES", team_lines("N", 13, [13, 0], [13, 0], made=True), [13, 0]),
        )
        setup.play("W:S8")
        made.accepted(
            f"forfeit-no-sweep-{slug}-declarers",
            f"Nor by one of the declarers (sweeps win: {slug.replace('-', ' ')})",
            "R2 W3",
            setup,
            "S:D7",
            forfeited("S:D7", "SUIT_SPADES", team_lines("N", 13, [0, 13], [-13, 13], made=False), [-13, 13]),
        )
    near = Setup(wiki, "E", [30, 0], **FORFEITS).deal("spades-and-diamonds", hands)
    near.play("N:8 W:P S:P E:P N:=H N:S5")
    won = outcome("N")
    fields = forfeited(
        "W:D6", "SUIT_SPADES", team_lines("N", 8, [13, 0], [13, 0], made=True), [43, 0], ended=won
    )
    title = "They may reach the target, and then it is the target that wins"
    made.accepted("forfeit-no-sweep-target", title, "R2 W1 W3", near, "W:D6", fields)
    turned = position(
        "cardgames_zone_turned_trump", "H", "N", "spades-and-diamonds", hands, sweep_wins="always", **FORFEITS
    )
    fields = forfeited("W:D6", "SUIT_SPADES", plain_lines([13, 0], [13, 0]), [13, 0])
    title = "Nor without an auction"
    made.accepted("forfeit-no-sweep-turned", title, "R2 W3", turned.play("N:S5"), "W:D6", fields)


def fourth_card(made: Section) -> None:
    """R2: the trick in progress goes to the other side, also when four cards lie there."""
    hands = dealt_to_order({"N": "S5 S6 D3 DA", "W": "S9 S8 D6", "S": "S2 D7 C9", "E": "SK D8 H2"})
    name, shows = "diamonds-after-spades", "R2"

    def zone() -> Setup:
        return position("cardgames_zone", "H", "N", name, hands, **FORFEITS).play("N:S5 W:S9 S:S2")

    made.accepted(
        "forfeit-fourth",
        "A revoke by the fourth card: its trick is nobody's, though another card would take it",
        shows,
        zone(),
        "E:D8",
        forfeited("E:D8", "SUIT_SPADES", team_lines("N", 7, [13, 0], [13, 0], made=True), [13, 0]),
    )
    made.accepted(
        "forfeit-fourth-ruffs",
        "Nor is it the offender's, whose ruff would take it",
        shows,
        zone(),
        "E:H2",
        forfeited("E:H2", "SUIT_SPADES", team_lines("N", 7, [13, 0], [13, 0], made=True), [13, 0]),
    )
    valid = zone().play("E:H2")
    made.add(
        "forfeit-fourth-valid",
        "The game after it is consistent",
        shows,
        "ValidateGame",
        {"game": "$game"},
        {"response": {}},
        valid,
    )
    made.invalid(
        "forfeit-fourth-winner",
        "And one that names a winner of that trick is not",
        shows,
        "ViewGame",
        {"game": "$game", "viewers": ["VIEWER_NORTH"]},
        "game.hand.trick_winners WRONG_COUNT",
        valid,
        edits=[{"set": "game.hand.trick_winners", "to": [seat("E")]}],
    )
    second = zone().play("E:SK", "E:D8 N:DA W:D6")
    lines = team_lines("N", 7, [0, 13], [-7, 13], made=False)
    made.accepted(
        "forfeit-fourth-declarers",
        "The declarers' in the second trick, which North would have taken",
        shows,
        second,
        "S:C9",
        forfeited("S:C9", "SUIT_DIAMONDS", lines, [-7, 13], "E"),
    )
    alone = position("saharat_400", "H", "N", name, hands, **FORFEITS)
    alone.play("N:S5 W:S9 S:S2 E:SK", "E:D8 N:DA W:D6")
    lines = seat_lines([3, 3, 3, 3], [0, 0, 0, 1], [-3, 3, -3, 3])
    made.accepted(
        "forfeit-fourth-seats",
        "400: nobody took it, and it is awarded to no seat",
        shows,
        alone,
        "S:C9",
        forfeited("S:C9", "SUIT_DIAMONDS", lines, [-3, 3, -3, 3], "E"),
    )
    turned = position("cardgames_zone_turned_trump", "H", "N", name, hands, **FORFEITS)
    turned.play("N:S5 W:S9 S:S2 E:SK", "E:D8 N:DA W:D6")
    made.accepted(
        "forfeit-fourth-turned",
        "Without an auction it goes to the other side, too",
        shows,
        turned,
        "S:C9",
        forfeited("S:C9", "SUIT_DIAMONDS", plain_lines([0, 13], [0, 13]), [0, 13], "E"),
    )
    _last_but_one(made)


def _last_but_one(made: Section) -> None:
    """Trick twelve is the last in which somebody can revoke; there eleven have gone to West, no-trump."""
    hands = {
        "N": "H4 C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK",
        "W": "S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA H2 H3",
        "S": "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA",
        "E": "S2 S3 CA H5 H6 H7 H8 H9 HT HJ HQ HK HA",
    }
    setup = Setup("jawaker_egyptian", "N", **FORFEITS).deal("eleven-spades", hands)
    setup.play("W:7N S:P E:P N:P W:P")
    east = ["S2", "S3", "CA", *(f"H{rank}" for rank in "6789TJQK")]
    for index in range(11):
        spade = hands["W"].split()[10 - index]
        setup.play(f"W:{spade} S:D{'23456789TJQ'[index]} E:{east[index]} N:C{'23456789TJQ'[index]}")
    setup.play("W:H2 S:DK E:H5")
    lines = team_lines("W", 7, [0, 13], [0, 13], made=True)
    made.accepted(
        "forfeit-fourth-late",
        "In the last trick but one: 13 tricks, and no sweep value",
        "R2 S3",
        setup,
        "N:CK",
        forfeited("N:CK", "SUIT_HEARTS", lines, [0, 13], "W" * 11),
    )
