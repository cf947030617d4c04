//! Knows GGF game records, the one common format that names the board size and the reversed goal.
//!
//! ```text
//! (;GM[Othello]PC[..]DT[..]PB[..]PW[..]TY[6a]BO[6 <cells> *]B[d3//0.01]W[c5/-2.00]RE[-4.000];)
//! ```
//!
//! `TY` holds the size and `a` for the reversed goal (anti), `BO` the first board, `B` and `W` a move with
//! the mover's evaluation and the seconds it took. Ours: `RE` counts discs from Black's view and is not
//! negated under the reversed goal; a board that is not square is `4x6`. Other tags are read over and not
//! kept.

use super::Setup;
use crate::engine::{Game, GameBoard, GameMove, PlayError};
use crate::rules::notation::{BoardError, IllegalMove, parse_sides};
use crate::rules::{Color, Goal, Passing, Rules, Scoring, Start, naive};
use std::fmt;
use std::str::FromStr;

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
    /// How the game ended if not on the board: a letter behind the result, as `t` in `-64.000:t`. Usual are `r` for
    /// resigned, `t` for out of time and `s` for agreed upon.
    pub forfeit: Option<char>,
}

/// A move with what its player thought of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Annotated {
    /// The move.
    pub mv: GameMove,
    /// The mover's evaluation in discs.
    pub eval: Option<f64>,
    /// How long the mover thought.
    pub seconds: Option<f64>,
}

/// A text that is no game record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}: {fault}")]
pub struct GgfError {
    /// Which game of the text, from 1.
    pub game: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a game record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The text has no `(;`.
    #[error("there is none; a GGF game begins with \"(;GM[Othello]\"")]
    Missing,
    /// The text ends inside the game.
    #[error("the record does not end; a GGF game ends with \";)\"")]
    Unclosed,
    /// Something between the tags.
    #[error("\"{0}\" is no tag; write tags as in PB[name]")]
    NoTag(char),
    /// `GM` names another game.
    #[error("it is a game of \"{0}\", not of Othello")]
    OtherGame(String),
    /// Neither `TY` nor `BO`.
    #[error("neither TY nor BO says how large the board is; write TY[8]")]
    NoSize,
    /// A size that is none.
    #[error("\"{0}\" names no board size from 3 to 24, as in TY[8] or BO[6 ...]")]
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
    #[error("move {number} \"{token}\": {reason}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// The move as it was written.
        token: String,
        /// Why not.
        reason: IllegalMove,
    },
    /// A move of the side that is not to move.
    #[error("move {number} \"{token}\" is {color}'s, but {} is to move", color.other())]
    Color {
        /// Which move, from 1.
        number: usize,
        /// The move as it was written.
        token: String,
        /// Whose move it is said to be.
        color: Color,
    },
}

/// Reads all games of a text; what stands between them is skipped. A text without any gives none, which
/// is an error only to who wants one: to read a [`Record`].
///
/// # Errors
/// The first game that cannot be read, with the reason.
///
/// ```
/// use reversi::protocol::ggf;
/// let text = "(;GM[Othello]PB[me]PW[you]TY[4a]BO[4 -----O*--*O----- *]B[b1//1.5]W[PA];)";
/// assert_eq!(ggf::parse(text).unwrap_err().to_string(), "game 1: move 2 \"PA\": a pass is only legal without a move");
/// let games = ggf::parse(&text.replace("PA", "a1")).unwrap();
/// assert_eq!((games[0].black.as_str(), games[0].moves()[0].seconds), ("me", Some(1.5)));
/// ```
pub fn parse(text: &str) -> Result<Vec<Record>, GgfError> {
    records(text).collect()
}

/// Reads one game after the other, as they are asked for. Where one is no list of tags, and so has no known
/// end, the next is the first that begins behind its beginning.
pub fn records(text: &str) -> impl Iterator<Item = Result<Record, GgfError>> {
    let mut rest = text;
    (1..).map_while(move |game| {
        let (_, text) = rest.split_once("(;")?;
        let mut tags = Tags::default();
        let record = match tags.read(text) {
            Ok(tail) => {
                rest = tail;
                tags.into_record()
            }
            Err(fault) => {
                rest = text;
                Err(tags.other_game().unwrap_or(fault))
            }
        };
        Some(record.map_err(|fault| GgfError { game, fault }))
    })
}

/// The first game of the text, whatever follows it.
impl FromStr for Record {
    type Err = GgfError;

    fn from_str(text: &str) -> Result<Record, GgfError> {
        records(text).next().unwrap_or(Err(GgfError { game: 1, fault: Fault::Missing }))
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
            forfeit: None,
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

    /// Sets what the mover thought of a move, in discs; nothing where there is no such move.
    pub fn annotate(&mut self, index: usize, eval: Option<f64>, seconds: Option<f64>) {
        if let Some(annotated) = self.moves.get_mut(index) {
            (annotated.eval, annotated.seconds) = (eval, seconds);
        }
    }

    /// The game, all its moves made, on the record's board under the rules of `setup`. Its goal need not be the
    /// record's; as it was played the game has the setup `Setup { goal: record.goal, ..setup }`.
    ///
    /// # Errors
    /// A move after a side had none, where that ends the game.
    pub fn game(&self, setup: Setup) -> Result<Game, PlayError> {
        let mut game = setup.game_from(self.first.clone());
        for annotated in &self.moves {
            game.play(annotated.mv)?;
        }
        Ok(game)
    }

    /// Notes that `loser` has lost the game in this way, whatever is on the board: by all squares.
    pub fn forfeit(&mut self, loser: Color, how: char) {
        let squares = (self.first.size().width() * self.first.size().height()) as i32;
        let for_black = if loser == Color::Black { -squares } else { squares };
        (self.result, self.forfeit) = (Some(discs_of_black(for_black, self.goal)), Some(how));
    }
}

/// How many discs more Black has, from what the game is worth for Black.
fn discs_of_black(score: i32, goal: Goal) -> f64 {
    f64::from(if goal == Goal::Reversed { -score } else { score })
}

/// The tags of one record, as far as they are known.
#[derive(Default)]
struct Tags<'a> {
    game: Option<&'a str>,
    place: &'a str,
    date: &'a str,
    black: &'a str,
    white: &'a str,
    kind: Option<&'a str>,
    board: Option<&'a str>,
    result: Option<f64>,
    forfeit: Option<char>,
    moves: Vec<(Color, &'a str)>,
}

impl<'a> Tags<'a> {
    /// Reads those of one game after its `(;`, and gives what follows it.
    fn read(&mut self, text: &'a str) -> Result<&'a str, Fault> {
        let mut rest = text.trim_start();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
            if let Some(tail) = rest.strip_prefix(')') {
                return Ok(tail);
            }
            let name_length = rest.find(|c: char| !c.is_ascii_alphabetic()).ok_or(Fault::Unclosed)?;
            let (name, tail) = rest.split_at(name_length);
            let value = match tail.trim_start().strip_prefix('[') {
                Some(value) if !name.is_empty() => value,
                _ => return Err(tail.chars().next().map_or(Fault::Unclosed, Fault::NoTag)),
            };
            let (value, tail) = value.split_once(']').ok_or(Fault::Unclosed)?;
            self.set(&name.to_ascii_uppercase(), value.trim());
            rest = tail;
        }
    }

    fn set(&mut self, name: &str, value: &'a str) {
        match name {
            "GM" => self.game = Some(value),
            "PC" => self.place = value,
            "DT" => self.date = value,
            "PB" => self.black = value,
            "PW" => self.white = value,
            "TY" => self.kind = Some(value),
            "BO" => self.board = Some(value),
            "RE" => {
                let (number, how) = value.split_once(':').unwrap_or((value, ""));
                self.result = read_number(number);
                self.forfeit = how.trim().chars().next().filter(char::is_ascii_alphabetic);
            }
            "B" => self.moves.push((Color::Black, value)),
            "W" => self.moves.push((Color::White, value)),
            _ => {}
        }
    }

    /// The fault of a record of another game.
    fn other_game(&self) -> Option<Fault> {
        let is_ours = |game: &&str| ["Othello", "Reversi"].iter().any(|name| game.eq_ignore_ascii_case(name));
        self.game.filter(|game| !is_ours(game)).map(|game| Fault::OtherGame(game.to_owned()))
    }

    fn into_record(self) -> Result<Record, Fault> {
        if let Some(fault) = self.other_game() {
            return Err(fault);
        }
        let (ty, goal) = self.kind.map_or(Ok((None, Goal::Normal)), read_kind)?;
        let first = match (self.board, ty) {
            (Some(board), _) => read_board(board)?,
            (None, Some(size)) => naive::Board::start(size, Start::Diagonal),
            (None, None) => return Err(Fault::NoSize),
        };
        if let Some(ty) = ty.filter(|&ty| ty != first.size()) {
            return Err(Fault::Sizes { ty, bo: first.size() });
        }
        let mut game = Game::new(first.into(), Rules::new(goal, Scoring::Raw), Passing::Allowed);
        let mut moves = Vec::new();
        for (index, &(color, token)) in self.moves.iter().enumerate() {
            read_move(&mut game, &mut moves, index + 1, color, token)?;
        }
        Ok(Record {
            place: self.place.to_owned(),
            date: self.date.to_owned(),
            black: self.black.to_owned(),
            white: self.white.to_owned(),
            goal,
            first: game.first_board().clone(),
            moves,
            result: self.result,
            forfeit: self.forfeit,
        })
    }
}

/// `8`, `6a`, `4x6`; on servers also `s8r18` (synchronised pairs, random start). `a` is the reversed goal.
fn read_kind(text: &str) -> Result<(Option<naive::Size>, Goal), Fault> {
    let text = text.trim_start_matches(['s', 'S']);
    let length = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, 'x' | 'X')).unwrap_or(text.len());
    let (size, flags) = text.split_at(length);
    let goal = if flags.contains(['a', 'A']) { Goal::Reversed } else { Goal::Normal };
    let size = if size.is_empty() { None } else { Some(read_size(size)?) };
    Ok((size, goal))
}

/// `8` or, for boards that are not square, `4x6`.
fn read_size(text: &str) -> Result<naive::Size, Fault> {
    let sides = parse_sides(text).or_else(|| text.parse().ok().map(|side| (side, side)));
    let size = sides.and_then(|(width, height)| naive::Size::new(width, height).ok());
    size.ok_or_else(|| Fault::Size(text.to_owned()))
}

fn read_board(text: &str) -> Result<naive::Board, Fault> {
    let (size, cells) = text.split_once(char::is_whitespace).ok_or_else(|| Fault::Size(text.to_owned()))?;
    Ok(naive::Board::parse(Some(read_size(size)?), cells)?)
}

/// Plays one move, after the pass that the record may have left out. Passes after the end are dropped.
fn read_move(
    game: &mut Game,
    moves: &mut Vec<Annotated>,
    number: usize,
    color: Color,
    text: &str,
) -> Result<(), Fault> {
    let mut parts = text.split('/').map(str::trim);
    let token = parts.next().unwrap_or_default();
    let eval = parts.next().and_then(read_number);
    let seconds = parts.next().and_then(read_seconds);
    let illegal = |reason| Fault::Move { number, token: token.to_owned(), reason };
    let mv = game.read_move(token).map_err(illegal)?;
    if mv == GameMove::Pass && game.is_over() {
        return Ok(());
    }
    if color != game.to_move() {
        if mv == GameMove::Pass || game.play(GameMove::Pass).is_err() {
            return Err(Fault::Color { number, token: token.to_owned(), color });
        }
        moves.push(Annotated { mv: GameMove::Pass, eval: None, seconds: None });
    }
    game.play(mv).map_err(|error| illegal(error.reason))?;
    moves.push(Annotated { mv, eval, seconds });
    Ok(())
}

fn read_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// `12.5`, or with minutes and hours `1:02.5`.
fn read_seconds(text: &str) -> Option<f64> {
    let parts = text.split(':').map(read_number);
    parts.into_iter().try_fold(0.0, |sum, part| part.map(|part| 60.0 * sum + part))
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
    value.trim().chars().map(readable).collect()
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
