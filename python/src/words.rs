//! Sizes, rules, sides and moves as Python writes them: the words of the program.

use crate::errors::value_error;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;
use pyo3::{Bound, Py, PyResult, Python};
use reversi_engine::GameMove;
use reversi_rules::{Color, Geometry, Move, Rules, Scoring, Square};

/// Reads a size such as `6x6`.
///
/// # Errors
/// `ValueError` for what is no size from 3x3 to 8x8.
pub fn geometry(size: &str) -> PyResult<Geometry> {
    size.parse().map_err(value_error)
}

/// Reads goal and scoring; a scoring that is not given is the usual one of the board.
///
/// # Errors
/// `ValueError` for an unknown word.
pub fn rules(geometry: Geometry, goal: &str, scoring: Option<&str>) -> PyResult<Rules> {
    let usual = Scoring::usual(geometry.width(), geometry.height());
    let scoring = scoring.map(str::parse).transpose().map_err(value_error)?.unwrap_or(usual);
    Ok(Rules::new(goal.parse().map_err(value_error)?, scoring))
}

/// Reads `black` or `white`.
///
/// # Errors
/// `ValueError` for another word.
pub fn color(word: &str) -> PyResult<Color> {
    let found = [Color::Black, Color::White].into_iter().find(|color| color.name() == word);
    found.ok_or_else(|| {
        value_error(format!("\"{}\" is no side; there are black and white", word.escape_debug()))
    })
}

/// The name of a move as an interned string: they are handed out by the million.
pub fn move_name<'py>(py: Python<'py>, mv: Move) -> Bound<'py, PyString> {
    static NAMES: PyOnceLock<Vec<Py<PyString>>> = PyOnceLock::new();
    let names = NAMES.get_or_init(py, || {
        let squares = (0..64).map(|index| Move::Play(Square::from_index(index)));
        squares.chain([Move::Pass]).map(|mv| PyString::intern(py, &mv.to_string()).unbind()).collect()
    });
    let place = match mv {
        Move::Play(square) => square.index() as usize,
        Move::Pass => 64,
    };
    names[place].bind(py).clone()
}

/// Names of moves in their order.
pub fn move_names(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    moves.into_iter().map(|mv| mv.to_string()).collect()
}

/// A move of a game on a board up to 8x8.
pub fn small_move(mv: GameMove) -> Move {
    Move::from_naive(mv).expect("games of this package are on boards up to 8x8")
}
