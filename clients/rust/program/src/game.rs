//! One game as a backend runs it: its row in the store, its seats, its record.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use tarneeb::choosing::choose;
use tarneeb::fair_deals;
use tarneeb::prost::Message;
use tarneeb::v1;
use tarneeb::v1::deal::Source;
use tarneeb::v1::event::Event as Kind;
use tarneeb::v1::{
    ApplyMoveResponse, CreateGameRequest, DealOrder, Event, GameForm, GameRecord, GameView, Move, Phase,
    RecordedHand, RuleSet, RuleSetChoice, Ruling, SeededDeal, Verdict,
};

use crate::attempts;
use crate::backend::Backend;
use crate::seats::{Seats, VIEWERS};
use crate::store::Row;
use crate::text;
use crate::words;

pub struct Game<'a> {
    pub backend: &'a mut Backend,
    pub id: String,
    pub seats: Seats,
    pub rules: RuleSet,
    pub record: GameRecord,
    /// Of the hand that is open.
    pub seeded: SeededDeal,
    held: Vec<Vec<i32>>,
    said: HashSet<(i32, String)>,
}

impl<'a> Game<'a> {
    /// Creates it, stores it, and starts its record.
    pub async fn new(backend: &'a mut Backend, mut request: CreateGameRequest) -> Result<Self> {
        request.viewers = viewers();
        request.form = GameForm::Snapshot.into();
        let id = request.id.clone();
        let made = backend.client.create_game(request).await?;
        backend.store.add(&id, Row { snapshot: made.snapshot, revision: made.revision });
        let mut game = Self {
            backend,
            id,
            seats: Seats::default(),
            rules: RuleSet::default(),
            record: GameRecord::default(),
            seeded: SeededDeal::default(),
            held: Vec::new(),
            said: HashSet::new(),
        };
        game.send(made.views)?;
        let first = game.seats.public().clone();
        game.rules = first.rules.context("the first views bring the rules")?;
        game.record = GameRecord {
            id: game.id.clone(),
            rule_set: Some(RuleSetChoice {
                preset_id: first.preset_id.clone(),
                overrides: Some(game.rules.clone()),
                ..Default::default()
            }),
            first_dealer: first.next_dealer,
            rules_revision: first.rules_revision,
            hands: Vec::new(),
            ..Default::default()
        };
        let dealer = text::seat(first.next_dealer);
        game.tell(&format!("game {} {} dealer {dealer}", game.id, first.preset_id))?;
        Ok(game)
    }

    pub fn tell(&mut self, line: &str) -> Result<()> {
        self.backend.tell(line)
    }

    pub fn row(&self) -> Result<Row> {
        let row = self.backend.store.load(&self.id);
        row.cloned().with_context(|| format!("{} is not stored", self.id))
    }

    /// Keeps the next row; here nobody else writes, so that it can't fail.
    fn stored(&mut self, snapshot: Vec<u8>, revision: u32, read_at: u32) -> Result<()> {
        let done = self.backend.store.replace(&self.id, Row { snapshot, revision }, read_at);
        ensure!(done, "somebody else moved in {}", self.id);
        Ok(())
    }

    fn send(&mut self, views: Vec<GameView>) -> Result<()> {
        let log = &mut self.backend.views;
        self.seats.send(views, |line| log.write(line))
    }

    /// Deals the next hand from a seed that the players were shown the commitment of, and a player's cut.
    pub async fn deal(&mut self) -> Result<()> {
        let (hand, cutter) = (self.seats.public().hand_number + 1, self.seats.public().cutter);
        let (read, id) = (self.row()?, self.id.clone());
        let seed = digest(&format!("seed {id} {hand}"));
        let cut = digest(&format!("cut {id} {hand}"))[..16].to_vec();
        let request = v1::CommitDealRequest {
            game_id: id,
            hand_number: Some(hand),
            seed: seed.clone(),
            ..Default::default()
        };
        let commitment = self.backend.client.commit_deal(request).await?.commitment;
        self.tell(&format!("commit {hand} {}", text::hex(&commitment)))?;
        self.tell(&format!("cut {hand} {} {}", text::seat(cutter), text::hex(&cut)))?;
        self.seeded = SeededDeal { seed, commitment, cut, ..Default::default() };
        let request = v1::DealHandRequest {
            stored: Some(v1::deal_hand_request::Stored::Snapshot(read.snapshot)),
            deal: Some(self.own_deal()),
            viewers: viewers(),
            omit_rules: true,
            ..Default::default()
        };
        let dealt = self.backend.client.deal_hand(request).await?;
        self.stored(dealt.snapshot, dealt.revision, read.revision)?;
        self.send(dealt.views)?;
        let held = VIEWERS[..4].iter().map(|seat| {
            let hand = self.seats.view_of(*seat as i32).hand.as_ref();
            hand.map(|hand| hand.holding.clone()).unwrap_or_default()
        });
        self.held = held.collect();
        self.step(dealt.revision, &dealt.events)
    }

    fn own_deal(&self) -> v1::Deal {
        v1::Deal { source: Some(Source::Seeded(self.seeded.clone())), ..Default::default() }
    }

    /// Lets the seat to act choose from its own view, and makes its move; in hand 1 others are tried before.
    pub async fn turn(&mut self) -> Result<()> {
        if self.seats.public().hand_number == 1 {
            let seat = self.seats.public().seat_to_act;
            let moves = attempts::before_a_turn(self.seats.view_of(seat), self.row()?.revision);
            self.attempt(moves).await?;
        }
        self.turn_without_attempts().await
    }

    pub async fn turn_without_attempts(&mut self) -> Result<()> {
        let chosen = self.choice()?;
        self.apply(chosen).await
    }

    /// Has moves judged, all in one call; the first refusal of each kind is said.
    pub async fn attempt(&mut self, moves: Vec<Move>) -> Result<()> {
        let snapshot = self.row()?.snapshot;
        let items = moves.iter().map(|each| v1::ValidateMoveRequest {
            stored: Some(v1::validate_move_request::Stored::Snapshot(snapshot.clone())),
            r#move: Some(*each),
            ..Default::default()
        });
        let request = v1::ValidateMovesRequest { items: items.collect(), ..Default::default() };
        let results = self.backend.client.validate_moves(request).await?.results;
        ensure!(results.len() == moves.len(), "a move was not judged");
        for (each, result) in moves.iter().zip(results) {
            let verdict = match result.result {
                Some(v1::move_result::Result::Verdict(verdict)) => verdict,
                other => anyhow::bail!("{each:?} could not be judged: {other:?}"),
            };
            let kind = (verdict.reason, verdict.rule_id.clone());
            if verdict.ruling() == Ruling::Refused && self.said.insert(kind) {
                self.refused(each, &verdict)?;
            }
        }
        Ok(())
    }

    /// What the seat to act does, made for the revision that it saw.
    pub fn choice(&self) -> Result<Move> {
        let view = self.seats.view_of(self.seats.public().seat_to_act);
        let chosen = choose(view).context("the seat to act has legal moves")?;
        Ok(Move { revision: Some(view.revision), ..*chosen })
    }

    /// Makes a move that is legal; its end of a hand or game brings what comes with it.
    pub async fn apply(&mut self, made: Move) -> Result<()> {
        let read = self.row()?;
        let read_at = read.revision;
        let answer = self.ask(&made, read).await?;
        let verdict = answer.verdict.unwrap_or_default();
        let legal = verdict.ruling() != Ruling::Refused;
        ensure!(legal, "{} was refused: {}", text::moved(&made), verdict.message);
        self.stored(answer.snapshot, answer.revision, read_at)?;
        self.send(answer.views)?;
        self.step(answer.revision, &answer.events)?;
        match answer.hand_record {
            Some(record) => self.hand_ended(record),
            None => Ok(()),
        }
    }

    /// Asks for a move in a row; nothing is stored of the answer.
    pub async fn ask(&self, made: &Move, row: Row) -> Result<ApplyMoveResponse> {
        let request = v1::ApplyMoveRequest {
            stored: Some(v1::apply_move_request::Stored::Snapshot(row.snapshot)),
            r#move: Some(*made),
            viewers: viewers(),
            omit_rules: true,
            ..Default::default()
        };
        Ok(self.backend.client.apply_move(request).await?)
    }

    /// Takes back the last move; a hand that it opens again leaves the record.
    pub async fn undo(&mut self) -> Result<()> {
        let read = self.row()?;
        let request = v1::UndoMoveRequest {
            stored: Some(v1::undo_move_request::Stored::Snapshot(read.snapshot)),
            viewers: viewers(),
            omit_rules: true,
            ..Default::default()
        };
        let answer = self.backend.client.undo_move(request).await?;
        self.stored(answer.snapshot, answer.revision, read.revision)?;
        self.send(answer.views)?;
        self.step(answer.revision, &answer.events)?;
        let reopened = answer.events.iter().any(|each| match &each.event {
            Some(Kind::MoveUndone(undone)) => undone.hand_reopened,
            _ => false,
        });
        if reopened {
            self.record.hands.pop();
            self.digests()?;
        }
        Ok(())
    }

    /// Tells the mover why, in Arabic.
    pub fn refused(&mut self, made: &Move, verdict: &Verdict) -> Result<()> {
        let (deed, reason) = (text::moved(made), words::reason(verdict));
        let sentence = self.backend.words.refusal(made, verdict)?;
        self.tell(&format!("no {deed} {reason} {} | {sentence}", verdict.rule_id))
    }

    fn step(&mut self, revision: u32, events: &[Event]) -> Result<()> {
        self.tell(&format!("{revision} {}", text::events(events)))
    }

    fn digests(&mut self) -> Result<()> {
        let line = self.seats.digests();
        self.tell(&line)
    }

    /// Appends the hand, shows the seed, and checks the deal as any player can.
    fn hand_ended(&mut self, record: RecordedHand) -> Result<()> {
        self.record.hands.push(RecordedHand {
            deal: Some(self.own_deal()),
            moves: record.moves,
            ..Default::default()
        });
        self.digests()?;
        let fair = match record.deal.and_then(|deal| deal.source) {
            Some(Source::Hands(dealt)) => self.is_fair(&dealt)?,
            _ => false,
        };
        let (number, seed) = (self.record.hands.len(), text::hex(&self.seeded.seed));
        let check = self.backend.checked(fair);
        self.tell(&format!("fair {number} {seed} {check}"))
    }

    fn is_fair(&self, dealt: &v1::DealtHands) -> Result<bool> {
        let (view, number) = (self.seats.public(), u32::try_from(self.record.hands.len())?);
        let SeededDeal { seed, commitment, cut } = &self.seeded;
        let deck = fair_deals::deck(seed, cut, &self.id, number);
        let packets = self.rules.deal_order() == DealOrder::Packets;
        let hands = fair_deals::hands(&deck, view.dealer(), packets);
        let turned = dealt.turned_card;
        let shown = view.hand.as_ref().map(|hand| hand.turned_card);
        Ok(fair_deals::commitment(seed, &self.id, number)[..] == commitment[..]
            && dealt.hands.iter().map(|each| &each.cards).eq(&hands)
            && self.held.iter().eq(&hands)
            && (turned == 0 || Some(&turned) == deck.last())
            && Some(turned) == shown)
    }

    /// Plays the record again: it leads to the game that is stored; with undos that one's revision is ahead.
    pub async fn replay(&mut self, undone: bool) -> Result<()> {
        let request = v1::ReplayGameRequest {
            record: Some(self.record.clone()),
            form: GameForm::Snapshot.into(),
            ..v1::ReplayGameRequest::default()
        };
        let answer = self.backend.client.replay_game(request).await?;
        let mut reached = v1::Game::decode(answer.snapshot.as_slice())?;
        let here = v1::Game::decode(self.row()?.snapshot.as_slice())?;
        if undone {
            reached.revision = here.revision;
        }
        let (accepted, total) = (answer.accepted_steps, answer.total_steps);
        let whole = accepted == total && answer.refused.is_none();
        let check = self.backend.checked(whole && reached == here);
        self.tell(&format!("replay {accepted}/{total} {check}"))
    }

    pub fn is_over(&self) -> bool {
        self.seats.public().phase() == Phase::GameOver
    }

    pub fn awaits_deal(&self) -> bool {
        self.seats.public().phase() == Phase::AwaitingDeal
    }
}

/// Bytes that stand for random ones, so that all programs deal alike.
pub fn digest(words: &str) -> Vec<u8> {
    Sha256::digest(words).to_vec()
}

pub fn viewers() -> Vec<i32> {
    VIEWERS.map(i32::from).to_vec()
}
