//! A position with its rules and the moves that led to it.

use crate::drawing;
use crate::errors::{GameNotOverError, IllegalMoveError, TextError, need_numpy, value_error};
use crate::words::{self, move_name, move_names};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use reversi_engine::{Game, GameSetup};
use reversi_formats::reader::{Wanted, Zero};
use reversi_formats::text::{self, Kind, Reading};
use reversi_rules::geometry::squares_of;
use reversi_rules::{Board, Color, Geometry, Move, Passing, Position, Rules, Square, notation};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A position on a board from 3x3 to 8x8, with the rules of the game and the moves that led to it.
///
/// Its hash is that of its present position: a board that stands in a set or is the key of a dictionary is not found there
/// after `push` or `pop`. Put a `copy` there, or use `after`, which makes another board.
#[pyclass(name = "Board", module = "reversi_oracle", from_py_object)]
#[derive(Clone)]
pub struct PyBoard {
    pub board: Board,
    pub rules: Rules,
    /// Each move made, with the board before it.
    past: Vec<(Move, Board)>,
}

/// What `__reduce__` gives: the function that makes the board again, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (String, String, String, u64, u64, String, Vec<String>));

impl PyBoard {
    /// A board without moves before it.
    pub fn new(board: Board, rules: Rules) -> PyBoard {
        PyBoard { board, rules, past: Vec::new() }
    }

    /// The board that a game has come to; `None` beyond 8x8, and where games end without passing.
    pub fn from_game(game: &Game) -> Option<PyBoard> {
        if game.passing() != Passing::Allowed {
            return None;
        }
        let boards: Vec<Board> = game.boards().iter().map(|board| board.small()).collect::<Option<_>>()?;
        let past = game.moves().iter().zip(&boards).map(|(&mv, &board)| (words::small_move(mv), board));
        Some(PyBoard { board: *boards.last()?, rules: game.rules(), past: past.collect() })
    }

    /// The game that has come to this board.
    pub fn game(&self) -> Game {
        let first = self.past.first().map_or(self.board, |(_, board)| *board);
        let mut game = Game::new(first.into(), self.rules, Passing::Allowed);
        for (mv, _) in &self.past {
            game.play((*mv).into()).expect("the moves of a board are legal");
        }
        game
    }

    pub fn geometry(&self) -> Geometry {
        self.board.geometry
    }

    pub fn position(&self) -> Position {
        self.board.position()
    }

    fn legal(&self) -> Vec<Move> {
        let moves = self.position().legal_moves(self.geometry());
        if moves == 0 && self.must_pass() {
            vec![Move::Pass]
        } else {
            squares_of(moves).map(Move::Play).collect()
        }
    }

    fn make(&mut self, mv: Move) -> PyResult<()> {
        let after = self.board.after(mv).ok_or_else(|| {
            IllegalMoveError::new_err(format!("\"{mv}\": {}", notation::why_illegal(self.board, mv)))
        })?;
        self.past.push((mv, self.board));
        self.board = after;
        Ok(())
    }

    fn read_move(&self, text: &str) -> PyResult<Move> {
        notation::read_move(self.geometry(), text.trim())
            .map_err(|error| IllegalMoveError::new_err(format!("\"{}\": {error}", notation::shown(text))))
    }
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (size, *, goal = "normal", scoring = None, start = "diagonal"))]
    fn start(size: &str, goal: &str, scoring: Option<&str>, start: &str) -> PyResult<PyBoard> {
        let geometry = words::geometry(size)?;
        let rules = words::rules(geometry, goal, scoring)?;
        Ok(PyBoard::new(Board::start(geometry, start.parse().map_err(value_error)?), rules))
    }

    /// Reads a position or a game in any form that the program reads.
    #[staticmethod]
    #[pyo3(signature = (text, size = None, *, goal = None, scoring = None, start = "diagonal", side = None, zero = None))]
    fn from_text(
        text: &str,
        size: Option<&str>,
        goal: Option<&str>,
        scoring: Option<&str>,
        start: &str,
        side: Option<&str>,
        zero: Option<&str>,
    ) -> PyResult<PyBoard> {
        let wanted = wanted(size, goal, scoring, start, side, zero)?;
        let reading = text::read(text, wanted).map_err(|error| TextError::new_err(error.to_string()))?;
        if reading.kind == Kind::Moves && size.is_none() {
            return Err(TextError::new_err(
                "moves alone do not say on which board: name its size, such as 8x8",
            ));
        }
        from_reading(&reading, goal, scoring).map_err(TextError::new_err)
    }

    /// A board from 64-bit masks, where bit `8 * row + column` is a square.
    #[staticmethod]
    #[pyo3(signature = (size, player, opponent, turn = "black", *, goal = "normal", scoring = None))]
    fn from_bitboards(
        size: &str,
        player: u64,
        opponent: u64,
        turn: &str,
        goal: &str,
        scoring: Option<&str>,
    ) -> PyResult<PyBoard> {
        let geometry = words::geometry(size)?;
        let rules = words::rules(geometry, goal, scoring)?;
        let position = checked_position(geometry, player, opponent)?;
        Ok(PyBoard::new(Board::from_position(geometry, position, words::color(turn)?), rules))
    }

    /// Makes a legal move, such as `"c2"`, or `"pa"` for a forced pass.
    fn push(&mut self, r#move: &str) -> PyResult<()> {
        self.make(self.read_move(r#move)?)
    }

    /// Makes the moves of a transcript; forced passes that it leaves out are made too. All of them or none.
    fn push_all(&mut self, moves: &str) -> PyResult<()> {
        let (moves, _) = notation::replay(self.board, moves)
            .map_err(|error| IllegalMoveError::new_err(error.to_string()))?;
        moves.into_iter().try_for_each(|mv| self.make(mv))
    }

    /// Takes the last move back and returns it.
    fn pop<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let (mv, before) =
            self.past.pop().ok_or_else(|| PyIndexError::new_err("there is no move to take back"))?;
        self.board = before;
        Ok(move_name(py, mv))
    }

    /// The board after a move; this one stays as it is.
    fn after(&self, r#move: &str) -> PyResult<PyBoard> {
        let mut after = self.clone();
        after.push(r#move)?;
        Ok(after)
    }

    /// Legal moves in the order of the squares, row by row: only `"pa"` where the side to move must pass, none when the
    /// game is over.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyString>> {
        self.legal().into_iter().map(|mv| move_name(py, mv)).collect()
    }

    /// Whether the move may be made here.
    fn is_legal(&self, r#move: &str) -> bool {
        self.read_move(r#move).is_ok_and(|mv| self.position().is_legal(self.geometry(), mv))
    }

    /// The side to move, `"black"` or `"white"`.
    #[getter]
    fn turn(&self) -> &'static str {
        self.board.to_move.name()
    }

    /// Whether neither side has a move.
    #[getter]
    fn is_over(&self) -> bool {
        self.position().is_over(self.geometry())
    }

    /// Whether the side to move has no move but the other side has one.
    #[getter]
    fn must_pass(&self) -> bool {
        self.position().must_pass(self.geometry())
    }

    /// The score of the finished game in discs, for the side to move or for `side`.
    #[pyo3(signature = (side = None))]
    fn score(&self, side: Option<&str>) -> PyResult<i32> {
        let side = side.map_or(Ok(self.board.to_move), words::color)?;
        if !self.is_over() {
            return Err(GameNotOverError::new_err("the game is not over: it has no score yet"));
        }
        let score = self.position().final_score(self.geometry(), self.rules);
        Ok(if side == self.board.to_move { score.discs() } else { -score.discs() })
    }

    /// A board of its own, with the same moves before it.
    fn copy(&self) -> PyBoard {
        self.clone()
    }

    fn __copy__(&self) -> PyBoard {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyBoard {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyBoard>) -> PyResult<Reduced<'py>> {
        let this = slf.borrow();
        let first = this.past.first().map_or(this.board, |(_, board)| *board);
        let moves = move_names(this.past.iter().map(|(mv, _)| *mv));
        let restore = slf.get_type().getattr("_restore")?;
        let words = (this.size(), this.goal().to_owned(), this.scoring().to_owned());
        let turn = first.to_move.name().to_owned();
        Ok((restore, (words.0, words.1, words.2, first.black, first.white, turn, moves)))
    }

    #[staticmethod]
    fn _restore(
        size: &str,
        goal: &str,
        scoring: &str,
        black: u64,
        white: u64,
        turn: &str,
        moves: Vec<String>,
    ) -> PyResult<PyBoard> {
        let (player, opponent) = if turn == "black" { (black, white) } else { (white, black) };
        let mut board = PyBoard::from_bitboards(size, player, opponent, turn, goal, Some(scoring))?;
        moves.iter().try_for_each(|mv| board.push(mv))?;
        Ok(board)
    }

    /// Whether both are the same position of the same game: size, discs, side to move, goal and scoring. The moves
    /// before do not count.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyBoard>().is_ok_and(|other| {
            let other = other.borrow();
            (self.board, self.rules) == (other.board, other.rules)
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.board, self.rules).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        format!("{}{} ({}) to move", self.board.drawing(), self.board.to_move, self.board.to_move.symbol())
    }

    fn __repr__(&self) -> String {
        let (goal, scoring) = (self.goal(), self.scoring());
        let size = self.geometry();
        format!("Board.from_text('{}', '{size}', goal='{goal}', scoring='{scoring}')", self.board)
    }

    /// The drawing for notebooks, with the legal moves marked.
    fn _repr_svg_(&self) -> String {
        drawing::svg(self.board, self.past.last().map(|(mv, _)| *mv))
    }

    /// Discs of the side to move, discs of the other side and legal moves, as an array of shape (3, height, width) of
    /// 0 and 1.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        need_numpy(py)?;
        let (geometry, position) = (self.geometry(), self.position());
        let masks = [position.player, position.opponent, position.legal_moves(geometry)];
        let shape = (3, geometry.height() as usize, geometry.width() as usize);
        let planes = Array3::from_shape_fn(shape, |(plane, row, column)| {
            u8::from(masks[plane] & Square::at(column as u32, row as u32).bit() != 0)
        });
        Ok(planes.into_pyarray(py))
    }

    /// The disc on a square such as `"c2"`: `"black"`, `"white"` or `None`.
    fn __getitem__(&self, square: &str) -> PyResult<Option<&'static str>> {
        match notation::read_move(self.geometry(), square.trim()) {
            Ok(Move::Play(square)) => Ok(self.board.disc(square).map(Color::name)),
            _ => Err(value_error(format!(
                "\"{}\" is no square of a {} board",
                notation::shown(square),
                self.geometry()
            ))),
        }
    }

    /// Number of discs of a side.
    fn count(&self, side: &str) -> PyResult<u32> {
        let discs = if words::color(side)? == Color::Black { self.board.black } else { self.board.white };
        Ok(discs.count_ones())
    }

    /// The size, such as `"6x6"`: columns x rows.
    #[getter]
    fn size(&self) -> String {
        self.geometry().to_string()
    }

    /// Columns.
    #[getter]
    fn width(&self) -> u32 {
        self.geometry().width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> u32 {
        self.geometry().height()
    }

    /// `"normal"` or `"reversed"`.
    #[getter]
    fn goal(&self) -> &'static str {
        self.rules.goal.name()
    }

    /// `"raw"` or `"winner"`.
    #[getter]
    fn scoring(&self) -> &'static str {
        self.rules.scoring.name()
    }

    /// Number of empty squares.
    #[getter]
    fn empties(&self) -> u32 {
        self.position().empty_count(self.geometry())
    }

    /// Black's discs as a 64-bit mask.
    #[getter]
    fn black(&self) -> u64 {
        self.board.black
    }

    /// White's discs as a 64-bit mask.
    #[getter]
    fn white(&self) -> u64 {
        self.board.white
    }

    /// The discs of the side to move as a 64-bit mask.
    #[getter]
    fn player(&self) -> u64 {
        self.position().player
    }

    /// The discs of the other side as a 64-bit mask.
    #[getter]
    fn opponent(&self) -> u64 {
        self.position().opponent
    }

    /// The position as text: cells row by row, a space, the side to move.
    #[getter]
    fn text(&self) -> String {
        self.board.to_string()
    }

    /// The moves made, passes included.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyString>> {
        self.past.iter().map(|(mv, _)| move_name(py, *mv)).collect()
    }

    /// The moves made, run together.
    #[getter]
    fn transcript(&self) -> String {
        self.past.iter().map(|(mv, _)| mv.to_string()).collect()
    }
}

/// The discs of both sides as a position.
///
/// # Errors
/// `ValueError` for discs that lie on one another or off the board.
pub fn checked_position(geometry: Geometry, player: u64, opponent: u64) -> PyResult<Position> {
    // Not `Position::new`: that asserts what is to be found out.
    let position = Position { player, opponent };
    match position.is_on(geometry) {
        true => Ok(position),
        false => Err(value_error(format!(
            "player {player:#x} and opponent {opponent:#x} are no position of a {geometry} board: discs lie on one \
             another or off the board"
        ))),
    }
}

/// What the caller names besides the text.
///
/// # Errors
/// `ValueError` for an unknown word.
pub fn wanted(
    size: Option<&str>,
    goal: Option<&str>,
    scoring: Option<&str>,
    start: &str,
    side: Option<&str>,
    zero: Option<&str>,
) -> PyResult<Wanted> {
    let geometry = size.map(words::geometry).transpose()?;
    let setup = GameSetup {
        start: start.parse().map_err(value_error)?,
        goal: goal.map_or(Ok(Default::default()), str::parse).map_err(value_error)?,
        scoring: scoring.map(str::parse).transpose().map_err(value_error)?,
        ..GameSetup::new(geometry.unwrap_or(Geometry::EIGHT).into())
    };
    let zero = match zero {
        None => None,
        Some("empty") => Some(Zero::Empty),
        Some("white") => Some(Zero::White),
        Some(other) => {
            return Err(value_error(format!(
                "zero is \"empty\" or \"white\", not \"{}\"",
                notation::shown(other)
            )));
        }
    };
    Ok(Wanted { setup, size: geometry.map(Into::into), side: side.map(words::color).transpose()?, zero })
}

/// The board that a text has come to.
///
/// # Errors
/// Other rules than those asked for, games without passing, and boards beyond 8x8, in words.
pub fn from_reading(reading: &Reading, goal: Option<&str>, scoring: Option<&str>) -> Result<PyBoard, String> {
    let rules = reading.game.rules();
    for (what, asked, made) in [("goal", goal, rules.goal.name()), ("scoring", scoring, rules.scoring.name())]
    {
        if let Some(asked) = asked.filter(|asked| *asked != made) {
            return Err(format!("the text is about the {what} {made}, not {asked}"));
        }
    }
    if reading.game.passing() == Passing::EndsGame {
        return Err("games that end where a side cannot move are not supported here".to_owned());
    }
    PyBoard::from_game(&reading.game)
        .ok_or_else(|| format!("the board is {}; this package has boards up to 8x8", reading.game.size()))
}
