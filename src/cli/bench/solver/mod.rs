//! `reversi bench solver`: solves fixed sets of positions exactly, and compares with an earlier run or a plain solver.

mod figures;
mod sets;

use super::super::common::{Output, SearchOptions};
use super::super::interrupt::stop_on_ctrl_c;
use super::super::print::{is_unread, print_line};
use super::super::{Exit, Failure};
use clap::Args;
use figures::{Baseline, Figures, Recorder};
use reversi_lab::prototype::Prototype;
use reversi_solver::search::{Solver, Stop};
use sets::{Set, Work};
use std::path::PathBuf;
use std::time::Instant;

/// Solve a fixed set: random 6x6 positions, the FFO test 40-49, 6x6 from the start
#[derive(Args)]
#[command(
    after_help = "Examples:\n  reversi bench solver --only random --threads 1 --record before.jsonl\n  reversi bench solver --only random --threads 1 --baseline before.jsonl\n  reversi bench solver --only random --prototype\n\n\
    The random positions come from seeded random playouts of the diagonal start, the same on every machine. \
    Nodes are positions in which moves were looked for; the last empty square is scored without a search. \
    With --threads 1 the nodes are the same in every run."
)]
pub struct SolverBench {
    #[command(flatten)]
    search: SearchOptions,
    /// Only these sets
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Set>,
    /// Also solve the random positions with a plain solver, both solvers with one thread. Compares the scores, and
    /// prints how many times as many nodes and as much time the plain solver takes; these ratios depend less on the
    /// machine than seconds do. Takes some six minutes
    #[arg(long)]
    prototype: bool,
    /// Write the figures to this new file, one JSON line per set, for a later --baseline
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    record: Option<PathBuf>,
    /// Compare with the figures in this file, written by --record or --json of an earlier run: how many times as fast
    /// each set is solved, and how the nodes compare. Best on the same machine with as many threads
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    baseline: Option<PathBuf>,
}

impl SolverBench {
    pub fn run(mut self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        if self.prototype {
            self.agree_with_prototype()?;
        }
        let baseline = self.baseline.as_deref().map(Baseline::read).transpose()?;
        let mut recorder = self.record.as_deref().map(Recorder::create).transpose()?;
        let usual = [Set::Random, Set::Ffo, Set::Start];
        let sets = if self.only.is_empty() { &usual[..] } else { &self.only };
        if !output.json {
            print_line(Figures::HEADINGS);
        }
        let mut wrong = 0;
        for work in sets.iter().flat_map(|set| set.work()) {
            if is_unread() {
                break;
            }
            let Some(figures) = self.measure(&work, &stop)? else { return Ok(Exit::Interrupted) };
            wrong += figures.wrong;
            figures.print(output);
            if let Some(recorder) = &mut recorder {
                recorder.add(&figures)?;
            }
            if let Some(baseline) = &baseline {
                baseline.print_beside(&figures, output);
            }
            if self.prototype && work.is_random {
                let Some(different) = beside_prototype(&work, &figures, &stop, output) else {
                    return Ok(Exit::Interrupted);
                };
                wrong += different;
            }
        }
        Ok(if wrong > 0 { Exit::Difference } else { Exit::Done })
    }

    /// The plain solver has one thread and solves the random positions only.
    fn agree_with_prototype(&mut self) -> Result<(), Failure> {
        if *self.search.threads.get_or_insert(1) != 1 {
            let message =
                "--prototype: the plain solver has one thread; pass --threads 1, or leave --threads out";
            return Err(Failure::usage("usage", message));
        }
        if !self.only.is_empty() && !self.only.contains(&Set::Random) {
            let message =
                "--prototype: the plain solver solves the random positions only; add random to --only";
            return Err(Failure::usage("usage", message));
        }
        Ok(())
    }

    /// The figures of a set, with scores checked against known ones; `None` after Ctrl-C.
    fn measure(&self, work: &Work, stop: &Stop) -> Result<Option<Figures>, Failure> {
        let evaluator = self.search.evaluator(work.geometry, work.rules.goal)?;
        let options = self.search.solver();
        let mut figures = Figures::new(&work.name, options.threads);
        let solver = Solver::with_ordering(work.geometry, work.rules, options, evaluator)?;
        for &(position, expected) in &work.positions {
            let started = Instant::now();
            let Ok(solution) = solver.solve(position, stop) else { return Ok(None) };
            figures.add(solution.nodes, started.elapsed(), solution.score, expected);
            *figures.nodes_as_edax.get_or_insert(0) += solution.nodes_as_edax;
        }
        Ok(Some(figures))
    }
}

/// Prints the figures of the plain solver for the same work and returns how many scores differ; `None` after Ctrl-C.
fn beside_prototype(work: &Work, figures: &Figures, stop: &Stop, output: Output) -> Option<u64> {
    let plain = by_prototype(work, figures, stop)?;
    plain.print(output);
    if !output.json {
        let (seconds, nodes) = (plain.seconds / figures.seconds, plain.nodes as f64 / figures.nodes as f64);
        print_line(format!(
            "{:<34} {:>25}{:>11}",
            "",
            format!("{nodes:.1} times"),
            format!("{seconds:.1} times")
        ));
    }
    Some(plain.wrong)
}

/// The same work by the plain solver, which must find the same scores; `None` after Ctrl-C.
fn by_prototype(work: &Work, expected: &Figures, stop: &Stop) -> Option<Figures> {
    let mut prototype = Prototype::new(work.geometry, work.rules, stop);
    let mut figures = Figures::new(&format!("{}, prototype", work.name), 1);
    for (&(position, _), &score) in work.positions.iter().zip(&expected.scores) {
        let (started, before) = (Instant::now(), prototype.nodes);
        let found = prototype.solve(position)?;
        figures.add(prototype.nodes - before, started.elapsed(), found, Some(score));
    }
    Some(figures)
}
