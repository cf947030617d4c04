//! `reversi bench cuts`: how far shallow searches lie from deep ones.

use crate::cli::common::Output;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::print::print_line;
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_lab::sigmas::measure_sigmas;
use reversi_lab::spreads::measure_spreads;
use reversi_rules::Goal;

/// Measure the errors on which the engine's probable cut-offs are based
///
/// Prints standard deviations in 1/128 disc, in the format of crates/reversi-solver/src/search/probcut/sigmas.rs: for
/// three phases of the game, the value at 3 to 8 plies against the value at about half that depth; then the exact score
/// against 2 and 4 plies, with 10 to 17 empty squares. With --all-depths it prints factors instead, in the format of
/// `spreads.rs` beside it, which the engine uses on 8x8. They give the deviation of every pair of depths, and come from
/// searches of up to 12 plies.
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi bench cuts --board 6x6 --positions 2\n  \
    reversi bench cuts --board 6x7 --goal reversed\n  \
    reversi bench cuts --all-depths --positions 16")]
pub struct CutsBench {
    /// The board: one with a learned evaluation
    #[arg(long, value_name = "SIZE", default_value = "8x8")]
    board: String,
    /// Goal of the game: normal or reversed
    #[arg(long, default_value = "normal")]
    goal: Goal,
    /// Measure searches of up to 12 plies against all shallower ones
    #[arg(long)]
    all_depths: bool,
    /// Positions per phase and per number of empty squares
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// Seed of the games that the positions are taken from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl CutsBench {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        let evaluator = super::evaluator(&self.board, self.goal, None)?;
        output.refuse_json("bench cuts writes lines for a source file")?;
        let (positions, seed) = (self.positions, self.seed);
        let measured = if self.all_depths {
            measure_spreads(evaluator, positions, seed, &stop)?.map(|measured| measured.to_string())
        } else {
            measure_sigmas(evaluator, positions, seed, &stop)?.map(|measured| measured.to_string())
        };
        let Some(measured) = measured else { return Ok(Exit::Interrupted) };
        print_line(measured);
        Ok(Exit::Done)
    }
}
