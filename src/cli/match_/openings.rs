//! The first positions of a match as they are written on the command line: `--openings PLIES|xot|FILE`.

use crate::cli::{Failure, reading};
use reversi_engine::Game;
use reversi_formats::decode;
use reversi_lab::arena::opening_lists;
use std::path::PathBuf;
use std::str::FromStr;

/// The list that comes with the program.
const SHIPPED: &str = "xot";

/// Maximum number of moves of openings that are all listed: after ten there are millions.
const MOST_PLIES: u32 = 10;

/// Openings by their number of moves, or a list of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// All positions after this number of moves.
    Plies(u32),
    /// The list that comes with the program.
    Shipped,
    /// The list of a file.
    File(PathBuf),
}

impl FromStr for Openings {
    type Err = String;

    fn from_str(text: &str) -> Result<Openings, String> {
        let is_number = text.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(plies) if plies <= MOST_PLIES => Ok(Openings::Plies(plies)),
            _ if text == SHIPPED => Ok(Openings::Shipped),
            _ if is_number => Err(format!("write 0 to {MOST_PLIES} moves, {SHIPPED}, or the name of a file")),
            _ => Ok(Openings::File(PathBuf::from(text))),
        }
    }
}

impl Openings {
    /// The word for the kind in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Openings::Plies(_) => "canonical",
            Openings::Shipped => SHIPPED,
            Openings::File(_) => "file",
        }
    }

    /// Number of moves of each opening; 0 for a list, whose openings may differ.
    pub fn plies(&self) -> u32 {
        if let Openings::Plies(plies) = self { *plies } else { 0 }
    }

    /// The openings of a list; none if they are given by their number of moves.
    ///
    /// # Errors
    /// A file that cannot be read or has no opening for such games, and games for which no list is shipped.
    pub fn read(&self, start: &Game) -> Result<Vec<Game>, Failure> {
        let fault = |message: String| Failure::usage("bad-opening", format!("--openings {message}"));
        match self {
            Openings::Plies(_) => Ok(Vec::new()),
            Openings::Shipped => opening_lists::shipped(start).ok_or_else(|| {
                fault(format!(
                    "{SHIPPED}: that list is for games on 8x8 from the diagonal start, in which a side without a move passes; \
                     `reversi openings` makes others"
                ))
            }),
            Openings::File(path) => {
                let name = path.display();
                let bytes = reading::read_named(path).map_err(|error| fault(format!("{name}: {error}")))?;
                let text = decode::text(&bytes);
                let size = start.size();
                let found = opening_lists::read(&text, start)
                    .map_err(|error| fault(format!("{name}: {error} (in games on {size}; see --board)")))?;
                if found.is_empty() { Err(fault(format!("{name}: there is no opening in it"))) } else { Ok(found) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_read_as_a_number_a_word_or_a_file() {
        let read = |text: &str| text.parse::<Openings>();
        assert_eq!(read("10"), Ok(Openings::Plies(10)));
        assert_eq!(read("xot"), Ok(Openings::Shipped));
        assert_eq!(read("list.txt"), Ok(Openings::File("list.txt".into())));
        for bad in ["11", "-1", "99999999999", ""] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
