"""Requests that the tests of running the service share."""

import pytest

from bench.positions import legal_request, mid_hand, refused_request
from tarneeb.v1 import cards_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb


@pytest.fixture(scope="session")
def legal() -> pb.ValidateMoveRequest:
    return legal_request(mid_hand("saharat_classic"))


@pytest.fixture(scope="session")
def refused() -> pb.ValidateMoveRequest:
    return refused_request(mid_hand("saharat_classic"))


@pytest.fixture
def lying(legal: pb.ValidateMoveRequest) -> pb.ValidateMoveRequest:
    """A game that says another seat won its first trick."""
    request = pb.ValidateMoveRequest()
    request.CopyFrom(legal)
    winners = request.game.hand.trick_winners
    winners[0] = cards_pb2.Seat.ValueType(winners[0] % 4 + 1)
    return request
