//! `reversi table starts`: the values of small boards by the verifier's own search, without tables.

use crate::cli::common::Output;
use crate::cli::print::print_line;
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_rules::{Geometry, Rules, Start};
use reversi_verify::start_value;
use serde_json::json;

/// Compute the values of the starts of small boards with the verifier's own search
///
/// Uses no table, no weights and no part of the solver. The values are for Black, who moves first. Each line is like
/// one of docs/small-boards.md, but with the rules in words.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi table starts --squares 16
  reversi table starts --squares 25 --json > starts.json")]
pub struct Starts {
    /// Boards with at most this many squares, with sides of 3 to 8
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(9..=40))]
    squares: u32,
}

pub fn run(options: &Starts, output: Output) -> Result<Exit, Failure> {
    let sides = (3..=8).flat_map(|width| (3..=8).map(move |height| (width, height)));
    for (width, height) in sides.filter(|(width, height)| width * height <= options.squares) {
        let geometry = Geometry::new(width, height).expect("sides of 3 to 8");
        for start in Start::ALL {
            for rules in Rules::ALL {
                let value = start_value(geometry.into(), start, rules.goal, rules.scoring);
                let (goal, scoring) = (rules.goal.name(), rules.scoring.name());
                let (board, start) = (geometry.to_string(), start.to_string());
                match output.json {
                    true => print_line(json!({
                        "schema": "reversi.table-start/1", "board": board, "start": start,
                        "goal": goal, "scoring": scoring, "score": value,
                    })),
                    false => {
                        print_line(format_args!("{board}  {start:<8}  {goal:<8}  {scoring:<6}  {value:+}"));
                    }
                }
            }
        }
    }
    Ok(Exit::Done)
}
