"""One game as a backend runs it: its row in the store, its seats, its record."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from program import attempts, text
from program.seats import VIEWERS, Seats
from program.store import Row, Store
from program.words import Words
from tarneeb.v1 import cards_pb2, events_pb2, game_pb2, moves_pb2, records_pb2, rules_pb2, verdicts_pb2
from tarneeb.v1 import tarneeb_service_pb2 as pb
from tarneeb_client import Client, fair_deals
from tarneeb_client.choosing import choose


@dataclass
class Backend:
    """What all games share; ``tell`` prints a line of the transcript, ``log`` a view."""

    client: Client
    store: Store
    words: Words
    tell: Callable[[str], None]
    log: Callable[[str], None]
    # Whether every check came out well.
    sound: bool = True

    def checked(self, *, good: bool) -> str:
        self.sound = self.sound and good
        return text.check(good=good)


class Game:
    """A game from CreateGame to its end."""

    def __init__(self, backend: Backend, request: pb.CreateGameRequest) -> None:
        """Create it, store it, and start its record."""
        self.backend, self.id = backend, request.id
        self.seats = Seats(backend.log)
        self.said: set[tuple[int, str]] = set()
        request.viewers[:] = VIEWERS
        request.form = pb.GAME_FORM_SNAPSHOT
        made = backend.client.create_game(request)
        backend.store.add(self.id, Row(made.snapshot, made.revision))
        self.seats.send(made.views)
        first = self.seats.public
        self.rules: rules_pb2.RuleSet = first.rules
        self.record = records_pb2.GameRecord(
            id=self.id,
            rule_set=rules_pb2.RuleSetChoice(preset_id=first.preset_id, overrides=first.rules),
            first_dealer=first.next_dealer,
            rules_revision=first.rules_revision,
        )
        self.tell(f"game {self.id} {first.preset_id} dealer {text.SEATS[first.next_dealer]}")

    @property
    def tell(self) -> Callable[[str], None]:
        return self.backend.tell

    @property
    def client(self) -> Client:
        return self.backend.client

    @property
    def row(self) -> Row:
        return self.backend.store.load(self.id)

    def stored(self, row: Row, read: Row) -> None:
        """Keep the next row; here nobody else writes, so that it can't fail."""
        if not self.backend.store.replace(self.id, row, read.revision):
            raise RuntimeError(f"somebody else moved in {self.id}")

    def deal(self) -> None:
        """Deal the next hand from a seed that the players were shown the commitment of, and a player's cut."""
        view, read = self.seats.public, self.row
        hand = view.hand_number + 1
        seed, cut = digest(f"seed {self.id} {hand}"), digest(f"cut {self.id} {hand}")[:16]
        commit = pb.CommitDealRequest(game_id=self.id, hand_number=hand, seed=seed)
        shown = self.client.commit_deal(commit).commitment
        self.tell(f"commit {hand} {shown.hex()}")
        self.tell(f"cut {hand} {text.SEATS[view.cutter]} {cut.hex()}")
        self.seeded = records_pb2.SeededDeal(seed=seed, commitment=shown, cut=cut)
        request = pb.DealHandRequest(
            snapshot=read.snapshot,
            deal=records_pb2.Deal(seeded=self.seeded),
            viewers=VIEWERS,
            omit_rules=True,
        )
        dealt = self.client.deal_hand(request)
        self.stored(Row(dealt.snapshot, dealt.revision), read)
        self.seats.send(dealt.views)
        self.held = [list(self.seats.view_of(seat).hand.holding) for seat in VIEWERS[:4]]
        self.step(dealt.revision, dealt.events)

    def turn(self, *, trying: bool = True) -> None:
        """Let the seat to act choose from its own view, and make its move."""
        if trying and self.seats.public.hand_number == 1:
            seat = self.seats.to_act
            self.attempt(attempts.before_a_turn(seat, self.seats.view_of(seat), self.row.revision))
        self.apply(self.choice())

    def attempt(self, moves: Iterable[moves_pb2.Move]) -> None:
        """Have moves judged, all in one call; the first refusal of each kind is said."""
        snapshot = self.row.snapshot
        items = [pb.ValidateMoveRequest(snapshot=snapshot, move=move) for move in moves]
        results = self.client.validate_moves(pb.ValidateMovesRequest(items=items)).results
        for item, result in zip(items, results, strict=True):
            verdict = result.verdict
            if result.WhichOneof("result") != "verdict":
                raise RuntimeError(f"{item.move} could not be judged: {result.problems}")
            kind = (verdict.reason, verdict.rule_id)
            if verdict.ruling == verdicts_pb2.RULING_REFUSED and kind not in self.said:
                self.said.add(kind)
                self.refused(item.move, verdict)

    def choice(self) -> moves_pb2.Move:
        view = self.seats.view_of(self.seats.to_act)
        chosen = moves_pb2.Move()
        chosen.CopyFrom(choose(view))
        chosen.revision = view.revision
        return chosen

    def apply(self, move: moves_pb2.Move) -> None:
        """Make a move that is legal; its end of a hand or game brings what comes with it."""
        read = self.row
        answer = self.ask(move, read)
        if answer.verdict.ruling == verdicts_pb2.RULING_REFUSED:
            raise RuntimeError(f"{text.move(move)} was refused: {answer.verdict.message}")
        self.stored(Row(answer.snapshot, answer.revision), read)
        self.seats.send(answer.views)
        self.step(answer.revision, answer.events)
        if answer.HasField("hand_record"):
            self.hand_ended(answer.hand_record)

    def ask(self, move: moves_pb2.Move, row: Row) -> pb.ApplyMoveResponse:
        request = pb.ApplyMoveRequest(snapshot=row.snapshot, move=move, viewers=VIEWERS, omit_rules=True)
        return self.client.apply_move(request)

    def undo(self) -> None:
        """Take back the last move; a hand that it opens again leaves the record."""
        read = self.row
        request = pb.UndoMoveRequest(snapshot=read.snapshot, viewers=VIEWERS, omit_rules=True)
        answer = self.client.undo_move(request)
        self.stored(Row(answer.snapshot, answer.revision), read)
        self.seats.send(answer.views)
        self.step(answer.revision, answer.events)
        if any(event.move_undone.hand_reopened for event in answer.events):
            del self.record.hands[-1]
            self.tell(self.seats.digests())

    def refused(self, move: moves_pb2.Move, verdict: verdicts_pb2.Verdict) -> None:
        """Tell the mover why, in Arabic."""
        reason = verdicts_pb2.RefusalReason.Name(verdict.reason).removeprefix("REFUSAL_REASON_")
        sentence = self.backend.words.refusal(move, verdict)
        self.tell(f"no {text.move(move)} {reason} {verdict.rule_id} | {sentence}")

    def step(self, revision: int, events: Sequence[events_pb2.Event]) -> None:
        self.tell(f"{revision} {text.events(events)}")

    def hand_ended(self, record: records_pb2.RecordedHand) -> None:
        """Append the hand, show the seed, and check the deal as any player can."""
        dealt, dealer = record.deal.hands, self.seats.public.dealer
        hand = self.record.hands.add(deal=records_pb2.Deal(seeded=self.seeded), moves=record.moves)
        self.tell(self.seats.digests())
        number, seeded = len(self.record.hands), hand.deal.seeded
        deck = fair_deals.deck(seeded.seed, seeded.cut, self.id, number)
        packets = self.rules.deal_order == rules_pb2.DEAL_ORDER_PACKETS
        hands = fair_deals.hands(deck, dealer, packets=packets)
        fair = (
            fair_deals.commitment(seeded.seed, self.id, number) == seeded.commitment
            and hands == [list(each.cards) for each in dealt.hands]
            and hands == self.held
            and dealt.turned_card in (cards_pb2.CARD_UNSPECIFIED, deck[-1])
            and dealt.turned_card == self.seats.public.hand.turned_card
        )
        self.tell(f"fair {number} {seeded.seed.hex()} {self.backend.checked(good=fair)}")

    def replay(self, *, undone: bool = False) -> None:
        """Play the record again: it leads to the game that is stored; with undos that one's revision is ahead."""
        request = pb.ReplayGameRequest(record=self.record, form=pb.GAME_FORM_SNAPSHOT)
        answer = self.client.replay_game(request)
        reached = game_pb2.Game.FromString(answer.snapshot)
        here = game_pb2.Game.FromString(self.row.snapshot)
        if undone:
            reached.revision = here.revision
        whole = answer.accepted_steps == answer.total_steps and not answer.HasField("refused")
        check = self.backend.checked(good=whole and reached == here)
        self.tell(f"replay {answer.accepted_steps}/{answer.total_steps} {check}")


def digest(words: str) -> bytes:
    """Bytes that stand for random ones, so that all programs deal alike."""
    return sha256(words.encode()).digest()
