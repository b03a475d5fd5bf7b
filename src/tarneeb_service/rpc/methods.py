"""One plain function a method: from a request message to a response message.

They know no gRPC: what can't be judged is a ``ProblemsError`` or a ``NewerRulesError``, and any front may
serve them.
"""

from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import deals, game, scoring
from tarneeb_service.engine.moves import Move
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError
from tarneeb_service.engine.rules import RULES_REVISION
from tarneeb_service.engine.state import AwaitingDeal, Header, State, seat_to_act
from tarneeb_service.engine.verdicts import LEGAL
from tarneeb_service.wire import decode, encode, scores
from tarneeb_service.wire.problems import bytes_problem, encode_problems, missing, raise_if_any, text_problem
from tarneeb_service.wire.rules import decode_choice, encode_preset, encode_rules


def list_rule_sets(_request: pb.ListRuleSetsRequest) -> pb.ListRuleSetsResponse:
    """List the presets."""
    return pb.ListRuleSetsResponse(
        rule_sets=[encode_preset(preset) for preset in presets().values()], rules_revision=RULES_REVISION
    )


def resolve_rule_set(request: pb.ResolveRuleSetRequest) -> pb.ResolveRuleSetResponse:
    """Resolve a preset and its overrides; problems are an answer."""
    try:
        rules = decode_choice(request)
    except ProblemsError as error:
        return pb.ResolveRuleSetResponse(problems=encode_problems(error.problems))
    return pb.ResolveRuleSetResponse(rules=encode_rules(rules))


def create_game(request: pb.CreateGameRequest) -> pb.CreateGameResponse:
    """Make a game that awaits its first deal."""
    problems: list[Problem | None] = [text_problem("id", request.id)]
    dealer = 0
    match request.WhichOneof("first"):
        case "first_dealer":
            dealer = request.first_dealer - 1
            if not 0 <= dealer < 4:
                problems.append(decode.seat_problem("first_dealer", request.first_dealer))
        case "first_dealer_seed":
            seed = request.first_dealer_seed
            problems.append(bytes_problem("first_dealer_seed", seed, deals.SHORTEST_SEED, deals.LONGEST_SEED))
            dealer = deals.first_dealer(seed, request.id)
        case None:
            message = "must be given, or first_dealer_seed"
            problems.append(Problem("first_dealer", ProblemReason.MISSING, message))
    try:
        rules = decode_choice(request)
    except ProblemsError as error:
        raise ProblemsError([problem for problem in problems if problem] + error.problems) from None
    raise_if_any(problems)
    state = game.create(Header(request.id, request.rule_set.preset_id, rules), dealer)
    return pb.CreateGameResponse(game=encode.game(state))


def deal_hand(request: pb.DealHandRequest) -> pb.DealHandResponse:
    """Deal the next hand."""
    state = decode.decode_game(request)
    if not isinstance(state, AwaitingDeal):
        raise ProblemsError(
            [Problem("game.phase", ProblemReason.WRONG_PHASE, "only a game that awaits a deal can be dealt")]
        )
    if not request.HasField("deal"):
        raise missing("deal")
    following, events = game.deal(state, *decode.decode_deal(request.deal, state))
    return pb.DealHandResponse(game=encode.game(following), events=encode.events(events))


def list_legal_moves(request: pb.ListLegalMovesRequest) -> pb.ListLegalMovesResponse:
    """List the legal moves of the seat to act."""
    state = decode.decode_game(request)
    moves = [encode.move(move) for move in game.legal_moves(state)]
    return pb.ListLegalMovesResponse(seat_to_act=encode.seat(seat_to_act(state)), moves=moves)


def validate_move(request: pb.ValidateMoveRequest) -> pb.ValidateMoveResponse:
    """Judge a move."""
    state, move, made_for = _game_and_move(request)
    verdict = game.judge(state, move, made_for)
    if verdict is LEGAL:
        return encode.LEGAL_ANSWER
    return pb.ValidateMoveResponse(verdict=encode.verdict(verdict))


def apply_move(request: pb.ApplyMoveRequest) -> pb.ApplyMoveResponse:
    """Make a move, if it is accepted."""
    state, move, made_for = _game_and_move(request)
    verdict, following, events = game.apply(state, move, made_for)
    response = pb.ApplyMoveResponse(verdict=encode.verdict(verdict))
    if verdict.accepted:
        response.game.CopyFrom(encode.game(following))
        response.events.extend(encode.events(events))
    return response


def score_hand(request: pb.ScoreHandRequest) -> pb.ScoreHandResponse:
    """Score a hand that was played elsewhere."""
    scored = scores.decode_score(request)
    result = scored.result
    after = scoring.add_points(scored.scores, result)
    outcome = scoring.outcome_of(scored.rules, scored.scores, result) if result.lines else None
    return pb.ScoreHandResponse(
        result=encode.result(result),
        scores=after,
        outcome=None if outcome is None else encode.outcome(outcome),
    )


def _game_and_move(request: pb.ValidateMoveRequest | pb.ApplyMoveRequest) -> tuple[State, Move, int | None]:
    """Return the game and the move of a request; what is wrong with either comes back at once."""
    try:
        state = decode.decode_game(request)
    except ProblemsError as error:
        try:
            decode.decode_move(request)
        except ProblemsError as other:
            raise ProblemsError(error.problems + other.problems) from None
        raise
    return state, *decode.decode_move(request)
