//! Games between players of all kinds, and their records.

use crate::board::{PyBoard, from_reading, wanted};
use crate::calls::without_gil;
use crate::errors::{PlayerError, TextError, player_error, value_error};
use crate::player::{NativePlayer, Watched};
use crate::run::{detached, duration, settle};
use crate::words;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use reversi_engine::{Choice, Clock, Game, GameMove, Limits, Player, PlayerError as EnginePlayerError};
use reversi_formats::ggf::{Outcome, Record};
use reversi_formats::wthor::Names;
use reversi_formats::{pgn, sgf, text};
use reversi_lab::arena::{Duel, Ending, GameFault};
use reversi_rules::{Color, Goal};
use reversi_solver::search::Stop;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The exception that ended a game.
type Interruption = Arc<Mutex<Option<PyErr>>>;

/// A Python function that takes a board and returns a move.
struct Function {
    function: Py<PyAny>,
    name: String,
    interruption: Interruption,
}

impl Function {
    /// The move, or what the function answered instead of one.
    fn call(&self, game: &Game) -> PyResult<Result<GameMove, String>> {
        Python::attach(|py| {
            py.check_signals()?;
            let board = PyBoard::from_game(game).expect("the game began on a board of this package");
            let answer = self.function.bind(py).call1((board,))?;
            let mv: String = answer.extract().map_err(|_| {
                PyTypeError::new_err(format!(
                    "{} returned {answer:?}, which is no move such as \"c2\"",
                    self.name
                ))
            })?;
            Ok(game.read_move(&mv).map_err(|error| format!("played \"{}\": {error}", mv.escape_debug())))
        })
    }
}

impl Player for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, game: &Game, _: &Limits, stop: &Stop) -> Result<Choice, EnginePlayerError> {
        let failed = |reason| EnginePlayerError::Failed { player: self.name.clone(), reason };
        match self.call(game) {
            Ok(answer) => answer.map(Choice::plain).map_err(failed),
            Err(error) => {
                stop.set();
                let reason = error.to_string();
                if let Ok(mut interruption) = self.interruption.lock() {
                    interruption.get_or_insert(error);
                }
                Err(failed(reason))
            }
        }
    }
}

/// The final board, the side that lost by a fault with the fault, and the seconds of Black and White.
type Played = (PyBoard, Option<Fault>, (f64, f64));

/// Plays a game on from a board. A player is a `Player` or a function that takes a board and returns a move.
#[pyfunction]
#[pyo3(signature = (board, black, white, names, *, time = None, clock = None, seed = 1))]
#[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
pub fn play_game(
    py: Python<'_>,
    board: PyBoard,
    black: &Bound<'_, PyAny>,
    white: &Bound<'_, PyAny>,
    names: (String, String),
    time: Option<f64>,
    clock: Option<f64>,
    seed: u64,
) -> PyResult<Played> {
    let clock = match (duration(time)?, duration(clock)?) {
        (None, None) => Clock::None,
        (Some(time), None) => Clock::PerMove(time),
        (None, Some(clock)) => Clock::per_game(clock),
        (Some(_), Some(_)) => {
            return Err(value_error("time is for each move, clock for the game: give one of them"));
        }
    };
    settle(py, board.geometry(), board.rules);
    let (game, interruption) = (board.game(), Interruption::default());
    let mut black = seat(black, names.0, &interruption)?;
    let mut white = seat(white, names.1, &interruption)?;
    let stop = Stop::never();
    let duel = without_gil(py, &stop, || {
        for (player, number) in [(&mut black, 0), (&mut white, 1)] {
            player.supports(game.size(), game.passing())?;
            player.new_game(seed.wrapping_mul(2).wrapping_add(number));
            player.prepare(&game)?;
        }
        Ok(Duel::play(game, &mut *black, &mut *white, clock, &stop))
    });
    // Players of Rust may outlive the game, exceptions must not.
    let interruption = interruption.lock().map_or(None, |mut interruption| interruption.take());
    if let Some(error) = interruption {
        return Err(error);
    }
    let duel = duel.map_err(|error| player_error(&error))?;
    let fault = match &duel.ending {
        Ending::Finished(_) => None,
        Ending::Forfeit { loser, fault } => Some((loser.name(), fault.to_string())),
        Ending::Interrupted => return Err(PlayerError::new_err("the game was interrupted")),
    };
    let seconds = duel.efforts.map(|effort| effort.time).map(|time: Duration| time.as_secs_f64());
    let board = PyBoard::from_game(&duel.game).expect("the game began on a board of this package");
    Ok((board, fault, (seconds[0], seconds[1])))
}

/// A player in its place.
fn seat(player: &Bound<'_, PyAny>, name: String, interruption: &Interruption) -> PyResult<Box<dyn Player>> {
    let interruption = interruption.clone();
    if let Ok(native) = player.cast::<NativePlayer>() {
        let shared = native.get().player(player.py())?;
        return Ok(Box::new(Watched::new(shared, name, interruption)));
    }
    if player.is_callable() {
        return Ok(Box::new(Function { function: player.clone().unbind(), name, interruption }));
    }
    Err(PyTypeError::new_err(format!("{player:?} is no player: give a name, a Player or a function")))
}

/// A game in a form that other programs read: `"ggf"`, `"pgn"` or `"sgf"`. `fault`: the side that lost by a fault, and
/// which; `result`: how many discs more Black has where the game did not end on the board, all squares for who won by a
/// fault if it is not given.
#[pyfunction]
#[pyo3(signature = (board, black, white, format, *, place = "reversi-oracle", date = "", fault = None, result = None))]
#[expect(clippy::too_many_arguments, reason = "named arguments of Python")]
pub fn write_game(
    board: PyRef<'_, PyBoard>,
    black: &str,
    white: &str,
    format: &str,
    place: &str,
    date: &str,
    fault: Option<(&str, &str)>,
    result: Option<f64>,
) -> PyResult<String> {
    let mut record = Record::new(&board.game());
    (record.black, record.white) = (black.to_owned(), white.to_owned());
    (record.place, record.date) = (place.to_owned(), date.to_owned());
    if let Some((loser, fault)) = fault {
        record.forfeit(words::color(loser)?, GameFault::from(fault.to_owned()).letter());
    }
    record.result = result.or(record.result);
    match format {
        "ggf" => Ok(record.to_string()),
        "pgn" => Ok(pgn::write(&record)),
        "sgf" => sgf::write(&record).map_err(value_error),
        other => {
            Err(value_error(format!("\"{}\" is no format; there are ggf, pgn and sgf", other.escape_debug())))
        }
    }
}

/// Board, names of Black and White, date and place of each game, and of one that did not end on its board which side lost
/// it by a fault and which, and how many discs more Black has.
type Read = (PyBoard, String, String, String, String, Option<Fault>, Option<f64>);

/// The side that lost a game by a fault, and the fault in words.
type Fault = (&'static str, String);

/// Reads all games of a file in any form that the program reads. With `skip_bad` also says which games cannot be read
/// and why; else the first of them is the error.
#[pyfunction]
#[pyo3(signature = (bytes, size, *, goal = None, scoring = None, start = "diagonal", skip_bad = false))]
pub fn read_games(
    py: Python<'_>,
    bytes: &[u8],
    size: Option<&str>,
    goal: Option<&str>,
    scoring: Option<&str>,
    start: &str,
    skip_bad: bool,
) -> PyResult<(Vec<Read>, Vec<String>)> {
    let wanted = wanted(size, goal, scoring, start, None, None)?;
    let readings = detached(py, || text::read_bytes(bytes, &Names::default(), wanted))?;
    let several = readings.len() > 1;
    let read = |reading: Result<text::Reading, text::ReadError>| -> Result<Read, String> {
        let reading = reading.map_err(|error| error.to_string())?;
        let board = from_reading(&reading, goal, scoring)?;
        let [black, white] = reading.players;
        let [date, place] = reading.occasion;
        let outcome = if reading.game.result().is_some() { Outcome::default() } else { reading.outcome };
        Ok((board, black, white, date, place, outcome_fault(&reading.game, outcome), outcome.result))
    };
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for (number, reading) in (1..).zip(readings) {
        let fault = |fault: String| if several { format!("game {number}: {fault}") } else { fault };
        match read(reading).map_err(fault) {
            Ok(game) => games.push(game),
            Err(fault) if skip_bad => faults.push(fault),
            Err(fault) => return Err(TextError::new_err(fault)),
        }
    }
    Ok((games, faults))
}

/// The fault by which a side lost a game, of what a file says of its end.
fn outcome_fault(game: &Game, outcome: Outcome) -> Option<Fault> {
    let fault = GameFault::with_letter(outcome.forfeit?)?;
    let more = outcome.result.filter(|&more| more != 0.0)?;
    let black_won = (more > 0.0) == (game.rules().goal == Goal::Normal);
    let loser = if black_won { Color::White } else { Color::Black };
    Some((loser.name(), fault.to_string()))
}
