//! A first verdict: creates a game, deals, and asks for a bid that is legal and one that is not.
//!
//! `cargo run --example first_call -- HOST:PORT`

use std::env;

use tarneeb::v1::create_game_request::First;
use tarneeb::v1::deal::Source;
use tarneeb::v1::r#move::Action;
use tarneeb::v1::{self, Call, CallKind, Move, Ruling, Seat};
use tarneeb::{Client, Options, TarneebError};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), TarneebError> {
    let target = env::args().nth(1).unwrap_or_else(|| "localhost:50051".into());
    let client = Client::new(&target, &Options::default())?;
    let made = client
        .create_game(v1::CreateGameRequest {
            id: "g-1".into(),
            rule_set: Some(v1::RuleSetChoice { preset_id: "saharat_classic".into(), ..Default::default() }),
            first: Some(First::FirstDealer(Seat::East.into())),
            form: v1::GameForm::Snapshot.into(),
            ..Default::default()
        })
        .await?;
    // Sixteen random bytes, in earnest.
    let seeded = v1::SeededDeal { seed: vec![7; 16], ..Default::default() };
    let dealt = client
        .deal_hand(v1::DealHandRequest {
            stored: Some(v1::deal_hand_request::Stored::Snapshot(made.snapshot)),
            deal: Some(v1::Deal { source: Some(Source::Seeded(seeded)), ..Default::default() }),
            ..Default::default()
        })
        .await?;
    for tricks in [9, 6] {
        let bid = Call { kind: CallKind::Bid.into(), tricks, ..Default::default() };
        let request = v1::ValidateMoveRequest {
            stored: Some(v1::validate_move_request::Stored::Snapshot(dealt.snapshot.clone())),
            r#move: Some(Move {
                seat: Seat::North.into(),
                action: Some(Action::Call(bid)),
                ..Default::default()
            }),
            ..Default::default()
        };
        let verdict = client.validate_move(request).await?.verdict.unwrap_or_default();
        match verdict.ruling() {
            Ruling::Refused => println!("North bids {tricks}: {:?}: {}", verdict.reason(), verdict.message),
            ruling => println!("North bids {tricks}: {ruling:?}"),
        }
    }
    let nothing = v1::CreateGameRequest::default();
    if let Err(error) = client.create_game(nothing).await {
        println!("{error}");
        for each in &error.violations {
            println!("  {}: {}: {}", each.path, each.reason, each.message);
        }
    }
    Ok(())
}
