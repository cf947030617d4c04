//! A file of positions, each solved and, if asked for, compared with what the file says.

use super::super::common::{Output, parse_size};
use super::super::interrupt::stop_on_ctrl_c;
use super::super::print::print_line;
use super::super::{Exit, Failure};
use super::{Solve, result::Solved};
use crate::protocol::obf;
use crate::rules::{Goal, Move, Scoring};
use crate::search::Solver;
use serde_json::json;

/// Solves every record; with `--check` differences end in exit code 5.
pub fn run(solve: &Solve, path: &str, output: Output) -> Result<Exit, Failure> {
    let file = read(solve, path)?;
    let mut totals = Totals::default();
    let mut solver: Option<Solver> = None;
    let stop = solve.stop();
    for (number, record) in file.records.iter().enumerate() {
        let geometry = record.board.geometry;
        if solver.as_ref().is_none_or(|solver| solver.geometry() != geometry) {
            drop(solver.take()); // gives its memory back before the next is made
            solver = Some(solve.solver(geometry, solve.rules(geometry, file.goal, file.scoring))?);
        }
        let Some(solver) = &solver else { continue };
        let solved = solve.solve(solver, record.board, &stop, output);
        if !solved.complete {
            print_result(number + 1, &solved, None, output);
            return Ok(solve.exit_of(&solved, &stop_on_ctrl_c()));
        }
        let difference = if solve.check { difference(solve, record, &solved) } else { None };
        totals.add(&solved, difference.is_some());
        print_result(number + 1, &solved, difference.as_deref(), output);
    }
    totals.print(solve.check, output);
    Ok(if totals.different > 0 { Exit::Difference } else { Exit::Done })
}

fn read(solve: &Solve, path: &str) -> Result<obf::File, Failure> {
    let bad = |message: String| Failure::usage("bad-file", format!("{path}: {message}"));
    let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    let geometry = solve.position.board.as_deref().map(parse_size).transpose()?;
    let file = obf::parse(&text, geometry).map_err(|error| bad(error.to_string()))?;
    let goal_differs = solve.goal.zip(file.goal).is_some_and(|(asked, made)| Goal::from(asked) != made);
    let scoring_differs =
        solve.scoring.zip(file.scoring).is_some_and(|(asked, made)| Scoring::from(asked) != made);
    if goal_differs || scoring_differs {
        return Err(bad(
            "its % line sets another goal or scoring than the options; leave the options out".to_owned()
        ));
    }
    Ok(file)
}

/// What does not agree with the record: the score, or the moves.
fn difference(solve: &Solve, record: &obf::Record, solved: &Solved) -> Option<String> {
    let expected = record.best_score()?;
    let agrees = match solved.score() {
        Some(score) if !solve.wld => score == expected,
        _ => solved.outcome() == Some(outcome_of(expected.discs())),
    };
    if !agrees {
        return Some(format!("line {}: the file says {expected}", record.line));
    }
    let listed: Vec<Move> = record.best_moves().collect();
    if listed.is_empty() || solve.wld {
        return None;
    }
    let all_listed = solved.best.iter().all(|mv| listed.contains(mv));
    let all_found = !solve.all || listed.iter().all(|mv| solved.best.contains(mv));
    let names = || listed.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
    (!(all_listed && all_found))
        .then(|| format!("line {}: the file's best moves are {}", record.line, names()))
}

fn outcome_of(discs: i32) -> &'static str {
    match discs.signum() {
        1 => "win",
        0 => "draw",
        _ => "loss",
    }
}

fn print_result(number: usize, solved: &Solved, difference: Option<&str>, output: Output) {
    if output.json {
        let mut object = solved.to_json();
        if let Some(difference) = difference {
            object["difference"] = difference.into();
        }
        print_line(object);
        return;
    }
    let verdict = difference.map_or(String::new(), |difference| format!("  DIFFERENT: {difference}"));
    print_line(format!(
        "{number:>4}  {:>5}  {:<8} {:>14} nodes {:>9.3} s{verdict}",
        solved.score_text(),
        solved.best_text(),
        solved.nodes,
        solved.seconds
    ));
}

/// The sums over a file.
#[derive(Default)]
struct Totals {
    positions: u64,
    different: u64,
    nodes: u64,
    seconds: f64,
}

impl Totals {
    fn add(&mut self, solved: &Solved, different: bool) {
        self.positions += 1;
        self.different += u64::from(different);
        self.nodes += solved.nodes;
        self.seconds += solved.seconds;
    }

    fn print(&self, checked: bool, output: Output) {
        let rate = self.nodes as f64 / self.seconds.max(1e-9);
        if output.json {
            let mut object = json!({
                "schema": "reversi.solve-summary/1",
                "positions": self.positions,
                "nodes": self.nodes,
                "seconds": self.seconds,
            });
            if checked {
                object["different"] = self.different.into();
            }
            print_line(object);
            return;
        }
        let verdict = match (checked, self.different) {
            (false, _) => String::new(),
            (true, 0) => ", all as the file says".to_owned(),
            (true, different) => format!(", {different} DIFFERENT from the file"),
        };
        print_line(format!(
            "{} positions, {} nodes, {:.3} s, {rate:.0} nodes/s{verdict}",
            self.positions, self.nodes, self.seconds
        ));
    }
}
