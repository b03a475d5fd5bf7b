"""The rules of Tarneeb: games made, dealt, bid for, played, viewed and checked, and no network.

A hand from a seed, its auction, and two cards of its play:

>>> from tarneeb_service.engine.cards import CARD_OF_TEXT, SPADES, cards_of, cards_text
>>> from tarneeb_service.engine.deals import deal_deck
>>> from tarneeb_service.engine.presets import resolve
>>> from tarneeb_service.engine.shuffle import shuffled_deck
>>> north, west, south, east = range(4)
>>> rules = resolve("saharat_classic", {})
>>> state = create(Header("example", "saharat_classic", rules), first_dealer=north)
>>> deck = shuffled_deck(b"sixteen bytes...", b"", "example", state.next_number)
>>> dealt, _ = deal_deck(deck, state.next_dealer, rules.deal_order)
>>> state, events = deal(state, dealt, turned=None)
>>> for move in (Bid(west, 7), Pass(south), Pass(east), Pass(north), NameTrump(west, SPADES)):
...     verdict, state, events = apply(state, move)
>>> events
[TrumpNamed(seat=1, strain=4)]
>>> verdict, state, events = apply(state, PlayCard(west, CARD_OF_TEXT["DQ"]))
>>> judge(state, PlayCard(south, CARD_OF_TEXT["SJ"])).message
'South must follow diamonds: holds D2 D4 D9 DK.'
>>> cards_text(move.card for move in legal_moves(state))
'D2 D4 D9 DK'
>>> cards_text(cards_of(view(state, east).holding))
'C2 C8 CA D5 DJ DA H4 HT S2 S3 S9 ST SA'

A move that was not meant is taken back, in a game whose revision goes on:

>>> state, move, events = undo(state)
>>> move, events
(PlayCard(seat=1, card=44), [MoveUndone(hand_number=1, move=PlayCard(seat=1, card=44), reopened=False)])

``check`` makes a state of a ``Snapshot``, a game as somebody stored it, or says all that is wrong with it.
"""

from tarneeb_service.engine.check import check
from tarneeb_service.engine.game import apply, create, deal, judge, legal_moves
from tarneeb_service.engine.moves import Bid, Double, NameTrump, Pass, PlayCard
from tarneeb_service.engine.problems import ProblemsError
from tarneeb_service.engine.snapshot import Snapshot
from tarneeb_service.engine.state import Header, State
from tarneeb_service.engine.undo import undo
from tarneeb_service.engine.verdicts import Verdict
from tarneeb_service.engine.views import SPECTATOR, view

__all__ = [
    "SPECTATOR",
    "Bid",
    "Double",
    "Header",
    "NameTrump",
    "Pass",
    "PlayCard",
    "ProblemsError",
    "Snapshot",
    "State",
    "Verdict",
    "apply",
    "check",
    "create",
    "deal",
    "judge",
    "legal_moves",
    "undo",
    "view",
]
