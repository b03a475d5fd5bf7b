"""Whatever bytes a caller sends to the real server: an answer or a refusal of ours, and soon.

`make fuzz` does the same for longer.
"""

import random

import pytest
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tests.fuzz.calls import Code, Target
from tests.fuzz.sound import STORED, pool, requests_of_a_game
from tests.fuzz.spoiling import (
    as_game,
    as_snapshot,
    garbage,
    lengthened,
    odd_ends,
    rewritten,
    unknown_group,
    with_bad_text,
)
from tests.rpc.samples import METHODS, request_class
from tests.scale import SCALE
from tests.strategies import seeds

# Random, but drawn by hypothesis, so that a finding shrinks.
CHANCES = st.randoms(use_true_random=False)


def sound(method: str, chance: random.Random) -> Message:
    return chance.choice(pool(method))


@pytest.mark.parametrize("method", METHODS)
def test_sound_requests_are_answered(method: str, target: Target) -> None:
    for request in pool(method)[:: 1 if SCALE > 1 else 11]:
        assert target.send(method, request.SerializeToString()).code is Code.OK


@pytest.mark.parametrize("method", METHODS)
@given(data=st.binary(max_size=300))
@settings(max_examples=25 * SCALE)
def test_random_bytes(method: str, target: Target, data: bytes) -> None:
    target.send(method, data)


@pytest.mark.parametrize("method", METHODS)
@given(chance=CHANCES)
@settings(max_examples=40 * SCALE)
def test_spoiled_requests(method: str, target: Target, chance: random.Random) -> None:
    target.send(method, garbage(sound(method, chance), chance))


@pytest.mark.parametrize("method", METHODS)
@given(seed=seeds())
@settings(max_examples=12 * SCALE)
def test_another_encoding_of_a_request_gets_the_same_answer(method: str, target: Target, seed: int) -> None:
    chance = random.Random(seed)
    request = sound(method, chance)
    written = rewritten(request, chance)
    parsed = type(request).FromString(written)
    parsed.DiscardUnknownFields()
    assert parsed == request
    expected = target.send(method, request.SerializeToString())
    assert expected.code is Code.OK
    assert target.send(method, written).data == expected.data


# Every list of every request, each at one place: games and hands are read by the same code wherever they come.
@pytest.mark.parametrize(
    "method", ["ApplyMove", "DealHand", "ReplayGame", "ScoreHand", "VerifyDeal", "ViewGame"]
)
def test_lists_without_end(method: str, target: Target) -> None:
    """A list as long as a message can hold costs no more than reading it."""
    tried = set()
    for request in pool(method)[:: len(pool(method)) // 3 or 1]:
        for path, longer in lengthened(as_game(request), 20_000 * SCALE):
            if path not in tried and not (path.startswith("game.") and method != "ApplyMove"):
                tried.add(path)
                target.send(method, longer.SerializeToString())
                if path.startswith("game."):
                    target.send(method, as_snapshot(longer).SerializeToString())


@given(seed=seeds())
@settings(max_examples=2 * SCALE)
def test_games_of_other_house_rules(target: Target, seed: int) -> None:
    chance = random.Random(seed)
    for method, requests in requests_of_a_game(chance).items():
        for request in requests[:4]:
            assert target.send(method, request.SerializeToString()).code is Code.OK
            target.send(method, garbage(request, chance))


@pytest.mark.parametrize("data", ["0aff", "7b7d0a", "0b", "ffffffffffffffffffffff01"])
@pytest.mark.parametrize("method", METHODS)
def test_bytes_that_are_no_message(method: str, target: Target, data: str) -> None:
    assert target.send(method, bytes.fromhex(data)).code is Code.INVALID_ARGUMENT


@pytest.mark.parametrize("shape", odd_ends(random.Random(0)))
@pytest.mark.parametrize("method", METHODS)
def test_a_sound_request_with_an_end_that_is_no_protobuf(method: str, shape: str, target: Target) -> None:
    request = pool(method)[-1].SerializeToString()
    answered = target.send(method, request + odd_ends(random.Random(1))[shape])
    # The parser looks for no field 0 in a message that has no fields.
    fieldless = shape == "field 0" and not request_class(method).DESCRIPTOR.fields
    assert answered.code is (Code.OK if fieldless else Code.INVALID_ARGUMENT)


@pytest.mark.parametrize("depth", [1, 3, 50])
@pytest.mark.parametrize("method", METHODS)
def test_groups_that_nobody_knows_are_skipped(method: str, depth: int, target: Target) -> None:
    request = pool(method)[-1].SerializeToString()
    group = unknown_group(random.Random(depth), depth)
    expected = target.send(method, request)
    assert expected.code is Code.OK
    assert target.send(method, request + group).data == expected.data
    assert target.send(method, group + request).data == expected.data


@pytest.mark.parametrize("method", METHODS)
def test_text_that_is_no_utf_8(method: str, target: Target) -> None:
    for request in with_bad_text(as_game(pool(method)[-1])):
        assert target.send(method, request).code is Code.INVALID_ARGUMENT


@pytest.mark.parametrize("method", STORED)
def test_text_in_a_snapshot_that_is_no_utf_8(method: str, target: Target) -> None:
    requests = with_bad_text(as_snapshot(pool(method)[-1]))
    assert requests
    for request in requests:
        answered = target.send(method, request)
        if method == "ValidateGame":
            # Whatever is wrong with a stored game is its answer.
            (problem,) = pb.ValidateGameResponse.FromString(answered.data).problems
            assert problem.path.startswith("snapshot.")
            assert problem.message == "is not UTF-8"
        else:
            assert answered.code is Code.INVALID_ARGUMENT


@pytest.mark.parametrize("method", METHODS)
def test_what_is_too_long(method: str, target: Target) -> None:
    assert target.send(method, bytes(4_194_305)).code is Code.RESOURCE_EXHAUSTED


def test_a_long_unknown_field_is_ignored(target: Target) -> None:
    request = request_class("ListRuleSets")().SerializeToString() + b"\xc2\x3e\xc0\x84\x3d" + bytes(1_000_000)
    assert target.send("ListRuleSets", request).code is Code.OK
