"""The client for asyncio."""

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb_client.errors import error_of
from tarneeb_client.options import Options, full_target

if TYPE_CHECKING:
    # The generated types alone know it.
    from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceAsyncStub

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


class AsyncClient:
    """As ``Client``, for one event loop; use it in an ``async with``."""

    def __init__(self, target: str = "localhost:50051", options: Options | None = None) -> None:
        """Open a channel to ``host:port``; nothing is sent yet."""
        options = options or Options()
        self._deadline, self._metadata = options.deadline, options.metadata()
        credentials, address = options.credentials(), full_target(target)
        self.channel = (
            grpc.aio.insecure_channel(address, options.arguments())
            if credentials is None
            else grpc.aio.secure_channel(address, credentials, options.arguments())
        )
        self.stub: TarneebServiceAsyncStub = TarneebServiceStub(self.channel)

    async def list_rule_sets(
        self, request: pb.ListRuleSetsRequest, deadline: float | None = None
    ) -> pb.ListRuleSetsResponse:
        return await self._call(self.stub.ListRuleSets, request, deadline)

    async def resolve_rule_set(
        self, request: pb.ResolveRuleSetRequest, deadline: float | None = None
    ) -> pb.ResolveRuleSetResponse:
        return await self._call(self.stub.ResolveRuleSet, request, deadline)

    async def create_game(
        self, request: pb.CreateGameRequest, deadline: float | None = None
    ) -> pb.CreateGameResponse:
        return await self._call(self.stub.CreateGame, request, deadline)

    async def deal_hand(
        self, request: pb.DealHandRequest, deadline: float | None = None
    ) -> pb.DealHandResponse:
        return await self._call(self.stub.DealHand, request, deadline)

    async def list_legal_moves(
        self, request: pb.ListLegalMovesRequest, deadline: float | None = None
    ) -> pb.ListLegalMovesResponse:
        return await self._call(self.stub.ListLegalMoves, request, deadline)

    async def validate_move(
        self, request: pb.ValidateMoveRequest, deadline: float | None = None
    ) -> pb.ValidateMoveResponse:
        return await self._call(self.stub.ValidateMove, request, deadline)

    async def apply_move(
        self, request: pb.ApplyMoveRequest, deadline: float | None = None
    ) -> pb.ApplyMoveResponse:
        return await self._call(self.stub.ApplyMove, request, deadline)

    async def undo_move(
        self, request: pb.UndoMoveRequest, deadline: float | None = None
    ) -> pb.UndoMoveResponse:
        return await self._call(self.stub.UndoMove, request, deadline)

    async def validate_moves(
        self, request: pb.ValidateMovesRequest, deadline: float | None = None
    ) -> pb.ValidateMovesResponse:
        return await self._call(self.stub.ValidateMoves, request, deadline)

    async def replay_game(
        self, request: pb.ReplayGameRequest, deadline: float | None = None
    ) -> pb.ReplayGameResponse:
        return await self._call(self.stub.ReplayGame, request, deadline)

    async def validate_game(
        self, request: pb.ValidateGameRequest, deadline: float | None = None
    ) -> pb.ValidateGameResponse:
        return await self._call(self.stub.ValidateGame, request, deadline)

    async def view_game(
        self, request: pb.ViewGameRequest, deadline: float | None = None
    ) -> pb.ViewGameResponse:
        return await self._call(self.stub.ViewGame, request, deadline)

    async def commit_deal(
        self, request: pb.CommitDealRequest, deadline: float | None = None
    ) -> pb.CommitDealResponse:
        return await self._call(self.stub.CommitDeal, request, deadline)

    async def verify_deal(
        self, request: pb.VerifyDealRequest, deadline: float | None = None
    ) -> pb.VerifyDealResponse:
        return await self._call(self.stub.VerifyDeal, request, deadline)

    async def score_hand(
        self, request: pb.ScoreHandRequest, deadline: float | None = None
    ) -> pb.ScoreHandResponse:
        return await self._call(self.stub.ScoreHand, request, deadline)

    async def call_with_bytes(self, method: str, request: bytes, deadline: float | None = None) -> bytes:
        """Call a method by its name with messages as bytes, for who passes them on."""
        path = f"/tarneeb.v1.TarneebService/{method}"
        call: Any = self.channel.unary_unary(path)
        answer: bytes = await self._call(call, request, deadline)
        return answer

    async def close(self) -> None:
        """Close the channel; calls under way fail."""
        await self.channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _call(
        self, method: "grpc.aio.UnaryUnaryMultiCallable[Q, A]", request: Q, deadline: float | None
    ) -> A:
        try:
            return await method(request, timeout=deadline or self._deadline, metadata=self._metadata)
        except grpc.RpcError as error:
            raise error_of(error) from error
