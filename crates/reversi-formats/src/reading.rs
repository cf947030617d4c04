//! A game that was read from a text, and why there is none.

use crate::ggf::{Annotated, GgfError, Record};
use crate::obf::ObfError;
use crate::own::TableError;
use crate::pgn::PgnError;
use crate::quest::QuestError;
use crate::reader::Skipped;
use crate::sgf::SgfError;
use crate::wthor::WthorError;
use reversi_rules::Color;
use reversi_rules::game::{Game, PlayError};
use reversi_rules::notation::{BoardError, TranscriptError, shown};
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

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game, all its moves made.
    pub game: Game,
    /// What the text says of its moves.
    pub notes: Vec<Annotated>,
    /// Who played Black and who White; empty where the text says nothing.
    pub players: [String; 2],
    /// When and where it was played, in no particular form; empty where the text says nothing.
    pub occasion: [String; 2],
    /// The form it was found in.
    pub kind: Kind,
    /// Whether the text names the first board.
    pub has_board: bool,
    /// The discs that Black has at the end of perfect play, where the file says so (WTHOR, PGN).
    pub theoretical: Option<u8>,
    /// The pieces of the text that were skipped.
    pub skipped: Vec<Skipped>,
}

impl Reading {
    /// A game of which nothing else is said.
    pub fn new(game: Game, kind: Kind) -> Reading {
        Reading {
            game,
            notes: Vec::new(),
            players: Default::default(),
            occasion: Default::default(),
            kind,
            has_board: true,
            theoretical: None,
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
        record.theoretical = self.theoretical;
        record
    }
}

impl From<Game> for Reading {
    /// A game of which nothing else is said.
    fn from(game: Game) -> Reading {
        Reading::new(game, Kind::Moves)
    }
}

/// A text that holds no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// It looks like GGF.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// It looks like a problem of Edax.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// It looks like PGN.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// It looks like SGF.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// It looks like a WTHOR file.
    #[error(transparent)]
    Wthor(#[from] WthorError),
    /// It looks like JSON.
    #[error(transparent)]
    Quest(#[from] QuestError),
    /// It looks like a table of positions with commas.
    #[error(transparent)]
    Table(#[from] TableError),
    /// It looks like a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Moves after a board.
    #[error(transparent)]
    Moves(TranscriptError),
    /// It looks like moves alone, from the setup's first board.
    #[error(transparent)]
    BareMoves(TranscriptError),
    /// A move where games end without passing.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A move said to be of the side that is not to move.
    #[error("move {number} \"{}\" is said to be {color}'s, but {to_move} is to move", shown(token))]
    Side {
        /// Which move, from 1.
        number: usize,
        /// The move as it was written.
        token: String,
        /// Whose it is said to be.
        color: Color,
        /// Who is to move.
        to_move: Color,
    },
    /// A word behind a board that is neither a side nor a move.
    #[error("\"{}\" is neither a side to move nor a move; write X (Black) or O (White)", shown(.0))]
    SideWord(String),
    /// The text names another side than the caller.
    #[error("{said} is to move there, not {wanted}")]
    OtherSide {
        /// The side of the text.
        said: Color,
        /// The side of the caller.
        wanted: Color,
    },
    /// Two ways to read one piece of the text.
    #[error("\"{}\" can be read as {one} or as {other}", shown(text))]
    Ambiguous {
        /// The piece.
        text: String,
        /// One reading.
        one: String,
        /// The other one.
        other: String,
    },
    /// A comment without its end.
    #[error("a comment that begins with {0} does not end")]
    Unclosed(char),
    /// Text, but no board and no move.
    #[error("there is neither a board nor a move in it")]
    Nothing,
}

impl ReadError {
    pub(crate) fn ambiguous(text: &str, one: &str, other: &str) -> ReadError {
        ReadError::Ambiguous { text: text.trim().to_owned(), one: one.to_owned(), other: other.to_owned() }
    }

    /// Whether it is about the position rather than about its moves.
    pub fn is_about_position(&self) -> bool {
        matches!(
            self,
            ReadError::Board(_) | ReadError::SideWord(_) | ReadError::OtherSide { .. } | ReadError::Nothing
        )
    }

    /// The same without the number of the game, for a caller that names it.
    pub fn within_game(&self) -> String {
        match self {
            ReadError::Ggf(error) => error.fault.to_string(),
            ReadError::Pgn(error) => error.fault.clone(),
            ReadError::Sgf(error) => error.fault.clone(),
            ReadError::Wthor(WthorError::Game { fault, .. }) => fault.clone(),
            _ => self.to_string(),
        }
    }
}
