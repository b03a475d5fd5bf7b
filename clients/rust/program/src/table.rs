//! The table: one hand on which everything goes wrong that a backend has to stand.

use anyhow::{Context, Result};
use tarneeb::prost::Message;
use tarneeb::v1;
use tarneeb::v1::create_game_request::First;
use tarneeb::v1::{Cut, FirstCard, RuleSet, RuleSetChoice, Seat, Strain, Viewer};

use crate::attempts;
use crate::backend::Backend;
use crate::game::Game;
use crate::seats::VIEWERS;
use crate::store::Row;
use crate::text;
use crate::views;

pub async fn play(backend: &mut Backend) -> Result<()> {
    let request = v1::CreateGameRequest {
        id: "table-1".into(),
        rule_set: Some(RuleSetChoice {
            preset_id: "saharat_classic".into(),
            overrides: Some(RuleSet {
                target: Some(31),
                first_card: Some(FirstCard::Trump.into()),
                cut: Some(Cut::Required.into()),
                ..RuleSet::default()
            }),
            ..Default::default()
        }),
        first: Some(First::FirstDealer(Seat::East.into())),
        ..v1::CreateGameRequest::default()
    };
    let mut game = Game::new(backend, request).await?;
    game.deal().await?;
    for viewer in VIEWERS {
        let line = views::view(game.seats.view_of(viewer.into()));
        game.tell(&line)?;
    }
    game.turn().await?;
    refusals(&mut game).await?;
    race(&mut game).await?;
    reconnect(&mut game).await?;
    while !game.awaits_deal() {
        game.turn().await?;
    }
    game.undo().await?;
    game.turn_without_attempts().await?;
    verify(&mut game).await?;
    game.replay(true).await?;
    wrong_request(&mut game).await
}

/// Two calls that are refused: only the mover hears of them, and nothing is stored.
async fn refusals(game: &mut Game<'_>) -> Result<()> {
    let seat = game.seats.public().seat_to_act;
    let bid = attempts::bidding(seat, 14, Strain::Unspecified);
    for made in [bid, attempts::passing(attempts::at_the_right(seat))] {
        let answer = game.ask(&made, game.row()?).await?;
        let nothing = answer.snapshot.is_empty() && answer.revision == 0 && answer.views.is_empty();
        game.backend.checked(nothing);
        game.refused(&made, &answer.verdict.unwrap_or_default())?;
    }
    Ok(())
}

/// Two workers and one move: the slower one finds the row changed; after an undo the move is late again.
async fn race(game: &mut Game<'_>) -> Result<()> {
    let made = game.choice()?;
    let second = game.row()?;
    let read_at = second.revision;
    game.apply(made).await?;
    let answer = game.ask(&made, second).await?;
    let row = Row { snapshot: answer.snapshot, revision: answer.revision };
    let late = game.backend.store.replace(&game.id, row, read_at);
    game.backend.checked(!late);
    game.tell(&format!("lost {} at {read_at}", text::moved(&made)))?;
    again(game, &made).await?;
    game.undo().await?;
    again(game, &made).await?;
    game.turn_without_attempts().await
}

/// The same move in the row as it is now.
async fn again(game: &mut Game<'_>, made: &v1::Move) -> Result<()> {
    let answer = game.ask(made, game.row()?).await?;
    game.refused(made, &answer.verdict.unwrap_or_default())
}

async fn reconnect(game: &mut Game<'_>) -> Result<()> {
    let south = i32::from(Viewer::South);
    let request = v1::ViewGameRequest {
        stored: Some(v1::view_game_request::Stored::Snapshot(game.row()?.snapshot)),
        viewers: vec![south],
        omit_rules: true,
        ..Default::default()
    };
    let views = game.backend.client.view_game(request).await?.views;
    let same = views == [game.seats.view_of(south).clone()];
    let check = game.backend.checked(same);
    game.tell(&format!("again S {check}"))
}

/// The service's own word on the deal, beside the program's.
async fn verify(game: &mut Game<'_>) -> Result<()> {
    let stored = v1::Game::decode(game.row()?.snapshot.as_slice())?;
    let hand = stored.hand.context("the game has a hand")?;
    let view = game.seats.public();
    let request = v1::VerifyDealRequest {
        game_id: game.id.clone(),
        hand_number: view.hand_number,
        dealer: view.dealer,
        deal_order: game.rules.deal_order.unwrap_or_default(),
        seeded: Some(game.seeded.clone()),
        dealt: Some(v1::DealtHands { hands: hand.dealt, turned_card: 0, ..Default::default() }),
        ..Default::default()
    };
    let answer = game.backend.client.verify_deal(request).await?;
    let said = [answer.fair, answer.commitment_matches, answer.cards_match];
    let said = said.map(|each| game.backend.checked(each));
    game.tell(&format!("verified {}", said.join(" ")))
}

/// What a request that can't be judged is answered with.
async fn wrong_request(game: &mut Game<'_>) -> Result<()> {
    let request = v1::CreateGameRequest {
        rule_set: Some(RuleSetChoice { preset_id: "none".into(), overrides: None, ..Default::default() }),
        ..v1::CreateGameRequest::default()
    };
    match game.backend.client.create_game(request).await {
        Ok(_) => {
            game.backend.checked(false);
            Ok(())
        }
        Err(error) => {
            let mut violations: Vec<_> =
                error.violations.iter().map(|each| (&each.path, &each.reason)).collect();
            // Sorted by bytes, as each language can.
            violations.sort();
            let violations = violations.iter().map(|(path, reason)| format!(" | {path} {reason}"));
            let (code, reason) = (error.code_name(), error.reason_name());
            let problems = error.problems();
            game.tell(&format!("error {code} {reason} {problems}{}", violations.collect::<String>()))
        }
    }
}
