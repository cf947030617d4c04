//! The mind of the engine on one board: finds a move by what tables know, by deepening, and by a proof of the end.

use super::level::Strength;
use crate::player::{Choice, Info, Value};
use crate::resources::Resources;
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
use reversi_solver::search::tt::pages::check_free;
use reversi_solver::search::{EndgameContext, MemoryError, Proved, Solution, Solver, Stop};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Plies searched before an exact search that may not end: there must be a move to play.
const SAFETY_DEPTH: u32 = 6;

/// The same as [`SAFETY_DEPTH`] where the time is bounded, so that it may well not end.
const TIMED_SAFETY_DEPTH: u32 = 12;

/// The time for a move divided by this may be spent on that.
const SAFETY_DIVISOR: u32 = 6;

/// Time for the line that follows from a proof; it may also take as long as the proof did.
const LINE_TIME: Duration = Duration::from_millis(50);

/// What the engine needs for one board under one set of rules.
pub(super) struct Searcher {
    pub geometry: Geometry,
    pub rules: Rules,
    evaluation: Evaluation,
    table: MidgameTable,
    /// Where the games in the memory end.
    passing: Passing,
    /// Asked for what is in its tables only.
    oracle: Oracle,
    solver: Solver,
    threads: usize,
}

/// Why the engine cannot search.
#[derive(Debug, thiserror::Error)]
pub(super) enum SearcherError {
    /// The memory cannot be had.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A table cannot be used.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

/// One move to find.
pub(super) struct SearchTask {
    pub position: Position,
    pub passing: Passing,
    pub strength: Strength,
    /// Time for this move, if it is bounded.
    pub budget: Option<Duration>,
    /// Divided by this, after which no other depth is begun.
    pub divisor: u32,
    pub stop: Stop,
}

/// A move found.
pub(super) struct SearchResult {
    square: Square,
    value: Option<Value>,
    depth: u32,
    nodes: u64,
    pv: Vec<Move>,
}

impl SearchTask {
    /// Whether the budget divided by this is used up.
    fn has_used(&self, started: Instant, divisor: u32) -> bool {
        self.budget.is_some_and(|budget| started.elapsed() > budget / divisor)
    }
}

impl Searcher {
    pub fn new(
        geometry: Geometry,
        rules: Rules,
        turned: bool,
        resources: &Resources,
    ) -> Result<Searcher, SearcherError> {
        check_free(resources.memory_bytes)?;
        let half = Resources { memory_bytes: resources.memory_bytes / 2, ..resources.clone() };
        let find = if turned { Evaluation::find_turned } else { Evaluation::find };
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
            oracle: half.oracle(geometry, rules)?,
            solver,
            threads: resources.threads,
        })
    }

    /// Forgets what is remembered of games that end elsewhere: it holds values of finished games. The solver need not,
    /// for it is asked only where games go on after a pass.
    pub fn think_of_games_with(&mut self, passing: Passing) {
        if self.passing != passing {
            self.table.forget();
            self.passing = passing;
        }
    }

    /// Forgets all that the game so far has taught.
    pub fn forget(&mut self) {
        self.table.forget();
        self.solver.forget();
    }

    /// `None` if there is no square to put a disc on.
    pub fn think(&self, task: &SearchTask) -> Result<Option<SearchResult>, SearcherError> {
        if let Some(known) = self.known(task)? {
            return Ok(Some(known));
        }
        let empties = task.position.empty_count(self.geometry);
        let may_prove = task.passing == Passing::Allowed && empties <= task.strength.exact_empties;
        if may_prove && self.is_soon_proved(task, empties) {
            let safe = if task.budget.is_some() { TIMED_SAFETY_DEPTH } else { SAFETY_DEPTH };
            let steps = (1..=safe.min(task.strength.depth).min(empties)).map(Iteration::usual).collect();
            let reserve = self.deepen(task, steps, SAFETY_DIVISOR);
            return Ok(reserve.map(|reserve| self.prove(task, empties, reserve)));
        }
        let started = Instant::now();
        let result = self.deepen(task, task.strength.steps(empties), task.divisor);
        Ok(result.map(|result| match may_prove && !task.has_used(started, task.divisor) {
            true => self.prove(task, empties, result),
            false => result,
        }))
    }

    /// Whether a proof is likely to end in time; where no time is set, whether it hardly takes any.
    fn is_soon_proved(&self, task: &SearchTask, empties: u32) -> bool {
        let solvable =
            task.budget.map_or(cost::SECOND_EMPTIES, |time| cost::empties_within(time, self.rules.goal));
        empties <= solvable
    }

    /// What a table says, with the line as far as it goes.
    fn known(&self, task: &SearchTask) -> Result<Option<SearchResult>, SearcherError> {
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
        Ok(Some(SearchResult { square, value: Some(Value::Exact(score)), depth, nodes: 0, pv }))
    }

    /// Score and stored move of a position that is in a table and not over.
    fn probe(&self, position: Position) -> Result<Option<(Score, Move)>, SearcherError> {
        let stored = self.oracle.probe(position)?;
        Ok(stored.and_then(|(_, entry)| entry.best.map(|best| (entry.score, best))))
    }

    /// Through the steps until they are done or the budget divided by `divisor` is used up. Several threads search the
    /// same; what one finds spares the others work.
    fn deepen(&self, task: &SearchTask, steps: Vec<Iteration>, divisor: u32) -> Option<SearchResult> {
        let started = Instant::now();
        let enough = || task.has_used(started, divisor);
        let done = AtomicBool::new(false);
        let helpers_nodes = AtomicU64::new(0);
        let context = self.context(task, &done);
        let finishing_bytes = finishing_bytes(&steps);
        let (found, nodes) = thread::scope(|scope| {
            for helper in 1..self.threads {
                let (steps, nodes) = (&steps, &helpers_nodes);
                let help = move || {
                    // Half of them begin one ply deeper, so that not all do the same at the same time.
                    let mut own = steps.iter().copied().skip(helper % 2);
                    let (_, count) = self.search(context, task, finishing_bytes, &mut own, || false);
                    nodes.fetch_add(count, Relaxed);
                };
                // With fewer helpers than asked for, where the system gives no more, it only sees less.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let found = self.search(context, task, finishing_bytes, &mut steps.iter().copied(), enough);
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

    /// One thread's search, and its nodes.
    fn search(
        &self,
        context: MidgameContext,
        task: &SearchTask,
        finishing_bytes: usize,
        steps: &mut dyn Iterator<Item = Iteration>,
        enough: impl Fn() -> bool,
    ) -> (Option<MidgameResult>, u64) {
        let tools = EndgameContext::default();
        let goes_on = task.passing == Passing::Allowed;
        let endgame_search = goes_on.then(|| self.solver.endgame_search(finishing_bytes, &tools, &task.stop));
        let mut search = MidgameSearch::new(context, endgame_search);
        let found = deepen(&mut search, task.position, steps, enough);
        (found, search.all_nodes())
    }

    /// The proved value and a best move; if stopped before the end, the better of the reserve and what is proved
    /// until then.
    fn prove(&self, task: &SearchTask, empties: u32, reserve: SearchResult) -> SearchResult {
        if task.stop.is_set() {
            return reserve;
        }
        let started = Instant::now();
        match self.solver.solve(task.position, &task.stop) {
            Ok(Solution { score, best: Some(Move::Play(square)), nodes }) => {
                let patience = started.elapsed().max(LINE_TIME);
                let stop = task.stop.and_at(Instant::now() + patience);
                let child = task.position.play(square, task.position.flips(square));
                let mut pv = vec![Move::Play(square)];
                // Stopped, it has found a part of it.
                let _ = self.solver.line(child, -score, &stop, &mut pv);
                let nodes = reserve.nodes + nodes;
                SearchResult { square, value: Some(Value::Exact(score)), depth: empties, nodes, pv }
            }
            Ok(_) => reserve,
            Err(unfinished) => reserve.or_promised(unfinished),
        }
    }
}

/// Bytes of the exact search's table for the last squares of these searches: what a shallow one writes is to be
/// forgotten in no more time than it took.
fn finishing_bytes(steps: &[Iteration]) -> usize {
    let deepest = steps.iter().map(|step| step.depth).max().unwrap_or_default();
    1 << (14 + deepest).min(30)
}

impl SearchResult {
    fn estimated(found: MidgameResult, nodes: u64) -> SearchResult {
        let value = found.value.map(|units| Value::Estimate(Eval::new(units)));
        SearchResult { square: found.square, value, depth: found.depth, nodes, pv: found.pv }
    }

    /// A move that is proved to be worth what is hoped for from this one takes its place.
    fn or_promised(self, proved: Proved) -> SearchResult {
        let nodes = self.nodes + proved.nodes;
        let promised = Eval::from(proved.lower);
        match (proved.best, self.value) {
            (Some(Move::Play(square)), Some(Value::Estimate(hoped))) if promised >= hoped => {
                let (value, pv) = (Some(Value::Estimate(promised)), vec![Move::Play(square)]);
                SearchResult { square, value, nodes, pv, ..self }
            }
            _ => SearchResult { nodes, ..self },
        }
    }

    pub fn into_choice(self, started: Instant) -> Choice {
        let mv = Move::Play(self.square).into();
        let pv = self.pv.into_iter().map(GameMove::from).collect();
        let seconds = started.elapsed().as_secs_f64();
        Choice { mv, info: Info { value: self.value, depth: self.depth, nodes: self.nodes, pv, seconds } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_proof_counts_where_it_promises_what_was_hoped_for() {
        let [hoped_for, proved] = [19, 26].map(Square::from_index);
        for (hope, chosen) in [(3.5, proved), (4.0, proved), (4.5, hoped_for)] {
            let value = Some(Value::Estimate(Eval::from_discs(hope)));
            let reserve = SearchResult {
                square: hoped_for,
                value,
                depth: 6,
                nodes: 5,
                pv: vec![Move::Play(hoped_for)],
            };
            let (lower, upper) = (Score::new(4), Score::new(64));
            let unfinished = Proved { lower, upper, best: Some(Move::Play(proved)), nodes: 7 };
            let result = reserve.or_promised(unfinished);
            assert_eq!((result.square, result.nodes), (chosen, 12), "{hope}");
            assert_eq!(result.pv, [Move::Play(chosen)]);
            assert!(matches!(result.value, Some(Value::Estimate(eval)) if eval.discs() == hope.max(4.0)));
        }
    }
}
