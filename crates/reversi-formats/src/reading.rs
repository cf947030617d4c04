//! A game that was read from a text.

use crate::ggf::{Annotated, Numbers, Outcome, Record};
use crate::reader::{Plain, Skipped};
use reversi_rules::game::Game;
use std::fmt;

/// The form that a text or file was found to have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Moves alone, as a transcript.
    Moves,
    /// A board, and perhaps moves after it.
    Board,
    /// A problem of an Edax file.
    Obf,
    /// A game of a GGF file.
    Ggf,
    /// A game of an SGF file.
    Sgf,
    /// A game of a PGN file.
    Pgn,
    /// A game of a WTHOR file.
    Wthor,
    /// A game of Othello Quest.
    Quest,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Moves => "moves",
            Kind::Board => "a board",
            Kind::Obf => "OBF",
            Kind::Ggf => "GGF",
            Kind::Sgf => "SGF",
            Kind::Pgn => "PGN",
            Kind::Wthor => "WTHOR",
            Kind::Quest => "Othello Quest JSON",
        })
    }
}

/// Tags of [`Record::other_tags`] that PGN and SGF have too, by the names of SGF: the event and its round.
pub(crate) const EVENT_AND_ROUND: [&str; 2] = ["EV", "RO"];

/// These tags with their values, without those that are empty.
pub(crate) fn event_and_round(values: [String; 2]) -> Vec<[String; 2]> {
    let tags = EVENT_AND_ROUND.into_iter().zip(values);
    tags.filter(|(_, value)| !value.is_empty()).map(|(name, value)| [name.to_owned(), value]).collect()
}

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game, all its moves made.
    pub game: Game,
    /// The evaluations and times of its moves, in the order of the game's moves; may be shorter.
    pub notes: Vec<Annotated>,
    /// Who played Black and who White; empty where the text says nothing.
    pub players: [String; 2],
    /// When and where it was played, in no particular form; empty where the text says nothing.
    pub occasion: [String; 2],
    /// As [`Record::other_tags`].
    pub other_tags: Vec<[String; 2]>,
    /// The form it was found in.
    pub kind: Kind,
    /// Whether the text names the first board.
    pub has_board: bool,
    /// Black's discs at the end of perfect play, where the file states them (WTHOR, PGN).
    pub theoretical: Option<u8>,
    /// As [`Record::numbers`].
    pub numbers: Numbers,
    /// What the file says of the end of the game.
    pub outcome: Outcome,
    /// The pieces of the text that were skipped.
    pub skipped: Vec<Skipped>,
}

impl Reading {
    /// A board, if there is one, and moves.
    pub(crate) fn of(read: Plain) -> Reading {
        let kind = if read.has_board { Kind::Board } else { Kind::Moves };
        Reading { has_board: read.has_board, skipped: read.skipped, ..Reading::new(read.game, kind) }
    }

    /// A game of which nothing else is said.
    pub fn new(game: Game, kind: Kind) -> Reading {
        Reading {
            game,
            notes: Vec::new(),
            players: Default::default(),
            occasion: Default::default(),
            other_tags: Vec::new(),
            kind,
            has_board: true,
            theoretical: None,
            numbers: Numbers::default(),
            outcome: Outcome::default(),
            skipped: Vec::new(),
        }
    }

    /// The record of the game, as it is written in a file.
    pub fn record(&self) -> Record {
        let mut record = Record::new(&self.game);
        for (index, note) in self.notes.iter().enumerate() {
            record.annotate(index, note.eval, note.seconds);
        }
        [record.black, record.white] = self.players.clone();
        [record.date, record.place] = self.occasion.clone();
        record.other_tags.clone_from(&self.other_tags);
        (record.theoretical, record.numbers) = (self.theoretical, self.numbers);
        record.state(self.outcome);
        record
    }
}

impl From<Game> for Reading {
    /// A game of which nothing else is said.
    fn from(game: Game) -> Reading {
        Reading::new(game, Kind::Moves)
    }
}
