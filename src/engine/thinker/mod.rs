//! The engine: deepens step by step until its depth or its time is up, plays the end exactly, and what a
//! table knows.

mod cuts;
mod judge;
mod level;
mod measure;
mod memory;
mod order;
mod root;
mod search;
mod spreads;
mod trial;

pub use judge::Judge;
pub use level::{MAX_LEVEL, Strength};
pub use measure::{Measured, measure_spreads};
pub(super) use trial::search_to_depth;

use super::game::{Game, GameMove, Size};
use super::names::Equipment;
use super::parameters::EngineOptions;
use super::player::{Choice, Clock, Info, Limits, Player, PlayerError, Value};
use super::time;
use crate::eval::Eval;
use crate::oracle::Oracle;
use crate::rules::{Board, Geometry, Goal, Move, Passing, Position, Rules, Score, Square, Start};
use crate::search::{FinishingTools, Solution, Solver, SolverOptions, Stop, Unfinished, check_free};
use crate::table::library::Library;
use cuts::Cuts;
use memory::Memory;
use root::{Found, Step};
use search::{Ground, Search};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Plies searched before an exact search that may not end: there must be a move to play.
const SAFETY_DEPTH: u32 = 6;

/// With at most so many empty squares a proof takes a second at most.
const SOON_PROVED: u32 = 20;

/// The same as [`SAFETY_DEPTH`] where the time is bounded, so that it may well not end.
const TIMED_SAFETY_DEPTH: u32 = 12;

/// The part of the time for a move that may be spent on that.
const SAFETY_PART: u32 = 6;

/// The part of its share of a game clock after which no other depth is begun: it would hardly end in time, and what
/// is left serves later moves.
const SHARE_PART: u32 = 2;

/// Time for the line that follows from a proof; it may also take as long as the proof did.
const LINE_TIME: Duration = Duration::from_millis(50);

/// The engine as a player.
pub struct Thinker {
    name: String,
    options: EngineOptions,
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
    /// Where the games in the memory end.
    passing: Passing,
    /// Asked for what is in its tables only.
    oracle: Oracle,
    options: SolverOptions,
    /// `None` after a game, for the next one is not to know what this one has found.
    solver: Option<Solver>,
}

/// Why the engine cannot go on, in words.
type Trouble = String;

/// One move to find.
struct Task {
    position: Position,
    passing: Passing,
    strength: Strength,
    /// Time for this move, if it is bounded.
    budget: Option<Duration>,
    /// The part of it after which no other depth is begun.
    part: u32,
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
    /// An engine of the strength that was asked for; `name` is what [`Player::name`] tells.
    pub(super) fn new(name: String, options: EngineOptions, equipment: Equipment) -> Thinker {
        Thinker { name, options, equipment, mind: None }
    }

    fn failed(&self, reason: impl ToString) -> PlayerError {
        PlayerError::Failed { player: self.name.clone(), reason: reason.to_string() }
    }

    fn unsupported(&self, size: Size) -> PlayerError {
        let reason = format!("it plays on boards from 3x3 to 8x8, not on {size}");
        PlayerError::Unsupported { player: self.name.clone(), reason }
    }

    /// Takes the mind for this board and the rules of this game out, or makes it.
    fn take_mind(&mut self, geometry: Geometry, game: &Game) -> Result<Mind, PlayerError> {
        let rules = game.rules();
        let mut mind = match self.mind.take().filter(|mind| mind.geometry == geometry && mind.rules == rules)
        {
            Some(kept) => kept,
            None => Mind::new(geometry, rules, self.options.strength().turned, &self.equipment)
                .map_err(|error| self.failed(error))?,
        };
        mind.think_of_games_with(game.passing());
        Ok(mind)
    }

    fn task(&self, game: &Game, board: Board, limits: &Limits, stop: &Stop) -> Task {
        let started = Instant::now();
        let strength = self.options.strength();
        let deadline = time::deadline(started, limits.clock, strength.time, game);
        let is_share = matches!(limits.clock, Clock::Game { .. })
            && deadline == time::deadline(started, limits.clock, None, game);
        Task {
            position: board.position(),
            passing: game.passing(),
            strength: strength.within(limits.depth, deadline.is_some()),
            budget: deadline.map(|deadline| deadline.saturating_duration_since(started)),
            // What is left of a time for one move is of no use to anybody.
            part: if is_share { SHARE_PART } else { 1 },
            stop: deadline.map_or_else(|| stop.clone(), |deadline| stop.and_at(deadline)),
        }
    }
}

impl Task {
    /// Whether the budget divided by `part` is used up.
    fn has_used(&self, started: Instant, part: u32) -> bool {
        self.budget.is_some_and(|budget| started.elapsed() > budget / part)
    }
}

impl Mind {
    fn new(geometry: Geometry, rules: Rules, turned: bool, equipment: &Equipment) -> Result<Mind, Trouble> {
        check_free(equipment.memory_bytes).map_err(in_words)?;
        let half = equipment.memory_bytes / 2;
        let options =
            SolverOptions { memory_bytes: half, threads: equipment.threads, ..SolverOptions::default() };
        let library = Library::new(equipment.data.as_deref());
        let find = if turned { Judge::find_turned } else { Judge::find };
        Ok(Mind {
            geometry,
            rules,
            judge: find(geometry, rules.goal, equipment.data.as_deref()).map_err(in_words)?,
            memory: Memory::new(half).map_err(in_words)?,
            passing: Passing::Allowed,
            oracle: Oracle::find(geometry, rules, Start::Diagonal, &library, options).map_err(in_words)?,
            options,
            solver: None,
        })
    }

    /// Forgets what is remembered of games that end elsewhere: it holds values of finished games. The solver need not,
    /// for it is asked only where games go on after a pass.
    fn think_of_games_with(&mut self, passing: Passing) {
        if self.passing != passing {
            self.memory.forget();
            self.passing = passing;
        }
    }

    /// `None` if there is no square to put a disc on.
    fn think(&mut self, task: &Task) -> Result<Option<Thought>, Trouble> {
        if let Some(known) = self.known(task)? {
            return Ok(Some(known));
        }
        self.prepare_solver()?;
        let empties = task.position.empty_count(self.geometry);
        let may_prove = task.passing == Passing::Allowed && empties <= task.strength.exact_empties;
        if may_prove && self.is_soon_proved(task, empties) {
            let safe = if task.budget.is_some() { TIMED_SAFETY_DEPTH } else { SAFETY_DEPTH };
            let steps = (1..=safe.min(task.strength.depth).min(empties)).map(Step::usual).collect();
            let reserve = self.deepen(task, steps, SAFETY_PART);
            return Ok(reserve.map(|reserve| self.prove(task, empties, reserve)));
        }
        let started = Instant::now();
        let thought = self.deepen(task, task.strength.steps(empties), task.part);
        Ok(thought.map(|thought| match may_prove && !task.has_used(started, task.part) {
            true => self.prove(task, empties, thought),
            false => thought,
        }))
    }

    /// Whether a proof is likely to end in time; where no time is set, whether it hardly takes any.
    fn is_soon_proved(&self, task: &Task, empties: u32) -> bool {
        let solvable = task.budget.map_or(SOON_PROVED, |time| level::solvable_within(time, self.rules.goal));
        empties <= solvable
    }

    /// What a table says, with the line as far as it goes.
    fn known(&self, task: &Task) -> Result<Option<Thought>, Trouble> {
        if !task.strength.tables || task.passing != Passing::Allowed {
            return Ok(None);
        }
        let Some((score, Move::Play(square))) = self.probe(task.position)? else { return Ok(None) };
        let mut pv = Vec::new();
        let mut position = task.position;
        while let Some((_, mv)) = self.probe(position)? {
            pv.push(mv);
            position = position.after(mv);
        }
        let depth = task.position.empty_count(self.geometry);
        Ok(Some(Thought { square, value: Some(Value::Exact(score)), depth, nodes: 0, pv }))
    }

    /// Score and stored move of a position that is in a table and not over.
    fn probe(&self, position: Position) -> Result<Option<(Score, Move)>, Trouble> {
        let stored = self.oracle.probe(position).map_err(in_words)?;
        Ok(stored.and_then(|(_, entry)| entry.best.map(|best| (entry.score, best))))
    }

    /// Through the steps until they are done or the budget divided by `part` is used up. Several threads search the same; what one finds spares the others work.
    fn deepen(&self, task: &Task, steps: Vec<Step>, part: u32) -> Option<Thought> {
        let started = Instant::now();
        let enough = || task.has_used(started, part);
        let done = AtomicBool::new(false);
        let helpers_nodes = AtomicU64::new(0);
        let ground = self.ground(task, &done);
        let (found, nodes) = std::thread::scope(|scope| {
            for helper in 1..self.options.threads {
                let (steps, nodes) = (&steps, &helpers_nodes);
                scope.spawn(move || {
                    // Half of them begin one ply deeper, so that not all do the same at the same time.
                    let mut own = steps.iter().copied().skip(helper % 2);
                    let (_, count) = self.search(ground, task, &mut own, || false);
                    nodes.fetch_add(count, Relaxed);
                });
            }
            let found = self.search(ground, task, &mut steps.iter().copied(), enough);
            done.store(true, Relaxed);
            found
        });
        let nodes = nodes + helpers_nodes.into_inner();
        found.map(|found| Thought::estimated(found, nodes))
    }

    fn ground<'a>(&'a self, task: &'a Task, done: &'a AtomicBool) -> Ground<'a> {
        let confidence = task.strength.confidence.map(|tenths| tenths as f32 / 10.0);
        let cuts = confidence.and_then(|confidence| Cuts::find(self.geometry, self.rules.goal, confidence));
        Ground {
            geometry: self.geometry,
            rules: self.rules,
            passing: task.passing,
            judge: &self.judge,
            memory: &self.memory,
            cuts,
            stop: &task.stop,
            done,
        }
    }

    /// One thread's search, and its nodes.
    fn search(
        &self,
        ground: Ground,
        task: &Task,
        steps: &mut dyn Iterator<Item = Step>,
        enough: impl Fn() -> bool,
    ) -> (Option<Found>, u64) {
        let tools = FinishingTools::default();
        let finisher = self.solver.as_ref().filter(|_| task.passing == Passing::Allowed);
        let finisher = finisher.map(|solver| solver.finisher(&tools, &task.stop));
        let mut search = Search::new(ground, finisher);
        let found = root::deepen(&mut search, task.position, steps, enough);
        (found, search.all_nodes())
    }

    /// Makes the solver unless there is one. The first in the life of the program takes a while.
    fn prepare_solver(&mut self) -> Result<(), Trouble> {
        if self.solver.is_none() {
            let order = self.judge.evaluator();
            let solver = Solver::with_ordering(self.geometry, self.rules, self.options, order);
            self.solver = Some(solver.map_err(in_words)?);
        }
        Ok(())
    }

    /// The proved value and a best move; if stopped before the end, the better of the reserve and what is proved
    /// until then.
    fn prove(&self, task: &Task, empties: u32, reserve: Thought) -> Thought {
        let Some(solver) = self.solver.as_ref().filter(|_| !task.stop.is_set()) else { return reserve };
        let started = Instant::now();
        match solver.solve(task.position, &task.stop) {
            Ok(Solution { score, best: Some(Move::Play(square)), nodes }) => {
                let patience = started.elapsed().max(LINE_TIME);
                let stop = task.stop.and_at(Instant::now() + patience);
                let child = task.position.play(square, task.position.flips(square));
                let mut pv = vec![Move::Play(square)];
                // Stopped, it has found a part of it.
                let _ = solver.line(child, -score, &stop, &mut pv);
                let nodes = reserve.nodes + nodes;
                Thought { square, value: Some(Value::Exact(score)), depth: empties, nodes, pv }
            }
            Ok(_) => reserve,
            Err(unfinished) => reserve.or_promised(unfinished),
        }
    }
}

fn in_words(error: impl ToString) -> Trouble {
    error.to_string()
}

impl Player for Thinker {
    fn name(&self) -> &str {
        &self.name
    }

    fn reach(&self, empties: u32) -> Option<u32> {
        self.options.reach(empties)
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
        let mut mind = self.take_mind(board.geometry, game)?;
        let ready = mind.prepare_solver().map_err(|error| self.failed(error));
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
        let mut mind = self.take_mind(board.geometry, game)?;
        let thought = mind.think(&task);
        self.mind = Some(mind);
        match thought.map_err(|error| self.failed(error))? {
            Some(thought) => Ok(thought.into_choice(started)),
            None => Ok(Choice::plain(moves[0])),
        }
    }
}

impl Thought {
    fn estimated(found: Found, nodes: u64) -> Thought {
        let value = found.value.map(|units| Value::Estimate(Eval::new(units)));
        Thought { square: found.square, value, depth: found.depth, nodes, pv: found.pv }
    }

    /// A move that is proved to be worth what is hoped for from this one takes its place.
    fn or_promised(self, proved: Unfinished) -> Thought {
        let nodes = self.nodes + proved.nodes;
        let promised = Eval::from(proved.lower);
        match (proved.best, self.value) {
            (Some(Move::Play(square)), Some(Value::Estimate(hoped))) if promised >= hoped => {
                let (value, pv) = (Some(Value::Estimate(promised)), vec![Move::Play(square)]);
                Thought { square, value, nodes, pv, ..self }
            }
            _ => Thought { nodes, ..self },
        }
    }

    fn into_choice(self, started: Instant) -> Choice {
        let mv = Move::Play(self.square).into();
        let pv = self.pv.into_iter().map(GameMove::from).collect();
        let seconds = started.elapsed().as_secs_f64();
        Choice { mv, info: Info { value: self.value, depth: self.depth, nodes: self.nodes, pv, seconds } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::GameBoard;

    /// After a few random moves that no pass interrupts; `None` where such a game is over.
    fn random_game(seed: u64) -> Option<Game> {
        let mut random = fastrand::Rng::with_seed(seed);
        let first = GameBoard::start("5x4".parse().unwrap(), Start::Diagonal);
        let mut game = Game::new(first, Rules::default(), Passing::EndsGame);
        for _ in 0..5 {
            game.play(random.choice(game.legal_moves())?).unwrap();
        }
        (game.legal_moves().len() > 1).then_some(game)
    }

    /// What is remembered of a position holds under one passing rule only.
    #[test]
    fn a_change_of_the_passing_rule_needs_no_new_game() {
        let engine = || {
            let mut options = EngineOptions::default();
            options.set("depth", "9").unwrap();
            Thinker::new("engine".to_owned(), options, Equipment::default())
        };
        let value = |engine: &mut Thinker, game: &Game, passing| {
            let mut other = Game::new(game.first_board().clone(), game.rules(), passing);
            other.play_transcript(&game.transcript()).unwrap();
            engine.choose(&other, &Limits::default(), &Stop::never()).unwrap().info.value
        };
        let mut changed = 0;
        for game in (0..12).filter_map(random_game) {
            let (mut kept, mut fresh) = (engine(), engine());
            let ending = value(&mut kept, &game, Passing::EndsGame);
            let going_on = value(&mut kept, &game, Passing::Allowed);
            assert_eq!(going_on, value(&mut fresh, &game, Passing::Allowed), "{}", game.transcript());
            changed += u32::from(ending != going_on);
        }
        assert!(changed > 0, "the rule decides no game");
    }

    #[test]
    fn a_stopped_proof_counts_where_it_promises_what_was_hoped_for() {
        let [hoped_for, proved] = [19, 26].map(Square::from_index);
        for (hope, chosen) in [(3.5, proved), (4.0, proved), (4.5, hoped_for)] {
            let value = Some(Value::Estimate(Eval::from_discs(hope)));
            let reserve =
                Thought { square: hoped_for, value, depth: 6, nodes: 5, pv: vec![Move::Play(hoped_for)] };
            let (lower, upper) = (Score::new(4), Score::new(64));
            let unfinished = Unfinished { lower, upper, best: Some(Move::Play(proved)), nodes: 7 };
            let thought = reserve.or_promised(unfinished);
            assert_eq!((thought.square, thought.nodes), (chosen, 12), "{hope}");
            assert_eq!(thought.pv, [Move::Play(chosen)]);
            assert!(matches!(thought.value, Some(Value::Estimate(eval)) if eval.discs() == hope.max(4.0)));
        }
    }
}
