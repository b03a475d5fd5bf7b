//! Stands for a backend's database: one row a game, replaced only at the revision that was read.

use std::collections::HashMap;

/// What is stored of a game: the bytes as they came, and the revision beside them. Never a parsed game: prost drops
/// the fields that it does not know, and the service refuses a game that lacks some.
#[derive(Clone)]
pub struct Row {
    pub snapshot: Vec<u8>,
    pub revision: u32,
}

#[derive(Default)]
pub struct Store {
    rows: HashMap<String, Row>,
}

impl Store {
    pub fn add(&mut self, game_id: &str, row: Row) {
        self.rows.insert(game_id.to_owned(), row);
    }

    pub fn load(&self, game_id: &str) -> Option<&Row> {
        self.rows.get(game_id)
    }

    /// As `UPDATE games SET snapshot = ?, revision = ? WHERE id = ? AND revision = ?`.
    pub fn replace(&mut self, game_id: &str, row: Row, read_at: u32) -> bool {
        match self.rows.get_mut(game_id) {
            Some(stored) if stored.revision == read_at => {
                *stored = row;
                true
            }
            _ => false,
        }
    }
}
