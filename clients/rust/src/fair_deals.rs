//! Whether a deal was fair, by one's own computation: `docs/fair-deals.md` in code; nothing asks the service.

use sha2::{Digest, Sha256};

use crate::v1::Seat;

/// The commitment to a seed; hand 0 is that of a first dealer.
#[must_use]
pub fn commitment(seed: &[u8], game_id: &str, hand_number: u32) -> [u8; 32] {
    let hand = hand_number.to_be_bytes();
    hash(&[b"tarneeb.commit.v1", seed, game_id.as_bytes(), &hand])
}

/// The seat that a seed picks to deal first.
#[must_use]
pub fn first_dealer(seed: &[u8], game_id: &str) -> Seat {
    match hash(&[b"tarneeb.dealer.v1", seed, game_id.as_bytes()])[0] % 4 {
        0 => Seat::North,
        1 => Seat::West,
        2 => Seat::South,
        _ => Seat::East,
    }
}

/// The numbers of the shuffled cards, the first card dealt first.
#[must_use]
pub fn deck(seed: &[u8], cut: &[u8], game_id: &str, hand_number: u32) -> Vec<i32> {
    let hand = hand_number.to_be_bytes();
    let key = hash(&[b"tarneeb.deal.v1", seed, cut, game_id.as_bytes(), &hand]);
    let mut stream = (0u32..).flat_map(|block| {
        let hash = Sha256::new().chain_update(key).chain_update(block.to_be_bytes());
        <[u8; 32]>::from(hash.finalize())
    });
    let mut cards: Vec<i32> = (1..=4).flat_map(|suit| (2..=14).map(move |rank| suit << 4 | rank)).collect();
    for last in (1..cards.len()).rev() {
        let places = last + 1;
        // The stream has no end.
        if let Some(byte) = stream.by_ref().map(usize::from).find(|byte| *byte < 256 - 256 % places) {
            cards.swap(last, byte % places);
        }
    }
    cards
}

/// The four hands of a deck, in order North to East, each ascending; the last card is the dealer's.
#[must_use]
pub fn hands(cards: &[i32], dealer: Seat, packets: bool) -> [Vec<i32>; 4] {
    let mut dealt: [Vec<i32>; 4] = Default::default();
    // The seat at the dealer's right is first; a seat's number is one more than its place.
    let first = dealer as usize;
    for (index, card) in cards.iter().enumerate() {
        let seat = first + if packets { index / 13 } else { index };
        dealt[seat % 4].push(*card);
    }
    for hand in &mut dealt {
        hand.sort_unstable();
    }
    dealt
}

/// The purpose and the parts, each with its length.
fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        // The low two bytes: no part may be longer.
        hash.update(&part.len().to_be_bytes()[size_of::<usize>() - 2..]);
        hash.update(part);
    }
    hash.finalize().into()
}
