//! The lines of a transcript: clients/PROGRAM.md says how each thing is written.

use std::fmt::{Display, Write};

use tarneeb::v1::event::Event as Kind;
use tarneeb::v1::r#move::Action;
use tarneeb::v1::score_line::Side;
use tarneeb::v1::{Call, CallKind, CallMade, Contract, Event, HandResult, Move, Outcome, ScoreLine};

const SEATS: [&str; 6] = ["-", "N", "W", "S", "E", "V"];
const TEAMS: [&str; 3] = ["-", "NS", "WE"];
const STRAINS: [&str; 6] = ["-", "C", "D", "H", "S", "NT"];
const RANKS: &str = "..23456789TJQKA";

pub fn seat(number: i32) -> &'static str {
    SEATS[index(number)]
}

pub fn team(number: i32) -> &'static str {
    TEAMS[index(number)]
}

pub fn strain(number: i32) -> &'static str {
    STRAINS[index(number)]
}

pub fn rank(card: i32) -> &'static str {
    let rank = index(card & 15);
    &RANKS[rank..=rank]
}

pub fn card(number: i32) -> String {
    if number == 0 {
        return "-".into();
    }
    format!("{}{}", strain(number >> 4), rank(number))
}

pub fn check(good: bool) -> &'static str {
    if good { "yes" } else { "no" }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub fn joined<T: Display>(parts: impl IntoIterator<Item = T>, by: &str) -> String {
    let parts: Vec<_> = parts.into_iter().map(|part| part.to_string()).collect();
    if parts.is_empty() { "-".into() } else { parts.join(by) }
}

/// The name of an enum's value as it is printed: without its type's, in lower case.
pub fn name(value: &str, prefix: &str) -> String {
    value.strip_prefix(prefix).unwrap_or(value).to_lowercase()
}

pub fn bid(tricks: u32, of: i32) -> String {
    let of = if of == 0 { "" } else { strain(of) };
    format!("{tricks}{of}")
}

pub fn moved(value: &Move) -> String {
    let deed = match &value.action {
        Some(Action::Card(number)) => card(*number),
        Some(Action::Trump(number)) => format!("={}", strain(*number)),
        Some(Action::Call(value)) => call(value),
        None => "-".into(),
    };
    format!("{}:{deed}", seat(value.seat))
}

fn call(value: &Call) -> String {
    match value.kind() {
        CallKind::Bid => bid(value.tricks, value.strain),
        CallKind::Pass => "pass".into(),
        CallKind::Double => "double".into(),
        CallKind::Unspecified => "-".into(),
    }
}

pub fn call_made(value: &CallMade) -> String {
    let same = Call { kind: value.kind, tricks: value.tricks, strain: value.strain, ..Default::default() };
    format!("{}:{}", seat(value.seat), call(&same))
}

pub fn events(values: &[Event]) -> String {
    // An event that is newer than these stubs has no kind.
    let kinds = values.iter().filter_map(|each| each.event.as_ref());
    let told: Vec<_> = kinds.map(event).collect();
    told.join("; ")
}

fn event(value: &Kind) -> String {
    match value {
        Kind::HandDealt(dealt) => {
            let mut text = format!("dealt {} {}", dealt.hand_number, seat(dealt.dealer));
            if dealt.turned_card != 0 {
                text += &format!(" turned {}", card(dealt.turned_card));
            }
            if dealt.trump != 0 {
                text += &format!(" trump {}", strain(dealt.trump));
            }
            text
        }
        Kind::CallMade(made) => call_made(made),
        Kind::AuctionWon(won) => format!("contract {}", contract(won, " doubled")),
        Kind::TrumpNamed(named) => format!("{}:={}", seat(named.seat), strain(named.trump)),
        Kind::CardPlayed(played) => format!("{}:{}", seat(played.seat), card(played.card)),
        Kind::TrickWon(won) => format!("trick {} {}", won.trick_number, seat(won.seat)),
        Kind::HandEnded(ended) => {
            let end = ended.result.as_ref().map(result).unwrap_or_default();
            format!("ended {} {end} {}", ended.hand_number, joined(&ended.scores, ","))
        }
        Kind::GameWon(won) => format!("won {} {}", team(won.winner), win_reason(won)),
        Kind::MoveUndone(undone) => {
            let deed = undone.r#move.as_ref().map(moved).unwrap_or_default();
            let reopened = if undone.hand_reopened { " reopened" } else { "" };
            format!("undone {} {deed}{reopened}", undone.hand_number)
        }
    }
}

pub fn contract(value: &Contract, doubled: &str) -> String {
    let doubled = if value.doubled { doubled } else { "" };
    format!("{}:{}{doubled}", seat(value.declarer), bid(value.tricks, value.strain))
}

pub fn result(value: &HandResult) -> String {
    let end = name(value.end().as_str_name(), "HAND_END_");
    let lines = joined(value.lines.iter().map(line), "/");
    format!("{end}:{lines}:{}", seat(value.offender))
}

fn line(value: &ScoreLine) -> String {
    let side = match value.side {
        Some(Side::Seat(number)) => seat(number),
        Some(Side::Team(number)) => team(number),
        None => "-",
    };
    let bid = value.bid.map_or("-".into(), |bid| bid.to_string());
    let made = match value.made {
        Some(true) => "made",
        Some(false) => "failed",
        None => "-",
    };
    format!("{side}.{bid}.{}.{}.{made}", value.tricks, value.points)
}

pub fn win_reason(value: &Outcome) -> String {
    name(value.reason().as_str_name(), "WIN_REASON_")
}

fn index(number: i32) -> usize {
    usize::try_from(number).expect("numbers of enums are not negative")
}
