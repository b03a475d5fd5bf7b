"""The oracle against recorded faults of other card-game code, sections A to C: play, auction, deal."""

import copy

import pytest

from tests.oracle.cards import DECK, following_cards, right_of, trick_winner
from tests.oracle.hands import any_deal, calls, new_game, play_hand
from tests.oracle.rule_sets import RULE_SETS


def numbers(moves: list[tuple[object, ...]]) -> list[object]:
    """Return legal calls in short: a bid as its number."""
    return [move[1] if move[0] == "bid" else move[0] for move in moves]


def test_c01_c02_following_suit() -> None:
    assert following_cards(["S2", "H3"], "S7") == ["S2"]
    assert following_cards(["S2", "D9"], "S5") == ["S2"]
    assert following_cards(["D9", "H3"], "S5") == ["D9", "H3"]


@pytest.mark.parametrize(
    ("trump", "leader", "cards", "winner"),
    [
        pytest.param("spades", 3, "C8 DT DQ HQ", 3, id="C04"),
        pytest.param("spades", 1, "C7 DA CK HA", 3, id="C05"),
        pytest.param("hearts", 0, "C5 DA C6 C2", 2, id="C07"),
        pytest.param("diamonds", 2, "H5 HK S2 H9", 3, id="C08"),
        pytest.param("hearts", 0, "C5 CK C6 C2", 1, id="C10"),
        pytest.param("hearts", 0, "S5 S9 S2 SK", 3, id="C16"),
        pytest.param("hearts", 0, "S5 H2 SA H3", 3, id="overruff"),
        pytest.param("no_trump", 0, "S5 H2 HA S3", 0, id="no trump"),
    ],
)
def test_trick_winner(trump: str, leader: int, cards: str, winner: int) -> None:
    assert trick_winner(leader, cards.split(), trump) == winner


def test_c10_winner_leads_the_next_trick() -> None:
    referee = new_game("saharat_400")
    any_deal(referee)
    calls(referee, "1:4 2:4 3:4 0:4")
    # West has all the hearts, which are trump.
    for seat, card in ((1, "H2"), (2, "D2"), (3, "C2"), (0, "S2")):
        referee.move(seat, ("card", card))
    assert (referee.trick_winners, referee.turn) == ([1], 1)
    # C14, C17: a card is played once, and the leader is bound by nothing.
    with pytest.raises(ValueError, match="may not"):
        referee.move(1, ("card", "H2"))
    assert len(referee.legal()) == 12


def test_c11_deck() -> None:
    assert len(set(DECK)) == 52
    assert sorted(card[0] for card in DECK if card[1] == "A") == ["C", "D", "H", "S"]


def test_c13_looking_changes_nothing() -> None:
    referee = new_game("jawaker_egyptian")
    any_deal(referee)
    before = copy.deepcopy(vars(referee))
    referee.legal().clear()
    assert vars(referee) == before


@pytest.mark.parametrize(
    ("text", "phase", "turn", "declarer_and_bid"),
    [
        pytest.param("1:P 2:P 3:P 0:7", "naming_trump", 0, (0, 7), id="C20"),
        pytest.param("1:7 2:P 3:8 0:P", "auction", 1, None, id="C22 open"),
        pytest.param("1:7 2:P 3:8 0:P 1:P", "naming_trump", 3, (3, 8), id="C22 over"),
        pytest.param("1:7 2:P 3:8 0:P 1:9", "auction", 3, None, id="C23"),
        pytest.param("1:13", "naming_trump", 1, (1, 13), id="C31"),
        pytest.param("1:7 2:P 3:8", "auction", 0, None, id="C38"),
    ],
)
def test_classic_auction(text: str, phase: str, turn: int, declarer_and_bid: tuple[int, int] | None) -> None:
    for name in ("saharat_classic", "jawaker_classic", "tarneeb_wikipedia"):
        referee = new_game(name)
        any_deal(referee)
        calls(referee, text)
        assert (referee.phase, referee.turn) == (phase, turn)
        assert (referee.contract[:2] if referee.contract else None) == declarer_and_bid


def test_c23_who_passed_may_not_come_back() -> None:
    referee = new_game("saharat_classic")
    any_deal(referee)
    calls(referee, "1:7 2:P 3:8 0:P 1:9")
    with pytest.raises(ValueError, match="turn"):
        calls(referee, "2:10")


@pytest.mark.parametrize("bid", [7, 9, 14, 6, 0, -1])
def test_c25_c26_c34_refused_bids_change_nothing(bid: int) -> None:
    referee = new_game("saharat_classic")
    any_deal(referee)
    calls(referee, "1:9")
    before = copy.deepcopy(vars(referee))
    with pytest.raises(ValueError, match="may not"):
        calls(referee, f"2:{bid}")
    assert vars(referee) == before


def test_c28_four_passes_void_the_hand() -> None:
    referee = new_game("saharat_classic", scores=[3, -2])
    for number in range(1000):
        dealer = number % 4
        any_deal(referee)
        assert (referee.dealer, referee.turn) == (dealer, right_of(dealer))
        for _ in range(4):
            assert referee.turn is not None
            referee.move(referee.turn, ("pass",))
        assert referee.result == {"end": "all_passed", "lines": [], "offender": None}
        assert (referee.contract, referee.trump, referee.scores) == (None, None, [3, -2])
        assert (referee.next_dealer, referee.hand_number) == (right_of(dealer), number + 1)


def test_c28_option_same_dealer() -> None:
    referee = new_game("saharat_classic", dealer_after_all_pass="same")
    any_deal(referee)
    calls(referee, "1:P 2:P 3:P 0:P")
    assert referee.next_dealer == 0


@pytest.mark.parametrize("name", ["saharat_classic", "cardgames_zone"])
def test_c29_option_last_must_bid(name: str) -> None:
    referee = new_game(name, all_pass="last_must_bid")
    any_deal(referee)
    calls(referee, "1:P 2:P 3:P")
    assert numbers(referee.legal()) == [7, 8, 9, 10, 11, 12, 13]


def test_c31_egyptian_thirteen_stays_open() -> None:
    referee = new_game("jawaker_egyptian")
    any_deal(referee)
    calls(referee, "1:13S")
    assert referee.legal() == [("bid", 13, "no_trump"), ("pass",), ("double",)]


def test_c32_bids_start_again_with_each_hand() -> None:
    referee, other = new_game("saharat_classic"), new_game("saharat_classic")
    play_hand(referee, "1:10 2:P 3:P 0:P", [3, 5, 0, 5])
    any_deal(other)
    any_deal(referee)
    for game in (referee, other):
        assert numbers(game.legal()) == [7, 8, 9, 10, 11, 12, 13, "pass"]


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        pytest.param("1:7S 2:X 3:P 0:P 1:P", (1, 7, "spades", True), id="C35a"),
        pytest.param("1:7S 2:X 3:8H 0:P 1:P 2:P 3:P", (3, 8, "hearts", False), id="C35b"),
        pytest.param("1:7S 2:X 3:P 0:P 1:8S 2:P 3:P 0:P 1:P", (1, 8, "spades", True), id="C35c"),
        # The doubled player wins after all, with another bid.
        pytest.param("1:7S 2:X 3:8H 0:P 1:9S 2:P 3:P 0:P 1:P", (1, 9, "spades", True), id="comeback"),
        pytest.param("1:7C 2:X 3:7D 0:P 1:8C 2:P 3:P 0:P 1:P", (1, 8, "clubs", True), id="002 by the letter"),
        # Doubled both, and the second of them wins.
        pytest.param("1:7C 2:X 3:7D 0:X 1:8C 2:P 3:8D 0:P 1:P 2:P 3:P", (3, 8, "diamonds", True), id="both"),
    ],
)
def test_egyptian_doubles(text: str, contract: tuple[int, int, str, bool]) -> None:
    referee = new_game("jawaker_egyptian")
    any_deal(referee)
    calls(referee, text)
    assert (referee.phase, referee.turn) == ("play", contract[0])
    assert (referee.contract, referee.trump) == (contract, contract[2])


def test_c35c_option_raised_double_gone() -> None:
    referee = new_game("jawaker_egyptian", raised_double="gone")
    any_deal(referee)
    calls(referee, "1:7S 2:X 3:P 0:P 1:8S")
    assert ("double",) in referee.legal()
    calls(referee, "2:P 3:P 0:P 1:P")
    assert referee.contract == (1, 8, "spades", False)


@pytest.mark.parametrize("option", ["stays", "gone"])
def test_options_where_a_double_does_not_return(option: str) -> None:
    referee = new_game("jawaker_egyptian", raised_double=option)
    any_deal(referee)
    calls(referee, "1:7S 2:X 3:8H 0:P 1:9S")
    assert ("double",) in referee.legal()
    calls(referee, "2:P 3:P 0:P 1:P")
    assert referee.contract == (1, 9, "spades", False)


def test_nobody_is_doubled_twice_when_the_double_returns() -> None:
    referee = new_game("jawaker_egyptian")
    any_deal(referee)
    calls(referee, "1:7S 2:X 3:8H")
    assert ("double",) in referee.legal()
    calls(referee, "0:P 1:9S")
    assert ("double",) not in referee.legal()


def test_who_may_double() -> None:
    for doubling, may in (("anyone", [True, True, True]), ("opponents", [True, False, True])):
        for passes in range(3):
            referee = new_game("jawaker_egyptian", doubling=doubling)
            any_deal(referee)
            assert ("double",) not in referee.legal()
            calls(referee, " ".join(["1:7S", "2:P", "3:P"][: passes + 1]))
            assert (("double",) in referee.legal()) is may[passes]
    referee = new_game("jawaker_egyptian")
    any_deal(referee)
    calls(referee, "1:7S 2:X")
    assert ("double",) not in referee.legal()
    calls(referee, "3:P 0:P")
    assert ("double",) not in referee.legal()


def test_doubler_is_out_under_final_passing() -> None:
    referee = new_game("saharat_classic", doubling="anyone")
    any_deal(referee)
    calls(referee, "1:7 2:X 3:8 0:P 1:9")
    assert referee.turn == 3


def test_c37_highest_bidder_is_asked_once_more() -> None:
    referee = new_game("jawaker_egyptian")
    any_deal(referee)
    calls(referee, "1:7S 2:P 3:P 0:P")
    assert (referee.phase, referee.turn) == ("auction", 1)
    calls(referee, "1:8S 2:P 3:P 0:P")
    assert referee.phase == "auction"
    calls(referee, "1:P")
    assert referee.contract == (1, 8, "spades", False)


def test_egyptian_four_passes_are_void() -> None:
    referee = new_game("jawaker_egyptian")
    any_deal(referee)
    calls(referee, "1:P 2:P 3:P 0:P")
    assert (referee.phase, referee.next_dealer) == ("awaiting_deal", 1)


def test_c40_one_call_each() -> None:
    referee = new_game("cardgames_zone")
    any_deal(referee)
    calls(referee, "1:7 2:P 3:8 0:9")
    assert (referee.phase, referee.turn, referee.contract) == ("naming_trump", 0, (0, 9, None, False))


@pytest.mark.parametrize(
    ("first", "dealers", "first_bidders"),
    [
        pytest.param(0, [0, 1, 2, 3], [1, 2, 3, 0], id="C41"),
        pytest.param(2, [2, 3, 0, 1], [3, 0, 1, 2], id="C43"),
    ],
)
def test_dealers_rotate(first: int, dealers: list[int], first_bidders: list[int]) -> None:
    referee = new_game("saharat_classic", dealer=first)
    for dealer, bidder in zip(dealers, first_bidders, strict=True):
        assert referee.next_dealer == dealer
        others = [right_of(bidder), right_of(right_of(bidder)), dealer]
        play_hand(referee, f"{bidder}:7 " + " ".join(f"{seat}:P" for seat in others), [4, 3, 3, 3])
        assert referee.dealer == dealer


def test_c44_first_bidder_and_leader() -> None:
    referee = new_game("saharat_syrian_41", dealer=2)
    any_deal(referee)
    assert referee.turn == 3
    calls(referee, "3:4 0:4 1:4 2:4")
    assert referee.opening_leader == 3


def test_c46_compass() -> None:
    north, west, south, east = range(4)
    assert [right_of(west), right_of(south), right_of(east)] == [south, east, north]


@pytest.mark.parametrize(
    ("name", "dealer", "bidder"), [("saharat_syrian_41", 0, 1), ("saharat_400", 0, 1), ("mulouk_41", 3, 0)]
)
def test_c49_c50_low_total(name: str, dealer: int, bidder: int) -> None:
    referee = new_game(name, dealer=3)
    any_deal(referee)
    calls(referee, "0:2 1:3 2:2 3:3")
    assert (referee.phase, referee.next_dealer) == ("awaiting_deal", dealer)
    any_deal(referee)
    assert (referee.turn, referee.calls, referee.hand_number) == (bidder, [], 2)


# The turned card decides, whatever place it has in the hand (C55, C56).
@pytest.mark.parametrize(
    ("turned", "trump"), [("D7", "hearts"), ("S4", "clubs"), ("H2", "diamonds"), ("C9", "spades")]
)
def test_c55_c56_sister_suit(turned: str, trump: str) -> None:
    rest = [card for card in DECK if card not in (turned, "SK")]
    referee = new_game("saharat_syrian_41")
    referee.deal([[*rest[:11], turned, "SK"], rest[11:24], rest[24:37], rest[37:]], turned)
    assert referee.trump == trump


def test_wrong_deals_are_refused() -> None:
    rest = [card for card in DECK if card != "D7"]
    hands = [rest[:13], rest[13:26], rest[26:39], [*rest[39:], "D7"]]
    for name, turned in (("saharat_classic", "D7"), ("saharat_syrian_41", None), ("saharat_syrian_41", "D7")):
        with pytest.raises(ValueError, match="turn"):
            new_game(name).deal(hands, turned)
    with pytest.raises(ValueError, match="thirteen"):
        new_game("saharat_classic").deal([*hands[:3], hands[3][:12]], None)
    with pytest.raises(ValueError, match="once"):
        new_game("saharat_classic").deal([hands[0], hands[0], hands[2], hands[3]], None)


# C71, C76, C127, C134: no call in the wrong phase, and no pass without an auction to pass in.
@pytest.mark.parametrize("name", ["saharat_400", "saharat_syrian_41", "mulouk_41"])
def test_c71_c76_individual_calls(name: str) -> None:
    referee = new_game(name)
    any_deal(referee)
    for move in (("pass",), ("double",), ("trump", "hearts"), ("card", "H2")):
        with pytest.raises(ValueError, match="may not"):
            referee.move(1, move)
    calls(referee, "1:5 2:2")


@pytest.mark.parametrize(
    ("score", "lowest"), [(-3, 2), (0, 2), (10, 2), (29, 2), (30, 3), (40, 4), (50, 5), (67, 5)]
)
def test_c73_c74_own_minimum(score: int, lowest: int) -> None:
    referee = new_game("saharat_400", scores=[0, score, 0, 0])
    any_deal(referee)
    assert numbers(referee.legal()) == list(range(lowest, 14))


@pytest.mark.parametrize(("best", "phase"), [(31, "awaiting_deal"), (29, "play")])
def test_c77_total_by_highest_score(best: int, phase: str) -> None:
    referee = new_game("saharat_400", dealer=3, scores=[best, 0, 0, 0])
    any_deal(referee)
    calls(referee, "0:3 1:3 2:3 3:2")
    assert referee.phase == phase


def test_rule_sets_are_not_changed_by_play() -> None:
    before = copy.deepcopy(RULE_SETS)
    referee = new_game("saharat_400")
    play_hand(referee, "1:3 2:3 3:3 0:3", [4, 3, 3, 3])
    assert before == RULE_SETS


def test_switches_that_no_rule_set_uses() -> None:
    referee = new_game("saharat_classic", barred_bids=[8], trump="fixed", fixed_trump="spades")
    any_deal(referee)
    assert numbers(referee.legal()) == [7, 9, 10, 11, 12, 13, "pass"]
    calls(referee, "1:7 2:P 3:P 0:P")
    assert (referee.phase, referee.turn, referee.trump) == ("play", 1, "spades")

    referee = new_game("mulouk_41", opening_lead="dealer")
    any_deal(referee)
    calls(referee, "1:3 2:3 3:3 0:3")
    assert referee.turn == 0
