//! `reversi bench cuts`: how far shallow searches lie from deep ones.

use crate::cli::common::Output;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::print::print_line;
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_lab::sigmas::measure_sigmas;
use reversi_rules::Goal;

/// Measure the errors on which the engine's probable cut-offs rest
///
/// Prints standard deviations in 1/128 disc, as they stand in crates/reversi-solver/src/search/probcut/sigmas.rs: for three phases of
/// the game the value of 3 to 8 plies against about half of them, then the exact score against 2 and 4 plies with
/// 10 to 17 empty squares.
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi bench cuts --board 6x6 --positions 2\n  \
    reversi bench cuts --board 8x8 --goal reversed")]
pub struct CutsBench {
    /// The board: one with a learned evaluation
    #[arg(long, value_name = "SIZE", default_value = "8x8")]
    board: String,
    /// What a finished game is played for
    #[arg(long, default_value = "normal")]
    goal: Goal,
    /// Positions for each phase and each number of empty squares
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// Draws the games the positions are from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl CutsBench {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        let evaluator = super::evaluator(&self.board, self.goal, None)?;
        output.refuse_json("bench cuts writes lines for a source file")?;
        match measure_sigmas(evaluator, self.positions, self.seed, &stop)? {
            Some(measured) => print_line(measured),
            None => return Ok(Exit::Interrupted),
        }
        Ok(Exit::Done)
    }
}
