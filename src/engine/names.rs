//! Knows every player by name: reads `alphabeta:6,discs` and makes the player.

use super::player::Player;
use super::simple::{Anything, First};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// One name in the catalogue of players.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name before the colon.
    pub name: &'static str,
    /// What the player does, in a sentence.
    pub summary: &'static str,
}

/// All players there are, in the order they are listed.
pub const CATALOGUE: &[Entry] = &[
    Entry { name: "random", summary: "Each legal move with the same chance." },
    Entry { name: "first", summary: "Always the first legal move, row by row from a1." },
];

/// What players may use: memory, threads and files.
#[derive(Clone, Debug)]
pub struct Equipment {
    /// For the table of positions of players that have one, in bytes.
    pub memory_bytes: usize,
    /// Threads of one player.
    pub threads: usize,
    /// Where tables and weights are looked for first.
    pub data: Option<PathBuf>,
}

/// One thread and 64 MiB.
impl Default for Equipment {
    fn default() -> Equipment {
        Equipment { memory_bytes: 64 << 20, threads: 1, data: None }
    }
}

/// A player's name with its parameters, read and found good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerSpec {
    recipe: Recipe,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Recipe {
    First,
    Random,
}

/// A text that names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// No player has this name.
    #[error("there is no player \"{name}\"; the nearest names are {}; `reversi players` lists all", nearest.join(", "))]
    Unknown {
        /// What was written before the colon.
        name: String,
        /// Names that look like it.
        nearest: Vec<&'static str>,
    },
    /// The player has no such parameter, or no such value for it.
    #[error("player \"{name}\": {reason}")]
    Parameter {
        /// The player.
        name: &'static str,
        /// What is wrong, and what would be right.
        reason: String,
    },
}

impl FromStr for PlayerSpec {
    type Err = NameError;

    fn from_str(text: &str) -> Result<PlayerSpec, NameError> {
        let (name, parameters) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let none = |recipe, name| match parameters {
            "" => Ok(PlayerSpec { recipe }),
            _ => Err(NameError::Parameter {
                name,
                reason: format!("it takes no parameters, not \"{parameters}\""),
            }),
        };
        match name {
            "first" => none(Recipe::First, "first"),
            "random" => none(Recipe::Random, "random"),
            _ => Err(NameError::Unknown { name: name.to_owned(), nearest: nearest(name) }),
        }
    }
}

impl PlayerSpec {
    /// Makes the player; its random numbers follow from `seed`.
    pub fn build(&self, _equipment: &Equipment, seed: u64) -> Box<dyn Player> {
        match self.recipe {
            Recipe::First => Box::new(First),
            Recipe::Random => Box::new(Anything::new(seed)),
        }
    }
}

/// The name with all parameters that are not the usual ones; reading it gives the same player.
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.recipe {
            Recipe::First => f.pad("first"),
            Recipe::Random => f.pad("random"),
        }
    }
}

/// Up to three names with the least edit distance.
fn nearest(name: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = CATALOGUE.iter().map(|entry| entry.name).collect();
    names.sort_by_key(|known| edit_distance(name, known));
    names.truncate(3);
    names
}

/// Insertions, deletions and replacements of letters that turn one word into the other (Levenshtein).
fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..to.len() {
            let replaced = diagonal + usize::from(letter != to[j]);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_catalogue_is_read() {
        for entry in CATALOGUE {
            assert_eq!(entry.name.parse::<PlayerSpec>().unwrap().to_string(), entry.name);
        }
    }

    #[test]
    fn a_mistyped_name_brings_the_nearest() {
        let error = "randon".parse::<PlayerSpec>().unwrap_err();
        assert!(matches!(error, NameError::Unknown { nearest, .. } if nearest[0] == "random"));
    }
}
