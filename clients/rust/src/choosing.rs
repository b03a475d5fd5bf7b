//! The choosing rule of `clients/PROGRAM.md`: what a seat does, by its own view alone.

use std::cmp::Reverse;

use crate::v1::r#move::Action;
use crate::v1::{Call, CallKind, GameView, HandView, Move};

const SUITS: [i32; 4] = [1, 2, 3, 4];
/// In quarters of a trick: what a partner is taken to be worth to a bidder, and to one who doubles.
const BIDDERS_PARTNER: u32 = 11;
const DOUBLERS_PARTNER: u32 = 12;

/// The move of the seat to act; none when the view is not that seat's own, and so has no legal moves.
#[must_use]
pub fn choose(view: &GameView) -> Option<&Move> {
    let (legal, hand) = (&view.legal_moves, view.hand.as_ref()?);
    match legal.first()?.action? {
        Action::Card(_) => choose_card(legal, hand),
        Action::Trump(_) => first_of_most(legal, |each| match each.action {
            Some(Action::Trump(trump)) => quarters(&hand.holding, trump),
            _ => 0,
        }),
        Action::Call(_) if view.scores.len() == 4 => choose_own_bid(legal, hand),
        Action::Call(_) => choose_call(legal, hand, view.viewer),
    }
}

/// What a holding is worth with a trump, in quarters of a trick.
#[must_use]
pub fn quarters(holding: &[i32], trump: i32) -> u32 {
    let worth = |card: &i32| match (card >> 4 == trump, card & 15) {
        (true, rank) => 2 + u32::from(rank >= 12),
        (false, 14) => 4,
        (false, 13) => 2,
        (false, 12) => 1,
        (false, _) => 0,
    };
    holding.iter().map(worth).sum()
}

fn choose_own_bid<'a>(legal: &'a [Move], hand: &HandView) -> Option<&'a Move> {
    let worth = quarters(&hand.holding, hand.trump) / 4;
    // Bids are listed from low to high.
    let best = legal.iter().rev().find(|each| call_of(each).is_some_and(|call| call.tricks <= worth));
    best.or(legal.first())
}

fn choose_call<'a>(legal: &'a [Move], hand: &HandView, seat: i32) -> Option<&'a Move> {
    let first = |kind| {
        let is_it = |each: &&Move| call_of(each).is_some_and(|call| call.kind() == kind);
        legal.iter().find(is_it)
    };
    let pass = first(CallKind::Pass);
    if let Some(last) = hand.calls.iter().rev().find(|call| call.kind() == CallKind::Bid) {
        if (last.seat - seat) % 2 == 0 && pass.is_some() {
            return pass;
        }
        let double = first(CallKind::Double);
        let worth = quarters(&hand.holding, last.strain) + DOUBLERS_PARTNER;
        if double.is_some() && worth + 4 * last.tricks >= 4 * 14 {
            return double;
        }
    }
    let best = match hand.trump {
        0 => *first_of_most(&SUITS, |suit| quarters(&hand.holding, *suit))?,
        trump => trump,
    };
    let limit = (quarters(&hand.holding, best) + BIDDERS_PARTNER) / 4;
    let fits = |call: &Call| {
        call.kind() == CallKind::Bid && call.tricks <= limit && [0, best].contains(&call.strain)
    };
    let bid = legal.iter().find(|each| call_of(each).is_some_and(fits));
    bid.or(pass).or(legal.first())
}

fn choose_card<'a>(legal: &'a [Move], hand: &HandView) -> Option<&'a Move> {
    let trick = hand.trick.as_ref().map_or(&[][..], |trick| &trick.cards);
    let Some(led) = trick.first() else {
        return first_of_most(legal, |each| card_of(each) & 15);
    };
    let power = |card: i32| {
        let bonus = match card >> 4 {
            suit if suit == hand.trump => 32,
            suit if suit == led >> 4 => 16,
            _ => 0,
        };
        (card & 15) + bonus
    };
    let highest = trick.iter().map(|card| power(*card)).max()?;
    let beating = legal.iter().filter(|each| power(card_of(each)) > highest);
    // Of several that are least, both of these take the first.
    let cheapest = beating.min_by_key(|each| power(card_of(each)));
    cheapest.or_else(|| legal.iter().min_by_key(|each| card_of(each) & 15))
}

/// Of several that are most, the first; `max_by_key` would take the last.
fn first_of_most<T, K: Ord>(all: &[T], worth: impl Fn(&T) -> K) -> Option<&T> {
    all.iter().min_by_key(|each| Reverse(worth(each)))
}

fn call_of(each: &Move) -> Option<&Call> {
    match &each.action {
        Some(Action::Call(call)) => Some(call),
        _ => None,
    }
}

fn card_of(each: &Move) -> i32 {
    match each.action {
        Some(Action::Card(card)) => card,
        _ => 0,
    }
}
