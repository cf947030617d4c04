//! `reversi bench solver`: a fixed set of positions, exact.

use super::super::common::{Output, SearchOptions};
use super::super::interrupt::stop_on_ctrl_c;
use super::super::print::{is_unread, print_line};
use super::super::{Exit, Failure};
use clap::{Args, ValueEnum};
use reversi_formats::obf;
use reversi_lab::prototype::Prototype;
use reversi_rules::playout::with_empties;
use reversi_rules::{Board, Geometry, Goal, Position, Rules, Score, Scoring, Start};
use reversi_solver::search::{Solver, Stop};
use serde_json::json;
use std::time::Instant;

/// Solve a fixed set: random 6x6 positions, the FFO test 40-49, 6x6 from the start
#[derive(Args)]
#[command(
    after_help = "Examples:\n  reversi bench solver --only random --threads 1\n  reversi bench solver --only random --prototype\n\n\
    The random positions come from random playouts of the diagonal start, seeded, the same on every machine. \
    Nodes are positions in which moves were looked for; the last empty square is counted, not searched. \
    With --threads 1 the nodes are the same in every run."
)]
pub struct SolverBench {
    #[command(flatten)]
    search: SearchOptions,
    /// Only these sets
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Set>,
    /// Solve the random positions once more with a plain solver, each with one thread, compare the scores, and say how
    /// many times as many nodes and as much time the plain one takes: that depends less on the machine than seconds
    /// do. Takes some six minutes
    #[arg(long)]
    prototype: bool,
}

/// A part of the fixed set.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    /// 100 random reachable 6x6 positions each at 10, 14, 18 and 22 empties, both goals
    Random,
    /// FFO 40 to 49, 8x8
    Ffo,
    /// 6x6 from the diagonal start, both goals
    Start,
}

/// Positions solved one after the other by one solver.
struct Work {
    name: String,
    rules: Rules,
    geometry: Geometry,
    positions: Vec<(Position, Option<Score>)>,
    is_random: bool,
}

/// What it took.
#[derive(Default)]
struct Cost {
    nodes: u64,
    seconds: f64,
    worst: f64,
    wrong: u64,
    scores: Vec<Score>,
}

impl SolverBench {
    pub fn run(mut self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        let all = [Set::Random, Set::Ffo, Set::Start];
        if self.prototype {
            self.agree_with_prototype()?;
        }
        let sets = if self.only.is_empty() { &all[..] } else { &self.only };
        if !output.json {
            print_line(format!(
                "{:<34} {:>9} {:>15} {:>10} {:>10} {:>10} {:>13}",
                "", "positions", "nodes", "seconds", "ms each", "worst ms", "nodes/s"
            ));
        }
        let mut wrong = 0;
        for work in sets.iter().flat_map(|set| set.work()) {
            if is_unread() {
                break;
            }
            let Some(cost) = self.measure(&work, &stop)? else { return Ok(Exit::Interrupted) };
            wrong += cost.wrong;
            work.print(&work.name, &cost, output);
            if self.prototype && work.is_random {
                let Some(different) = beside_prototype(&work, &cost, &stop, output) else {
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

    /// `None` after Ctrl-C. Known scores are compared: a fast wrong answer is no answer.
    fn measure(&self, work: &Work, stop: &Stop) -> Result<Option<Cost>, Failure> {
        let evaluator = self.search.evaluator(work.geometry, work.rules.goal)?;
        let solver = Solver::with_ordering(work.geometry, work.rules, self.search.solver(), evaluator)?;
        let mut cost = Cost::default();
        for &(position, expected) in &work.positions {
            let started = Instant::now();
            let Ok(solution) = solver.solve(position, stop) else { return Ok(None) };
            let seconds = started.elapsed().as_secs_f64();
            cost.add(solution.nodes, seconds, solution.score, expected);
        }
        Ok(Some(cost))
    }
}

/// Prints what the plain solver takes for the same work, and gives how many scores differ; `None` after Ctrl-C.
fn beside_prototype(work: &Work, cost: &Cost, stop: &Stop, output: Output) -> Option<u64> {
    let plain = by_prototype(work, &cost.scores, stop)?;
    if output.json {
        work.print(&format!("{}, prototype", work.name), &plain, output);
    } else {
        work.print("  the prototype", &plain, output);
        print_line(plain.beside(cost));
    }
    Some(plain.wrong)
}

/// The same work by the plain program, which is to find the same scores; `None` after Ctrl-C.
fn by_prototype(work: &Work, scores: &[Score], stop: &Stop) -> Option<Cost> {
    let mut prototype = Prototype::new(work.geometry, work.rules, stop);
    let mut cost = Cost::default();
    for (&(position, _), &expected) in work.positions.iter().zip(scores) {
        let (started, before) = (Instant::now(), prototype.nodes);
        let score = prototype.solve(position)?;
        cost.add(prototype.nodes - before, started.elapsed().as_secs_f64(), score, Some(expected));
    }
    Some(cost)
}

impl Cost {
    fn add(&mut self, nodes: u64, seconds: f64, score: Score, expected: Option<Score>) {
        self.nodes += nodes;
        self.seconds += seconds;
        self.worst = self.worst.max(seconds);
        self.wrong += u64::from(expected.is_some_and(|expected| expected != score));
        self.scores.push(score);
    }

    /// How many times another's.
    fn beside(&self, other: &Cost) -> String {
        let (seconds, nodes) = (self.seconds / other.seconds, self.nodes as f64 / other.nodes as f64);
        format!("{:<34} {:>25}{:>11}", "", format!("{nodes:.1} times"), format!("{seconds:.1} times"))
    }
}

impl Set {
    fn work(self) -> Vec<Work> {
        match self {
            Set::Random => {
                let kinds =
                    Goal::ALL.into_iter().flat_map(|goal| [10, 14, 18, 22].map(|empties| (goal, empties)));
                kinds.map(|(goal, empties)| random_positions(goal, empties, 100)).collect()
            }
            Set::Ffo => vec![ffo()],
            Set::Start => Goal::ALL.map(start).into(),
        }
    }
}

/// Positions in which the side to move has a move, from random playouts; seeded by the number of empties.
fn random_positions(goal: Goal, empties: u32, count: usize) -> Work {
    let mut random = fastrand::Rng::with_seed(empties.into());
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    let with_a_move = with_empties(Geometry::SIX, start, empties, &mut random)
        .filter(|position| position.legal_moves(Geometry::SIX) != 0);
    let positions = with_a_move.take(count).map(|position| (position, None)).collect();
    let name = format!("6x6 {goal}, random, {empties} empties");
    Work { name, rules: Rules::new(goal, Scoring::Raw), geometry: Geometry::SIX, positions, is_random: true }
}

fn ffo() -> Work {
    let file = obf::parse(include_str!("../../../tests/data/ffo-40-59.obf"), None)
        .expect("the file that is compiled in is tested");
    let positions =
        file.records[..10].iter().map(|record| (record.board.position(), record.best_score())).collect();
    let rules = Rules::new(Goal::Normal, Scoring::Winner);
    Work {
        name: "8x8 normal, FFO 40-49".to_owned(),
        rules,
        geometry: Geometry::EIGHT,
        positions,
        is_random: false,
    }
}

fn start(goal: Goal) -> Work {
    let known = match goal {
        Goal::Normal => -4,
        Goal::Reversed => 2,
    };
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    Work {
        name: format!("6x6 {goal}, from the start"),
        rules: Rules::new(goal, Scoring::Raw),
        geometry: Geometry::SIX,
        positions: vec![(start, Some(Score::new(known)))],
        is_random: false,
    }
}

impl Work {
    fn print(&self, name: &str, cost: &Cost, output: Output) {
        print_line(if output.json { self.to_json(name, cost) } else { self.to_text(name, cost) });
    }

    fn to_text(&self, name: &str, cost: &Cost) -> String {
        let count = self.positions.len();
        let warning = if cost.wrong > 0 { format!("  {} DIFFERENT", cost.wrong) } else { String::new() };
        format!(
            "{:<34} {count:>9} {:>15} {:>10.3} {:>10.3} {:>10.3} {:>13.0}{warning}",
            name,
            cost.nodes,
            cost.seconds,
            cost.seconds * 1e3 / count as f64,
            cost.worst * 1e3,
            cost.nodes as f64 / cost.seconds
        )
    }

    fn to_json(&self, name: &str, cost: &Cost) -> String {
        json!({
            "schema": "reversi.bench-solver/1",
            "name": name,
            "positions": self.positions.len(),
            "nodes": cost.nodes,
            "seconds": cost.seconds,
            "worst_seconds": cost.worst,
            "wrong": cost.wrong,
        })
        .to_string()
    }
}
