"""One whole game through the service, every state of it held against the oracle."""

import random
from collections import Counter
from dataclasses import dataclass, field
from threading import Event
from typing import NoReturn

import grpc

from tarneeb.v1 import cards_pb2, game_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb.v1.tarneeb_service_pb2_grpc import TarneebServiceStub
from tarneeb.v1.verdicts_pb2 import RefusalReason, Ruling
from tests.oracle.referee import Referee
from tests.oracle.rule_sets import RULE_SETS
from tools.demo import players
from tools.demo.oracle import TEXTS, differences, expected_game, oracle_move
from tools.demo.refusals import refused_trial

# No game of sensible players comes near; one that does has lost its end.
MOST_HANDS = 400
TRIALS_SHARE = 0.04


class Stopped(Exception):
    """The demo ends before the game does."""


class Disagreement(Exception):
    """The service and the oracle differ."""


@dataclass
class Tally:
    """What happened in some games."""

    games: int = 0
    hands: int = 0
    moves: int = 0
    redeals: int = 0
    winners: Counter[int] = field(default_factory=Counter)
    tried: int = 0
    refused: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        self.games += other.games
        self.hands += other.hands
        self.moves += other.moves
        self.redeals += other.redeals
        self.winners += other.winners
        self.tried += other.tried
        self.refused += other.refused
        self.reasons += other.reasons


class Table:
    """A game in progress: what the service says of it, and what the oracle says."""

    def __init__(self, channel: grpc.Channel, rule_set: str, number: int, seed: int, stop: Event) -> None:
        self.stop = stop
        self.chance = random.Random(f"{seed} {rule_set} {number}")
        self.stub = TarneebServiceStub(channel)
        self.tally = Tally()
        self.steps = 0
        self.name = f"{rule_set}, game {number}"
        dealer = self.chance.randrange(4)
        self.referee = Referee(RULE_SETS[rule_set], dealer)
        request = pb.CreateGameRequest(
            id=f"demo-{rule_set}-{number}", first_dealer=cards_pb2.Seat.ValueType(dealer + 1)
        )
        request.rule_set.preset_id = rule_set
        self.start = self.stub.CreateGame(request).game
        wrong = differences(self.start.rules, RULE_SETS[rule_set])
        if wrong:
            self.disagree("the rules: " + "; ".join(wrong))
        self.game = self.start
        self.compare(self.start)

    def play(self) -> Tally:
        """Play to the end."""
        while self.referee.phase != "game_over":
            if self.referee.hand_number == MOST_HANDS:
                self.disagree(f"no winner after {MOST_HANDS} hands")
            self.deal()
            while self.referee.turn is not None:
                if self.chance.random() < TRIALS_SHARE:
                    self.try_refused()
                self.move()
            self.tally.hands += 1
            self.tally.redeals += self.referee.result is not None and not self.referee.result["lines"]
            self.try_refused()
        self.tally.games = 1
        winner = self.referee.winner
        assert winner is not None
        self.tally.winners[winner] += 1
        return self.tally

    def deal(self) -> None:
        if self.stop.is_set():
            raise Stopped
        request = pb.DealHandRequest(game=self.game)
        request.deal.seeded.seed = self.chance.randbytes(32)
        request.deal.seeded.cut = self.chance.randbytes(8)
        game = self.stub.DealHand(request).game
        hands = [[TEXTS[card] for card in dealt.cards] for dealt in game.hand.dealt]
        turned = game.hand.turned_card
        try:
            self.referee.deal(hands, TEXTS[turned] if turned else None)
        except ValueError as error:
            self.disagree(f"the deal: {error}")
        self.compare(game)

    def move(self) -> None:
        """Let the seat to act choose among the legal moves, and make its move."""
        answer = self.stub.ListLegalMoves(pb.ListLegalMovesRequest(game=self.game))
        messages = {oracle_move(message): message for message in answer.moves}
        legal = self.referee.legal()
        if sorted(messages, key=str) != sorted(legal, key=str):
            self.disagree(f"legal moves: the service has {list(messages)}, the oracle {legal}")
        seat = self.referee.turn
        assert seat is not None
        chosen = players.choose(self.referee, legal, self.chance)
        made = self.stub.ApplyMove(pb.ApplyMoveRequest(game=self.game, move=messages[chosen]))
        if made.verdict.ruling != Ruling.RULING_LEGAL:
            self.disagree(f"{chosen} is legal, the service says {made.verdict.message!r}")
        self.referee.move(seat, chosen)
        self.tally.moves += 1
        self.compare(made.game)

    def try_refused(self) -> None:
        """Try a move that must be refused."""
        trial = refused_trial(self.referee, self.steps, self.chance)
        answer = self.stub.ApplyMove(pb.ApplyMoveRequest(game=self.game, move=trial.move))
        verdict = answer.verdict
        self.tally.tried += 1
        if (verdict.ruling, verdict.reason) != (Ruling.RULING_REFUSED, trial.reason):
            wanted, said = RefusalReason.Name(trial.reason), RefusalReason.Name(verdict.reason)
            self.disagree(f"{_text(trial.move)} must be refused with {wanted}, the service says {said}")
        if answer.HasField("game") or answer.events or not verdict.message:
            self.disagree(f"{_text(trial.move)} was refused, yet something came of it")
        self.tally.refused += 1
        self.tally.reasons[RefusalReason.Name(trial.reason)] += 1

    def compare(self, game: game_pb2.Game) -> None:
        """Take the next state, when it is the oracle's."""
        if game is not self.start:
            self.steps += 1
        expected = expected_game(self.referee, self.start, self.steps)
        if game != expected:
            self.disagree(_difference(game, expected))
        self.game = game

    def disagree(self, what: str) -> NoReturn:
        raise Disagreement(f"{self.name}, revision {self.steps}: {what}")


def _difference(game: game_pb2.Game, expected: game_pb2.Game) -> str:
    for said, wanted, place in ((game, expected, "game"), (game.hand, expected.hand, "game.hand")):
        for name in said.DESCRIPTOR.fields_by_name:
            if name != "hand" and getattr(said, name) != getattr(wanted, name):
                return f"{place}.{name} is {_text(getattr(said, name))}, the oracle has {_text(getattr(wanted, name))}"
    return "the games differ"


def _text(value: object) -> str:
    return " ".join(str(value).split())
