//! `reversi perft`: leaf counts of the game tree.

use super::common::{Output, PositionOptions};
use super::{Exit, Failure};
use crate::rules::{Geometry, perft};
use clap::Args;
use serde_json::json;
use std::time::Instant;

/// Count the leaves of the game tree at each depth
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi perft 9\n  reversi perft 8 --board 6x6 --json")]
pub struct Perft {
    /// Deepest ply to count
    depth: u32,
    #[command(flatten)]
    position: PositionOptions,
}

impl Perft {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let board = self.position.board(Geometry::EIGHT)?;
        let mut counts = Vec::new();
        for depth in 1..=self.depth {
            let started = Instant::now();
            let leaves = perft::perft(board.geometry, board.position(), depth);
            let seconds = started.elapsed().as_secs_f64();
            counts.push(leaves);
            if !output.json {
                println!(
                    "{depth:>2} {leaves:>20} {seconds:>10.3} s {:>14.0} leaves/s",
                    leaves as f64 / seconds
                );
            }
        }
        if output.json {
            println!(
                "{}",
                json!({"schema": "reversi.perft/1", "board": board.geometry.to_string(), "counts": counts})
            );
        }
        Ok(Exit::Done)
    }
}
