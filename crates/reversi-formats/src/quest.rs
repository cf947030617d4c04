//! Games of Othello Quest: JSON with the moves in `position.moves`, each `{"m":"e6","t":639}` with its time in
//! milliseconds. The players are in the list `players`, with the ids `b` and `w`, or else Black first.

use crate::ggf::Annotated;
use crate::own;
use crate::reader::Wanted;
use crate::reading::{Kind, Reading};
use reversi_rules::game::{Game, GameMove, GameSetup, Size};
use reversi_rules::notation::{is_pass, shown};
use serde_json::Value;

/// Whether a JSON object is such a game.
pub(crate) fn is_game(value: &Value) -> bool {
    value["position"]["moves"].is_array()
}

pub(crate) fn read(value: &Value, wanted: &Wanted) -> Result<Reading, String> {
    if let Some(kind) = value["gtype"].as_str().filter(|kind| !kind.to_ascii_lowercase().contains("reversi"))
    {
        return Err(format!("it is a game of \"{}\", not of Othello", shown(kind)));
    }
    let size = Size::new(8, 8).expect("8x8 is a size");
    let setup = own::under_named(wanted.setup, value)?;
    let mut game = GameSetup { size, ..setup }.new_game();
    let mut notes = Vec::new();
    for entry in value["position"]["moves"].as_array().into_iter().flatten() {
        let word = entry.as_str().or_else(|| entry["m"].as_str()).unwrap_or_default();
        let seconds = entry["t"].as_f64().map(|milliseconds| milliseconds / 1000.0);
        play(&mut game, &mut notes, word.trim(), seconds)?;
    }
    let players = value["players"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    // By their ids; players without one stand in order.
    let name = |place: usize, id: &str| {
        let named = players.iter().find(|player| player["id"] == id).or(players.get(place));
        named.and_then(|player| player["name"].as_str()).unwrap_or_default().to_owned()
    };
    let date = value["created"].as_str().unwrap_or_default().to_owned();
    Ok(Reading {
        notes,
        players: [name(0, "b"), name(1, "w")],
        occasion: [date, "Othello Quest".to_owned()],
        has_board: false,
        ..Reading::new(game, Kind::Quest)
    })
}

fn play(game: &mut Game, notes: &mut Vec<Annotated>, word: &str, seconds: Option<f64>) -> Result<(), String> {
    let number = game.moves().len() + 1;
    let fail = |reason: &dyn std::fmt::Display| format!("move {number} \"{}\": {reason}", shown(word));
    // A pass is written as a dash.
    let is_pass = matches!(word, "" | "-") || is_pass(word);
    let mv = if is_pass { GameMove::Pass } else { game.read_move(word).map_err(|reason| fail(&reason))? };
    let made = game.play_recorded(mv, None).map_err(|error| fail(&error))?;
    notes.extend(Annotated::of(made, None, seconds));
    Ok(())
}
