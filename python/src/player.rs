//! Players: those of the program by their names, and other programs that speak GTP.

use crate::board::PyBoard;
use crate::calls::without_gil;
use crate::errors::{InternalError, PlayerError, player_error, value_error};
use crate::run::{duration, interruptible, interruptible_detached, settle, thread_count};
use pyo3::prelude::*;
use reversi_engine::hints::{self, Hint, MAX_DEPTH};
use reversi_engine::{
    Choice, Game, GameMove, Limits, Player, PlayerError as EnginePlayerError, PlayerSpec, Resources, Size,
    Value, catalogue::CATALOGUE,
};
use reversi_lab::arena::Contestant;
use reversi_rules::Passing;
use reversi_solver::search::Stop;
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Time for hints where nothing else bounds them, as in the program.
const USUAL_TIME: Duration = Duration::from_secs(5);

/// A player that several threads may hold; one of them uses it at a time. Locked without the GIL only: its user may need
/// the GIL.
pub type SharedPlayer = Arc<Mutex<Box<dyn Player>>>;

/// A move, its value (exact, or estimated, or in points) with its kind, depth, nodes and line.
type Judged = (String, Option<f64>, &'static str, u32, u64, Vec<String>);

/// A player of the program, or another program that speaks GTP.
#[pyclass(name = "Player", module = "reversi_oracle._native", subclass, frozen)]
pub struct NativePlayer {
    contestant: Contestant,
    resources: Resources,
    /// The name before the player is made.
    called: String,
    made: Mutex<Made>,
}

/// The player of one process.
struct Made {
    process: u32,
    player: Option<SharedPlayer>,
}

impl Made {
    /// Forgets the player of the process before a fork, without ending it: its threads are not here, and another
    /// program is the parent's to end.
    fn forget_parents(&mut self) {
        if self.process != process::id() {
            std::mem::forget(self.player.take());
            self.process = process::id();
        }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        self.forget_parents();
        if let Some(player) = self.player.take() {
            // The GIL is held where Python drops an object. Where it cannot be had the player is dropped all the same.
            let _ = Python::try_attach(|py| drop_detached(py, player));
        }
    }
}

/// Drops a player without the GIL: another program is given time to end.
fn drop_detached(py: Python<'_>, player: SharedPlayer) {
    without_gil(py, &Stop::never(), move || drop(player));
}

impl NativePlayer {
    /// The player, made for its first use.
    ///
    /// # Errors
    /// A program that cannot be started; `PlayerError` for a program that a parent process has started.
    pub fn player(&self, py: Python<'_>) -> PyResult<SharedPlayer> {
        {
            let mut made = self.made.lock().map_err(|_| InternalError::new_err("this player has failed"))?;
            let is_external = matches!(self.contestant, Contestant::External { .. });
            if is_external && made.process != process::id() && made.player.is_some() {
                let message = "was started by the process before the fork; make it anew in this one";
                return Err(PlayerError::new_err(format!("{} {message}", self.called)));
            }
            made.forget_parents();
            if let Some(player) = &made.player {
                return Ok(player.clone());
            }
        }
        let stop = Stop::never();
        // A program takes its time to start, so this runs without the lock; two threads that make one both get the first.
        let player = interruptible(py, &stop, || self.contestant.make(&self.resources, &stop))?;
        let player = Arc::new(Mutex::new(player.map_err(|error| player_error(&error))?));
        let kept = {
            let mut made = self.made.lock().map_err(|_| InternalError::new_err("this player has failed"))?;
            made.player.get_or_insert_with(|| player.clone()).clone()
        };
        drop_detached(py, player);
        Ok(kept)
    }

    /// Lets the player do something in a game that it supports.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        board: PyBoard,
        stop: &Stop,
        work: impl FnOnce(&mut dyn Player, &Game) -> Result<T, EnginePlayerError> + Send,
    ) -> PyResult<T> {
        settle(py, board.geometry(), board.rules);
        let (player, game) = (self.player(py)?, board.game());
        let result = interruptible(py, stop, || {
            let mut player = lock(&player);
            player.supports(game.size(), game.passing())?;
            // A time is for the search, not for reading weights and tables.
            player.prepare(&game)?;
            work(&mut **player, &game)
        });
        result?.map_err(|error| player_error(&error))
    }
}

/// What a panic of another thread has left is used on: players begin anew in each game.
fn lock(player: &SharedPlayer) -> MutexGuard<'_, Box<dyn Player>> {
    player.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn judged(mv: GameMove, value: Option<Value>, depth: u32, nodes: u64, line: &[GameMove]) -> Judged {
    let kind = match value {
        None => "none",
        Some(Value::Exact(_)) => "exact",
        Some(Value::Estimate(_)) => "estimate",
        Some(Value::Points(_)) => "points",
    };
    let line = line.iter().map(GameMove::to_string).collect();
    (mv.to_string(), value.map(Value::number), kind, depth, nodes, line)
}

#[pymethods]
impl NativePlayer {
    /// A player by its name, such as `engine:level=5`, or by the command of a program that speaks GTP.
    #[new]
    #[pyo3(signature = (name = None, *, command = None, patience = 60.0, threads = Some(1), memory = None, data = None))]
    fn new(
        name: Option<&str>,
        command: Option<Vec<String>>,
        patience: f64,
        threads: Option<usize>,
        memory: Option<usize>,
        data: Option<PathBuf>,
    ) -> PyResult<NativePlayer> {
        let usual = Resources::default();
        let memory_bytes = memory.unwrap_or(usual.memory_bytes);
        let resources =
            Resources { memory_bytes, threads: thread_count(threads)?, data, ..Resources::default() };
        let (contestant, called) = match (name, command) {
            (Some(name), None) => {
                let spec: PlayerSpec = name.parse().map_err(value_error)?;
                let called = spec.to_string();
                (Contestant::Named(spec), called)
            }
            (None, Some(command)) if !command.is_empty() => {
                let patience = duration(Some(patience))?.unwrap_or(Duration::MAX);
                let called = command.join(" ");
                (Contestant::External { command, patience }, called)
            }
            _ => return Err(value_error("a player has a name or a command")),
        };
        let made = Mutex::new(Made { process: process::id(), player: None });
        Ok(NativePlayer { contestant, resources, called, made })
    }

    /// The name with its parameters, or the command.
    #[getter]
    fn name(&self) -> String {
        self.called.clone()
    }

    /// Begins a new game: the player forgets what it has seen, and its random numbers follow from the seed.
    #[pyo3(signature = (seed = 0))]
    fn new_game(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        let player = self.player(py)?;
        crate::run::detached(py, || lock(&player).new_game(seed))
    }

    /// The move the player makes, and what it thinks of it.
    #[pyo3(signature = (board, *, time = None))]
    fn _choose(&self, py: Python<'_>, board: PyBoard, time: Option<f64>) -> PyResult<Judged> {
        let limits = duration(time)?.map_or_else(Limits::default, Limits::per_move);
        let stop = Stop::never();
        let choice = self.with(py, board, &stop, |player, game| player.choose(game, &limits, &stop))?;
        let info = &choice.info;
        Ok(judged(choice.mv, info.value, info.depth, info.nodes, &info.pv))
    }

    /// All legal moves with their values, best first, as deep as the time, the depth or the player allows; of these one
    /// at least is needed, else the time is [`USUAL_TIME`].
    #[pyo3(signature = (board, *, time = None, depth = None))]
    fn _hints(
        &self,
        py: Python<'_>,
        board: PyBoard,
        time: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Vec<Judged>> {
        let (time, stop) = (duration(time)?, Stop::never());
        let hints = self.with(py, board, &stop, |player, game| {
            let mut latest: Vec<Hint> = Vec::new();
            let report = |round: &[Hint], _| latest = round.to_vec();
            let is_bounded = depth.is_some() || player.reach(game.board().empty_count()).is_some();
            let time = time.or((!is_bounded).then_some(USUAL_TIME));
            let stop = stop.and_until(time.and_then(|time| Instant::now().checked_add(time)));
            hints::deepen(player, game, depth.unwrap_or(MAX_DEPTH), &stop, report)?;
            Ok(latest)
        })?;
        let hint = |hint: &Hint| judged(hint.mv, Some(hint.value), hint.depth, hint.nodes, &hint.pv);
        Ok(hints.iter().map(hint).collect())
    }
}

/// A player of Rust in a game that Python has begun: it moves on a thread of its own, so that Ctrl-C ends it.
pub struct Watched {
    name: String,
    player: SharedPlayer,
    /// The exception of a signal handler.
    interruption: Arc<Mutex<Option<PyErr>>>,
}

impl Watched {
    pub fn new(player: SharedPlayer, name: String, interruption: Arc<Mutex<Option<PyErr>>>) -> Watched {
        Watched { name, player, interruption }
    }

    fn run<T: Send>(
        &self,
        stop: &Stop,
        work: impl FnOnce(&mut dyn Player) -> Result<T, EnginePlayerError> + Send,
    ) -> Result<T, EnginePlayerError> {
        match interruptible_detached(stop, || work(&mut **lock(&self.player))) {
            Ok(result) => result,
            Err(error) => {
                stop.set();
                let failed =
                    EnginePlayerError::Failed { player: self.name.clone(), reason: error.to_string() };
                if let Ok(mut interruption) = self.interruption.lock() {
                    interruption.get_or_insert(error);
                }
                Err(failed)
            }
        }
    }
}

impl Player for Watched {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, size: Size, passing: Passing) -> Result<(), EnginePlayerError> {
        lock(&self.player).supports(size, passing)
    }

    fn new_game(&mut self, seed: u64) {
        lock(&self.player).new_game(seed);
    }

    fn prepare(&mut self, game: &Game) -> Result<(), EnginePlayerError> {
        self.run(&Stop::never(), |player| player.prepare(game))
    }

    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, EnginePlayerError> {
        self.run(stop, |player| player.choose(game, limits, stop))
    }
}

/// Name, description and boards of each player of the program.
#[pyfunction]
pub fn player_names() -> Vec<(&'static str, &'static str, &'static str)> {
    CATALOGUE.iter().map(|entry| (entry.name, entry.summary, entry.boards)).collect()
}
