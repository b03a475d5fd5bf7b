"""Random bytes and spoiled requests: an answer or a refusal of ours, never a bug and never a hang."""

import random
from contextlib import suppress
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from tarneeb.v1 import game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.rpc.errors import status_of
from tarneeb_service.wire.problems import NewerRulesError
from tests.rpc.checks import assert_names_no_card
from tests.rpc.samples import METHODS, function_of, request_class, samples, spoil
from tests.scale import SCALE
from tests.strategies import seeds


@pytest.mark.parametrize("method", METHODS)
def test_samples_are_sound(method: str) -> None:
    for request in samples(method):
        if request.ByteSize() or method == "ListRuleSets":
            function_of(method)(request)


def answer_of(method: str, request: Any) -> Any:
    """The answer, or the refusal when it keeps to what refusals must keep to; anything else is a bug."""
    try:
        return function_of(method)(request)
    except (ProblemsError, NewerRulesError) as error:
        refusal = error
    status = status_of(refusal, "")
    assert len(dict(status.trailing_metadata)["grpc-status-details-bin"]) < 4096
    assert len(status.details) < 400
    if isinstance(refusal, ProblemsError):
        assert status.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refusal.problems
        for problem in refusal.problems:
            assert problem.path
            assert problem.message
            assert_names_no_card(f"{problem.path} {problem.message}")
    return None


@pytest.mark.parametrize("method", METHODS)
@given(data=st.binary(max_size=200))
@settings(max_examples=30 * SCALE)
def test_random_bytes(method: str, data: bytes) -> None:
    with suppress(DecodeError):
        answer_of(method, request_class(method).FromString(data))


def at_the_end(game: game_pb2.Game) -> bool:
    """Whether a made-up game has used up the numbers there are; no table plays two thousand million hands."""
    return max(game.revision, game.hand_number) >= 2**31 or max(map(abs, game.scores)) > 999_000_000


@pytest.mark.parametrize("method", METHODS)
@given(seed=seeds())
@settings(max_examples=60 * SCALE)
def test_spoiled_requests(method: str, seed: int) -> None:
    chance = random.Random(seed)
    sample = chance.choice(samples(method))
    request = type(sample).FromString(sample.SerializeToString())
    for _ in range(chance.choice((1, 1, 2, 4))):
        spoil(request, chance)
    answer = answer_of(method, request)
    if answer is None:
        return
    # What is answered can be sent, and a game that is answered can be sent back.
    assert type(answer).FromString(answer.SerializeToString()) == answer
    if "game" in answer.DESCRIPTOR.fields_by_name and answer.HasField("game") and not at_the_end(answer.game):
        assert list(function_of("ValidateGame")(pb.ValidateGameRequest(game=answer.game)).problems) == []
