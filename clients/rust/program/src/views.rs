//! A view in one line.

use tarneeb::v1::{GameView, HandView, Outcome, Trick};

use crate::text::{call_made, card, contract, joined, moved, name, result, seat, strain, team, win_reason};

pub fn view(value: &GameView) -> String {
    let mut pairs = vec![
        ("id", value.id.clone()),
        ("preset", value.preset_id.clone()),
        ("revision", value.revision.to_string()),
        ("scores", joined(&value.scores, ",")),
        ("hand", value.hand_number.to_string()),
        ("dealer", seat(value.dealer).into()),
        ("next", seat(value.next_dealer).into()),
        ("cutter", seat(value.cutter).into()),
        ("phase", name(value.phase().as_str_name(), "PHASE_")),
        ("act", seat(value.seat_to_act).into()),
        ("outcome", or_none(value.outcome.as_ref(), outcome)),
        ("legal", joined(value.legal_moves.iter().map(moved), ",")),
    ];
    pairs.extend(value.hand.iter().flat_map(hand));
    let pairs = pairs.iter().map(|(key, text)| format!(" {key}={text}"));
    format!("view {}{}", seat(value.viewer), pairs.collect::<String>())
}

fn hand(value: &HandView) -> [(&'static str, String); 12] {
    let revealed = value.revealed.iter().map(|each| cards(&each.cards, "/"));
    [
        ("holding", cards(&value.holding, ",")),
        ("counts", joined(&value.holding_counts, ",")),
        ("turned", card(value.turned_card)),
        ("calls", joined(value.calls.iter().map(call_made), ",")),
        ("contract", or_none(value.contract.as_ref(), |won| contract(won, ".doubled"))),
        ("trump", strain(value.trump).into()),
        ("leader", seat(value.opening_leader).into()),
        ("trick", or_none(value.trick.as_ref(), trick)),
        ("past", joined(value.past_tricks.iter().map(trick), ",")),
        ("taken", joined(&value.trick_counts, ",")),
        ("result", or_none(value.result.as_ref(), result)),
        ("revealed", joined(revealed, ",")),
    ]
}

fn outcome(value: &Outcome) -> String {
    format!("{}.{}.{}", team(value.winner), team(value.loser), win_reason(value))
}

fn trick(value: &Trick) -> String {
    let (leader, winner) = (seat(value.leader), seat(value.winner));
    format!("{}.{leader}.{}.{winner}", value.number, cards(&value.cards, "/"))
}

fn cards(values: &[i32], by: &str) -> String {
    joined(values.iter().map(|number| card(*number)), by)
}

fn or_none<T>(value: Option<&T>, text: impl FnOnce(&T) -> String) -> String {
    value.map_or_else(|| "-".into(), text)
}
