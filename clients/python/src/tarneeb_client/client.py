"""The client for threads. It may be shared between them."""

from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from google.protobuf.message import Message

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_client.errors import error_of
from tarneeb_client.options import Options, full_target

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


class Client:
    """A channel to the service, kept until ``close``; use it in a ``with``, and one for the whole program.

    The methods are those of ``tarneeb.v1.TarneebService``. A call that fails raises ``TarneebError``.
    """

    def __init__(self, target: str = "localhost:50051", options: Options | None = None) -> None:
        """Open a channel to ``host:port``; nothing is sent yet."""
        options = options or Options()
        self._deadline, self._metadata = options.deadline, options.metadata()
        credentials, address = options.credentials(), full_target(target)
        self.channel = (
            grpc.insecure_channel(address, options.arguments())
            if credentials is None
            else grpc.secure_channel(address, credentials, options.arguments())
        )
        self.stub = TarneebServiceStub(self.channel)

    def list_rule_sets(
        self, request: pb.ListRuleSetsRequest, deadline: float | None = None
    ) -> pb.ListRuleSetsResponse:
        return self._call(self.stub.ListRuleSets, request, deadline)

    def resolve_rule_set(
        self, request: pb.ResolveRuleSetRequest, deadline: float | None = None
    ) -> pb.ResolveRuleSetResponse:
        return self._call(self.stub.ResolveRuleSet, request, deadline)

    def create_game(
        self, request: pb.CreateGameRequest, deadline: float | None = None
    ) -> pb.CreateGameResponse:
        return self._call(self.stub.CreateGame, request, deadline)

    def deal_hand(self, request: pb.DealHandRequest, deadline: float | None = None) -> pb.DealHandResponse:
        return self._call(self.stub.DealHand, request, deadline)

    def list_legal_moves(
        self, request: pb.ListLegalMovesRequest, deadline: float | None = None
    ) -> pb.ListLegalMovesResponse:
        return self._call(self.stub.ListLegalMoves, request, deadline)

    def validate_move(
        self, request: pb.ValidateMoveRequest, deadline: float | None = None
    ) -> pb.ValidateMoveResponse:
        return self._call(self.stub.ValidateMove, request, deadline)

    def apply_move(self, request: pb.ApplyMoveRequest, deadline: float | None = None) -> pb.ApplyMoveResponse:
        return self._call(self.stub.ApplyMove, request, deadline)

    def undo_move(self, request: pb.UndoMoveRequest, deadline: float | None = None) -> pb.UndoMoveResponse:
        return self._call(self.stub.UndoMove, request, deadline)

    def validate_moves(
        self, request: pb.ValidateMovesRequest, deadline: float | None = None
    ) -> pb.ValidateMovesResponse:
        return self._call(self.stub.ValidateMoves, request, deadline)

    def replay_game(
        self, request: pb.ReplayGameRequest, deadline: float | None = None
    ) -> pb.ReplayGameResponse:
        return self._call(self.stub.ReplayGame, request, deadline)

    def validate_game(
        self, request: pb.ValidateGameRequest, deadline: float | None = None
    ) -> pb.ValidateGameResponse:
        return self._call(self.stub.ValidateGame, request, deadline)

    def view_game(self, request: pb.ViewGameRequest, deadline: float | None = None) -> pb.ViewGameResponse:
        return self._call(self.stub.ViewGame, request, deadline)

    def commit_deal(
        self, request: pb.CommitDealRequest, deadline: float | None = None
    ) -> pb.CommitDealResponse:
        return self._call(self.stub.CommitDeal, request, deadline)

    def verify_deal(
        self, request: pb.VerifyDealRequest, deadline: float | None = None
    ) -> pb.VerifyDealResponse:
        return self._call(self.stub.VerifyDeal, request, deadline)

    def score_hand(self, request: pb.ScoreHandRequest, deadline: float | None = None) -> pb.ScoreHandResponse:
        return self._call(self.stub.ScoreHand, request, deadline)

    def call_with_bytes(self, method: str, request: bytes, deadline: float | None = None) -> bytes:
        """Call a method by its name with messages as bytes, for who passes them on."""
        path = f"/tarneeb.v1.TarneebService/{method}"
        call: Any = self.channel.unary_unary(path)
        answer: bytes = self._call(call, request, deadline)
        return answer

    def close(self) -> None:
        """Close the channel; calls under way fail."""
        self.channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, method: "grpc.UnaryUnaryMultiCallable[Q, A]", request: Q, deadline: float | None) -> A:
        try:
            return method(request, timeout=deadline or self._deadline, metadata=self._metadata)
        except grpc.RpcError as error:
            raise error_of(error) from error
