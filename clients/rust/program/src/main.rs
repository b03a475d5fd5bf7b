//! Plays the games of clients/PROGRAM.md, prints the transcript and its hash, and runs the vectors.

mod attempts;
mod backend;
mod game;
mod seats;
mod store;
mod table;
mod text;
mod vectors;
mod views;
mod words;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;
use tarneeb::v1::create_game_request::First;
use tarneeb::v1::{CommitDealRequest, CreateGameRequest, ListRuleSetsRequest, RuleSetChoice, Seat};
use tarneeb::{Client, Options, Tls, fair_deals};

use crate::backend::{Backend, Lines};
use crate::game::Game;
use crate::store::Store;
use crate::words::Words;

/// By this one the ten games show every refusal there is.
const NUMBER: u32 = 21;
/// For a call; long, since all languages are tried at once on a machine that does other things too.
const DEADLINE: Duration = Duration::from_secs(30);

/// Plays the games of clients/PROGRAM.md, prints the transcript and its hash, and runs the vectors.
#[derive(Parser)]
struct Arguments {
    /// HOST:PORT of the service
    #[arg(long, default_value = "localhost:50051")]
    target: String,
    /// Table of sentences
    #[arg(long, default_value = "clients/words/ar.json")]
    words: PathBuf,
    /// File for the transcript [default: standard output]
    #[arg(long)]
    transcript: Option<PathBuf>,
    /// File for every view, a line each
    #[arg(long)]
    views: Option<PathBuf>,
    /// Folder of vectors.jsonl
    #[arg(long)]
    vectors: Option<PathBuf>,
    /// Roots for TLS, in PEM
    #[arg(long)]
    ca: Option<PathBuf>,
    /// File with a bearer token
    #[arg(long)]
    token_file: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}: {error:#}", arguments.target);
            ExitCode::FAILURE
        }
    }
}

/// Whether every check came out well.
async fn run(arguments: &Arguments) -> Result<bool> {
    let mut backend = Backend {
        client: Client::new(&arguments.target, &options(arguments)?)?,
        store: Store::default(),
        words: Words::new(&arguments.words)?,
        transcript: Lines::to_file(arguments.transcript.as_deref(), io::stdout())?,
        views: Lines::to_file(arguments.views.as_deref(), io::sink())?,
        sound: true,
    };
    backend.tell("tarneeb transcript 1")?;
    table::play(&mut backend).await?;
    let presets = backend.client.list_rule_sets(ListRuleSetsRequest::default()).await?.rule_sets;
    for preset in &presets {
        whole_game(&mut backend, &preset.preset_id).await?;
    }
    backend.transcript.flush()?;
    backend.views.flush()?;
    let mut summary = format!("rust: {} games, transcript {}", presets.len(), backend.transcript.digest());
    if let Some(folder) = &arguments.vectors {
        let count = vectors::run(&backend.client, folder).await?;
        summary += &format!(", {}/{} vectors", count.passed, count.total);
        backend.checked(count.passed == count.total);
    }
    println!("{summary}");
    Ok(backend.sound)
}

fn options(arguments: &Arguments) -> Result<Options> {
    let read = |path: &PathBuf| fs::read(path).with_context(|| path.display().to_string());
    let roots = arguments.ca.as_ref().map(read).transpose()?;
    let token = arguments.token_file.as_ref().map(read).transpose()?;
    let token = token.map(String::from_utf8).transpose()?;
    Ok(Options {
        deadline: DEADLINE,
        tls: roots.map(|roots| Tls { roots: Some(roots), identity: None }),
        token: token.map(|token| token.trim().to_owned()),
        ..Options::default()
    })
}

async fn whole_game(backend: &mut Backend, preset_id: &str) -> Result<()> {
    let id = format!("{preset_id}-{NUMBER}");
    let seed = game::digest(&format!("dealer {id}"));
    let request = CommitDealRequest {
        game_id: id.clone(),
        hand_number: Some(0),
        seed: seed.clone(),
        ..Default::default()
    };
    let shown = backend.client.commit_deal(request).await?.commitment;
    let request = CreateGameRequest {
        id: id.clone(),
        rule_set: Some(RuleSetChoice { preset_id: preset_id.into(), overrides: None, ..Default::default() }),
        first: Some(First::FirstDealerSeed(seed.clone())),
        ..CreateGameRequest::default()
    };
    let mut game = Game::new(backend, request).await?;
    let fair = shown == fair_deals::commitment(&seed, &id, 0)
        && game.record.first_dealer() == fair_deals::first_dealer(&seed, &id);
    let check = game.backend.checked(fair);
    game.tell(&format!("dealer {} {check}", text::hex(&shown)))?;
    while !game.is_over() {
        if game.awaits_deal() {
            game.deal().await?;
        } else {
            game.turn().await?;
        }
    }
    game.attempt(vec![attempts::passing(Seat::North.into())]).await?;
    game.replay(false).await?;
    let end = game.seats.public();
    let winner = end.outcome.as_ref().map_or(0, |outcome| outcome.winner);
    let scores = text::joined(&end.scores, ",");
    let line = format!("over {id} {} {} {scores}", text::team(winner), end.hand_number);
    game.tell(&line)
}
