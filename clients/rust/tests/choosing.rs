//! The choosing rule, where the first of equals decides.

use tarneeb::choosing::{choose, quarters};
use tarneeb::v1::r#move::Action;
use tarneeb::v1::{Call, CallKind, CallMade, Card, GameView, HandView, Move, Strain, Trick, Viewer};

fn view(holding: &[Card], actions: Vec<Action>) -> GameView {
    let holding = holding.iter().map(|card| i32::from(*card)).collect();
    let moves = actions.into_iter().map(|action| Move { action: Some(action), ..Move::default() });
    GameView {
        viewer: Viewer::North.into(),
        scores: vec![0, 0],
        hand: Some(HandView { holding, ..HandView::default() }),
        legal_moves: moves.collect(),
        ..GameView::default()
    }
}

fn chosen(view: &GameView) -> Action {
    choose(view).and_then(|chosen| chosen.action).expect("a move")
}

fn call(kind: CallKind, tricks: u32) -> Action {
    Action::Call(Call { kind: kind.into(), tricks, ..Call::default() })
}

#[test]
fn trumps_count_two_or_three_and_honours_beside_them() {
    let holding = [Card::ClubsTwo, Card::ClubsQueen, Card::HeartsAce, Card::HeartsKing, Card::SpadesQueen];
    let holding = holding.map(i32::from);
    assert_eq!(quarters(&holding, Strain::Clubs.into()), 2 + 3 + 4 + 2 + 1);
    assert_eq!(quarters(&holding, 0), 1 + 4 + 2 + 1);
}

#[test]
fn the_first_of_equal_trumps_is_named() {
    let trumps = [Strain::Hearts, Strain::Spades].map(|strain| Action::Trump(strain.into()));
    let view = view(&[Card::HeartsTwo, Card::SpadesTwo], trumps.to_vec());
    assert_eq!(chosen(&view), Action::Trump(Strain::Hearts.into()));
}

#[test]
fn the_first_of_equal_cards_is_led_and_the_cheapest_that_wins_is_played() {
    let cards = [Card::ClubsNine, Card::HeartsAce, Card::SpadesAce];
    let actions = cards.map(|card| Action::Card(card.into()));
    let mut view = view(&cards, actions.to_vec());
    assert_eq!(chosen(&view), Action::Card(Card::HeartsAce.into()));
    let hand = view.hand.as_mut().expect("a hand");
    hand.trick = Some(Trick { cards: vec![Card::DiamondsKing.into()], ..Trick::default() });
    assert_eq!(chosen(&view), Action::Card(Card::ClubsNine.into()));
    view.hand.as_mut().expect("a hand").trump = Strain::Spades.into();
    assert_eq!(chosen(&view), Action::Card(Card::SpadesAce.into()));
}

#[test]
fn a_partners_bid_is_passed_and_an_opponents_high_one_doubled() {
    let actions = [call(CallKind::Bid, 13), call(CallKind::Pass, 0), call(CallKind::Double, 0)];
    let mut view = view(&[Card::HeartsAce], actions.to_vec());
    let bid =
        |seat, tricks| CallMade { seat, kind: CallKind::Bid.into(), tricks, strain: 0, ..Default::default() };
    view.hand.as_mut().expect("a hand").calls = vec![bid(3, 12)];
    assert_eq!(chosen(&view), call(CallKind::Pass, 0));
    view.hand.as_mut().expect("a hand").calls = vec![bid(2, 10)];
    assert_eq!(chosen(&view), call(CallKind::Double, 0));
    view.hand.as_mut().expect("a hand").calls = vec![bid(2, 9)];
    assert_eq!(chosen(&view), call(CallKind::Pass, 0));
}

#[test]
fn individual_bids_are_the_highest_that_the_hand_is_worth() {
    let actions: Vec<_> = (2..6).map(|tricks| call(CallKind::Bid, tricks)).collect();
    let mut view = view(&[Card::HeartsAce, Card::SpadesAce, Card::ClubsAce], actions);
    view.scores = vec![0; 4];
    assert_eq!(chosen(&view), call(CallKind::Bid, 3));
    view.hand.as_mut().expect("a hand").holding.clear();
    assert_eq!(chosen(&view), call(CallKind::Bid, 2));
}

#[test]
fn a_view_without_legal_moves_has_no_choice() {
    assert_eq!(choose(&view(&[], vec![])), None);
}
