"""Requests that can't be judged, apart from their games: moves, deals, choices of rules, scores."""

from collections.abc import Callable
from typing import Any

import pytest

from tarneeb.v1 import game_pb2, records_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import shuffle
from tarneeb_service.engine.cards import DECK
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.state import LAST_NUMBER
from tarneeb_service.rpc import methods
from tarneeb_service.wire.game import encode_game
from tests.positions import NORTH, cards, new_game, play_hand
from tests.rpc.bad_games import HANDS, sound
from tests.rpc.checks import assert_names_no_card
from tests.rpc.samples import SEED, choice

Fields = dict[str, Any]
DECK_CARDS = list(DECK)


def refusal(method: Callable[[Any], Any], request: Any) -> list[str]:
    with pytest.raises(ProblemsError) as caught:
        method(request)
    for problem in caught.value.problems:
        assert_names_no_card(problem.message)
    return [f"{problem.path} {problem.reason.name}" for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        pytest.param({}, ["move.seat MISSING", "move MISSING"], id="nothing"),
        pytest.param({"seat": 1}, ["move MISSING"], id="no action"),
        pytest.param({"card": 78}, ["move.seat MISSING"], id="no seat"),
        pytest.param({"seat": 5, "card": 78}, ["move.seat UNKNOWN_VALUE"], id="unknown seat"),
        pytest.param({"seat": -1, "card": 78}, ["move.seat UNKNOWN_VALUE"], id="negative seat"),
        pytest.param({"seat": 1, "card": 0}, ["move.card UNKNOWN_VALUE"], id="no card"),
        pytest.param({"seat": 1, "card": 33}, ["move.card UNKNOWN_VALUE"], id="unknown card"),
        pytest.param({"seat": 1, "trump": 0}, ["move.trump UNKNOWN_VALUE"], id="no trump named"),
        pytest.param({"seat": 1, "trump": 6}, ["move.trump UNKNOWN_VALUE"], id="unknown trump"),
        pytest.param({"seat": 1, "call": {}}, ["move.call.kind MISSING"], id="no kind"),
        pytest.param({"seat": 1, "call": {"kind": 4}}, ["move.call.kind UNKNOWN_VALUE"], id="unknown kind"),
        pytest.param({"seat": 1, "call": {"kind": 1}}, ["move.call.tricks MISSING"], id="bid of nothing"),
        pytest.param(
            {"seat": 1, "call": {"kind": 1, "tricks": 7, "strain": 6}},
            ["move.call.strain UNKNOWN_VALUE"],
            id="unknown strain",
        ),
        pytest.param(
            {"seat": 1, "call": {"kind": 2, "tricks": 7}}, ["move.call UNEXPECTED"], id="pass of seven"
        ),
        pytest.param(
            {"seat": 1, "call": {"kind": 3, "strain": 1}}, ["move.call UNEXPECTED"], id="double in clubs"
        ),
        pytest.param(
            {"seat": 9, "call": {"kind": 1, "strain": 9}},
            ["move.seat UNKNOWN_VALUE", "move.call.strain UNKNOWN_VALUE", "move.call.tricks MISSING"],
            id="all at once",
        ),
    ],
)
def test_moves(move: Fields, expected: list[str]) -> None:
    for kind, method in (
        (pb.ValidateMoveRequest, methods.validate_move),
        (pb.ApplyMoveRequest, methods.apply_move),
    ):
        request: Any = kind()
        request.game.ParseFromString(sound("play"))
        fill(request.move, move)
        request.move.SetInParent()
        assert refusal(method, request) == expected
        # With a lying game both are named.
        request.game.seat_to_act = 1
        assert refusal(method, request) == ["game.seat_to_act MISMATCH", *expected]
        request.ClearField("game")
        assert refusal(method, request) == ["game MISSING", *expected]
        request.ClearField("move")
        assert refusal(method, request) == ["game MISSING", "move MISSING"]


def fill(message: Any, fields: Fields) -> None:
    for name, value in fields.items():
        if isinstance(value, dict):
            getattr(message, name).SetInParent()
            fill(getattr(message, name), value)
        else:
            setattr(message, name, value)


def hands(*texts: str, turned: int = 0) -> Fields:
    dealt: Any = [{"cards": list(cards(text))} for text in texts or HANDS]
    return {"hands": records_pb2.DealtHands(hands=dealt, turned_card=turned)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("preset", "deal", "expected"),
    [
        pytest.param("saharat_classic", {}, ["deal MISSING"], id="no source"),
        pytest.param(
            "saharat_classic", {"deck": {"cards": DECK_CARDS[:51]}}, ["deal.deck.cards WRONG_COUNT"], id="51"
        ),
        pytest.param("saharat_classic", {"deck": {}}, ["deal.deck.cards WRONG_COUNT"], id="empty deck"),
        pytest.param(
            "saharat_classic",
            {"deck": {"cards": [*DECK_CARDS, 18]}},
            ["deal.deck.cards WRONG_COUNT"],
            id="53",
        ),
        pytest.param(
            "saharat_classic",
            {"deck": {"cards": [18] * 100_000}},
            ["deal.deck.cards WRONG_COUNT"],
            id="absurd",
        ),
        pytest.param(
            "saharat_classic",
            {"deck": {"cards": [0, *DECK_CARDS[1:50], 20, 99]}},
            [
                "deal.deck.cards[0] UNKNOWN_VALUE",
                "deal.deck.cards[50] DUPLICATE",
                "deal.deck.cards[51] UNKNOWN_VALUE",
            ],
            id="unknown and doubled cards",
        ),
        pytest.param("saharat_classic", {"seeded": {}}, ["deal.seeded.seed MISSING"], id="no seed"),
        pytest.param(
            "saharat_classic",
            {"seeded": {"seed": b"s" * 15}},
            ["deal.seeded.seed OUT_OF_RANGE"],
            id="short seed",
        ),
        pytest.param(
            "saharat_classic",
            {"seeded": {"seed": b"s" * 65, "cut": b"c" * 65, "commitment": b"short"}},
            [
                "deal.seeded.seed OUT_OF_RANGE",
                "deal.seeded.cut OUT_OF_RANGE",
                "deal.seeded.commitment OUT_OF_RANGE",
            ],
            id="everything too long or short",
        ),
        pytest.param(
            "saharat_classic",
            {"seeded": {"seed": SEED, "commitment": b"x" * 32}},
            ["deal.seeded.commitment COMMITMENT"],
            id="another seed's commitment",
        ),
        pytest.param(
            "saharat_classic", hands(*HANDS[:3]), ["deal.hands.hands WRONG_COUNT"], id="three hands"
        ),
        pytest.param(
            "saharat_classic",
            hands(HANDS[0][3:], *HANDS[1:]),
            ["deal.hands.hands[0].cards WRONG_COUNT"],
            id="twelve cards",
        ),
        pytest.param(
            "saharat_classic",
            hands("S3" + HANDS[0][2:], *HANDS[1:]),
            ["deal.hands.hands[3].cards[0] DUPLICATE"],
            id="dealt twice",
        ),
        pytest.param(
            "saharat_classic",
            hands(turned=18),
            ["deal.hands.turned_card UNEXPECTED"],
            id="nothing is turned here",
        ),
        pytest.param("mulouk_41", hands(), ["deal.hands.turned_card MISSING"], id="nothing turned"),
        pytest.param(
            "mulouk_41", hands(turned=99), ["deal.hands.turned_card UNKNOWN_VALUE"], id="unknown turned"
        ),
        pytest.param(
            "mulouk_41", hands(turned=67), ["deal.hands.turned_card NOT_DEALT"], id="not the dealer's"
        ),
    ],
)
def test_deals(preset: str, deal: Fields, expected: list[str]) -> None:
    request = pb.DealHandRequest(game=encode_game(new_game(preset)), deal=records_pb2.Deal(**deal))
    assert refusal(methods.deal_hand, request) == expected


def test_no_deal_and_no_cut() -> None:
    game = encode_game(new_game("saharat_classic"))
    assert refusal(methods.deal_hand, pb.DealHandRequest(game=game)) == ["deal MISSING"]
    game.rules.cut = rules_pb2.CUT_REQUIRED
    deal = records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED))
    request = pb.DealHandRequest(game=game, deal=deal)
    assert refusal(methods.deal_hand, request) == [
        "deal.seeded.cut MISSING",
        "deal.seeded.commitment MISSING",
    ]
    # A cut without a commitment could be followed by the seed.
    request.deal.seeded.cut = b"c"
    assert refusal(methods.deal_hand, request) == ["deal.seeded.commitment MISSING"]
    request.deal.seeded.commitment = shuffle.commitment(SEED, game.id, 1)
    assert methods.deal_hand(request).game.hand_number == 1


def test_no_step_leads_past_the_last_number() -> None:
    game = game_pb2.Game.FromString(sound("scored"))
    deal = records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED))
    game.hand_number = LAST_NUMBER
    request = pb.DealHandRequest(game=game, deal=deal)
    assert refusal(methods.deal_hand, request) == ["game.hand_number OUT_OF_RANGE"]
    game.hand_number, game.revision = 1, LAST_NUMBER
    assert refusal(methods.deal_hand, pb.DealHandRequest(game=game, deal=deal)) == [
        "game.revision OUT_OF_RANGE"
    ]
    game.revision -= 1
    assert methods.deal_hand(pb.DealHandRequest(game=game, deal=deal)).game.revision == LAST_NUMBER
    failed = play_hand(new_game("saharat_classic", NORTH, (0, -(10**9))), "1:8 2:P 3:P 0:P", [3, 4, 3, 3])
    request = pb.DealHandRequest(game=encode_game(failed), deal=deal)
    assert refusal(methods.deal_hand, request) == ["game.scores[1] OUT_OF_RANGE"]
    game = game_pb2.Game.FromString(sound("play"))
    game.revision = LAST_NUMBER
    move = methods.list_legal_moves(pb.ListLegalMovesRequest(game=game)).moves[0]
    for method, kind in (
        (methods.validate_move, pb.ValidateMoveRequest),
        (methods.apply_move, pb.ApplyMoveRequest),
    ):
        assert refusal(method, kind(game=game, move=move)) == ["game.revision OUT_OF_RANGE"]
    game.revision -= 1
    assert methods.apply_move(pb.ApplyMoveRequest(game=game, move=move)).game.revision == LAST_NUMBER


@pytest.mark.parametrize("name", ["auction", "naming", "play", "over"])
def test_a_deal_that_is_not_due(name: str) -> None:
    game = game_pb2.Game.FromString(sound(name))
    deal = records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED))
    assert refusal(methods.deal_hand, pb.DealHandRequest(game=game, deal=deal)) == ["game.phase WRONG_PHASE"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({}, ["id MISSING", "first_dealer MISSING", "rule_set MISSING"], id="nothing"),
        pytest.param(
            {"id": "g", "rule_set": choice(), "first_dealer": 0},
            ["first_dealer MISSING"],
            id="unspecified dealer",
        ),
        pytest.param(
            {"id": "g", "rule_set": choice(), "first_dealer": 5},
            ["first_dealer UNKNOWN_VALUE"],
            id="unknown dealer",
        ),
        pytest.param(
            {"id": "g", "rule_set": choice(), "first_dealer_seed": b""},
            ["first_dealer_seed MISSING"],
            id="no seed",
        ),
        pytest.param(
            {"id": "g", "rule_set": choice(), "first_dealer_seed": b"s" * 15},
            ["first_dealer_seed OUT_OF_RANGE"],
            id="short seed",
        ),
        pytest.param(
            {"id": "x" * 70_000, "rule_set": choice(), "first_dealer_seed": b"s" * 70_000},
            ["id OUT_OF_RANGE", "first_dealer_seed OUT_OF_RANGE"],
            id="endless id and seed",
        ),
        pytest.param(
            {"id": "a\x00b", "rule_set": choice("nobody's"), "first_dealer": 1},
            ["id OUT_OF_RANGE", "rule_set.preset_id UNKNOWN_PRESET"],
            id="unknown preset",
        ),
        pytest.param(
            {"id": "g", "rule_set": choice(""), "first_dealer": 1},
            ["rule_set.preset_id MISSING"],
            id="no preset",
        ),
        pytest.param(
            {"id": "g", "rule_set": choice("mulouk_41", target=31), "first_dealer": 1},
            ["rule_set.overrides.target LOCKED"],
            id="locked",
        ),
        pytest.param(
            {"id": "g", "rule_set": choice(maximum_bid=2**32 - 1), "first_dealer": 1},
            ["rule_set.overrides.maximum_bid OUT_OF_RANGE"],
            id="absurd bid",
        ),
        pytest.param(
            {"id": "g", "rule_set": choice(revoke=9, trump=-2), "first_dealer": 1},
            ["rule_set.overrides.trump UNKNOWN_VALUE", "rule_set.overrides.revoke UNKNOWN_VALUE"],
            id="unknown enum numbers",
        ),
        pytest.param(
            {"id": "g", "rule_set": choice(), "first_dealer": 1, "viewers": [1, 0, 6, 1]},
            ["viewers[1] UNKNOWN_VALUE", "viewers[2] UNKNOWN_VALUE", "viewers[3] DUPLICATE"],
            id="viewers",
        ),
    ],
)
def test_create_game(fields: Fields, expected: list[str]) -> None:
    assert refusal(methods.create_game, pb.CreateGameRequest(**fields)) == expected


def score(preset: str = "saharat_classic", **fields: Any) -> Fields:
    sound_one: Fields = {"scores": [0, 0], "contract": {"declarer": 1, "tricks": 8}, "tricks": [9, 4]}
    if preset == "saharat_400":
        sound_one = {"scores": [0, 0, 0, 0], "bids": [3, 3, 3, 3], "tricks": [3, 3, 3, 4]}
    return {"rule_set": choice(preset), **sound_one, **fields}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({}, ["rule_set MISSING"], id="nothing"),
        # C67: tricks are whole, not negative (there is no such number on the wire) and 13 in all.
        pytest.param(score(tricks=[9, 5]), ["tricks OUT_OF_RANGE"], id="C67 fourteen"),
        pytest.param(score(tricks=[6, 6]), ["tricks OUT_OF_RANGE"], id="C67 twelve"),
        pytest.param(score(tricks=[2**32 - 1, 14]), ["tricks OUT_OF_RANGE"], id="C67 absurd"),
        pytest.param(score("saharat_400", tricks=[3, 3, 3, 5]), ["tricks OUT_OF_RANGE"], id="C67 seats"),
        pytest.param(score(tricks=[13]), ["tricks WRONG_COUNT"], id="one count"),
        pytest.param(score(tricks=[]), ["tricks WRONG_COUNT"], id="no counts"),
        pytest.param(score(scores=[0]), ["scores WRONG_COUNT"], id="one score"),
        pytest.param(score("saharat_400", scores=[0, 0]), ["scores WRONG_COUNT"], id="scores of teams"),
        pytest.param(score(scores=[0, 2**31 - 1]), ["scores[1] OUT_OF_RANGE"], id="absurd score"),
        pytest.param(score(contract=None), ["contract MISSING"], id="no contract"),
        pytest.param(
            score(contract={"declarer": 0, "tricks": 6, "strain": 3, "doubled": True}),
            [
                "contract.declarer MISSING",
                "contract.tricks OUT_OF_RANGE",
                "contract.strain UNEXPECTED",
                "contract.doubled UNEXPECTED",
            ],
            id="everything in a contract",
        ),
        pytest.param(
            score("jawaker_egyptian", contract={"declarer": 5, "tricks": 7, "strain": 9}),
            ["contract.declarer UNKNOWN_VALUE", "contract.strain UNKNOWN_VALUE"],
            id="unknown numbers in a contract",
        ),
        pytest.param(score(bids=[7]), ["bids UNEXPECTED"], id="bids of nobody"),
        pytest.param(score("saharat_400", bids=[3]), ["bids WRONG_COUNT"], id="one bid"),
        pytest.param(
            score("saharat_400", bids=[1, 3, 14, 6]),
            ["bids[0] OUT_OF_RANGE", "bids[2] OUT_OF_RANGE"],
            id="no bids",
        ),
        pytest.param(
            score("saharat_400", scores=[0, 0, 0, 30], bids=[4, 4, 4, 2]),
            ["bids[3] OUT_OF_RANGE"],
            id="own minimum",
        ),
        pytest.param(
            score("saharat_400", contract={"declarer": 1}), ["contract UNEXPECTED"], id="contract of nobody"
        ),
        pytest.param(
            score("saharat_400", bids=[2, 2, 2, 2]), ["tricks UNEXPECTED"], id="tricks of a void hand"
        ),
        # C67, R2: who revokes has two cards left, and that trick is not his.
        pytest.param(
            score(rule_set=choice(revoke=2), offender=1, tricks=[12, 1]),
            ["tricks[0] OUT_OF_RANGE"],
            id="C67 twelve before a revoke",
        ),
        pytest.param(
            score("saharat_400", rule_set=choice("saharat_400", revoke=2), offender=1, tricks=[12, 0, 0, 0]),
            ["tricks OUT_OF_RANGE"],
            id="C67 twelve of four before a revoke",
        ),
        pytest.param(
            score("saharat_400", rule_set=choice("saharat_400", revoke=2), tricks=[3, 3, 3, 2]),
            ["tricks OUT_OF_RANGE"],
            id="C67 eleven and no revoke",
        ),
        pytest.param(score(offender=1), ["offender UNEXPECTED"], id="no revoke forfeits here"),
        pytest.param(
            score(rule_set=choice(revoke=2), offender=9), ["offender UNKNOWN_VALUE"], id="unknown offender"
        ),
    ],
)
def test_score_hand(fields: Fields, expected: list[str]) -> None:
    assert refusal(methods.score_hand, pb.ScoreHandRequest(**fields)) == expected


def test_a_mulouk_six_can_not_be_scored() -> None:
    request = pb.ScoreHandRequest(
        rule_set=choice("mulouk_41"), scores=[0] * 4, bids=[6, 2, 2, 2], tricks=[4, 3, 3, 3]
    )
    assert refusal(methods.score_hand, request) == ["bids[0] OUT_OF_RANGE"]


def test_a_missing_game_is_named_by_every_method_that_takes_one() -> None:
    for method, request in (
        (methods.list_legal_moves, pb.ListLegalMovesRequest()),
        (methods.deal_hand, pb.DealHandRequest()),
        (methods.validate_game, pb.ValidateGameRequest()),
        (methods.view_game, pb.ViewGameRequest()),
    ):
        assert refusal(method, request) == ["game MISSING"]
