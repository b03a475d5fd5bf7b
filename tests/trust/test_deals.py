"""Deals from seeds: reproducible from the page that describes them, bound to their hand, and fair."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb.v1 import cards_pb2, moves_pb2, records_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import deals, game, shuffle
from tarneeb_service.engine.cards import CARD_TEXT, DECK
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.problems import ProblemReason, ProblemsError
from tarneeb_service.engine.rules import DealOrder
from tarneeb_service.engine.seats import SEAT_NAMES
from tarneeb_service.engine.state import AwaitingDeal, Header
from tarneeb_service.rpc import methods
from tarneeb_service.wire.cards import encode_card
from tarneeb_service.wire.game import encode_game

PAGE = (Path(__file__).parents[2] / "docs" / "fair-deals.md").read_text("utf-8")
SEED = bytes(range(16))
DEALS = 20_000


# An implementation from the page alone: it shares nothing with the engine.


def page_hash(purpose: str, *parts: bytes) -> bytes:
    data = b""
    for part in (purpose.encode("ascii"), *parts):
        data += bytes(divmod(len(part), 256)) + part
    return sha256(data).digest()


def page_stream(key: bytes) -> Iterator[int]:
    number = 0
    while True:
        yield from sha256(key + number.to_bytes(4, "big")).digest()
        number += 1


def page_deck(seed: bytes, cut: bytes, game_id: str, hand: int) -> list[str]:
    key = page_hash("tarneeb.deal.v1", seed, cut, game_id.encode("utf-8"), hand.to_bytes(4, "big"))
    stream = page_stream(key)
    deck = [suit + rank for suit in "CDHS" for rank in "23456789TJQKA"]
    for last in range(51, 0, -1):
        n = last + 1
        byte = next(byte for byte in stream if byte < 256 - 256 % n)
        deck[last], deck[byte % n] = deck[byte % n], deck[last]
    return deck


def vectors() -> list[dict[str, str]]:
    (block,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [
        dict(line.split(" ", 1) for line in vector.splitlines()) for vector in block.strip().split("\n\n")
    ]


def unhex(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


@pytest.mark.parametrize("vector", vectors())
def test_the_page_the_engine_and_a_stranger_agree(vector: dict[str, str]) -> None:
    seed, cut, game_id, hand = (
        unhex(vector["seed"]),
        unhex(vector["cut"]),
        vector["game"],
        int(vector["hand"]),
    )
    assert vector["deck"].split() == page_deck(seed, cut, game_id, hand)
    assert vector["deck"].split() == [
        CARD_TEXT[card] for card in shuffle.shuffled_deck(seed, cut, game_id, hand)
    ]
    number = hand.to_bytes(4, "big")
    committed = page_hash("tarneeb.commit.v1", seed, game_id.encode(), number)
    assert vector["commitment"] == committed.hex() == shuffle.commitment(seed, game_id, hand).hex()
    dealer = page_hash("tarneeb.dealer.v1", seed, game_id.encode())[0] % 4
    assert vector["dealer"] == SEAT_NAMES[dealer] == SEAT_NAMES[shuffle.first_dealer(seed, game_id)]


def test_the_bytes_that_the_page_spells_out() -> None:
    (block,) = re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    data = bytes.fromhex("".join("".join(line.split()[:2]) for line in block.splitlines()))
    assert len(data) == 48
    assert f"these {len(data)} bytes" in PAGE
    first = vectors()[0]
    assert (first["seed"], first["game"], first["hand"]) == (SEED.hex(), "g-1", "1")
    assert sha256(data).hexdigest() == first["commitment"]


def test_a_game_id_is_hashed_as_it_is_sent() -> None:
    composed, decomposed = "\u00e9", "e\u0301"
    assert shuffle.commitment(SEED, composed, 1) != shuffle.commitment(SEED, decomposed, 1)
    assert shuffle.shuffled_deck(SEED, b"", composed, 1) != shuffle.shuffled_deck(SEED, b"", decomposed, 1)


def test_a_first_dealer_is_committed_to_and_checked() -> None:
    """The page's hand 0 is none, so the commitment can't be one of a deal."""
    assert page_hash("tarneeb.commit.v1", SEED, b"g-1", bytes(4)) == commit(hand=0)
    assert commit(hand=0) != commit(hand=1)
    with pytest.raises(ProblemsError, match="hand_number: is required"):
        methods.commit_deal(pb.CommitDealRequest(game_id="g-1", seed=SEED))
    game_of = methods.create_game(
        pb.CreateGameRequest(
            id="g-1",
            rule_set=rules_pb2.RuleSetChoice(preset_id="saharat_400"),
            first_dealer_seed=SEED + b"a player's own",
        )
    ).game
    dealer = page_hash("tarneeb.dealer.v1", SEED + b"a player's own", b"g-1")[0] % 4
    assert game_of.next_dealer == dealer + 1
    assert SEED not in game_of.SerializeToString()


@given(
    st.binary(min_size=16, max_size=64), st.binary(max_size=64), st.text("aبÄ-9", min_size=1), st.integers(1)
)
def test_any_seed_gives_a_whole_deck_and_the_strangers(
    seed: bytes, cut: bytes, game_id: str, hand: int
) -> None:
    hand %= 2**31
    deck = shuffle.shuffled_deck(seed, cut, game_id, hand)
    assert sorted(deck) == sorted(DECK)
    assert [CARD_TEXT[card] for card in deck] == page_deck(seed, cut, game_id, hand)


def test_parts_can_not_run_into_each_other() -> None:
    """Moving a byte from the seed to the cut, or from the cut to the id, is another deal."""
    decks = {
        shuffle.shuffled_deck(SEED + b"ab", b"c", "d", 1),
        shuffle.shuffled_deck(SEED + b"a", b"bc", "d", 1),
        shuffle.shuffled_deck(SEED + b"ab", b"", "cd", 1),
        shuffle.shuffled_deck(SEED + b"ab", b"c", "d", 256),
    }
    assert len(decks) == 4


def test_every_place_is_drawn_from_a_multiple_of_its_choices() -> None:
    """Rejection leaves no bias: of the accepted bytes each remainder occurs equally often."""
    for n in range(2, 53):
        counts = Counter(byte % n for byte in range(256 - 256 % n))
        assert len(counts) == n
        assert len(set(counts.values())) == 1


def test_cards_and_places_are_independent_by_chi_square() -> None:
    """C55: 52 × 52 counts, 2,601 degrees of freedom; the bound is mean + 5 deviations, p < 1e-6."""
    places: Counter[tuple[int, int]] = Counter()
    turned: Counter[int] = Counter()
    for number in range(DEALS):
        deck = shuffle.shuffled_deck(number.to_bytes(16, "big"), b"", "chi", 1)
        places.update(enumerate(deck))
        turned[deck[-1] >> 4] += 1
    expected = DEALS / 52
    statistic = sum((places[place, card] - expected) ** 2 / expected for place in range(52) for card in DECK)
    freedom = 51 * 51
    assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5
    suits = sum((count - DEALS / 4) ** 2 / (DEALS / 4) for count in turned.values())
    assert suits < 31  # 3 degrees of freedom, p < 1e-6


def test_first_dealers_are_even() -> None:
    """C47: each seat deals first in 10,000 of 40,000 games, within 400."""
    counts = Counter(shuffle.first_dealer(number.to_bytes(16, "big"), "dealers") for number in range(40_000))
    assert all(abs(counts[seat] - 10_000) < 400 for seat in range(4))


@pytest.mark.parametrize("number", [0, 2**31 - 1, 2_147_473_674])
def test_no_seed_is_special(number: int) -> None:
    """C52: no rotation of the fresh deck, and 52 cards."""
    deck = shuffle.shuffled_deck(number.to_bytes(16, "big"), b"", "g", 1)
    rotations = [DECK[cut:] + DECK[:cut] for cut in range(52)]
    assert len(set(deck)) == 52
    assert deck not in rotations


def test_neighbours_share_nothing() -> None:
    """C53, C58, C158: another seed, game, hand or cut is another deal, in about 51 of 52 places."""
    base = shuffle.shuffled_deck(SEED, b"", "100", 1)
    for seed, cut, game_id, hand in (
        (SEED, b"", "101", 1),
        (SEED, b"", "100", 2),
        (SEED, b"x", "100", 1),
        (SEED[:-1] + b"\x00", b"", "100", 1),
    ):
        other = shuffle.shuffled_deck(seed, cut, game_id, hand)
        assert sum(one == two for one, two in zip(base, other, strict=True)) < 10


def test_sister_suits_are_even_and_of_the_card_dealt_last() -> None:
    """C55, C56: each trump in 2,500 of 10,000 deals, within 200; and the last card counts, not the highest."""
    rules = presets()["saharat_syrian_41"].rules
    trumps = Counter[int | None]()
    start = awaiting()
    for number in range(10_000):
        deck = shuffle.shuffled_deck(number.to_bytes(16, "big"), b"", "sister", 1)
        hands, last = deals.deal_deck(deck, start.next_dealer, rules.deal_order)
        assert hands[start.next_dealer] & 1 << last
        trumps[game.trump_with_deal(rules, last)] += 1
    assert sorted(trumps, key=str) == [1, 2, 3, 4]
    assert all(abs(count - 2_500) < 200 for count in trumps.values())
    deck = (*[card for card in DECK if card not in (77, 39)], 77, 39)
    # The dealer holds the king of spades, but the last card was the seven of diamonds.
    message = records_pb2.Deck(cards=[encode_card(card) for card in (77, *deck[:50], 39)])
    dealt = methods.deal_hand(
        pb.DealHandRequest(game=encode_game(start), deal=records_pb2.Deal(deck=message))
    ).game
    assert dealt.hand.turned_card == cards_pb2.CARD_DIAMONDS_SEVEN
    assert dealt.hand.trump == cards_pb2.STRAIN_HEARTS


def test_the_next_hand_of_a_game_is_another_deal_from_the_same_seed() -> None:
    """C50, C158: after a void hand the hand number is one more, and so the cards are others."""
    start = encode_game(awaiting("saharat_classic", dealer=0))
    first = methods.deal_hand(pb.DealHandRequest(game=start, deal=seeded())).game
    stored = first
    for seat in (2, 3, 4, 1):
        move = moves_pb2.Move(seat=cards_pb2.Seat.ValueType(seat))
        move.call.kind = moves_pb2.CALL_KIND_PASS
        stored = methods.apply_move(pb.ApplyMoveRequest(game=stored, move=move)).game
    second = methods.deal_hand(pb.DealHandRequest(game=stored, deal=seeded())).game
    assert second.hand_number == 2
    assert list(second.hand.dealt) != list(first.hand.dealt)
    # The commitment of the first hand does not serve for the second.
    with pytest.raises(ProblemsError, match="commitment"):
        methods.deal_hand(pb.DealHandRequest(game=stored, deal=seeded(commitment=commit())))


def test_c58_a_game_has_a_first_dealer_or_a_seed_for_one() -> None:
    with pytest.raises(ProblemsError, match="first_dealer"):
        methods.create_game(
            pb.CreateGameRequest(id="g", rule_set=rules_pb2.RuleSetChoice(preset_id="saharat_400"))
        )


def test_c59_a_deal_is_the_same_on_every_replica() -> None:
    """C119: another process, with another hash seed, deals the same cards."""
    code = (
        "from tarneeb_service.engine import shuffle;"
        "print(*shuffle.shuffled_deck(bytes(range(16)), b'cut', 'g-1', 3), shuffle.first_dealer(bytes(16), 'g'))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": number},
        ).stdout
        for number in ("1", "2")
    }
    here = (*shuffle.shuffled_deck(SEED, b"cut", "g-1", 3), shuffle.first_dealer(bytes(16), "g"))
    assert printed == {(" ".join(map(str, here)) + "\n").encode()}


def awaiting(preset_id: str = "saharat_syrian_41", dealer: int = 2) -> AwaitingDeal:
    return game.create(Header("g-1", preset_id, presets()[preset_id].rules), dealer)


def seeded(seed: bytes = SEED, **fields: bytes) -> records_pb2.Deal:
    return records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=seed, **fields))


def commit(seed: bytes = SEED, hand: int = 1) -> bytes:
    request = pb.CommitDealRequest(game_id="g-1", hand_number=hand, seed=seed)
    return methods.commit_deal(request).commitment


@pytest.mark.parametrize("preset_id", PRESET_IDS)
@pytest.mark.parametrize("order", [1, 2])
def test_commit_deal_verify(preset_id: str, order: int) -> None:
    choice = rules_pb2.RuleSetChoice(preset_id=preset_id, overrides=rules_pb2.RuleSet())
    choice.overrides.deal_order = rules_pb2.DealOrder.ValueType(order)
    start = methods.create_game(
        pb.CreateGameRequest(id="g-1", rule_set=choice, first_dealer=cards_pb2.SEAT_SOUTH)
    ).game
    deal = seeded(commitment=commit(), cut=b"my cut")
    dealt = methods.deal_hand(pb.DealHandRequest(game=start, deal=deal)).game
    request = pb.VerifyDealRequest(
        game_id="g-1",
        hand_number=1,
        dealer=cards_pb2.SEAT_SOUTH,
        deal_order=rules_pb2.DealOrder.ValueType(order),
        seeded=deal.seeded,
        dealt=records_pb2.DealtHands(hands=dealt.hand.dealt, turned_card=dealt.hand.turned_card),
    )
    answer = methods.verify_deal(request)
    assert (answer.fair, answer.commitment_matches, answer.cards_match) == (True, True, True)
    assert answer.message.startswith("The deal was fair")
    wrong_cut = pb.VerifyDealRequest()
    wrong_cut.CopyFrom(request)
    wrong_cut.seeded.cut = b"another"
    answer = methods.verify_deal(wrong_cut)
    assert (answer.fair, answer.commitment_matches, answer.cards_match) == (False, True, False)
    assert "with this cut" in answer.message
    wrong_turned = pb.VerifyDealRequest()
    wrong_turned.CopyFrom(request)
    last = shuffle.shuffled_deck(deal.seeded.seed, b"my cut", "g-1", 1)[-1]
    wrong_turned.dealt.turned_card = encode_card(next(card for card in DECK if card != last))
    answer = methods.verify_deal(wrong_turned)
    assert (answer.fair, answer.commitment_matches, answer.cards_match) == (False, True, False)
    # The hands are right, so the cut is not to blame.
    assert "another card was turned" in answer.message
    wrong_commitment = pb.VerifyDealRequest()
    wrong_commitment.CopyFrom(request)
    wrong_commitment.seeded.commitment = bytes(32)
    answer = methods.verify_deal(wrong_commitment)
    assert (answer.fair, answer.commitment_matches, answer.cards_match) == (False, False, True)
    wrong_commitment.hand_number = 2
    answer = methods.verify_deal(wrong_commitment)
    assert (answer.fair, answer.commitment_matches, answer.cards_match) == (False, False, False)


def test_a_deal_without_a_cut_is_proved_unchanged_and_no_more() -> None:
    start = encode_game(awaiting("saharat_classic", dealer=2))
    deal = seeded(commitment=commit())
    dealt = methods.deal_hand(pb.DealHandRequest(game=start, deal=deal)).game
    answer = methods.verify_deal(
        pb.VerifyDealRequest(
            game_id="g-1",
            hand_number=1,
            dealer=cards_pb2.SEAT_SOUTH,
            deal_order=dealt.rules.deal_order,
            seeded=deal.seeded,
            dealt=records_pb2.DealtHands(hands=dealt.hand.dealt),
        )
    )
    assert (answer.fair, answer.commitment_matches, answer.cards_match) == (True, True, True)
    assert not answer.message.startswith("The deal was fair")
    assert "no cut" in answer.message


def test_the_dealer_gets_the_last_card_and_his_right_the_first() -> None:
    """C4: one at a time, or thirteen at a time; the last card is the dealer's."""
    deck = list(DECK)
    singly, last = deals.deal_deck(deck, 2, DealOrder.SINGLY)
    assert last == deck[-1]
    assert singly[3] & 1 << deck[0]
    assert singly[2] & 1 << deck[-1]
    packets, _ = deals.deal_deck(deck, 2, DealOrder.PACKETS)
    assert packets[3] == sum(1 << card for card in deck[:13])
    assert packets[2] == sum(1 << card for card in deck[39:])


@pytest.mark.parametrize(
    ("deal", "path", "reason"),
    [
        (seeded(seed=b""), "deal.seeded.seed", ProblemReason.MISSING),
        (seeded(seed=bytes(15)), "deal.seeded.seed", ProblemReason.OUT_OF_RANGE),
        (seeded(seed=bytes(65)), "deal.seeded.seed", ProblemReason.OUT_OF_RANGE),
        (seeded(cut=bytes(65)), "deal.seeded.cut", ProblemReason.OUT_OF_RANGE),
        (seeded(commitment=bytes(31)), "deal.seeded.commitment", ProblemReason.OUT_OF_RANGE),
        (seeded(commitment=bytes(32)), "deal.seeded.commitment", ProblemReason.COMMITMENT),
        (seeded(commitment=commit(hand=2)), "deal.seeded.commitment", ProblemReason.COMMITMENT),
        (records_pb2.Deal(), "deal", ProblemReason.MISSING),
    ],
)
def test_a_deal_that_can_not_be_is_refused_and_its_seed_not_shown(
    deal: records_pb2.Deal, path: str, reason: ProblemReason
) -> None:
    with pytest.raises(ProblemsError) as caught:
        methods.deal_hand(pb.DealHandRequest(game=encode_game(awaiting()), deal=deal))
    (problem,) = caught.value.problems
    assert (problem.path, problem.reason) == (path, reason)
    assert deal.seeded.seed.hex() not in str(caught.value) or not deal.seeded.seed


def test_a_house_may_require_the_cut() -> None:
    choice = rules_pb2.RuleSetChoice(
        preset_id="tarneeb_wikipedia", overrides=rules_pb2.RuleSet(cut=rules_pb2.CUT_REQUIRED)
    )
    start = methods.create_game(
        pb.CreateGameRequest(id="g-1", rule_set=choice, first_dealer=cards_pb2.SEAT_NORTH)
    ).game
    for given_parts, lacking in (
        ({}, ["cut", "commitment"]),
        ({"cut": b"here"}, ["commitment"]),
        ({"commitment": commit()}, ["cut"]),
    ):
        with pytest.raises(ProblemsError) as caught:
            methods.deal_hand(pb.DealHandRequest(game=start, deal=seeded(**given_parts)))
        assert [(problem.path, problem.reason) for problem in caught.value.problems] == [
            (f"deal.seeded.{name}", ProblemReason.MISSING) for name in lacking
        ]
    deck = records_pb2.Deal(deck=records_pb2.Deck(cards=[encode_card(card) for card in DECK]))
    for deal in (seeded(cut=b"here", commitment=commit()), deck):
        assert methods.deal_hand(pb.DealHandRequest(game=start, deal=deal)).game.hand_number == 1
