"""The grpcio servicer: hangs the methods on a server, and turns their exceptions into statuses."""

import time
from collections.abc import Callable
from functools import partial
from typing import NoReturn, TypeVar

import grpc

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceServicer
from tarneeb_service.rpc import methods
from tarneeb_service.rpc.errors import make_status, status_of


class AbandonedError(Exception):
    """Nobody waits for the answer any more."""


Request = TypeVar("Request")
Response = TypeVar("Response")
# Told of every exception that ends a call; returns the request id that the caller of a bug gets.
Report = Callable[[Exception, grpc.ServicerContext], str]
ABANDONED = make_status(grpc.StatusCode.CANCELLED, "the caller did not wait for the answer")


class Servicer(TarneebServiceServicer):
    """Answers every method of ``TarneebService`` with the plain function of the same name."""

    def __init__(self, report: Report, most_items: int = methods.MOST_ITEMS) -> None:
        """Take what is told of failures, and the most items of a batch."""
        self._report = report
        self._validate_moves = partial(methods.validate_moves, most=most_items)

    def ListRuleSets(
        self, request: pb.ListRuleSetsRequest, context: grpc.ServicerContext
    ) -> pb.ListRuleSetsResponse:
        """See ``methods.list_rule_sets``."""
        return self._answer(methods.list_rule_sets, request, context)

    def ResolveRuleSet(
        self, request: pb.ResolveRuleSetRequest, context: grpc.ServicerContext
    ) -> pb.ResolveRuleSetResponse:
        """See ``methods.resolve_rule_set``."""
        return self._answer(methods.resolve_rule_set, request, context)

    def CreateGame(
        self, request: pb.CreateGameRequest, context: grpc.ServicerContext
    ) -> pb.CreateGameResponse:
        """See ``methods.create_game``."""
        return self._answer(methods.create_game, request, context)

    def DealHand(self, request: pb.DealHandRequest, context: grpc.ServicerContext) -> pb.DealHandResponse:
        """See ``methods.deal_hand``."""
        return self._answer(methods.deal_hand, request, context)

    def ListLegalMoves(
        self, request: pb.ListLegalMovesRequest, context: grpc.ServicerContext
    ) -> pb.ListLegalMovesResponse:
        """See ``methods.list_legal_moves``."""
        return self._answer(methods.list_legal_moves, request, context)

    def ValidateMove(
        self, request: pb.ValidateMoveRequest, context: grpc.ServicerContext
    ) -> pb.ValidateMoveResponse:
        """See ``methods.validate_move``."""
        return self._answer(methods.validate_move, request, context)

    def ApplyMove(self, request: pb.ApplyMoveRequest, context: grpc.ServicerContext) -> pb.ApplyMoveResponse:
        """See ``methods.apply_move``."""
        return self._answer(methods.apply_move, request, context)

    def ScoreHand(self, request: pb.ScoreHandRequest, context: grpc.ServicerContext) -> pb.ScoreHandResponse:
        """See ``methods.score_hand``."""
        return self._answer(methods.score_hand, request, context)

    def ValidateMoves(
        self, request: pb.ValidateMovesRequest, context: grpc.ServicerContext
    ) -> pb.ValidateMovesResponse:
        """See ``methods.validate_moves``."""
        return self._answer(partial(self._validate_moves, rest=partial(_rest, context)), request, context)

    def ReplayGame(
        self, request: pb.ReplayGameRequest, context: grpc.ServicerContext
    ) -> pb.ReplayGameResponse:
        """See ``methods.replay_game``."""
        replay = partial(methods.replay_game, rest=partial(_rest, context))
        return self._answer(replay, request, context)

    def ValidateGame(
        self, request: pb.ValidateGameRequest, context: grpc.ServicerContext
    ) -> pb.ValidateGameResponse:
        """See ``methods.validate_game``."""
        return self._answer(methods.validate_game, request, context)

    def ViewGame(self, request: pb.ViewGameRequest, context: grpc.ServicerContext) -> pb.ViewGameResponse:
        """See ``methods.view_game``."""
        return self._answer(methods.view_game, request, context)

    def CommitDeal(
        self, request: pb.CommitDealRequest, context: grpc.ServicerContext
    ) -> pb.CommitDealResponse:
        """See ``methods.commit_deal``."""
        return self._answer(methods.commit_deal, request, context)

    def VerifyDeal(
        self, request: pb.VerifyDealRequest, context: grpc.ServicerContext
    ) -> pb.VerifyDealResponse:
        """See ``methods.verify_deal``."""
        return self._answer(methods.verify_deal, request, context)

    def _answer(
        self, method: Callable[[Request], Response], request: Request, context: grpc.ServicerContext
    ) -> Response:
        try:
            return method(request)
        except AbandonedError:
            self._abort(context, ABANDONED)
        except Exception as error:  # noqa: BLE001  # a bug of ours must not reach the caller
            self._abort(context, status_of(error, self._report(error, context)))

    @staticmethod
    def _abort(context: grpc.ServicerContext, status: grpc.Status) -> NoReturn:
        context.abort_with_status(status)
        raise AssertionError("abort_with_status returned")


def _rest(context: grpc.ServicerContext) -> None:
    """Let other calls have the interpreter, which this one would keep for 5 ms at a time, and end in time.

    Raises:
        AbandonedError: The caller has gone, or his deadline has passed.
    """
    time.sleep(0)
    if not context.is_active():
        raise AbandonedError
