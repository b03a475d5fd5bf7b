"""The dispute of docs/disputes.md, settled as the page says, and the forgeries that it finds."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from google.protobuf import json_format

from harness.serving import Server, serving
from tarneeb.v1 import records_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_record import format_record, parse_record
from tarneeb_service.engine import shuffle
from tarneeb_service.engine.cards import CARD_TEXT, HEARTS, SPADES, cards_of
from tarneeb_service.engine.state import InPlay
from tarneeb_service.rpc import replay
from tests.cli.samples import EAST, NORTH, SOUTH
from tests.pages import BIN, blocks, output_of
from tests.record_text.seeds import pieces_in

PAGE = "docs/disputes.md"
RECORD, SHOWN_OUTPUT, *FORGED = blocks(PAGE, "text")
(PROGRAM,) = blocks(PAGE, "python")
(SHOWN,) = blocks(PAGE, "json")
OTHER_SEED = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
DISPUTED = 1

Case = tuple[records_pb2.GameRecord, pb.VerifyDealRequest]


def case() -> Case:
    return parse_record(RECORD), json_format.Parse(SHOWN, pb.VerifyDealRequest())


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as started:
        yield started


def printed(server: Server, folder: Path, record: str, shown: str) -> str:
    (folder / "dispute.txt").write_text(record, "utf-8")
    (folder / "shown.json").write_text(shown, "utf-8")
    return output_of(PROGRAM, server.port, folder)


def printed_for(server: Server, folder: Path, changed: Case) -> str:
    record, shown = changed
    return printed(server, folder, format_record(record), json_format.MessageToJson(shown))


def test_a_program_finds_what_the_page_shows(server: Server, tmp_path: Path) -> None:
    assert printed(server, tmp_path, RECORD, SHOWN) == SHOWN_OUTPUT


def swap_seed(record: records_pb2.GameRecord, shown: pb.VerifyDealRequest) -> None:
    record.hands[DISPUTED].deal.seeded.seed = OTHER_SEED


def swap_seed_and_commitment(record: records_pb2.GameRecord, shown: pb.VerifyDealRequest) -> None:
    swap_seed(record, shown)
    record.hands[DISPUTED].deal.seeded.commitment = shuffle.commitment(OTHER_SEED, record.id, DISPUTED + 1)


def swap_cut(record: records_pb2.GameRecord, shown: pb.VerifyDealRequest) -> None:
    record.hands[DISPUTED].deal.seeded.cut = b"other"


def deal_with_another_cut(record: records_pb2.GameRecord, shown: pb.VerifyDealRequest) -> None:
    shown.seeded.cut = b"what South sent"


FORGERIES = (swap_seed_and_commitment, swap_seed, swap_cut, deal_with_another_cut)


@pytest.mark.parametrize("forgery, output", [*zip(FORGERIES, FORGED, strict=True)])
def test_what_a_forgery_looks_like(
    server: Server,
    tmp_path: Path,
    forgery: Callable[[records_pb2.GameRecord, pb.VerifyDealRequest], None],
    output: str,
) -> None:
    changed = case()
    forgery(*changed)
    assert printed_for(server, tmp_path, changed) == output


def test_a_card_that_was_moved_is_found(server: Server, tmp_path: Path) -> None:
    record, shown = case()
    north, west = (hand.cards for hand in shown.dealt.hands[:2])
    north[0], west[0] = west[0], north[0]
    assert printed_for(server, tmp_path, (record, shown)).endswith("it does not give these cards.\n")


def test_the_program_serves_other_records(server: Server, tmp_path: Path) -> None:
    """One without a wrong move, one without a commitment, and one that was not dealt from a seed."""
    record, shown = case()
    del record.hands[DISPUTED].moves[-1]
    assert printed_for(server, tmp_path, (record, shown)).startswith("30 of 30 steps accepted\nThe deal was")
    record.hands[DISPUTED].deal.seeded.ClearField("commitment")
    shown.seeded.ClearField("commitment")
    assert printed_for(server, tmp_path, (record, shown)) == (
        "30 of 30 steps accepted\nThe players were shown no commitment: nothing proves the deal.\n"
    )
    shown.seeded.Clear()
    record.hands[DISPUTED].deal.hands.CopyFrom(shown.dealt)
    assert printed_for(server, tmp_path, (record, shown)) == (
        "30 of 30 steps accepted\nThe hand was not dealt from a seed: nothing proves its deal.\n"
    )


def test_the_story_is_that_of_the_record() -> None:
    record, shown = case()
    *reached, refusal = replay.play(record, replay.start(record))
    assert isinstance(refusal, replay.Refusal)
    assert isinstance(reached[-1], replay.Reached)
    state = reached[-1].state
    assert isinstance(state, InPlay)
    play = state.play
    # East dealt; seats are counted to the right, so that South sits at his left.
    assert (state.deal.dealer, shown.dealer - 1, SOUTH) == (EAST, EAST, (EAST - 1) % 4)
    assert (play.leader, play.turn, play.trump) == (NORTH, EAST, HEARTS)
    assert [CARD_TEXT[card] for card in play.trick[::2]] == ["S8", "SA"]
    assert len(play.winners) == 4
    assert refusal.step.move is not None
    assert CARD_TEXT[refusal.step.move.card] == "H3"
    assert [CARD_TEXT[card] for card in cards_of(play.holdings[EAST]) if card >> 4 == SPADES] == ["S2", "S4"]
    assert shown.game_id == record.id
    assert shown.hand_number == refusal.step.hand_number == DISPUTED + 1
    assert not shown.seeded.seed, "the players do not know it before the dispute"


def test_a_person_finds_it_at_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "dispute.txt").write_text(RECORD, "utf-8")
    (command,) = blocks(PAGE, "sh")
    name, *arguments = command.split()
    done = subprocess.run(
        [BIN / name, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    refusal = "East must follow spades"
    assert refusal in SHOWN_OUTPUT
    assert refusal in done.stdout
    for hand in parse_record(RECORD).hands:
        seed = hand.deal.seeded.seed.hex()
        assert not pieces_in(done.stdout + done.stderr, seed), "a seed is shown to nobody"
