//! `reversi bench oracle`: how quickly the oracle answers positions of 6x6.

use super::super::common::{Output, SearchOptions};
use super::super::interrupt::stop_on_ctrl_c;
use super::super::print::{is_unread, print_line, print_stopped};
use super::super::processor_time::cpu_seconds;
use super::super::progress::Counter;
use super::super::{Exit, Failure};
use crate::cli::choices::by_name;
use clap::{Args, ValueEnum};
use reversi_rules::playout::{playout, with_empties};
use reversi_rules::{Board, Geometry, Goal, Position, Rules, Scoring, Start};
use reversi_solver::oracle::{LineEnd, Oracle, OracleError, Source};
use reversi_solver::search::{Sizing, SolverOptions, Stop};
use serde_json::{Value as Json, json};
use std::time::Instant;

/// The last ply: a game that fills the board has 32 moves, and one is left to ask for.
const LAST_PLY: u32 = 31;

/// Measure how long the oracle takes to answer positions of 6x6
#[derive(Args)]
#[command(
    after_help = "Examples:\n  reversi bench oracle --goal normal\n  reversi bench oracle --positions 1000 --ask all-moves\n\n\
    The positions come from seeded random playouts of the diagonal start; the ply at which a playout ends is \
    uniform from 0 to 31. Each answer is timed separately; a search uses all threads. Searches share one \
    transposition table, and positions of the first plies occur more than once."
)]
pub struct OracleBench {
    #[command(flatten)]
    search: SearchOptions,
    /// Only this goal
    #[arg(long, value_parser = by_name::<Goal>())]
    goal: Option<Goal>,
    /// Positions per goal
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// After each position, also ask about the next PLIES positions of the same random game, in order
    #[arg(long, value_name = "PLIES", default_value = "0")]
    follow: u32,
    /// Let each search use the whole transposition table (--memory) instead of a part sized for the position
    #[arg(long)]
    whole_table: bool,
    /// What to ask for
    #[arg(long, value_enum, default_value_t = Question::Value)]
    ask: Question,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Question {
    /// The score and one best move
    Value,
    /// The scores of all moves, and a perfect line as far as a table holds it
    AllMoves,
}

/// One answer.
struct Answered {
    empties: u32,
    seconds: f64,
    nodes: u64,
    from_table: bool,
}

/// All answers, in ascending order of time.
struct Measured {
    answers: Vec<Answered>,
    /// Positions of random playouts that were asked about, without those of --follow.
    asked: u32,
    /// Processor time of all threads.
    cpu_seconds: Option<f64>,
}

impl OracleBench {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        let goals = self.goal.map_or(Goal::ALL.to_vec(), |goal| vec![goal]);
        for goal in goals {
            if is_unread() {
                break;
            }
            let measured = self.measure(goal, output, &stop)?;
            match output.json {
                true => print_line(self.json(goal, &measured)),
                false => self.print(goal, &measured),
            }
            if stop.is_set() {
                let (asked, all) = (measured.asked, self.positions);
                print_stopped(output, format_args!("interrupted, {goal} goal: {asked} of {all} positions"));
                return Ok(Exit::Interrupted);
            }
        }
        Ok(Exit::Done)
    }

    /// All answers; after Ctrl-C those given before it.
    fn measure(&self, goal: Goal, output: Output, stop: &Stop) -> Result<Measured, Failure> {
        let rules = Rules::new(goal, Scoring::Raw);
        let sizing = if self.whole_table { Sizing::Whole } else { Sizing::ByPosition };
        let solver = SolverOptions { sizing, ..self.search.solver() };
        let oracle = self.search.oracle_with(Geometry::SIX, rules, Start::Diagonal, solver)?;
        oracle.prepare().map_err(SearchOptions::failure)?;
        let mut random = fastrand::Rng::with_seed(self.seed);
        let counter = Counter::new(output, "positions", self.positions.into(), 0);
        let (mut answers, mut asked) = (Vec::new(), 0);
        let before = cpu_seconds();
        'asking: for number in 0..self.positions {
            let position = random_position(&mut random);
            // A generator of its own, so that later positions do not depend on --follow.
            let mut games = fastrand::Rng::with_seed(self.seed ^ u64::from(number) << 32);
            let game = playout(Geometry::SIX, position, &mut games);
            for position in game.take(1 + self.follow as usize) {
                match self.ask(&oracle, position, stop) {
                    Err(OracleError::Stopped) => break 'asking,
                    answered => answers.push(answered.map_err(SearchOptions::failure)?),
                }
            }
            counter.inc();
            asked += 1;
        }
        drop(counter);
        let cpu_seconds = before.zip(cpu_seconds()).map(|(before, after)| after - before);
        answers.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
        Ok(Measured { answers, asked, cpu_seconds })
    }

    fn ask(&self, oracle: &Oracle, position: Position, stop: &Stop) -> Result<Answered, OracleError> {
        let (started, nodes) = (Instant::now(), oracle.nodes());
        let source = match self.ask {
            Question::Value => oracle.value(position, stop)?.source,
            Question::AllMoves => oracle.answer(position, LineEnd::OfTable, stop)?.source,
        };
        Ok(Answered {
            empties: position.empty_count(Geometry::SIX),
            seconds: started.elapsed().as_secs_f64(),
            nodes: oracle.nodes() - nodes,
            from_table: source == Source::Table,
        })
    }

    fn print(&self, goal: Goal, Measured { answers, cpu_seconds, .. }: &Measured) {
        let what = if self.ask == Question::Value { "score and best move" } else { "scores of all moves" };
        print_line(format_args!("6x6 {goal}, {what}: {} positions from random playouts", answers.len()));
        print_line("empties  positions  in table   median ms     90% ms     99% ms    worst ms  mean nodes");
        for empties in (0..=32).rev() {
            print_row(&empties.to_string(), answers.iter().filter(|answer| answer.empties == empties));
        }
        print_row("all", answers.iter());
        if let Some(seconds) = cpu_seconds {
            print_line(format_args!("{seconds:.1} s of processor time"));
        }
    }

    fn json(&self, goal: Goal, Measured { answers, asked, cpu_seconds }: &Measured) -> Json {
        let at = |empties| Times::of(answers.iter().filter(move |answer| answer.empties == empties));
        let by_empties: serde_json::Map<String, Json> =
            (0..=32).rev().filter_map(|empties| Some((empties.to_string(), at(empties)?.json()))).collect();
        json!({
            "schema": "reversi.bench-oracle/1",
            "goal": goal.to_string(),
            "asked": if self.ask == Question::Value { "value" } else { "all-moves" },
            "complete": *asked == self.positions,
            "all": Times::of(answers.iter()).map(|times| times.json()),
            "empties": by_empties,
            "cpu_seconds": cpu_seconds,
        })
    }
}

fn print_row<'a>(name: &str, answers: impl Iterator<Item = &'a Answered>) {
    let Some(times) = Times::of(answers) else { return };
    print_line(format_args!(
        "{name:>7} {:>10} {:>8.1}% {:>11.3} {:>10.3} {:>10.3} {:>11.3} {:>11}",
        times.count,
        100.0 * times.from_table as f64 / times.count as f64,
        times.median * 1e3,
        times.ninety * 1e3,
        times.ninety_nine * 1e3,
        times.worst * 1e3,
        times.nodes / times.count as u64
    ));
}

/// The distribution of answering times, in seconds.
struct Times {
    count: usize,
    /// Of all searches.
    nodes: u64,
    from_table: usize,
    median: f64,
    ninety: f64,
    ninety_nine: f64,
    worst: f64,
}

impl Times {
    /// From answers in ascending order of time; `None` if there are none.
    fn of<'a>(answers: impl Iterator<Item = &'a Answered>) -> Option<Times> {
        let (mut from_table, mut nodes) = (0, 0);
        let seconds: Vec<f64> = answers
            .map(|answer| {
                from_table += usize::from(answer.from_table);
                nodes += answer.nodes;
                answer.seconds
            })
            .collect();
        let worst = *seconds.last()?;
        // The least time within which at least this share of the answers came.
        let within = |percent: usize| seconds[(seconds.len() * percent).div_ceil(100) - 1];
        Some(Times {
            count: seconds.len(),
            nodes,
            from_table,
            median: within(50),
            ninety: within(90),
            ninety_nine: within(99),
            worst,
        })
    }

    fn json(&self) -> Json {
        json!({
            "positions": self.count, "from_table": self.from_table, "median_seconds": self.median,
            "percentile_90_seconds": self.ninety, "percentile_99_seconds": self.ninety_nine,
            "worst_seconds": self.worst, "nodes": self.nodes,
        })
    }
}

/// A position of a random playout at a random ply; a playout that ends earlier is repeated.
fn random_position(random: &mut fastrand::Rng) -> Position {
    let ply = random.u32(0..=LAST_PLY);
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    let empties = Geometry::SIX.square_count() - 4 - ply;
    with_empties(Geometry::SIX, start, empties, random).next().expect("games go on as long as that")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_answers_in_order() {
        let answers: Vec<Answered> = (1..=200)
            .map(|n| Answered { empties: 3, seconds: f64::from(n), nodes: 5, from_table: n % 2 == 0 })
            .collect();
        let times = Times::of(answers.iter()).unwrap();
        assert_eq!((times.count, times.from_table, times.nodes), (200, 100, 1000));
        assert_eq!(
            (times.median, times.ninety, times.ninety_nine, times.worst),
            (100.0, 180.0, 198.0, 200.0)
        );
        let one = Times::of(answers[..1].iter()).unwrap();
        assert_eq!((one.median, one.ninety_nine, one.worst), (1.0, 1.0, 1.0));
        assert!(Times::of([].iter()).is_none());
    }

    #[test]
    fn playouts_end_at_every_ply() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut seen = [0; 33];
        for _ in 0..2000 {
            seen[random_position(&mut random).empty_count(Geometry::SIX) as usize] += 1;
        }
        assert_eq!(seen[0], 0);
        assert!(seen[1..].iter().all(|&count| count > 20), "{seen:?}");
    }
}
