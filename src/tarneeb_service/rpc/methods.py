"""One plain function a method: from a request message to a response message.

They know no gRPC: what can't be judged is a ``ProblemsError`` or a ``NewerRulesError``. ``dispatch`` calls them.
"""

from collections.abc import Callable

from tarneeb.v1 import errors_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_service.engine import game, scoring, shuffle
from tarneeb_service.engine.moves import Move
from tarneeb_service.engine.presets import presets
from tarneeb_service.engine.problems import Problem, ProblemReason, ProblemsError, out_of_range, wrong_count
from tarneeb_service.engine.rules import RULES_REVISION, RuleSet
from tarneeb_service.engine.state import (
    LAST_NUMBER,
    AwaitingDeal,
    Header,
    State,
    deal_of,
    result_of,
    seat_to_act,
)
from tarneeb_service.engine.undo import moves_of_hand, undo
from tarneeb_service.engine.views import views
from tarneeb_service.rpc import fair_deals, replay, score_pad
from tarneeb_service.rpc.games import (
    Form,
    form_of,
    last_revision_problem,
    last_step_problem,
    put_game,
    take_game,
)
from tarneeb_service.rpc.memory import NOTHING, Memory
from tarneeb_service.wire.cards import encode_seat, seat_problem
from tarneeb_service.wire.events import encode_events
from tarneeb_service.wire.game import encode_outcome, encode_result
from tarneeb_service.wire.moves import decode_move, encode_move
from tarneeb_service.wire.problems import (
    MOST_SHOWN,
    NewerRulesError,
    encode_problems,
    fail,
    missing,
    raise_if_any,
    text_problem,
)
from tarneeb_service.wire.records import encode_recorded_hand, seed_problem
from tarneeb_service.wire.rules import decode_choice, encode_preset, encode_rules
from tarneeb_service.wire.verdicts import encode_verdict
from tarneeb_service.wire.views import decode_viewers, put_views

# Documented maxima: a batch, and the detailed steps of a replay.
MOST_ITEMS, MOST_DETAILED_STEPS = 256, 1_000
# Items of a batch and steps of a replay between two rests: about a millisecond.
ITEMS_TO_REST, STEPS_TO_REST = 16, 64
# Called now and then by what takes long; what it raises ends the call.
Rest = Callable[[], object]

_AskingViews = (
    pb.CreateGameRequest
    | pb.DealHandRequest
    | pb.ApplyMoveRequest
    | pb.UndoMoveRequest
    | pb.ViewGameRequest
    | pb.ReplayGameRequest
)
_WithViews = (
    pb.CreateGameResponse
    | pb.DealHandResponse
    | pb.ApplyMoveResponse
    | pb.UndoMoveResponse
    | pb.ViewGameResponse
    | pb.ReplayedStep
)


def list_rule_sets(_request: pb.ListRuleSetsRequest) -> pb.ListRuleSetsResponse:
    """List the presets."""
    return pb.ListRuleSetsResponse(
        rule_sets=[encode_preset(preset) for preset in presets().values()], rules_revision=RULES_REVISION
    )


def resolve_rule_set(request: pb.ResolveRuleSetRequest) -> pb.ResolveRuleSetResponse:
    """Resolve a preset and its overrides; problems are an answer."""
    try:
        rules = _rules(request)
    except ProblemsError as error:
        return pb.ResolveRuleSetResponse(problems=encode_problems(error.problems))
    return pb.ResolveRuleSetResponse(rules=encode_rules(rules))


def create_game(request: pb.CreateGameRequest, memory: Memory = NOTHING) -> pb.CreateGameResponse:
    """Make a game that awaits its first deal."""
    problems: list[Problem | None] = [text_problem("id", request.id)]
    dealer = 0
    match request.WhichOneof("first"):
        case "first_dealer":
            dealer = request.first_dealer - 1
            problems.append(seat_problem("first_dealer", request.first_dealer))
        case "first_dealer_seed":
            problems.append(seed_problem("first_dealer_seed", request.first_dealer_seed))
        case None:
            message = "must be given, or first_dealer_seed"
            problems.append(Problem("first_dealer", ProblemReason.MISSING, message))
    try:
        rules = _rules(request)
    except ProblemsError as error:
        raise ProblemsError([problem for problem in problems if problem] + error.problems) from None
    raise_if_any(problems)
    if request.WhichOneof("first") == "first_dealer_seed":
        dealer = shuffle.first_dealer(request.first_dealer_seed, request.id)
    viewers = decode_viewers(request.viewers)
    form = form_of(request.form)
    state = game.create(Header(request.id, request.rule_set.preset_id, rules), dealer)
    response = pb.CreateGameResponse()
    _put_views(response, state, viewers, request)
    put_game(response, state, form, memory)
    return response


def deal_hand(request: pb.DealHandRequest, memory: Memory = NOTHING) -> pb.DealHandResponse:
    """Deal the next hand."""
    state, stored = take_game(request, memory)
    if not isinstance(state, AwaitingDeal):
        raise ProblemsError(
            [
                Problem(
                    f"{stored}.phase",
                    ProblemReason.WRONG_PHASE,
                    "only a game that awaits a deal can be dealt",
                )
            ]
        )
    if not request.HasField("deal"):
        raise missing("deal")
    raise_if_any([last_step_problem(state, stored)])
    viewers = decode_viewers(request.viewers)
    following, events = game.deal(state, *fair_deals.dealt_hands(request.deal, state, "deal"))
    response = pb.DealHandResponse(events=encode_events(events))
    _put_views(response, following, viewers, request)
    put_game(response, following, (stored,), memory)
    return response


def list_legal_moves(
    request: pb.ListLegalMovesRequest, memory: Memory = NOTHING
) -> pb.ListLegalMovesResponse:
    """List the legal moves of the seat to act."""
    state, _ = take_game(request, memory)
    moves = [encode_move(move) for move in game.legal_moves(state)]
    return pb.ListLegalMovesResponse(seat_to_act=encode_seat(seat_to_act(state)), moves=moves)


def validate_move(request: pb.ValidateMoveRequest, memory: Memory = NOTHING) -> pb.ValidateMoveResponse:
    """Judge a move."""
    state, _, move, made_for = _game_and_move(request, memory)
    return pb.ValidateMoveResponse(verdict=encode_verdict(game.judge(state, move, made_for)))


def apply_move(request: pb.ApplyMoveRequest, memory: Memory = NOTHING) -> pb.ApplyMoveResponse:
    """Make a move, if it is accepted."""
    state, stored, move, made_for = _game_and_move(request, memory)
    viewers = decode_viewers(request.viewers)
    verdict, following, events = game.apply(state, move, made_for)
    if not verdict.accepted:
        return pb.ApplyMoveResponse(verdict=encode_verdict(verdict))
    response = pb.ApplyMoveResponse(
        verdict=encode_verdict(verdict),
        events=encode_events(events),
    )
    _put_views(response, following, viewers, request)
    ended = deal_of(following)
    if ended is not None and result_of(following) is not None:
        response.hand_record.CopyFrom(encode_recorded_hand(ended, moves_of_hand(following)))
    put_game(response, following, (stored,), memory)
    return response


def undo_move(request: pb.UndoMoveRequest, memory: Memory = NOTHING) -> pb.UndoMoveResponse:
    """Take back the last move of the current hand."""
    state, stored = take_game(request, memory)
    undone = undo(state)
    if undone is None:
        message = "has no move in its current hand to take back, and a deal stays: go on from here"
        raise fail(stored, ProblemReason.WRONG_PHASE, message)
    raise_if_any([last_revision_problem(state, stored)])
    viewers = decode_viewers(request.viewers)
    before, move, events = undone
    response = pb.UndoMoveResponse(
        undone=encode_move(move),
        events=encode_events(events),
    )
    _put_views(response, before, viewers, request)
    put_game(response, before, (stored,), memory)
    return response


def validate_moves(
    request: pb.ValidateMovesRequest,
    rest: Rest = lambda: None,
    most: int = MOST_ITEMS,
    memory: Memory = NOTHING,
) -> pb.ValidateMovesResponse:
    """Judge many moves; an item that can't be judged says so for itself."""
    if len(request.items) > most:
        message = f"at most {most} items, not {len(request.items)}: send the rest in another call"
        raise ProblemsError([wrong_count("items", 0, most, message)])
    response = pb.ValidateMovesResponse()
    for number, item in enumerate(request.items, start=1):
        response.results.append(_result_of(item, memory))
        if not number % ITEMS_TO_REST:
            rest()
    return response


def replay_game(request: pb.ReplayGameRequest, rest: Rest = lambda: None) -> pb.ReplayGameResponse:
    """Play a record again, up to the first step that is refused."""
    if not request.HasField("record"):
        raise missing("record")
    record = request.record
    start = replay.start(record)
    viewers = decode_viewers(request.viewers)
    detail = request.step_detail
    if detail not in pb.StepDetail.values():
        raise fail("step_detail", ProblemReason.UNKNOWN_VALUE, f"{detail} is no step detail")
    if detail == pb.STEP_DETAIL_VIEWS and not viewers:
        raise missing("viewers", "name at least one viewer, or ask for events or games")
    form = form_of(request.form)
    if request.step_limit > MOST_DETAILED_STEPS:
        raise ProblemsError([out_of_range("step_limit", 0, MOST_DETAILED_STEPS)])
    first = request.first_step or 1
    wanted = range(first, first + (request.step_limit or MOST_DETAILED_STEPS)) if detail else range(0)
    response = pb.ReplayGameResponse(total_steps=replay.step_count(record))
    state: State = start
    for number, reached in enumerate(
        replay.play(record, start, check_revisions=request.check_revisions), start=1
    ):
        if not number % STEPS_TO_REST:
            rest()
        if isinstance(reached, replay.Refusal):
            response.refused.CopyFrom(_refused_step(reached))
            break
        state = reached.state
        response.accepted_steps = number
        if number in wanted:
            response.steps.append(_replayed_step(reached, request, viewers, form))
    put_game(response, state, form)
    return response


def validate_game(request: pb.ValidateGameRequest, memory: Memory = NOTHING) -> pb.ValidateGameResponse:
    """Name every problem in a game; they are an answer."""
    if request.WhichOneof("stored") is None:
        raise missing("game", "is required, or snapshot")
    try:
        take_game(request, memory)
    except ProblemsError as error:
        return pb.ValidateGameResponse(problems=encode_problems(error.problems))
    return pb.ValidateGameResponse()


def view_game(request: pb.ViewGameRequest, memory: Memory = NOTHING) -> pb.ViewGameResponse:
    """Show a game to viewers."""
    state, _ = take_game(request, memory)
    if not request.viewers:
        raise missing("viewers", "name at least one viewer")
    viewers = decode_viewers(request.viewers)
    response = pb.ViewGameResponse()
    _put_views(response, state, viewers, request)
    return response


def commit_deal(request: pb.CommitDealRequest) -> pb.CommitDealResponse:
    """Hash a seed for the players to see before the deal."""
    return pb.CommitDealResponse(commitment=fair_deals.commit(request))


def verify_deal(request: pb.VerifyDealRequest) -> pb.VerifyDealResponse:
    """Compare seed, cut, commitment and cards."""
    return fair_deals.verify(request)


def score_hand(request: pb.ScoreHandRequest) -> pb.ScoreHandResponse:
    """Score a hand that was played elsewhere."""
    scored = score_pad.decode_score(request)
    result = scored.result
    after = scoring.add_points(scored.scores, result)
    outcome = scoring.outcome_of(scored.rules, scored.scores, result) if result.lines else None
    return pb.ScoreHandResponse(
        result=encode_result(result),
        scores=after,
        outcome=None if outcome is None else encode_outcome(outcome),
    )


def _rules(request: pb.ResolveRuleSetRequest | pb.CreateGameRequest) -> RuleSet:
    return decode_choice(request.rule_set if request.HasField("rule_set") else None)


def _move(request: pb.ValidateMoveRequest | pb.ApplyMoveRequest) -> tuple[Move, int | None]:
    if not request.HasField("move"):
        raise missing("move")
    return decode_move(request.move, "move")


def _put_views(response: _WithViews, state: State, viewers: list[int], request: _AskingViews) -> None:
    put_views(response.views, views(state, viewers), omit_rules=request.omit_rules)


def _game_and_move(
    request: pb.ValidateMoveRequest | pb.ApplyMoveRequest, memory: Memory
) -> tuple[State, str, Move, int | None]:
    """Return the game and the move of a request; what is wrong with either comes back at once."""
    try:
        state, stored = take_game(request, memory)
    except ProblemsError as error:
        try:
            _move(request)
        except ProblemsError as other:
            raise ProblemsError(error.problems + other.problems) from None
        raise
    move, made_for = _move(request)
    if state.revision >= LAST_NUMBER:
        raise_if_any([last_step_problem(state, stored)])
    return state, stored, move, made_for


def _result_of(item: pb.ValidateMoveRequest, memory: Memory) -> pb.MoveResult:
    # Judging the item reads a snapshot into its game.
    stored = item.WhichOneof("stored")
    try:
        return pb.MoveResult(verdict=validate_move(item, memory).verdict)
    except ProblemsError as error:
        found, reason = error.problems, errors_pb2.ERROR_REASON_INVALID_REQUEST
    except NewerRulesError as error:
        found = [out_of_range(f"{stored}.rules_revision", 1, RULES_REVISION, str(error))]
        reason = errors_pb2.ERROR_REASON_NEWER_RULES
    problems = encode_problems(found[:MOST_SHOWN])
    return pb.MoveResult(
        problems=pb.RequestProblems(reason=reason, problems=problems, problem_count=len(found))
    )


def _refused_step(refusal: replay.Refusal) -> pb.RefusedStep:
    step = refusal.step
    refused = pb.RefusedStep(
        hand_number=step.hand_number,
        move_number=step.move_number,
        move=step.move,
        verdict=None if refusal.verdict is None else encode_verdict(refusal.verdict),
        problems=encode_problems(refusal.problems[:MOST_SHOWN]),
    )
    # The move is the caller's own; what else he put into it is not ours to say.
    refused.DiscardUnknownFields()
    return refused


def _replayed_step(
    reached: replay.Reached, request: pb.ReplayGameRequest, viewers: list[int], form: Form
) -> pb.ReplayedStep:
    step, state, detail = reached.step, reached.state, request.step_detail
    shown = viewers if detail == pb.STEP_DETAIL_VIEWS else []
    replayed = pb.ReplayedStep(
        hand_number=step.hand_number,
        move_number=step.move_number,
        events=encode_events(reached.events),
    )
    _put_views(replayed, state, shown, request)
    if detail == pb.STEP_DETAIL_GAMES:
        put_game(replayed, state, form)
    return replayed
