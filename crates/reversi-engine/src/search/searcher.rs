//! The engine's searcher for one board: finds a move from tables, by iterative deepening, and by exact search.

use super::level::Strength;
use super::options::EngineOptions;
use super::stability::Stability;
use crate::player::{Choice, Info, Value};
use crate::resources::Resources;
use crate::time::Budget;
use reversi_rules::game::GameMove;
use reversi_rules::{Geometry, Move, Passing, Position, Rules, Score, Square};
use reversi_solver::eval::Eval;
use reversi_solver::eval::Evaluation;
use reversi_solver::eval::weights::WeightsError;
use reversi_solver::oracle::{Oracle, OracleError};
use reversi_solver::search::cost;
use reversi_solver::search::midgame::{Iteration, MidgameContext, MidgameResult, MidgameSearch, deepen};
use reversi_solver::search::probcut::ProbCut;
use reversi_solver::search::tt::MidgameTable;
use reversi_solver::search::{EndgameContext, MemoryError, Proved, Solution, Solver, Stop, check_free};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Depth in plies of the midgame search before an exact search, which may be stopped without a move.
const SAFETY_DEPTH: u32 = 6;

/// The depth if the time is bounded: the exact search is then more likely to be stopped.
const TIMED_SAFETY_DEPTH: u32 = 12;

/// The part of the time for a move that this midgame search may use.
const SAFETY_PART: f64 = 1.0 / 6.0;

/// Time for the principal variation after a proof. If unused time is lost anyway, it may also take as long as the proof
/// took.
const LINE_TIME: Duration = Duration::from_millis(50);

/// Tables, evaluation and solver for one board and rule set.
pub(super) struct Searcher {
    pub geometry: Geometry,
    pub rules: Rules,
    evaluation: Evaluation,
    table: MidgameTable,
    /// The passing rule of the entries in the table.
    passing: Passing,
    /// Probed for table entries only, never searches; `None` where the player does without tables.
    oracle: Option<Oracle>,
    solver: Solver,
    threads: usize,
}

/// Errors of the searcher.
#[derive(Debug, thiserror::Error)]
pub(super) enum SearcherError {
    /// The memory is not available.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A table cannot be used.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

/// The search for one move.
pub(super) struct SearchTask {
    pub position: Position,
    pub passing: Passing,
    pub strength: Strength,
    /// Time for the move; `None` if unbounded.
    pub budget: Option<Budget>,
    pub stop: Stop,
}

/// The result of a search.
pub(super) struct SearchResult {
    square: Square,
    value: Option<Value>,
    depth: u32,
    nodes: u64,
    pv: Vec<Move>,
}

impl SearchTask {
    /// Whether this part of the target is used up.
    fn has_used(&self, started: Instant, part: f64) -> bool {
        self.budget.is_some_and(|budget| started.elapsed().as_secs_f64() > part * budget.target.as_secs_f64())
    }

    /// The part of the target after which no further iteration begins. Time left of a fixed time for each move is lost,
    /// so all of it is used.
    fn usable_part(&self, stability: &Stability) -> f64 {
        if self.budget.is_some_and(|budget| budget.is_share) { stability.part() } else { 1.0 }
    }
}

impl Searcher {
    pub fn new(
        geometry: Geometry,
        rules: Rules,
        options: &EngineOptions,
        resources: &Resources,
    ) -> Result<Searcher, SearcherError> {
        check_free(resources.memory_bytes)?;
        let half = Resources { memory_bytes: resources.memory_bytes / 2, ..resources.clone() };
        let find = if options.is_turned() { Evaluation::find_turned } else { Evaluation::find };
        let evaluation = find(geometry, rules.goal, resources.data.as_deref())?;
        let solver = Solver::with_ordering(geometry, rules, half.solver_options(), evaluation.evaluator());
        let solver = solver?;
        solver.populate();
        Ok(Searcher {
            geometry,
            rules,
            evaluation,
            table: MidgameTable::new(half.memory_bytes)?,
            passing: Passing::Allowed,
            oracle: options.strength().tables.then(|| half.oracle(geometry, rules)).transpose()?,
            solver,
            threads: resources.threads,
        })
    }

    /// Sets the passing rule. A change clears the midgame table, which holds values of finished games. The solver
    /// keeps its table: it is used only where games go on after a pass.
    pub fn set_passing(&mut self, passing: Passing) {
        if self.passing != passing {
            self.table.forget();
            self.passing = passing;
        }
    }

    /// Clears all tables for a new game.
    pub fn forget(&mut self) {
        self.table.forget();
        self.solver.forget();
    }

    /// The best move; `None` if there is no legal placement.
    pub fn find_move(&self, task: &SearchTask) -> Result<Option<SearchResult>, SearcherError> {
        if let Some(known) = self.known(task)? {
            return Ok(Some(known));
        }
        let empties = task.position.empty_count(self.geometry);
        let may_prove = task.passing == Passing::Allowed && empties <= task.strength.exact_empties;
        if may_prove && self.is_soon_proved(task, empties) {
            let safe = if task.budget.is_some() { TIMED_SAFETY_DEPTH } else { SAFETY_DEPTH };
            let steps = (1..=safe.min(task.strength.depth).min(empties)).map(Iteration::usual).collect();
            let fallback = self.deepen(task, steps, |_| SAFETY_PART);
            return Ok(fallback.map(|fallback| self.prove(task, empties, fallback)));
        }
        let started = Instant::now();
        let mut stability = Stability::default();
        let result = self.deepen(task, task.strength.steps(empties), |found| {
            stability.observe(found.depth, found.square, found.value);
            task.usable_part(&stability)
        });
        Ok(result.map(|result| match may_prove && !task.has_used(started, task.usable_part(&stability)) {
            true => self.prove(task, empties, result),
            false => result,
        }))
    }

    /// Whether a proof is likely to end in time; without a time limit, whether it takes seconds at most.
    fn is_soon_proved(&self, task: &SearchTask, empties: u32) -> bool {
        let solvable = task
            .budget
            .map_or(cost::SECOND_EMPTIES, |time| cost::empties_within(time.target, self.rules.goal));
        empties <= solvable
    }

    /// The move of a table, with the line as far as the tables go.
    fn known(&self, task: &SearchTask) -> Result<Option<SearchResult>, SearcherError> {
        if task.passing != Passing::Allowed {
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
        Ok(Some(SearchResult { square, value: Some(Value::Exact(score)), depth, nodes: 0, pv }))
    }

    /// Score and stored move of a position that is in a table and not over.
    fn probe(&self, position: Position) -> Result<Option<(Score, Move)>, SearcherError> {
        let Some(oracle) = &self.oracle else { return Ok(None) };
        let stored = oracle.probe(position)?;
        Ok(stored.and_then(|(_, entry)| entry.best.map(|best| (entry.score, best))))
    }

    /// Runs the iterations until all are done, or until one ends after the part of the target that its result allows.
    /// Lazy SMP: all threads search the same position and share the midgame table.
    fn deepen(
        &self,
        task: &SearchTask,
        steps: Vec<Iteration>,
        mut usable_part: impl FnMut(&MidgameResult) -> f64,
    ) -> Option<SearchResult> {
        let started = Instant::now();
        let enough = |found: &MidgameResult| task.has_used(started, usable_part(found));
        let done = AtomicBool::new(false);
        let helpers_nodes = AtomicU64::new(0);
        let context = self.context(task, &done);
        let endgame_table_bytes = endgame_table_bytes(&steps);
        let (found, nodes) = thread::scope(|scope| {
            for helper in 1..self.threads {
                let (steps, nodes) = (&steps, &helpers_nodes);
                let help = move || {
                    // Every other helper begins one ply deeper, so that the threads differ.
                    let mut own = steps.iter().copied().skip(helper % 2);
                    let (_, count) = self.search(context, task, endgame_table_bytes, &mut own, |_| false);
                    nodes.fetch_add(count, Relaxed);
                };
                // If the system refuses threads, the search goes on with fewer helpers and is only less deep.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let found = self.search(context, task, endgame_table_bytes, &mut steps.iter().copied(), enough);
            done.store(true, Relaxed);
            found
        });
        let nodes = nodes + helpers_nodes.into_inner();
        found.map(|found| SearchResult::estimated(found, nodes))
    }

    fn context<'a>(&'a self, task: &'a SearchTask, done: &'a AtomicBool) -> MidgameContext<'a> {
        let find = |tenths| ProbCut::find(self.geometry, self.rules.goal, tenths);
        MidgameContext {
            geometry: self.geometry,
            rules: self.rules,
            passing: task.passing,
            evaluation: &self.evaluation,
            table: &self.table,
            probcut: task.strength.confidence.and_then(find),
            stop: &task.stop,
            done,
        }
    }

    /// The search of one thread, and its nodes.
    fn search(
        &self,
        context: MidgameContext,
        task: &SearchTask,
        endgame_table_bytes: usize,
        steps: &mut dyn Iterator<Item = Iteration>,
        enough: impl FnMut(&MidgameResult) -> bool,
    ) -> (Option<MidgameResult>, u64) {
        let tools = EndgameContext::default();
        let goes_on = task.passing == Passing::Allowed;
        let endgame_search =
            goes_on.then(|| self.solver.endgame_search(endgame_table_bytes, &tools, &task.stop));
        let mut search = MidgameSearch::new(context, endgame_search);
        let found = deepen(&mut search, task.position, steps, enough);
        (found, search.all_nodes())
    }

    /// The exact score and a best move. If stopped before its end, the better of the fallback and the bound proved so
    /// far.
    fn prove(&self, task: &SearchTask, empties: u32, fallback: SearchResult) -> SearchResult {
        if task.stop.is_set() {
            return fallback;
        }
        let started = Instant::now();
        match self.solver.solve(task.position, &task.stop) {
            Ok(Solution { score, best: Some(Move::Play(square)), nodes, .. }) => {
                let is_share = task.budget.is_some_and(|budget| budget.is_share);
                let line_time = if is_share { LINE_TIME } else { started.elapsed().max(LINE_TIME) };
                let stop = task.stop.and_at(Instant::now() + line_time);
                let child = task.position.play(square, task.position.flips(square));
                let mut pv = vec![Move::Play(square)];
                // A stop leaves the beginning of the line.
                let _ = self.solver.line(child, -score, &stop, &mut pv);
                let nodes = fallback.nodes + nodes;
                SearchResult { square, value: Some(Value::Exact(score)), depth: empties, nodes, pv }
            }
            Ok(_) => fallback,
            Err(unfinished) => fallback.or_proved(unfinished),
        }
    }
}

/// Bytes of the exact search's table within a midgame search. A table larger than a shallow search needs is only
/// slower, since entries outside the caches take long to read.
fn endgame_table_bytes(steps: &[Iteration]) -> usize {
    let deepest = steps.iter().map(|step| step.depth).max().unwrap_or_default();
    1 << (14 + deepest).min(30)
}

impl SearchResult {
    fn estimated(found: MidgameResult, nodes: u64) -> SearchResult {
        let value = found.value.map(|units| Value::Estimate(Eval::new(units)));
        SearchResult { square: found.square, value, depth: found.depth, nodes, pv: found.pv }
    }

    /// Replaces this result by a move whose proved lower bound is at least its estimate.
    fn or_proved(self, proved: Proved) -> SearchResult {
        let nodes = self.nodes + proved.nodes;
        let proved_value = Eval::from(proved.lower);
        match (proved.best, self.value) {
            (Some(Move::Play(square)), Some(Value::Estimate(estimate))) if proved_value >= estimate => {
                let (value, pv) = (Some(Value::Estimate(proved_value)), vec![Move::Play(square)]);
                SearchResult { square, value, nodes, pv, ..self }
            }
            _ => SearchResult { nodes, ..self },
        }
    }

    pub fn into_choice(self, started: Instant) -> Choice {
        let mv = Move::Play(self.square).into();
        let SearchResult { value, depth, nodes, .. } = self;
        let pv = self.pv.into_iter().map(GameMove::from).collect();
        let seconds = started.elapsed().as_secs_f64();
        Choice { mv, info: Info { value, depth, nodes, pv, seconds, ..Info::default() } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_proof_counts_where_its_lower_bound_reaches_the_estimate() {
        let [estimated_best, proved] = [19, 26].map(Square::from_index);
        for (estimate, chosen) in [(3.5, proved), (4.0, proved), (4.5, estimated_best)] {
            let value = Some(Value::Estimate(Eval::from_discs(estimate)));
            let fallback = SearchResult {
                square: estimated_best,
                value,
                depth: 6,
                nodes: 5,
                pv: vec![Move::Play(estimated_best)],
            };
            let (lower, upper) = (Score::new(4), Score::new(64));
            let unfinished =
                Proved { lower, upper, best: Some(Move::Play(proved)), nodes: 7, nodes_as_edax: 9 };
            let result = fallback.or_proved(unfinished);
            assert_eq!((result.square, result.nodes), (chosen, 12), "{estimate}");
            assert_eq!(result.pv, [Move::Play(chosen)]);
            assert!(matches!(result.value, Some(Value::Estimate(eval)) if eval.discs() == estimate.max(4.0)));
        }
    }
}
