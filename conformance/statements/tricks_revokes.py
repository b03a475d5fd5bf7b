"""Revokes that end a hand: by either side, in its first trick, with a trick's fourth card, just before the end."""

from typing import Any

from conformance.statements.notation import AWAITING, OVER, dealt_to_order, lines_of, played, seat, suit
from conformance.statements.positions import Setup, position
from conformance.statements.scores import score_and_outcome
from conformance.statements.section import Section
from conformance.statements.tables import numbers, position_of, rows

JSON = Any
FORFEITS: dict[str, JSON] = {"revoke": "forfeits"}


def revoked(made: Section, text: str, *, whole: bool = True, **named: Setup) -> None:
    """Revokes: `slug | rules and cases | title | position | move | bid | tricks | points`.

    `S:C9 on D after E` is the move, the suit led, and who took the tricks before; nobody takes this one. The rest is
    as in `Scores.scored`. Unless it is the whole that is stated, winners of tricks and other events are left open.
    """
    for slug, shows, title, where, what, bid, tricks, told in rows(text, 8):
        setup = position_of(where, named)
        move, _, led, *after = what.split()
        offender, takers = "NWSE".index(move[0]), after[-1] if after else ""
        points, ended = score_and_outcome(told)
        scores = [score + won for score, won in zip(setup.referee.scores, points, strict=True)]
        kept = ":" in bid and offender % 2 != "NWSE".index(bid[0]) % 2
        lines = lines_of(bid, numbers(tricks), points, made=kept)
        result = {"end": "HAND_END_FORFEITED", "lines": lines, "offender": seat(move[0])}
        ended_by = made.told(setup, move, result)
        over = {"hand_ended": {"hand_number": 1, "result": ended_by, "scores": scores}}
        fields: dict[str, JSON] = {
            "verdict.ruling": "RULING_FORFEITS",
            "verdict.reason": "REFUSAL_REASON_MUST_FOLLOW_SUIT",
            "verdict.rule_id": "R2",
            "verdict.led_suit": suit(led),
            "game.hand.result": result,
        }
        if whole:
            fields["game.hand.trick_winners"] = [seat(taker) for taker in takers] or None
        fields.update({"game.scores": scores, "game.phase": OVER if ended else AWAITING})
        if whole:
            events = [played(move), over, *([{"game_won": ended}] if ended else [])]
            fields.update({"game.outcome": ended, "game.seat_to_act": None, "events": events})
        else:
            fields["events[1]"] = over
            fields.update({"game.outcome": ended, "events[2]": {"game_won": ended}} if ended else {})
        made.accepted(slug, title, shows, setup, move, fields)


def by_either_side(made: Section) -> None:
    # North declares 7; trick one goes to East.
    hands = dealt_to_order({"N": "S5 S6 D3 D4", "W": "S9 S8 D6", "S": "S2 D7 C9", "E": "SK D8 H2"})
    start = "N:S5 W:S9 S:S2 E:SK E:D8"
    zone, four, turned = (
        position(preset, "H", "N", "diamonds-all-round", hands, **FORFEITS).play(start)
        for preset in ("cardgames_zone", "saharat_400", "cardgames_zone_turned_trump")
    )
    near = Setup("cardgames_zone", "E", [0, 20], **FORFEITS).deal("diamonds-all-round", hands)
    near.play("N:7 W:P S:P E:P N:=H", start)
    diamonds = " ".join(card for card in hands["N"].split() if card[0] == "D")
    made.legal("forfeit-listed", "A revoke is accepted, but never listed", "R2", zone, diamonds)
    table = """
        forfeit-declarers | R2 | The declarers revoke: minus the bid, the others get the rest |
            $zone | N:S6 on D | N:7 | 0,13 | -7,13
        forfeit-defenders | R2 | The defenders revoke: made, the larger of bid and tricks |
            $zone N:D3 | W:S8 on D | N:7 | 12,1 | 12,0
        forfeit-individual | R2 | 400: both bids of the offender's side fail, the others are made |
            $four | N:S6 on D | 3,3,3,3 | 0,0,0,1 | -3,3,-3,3
        forfeit-no-auction | R2 | Without an auction the other side scores its tricks, at least seven |
            $turned | N:S6 on D | none | 0,13 | 0,13
        forfeit-wins | R2 W1 | A revoke may end the game | $near | N:S6 on D | N:7 | 0,13 | -7,13 won by W
    """
    revoked(made, table, whole=False, zone=zone, four=four, turned=turned, near=near)


def first_trick(made: Section) -> None:
    """W3: 13 tricks that were awarded and not taken win no game outright."""
    hands = dealt_to_order({"N": "S5 S6 D3", "W": "S9 S8 D6", "S": "S2 D7 C9", "E": "SK D8 H2"})
    name, wiki = "spades-and-diamonds", "tarneeb_wikipedia"
    for slug, house in (("always", {}), ("when-bid", {"sweep_wins": "when_bid"})):
        # North bids 13 and leads.
        setup = position(wiki, "H", "N", name, hands, **FORFEITS, **house).play("N:S5")
        when = f"(sweeps win: {slug.replace('-', ' ')})"
        table = f"""
            forfeit-no-sweep-{slug} | R2 W3 | All 13 by a revoke of the defenders are no sweep {when} |
                $thirteen | W:D6 on S | N:13 | 13,0 | 13,0
            forfeit-no-sweep-{slug}-declarers | R2 W3 | Nor by one of the declarers {when} |
                $thirteen W:S8 | S:D7 on S | N:13 | 0,13 | -13,13
        """
        revoked(made, table, thirteen=setup)
    near = Setup(wiki, "E", [30, 0], **FORFEITS).deal(name, hands)
    near.play("N:8 W:P S:P E:P N:=H N:S5")
    house = {"sweep_wins": "always", **FORFEITS}
    turned = position("cardgames_zone_turned_trump", "H", "N", name, hands, **house).play("N:S5")
    table = """
        forfeit-no-sweep-target | R2 W1 W3 | They may reach the target, and then it is the target that wins |
            $near | W:D6 on S | N:8 | 13,0 | 13,0 won by N
        forfeit-no-sweep-turned | R2 W3 | Nor without an auction | $turned | W:D6 on S | none | 13,0 | 13,0
    """
    revoked(made, table, near=near, turned=turned)


def fourth_card(made: Section) -> None:
    """R2: the trick in progress goes to the other side, also when four cards lie there."""
    hands = dealt_to_order({"N": "S5 S6 D3 DA", "W": "S9 S8 D6", "S": "S2 D7 C9", "E": "SK D8 H2"})
    name = "diamonds-after-spades"
    zone = position("cardgames_zone", "H", "N", name, hands, **FORFEITS).play("N:S5 W:S9 S:S2")
    table = """
        forfeit-fourth | R2 | A revoke by the fourth card: its trick is nobody's, though another card would take it |
            $zone | E:D8 on S | N:7 | 13,0 | 13,0
        forfeit-fourth-ruffs | R2 | Nor is it the offender's, whose ruff would take it |
            $zone | E:H2 on S | N:7 | 13,0 | 13,0
    """
    revoked(made, table, zone=zone)
    over, title = position_of("$zone E:H2", {"zone": zone}), "The game after it is consistent"
    made.add("forfeit-fourth-valid", title, "R2", "ValidateGame", {"game": "$game"}, {"response": {}}, over)
    made.invalid(
        "forfeit-fourth-winner",
        "And one that names a winner of that trick is not",
        "R2",
        "ViewGame",
        {"game": "$game", "viewers": ["VIEWER_NORTH"]},
        "game.hand.trick_winners WRONG_COUNT",
        over,
        edits=[{"set": "game.hand.trick_winners", "to": [seat("E")]}],
    )
    four, turned = (
        position(preset, "H", "N", name, hands, **FORFEITS).play("N:S5 W:S9 S:S2 E:SK", "E:D8 N:DA W:D6")
        for preset in ("saharat_400", "cardgames_zone_turned_trump")
    )
    table = """
        forfeit-fourth-declarers | R2 | The declarers' in the second trick, which North would have taken |
            $zone E:SK / E:D8 N:DA W:D6 | S:C9 on D after E | N:7 | 0,13 | -7,13
        forfeit-fourth-seats | R2 | 400: nobody took it, and it is awarded to no seat |
            $four | S:C9 on D after E | 3,3,3,3 | 0,0,0,1 | -3,3,-3,3
        forfeit-fourth-turned | R2 | Without an auction it goes to the other side, too |
            $turned | S:C9 on D after E | none | 0,13 | 0,13
    """
    revoked(made, table, zone=zone, four=four, turned=turned)
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
    table = f"""
        forfeit-fourth-late | R2 S3 | In the last trick but one: 13 tricks, and no sweep value |
            $eleven | N:CK on H after {"W" * 11} | W:7 | 0,13 | 0,13
    """
    revoked(made, table, eleven=setup)
