"""Remembering what was checked is only speed: every answer is the one that a service without a memory gives."""

import random
from collections.abc import Iterator, Mapping
from itertools import islice

import pytest

from tarneeb.v1 import cards_pb2, game_pb2, records_pb2, views_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.presets import PRESET_IDS, presets
from tarneeb_service.engine.state import LAST_NUMBER, State
from tarneeb_service.rpc.dispatch import Method, Outcome, dispatch, methods_table
from tarneeb_service.rpc.memory import LONGEST_KEPT, Memory
from tarneeb_service.telemetry.labels import read
from tarneeb_service.wire.game import encode_game
from tests.random_games import states
from tests.rpc.samples import SEED, choice
from tests.scale import SCALE

PLENTY = 100_000
LATER = b"\xc2\x3e\x05later"
SEATS = views_pb2.Viewer.values()[1:]
NORTH = cards_pb2.SEAT_NORTH
ASKED = (
    "ListLegalMoves",
    "ValidateMove",
    "ApplyMove",
    "UndoMove",
    "ValidateMoves",
    "ValidateGame",
    "ViewGame",
    "DealHand",
)


def some_state() -> State:
    return next(states(presets()["saharat_classic"].rules, random.Random(1)))


def snapshots(preset: str, seed: int, hands: int = 2) -> Iterator[bytes]:
    for state in states(presets()[preset].rules, random.Random(seed), hands=hands):
        yield encode_game(state).SerializeToString(deterministic=True)


def mutated(snapshot: bytes, chance: random.Random) -> bytes:
    """Other bytes, or the same game in other words: cut, longer, changed, a field lost, given twice, out of order."""
    place = chance.randrange(len(snapshot))
    match chance.randrange(7):
        case 0:
            return snapshot[:place]
        case 1:
            return snapshot + chance.choice([LATER, snapshot, b"\x00"])
        case 2:
            return (
                snapshot[:place] + bytes([snapshot[place] ^ 1 << chance.randrange(8)]) + snapshot[place + 1 :]
            )
        case 3:
            return snapshot[:place] + snapshot[place + 1 :]
        case 4:
            game = game_pb2.Game.FromString(snapshot)
            field, _ = chance.choice(game.ListFields())
            game.ClearField(field.name)  # type: ignore[arg-type]  # a name of its own
            return game.SerializeToString()
        case 5:
            game = game_pb2.Game.FromString(snapshot)
            field, value = chance.choice(game.ListFields())
            part = game_pb2.Game(**{field.name: value})
            game.ClearField(field.name)  # type: ignore[arg-type]
            return part.SerializeToString() + game.SerializeToString()
    return snapshot


def requests(snapshot: bytes, moves: list[bytes]) -> dict[str, bytes]:
    """A request of each method for a snapshot; the move is one that was legal somewhere."""
    move = pb.ValidateMoveRequest.FromString(moves[0]).move
    asked = {
        "ListLegalMoves": pb.ListLegalMovesRequest(snapshot=snapshot),
        "ValidateMove": pb.ValidateMoveRequest(snapshot=snapshot, move=move),
        "ApplyMove": pb.ApplyMoveRequest(snapshot=snapshot, move=move, viewers=SEATS),
        "UndoMove": pb.UndoMoveRequest(snapshot=snapshot, viewers=SEATS),
        "ValidateMoves": pb.ValidateMovesRequest(
            items=[
                pb.ValidateMoveRequest(snapshot=snapshot, move=move),
                pb.ValidateMoveRequest.FromString(moves[-1]),
            ]
        ),
        "ValidateGame": pb.ValidateGameRequest(snapshot=snapshot),
        "ViewGame": pb.ViewGameRequest(snapshot=snapshot, viewers=SEATS),
        "DealHand": pb.DealHandRequest(
            snapshot=snapshot, deal=records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED))
        ),
    }
    assert asked.keys() == set(ASKED)
    return {method: request.SerializeToString() for method, request in asked.items()}


def answer(table: Mapping[str, Method], method: str, data: bytes) -> Outcome:
    return dispatch(table[method], data, "request-7", lambda: None)


def same(one: Outcome, other: Outcome, method: str) -> None:
    assert (one.answer, one.status) == (other.answer, other.status), method
    assert read(method, one) == read(method, other), method


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_mutated_snapshots_get_the_same_answers(preset: str) -> None:
    chance = random.Random(preset)
    memory = Memory(PLENTY)
    plain, remembering = methods_table(), methods_table(memory=memory)
    moves: list[bytes] = []
    for snapshot in islice(snapshots(preset, 7), 0, None, 3):
        legal = pb.ListLegalMovesResponse.FromString(
            answer(
                plain, "ListLegalMoves", pb.ListLegalMovesRequest(snapshot=snapshot).SerializeToString()
            ).answer
        ).moves
        if legal:
            request = pb.ValidateMoveRequest(snapshot=snapshot, move=chance.choice(legal))
            moves = [*moves[-3:], request.SerializeToString()]
        for _ in range(6 * SCALE):
            for method, data in requests(mutated(snapshot, chance), moves or [b""]).items():
                expected = answer(plain, method, data)
                # The first may check, the second finds what was kept if anything was.
                for _ in range(2):
                    same(answer(remembering, method, data), expected, method)
    assert memory.found > 100
    assert memory.missed > 100


def test_a_game_kept_is_the_one_that_a_check_makes() -> None:
    for preset in PRESET_IDS:
        memory = Memory(PLENTY)
        for snapshot in snapshots(preset, 3):
            answer(methods_table(memory=memory), "ViewGame", requests(snapshot, [b""])["ViewGame"])
            kept = memory.find(snapshot)
            assert kept is not None
            assert encode_game(kept).SerializeToString(deterministic=True) == snapshot


def test_two_replicas_in_turns_answer_as_one_does() -> None:
    chance = random.Random(2)
    replicas = [methods_table(memory=Memory(PLENTY)), methods_table(memory=Memory(3)), methods_table()]
    for preset in PRESET_IDS:
        new = pb.CreateGameRequest(id="g", rule_set=choice(preset), first_dealer=NORTH).SerializeToString()
        snapshot = pb.CreateGameResponse.FromString(answer(replicas[0], "CreateGame", new).answer).snapshot
        moves = [b""]
        for _ in range(80):
            asked = requests(snapshot, moves)
            legal = pb.ListLegalMovesResponse.FromString(
                answer(chance.choice(replicas), "ListLegalMoves", asked["ListLegalMoves"]).answer
            ).moves
            if legal:
                one = pb.ValidateMoveRequest(snapshot=snapshot, move=chance.choice(legal))
                moves = [one.SerializeToString()]
                asked = requests(snapshot, moves)
            method = "ApplyMove" if legal else "DealHand"
            outcomes = [answer(replica, method, asked[method]) for replica in replicas]
            for outcome in outcomes[1:]:
                same(outcome, outcomes[0], method)
            if outcomes[0].status is not None:
                break
            response = outcomes[0].response
            assert isinstance(response, pb.ApplyMoveResponse | pb.DealHandResponse)
            snapshot = response.snapshot


def test_the_next_call_finds_what_an_answer_gave() -> None:
    memory = Memory(PLENTY)
    table = methods_table(memory=memory)
    new = pb.CreateGameRequest(
        id="g", rule_set=choice("saharat_classic"), first_dealer=NORTH
    ).SerializeToString()
    snapshot = pb.CreateGameResponse.FromString(answer(table, "CreateGame", new).answer).snapshot
    deal = records_pb2.Deal(seeded=records_pb2.SeededDeal(seed=SEED))
    dealt = answer(table, "DealHand", pb.DealHandRequest(snapshot=snapshot, deal=deal).SerializeToString())
    snapshot = pb.DealHandResponse.FromString(dealt.answer).snapshot
    listed = answer(table, "ListLegalMoves", pb.ListLegalMovesRequest(snapshot=snapshot).SerializeToString())
    move = pb.ListLegalMovesResponse.FromString(listed.answer).moves[0]
    applied = answer(
        table, "ApplyMove", pb.ApplyMoveRequest(snapshot=snapshot, move=move).SerializeToString()
    )
    snapshot = pb.ApplyMoveResponse.FromString(applied.answer).snapshot
    undone = answer(table, "UndoMove", pb.UndoMoveRequest(snapshot=snapshot).SerializeToString())
    snapshot = pb.UndoMoveResponse.FromString(undone.answer).snapshot
    answer(table, "ViewGame", pb.ViewGameRequest(snapshot=snapshot, viewers=SEATS[:1]).SerializeToString())
    assert (memory.found, memory.missed) == (5, 0)
    assert len(memory) == 4


def test_what_is_refused_is_not_kept() -> None:
    memory = Memory(PLENTY)
    table = methods_table(memory=memory)
    game = encode_game(some_state())
    game.revision = LAST_NUMBER + 1
    for snapshot in (game.SerializeToString(), b"\xff", b"x" * 100):
        for _ in range(2):
            outcome = answer(
                table, "ValidateMove", pb.ValidateMoveRequest(snapshot=snapshot).SerializeToString()
            )
            assert outcome.status is not None
    assert len(memory) == 0
    assert (memory.found, memory.missed) == (0, 6)


def test_what_is_long_is_not_kept() -> None:
    memory = Memory(PLENTY)
    table = methods_table(memory=memory)
    game = encode_game(some_state()).SerializeToString()
    # A field of a later release, of whatever length.
    room = LONGEST_KEPT - len(game) - 4
    for length, kept in ((room, 1), (room + 1, 1), (200_000, 1)):
        padding = bytes([0xC2, 0x3E]) + (
            bytes([length & 0x7F | 0x80, length >> 7]) if length < 1 << 14 else b"\xc0\x9a\x0c"
        )
        snapshot = game + padding + b"p" * length
        assert (len(snapshot) <= LONGEST_KEPT) == (length == room)
        answered = answer(
            table, "ViewGame", pb.ViewGameRequest(snapshot=snapshot, viewers=SEATS[:1]).SerializeToString()
        )
        assert answered.status is None
        assert len(memory) == kept


def test_the_longest_game_of_all_is_kept() -> None:
    lists = choice("saharat_syrian_41")
    for index in range(64):
        lists.overrides.own_minimum.steps.add(from_score=-1_000_000 + index, value=3 - index % 2)
        lists.overrides.total_minimum.steps.add(from_score=-1_000_000 + index, value=13 - index % 2)
        lists.overrides.bid_values.values.add(
            bid=3 + index % 11, points=1_000 - index, from_score=-999_000 + index
        )
    new = pb.CreateGameRequest(id="g" * 64, rule_set=lists, first_dealer=NORTH).SerializeToString()
    made = answer(methods_table(), "CreateGame", new)
    assert made.status is None, made.status
    snapshot = pb.CreateGameResponse.FromString(made.answer).snapshot
    longest_hand = max(map(len, snapshots("saharat_syrian_41", 1))) - min(
        map(len, snapshots("saharat_syrian_41", 1))
    )
    assert 3_000 < len(snapshot) + longest_hand < LONGEST_KEPT


def test_the_one_used_longest_ago_makes_room() -> None:
    memory, state = Memory(2), some_state()
    for name in (b"a", b"b"):
        memory.keep(name, state)
    assert memory.find(b"a") is state
    memory.keep(b"c", state)
    assert [memory.find(name) is state for name in (b"a", b"b", b"c")] == [True, False, True]
    memory.keep(b"a", state)
    memory.keep(b"d", state)
    assert [memory.find(name) is state for name in (b"a", b"c", b"d")] == [True, False, True]
    assert (len(memory), memory.found, memory.missed) == (2, 5, 2)


def test_none_remembers_nothing() -> None:
    memory = Memory(0)
    memory.keep(b"a", some_state())
    assert memory.find(b"a") is None
    assert (len(memory), memory.found, memory.missed) == (0, 0, 0)
