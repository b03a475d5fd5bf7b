"""Games that lie, each with what has to be said of it.

A case is a sound game, what is changed in it, and the problems that must come back, in order.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tarneeb.v1 import game_pb2
from tarneeb_service.engine.rules import FirstCard, Revoke
from tarneeb_service.engine.state import State
from tarneeb_service.wire.game import encode_game
from tests.positions import EAST, NORTH, bidding, deal, make, name_trump, new_game, play_hand

# North has won the auction at 7 and led; West holds one spade, South none.
HANDS = (
    "SA SK SQ SJ ST S9 S8 H2 H3 D2 D3 C2 C3",
    "S2 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA D4",
    "D5 D6 D7 D8 D9 DT DJ DQ DK DA C4 C5 C6",
    "S3 S4 S5 S6 S7 C7 C8 C9 CT CJ CQ CK CA",
)
Spoil = Callable[[game_pb2.Game], object]


@cache
def sound(name: str) -> bytes:
    """A sound game by its name, as bytes, so that no case spoils it for another."""
    return encode_game(_state(name)).SerializeToString()


def _state(name: str) -> State:
    match name:
        case "waiting":
            return new_game("saharat_classic", EAST)
        case "auction":
            return bidding("saharat_classic", "0:7 1:P", EAST, HANDS)
        case "naming":
            return bidding("saharat_classic", "0:7 1:P 2:P 3:P", EAST, HANDS)
        case "play":
            state = name_trump(_state("naming"), 3)
            return make(state, "0:SA 1:S2 2:D5 3:S3 0:D2 1:D4")
        case "trump lead":
            state = new_game("saharat_classic", EAST, first_card=FirstCard.TRUMP)
            state = name_trump(make(deal(state, *HANDS), "0:7 1:P 2:P 3:P"), 3)
            return make(state, "0:H2")
        case "egyptian":
            state = bidding("jawaker_egyptian", "0:7H 1:P 2:P 3:X 0:P", EAST, HANDS)
            return make(state, "0:SA 1:S2")
        case "400":
            return make(bidding("saharat_400", "0:3 1:3 2:3 3:3", EAST, HANDS), "0:SA")
        case "sister":
            return deal(new_game("saharat_syrian_41", EAST), *HANDS, turned="C7")
        case "turned":
            return deal(new_game("cardgames_zone_turned_trump", EAST), *HANDS, turned="C7")
        case "forfeited":
            state = bidding("saharat_classic", "0:7 1:P 2:P 3:P", EAST, HANDS, revoke=Revoke.FORFEITS)
            return make(name_trump(state, 3), "0:SA 1:HA")
        case "scored":
            return play_hand(new_game("saharat_classic"), "1:7 2:P 3:P 0:P", [3, 4, 3, 3])
        case "scored 400":
            return play_hand(new_game("saharat_400"), "1:3 2:3 3:3 0:3", [3, 4, 3, 3])
        case "over":
            return play_hand(new_game("saharat_classic", NORTH, (40, 40)), "1:7 2:P 3:P 0:P", [3, 4, 3, 3])
    raise KeyError(name)


def put(path: str, value: Any) -> Spoil:
    """Set a field, or an item of a list, by its path from the game."""

    def change(game: game_pb2.Game) -> None:
        *way, last = path.replace("[", ".").replace("]", "").split(".")
        target: Any = game
        for step in way:
            target = target[int(step)] if step.isdigit() else getattr(target, step)
        if last.isdigit():
            target[int(last)] = value
        elif isinstance(value, list):
            target.ClearField(last)
            getattr(target, last).extend(value)
        else:
            setattr(target, last, value)

    return change


def drop(path: str) -> Spoil:
    """Unset a field by its path from the game."""

    def change(game: game_pb2.Game) -> None:
        *way, last = path.replace("[", ".").replace("]", "").split(".")
        target: Any = game
        for step in way:
            target = target[int(step)] if step.isdigit() else getattr(target, step)
        target.ClearField(last)

    return change


def all_of(*changes: Spoil) -> Spoil:
    def change(game: game_pb2.Game) -> None:
        for part in changes:
            part(game)

    return change


def add_call(seat: int, kind: int, tricks: int = 0, strain: int = 0) -> Spoil:
    def change(game: game_pb2.Game) -> None:
        call: Any = game.hand.calls.add()
        call.seat, call.kind, call.tricks, call.strain = seat, kind, tricks, strain

    return change


def case(name: str, spoil: Spoil, *problems: str, id: str) -> Any:  # noqa: A002  # as pytest calls it
    """One case; problems are written as ``hand.dealt[0].cards WRONG_COUNT``, paths from the game."""
    return pytest.param(name, spoil, list(problems), id=id)


def edit(path: str, change: Callable[[Any], object]) -> Spoil:
    """Do something to a message or list by its path from the game."""

    def spoil(game: game_pb2.Game) -> None:
        target: Any = game
        for step in path.replace("[", ".").replace("]", "").split("."):
            target = target[int(step)] if step.isdigit() else getattr(target, step)
        change(target)

    return spoil


SEAT_CASES = [
    case("play", put("seat_to_act", 2), "seat_to_act MISMATCH", id="wrong turn"),
    case("play", drop("seat_to_act"), "seat_to_act MISSING", id="no turn"),
    case("play", put("seat_to_act", 9), "seat_to_act UNKNOWN_VALUE", id="turn of nobody"),
    case("waiting", put("seat_to_act", 1), "seat_to_act UNEXPECTED", id="turn while a deal is due"),
    case("play", drop("dealer"), "dealer MISSING", id="no dealer"),
    case("play", put("dealer", 7), "dealer UNKNOWN_VALUE", id="unknown dealer"),
    case("waiting", put("dealer", 1), "dealer UNEXPECTED", id="dealer before the first deal"),
    case("waiting", drop("next_dealer"), "next_dealer MISSING", id="no next dealer"),
    case("waiting", put("next_dealer", 5), "next_dealer UNKNOWN_VALUE", id="unknown next dealer"),
    case("scored", put("next_dealer", 1), "next_dealer MISMATCH", id="wrong next dealer"),
    case("play", put("next_dealer", 1), "next_dealer UNEXPECTED", id="next dealer in play"),
    case("play", put("hand.opening_leader", 3), "hand.opening_leader MISMATCH", id="wrong leader"),
    case("play", drop("hand.opening_leader"), "hand.opening_leader MISSING", id="no leader"),
    case("auction", put("hand.opening_leader", 1), "hand.opening_leader UNEXPECTED", id="leader too early"),
    case("play", put("hand.trick_winners[0]", 2), "hand.trick_winners[0] MISMATCH", id="wrong winner"),
    case(
        "play", put("hand.trick_winners[0]", 77), "hand.trick_winners[0] UNKNOWN_VALUE", id="unknown winner"
    ),
    case("play", put("hand.trick_winners", []), "hand.trick_winners WRONG_COUNT", id="too few winners"),
    case("play", put("hand.trick_winners", [1, 1]), "hand.trick_winners WRONG_COUNT", id="too many winners"),
    case(
        "scored",
        edit("hand.trick_winners", lambda winners: winners.append(4)),
        "hand.trick_winners WRONG_COUNT",
        id="14 winners",
    ),
    case("over", put("seat_to_act", 1), "seat_to_act UNEXPECTED", id="turn after the end"),
]
SCORE_CASES = [
    case("play", put("scores", [0]), "scores WRONG_COUNT", id="one score"),
    case("play", put("scores", [0] * 4), "scores WRONG_COUNT", id="four scores of teams"),
    case("400", put("scores", [0, 0]), "scores WRONG_COUNT", id="two scores of players"),
    case("waiting", put("scores", [0, 0, 0]), "scores WRONG_COUNT", id="three scores before the first deal"),
    case("waiting", put("scores", [0, 2**31 - 1]), "scores[1] OUT_OF_RANGE", id="absurd score"),
    case("play", put("scores", [0, 1]), "scores[1] MISMATCH", id="wrong score"),
    case("scored", put("scores[1]", 40), "scores[1] MISMATCH", id="wrong score after a hand"),
    case("play", put("hand.scores_before", [0] * 3), "hand.scores_before WRONG_COUNT", id="three before"),
    case(
        "play",
        put("hand.scores_before", [-(2**31), 2**31 - 1]),
        "hand.scores_before[0] OUT_OF_RANGE",
        "hand.scores_before[1] OUT_OF_RANGE",
        id="absurd scores before",
    ),
    case(
        "scored",
        put("hand.result.lines[1].seat", 2),
        "hand.result.lines[1].team MISSING",
        id="line of a seat",
    ),
    case("scored", put("hand.result.end", 99), "hand.result.end UNKNOWN_VALUE", id="unknown end"),
    case("scored", put("hand.result.end", 0), "hand.result.end MISSING", id="no end"),
    case("scored", drop("hand.result"), "hand.result MISSING", id="no result"),
    case("play", put("hand.result.end", 1), "hand.result UNEXPECTED", id="result in play"),
    case("over", drop("outcome"), "outcome MISSING", id="no outcome"),
    case("play", put("outcome.winner", 1), "outcome UNEXPECTED", id="outcome in play"),
    case("over", put("phase", 1), "phase MISMATCH", id="won, and yet awaiting a deal"),
    case("play", put("phase", 2), "phase MISMATCH", id="wrong phase"),
    case("play", drop("phase"), "phase MISSING", id="no phase"),
    case("play", put("phase", 77), "phase UNKNOWN_VALUE", id="unknown phase"),
]
