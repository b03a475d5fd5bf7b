"""The card play: which cards are legal, who wins a trick, and where a hand stands after some cards (C5, C6)."""

from collections.abc import Sequence
from typing import NamedTuple

from tarneeb_service.engine import verdicts
from tarneeb_service.engine.cards import BIT, SUIT_MASK
from tarneeb_service.engine.rules import FirstCard, Revoke, RuleSet
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
    if not play.played and rules.first_card is FirstCard.TRUMP:
        return holding & SUIT_MASK[play.trump] or holding
    return holding


def judge_card(rules: RuleSet, play: Play, card: int) -> Verdict | None:
    """Return why the seat to act may not play a card, or plays it at the price of the hand; none when legal."""
    seat = play.turn
    if not play.holdings[seat] & BIT[card]:
        return verdicts.card_not_held(seat, card)
    allowed = playable(rules, play)
    if allowed & BIT[card]:
        return None
    trick = play.trick
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
    seat = winner = leader
    led = best = best_suit = 0
    # This loop runs for every call the service answers, hence its plain style.
    for index, card in enumerate(cards):
        suit = card >> 4
        if not index & 3:
            led, best, best_suit, winner = suit, card, suit, seat
        elif suit == best_suit:
            if card > best:
                best, winner = card, seat
        elif suit == trump:
            best, best_suit, winner = card, suit, seat
        bit, holding = BIT[card], holdings[seat]
        if not holding & bit:
            (result.played_twice if dealt[seat] & bit else result.not_dealt).append(index)
        else:
            if suit != led and holding & SUIT_MASK[led]:
                result.revokes.append(index)
            holdings[seat] = holding ^ bit
        if index & 3 == 3:
            seat = winner
            result.winners.append(winner)
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
