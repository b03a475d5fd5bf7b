"""The table: one hand on which everything goes wrong that a backend has to stand."""

from program import attempts, text
from program.game import Backend, Game
from program.seats import VIEWERS
from program.store import Row
from tarneeb.v1 import cards_pb2, game_pb2, rules_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.views_pb2 import VIEWER_SOUTH
from tarneeb_client import TarneebError


def play(backend: Backend) -> None:
    request = pb.CreateGameRequest(id="table-1", first_dealer=cards_pb2.SEAT_EAST)
    request.rule_set.preset_id = "saharat_classic"
    request.rule_set.overrides.target = 31
    request.rule_set.overrides.first_card = rules_pb2.FIRST_CARD_TRUMP
    request.rule_set.overrides.cut = rules_pb2.CUT_REQUIRED
    game = Game(backend, request)
    game.deal()
    for viewer in VIEWERS:
        game.tell(text.view(game.seats.view_of(viewer)))
    game.turn()
    refusals(game)
    race(game)
    reconnect(game)
    while game.seats.public.phase != game_pb2.PHASE_AWAITING_DEAL:
        game.turn()
    game.undo()
    game.turn(trying=False)
    verify(game)
    game.replay(undone=True)
    wrong_request(game)


def refusals(game: Game) -> None:
    """Two calls that are refused: only the mover hears of them, and nothing is stored."""
    seat = game.seats.to_act
    for move in (attempts.bidding(seat, 14), attempts.passing(attempts.at_the_right(seat))):
        answer = game.ask(move, game.row)
        game.backend.checked(good=not answer.snapshot and not answer.revision and not answer.views)
        game.refused(move, answer.verdict)


def race(game: Game) -> None:
    """Two workers and one move: the slower one finds the row changed; after an undo the move is late again."""
    store, move = game.backend.store, game.choice()
    first = second = game.row
    game.apply(move)
    answer = game.ask(move, second)
    late = store.replace(game.id, Row(answer.snapshot, answer.revision), second.revision)
    game.backend.checked(good=not late)
    game.tell(f"lost {text.move(move)} at {first.revision}")
    game.refused(move, game.ask(move, game.row).verdict)
    game.undo()
    game.refused(move, game.ask(move, game.row).verdict)
    game.turn(trying=False)


def reconnect(game: Game) -> None:
    had = game.seats.view_of(VIEWER_SOUTH)
    request = pb.ViewGameRequest(snapshot=game.row.snapshot, viewers=[VIEWER_SOUTH], omit_rules=True)
    (view,) = game.client.view_game(request).views
    game.tell(f"again S {game.backend.checked(good=view == had)}")


def verify(game: Game) -> None:
    """The service's own word on the deal, beside the program's."""
    view, stored = game.seats.public, game_pb2.Game.FromString(game.row.snapshot)
    request = pb.VerifyDealRequest(
        game_id=game.id,
        hand_number=view.hand_number,
        dealer=view.dealer,
        deal_order=game.rules.deal_order,
        seeded=game.seeded,
    )
    request.dealt.hands.extend(stored.hand.dealt)
    answer = game.client.verify_deal(request)
    said = (answer.fair, answer.commitment_matches, answer.cards_match)
    game.tell("verified " + " ".join(game.backend.checked(good=each) for each in said))


def wrong_request(game: Game) -> None:
    """What a request that can't be judged is answered with."""
    request = pb.CreateGameRequest()
    request.rule_set.preset_id = "none"
    try:
        game.client.create_game(request)
    except TarneebError as error:
        # Sorted by bytes, as each language can.
        violations = sorted((each.path, each.reason) for each in error.violations)
        said = "".join(f" | {path} {reason}" for path, reason in violations)
        game.tell(f"error {error.code.name} {error.reason_name} {error.problems}{said}")
    else:
        game.backend.checked(good=False)
