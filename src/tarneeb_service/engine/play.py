"""The card play: which cards are legal, who wins a trick, and where a hand stands after some cards (C5, C6)."""

from collections.abc import Sequence
from typing import NamedTuple

from tarneeb_service.engine import verdicts
from tarneeb_service.engine.cards import BIT, SUIT_MASK
from tarneeb_service.engine.rules import Revoke, RuleSet
from tarneeb_service.engine.state import Play
from tarneeb_service.engine.verdicts import Verdict


def trick_winner(leader: int, trick: Sequence[int], trump: int) -> int:
    """Return the seat that takes a trick of four cards (C6).

    Args:
        leader: The seat that led.
        trick: Four cards in order of play.
        trump: The strain that is trump; no-trump has no cards.
    """
    first, second, third, fourth = trick
    cards = BIT[first] | BIT[second] | BIT[third] | BIT[fourth]
    best = cards & SUIT_MASK[trump] or cards & SUIT_MASK[first >> 4]
    return (leader + trick.index(best.bit_length() - 1)) % 4


def playable(rules: RuleSet, play: Play) -> int:
    """Return the mask of the cards that the seat to act may play (C5, T6)."""
    holding = play.holdings[play.turn]
    trick = play.trick
    if trick:
        return holding & SUIT_MASK[trick[0] >> 4] or holding
    if not play.played and rules.opens_with_trump:
        return holding & SUIT_MASK[play.trump] or holding
    return holding


def judge_card(rules: RuleSet, play: Play, card: int) -> Verdict | None:
    """Return why the seat to act may not play a card, or plays it at the price of the hand; none when legal."""
    seat, trick = play.turn, play.trick
    if not play.holdings[seat] & BIT[card]:
        return verdicts.card_not_held(seat, card)
    if trick and trick[0] >> 4 == card >> 4:
        return None
    allowed = playable(rules, play)
    if allowed & BIT[card]:
        return None
    if not trick:
        return verdicts.must_lead_trump(seat, play.trump, allowed)
    return verdicts.revoke(seat, trick[0] >> 4, allowed, forfeits=rules.revoke is Revoke.FORFEITS)


class Replay(NamedTuple):
    """Where some cards lead, and what is wrong with them, by their index in the order of play."""

    holdings: list[int]
    winners: list[int]
    not_dealt: list[int]
    played_twice: list[int]
    revokes: list[int]


def replay(dealt: Sequence[int], leader: int, trump: int, cards: Sequence[int]) -> Replay:
    """Play cards one after the other, whatever the rules say of them.

    Args:
        dealt: The holdings before the first card, as masks.
        leader: Who leads the first trick.
        trump: The strain that is trump.
        cards: Cards of the deck in order of play.
    """
    holdings = list(dealt)
    result = Replay(holdings, [], [], [], [])
    # This loop runs for every call the service answers, hence its plain style and local names.
    bits, masks, winners = BIT, SUIT_MASK, result.winners
    seat = winner = leader
    led = best = best_suit = 0
    last = 3
    for index, card in enumerate(cards):
        suit = card >> 4
        if suit == best_suit:
            if card > best:
                best, winner = card, seat
        elif not best:
            led, best, best_suit, winner = suit, card, suit, seat
        elif suit == trump:
            best, best_suit, winner = card, suit, seat
        holding = holdings[seat]
        left = holding ^ bits[card]
        if left > holding:
            # Its bit was not there to be taken.
            (result.played_twice if dealt[seat] & bits[card] else result.not_dealt).append(index)
        else:
            if suit != led and holding & masks[led]:
                result.revokes.append(index)
            holdings[seat] = left
        if index == last:
            winners.append(winner)
            seat, last = winner, last + 4
            best = best_suit = 0
        else:
            seat = seat + 1 & 3
    return result


def after(play: Play, card: int) -> Play:
    """Return the play after one more card that the seat to act holds."""
    seat = play.turn
    holdings = list(play.holdings)
    holdings[seat] ^= BIT[card]
    trick = (*play.trick, card)
    winners = play.winners
    if len(trick) == 4:
        winners = (*winners, trick_winner(play.leader, trick, play.trump))
    return Play(
        play.calls,
        play.contract,
        play.trump,
        play.opening_leader,
        (holdings[0], holdings[1], holdings[2], holdings[3]),
        (*play.played, card),
        winners,
    )
