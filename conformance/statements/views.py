"""Views: what each seat and a spectator may know, and that no other card is in them."""

from typing import Any

from conformance.runner import card_json, cards_json, move_json
from conformance.statements.notation import call_made, choice, dealt_to_order, held, rule_json, seat, viewer
from conformance.statements.positions import Setup, at, bytes_json, nearly_played, oracle_game, result_told
from conformance.statements.section import Section
from tests.oracle.cards import DECK
from tests.oracle.rule_sets import RULE_SETS

JSON = Any
VIEWERS = "NWSEX"

# Of the service that is tried; it rises when an answer changes.
RULES_REVISION = 1


def section() -> Section:
    made = Section("views", "Views: what a seat or a spectator may know, and that no other card is in them.")
    _phases(made)
    _past_tricks(made)
    _reveal(made)
    _with_steps(made)
    _seeded(made)
    _records(made)
    _requests(made)
    return made


def hand_view(setup: Setup, letter: str) -> JSON:
    """A viewer's `HandView`, from the oracle's book."""
    referee = setup.referee
    known = oracle_game(referee, setup.steps)["hand"]
    shown: dict[str, JSON] = {}
    own = referee.holdings["NWSE".index(letter)] if letter != "X" else []
    if own:
        shown["holding"] = held(" ".join(own))
    shown["holding_counts"] = [len(holding) for holding in referee.holdings]
    if referee.turned:
        shown["turned_card"] = card_json(referee.turned)
    if referee.calls:
        shown["calls"] = [call_made(caller, call) for caller, call in referee.calls]
    for name in ("contract", "trump", "opening_leader"):
        if known[name]:
            shown[name] = known[name]
    tricks = _tricks(setup)
    if tricks and "winner" not in tricks[-1]:
        shown["trick"] = tricks.pop()
    kept = {"all": tricks, "last": tricks[-1:], "none": []}[referee.rules["past_tricks"]]
    kept = tricks if is_revealed(setup, letter) else kept
    if kept:
        shown["past_tricks"] = kept
    shown["trick_counts"] = [referee.trick_winners.count(place) for place in range(4)]
    if known["result"]:
        shown["result"] = result_told(known["result"], referee)
    if is_revealed(setup, letter):
        shown["revealed"] = [{"cards": held(" ".join(hand))} for hand in referee.dealt]
    return shown


def is_revealed(setup: Setup, letter: str) -> bool:
    """Whether the hand is over and the rules show it to this viewer."""
    who = {"nobody": "", "spectators": "X", "everybody": VIEWERS}[setup.referee.rules["reveal"]]
    return bool(setup.referee.result) and letter in who


def _tricks(setup: Setup) -> list[JSON]:
    """All tricks; one that is not complete comes last, without a winner."""
    referee = setup.referee
    if referee.opening_leader is None:
        return []
    leaders = [referee.opening_leader, *referee.trick_winners]
    tricks = []
    for number, leader in enumerate(leaders[:13]):
        cards = referee.played[4 * number : 4 * number + 4]
        trick: dict[str, JSON] = {"number": number + 1, "leader": seat("NWSE"[leader])}
        if cards:
            trick["cards"] = cards_json(" ".join(cards))
        if number < len(referee.trick_winners):
            trick["winner"] = seat("NWSE"[referee.trick_winners[number]])
        tricks.append(trick)
    return tricks


def hidden(setup: Setup, letter: str) -> str:
    """The cards that a viewer may not see anywhere."""
    referee = setup.referee
    if is_revealed(setup, letter):
        return ""
    seen = set(referee.trick_on_table()) | {referee.turned or ""}
    if letter != "X":
        seen |= set(referee.holdings["NWSE".index(letter)])
    done = referee.played[: 4 * len(referee.trick_winners)]
    seen |= set({"all": done, "last": done[-4:], "none": []}[referee.rules["past_tricks"]])
    return " ".join(card for card in DECK if card not in seen)


def fields_of(setup: Setup, letter: str, index: int) -> dict[str, JSON]:
    """What a view must say, apart from the rules."""
    referee = setup.referee
    game = oracle_game(referee, setup.steps)
    turn = None if referee.turn is None else "NWSE"[referee.turn]
    legal = [move_json(f"{turn}:{_short(move)}") for move in referee.legal()] if turn == letter else None
    place = f"views[{index}]"
    named = ("revision", "scores", "hand_number", "dealer", "next_dealer", "phase", "seat_to_act", "outcome")
    return {
        f"{place}.viewer": viewer(letter),
        **{f"{place}.{name}": game[name] or None for name in named},
        f"{place}.legal_moves": legal,
        f"{place}.cutter": _cutter(referee.next_dealer),
        f"{place}.rules_revision": RULES_REVISION,
        f"{place}.hand": hand_view(setup, letter),
    }


def _cutter(next_dealer: int | None) -> JSON:
    """Who is at the left of who deals next."""
    return None if next_dealer is None else seat("ENWS"[next_dealer])


def whole(setup: Setup, letter: str) -> JSON:
    """All that there is in a view of a hand that was dealt and not called or played."""
    game, preset = oracle_game(setup.referee, setup.steps), setup.json["rule_set"]["preset_id"]
    named = ("revision", "scores", "hand_number", "dealer", "phase", "seat_to_act")
    return {
        "viewer": viewer(letter),
        "id": "conformance",
        "preset_id": preset,
        "rules": {name: rule_json(name, value) for name, value in RULE_SETS[preset].items()},
        **{name: game[name] for name in named},
        "hand": hand_view(setup, letter),
        "rules_revision": RULES_REVISION,
    }


def _short(move: tuple[Any, ...]) -> str:
    if move[0] == "bid":
        letter = {"no_trump": "N"}.get(move[2] or "", (move[2] or "")[:1].upper())
        return f"{move[1]}{letter}"
    return {"pass": "P", "double": "X", "trump": f"={str(move[-1])[0].upper()}", "card": str(move[-1])}[
        move[0]
    ]


def seen(
    made: Section, slug: str, title: str, shows: str, setup: Setup, letters: str = VIEWERS, **more: JSON
) -> None:
    """One vector a viewer, and one for all of them in another order."""
    for letter in letters:
        expect: dict[str, JSON] = {"fields": {"views[1]": None, **fields_of(setup, letter, 0)}}
        cards = hidden(setup, letter)
        if cards:
            expect["hides"] = [{"at": "views[0]", "cards": cards}]
        request = {"game": "$game", "viewers": [viewer(letter)]}
        name = "spectator" if letter == "X" else viewer(letter).removeprefix("VIEWER_").lower()
        made.add(f"{slug}-{name}", f"{title}: {name}", shows, "ViewGame", request, expect, setup, **more)


def _phases(made: Section) -> None:
    shows = "C7 C140 C142"
    seen(made, "auction", "After a bid", shows, at("saharat_classic", "W:7"), "NSX")
    seen(made, "egyptian", "After a double", shows, at("jawaker_egyptian", "W:7H S:X"), "E")
    seen(made, "individual", "A turned card and two bids", shows, at("saharat_syrian_41", "W:3 S:4"), "NEX")
    seen(made, "naming", "The declarer is to name trump", shows, at("saharat_classic", "W:13"), "WN")
    hands = dealt_to_order({"N": "S7 S8", "W": "S2 H3", "S": "SA S3", "E": "S9 D4"})
    setup = Setup("saharat_classic", "E").deal("spades-all-round", hands).play("N:13 N:=H")
    seen(made, "leader", "Before the first card the trick is empty", shows, setup, "N")
    setup.play("N:S7 W:S2")
    seen(made, "mid-trick", "Two cards on the table", shows + " C152", setup, "NSEX")
    setup.play("S:SA E:S9")
    seen(made, "trick-over", "The table is empty, the trick is past", shows + " C115", setup, "SWX")
    setup.play("S:S3")
    seen(made, "again", "The same view as often as it is asked for", "C131", setup, "S", repeat=5)
    seen(made, "void", "A void hand stays, unseen", shows, at("saharat_classic", "W:P S:P E:P N:P"), "NX")
    scored, last = nearly_played(Setup("saharat_400"), "W:3 S:3 E:3 N:3", [3, 4, 2, 4], "H")
    scored.play(last)
    seen(made, "scored", "A scored hand: every card was played", "C7 C8", scored, "NX")
    setup = Setup("saharat_classic", "E", revoke="forfeits").deal("spades-all-round", hands)
    setup.play("N:13 N:=H N:S7 W:H3")
    seen(made, "forfeited", "A revoke ends the hand; its trick stays on the table", "R2 C140", setup, "SX")
    setup = at("cardgames_zone_turned_trump")
    made.add(
        "whole",
        "All that a view has, and nothing more",
        "A16 C110 C142",
        "ViewGame",
        {"game": "$game", "viewers": ["VIEWER_SOUTH"]},
        {"response": {"views": [whole(setup, "S")]}, "hides": [{"at": "views", "cards": hidden(setup, "S")}]},
        setup,
    )


def _past_tricks(made: Section) -> None:
    for option in ("all", "last", "none"):
        setup = Setup("saharat_classic", past_tricks=option).deal().play("W:13 W:=H")
        for rank in "23":
            setup.play(f"W:H{rank} S:D{rank} E:C{rank} N:S{rank}")
        seen(made, f"past-{option}", f"Past tricks: {option}", "C7", setup, "WEX")
        setup.play("W:H4 S:D4")
        seen(
            made,
            f"past-{option}-on-table",
            f"Past tricks: {option}, and two cards on the table",
            "C7",
            setup,
            "N",
        )


def _reveal(made: Section) -> None:
    for option in ("nobody", "spectators", "everybody"):
        setup = at("saharat_classic", "W:P S:P E:P", reveal=option)
        seen(made, f"reveal-{option}-before", f"Reveal {option}: nothing before the end", "C140", setup, "NX")
        setup.play("N:P")
        seen(made, f"reveal-{option}", f"Reveal {option}: after a void hand", "C7", setup, "SX")
        low = at("saharat_syrian_41", "W:2 S:2 E:2 N:2", reveal=option, past_tricks="none")
        scored = Setup("saharat_400", reveal=option, past_tricks="none")
        scored, last = nearly_played(scored, "W:3 S:3 E:3 N:3", [3, 4, 2, 4], "H")
        title = f"Reveal {option}: after a hand whose tricks lie face down"
        seen(made, f"reveal-{option}-played", title, "C7 C140", scored.play(last), "SX")
        seen(made, f"reveal-{option}-low", f"Reveal {option}: after bids too low", "C7 A14", low, "WX")


def _with_steps(made: Section) -> None:
    every = [viewer(letter) for letter in VIEWERS]
    setup = at("saharat_classic")
    expect: dict[str, JSON] = {"fields": {}, "hides": []}
    after = at("saharat_classic", "W:7")
    for index, letter in enumerate(VIEWERS):
        expect["fields"].update(fields_of(after, letter, index))
        expect["hides"].append({"at": f"views[{index}]", "cards": hidden(after, letter)})
    made.add(
        "with-a-move",
        "A move answers with every view asked for, in that order",
        "C140",
        "ApplyMove",
        {"game": "$game", "move": move_json("W:7"), "viewers": every},
        expect,
        setup,
    )
    made.add(
        "with-a-refusal",
        "A refused move answers with none",
        "C140 C26",
        "ApplyMove",
        {"game": "$game", "move": move_json("W:6"), "viewers": every},
        {"fields": {"verdict.ruling": "RULING_REFUSED", "views": None, "game": None, "events": None}},
        setup,
    )
    back = list(reversed(VIEWERS))
    expect = {"fields": {}, "hides": []}
    for index, letter in enumerate(back):
        expect["fields"].update(fields_of(setup, letter, index))
        expect["hides"].append({"at": f"views[{index}]", "cards": hidden(setup, letter)})
    deal = {
        "hands": {"hands": [{"cards": cards_json(hand)} for hand in setup.deals["one-suit-each"].values()]}
    }
    made.add(
        "with-a-deal",
        "So does a deal",
        "C140",
        "DealHand",
        {"game": "$game", "deal": deal, "viewers": [viewer(letter) for letter in back]},
        expect,
        Setup("saharat_classic"),
    )
    made.add(
        "with-a-game",
        "So does a new game, which has no hand yet",
        "",
        "CreateGame",
        {"id": "g", "rule_set": choice("saharat_400"), "first_dealer": "SEAT_SOUTH", "viewers": every},
        {
            "fields": {
                **{f"views[{index}].viewer": viewer(letter) for index, letter in enumerate(VIEWERS)},
                "views[0].hand": None,
                "views[4].next_dealer": "SEAT_SOUTH",
                "views[5]": None,
            }
        },
    )


def _seeded(made: Section) -> None:
    """Cards from a seed: each viewer sees his own, and neither seed nor cut nor another's card."""
    shows, seed, cut = "C142 C140", bytes(range(16, 48)), b"cut"
    setup = Setup("saharat_classic", "S").deal_seeded(seed, cut).play("E:8")
    seen(made, "seeded", "A hand from a seed", shows, setup)
    turned = Setup("mulouk_41", "W").deal_seeded(seed, cut)
    seen(made, "seeded-turned", "A hand from a seed, with a card turned", shows, turned)
    for letter in "EX":
        name = "spectator" if letter == "X" else "east"
        made.add(
            f"seeded-whole-{name}",
            f"All that is in a view of such a hand: {name}",
            shows,
            "ViewGame",
            {"game": "$game", "viewers": [viewer(letter)]},
            {
                "response": {"views": [whole(turned, letter)]},
                "hides": [{"at": "views[0]", "cards": hidden(turned, letter)}],
            },
            turned,
        )


def _records(made: Section) -> None:
    """Views of a replay hide as much, and no seed is anywhere."""
    seed = bytes(range(16))
    setup = Setup("saharat_classic").deal_seeded(seed).play("W:13 W:=H")
    record = {
        "id": "conformance",
        "rule_set": choice("saharat_classic"),
        "first_dealer": "SEAT_NORTH",
        "hands": [
            {"deal": {"seeded": {"seed": bytes_json(seed)}}, "moves": [move_json("W:13"), move_json("W:=H")]}
        ],
    }
    letters = "SX"
    expect: dict[str, JSON] = {"fields": {"total_steps": 3, "accepted_steps": 3}, "hides": []}
    for index, letter in enumerate(letters):
        for path, value in fields_of(setup, letter, index).items():
            expect["fields"][f"steps[2].{path}"] = value
        expect["hides"] += [
            {"at": f"steps[{step}].views[{index}]", "cards": hidden(setup, letter)} for step in range(3)
        ]
    made.add(
        "of-a-replay",
        "Each step of a replay hides as much",
        "C142 C143",
        "ReplayGame",
        {
            "record": record,
            "step_detail": "STEP_DETAIL_VIEWS",
            "viewers": [viewer(letter) for letter in letters],
        },
        expect,
    )


def _requests(made: Section) -> None:
    setup = at("saharat_classic")
    base: dict[str, JSON] = {"game": "$game"}
    made.invalid("no-viewers", "Nobody looks", "", "ViewGame", base, "viewers MISSING", setup)
    twice = {**base, "viewers": ["VIEWER_NORTH", "VIEWER_NORTH"]}
    made.invalid("viewer-twice", "A viewer twice", "", "ViewGame", twice, "viewers[1] DUPLICATE", setup)
    odd = {**base, "viewers": ["VIEWER_NORTH", 6]}
    made.invalid("viewer-6", "No such viewer", "", "ViewGame", odd, "viewers[1] UNKNOWN_VALUE", setup)
    zero = {**base, "viewers": ["VIEWER_UNSPECIFIED"]}
    made.invalid("viewer-0", "No viewer", "C128", "ViewGame", zero, "viewers[0] UNKNOWN_VALUE", setup)
