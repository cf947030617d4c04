//! GGF game records, the one common format that names the board size and the reversed goal.
//!
//! ```text
//! (;GM[Othello]PC[..]DT[..]PB[..]PW[..]TY[6a]BO[6 <cells> *]B[d3//0.01]W[c5/-2.00]RE[-4.000];)
//! ```
//!
//! `TY` holds the size and `a` for the reversed goal (anti), `BO` the first board, `B` and `W` a move with the mover's
//! evaluation and the seconds it took. Conventions of this program: `RE` counts discs from Black's view and is not
//! negated under the reversed goal; a board that is not square is `4x6`. Other tags, such as ratings and clocks, are
//! kept and written before `TY`.

mod tags;

use reversi_rules::game::{Game, GameBoard, GameMove, GameSetup, PlayError};
use reversi_rules::notation::{BoardError, IllegalMove, shown};
use reversi_rules::{Color, Goal, naive};
use std::fmt;
use std::str::FromStr;
use tags::Tags;

/// One recorded game. Its moves are legal from its first board, forced passes included.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Where it was played (`PC`).
    pub place: String,
    /// When it was played (`DT`), in no particular form.
    pub date: String,
    /// Who played Black (`PB`).
    pub black: String,
    /// Who played White (`PW`).
    pub white: String,
    /// The goal (`a` in `TY`).
    pub goal: Goal,
    /// The board before the first move (`BO`).
    first: GameBoard,
    /// The moves (`B` and `W`); the colours follow from the first board.
    moves: Vec<Annotated>,
    /// Discs of Black minus discs of White at the end, whatever the goal (`RE`); with winner scoring the empty squares
    /// count among the winner's.
    pub result: Option<f64>,
    /// How the file stated `result`, where the game has not ended on its board. GGF cannot hold this.
    pub told: Told,
    /// How the game ended if not on the board: the letter after the result, as `t` in `-64.000:t`. Usual letters are
    /// `r` for resigned, `t` for out of time and `s` for agreed upon; this program writes `f` where a player made an
    /// illegal move or gave none.
    pub forfeit: Option<char>,
    /// Tags that this program does not interpret, such as ratings (`RB`, `RW`) and clocks (`TI`): names in capitals and
    /// values. An entry whose name this program interprets is not written.
    pub other_tags: Vec<[String; 2]>,
    /// Black's discs at the end of perfect play, where the file that the game comes from states them (WTHOR, PGN). GGF
    /// cannot hold this.
    pub theoretical: Option<u8>,
    /// The numbers that only WTHOR files hold.
    pub numbers: Numbers,
}

/// What a WTHOR file says about a game in numbers. All are 0 where the file says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Numbers {
    /// The tournament, Black and White: indices into the lists of names that belong to the file.
    pub names: [u16; 3],
    /// The depth of the theoretical score: the number of empty squares of the position it is for.
    pub depth: u8,
}

/// What a file says of the end of a game. It counts where the game has not ended on its board.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Outcome {
    /// As [`Record::result`].
    pub result: Option<f64>,
    /// As [`Record::told`].
    pub told: Told,
    /// As [`Record::forfeit`].
    pub forfeit: Option<char>,
}

/// The form in which a file states a result.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Told {
    /// The difference of discs.
    #[default]
    Difference,
    /// The discs of Black and of White.
    Discs(u32, u32),
    /// Who won, and no discs: the result counts all squares, as a forfeit does.
    Winner,
}

/// A move with what its player thought of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Annotated {
    /// The move.
    pub mv: GameMove,
    /// The mover's evaluation in discs.
    pub eval: Option<f64>,
    /// How long the mover thought, in seconds.
    pub seconds: Option<f64>,
}

impl Annotated {
    /// The moves made for one of a record, whose notes belong to the last: the record left out the pass before it.
    pub(crate) fn of(
        made: &[GameMove],
        eval: Option<f64>,
        seconds: Option<f64>,
    ) -> impl Iterator<Item = Annotated> {
        let without = |mv| Annotated { mv, eval: None, seconds: None };
        let (last, before) = made.split_last().unzip();
        let last = last.map(|&mv| Annotated { mv, eval, seconds });
        before.into_iter().flatten().map(move |&mv| without(mv)).chain(last)
    }
}

/// A text that is no game record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}: {fault}")]
pub struct GgfError {
    /// Which game of the text, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub fault: GgfFault,
}

/// What is wrong with a game record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GgfFault {
    /// The text has no `(;`.
    #[error("there is none; a GGF game begins with \"(;GM[Othello]\"")]
    Missing,
    /// The text ends inside the game.
    #[error("the record does not end; a GGF game ends with \";)\"")]
    Unclosed,
    /// Something between the tags.
    #[error("\"{}\" is no tag; write tags as in PB[name]", .0.escape_debug())]
    NoTag(char),
    /// `GM` names another game.
    #[error("it is a game of \"{}\", not of Othello", shown(.0))]
    OtherGame(String),
    /// Neither `TY` nor `BO`.
    #[error("neither TY nor BO says how large the board is; write TY[8]")]
    NoSize,
    /// A size that is none.
    #[error("\"{}\" names no board size from 3 to 24, as in TY[8] or BO[6 ...]", shown(.0))]
    Size(String),
    /// `TY` and `BO` name different sizes.
    #[error("TY says {ty}, but the board is {bo}")]
    Sizes {
        /// The size in `TY`.
        ty: naive::Size,
        /// The size in `BO`.
        bo: naive::Size,
    },
    /// The cells of `BO`.
    #[error("BO: {0}")]
    Board(#[from] BoardError),
    /// A move that cannot be played.
    #[error("move {number} \"{}\": {reason}", shown(token))]
    Move {
        /// Which move, from 1.
        number: usize,
        /// The move as it was written.
        token: String,
        /// Why not.
        reason: IllegalMove,
    },
    /// A move of the side that is not to move.
    #[error("move {number} \"{}\" is {color}'s, but {} is to move", shown(token), color.other())]
    Color {
        /// Which move, from 1.
        number: usize,
        /// The move as it was written.
        token: String,
        /// Whose move it is said to be.
        color: Color,
    },
}

/// Reads all games of a text; what stands between them is skipped. A text without games gives an empty list; parsing a
/// single [`Record`] from such a text is an error.
///
/// # Errors
/// The first game that cannot be read, with the reason.
///
/// ```
/// use reversi_formats::ggf;
/// let text = "(;GM[Othello]PB[me]PW[you]TY[4a]BO[4 -----O*--*O----- *]B[b1//1.5]W[PA];)";
/// assert_eq!(ggf::parse(text).unwrap_err().to_string(), "game 1: move 2 \"PA\": a pass is only legal without a move");
/// let games = ggf::parse(&text.replace("PA", "a1")).unwrap();
/// assert_eq!((games[0].black.as_str(), games[0].moves()[0].seconds), ("me", Some(1.5)));
/// ```
pub fn parse(text: &str) -> Result<Vec<Record>, GgfError> {
    records(text).collect()
}

/// Whether a text has a record: it begins with `(;`, whatever follows, or it has `(;` followed by a tag with its value.
/// Elsewhere `(;` alone may be part of a name.
pub fn has_record(text: &str) -> bool {
    text.trim_start().starts_with("(;") || text.split("(;").skip(1).any(begins_with_tag)
}

/// Whether a text begins with the name of a tag and the bracket of its value.
pub(crate) fn begins_with_tag(text: &str) -> bool {
    let name = text.trim_start();
    let behind = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    behind.len() < name.len() && behind.trim_start().starts_with(['[', '('])
}

/// Reads the games lazily, in order. A game that is not a list of tags has no known end; the next game is then the
/// first whose `(;` comes after the one of the faulty game.
pub fn records(text: &str) -> impl Iterator<Item = Result<Record, GgfError>> {
    let mut rest = text;
    (1..).map_while(move |game| {
        let (_, text) = rest.split_once("(;")?;
        let (record, behind) = read_record(text);
        rest = behind;
        Some(record.map_err(|fault| GgfError { game, fault }))
    })
}

/// Reads the record behind its `(`. Also returns the text after it or, where a fault hides its end, the text in which the
/// next one may be.
pub(crate) fn read_record(text: &str) -> (Result<Record, GgfFault>, &str) {
    let mut tags = Tags::default();
    match tags.read(text) {
        Ok(behind) => (tags.into_record(), behind),
        Err((fault, behind)) => (Err(tags.other_game().unwrap_or(fault)), behind),
    }
}

/// The first game of the text, whatever follows it.
impl FromStr for Record {
    type Err = GgfError;

    fn from_str(text: &str) -> Result<Record, GgfError> {
        records(text).next().unwrap_or(Err(GgfError { game: 1, fault: GgfFault::Missing }))
    }
}

impl Record {
    /// The record of a game, without names; its result once it is over.
    pub fn new(game: &Game) -> Record {
        let goal = game.rules().goal;
        Record {
            place: String::new(),
            date: String::new(),
            black: String::new(),
            white: String::new(),
            goal,
            first: game.first_board().clone(),
            moves: game.moves().iter().map(|&mv| Annotated { mv, eval: None, seconds: None }).collect(),
            result: game.result().map(|result| discs_of_black(result.score, goal)),
            told: Told::default(),
            forfeit: None,
            other_tags: Vec::new(),
            theoretical: None,
            numbers: Numbers::default(),
        }
    }

    /// The board before the first move.
    pub fn first_board(&self) -> &GameBoard {
        &self.first
    }

    /// The moves, passes included.
    pub fn moves(&self) -> &[Annotated] {
        &self.moves
    }

    /// Sets the mover's evaluation of a move, in discs, and its thinking time in seconds; does nothing if there is no
    /// such move.
    pub fn annotate(&mut self, index: usize, eval: Option<f64>, seconds: Option<f64>) {
        if let Some(annotated) = self.moves.get_mut(index) {
            (annotated.eval, annotated.seconds) = (eval, seconds);
        }
    }

    /// What is noted of the end of the game.
    pub fn outcome(&self) -> Outcome {
        Outcome { result: self.result, told: self.told, forfeit: self.forfeit }
    }

    /// Notes what a file says of the end of the game. A game that has ended on the board keeps the score it has there.
    pub fn state(&mut self, outcome: Outcome) {
        if self.result.is_none() {
            Outcome { result: self.result, told: self.told, forfeit: self.forfeit } = outcome;
        }
    }

    /// The game with all its moves made, on the record's board under the rules of `setup`. The goal of `setup` need not
    /// be the record's; `GameSetup { goal: record.goal, ..setup }` gives the game as it was played.
    ///
    /// # Errors
    /// A move after a side could not move, if that ends the game under the rules of `setup`.
    pub fn game(&self, setup: GameSetup) -> Result<Game, PlayError> {
        let mut game = setup.game_from(self.first.clone());
        for annotated in &self.moves {
            game.play(annotated.mv)?;
        }
        Ok(game)
    }

    /// Notes that `loser` has lost by all squares, whatever is on the board; `how` is the letter of the field
    /// `forfeit`.
    pub fn forfeit(&mut self, loser: Color, how: char) {
        let squares = (self.first.size().width() * self.first.size().height()) as i32;
        let for_black = if loser == Color::Black { -squares } else { squares };
        (self.result, self.forfeit) = (Some(discs_of_black(for_black, self.goal)), Some(how));
    }
}

/// How many discs more Black has, from what the game is worth for Black.
pub(crate) fn discs_of_black(score: i32, goal: Goal) -> f64 {
    f64::from(if goal == Goal::Reversed { -score } else { score })
}

/// One line without its end. Brackets in names become round, ends of lines spaces, and numbers that are not finite are
/// left out: the format cannot hold them.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(;GM[Othello]")?;
        for (name, value) in
            [("PC", &self.place), ("DT", &self.date), ("PB", &self.black), ("PW", &self.white)]
        {
            write!(f, "{name}[{}]", printable(value))?;
        }
        for [name, value] in self.other_tags.iter().filter(|[name, _]| tags::means_nothing(name)) {
            write!(f, "{name}[{}]", printable(value))?;
        }
        let size = self.first.size();
        let sides = if size.width() == size.height() { size.width().to_string() } else { size.to_string() };
        let anti = if self.goal == Goal::Reversed { "a" } else { "" };
        write!(f, "TY[{sides}{anti}]BO[{sides} {}]", self.first.to_string().replace('X', "*"))?;
        let mut color = self.first.to_move();
        for annotated in &self.moves {
            let letter = if color == Color::Black { 'B' } else { 'W' };
            write!(f, "{letter}[{annotated}]")?;
            color = color.other();
        }
        match self.result.filter(|result| result.is_finite()) {
            Some(result) => write!(f, "RE[{result:+.3}")?,
            None => write!(f, "RE[?")?,
        }
        match self.forfeit.filter(char::is_ascii_alphabetic) {
            Some(how) => write!(f, ":{how}];)"),
            None => write!(f, "];)"),
        }
    }
}

/// The format has no way to write brackets or ends of lines inside a value.
fn printable(value: &str) -> String {
    let readable = |c: char| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    value.chars().map(readable).collect::<String>().trim().to_owned()
}

/// `d3`, `d3/-2.00`, `d3//0.01`, `d3/-2.00/0.01`; a pass is `PA`.
impl fmt::Display for Annotated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mv {
            GameMove::Pass => write!(f, "PA")?,
            mv => write!(f, "{mv}")?,
        }
        let [eval, seconds] =
            [self.eval, self.seconds].map(|number| number.filter(|number| number.is_finite()));
        if eval.is_some() || seconds.is_some() {
            write!(f, "/")?;
        }
        if let Some(eval) = eval {
            write!(f, "{eval:.2}")?;
        }
        match seconds {
            Some(seconds) => write!(f, "/{seconds:.2}"),
            None => Ok(()),
        }
    }
}
