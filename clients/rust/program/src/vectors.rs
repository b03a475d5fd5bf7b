//! The conformance vectors, asked through the stubs.

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use tarneeb::prost::Message;
use tarneeb::{Client, TarneebError};

#[derive(Deserialize)]
struct Vector {
    id: String,
    rpc: String,
    request: String,
    #[serde(default)]
    raw: bool,
    #[serde(default = "once")]
    repeat: u32,
    response: Option<String>,
    status: Option<Status>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Status {
    code: String,
    reason: String,
    problems: u32,
    violations: Vec<(String, String)>,
}

/// How many of how many passed.
pub struct Count {
    pub passed: usize,
    pub total: usize,
}

fn once() -> u32 {
    1
}

/// Runs all of a folder, naming each that differs on standard error.
pub async fn run(client: &Client, folder: &Path) -> Result<Count> {
    let path = folder.join("vectors.jsonl");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut count = Count { passed: 0, total: 0 };
    for line in text.lines() {
        let vector: Vector = serde_json::from_str(line)?;
        count.total += 1;
        match passes(client, &vector).await {
            Ok(()) => count.passed += 1,
            Err(difference) => eprintln!("{}: {difference}", vector.id),
        }
    }
    Ok(count)
}

async fn passes(client: &Client, vector: &Vector) -> Result<()> {
    for _ in 0..vector.repeat {
        ask(client, vector).await?;
    }
    Ok(())
}

/// Picks the method and the types of its messages by its name.
macro_rules! by_name {
    ($client:ident, $vector:ident, $($rpc:ident $method:ident)*) => {
        match $vector.rpc.as_str() {
            $(stringify!($rpc) => {
                let data = BASE64_STANDARD.decode(&$vector.request)?;
                let answer = if $vector.raw {
                    match $client.call_with_bytes(&$vector.rpc, data).await {
                        Ok(bytes) => Ok(Message::decode(bytes.as_slice())?),
                        Err(error) => Err(error),
                    }
                } else {
                    $client.$method(Message::decode(data.as_slice())?).await
                };
                compare(answer, $vector)
            })*
            other => bail!("there is no method {other}"),
        }
    };
}

async fn ask(client: &Client, vector: &Vector) -> Result<()> {
    by_name!(client, vector,
        ListRuleSets list_rule_sets
        ResolveRuleSet resolve_rule_set
        CreateGame create_game
        DealHand deal_hand
        ListLegalMoves list_legal_moves
        ValidateMove validate_move
        ApplyMove apply_move
        UndoMove undo_move
        ValidateMoves validate_moves
        ReplayGame replay_game
        ValidateGame validate_game
        ViewGame view_game
        CommitDeal commit_deal
        VerifyDeal verify_deal
        ScoreHand score_hand
    )
}

fn compare<A>(answer: Result<A, TarneebError>, vector: &Vector) -> Result<()>
where
    A: Message + Default + PartialEq + Debug,
{
    match (answer, &vector.status, &vector.response) {
        (Ok(answer), None, Some(response)) => {
            let wanted = A::decode(BASE64_STANDARD.decode(response)?.as_slice())?;
            if answer != wanted {
                bail!("expected {wanted:?}, got {answer:?}");
            }
        }
        (Err(error), Some(wanted), _) => {
            let said = status(&error);
            if said != *wanted {
                bail!("expected {wanted:?}, got {said:?}");
            }
        }
        (Ok(_), wanted, _) => bail!("expected {wanted:?}, got an answer"),
        (Err(error), None, _) => bail!("expected an answer, got {error}"),
    }
    Ok(())
}

fn status(error: &TarneebError) -> Status {
    let found = error.violations.iter();
    let mut violations: Vec<_> = found.map(|each| (each.path.clone(), each.reason.clone())).collect();
    violations.sort();
    violations.dedup();
    Status {
        code: error.code_name().into(),
        reason: error.reason_name().into(),
        problems: error.problems(),
        violations,
    }
}
