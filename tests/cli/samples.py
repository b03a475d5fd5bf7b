"""Records to look at: real games of simple players, the same ones every time."""

import json
import random
from collections.abc import Iterable, Sequence

from tarneeb.v1 import records_pb2
from tarneeb_service.engine import game
from tarneeb_service.engine.cards import DECK, STRAIN_NAMES
from tarneeb_service.engine.moves import Bid, Double, Move, NameTrump, Pass, PlayCard
from tarneeb_service.engine.play import trick_winner
from tarneeb_service.engine.state import AwaitingDeal, GameOver, InAuction, InPlay, NamingTrump, State
from tarneeb_service.record_text.lines import parse_record
from tarneeb_service.rpc import replay
from tarneeb_service.rpc.fair_deals import dealt_hands
from tarneeb_service.wire.cards import encode_card, encode_cards
from tarneeb_service.wire.moves import encode_move

NORTH, WEST, SOUTH, EAST = range(4)
SEED = bytes.fromhex("8f14e45fceea167a5a36dedd4bea2543")


class Recorder:
    """Plays a game and keeps its record."""

    def __init__(self, preset: str, overrides: str = "", game_id: str = "g-1", chance: int = 1) -> None:
        head = f"tarneeb-record 1\nid {json.dumps(game_id)}\nrules {preset} {overrides}\ndealer North\n"
        self.record = parse_record(head)
        self.state: State = replay.start(self.record)
        self.chance = random.Random(chance)

    def deal(self, seed: bytes = b"") -> "Recorder":
        """Deal the next hand: shuffled hands, or from a seed."""
        assert isinstance(self.state, AwaitingDeal)
        deal = records_pb2.Deal()
        if seed:
            deal.seeded.seed = seed
            deal.seeded.cut = b"cut"
        else:
            deck = list(DECK)
            self.chance.shuffle(deck)
            hands = [sorted(deck[start : start + 13]) for start in range(0, 52, 13)]
            for hand in hands:
                deal.hands.hands.add(cards=encode_cards(hand))
            if self.state.header.rules.turns_card:
                deal.hands.turned_card = encode_card(hands[self.state.next_dealer][6])
        self.record.hands.add(deal=deal)
        self.state, _ = game.deal(self.state, *dealt_hands(deal, self.state, "deal"))
        return self

    def move(self, *moves: Move) -> "Recorder":
        """Make moves that the rules accept."""
        for move in moves:
            verdict, self.state, _ = game.apply(self.state, move)
            assert verdict.accepted, verdict.message
            self.record.hands[-1].moves.append(encode_move(move))
        return self

    def call(self, text: str) -> "Recorder":
        """Make calls: ``W:8 S:P E:9H N:X``."""
        return self.move(*map(_call, text.split()))

    def name(self, suit: str) -> "Recorder":
        """Name trump."""
        assert isinstance(self.state, NamingTrump)
        return self.move(NameTrump(self.state.contract.declarer, STRAIN_NAMES.index(suit)))

    def play(self, cards: int = 52) -> "Recorder":
        """Play so many cards: each wins the trick if he can, from the second seat on as cheaply as he can."""
        for _ in range(cards):
            if not isinstance(self.state, InPlay):
                break
            self.move(_chosen(self.state, game.legal_moves(self.state)))
        return self

    def whole_game(self) -> "Recorder":
        """Deal and play until somebody wins."""
        while not isinstance(self.state, GameOver):
            if isinstance(self.state, AwaitingDeal):
                self.deal()
            elif isinstance(self.state, InAuction):
                # The low bids and the last call: else nearly every auction goes to thirteen.
                moves = game.legal_moves(self.state)
                self.move(self.chance.choice([*moves[:2], moves[-1]]))
            elif isinstance(self.state, NamingTrump):
                self.move(self.chance.choice(game.legal_moves(self.state)))
            else:
                self.play()
        return self


def _call(text: str) -> Move:
    seat, call = "NWSE".index(text[0]), text[2:]
    if call == "P":
        return Pass(seat)
    if call == "X":
        return Double(seat)
    digits = call.rstrip("CDHSNT")
    strain = ("", "C", "D", "H", "S", "NT").index(call[len(digits) :])
    return Bid(seat, int(digits), strain or None)


def _chosen(state: InPlay, moves: Iterable[Move]) -> PlayCard:
    cards: Sequence[int] = sorted(
        (move.card for move in moves if isinstance(move, PlayCard)), key=lambda c: c & 15
    )
    play, seat = state.play, state.play.turn
    trick = play.trick
    if not trick:
        return PlayCard(seat, cards[-1])
    winning = [card for card in cards if _wins(play.leader, (*trick, card), play.trump, seat)]
    return PlayCard(seat, winning[0] if winning else cards[0])


def _wins(leader: int, cards: tuple[int, ...], trump: int, seat: int) -> bool:
    """Whether the last of some cards is the best so far; low cards of another suit fill the trick up."""
    other = next(suit for suit in (1, 2, 3, 4) if suit not in (trump, cards[0] >> 4))
    filled = (*cards, *([other * 16 + 2] * (4 - len(cards))))
    return trick_winner(leader, filled, trump) == seat


def three_hands() -> Recorder:
    """The record of docs/records.md: a hand that fails, a void one, one dealt from a seed."""
    recorder = Recorder("saharat_classic", '{"target":31}', "ticket-2041")
    recorder.deal().call("W:7 S:P E:P N:8 W:9 N:P").name("diamonds").play()
    recorder.deal().call("S:P E:P N:P W:P")
    return recorder.deal(SEED).call("E:P N:P W:P S:7").name("spades").play()


def middle_of_a_hand() -> Recorder:
    recorder = Recorder("saharat_classic", '{"target":31}', "ticket-2041")
    return recorder.deal().call("W:7 S:P E:P N:8 W:9 N:P").name("diamonds").play(11)
