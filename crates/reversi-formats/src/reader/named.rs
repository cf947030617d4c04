//! The rules that a text names: `reversed goal`, `scoring: winner`.

use super::beginning::begins_with_board;
use super::{Piece, words};
use crate::error::ReadError;
use reversi_rules::game::GameSetup;
use reversi_rules::{Goal, Scoring};
use std::fmt::Display;
use std::str::FromStr;

/// The setup with the rules that these pieces name; for each rule the first piece that names it counts.
pub fn named_setup(setup: GameSetup, pieces: &[&str]) -> Result<GameSetup, ReadError> {
    let goal = pieces.iter().find_map(|piece| named::<Goal>(piece, "goal").transpose()).transpose()?;
    let scoring =
        pieces.iter().find_map(|piece| named::<Scoring>(piece, "scoring").transpose()).transpose()?;
    Ok(GameSetup { goal: goal.unwrap_or(setup.goal), scoring: scoring.or(setup.scoring), ..setup })
}

/// Whether a comment seems to set the goal or the scoring.
pub fn sets_rules(comment: &str) -> bool {
    let comment = comment.to_ascii_lowercase();
    comment.contains("goal=") || comment.contains("scoring=")
}

/// The goal and the scoring that a line names in words. Comments name none.
///
/// # Errors
/// The line names both goals, or both scorings.
pub fn rules_in_words(line: &str) -> Result<(Option<Goal>, Option<Scoring>), ReadError> {
    match line.trim_start().starts_with(['#', '%']) {
        true => Ok((None, None)),
        false => Ok((named(line, "goal")?, named(line, "scoring")?)),
    }
}

/// Whether a line names the goal or the scoring in words, rightly or not.
pub fn names_rules(line: &str) -> bool {
    !rules_in_words(line).is_ok_and(|named| named == (None, None))
}

/// The value that stands before or behind a word, as in `reversed goal` and `goal: reversed`.
fn named<T: FromStr + Display + PartialEq>(text: &str, word: &str) -> Result<Option<T>, ReadError> {
    let lower = text.to_ascii_lowercase();
    // A phrase says one thing: `normal goal, raw scoring. Winner: unknown`.
    let mut values = lower.split(['.', ',', ';', '\n']).flat_map(|phrase| named_in_phrase(phrase, word));
    let Some(value) = values.next() else { return Ok(None) };
    match values.find(|other| *other != value) {
        Some(other) => {
            Err(ReadError::ambiguous(text, &format!("{value} {word}"), &format!("{other} {word}")))
        }
        None => Ok(Some(value)),
    }
}

/// The values that a phrase names, before or behind the word.
fn named_in_phrase<T: FromStr>(phrase: &str, word: &str) -> Vec<T> {
    let words = |side: &'_ str| -> Vec<String> {
        let words = side.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    // A value before a colon is none of the word behind it, as in `Winner: scoring unknown`.
    let sides: Vec<Vec<String>> = phrase.split([':', '=']).map(words).collect();
    let before = sides.iter().flat_map(|words| words.windows(2)).filter(|pair| pair[1] == word);
    let all = sides.concat();
    let behind = all.windows(2).filter(|pair| pair[0] == word).map(|pair| &pair[1]);
    before.map(|pair| &pair[0]).chain(behind).filter_map(|value| value.parse().ok()).collect()
}

/// Why [`rules_behind_boards`] sets a piece aside.
const RULES: &str = "rules";

/// The rules that follow a board on its line, as in `-----OX--XO----- X, reversed goal`. On lines of their own they are
/// read as sentences.
pub fn rules_behind_boards(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        if begins_with_board(line) {
            let words: Vec<(usize, &str)> = words(line).collect();
            for pair in words.windows(2) {
                let [(start, first), (next, noun)] = pair else { continue };
                let (first, second) = (bare(first), bare(noun));
                if is_rule(&first, &second) || is_rule(&second, &first) {
                    let before = line[..*start].trim_end();
                    let start = before.strip_suffix([',', ';']).map_or(*start, str::len);
                    found.push(Piece {
                        range: place + start..place + next + noun.trim_end_matches([',', ';']).len(),
                        why: RULES,
                    });
                }
            }
        }
        place += line.len();
    }
    found
}

/// Whether a word is a value of what another one names.
fn is_rule(value: &str, noun: &str) -> bool {
    match noun {
        "goal" => value.parse::<Goal>().is_ok(),
        "scoring" => value.parse::<Scoring>().is_ok(),
        _ => false,
    }
}

/// Whether a comment consists of rules in words alone, as in `# reversed goal, raw scoring`.
pub fn is_rules_alone(comment: &str) -> bool {
    let words: Vec<String> = words(comment).map(|(_, word)| bare(word)).collect();
    let names_rule = |pair: &[String]| matches!(pair, [one, two] if is_rule(one, two) || is_rule(two, one));
    !words.is_empty() && words.chunks(2).all(names_rule)
}

/// A word in small letters, without the signs around it.
fn bare(word: &str) -> String {
    word.trim_matches([',', ';', '.', '(', ')']).to_ascii_lowercase()
}

/// The remarks in which rules count: those in round brackets, comments with `goal=` or `scoring=`, and the rules behind
/// a board. Other comments may be about anything.
pub fn remarks_with_rules(text: &str, pieces: &[Piece]) -> String {
    let remarks = pieces.iter().map(|piece| (&text[piece.range.clone()], piece.why));
    let naming =
        remarks.filter(|(remark, why)| *why == RULES || remark.starts_with('(') || sets_rules(remark));
    naming.map(|(remark, _)| remark).collect::<Vec<_>>().join("\n")
}
