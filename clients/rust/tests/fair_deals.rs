//! The vectors of docs/fair-deals.md.

use std::collections::HashMap;

use tarneeb::fair_deals::{commitment, deck, first_dealer, hands};
use tarneeb::v1::Seat;

const PAGE: &str = include_str!("../../../docs/fair-deals.md");

#[test]
fn every_vector_of_the_page_is_computed() {
    let text = PAGE.split("## Vectors").nth(1).and_then(|part| part.split("```").nth(1)).expect("vectors");
    let blocks = text.trim_start_matches("text").trim().split("\n\n");
    let mut count = 0;
    for block in blocks {
        let lines = block.lines().map(|line| line.split_once(' ').expect("a key and a value"));
        let vector: HashMap<_, _> = lines.collect();
        let (seed, cut) = (bytes(vector["seed"]), bytes(vector["cut"]));
        let (game, hand) = (vector["game"], vector["hand"].parse().expect("a number"));
        assert_eq!(commitment(&seed, game, hand).to_vec(), bytes(vector["commitment"]));
        assert_eq!(format!("{:?}", first_dealer(&seed, game)), vector["dealer"]);
        let cards: Vec<_> = vector["deck"].split(' ').map(card).collect();
        assert_eq!(deck(&seed, &cut, game, hand), cards);
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn another_cut_is_another_deck() {
    assert_ne!(deck(b"seed", b"one", "g-1", 1), deck(b"seed", b"two", "g-1", 1));
}

#[test]
fn cards_go_to_the_right_one_by_one_or_in_packets() {
    let cards: Vec<i32> = (0..52).collect();
    let singly = hands(&cards, Seat::East, false);
    assert_eq!(singly[0][..3], [0, 4, 8]);
    assert_eq!(singly[3].last(), Some(&51));
    let packets = hands(&cards, Seat::South, true);
    assert_eq!(packets[3], (0..13).collect::<Vec<_>>());
    assert_eq!(packets[2].last(), Some(&51));
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<_> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let pairs = digits.chunks(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
}

fn card(name: &str) -> i32 {
    let place = |all: &str, at: usize| all.find(&name[at..=at]).and_then(|place| i32::try_from(place).ok());
    let suit = place("-CDHS", 0).expect("a suit");
    suit << 4 | place("..23456789TJQKA", 1).expect("a rank")
}
