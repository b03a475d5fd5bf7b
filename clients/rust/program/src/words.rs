//! A refusal said to its mover in his language, from reason and parameters; never from the English message.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use tarneeb::v1::r#move::Action;
use tarneeb::v1::{CallKind, Move, Phase, Verdict};

use crate::text;

/// A table as clients/words/ar.json.
#[derive(Deserialize)]
pub struct Words {
    seats: HashMap<String, String>,
    strains: HashMap<String, String>,
    ranks: HashMap<String, String>,
    phases: HashMap<String, String>,
    card: String,
    bid: String,
    separator: String,
    refusals: HashMap<String, Vec<String>>,
}

type Values = HashMap<&'static str, String>;

impl Words {
    pub fn new(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        serde_json::from_reader(file).with_context(|| path.display().to_string())
    }

    /// The first sentence for the reason whose places all have a value.
    pub fn refusal(&self, of: &Move, verdict: &Verdict) -> Result<String> {
        let reason = reason(verdict);
        let values = self.values(of, verdict);
        let sentences = self.refusals.get(reason).map_or(&[][..], Vec::as_slice);
        let mut fitting = sentences.iter().filter_map(|sentence| filled(sentence, &values));
        fitting.next().with_context(|| format!("no sentence fits {reason}"))
    }

    /// What each place of a sentence stands for; what is not there has no value.
    fn values(&self, of: &Move, verdict: &Verdict) -> Values {
        let mut values = Values::from([("seat", self.seat(of.seat))]);
        let mut set = |place, value: Option<String>| {
            values.extend(value.map(|value| (place, value)));
        };
        set("made_for", of.revision.map(|revision| revision.to_string()));
        match &of.action {
            Some(Action::Card(card)) => set("card", Some(self.card(*card))),
            Some(Action::Call(call)) if call.kind() == CallKind::Bid => {
                set("bid", Some(self.bid(call.tricks, call.strain)));
            }
            _ => {}
        }
        let revision = verdict.game_revision.filter(|revision| *revision != 0);
        set("game_revision", revision.map(|revision| revision.to_string()));
        let highest = (verdict.highest_bid != 0).then(|| verdict.highest_bid.to_string());
        set("highest_bid", highest);
        let phase = (verdict.phase() != Phase::Unspecified).then(|| {
            let name = text::name(verdict.phase().as_str_name(), "PHASE_");
            named(&self.phases, &name)
        });
        set("phase", phase);
        set("seat_to_act", some(verdict.seat_to_act, |seat| self.seat(seat)));
        set("bid_holder", some(verdict.bid_holder, |seat| self.seat(seat)));
        let lowest = verdict.lowest_bid.as_ref();
        set("lowest_bid", lowest.map(|bid| self.bid(bid.tricks, bid.strain)));
        set("barred_bids", self.listed(&verdict.barred_bids, u32::to_string));
        set("led_suit", some(verdict.led_suit, |suit| self.strain(suit)));
        set("trump", some(verdict.trump, |trump| self.strain(trump)));
        set("playable_cards", self.listed(&verdict.playable_cards, |card| self.card(*card)));
        values
    }

    fn seat(&self, seat: i32) -> String {
        named(&self.seats, text::seat(seat))
    }

    fn strain(&self, strain: i32) -> String {
        named(&self.strains, text::strain(strain))
    }

    fn card(&self, card: i32) -> String {
        let rank = named(&self.ranks, text::rank(card));
        self.card.replace("{rank}", &rank).replace("{suit}", &self.strain(card >> 4))
    }

    fn bid(&self, tricks: u32, strain: i32) -> String {
        let tricks = tricks.to_string();
        if strain == 0 {
            return tricks;
        }
        self.bid.replace("{tricks}", &tricks).replace("{strain}", &self.strain(strain))
    }

    fn listed<T>(&self, all: &[T], text: impl Fn(&T) -> String) -> Option<String> {
        let all: Vec<_> = all.iter().map(text).collect();
        (!all.is_empty()).then(|| all.join(&self.separator))
    }
}

pub fn reason(verdict: &Verdict) -> &'static str {
    let name = verdict.reason().as_str_name();
    name.strip_prefix("REFUSAL_REASON_").unwrap_or(name)
}

fn named(table: &HashMap<String, String>, key: &str) -> String {
    table.get(key).cloned().unwrap_or_else(|| key.to_owned())
}

fn some(number: i32, text: impl FnOnce(i32) -> String) -> Option<String> {
    (number != 0).then(|| text(number))
}

/// The sentence with its places filled; none if one has no value.
fn filled(sentence: &str, values: &Values) -> Option<String> {
    let mut parts = sentence.split('{');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (place, rest) = part.split_once('}')?;
        text += values.get(place)?;
        text += rest;
    }
    Some(text)
}
