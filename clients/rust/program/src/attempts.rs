//! Moves that are tried before a turn, most of which are refused.

use tarneeb::v1::r#move::Action;
use tarneeb::v1::{Call, CallKind, Card, GameView, Move, Seat, Strain};

/// What is tried while it is a seat's turn; the view is its own.
pub fn before_a_turn(view: &GameView, revision: u32) -> Vec<Move> {
    let seat = view.seat_to_act;
    let right = at_the_right(seat);
    let double = Call { kind: CallKind::Double.into(), ..Call::default() };
    let mut moves = vec![
        passing(right),
        making(right, Action::Trump(Strain::Hearts.into())),
        passing(seat),
        bidding(seat, 7, Strain::Hearts),
        bidding(seat, 7, Strain::Unspecified),
        bidding(seat, 6, Strain::Unspecified),
        bidding(seat, 14, Strain::Unspecified),
        making(seat, Action::Call(double)),
        making(seat, Action::Trump(Strain::NoTrump.into())),
        making(seat, Action::Card(Card::ClubsTwo.into())),
    ];
    let holding = view.hand.as_ref().map_or(&[][..], |hand| &hand.holding);
    let is_legal = |card: i32| {
        let mut legal = view.legal_moves.iter();
        legal.any(|each| each.action == Some(Action::Card(card)))
    };
    let illegal = holding.iter().find(|card| !is_legal(**card));
    moves.extend(illegal.map(|card| making(seat, Action::Card(*card))));
    moves.push(Move { revision: Some(revision - 1), ..passing(seat) });
    moves
}

pub fn at_the_right(seat: i32) -> i32 {
    seat % Seat::East as i32 + 1
}

pub fn passing(seat: i32) -> Move {
    let pass = Call { kind: CallKind::Pass.into(), ..Call::default() };
    making(seat, Action::Call(pass))
}

pub fn bidding(seat: i32, tricks: u32, strain: Strain) -> Move {
    let bid = Call { kind: CallKind::Bid.into(), tricks, strain: strain.into(), ..Default::default() };
    making(seat, Action::Call(bid))
}

fn making(seat: i32, action: Action) -> Move {
    Move { seat, revision: None, action: Some(action), ..Default::default() }
}
