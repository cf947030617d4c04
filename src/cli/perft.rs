//! `reversi perft`: leaf counts of the game tree.

use super::common::{Output, PositionOptions};
use super::print::{is_unread, print_line, print_remark};
use super::{Exit, Failure};
use crate::rules::{Board, Geometry, naive, perft};
use clap::Args;
use serde_json::json;
use std::time::{Duration, Instant};

/// Count the leaves of the game tree at each depth
#[derive(Args)]
#[command(
    after_help = "Examples:\n  reversi perft 9\n  reversi perft 8 --board 6x6 --json\n  reversi perft 6 --board 5x8 --naive"
)]
pub struct Perft {
    /// Deepest ply to count; counting ends where all games have ended
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Count by the slow rules on a plain array, for comparison
    #[arg(long)]
    naive: bool,
    #[command(flatten)]
    position: PositionOptions,
}

impl Perft {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let board = self.position.board(Geometry::EIGHT)?;
        let count = |depth| match self.naive {
            true => naive::perft(&board.into(), depth),
            false => perft::perft(board.geometry, board.position(), depth),
        };
        let longest = longest_game(board);
        if self.depth > longest && !output.quiet && !output.json {
            print_remark(format_args!("counting ends at depth {longest}, where all games have ended"));
        }
        let mut counts = Vec::new();
        for depth in 1..=self.depth.min(longest) {
            let started = Instant::now();
            if is_unread() {
                break;
            }
            counts.push(count(depth));
            if !output.json {
                print_line(line(depth, counts[counts.len() - 1], started.elapsed()));
            }
        }
        if output.json {
            print_line(
                json!({"schema": "reversi.perft/1", "board": board.geometry.to_string(), "counts": counts}),
            );
        }
        Ok(Exit::Done)
    }
}

/// Most plies of a game from here, which are worth counting: before each disc there can be one pass. A game that is
/// over is still counted once.
fn longest_game(board: Board) -> u32 {
    (2 * board.position().empty_count(board.geometry)).max(1)
}

/// One depth; the rate is only told where the clock can tell it.
fn line(depth: u32, leaves: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let mut line = format!("{depth:>2} {leaves:>20} {seconds:>10.3} s");
    if elapsed >= Duration::from_millis(1) {
        line += &format!(" {:>14.0} leaves/s", leaves as f64 / seconds);
    }
    line
}
