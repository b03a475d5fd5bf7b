"""The card play: which cards are legal, who wins a trick, and where a hand stands after a card (C5, C6)."""

from collections.abc import Sequence

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


def answers(holding: int, led: int) -> int:
    """Return the cards of a holding that may follow a suit that was led: those of the suit, or else any (C5)."""
    return holding & SUIT_MASK[led] or holding


def playable(rules: RuleSet, play: Play) -> int:
    """Return the mask of the cards that the seat to act may play (C5, T6)."""
    holding, trick = play.holdings[play.turn], play.trick
    if trick:
        return answers(holding, trick[0] >> 4)
    if not play.played and rules.opens_with_trump:
        return answers(holding, play.trump)
    return holding


def judge_card(rules: RuleSet, play: Play, card: int) -> Verdict | None:
    """Return why the seat to act may not play a card, or plays it at the price of the hand; none when legal."""
    allowed = playable(rules, play)
    if allowed & BIT[card]:
        return None
    seat, trick = play.turn, play.trick
    if not play.holdings[seat] & BIT[card]:
        return verdicts.card_not_held(seat, card)
    if not trick:
        return verdicts.must_lead_trump(seat, play.trump, allowed)
    return verdicts.revoke(seat, trick[0] >> 4, allowed, forfeits=rules.revoke is Revoke.FORFEITS)


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
