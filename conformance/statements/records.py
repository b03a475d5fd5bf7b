"""Records: whole games played again, and the first step that is refused."""

import copy
from typing import Any

from conformance.runner import cards_json, deal_json, move_json
from conformance.statements.edits import spoilt_requests
from conformance.statements.notation import choice, held, outcome, seat
from conformance.statements.positions import Setup, bytes_json, nearly_played, oracle_game, playing
from conformance.statements.section import Section

JSON = Any


def section() -> Section:
    made = Section("records", "Records: whole games played again, and the first step that is refused.")
    _accepted(made)
    _refused(made)
    _detail(made)
    _limits(made)
    _hand_records(made)
    return made


def record_of(setup: Setup) -> JSON:
    """The same steps as a `GameRecord`."""
    hands = [
        {
            "deal": deal_json(hand, setup.deals),
            "moves": [move_json(move) for move in " ".join(hand.get("moves", ())).split()],
        }
        for hand in setup.json.get("hands", ())
    ]
    return {
        "id": "conformance",
        "rule_set": setup.json["rule_set"],
        "first_dealer": seat(setup.json["first_dealer"]),
        "hands": hands,
    }


def _whole(made: Section, slug: str, title: str, shows: str, setup: Setup) -> None:
    known = oracle_game(setup.referee, setup.steps)
    fields = {f"game.{name}": value or None for name, value in known.items() if name != "hand"}
    fields.update({f"game.hand.{name}": value for name, value in known["hand"].items()})
    fields.update({"accepted_steps": setup.steps, "total_steps": setup.steps, "refused": None, "steps": None})
    made.add(slug, title, shows, "ReplayGame", {"record": record_of(setup)}, {"fields": fields}, repeat=2)


def _accepted(made: Section) -> None:
    empty = {"record": {"id": "g", "rule_set": choice("saharat_classic"), "first_dealer": "SEAT_WEST"}}
    fields = {
        "game.phase": "PHASE_AWAITING_DEAL",
        "game.next_dealer": "SEAT_WEST",
        "accepted_steps": None,
        "total_steps": None,
        "refused": None,
    }
    made.add("empty", "A record without a hand is a new game", "", "ReplayGame", empty, {"fields": fields})
    setup, last = nearly_played(Setup("saharat_classic"), "W:9 S:P E:P N:P W:=H", [0, 9, 4, 0], "H")
    _whole(made, "to-the-last-card", "A hand but for its last card", "C122", setup)
    setup.play(last)
    _whole(made, "one-hand", "A whole hand", "C133 C122", setup)
    for turn in range(4):
        declarer = setup.referee.next_dealer or 0
        first = (declarer + 1) % 4
        letters = ["NWSE"[(first + step) % 4] for step in range(4)]
        calls = " ".join(f"{letter}:{'9' if i == 0 else 'P'}" for i, letter in enumerate(letters))
        counts = [0, 0, 0, 0]
        counts[first], counts[(first + 1) % 4] = 9, 4
        setup, last = nearly_played(setup, f"{calls} {letters[0]}:=H", counts, "H")
        setup.play(last)
        assert (setup.referee.winner is None) == (turn < 4)
    _whole(made, "five-hands", "Five hands, the dealer on by one each time", "C3 C41 C133", setup)
    setup = (
        Setup("mulouk_41", "S")
        .deal()
        .play("E:2 N:2 W:2 S:2")
        .deal(turned="D5")
        .play("E:4 N:4 W:4 S:4 E:C2 N:S2")
    )
    _whole(made, "void-hands", "A void hand, and the next in play", "A15 C133", setup)
    setup = Setup("jawaker_egyptian").deal_seeded(bytes(range(16)), b"cut").play("W:7N S:X E:P N:P W:P")
    _whole(made, "seeded", "A deal from a seed", "C119 C133 C160", setup)


def _refused(made: Section) -> None:
    setup = Setup("saharat_classic").deal().play("W:9")
    base = record_of(setup)

    def stopped(
        slug: str,
        title: str,
        shows: str,
        moves: list[JSON],
        fields: dict[str, JSON],
        accepted: int,
        **request: JSON,
    ) -> None:
        record = {**base, "hands": [{**base["hands"][0], "moves": [*base["hands"][0]["moves"], *moves]}]}
        everything = {**fields, "accepted_steps": accepted, "total_steps": 2 + len(moves)}
        made.add(slug, title, shows, "ReplayGame", {"record": record, **request}, {"fields": everything})

    low = {
        "refused.hand_number": 1,
        "refused.move_number": 2,
        "refused.move": move_json("S:7"),
        "refused.verdict.reason": "REFUSAL_REASON_BID_TOO_LOW",
        "refused.verdict.rule_id": "A1",
        "refused.problems": None,
        "game.seat_to_act": "SEAT_SOUTH",
        "game.revision": 2,
    }
    stopped(
        "refused-bid",
        "It stops at the first move that is refused",
        "A1 C25",
        [move_json("S:7"), move_json("E:P")],
        low,
        2,
    )
    late = {
        "refused.move_number": 2,
        "refused.verdict.reason": "REFUSAL_REASON_STALE_REVISION",
        "refused.verdict.game_revision": 2,
    }
    stopped(
        "stale",
        "A move's revision is checked when that is asked for",
        "P1",
        [{**move_json("S:P"), "revision": 1}],
        late,
        2,
        check_revisions=True,
    )
    fine = {"refused": None, "game.seat_to_act": "SEAT_EAST"}
    right, wrong = ({**move_json("S:P"), "revision": number} for number in (2, 1))
    stopped("not-stale", "And may be right", "P1", [right], fine, 3, check_revisions=True)
    stopped("unchecked", "It is not checked otherwise", "P1", [wrong], fine, 3)
    odd = {
        "refused.move_number": 2,
        "refused.verdict": None,
        "refused.problems[0].path": "record.hands[0].moves[1].card",
        "refused.problems[0].reason": "PROBLEM_REASON_UNKNOWN_VALUE",
    }
    stopped(
        "no-card",
        "A move that can't be judged stops it too",
        "C130",
        [{"seat": "SEAT_SOUTH", "card": 15}],
        odd,
        2,
    )
    record = {**base, "hands": [base["hands"][0], base["hands"][0]]}
    fields = {
        "refused.hand_number": 2,
        "refused.move_number": None,
        "refused.move": None,
        "refused.problems[0].path": "record.hands[1].deal",
        "refused.problems[0].reason": "PROBLEM_REASON_WRONG_PHASE",
        "accepted_steps": 2,
        "total_steps": 4,
    }
    made.add(
        "deal-too-soon",
        "A deal in the middle of a hand",
        "P2",
        "ReplayGame",
        {"record": record},
        {"fields": fields},
    )
    record = {**base, "hands": [{"moves": base["hands"][0]["moves"]}]}
    fields = {
        "refused.hand_number": 1,
        "refused.problems[0].path": "record.hands[0].deal",
        "refused.problems[0].reason": "PROBLEM_REASON_MISSING",
        "accepted_steps": None,
    }
    made.add("no-deal", "A hand without a deal", "", "ReplayGame", {"record": record}, {"fields": fields})
    seeded = {"seeded": {"seed": bytes_json(bytes(range(16))), "commitment": bytes_json(bytes(32))}}
    record = {**base, "hands": [{"deal": seeded}]}
    fields = {
        "refused.hand_number": 1,
        "refused.problems[0].path": "record.hands[0].deal.seeded.commitment",
        "refused.problems[0].reason": "PROBLEM_REASON_COMMITMENT",
        "accepted_steps": None,
    }
    made.add(
        "unfair",
        "A seed that is not the one committed to",
        "",
        "ReplayGame",
        {"record": record},
        {"fields": fields},
    )
    play = Setup("saharat_classic").deal().play("W:13 W:=H W:H2")
    record = record_of(play)
    record["hands"][0]["moves"].append(move_json("S:H3"))
    fields = {
        "refused.move_number": 4,
        "refused.verdict.reason": "REFUSAL_REASON_CARD_NOT_HELD",
        "refused.verdict.rule_id": "C1",
        "accepted_steps": 4,
    }
    made.add(
        "not-held",
        "A card that the seat does not hold",
        "C1",
        "ReplayGame",
        {"record": record},
        {"fields": fields},
    )


def _detail(made: Section) -> None:
    setup = Setup("saharat_classic").deal().play("W:13 W:=H W:H2")
    record = record_of(setup)

    def detailed(slug: str, title: str, request: JSON, fields: dict[str, JSON]) -> None:
        made.add(
            slug,
            title,
            "",
            "ReplayGame",
            {"record": record, **request},
            {"fields": {"accepted_steps": 4, **fields}},
        )

    events = {"step_detail": "STEP_DETAIL_EVENTS"}
    detailed(
        "events",
        "The events of every step",
        events,
        {
            "steps[0].hand_number": 1,
            "steps[0].move_number": None,
            "steps[0].events[0].hand_dealt.dealer": "SEAT_NORTH",
            "steps[1].move_number": 1,
            "steps[1].events[1].auction_won.declarer": "SEAT_WEST",
            "steps[2].events[0].trump_named.trump": "STRAIN_HEARTS",
            "steps[3].move_number": 3,
            "steps[3].game": None,
            "steps[4]": None,
        },
    )
    detailed(
        "games",
        "The game after every step",
        {"step_detail": "STEP_DETAIL_GAMES"},
        {
            "steps[0].game.phase": "PHASE_AUCTION",
            "steps[1].game.phase": "PHASE_NAMING_TRUMP",
            "steps[2].game.phase": "PHASE_PLAY",
            "steps[3].game.hand.played": cards_json("H2"),
            "steps[3].views": None,
        },
    )
    window = {**events, "first_step": 2, "step_limit": 2}
    detailed(
        "window",
        "Some steps of many",
        window,
        {
            "steps[0].move_number": 1,
            "steps[1].move_number": 2,
            "steps[2]": None,
            "game.hand.played": cards_json("H2"),
        },
    )
    detailed("beyond", "No step is beyond the last", {**events, "first_step": 5}, {"steps": None})
    over = Setup("saharat_classic", "E", target=1)
    over, last = nearly_played(over, "N:9 W:P S:P E:P N:=H", [9, 4, 0, 0], "H")
    record = record_of(over.play(last))
    detailed_over = {"record": record, **events, "first_step": over.steps}
    made.add(
        "last-step",
        "The last step may win the game",
        "W1",
        "ReplayGame",
        detailed_over,
        {"fields": {"steps[0].events[3].game_won": outcome("N"), "game.outcome": outcome("N")}},
    )


def _limits(made: Section) -> None:
    record = record_of(Setup("saharat_classic").deal())
    spoilt_requests(
        made,
        "ReplayGame",
        {"record": record},
        """
        no-record |  | No record | -record | record MISSING
        no-id |  | No id | record.id= | record.id MISSING
        no-dealer |  | No first dealer | record.first_dealer=0 | record.first_dealer MISSING
        no-rules |  | No rules | -record.rule_set | record.rule_set MISSING
        bad-rules |  | Rules that contradict |
            record.rule_set.preset_id=mulouk_41; record.rule_set.overrides.target=31 |
            record.rule_set.overrides.target LOCKED
        steps-1001 |  | More detail than one answer holds | step_limit=1001 | step_limit OUT_OF_RANGE
        no-viewers |  | Views of nobody | step_detail=STEP_DETAIL_VIEWS | viewers MISSING
        detail-9 |  | No such detail | step_detail=9 | step_detail UNKNOWN_VALUE
        """,
    )
    long = {"record": {**record, "hands": [{}] * 1001}}
    found = "record.hands WRONG_COUNT"
    made.invalid("hands-1001", "More than a thousand hands", "", "ReplayGame", long, found)
    newer = {"record": {**record, "rules_revision": 2**31}}
    status = {"status": {"code": "UNAVAILABLE", "reason": "NEWER_RULES"}}
    made.add("newer-rules", "Rules that are newer", "", "ReplayGame", newer, status)


def _hand_records(made: Section) -> None:
    """The move that ends a hand is answered with the hand's record, and no other move is."""

    def ended(slug: str, title: str, shows: str, setup: Setup, move: str, **fields: JSON) -> None:
        record = record_of(copy.deepcopy(setup).play(move))["hands"][-1]
        holdings = setup.deals[setup.json["hands"][-1]["deal"]]
        # Ascending, however they came.
        record["deal"]["hands"]["hands"] = [{"cards": held(holdings[letter])} for letter in "NWSE"]
        made.accepted(slug, title, shows, setup, move, {"hand_record": record, **fields})

    setup, last = nearly_played(Setup("saharat_classic"), "W:9 S:P E:P N:P W:=H", [0, 9, 4, 0], "H")
    ended("of-a-hand", "The last card brings the record of its hand", "", setup, last)
    setup, last = nearly_played(setup.play(last), "S:9 E:P N:P W:P S:=H", [0, 4, 9, 0], "H")
    ended("of-the-next-hand", "Of its own hand alone", "", setup, last)
    void = Setup("saharat_classic").deal().play("W:P S:P E:P")
    ended("of-a-void-hand", "A void hand has one", "A6", void, "N:P")
    turned = Setup("mulouk_41").deal(turned="S5").play("W:2 S:2 E:2")
    ended("with-a-turned-card", "With the card that was turned", "A14", turned, "N:2")
    forfeits = {"verdict.ruling": "RULING_FORFEITS", "verdict.rule_id": "R2"}
    ended(
        "of-a-forfeited-hand",
        "A forfeited hand has one",
        "R2",
        playing(revoke="forfeits"),
        "W:H3",
        **forfeits,
    )
    going_on = {"hand_record": None}
    made.accepted("not-yet", "A hand that goes on has none", "", playing(), "W:S2", going_on)
