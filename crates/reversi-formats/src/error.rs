//! Why a text holds no game: the faults of every form that is read.

use crate::ggf::GgfError;
use reversi_rules::game::PlayError;
use reversi_rules::naive::SizeError;
use reversi_rules::notation::{BoardError, IllegalMove, TranscriptError, shown};
use reversi_rules::{Color, UnknownName};

/// A row of a table of positions that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct TableError {
    /// Line of the text, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub fault: String,
    /// The fault as a fault of the board, if it is one.
    pub board: Option<BoardError>,
}

/// A game that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("PGN game {game}: {fault}")]
pub struct PgnError {
    /// Which game of the text, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub fault: String,
}

/// JSON that holds no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JsonError {
    /// It is no JSON.
    #[error("it looks like JSON, but {0}")]
    Json(String),
    /// No object has a board or moves under a name that is read.
    #[error(
        "JSON without a game: no board or moves under a name that is read, such as \"board\", \"position\" or \"moves\""
    )]
    NoGame,
    /// A game that cannot be read.
    #[error("JSON game {game}: {fault}")]
    Game {
        /// Which game of the text, from 1.
        game: usize,
        /// What is wrong with it.
        fault: String,
    },
}

/// A game that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("SGF game {game}: {fault}")]
pub struct SgfError {
    /// Which game of the text, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub fault: String,
}

/// A file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WthorError {
    /// The file is about another board.
    #[error("WTHOR games on {0}x{0}; only those of 8x8 can be read")]
    Size(u8),
    /// The file is cut off, or something was added.
    #[error(
        "it looks like a WTHOR file of {games} games, which has {expected} bytes, but this one has {found}"
    )]
    Length {
        /// Games by its header.
        games: u32,
        /// Bytes that the games of the header take.
        expected: u64,
        /// Bytes of the file.
        found: usize,
    },
    /// The header names no kind of games.
    #[error("it looks like a WTHOR file of games, but byte 13 of its header is {0}, not 0 or 1 (problems)")]
    Kind(u8),
    /// A file of names, which belongs beside the games.
    #[error(
        "it looks like a WTHOR file of names (.jou or .trn), which holds no games; give the .wtb file beside it"
    )]
    Names,
    /// A game that cannot be read.
    #[error("WTHOR game {game}: {fault}")]
    Game {
        /// Which game of the file, from 1.
        game: usize,
        /// What is wrong with it.
        fault: String,
    },
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
    Json(#[from] JsonError),
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
    /// The number of a move with its point that is not that of the next move.
    #[error("move {number}: the number \"{}\" does not count on from the moves before it", shown(token))]
    MoveNumber {
        /// Which move, from 1.
        number: usize,
        /// The number as it was written.
        token: String,
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
    /// The text names a goal or a scoring that does not exist.
    #[error(transparent)]
    Rules(#[from] UnknownName),
    /// The text names a board size that is not supported.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A comment without its end.
    #[error("a comment that begins with {0} does not end")]
    Unclosed(char),
    /// Text, but no board and no move.
    #[error("there is neither a board nor a move in it")]
    Nothing,
    /// More games or positions than the one that was asked for.
    #[error("there are several games or positions in it, and only one is read here")]
    Several,
    /// A board beside another one, in a text that is not read line by line.
    #[error(
        "there is a second board in it; write boards on lines of their own, and a blank line between drawings"
    )]
    SecondBoard,
    /// Bytes that are no text and no WTHOR file.
    #[error("this is a binary file, and WTHOR files are the only binary files with games")]
    Binary,
}

impl ReadError {
    pub(crate) fn ambiguous(text: &str, one: &str, other: &str) -> ReadError {
        ReadError::Ambiguous { text: text.trim().to_owned(), one: one.to_owned(), other: other.to_owned() }
    }

    /// Whether it is about the position rather than about its moves.
    pub fn is_about_position(&self) -> bool {
        matches!(
            self,
            ReadError::Board(_)
                | ReadError::SideWord(_)
                | ReadError::OtherSide { .. }
                | ReadError::Nothing
                | ReadError::Several
                | ReadError::SecondBoard
        )
    }

    /// The stable word for this error: the `kind` of the JSON error object.
    pub fn kind(&self) -> &'static str {
        match self {
            ReadError::Rules(_) => "bad-rules",
            ReadError::Size(_) => "bad-board",
            ReadError::Ambiguous { .. } => "bad-position",
            _ if self.is_about_position() => "bad-position",
            _ => "bad-move",
        }
    }

    /// The fault of the board, if the error is one: also of a board in a problem file or in a row of a table.
    pub fn board_fault(&self) -> Option<&BoardError> {
        match self {
            ReadError::Board(fault) | ReadError::Obf(ObfError { fault: ObfFault::Board(fault), .. }) => {
                Some(fault)
            }
            ReadError::Table(error) => error.board.as_ref(),
            _ => None,
        }
    }

    /// The message without the number of the game (GGF, PGN, SGF, WTHOR and JSON), for a caller that prints the number
    /// itself.
    pub fn within_game(&self) -> String {
        match self {
            ReadError::Ggf(error) => error.fault.to_string(),
            ReadError::Pgn(error) => error.fault.clone(),
            ReadError::Sgf(error) => error.fault.clone(),
            ReadError::Wthor(WthorError::Game { fault, .. }) => fault.clone(),
            ReadError::Json(JsonError::Game { fault, .. }) => fault.clone(),
            _ => self.to_string(),
        }
    }
}

/// A line that is no comment, no setting and no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ObfError {
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: ObfFault,
}

/// What is wrong with a line of a problem file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ObfFault {
    /// What stands before the first `;` is no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// It can be read in two ways, or names another side than the caller.
    #[error(transparent)]
    Unclear(Box<ReadError>),
    /// A scored move that cannot be played in the position.
    #[error("move \"{}\": {reason}", shown(token))]
    Move {
        /// The move as it was written.
        token: String,
        /// Why not.
        reason: IllegalMove,
    },
    /// The same move twice.
    #[error("move \"{}\" is listed twice", shown(.0))]
    Repeated(String),
    /// A score that is no whole number of discs, or more discs than the board has squares.
    #[error("\"{}\" is no score; write a number of discs from -{squares} to +{squares}", shown(text))]
    Score {
        /// The score as it was written.
        text: String,
        /// Squares of the board.
        squares: u32,
    },
    /// A score alone next to other entries.
    #[error("a record has either scored moves (\"c4:+2; e6:-1;\") or one score (\"+2;\"), not both")]
    Mixed,
    /// `goal=` or `scoring=` with a word that is none.
    #[error("\"{}\" is no setting; write goal=normal, goal=reversed, scoring=raw or scoring=winner", shown(.0))]
    Setting(String),
    /// A setting within a sentence.
    #[error(
        "\"{}\" comes after other words; a setting belongs at the beginning of the line, anything else is written \
         without the sign =", shown(.0)
    )]
    Sentence(String),
    /// Two lines name different goals or scorings.
    #[error("\"{}\" contradicts an earlier line of the same file", shown(.0))]
    Contradiction(String),
    /// A goal or scoring named after positions, to which it would apply as well.
    #[error("\"{}\" comes after positions, which have their rules already; put it before them", shown(.0))]
    Late(String),
}
