//! Games and positions in JSON: of Othello Quest (`quest`), answers of this program (`own`), and those of other programs
//! (`other_json`).

use crate::error::JsonError;
use crate::reader::Wanted;
use crate::reading::Reading;
use crate::{other_json, own, quest};
use reversi_rules::notation::shown;
use serde_json::Value;

/// Whether the text is JSON: it begins with an object, or a list of objects.
pub(crate) fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    let object =
        |text: &str| text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '}']));
    object(text) || text.strip_prefix('[').is_some_and(|rest| object(rest.trim_start()))
}

/// All games of a JSON text.
///
/// # Errors
/// It is no JSON, or has no game.
pub(crate) fn games(text: &str, wanted: &Wanted) -> Result<Vec<Result<Reading, JsonError>>, JsonError> {
    let mut found = Vec::new();
    // One object, or one on each line.
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.map_err(|error| JsonError::Json(shown(&error.to_string())))?;
        collect(&value, &mut found);
    }
    if found.is_empty() {
        return Err(JsonError::NoGame);
    }
    let read = |(index, game): (usize, &Value)| {
        read(game, wanted).map_err(|fault| JsonError::Game { game: index + 1, fault })
    };
    Ok(found.iter().enumerate().map(read).collect())
}

/// The objects that are games, in the order of the text. The depth is bounded by the JSON reader's own limit.
fn collect(value: &Value, found: &mut Vec<Value>) {
    if quest::is_game(value) || own::is_answer(value) || other_json::is_game(value) {
        found.push(value.clone());
        return;
    }
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
        Value::Object(map) => map.values().for_each(|value| collect(value, found)),
        _ => {}
    }
}

fn read(value: &Value, wanted: &Wanted) -> Result<Reading, String> {
    if own::is_answer(value) {
        own::from_json(value, wanted)
    } else if quest::is_game(value) {
        quest::read(value, wanted)
    } else {
        other_json::read(value, wanted)
    }
}
