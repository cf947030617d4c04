//! `reversi perft`: leaf counts of the game tree.

use super::common::{Output, PositionOptions, RulesOptions};
use super::interrupt::fail_on_ctrl_c;
use super::print::{is_unread, print_line};
use super::values::{in_threads, parse_threads};
use super::{Exit, Failure};
use clap::Args;
use reversi_rules::{Board, Geometry, Passing, naive, perft};
use serde_json::json;
use std::time::{Duration, Instant};

/// Count the leaves of the game tree at each depth
#[derive(Args)]
#[command(
    after_help = "Examples:\n  reversi perft 9\n  reversi perft 8 --board 6x6 --json\n  reversi perft 6 --board 5x8 --naive"
)]
pub struct Perft {
    /// Deepest ply to count. A pass is a ply too, as in other programs' counts. A game that ended earlier counts as
    /// one leaf
    #[arg(value_parser = clap::value_parser!(u32).range(1..=120))]
    depth: u32,
    /// Count with the slow rules on a plain array, with one thread, for comparison
    #[arg(long)]
    naive: bool,
    /// Threads for counting [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    #[command(flatten)]
    position: PositionOptions,
}

impl Perft {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        fail_on_ctrl_c();
        let (board, _, passing) = self.position.read(Geometry::EIGHT, RulesOptions::default())?;
        if passing == Passing::EndsGame {
            let message = "only games in which a side without a move passes are counted";
            return Err(Failure::usage("bad-rules", message));
        }
        let counts = in_threads(self.threads, || self.counts(board, output))?;
        if output.json {
            print_line(
                json!({"schema": "reversi.perft/1", "board": board.geometry.to_string(), "position": board.to_string(),
                    "counts": counts}),
            );
        }
        Ok(Exit::Done)
    }

    fn counts(&self, board: Board, output: Output) -> Vec<u64> {
        let count = |depth| match self.naive {
            true => naive::perft(&board.into(), depth),
            false => perft::perft_in_parallel(board.geometry, board.position(), depth),
        };
        let longest = longest_game(board) as usize;
        let mut counts: Vec<u64> = Vec::new();
        for depth in 1..=self.depth {
            if is_unread() {
                break;
            }
            let started = Instant::now();
            // Once all games have ended, their number is the same at every depth.
            let leaves = counts.get(longest - 1).copied().unwrap_or_else(|| count(depth));
            if !output.json {
                print_line(line(depth, leaves, started.elapsed()));
            }
            counts.push(leaves);
        }
        counts
    }
}

/// Maximum number of plies of a game from here, at least 1: before each disc there can be one pass.
fn longest_game(board: Board) -> u32 {
    (2 * board.position().empty_count(board.geometry)).max(1)
}

/// The line for one depth; it shows the rate only if the clock can measure it.
fn line(depth: u32, leaves: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let mut line = format!("{depth:>2} {leaves:>20} {seconds:>10.3} s");
    if elapsed >= Duration::from_millis(1) {
        line += &format!(" {:>14.0} leaves/s", leaves as f64 / seconds);
    }
    line
}
