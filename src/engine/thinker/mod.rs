//! The engine: deepens step by step until its depth or its time is up, and plays the end exactly.

mod judge;
mod level;
mod memory;
mod search;

pub use judge::Judge;
pub use level::{MAX_LEVEL, Strength};
pub(super) use memory::Bound;
pub use memory::Memory;

use super::game::{Game, GameMove, Size};
use super::names::Equipment;
use super::plain_search::Found;
use super::player::{Choice, Info, Limits, Player, PlayerError, Value};
use super::time;
use super::trial::Trial;
use crate::eval::weights::WeightsError;
use crate::rules::{Board, Geometry, Goal, Move, Passing, Position, Rules, Scoring, Square};
use crate::search::{MemoryError, Solver, SolverOptions, Stop};
use search::Search;
use std::time::{Duration, Instant};

/// Plies searched before an exact search that may not end in time: there must be a move to play.
const SAFETY_DEPTH: u32 = 6;

/// The engine as a player.
pub struct Thinker {
    name: String,
    strength: Strength,
    equipment: Equipment,
    /// Made for the first game and kept while board and rules stay the same.
    mind: Option<Mind>,
}

/// What the engine needs for one board under one set of rules.
struct Mind {
    geometry: Geometry,
    rules: Rules,
    judge: Judge,
    memory: Memory,
    options: SolverOptions,
    /// `None` after a game, for the next one is not to know what this one has found.
    solver: Option<Solver>,
}

/// The estimating search alone, to a fixed depth, from what is remembered; points are units of an
/// [`Eval`](crate::eval::Eval). `None` if there is no square to put a disc on.
pub(super) fn search_to_depth(
    trial: &Trial,
    judge: &Judge,
    memory: &mut Memory,
    stop: &Stop,
) -> Option<Found> {
    let rules = Rules::new(trial.goal, Scoring::Raw);
    let mut search = Search::new(trial.geometry, rules, trial.passing, judge, memory, stop);
    let thought = search.deepen(trial.position, trial.depth, || false)?;
    let points = match thought.value {
        Some(Value::Estimate(eval)) => Some(eval.units().into()),
        _ => None,
    };
    Some(Found { mv: Move::Play(thought.square).into(), points, nodes: thought.nodes })
}

/// One move to find.
struct Task {
    position: Position,
    passing: Passing,
    strength: Strength,
    /// Time for this move, if it is bounded.
    budget: Option<Duration>,
    stop: Stop,
}

/// A move found.
struct Thought {
    square: Square,
    value: Option<Value>,
    depth: u32,
    nodes: u64,
    pv: Vec<Move>,
}

impl Thinker {
    /// An engine of that strength; `name` is what [`Player::name`] tells.
    pub fn new(name: String, strength: Strength, equipment: Equipment) -> Thinker {
        Thinker { name, strength, equipment, mind: None }
    }

    fn failed(&self, reason: impl ToString) -> PlayerError {
        PlayerError::Failed { player: self.name.clone(), reason: reason.to_string() }
    }

    fn unsupported(&self, size: Size) -> PlayerError {
        let reason = format!("it plays on boards from 3x3 to 8x8, not on {size}");
        PlayerError::Unsupported { player: self.name.clone(), reason }
    }

    /// Takes the mind for this board and these rules out, or makes it.
    fn take_mind(&mut self, geometry: Geometry, rules: Rules) -> Result<Mind, PlayerError> {
        match self.mind.take().filter(|mind| mind.geometry == geometry && mind.rules == rules) {
            Some(kept) => Ok(kept),
            None => {
                let mut mind =
                    Mind::new(geometry, rules, &self.equipment).map_err(|error| self.failed(error))?;
                mind.solver().map(drop).map_err(|error| self.failed(error))?;
                Ok(mind)
            }
        }
    }

    fn task(&self, game: &Game, board: Board, limits: &Limits, stop: &Stop) -> Task {
        let started = Instant::now();
        let deadline = time::deadline(started, limits.clock, self.strength.time, game);
        Task {
            position: board.position(),
            passing: game.passing(),
            strength: self.strength.within(limits.depth, deadline.is_some()),
            budget: deadline.map(|deadline| deadline.saturating_duration_since(started)),
            stop: deadline.map_or_else(|| stop.clone(), |deadline| stop.and_at(deadline)),
        }
    }
}

impl Mind {
    fn new(geometry: Geometry, rules: Rules, equipment: &Equipment) -> Result<Mind, WeightsError> {
        let half = equipment.memory_bytes / 2;
        Ok(Mind {
            geometry,
            rules,
            judge: Judge::find(geometry, rules.goal, equipment.data.as_deref())?,
            memory: Memory::new(half),
            options: SolverOptions {
                memory_bytes: half,
                threads: equipment.threads,
                ..SolverOptions::default()
            },
            solver: None,
        })
    }

    /// `None` if there is no square to put a disc on.
    fn think(&mut self, task: &Task) -> Result<Option<Thought>, MemoryError> {
        let empties = task.position.empty_count(self.geometry);
        if !self.ends_within(task, empties) {
            return Ok(self.deepen(task, task.strength.depth));
        }
        let reserve = self.deepen(task, SAFETY_DEPTH.min(task.strength.depth));
        Ok(self.solve(task, empties)?.or(reserve))
    }

    /// Whether the game is to be searched to its end.
    fn ends_within(&self, task: &Task, empties: u32) -> bool {
        let solvable = task.budget.map_or(u32::MAX, |time| level::solvable_within(time, self.rules.goal));
        task.passing == Passing::Allowed && empties <= task.strength.exact_empties.min(solvable)
    }

    /// Step by step to `depth`, or until another step would hardly end in time.
    fn deepen(&mut self, task: &Task, depth: u32) -> Option<Thought> {
        let started = Instant::now();
        let mut search =
            Search::new(self.geometry, self.rules, task.passing, &self.judge, &mut self.memory, &task.stop);
        let depth = depth.min(task.position.empty_count(self.geometry));
        search
            .deepen(task.position, depth, || task.budget.is_some_and(|budget| started.elapsed() > budget / 2))
    }

    /// Makes the solver unless there is one. The first in the life of the program takes a while.
    fn solver(&mut self) -> Result<&Solver, MemoryError> {
        let solver = match self.solver.take() {
            Some(solver) => solver,
            None => Solver::with_ordering(self.geometry, self.rules, self.options, self.judge.evaluator())?,
        };
        Ok(self.solver.insert(solver))
    }

    /// `None` if stopped before the end.
    fn solve(&mut self, task: &Task, empties: u32) -> Result<Option<Thought>, MemoryError> {
        let solution = self.solver()?.solve(task.position, &task.stop);
        Ok(solution.ok().and_then(|solution| match solution.best {
            Some(Move::Play(square)) => Some(Thought {
                square,
                value: Some(Value::Exact(solution.score)),
                depth: empties,
                nodes: solution.nodes,
                pv: vec![Move::Play(square)],
            }),
            Some(Move::Pass) | None => None,
        }))
    }
}

impl Player for Thinker {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, size: Size, _: Goal) -> Result<(), PlayerError> {
        size.to_geometry().map(|_| ()).ok_or_else(|| self.unsupported(size))
    }

    fn new_game(&mut self, _seed: u64) {
        if let Some(mind) = &mut self.mind {
            mind.memory.forget();
            mind.solver = None;
        }
    }

    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        let board = game.board().small().ok_or_else(|| self.unsupported(game.size()))?;
        let mut mind = self.take_mind(board.geometry, game.rules())?;
        let ready = mind.solver().map(drop).map_err(|error| self.failed(error));
        self.mind = Some(mind);
        ready
    }

    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        let board = game.board().small().ok_or_else(|| self.unsupported(game.size()))?;
        let moves = game.legal_moves();
        match moves[..] {
            [] => return Err(PlayerError::GameOver),
            [GameMove::Pass] => return Ok(Choice::plain(GameMove::Pass)),
            _ => {}
        }
        let task = self.task(game, board, limits, stop);
        if moves.len() == 1 && task.budget.is_some() {
            return Ok(Choice::plain(moves[0]));
        }
        let mut mind = self.take_mind(board.geometry, game.rules())?;
        let thought = mind.think(&task);
        self.mind = Some(mind);
        match thought.map_err(|error| self.failed(error))? {
            Some(thought) => Ok(thought.into_choice(started)),
            None => Ok(Choice::plain(moves[0])),
        }
    }
}

impl Thought {
    fn into_choice(self, started: Instant) -> Choice {
        let mv = Move::Play(self.square).into();
        let pv = self.pv.into_iter().map(GameMove::from).collect();
        let seconds = started.elapsed().as_secs_f64();
        Choice { mv, info: Info { value: self.value, depth: self.depth, nodes: self.nodes, pv, seconds } }
    }
}
