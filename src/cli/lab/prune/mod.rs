//! `reversi lab prune`: checks whether pruning changes the result of a search.

mod external;
mod show;

use crate::cli::choices::by_name;
use crate::cli::common::{Output, agree_on};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::lab::files::Tables;
use crate::cli::progress::Counter;
use crate::cli::reading::ReadingOptions;
use crate::cli::values::{data_directory, duration, in_threads, parse_size, parse_threads};
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_engine::experiment::Experiment;
use reversi_engine::plain_search::InjectedBug;
use reversi_engine::{GameSetup, Resources};
use reversi_lab::arena::experiments::exact_scores::ExactScorer;
use reversi_lab::arena::experiments::full_depth::{self, WrongValue};
use reversi_lab::arena::experiments::prune::{
    self, Compared, Difference, Evaluations, PrunePlan, Variant, check_all,
};
use reversi_lab::arena::experiments::selective::{self, Selective};
use reversi_rules::{Geometry, Goal, Passing, Rules, Scoring};
use reversi_solver::search::Stop;
use std::path::PathBuf;
use std::time::Duration;

/// Check that no enhancement of a search changes what it finds
///
/// Compares with plain minimax at the same depth: alpha-beta, null windows, memory (a transposition table) and each way
/// of ordering moves, alone and all together, and the engine's own search without its probable cut-offs. Each must find
/// the same value and a move of that value. What the probable cut-offs change is measured beside: they only claim to be
/// right with high probability, so that it counts as no difference. Searches that look at the moves in the same order must find the very same move. Searches to the end of the game must
/// find the exact score. The exit code is 5 if one of them does not.
///
/// With --gtp another program moves at positions near the end of the game whose exact scores are known. It must find
/// one of the best moves: every other move is a difference. Illegal and missing moves are failures (exit code 1).
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi lab prune\n  \
    reversi lab prune --board 6x6 --eval corners --positions 1000 --depth 5\n  \
    reversi lab prune --board 4x4 --search memory --eval discs \\\n    \
    --position \"-----OX--XO----- X\" --depth 3\n  \
    reversi lab prune --gtp \"reversi gtp --player engine\" --max-empties 8 \\\n    \
    --positions 50")]
pub struct Prune {
    /// Number of positions, taken from all boards from 3x3 to 8x8 and both goals in turn [default: 20000; with --gtp
    /// 200 of one board]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "position")]
    positions: Option<u64>,
    /// Deepest search in plies; boards of at most 25 squares are searched two plies deeper
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=120))]
    depth: u32,
    /// Only this board, columns x rows [default with --gtp: 6x6]
    #[arg(long, value_name = "SIZE")]
    board: Option<String>,
    /// Only this goal
    #[arg(long, value_parser = by_name::<Goal>())]
    goal: Option<Goal>,
    /// Only this evaluation: one of the five systems (discs, positional, tokens and so on), or learned, or plain (the
    /// engine's if nothing is learned)
    #[arg(long, value_name = "NAME")]
    eval: Option<String>,
    /// Only this search: minimax; alpha-beta; alpha-beta with null-windows (only the first move gets the whole window),
    /// memory (a transposition table), presort (the first moves sorted by a shallow search), sorting (the same at every
    /// node), shuffling (moves in random order), or everything; or engine
    #[arg(long, value_name = "NAME")]
    search: Option<String>,
    /// Only this position, at the given depth: a board in any usual form with its side to move
    #[arg(long, value_name = "CELLS SIDE", allow_hyphen_values = true)]
    position: Option<String>,
    /// With --position: end the game as soon as the side to move has no move
    #[arg(long, requires = "position")]
    no_passing: bool,
    /// With --position: search to the end of the game and compare with the oracle
    #[arg(long, requires = "position", conflicts_with_all = ["no_passing", "depth"])]
    to_the_end: bool,
    /// Check this program instead of our searches. It must speak GTP and play for the goal; may be given several times
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["eval", "search", "position", "depth", "plant"])]
    gtp: Vec<String>,
    /// With --gtp: maximum number of empty squares of a position; the program should see the end of the game from there
    /// [default: 10]
    #[arg(long, value_name = "N", requires = "gtp", value_parser = clap::value_parser!(u32).range(1..=30))]
    max_empties: Option<u32>,
    /// With --gtp: how long the program may stay silent; at least ten seconds when it starts
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration, requires = "gtp")]
    patience: Duration,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    reading: ReadingOptions,
    /// Seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "position")]
    seed: u64,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Directory searched first for tables and weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
    /// Break the search on purpose, to test that the check notices it
    #[arg(long, value_parser = by_name::<InjectedBug>(), hide = true)]
    plant: Option<InjectedBug>,
}

const USUAL_POSITIONS: u64 = 20_000;

/// The request and its results.
pub struct Checked {
    asked: Prune,
    plan: PrunePlan,
    variants: Vec<Variant>,
    outcome: Outcome,
}

/// The results.
#[derive(Default)]
struct Outcome {
    /// Number of positions to compare at, and number of those that were finished.
    asked: u64,
    done: u64,
    interrupted: bool,
    compared: Vec<(Experiment, Vec<Compared>)>,
    differences: Vec<Difference>,
    to_the_end: u64,
    wrong_values: Vec<WrongValue>,
    selective: Selective,
}

impl Outcome {
    /// Whether no search was compared with anything.
    fn is_empty(&self) -> bool {
        let searched = self.compared.iter().any(|(_, compared)| !compared.is_empty());
        !searched && self.differences.is_empty() && self.to_the_end == 0
    }
}

impl Prune {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        self.reading.check_for(self.position.is_some())?;
        if !self.gtp.is_empty() {
            return self.run_programs(output);
        }
        let tables = self.tables.clone();
        tables.check(output)?;
        let checked = self.check(output)?;
        let interrupted = checked.outcome.interrupted;
        let written = tables.write_unless(interrupted, output, &checked);
        tables.print(output, &checked);
        written.map(|()| match (checked.difference_count(), interrupted) {
            (1.., _) => Exit::Difference,
            (0, true) => Exit::Interrupted,
            (0, false) => Exit::Done,
        })
    }

    /// Makes the requested comparisons.
    ///
    /// # Errors
    /// An unknown search, evaluation, board or position, or a file that cannot be used.
    pub fn check(self, output: Output) -> Result<Checked, Failure> {
        let (variants, plan) = (self.variants()?, self.plan()?);
        let outcome = self.measure(&plan, &variants, output)?;
        if outcome.is_empty() && !outcome.interrupted {
            let message = "nothing was compared: engine only searches with learned and plain";
            return Err(Failure::usage("bad-search", message));
        }
        Ok(Checked { asked: self, plan, variants, outcome })
    }

    fn measure(&self, plan: &PrunePlan, variants: &[Variant], output: Output) -> Result<Outcome, Failure> {
        in_threads(self.threads, || match &self.position {
            Some(text) => self.check_one(text, plan, variants),
            None => self.check_many(plan, variants, output),
        })?
    }

    fn variants(&self) -> Result<Vec<Variant>, Failure> {
        let mut variants = Variant::all();
        let Some(name) = &self.search else { return Ok(variants) };
        let names: Vec<&str> = variants.iter().map(|known| known.name()).collect();
        let message = format!("--search {name}: there are {}", names.join(", "));
        variants.retain(|known| known.name() == name);
        if variants.is_empty() { Err(Failure::usage("bad-search", message)) } else { Ok(variants) }
    }

    fn plan(&self) -> Result<PrunePlan, Failure> {
        Ok(PrunePlan {
            positions: self.positions.unwrap_or(USUAL_POSITIONS),
            depth: self.depth,
            geometry: self.board.as_deref().map(parse_size).transpose()?,
            goal: self.goal,
            evaluation: self.eval.clone(),
            seed: self.seed,
        })
    }

    fn resources(&self) -> Resources {
        Resources { data: self.data.clone(), ..Resources::default() }
    }

    fn evaluations(&self, plan: &PrunePlan) -> Result<Evaluations, Failure> {
        let evaluations = Evaluations::of(plan, &self.resources())?;
        if evaluations.is_empty() {
            let name = self.eval.as_deref().unwrap_or_default();
            let board = plan.geometry.map_or("any board".to_owned(), |board| board.to_string());
            let message =
                format!("--eval {name}: not defined on {board}; `reversi players minimax` lists names");
            return Err(Failure::usage("bad-evaluation", message));
        }
        Ok(evaluations)
    }

    fn passing(&self) -> Passing {
        if self.no_passing { Passing::EndsGame } else { Passing::Allowed }
    }

    /// Compares at one position, with every requested evaluation.
    fn check_one(&self, text: &str, plan: &PrunePlan, variants: &[Variant]) -> Result<Outcome, Failure> {
        let bad = |message: String| Failure::usage("bad-position", format!("--position: {message}"));
        let setup = GameSetup {
            goal: plan.goal.unwrap_or_default(),
            passing: self.passing(),
            ..GameSetup::new(plan.geometry.unwrap_or(Geometry::EIGHT).into())
        };
        let (board, named) = self.reading.board(text, plan.geometry, setup)?;
        agree_on("goal", plan.goal.map(Goal::name), named.goal.map(Goal::name))
            .map_err(|fault| Failure::usage("usage", format!("the position {fault}")))?;
        if board.position().legal_moves(board.geometry) == 0 {
            return Err(bad("the side to move has no move".to_owned()));
        }
        let plan =
            PrunePlan { geometry: Some(board.geometry), goal: plan.goal.or(named.goal), ..plan.clone() };
        let (mut outcome, stop) = (Outcome::default(), stop_on_ctrl_c());
        let evaluations = self.evaluations(&plan)?;
        outcome.asked = evaluations.each().count() as u64;
        for mut trial in evaluations.each() {
            trial.position = board.position();
            trial.depth = self.depth;
            trial.passing = self.passing();
            if self.to_the_end {
                let (count, wrong_values) = self.check_end(trial, variants, &stop)?;
                outcome.to_the_end += count;
                outcome.wrong_values.extend(wrong_values);
            } else {
                match prune::check(&trial, variants, self.plant, &stop)? {
                    Ok(_) if stop.is_set() => {}
                    Ok(compared) => outcome.compared.push((trial, compared)),
                    Err(difference) => outcome.differences.push(*difference),
                }
            }
            if stop.is_set() {
                break;
            }
            outcome.done += 1;
        }
        outcome.interrupted = stop.is_set();
        if self.to_the_end && outcome.to_the_end == 0 && !stop.is_set() {
            let message = "--to-the-end: only discs, learned and plain count the discs of a finished game, and \
                           engine only searches with the last two";
            return Err(Failure::usage("bad-evaluation", message));
        }
        Ok(outcome)
    }

    /// Skips an evaluation that has its own idea of what a finished game is worth.
    fn check_end(
        &self,
        trial: Experiment,
        variants: &[Variant],
        stop: &Stop,
    ) -> Result<full_depth::Checked, Failure> {
        if !full_depth::counts_final_discs(&trial.evaluation) {
            return Ok(full_depth::Checked::default());
        }
        let scorer =
            ExactScorer::new(trial.geometry, Rules::new(trial.goal, Scoring::Raw), &self.resources())?;
        let trial = Experiment { depth: full_depth::depth(trial.geometry, trial.position), ..trial };
        Ok(full_depth::check(&trial, &scorer, variants, self.plant, stop)?)
    }

    fn check_many(&self, plan: &PrunePlan, variants: &[Variant], output: Output) -> Result<Outcome, Failure> {
        let (stop, bug) = (stop_on_ctrl_c(), self.plant);
        let counter = Counter::new(output, "positions", plan.positions, 0);
        let (compared, differences) =
            check_all(plan, &self.evaluations(plan)?, variants, bug, &stop, |done| counter.set(done))?;
        drop(counter);
        let (asked, done) = (plan.positions, compared.len() as u64);
        let mut outcome = Outcome { asked, done, compared, differences, ..Outcome::default() };
        let goals = self.goal.map_or(Goal::ALL.to_vec(), |goal| vec![goal]);
        let goes_on = outcome.differences.is_empty() && !stop.is_set();
        if goes_on && self.board.is_none() && self.eval.is_none() {
            (outcome.to_the_end, outcome.wrong_values) =
                full_depth::check_all(&self.resources(), &goals, variants, bug, plan.seed, &stop)?;
        }
        let trials: Vec<Experiment> = outcome.compared.iter().map(|(trial, _)| trial.clone()).collect();
        outcome.selective = selective::measure(&trials, &stop)?;
        outcome.interrupted = stop.is_set();
        Ok(outcome)
    }
}
