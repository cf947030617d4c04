//! What an exact search searches for: a proof, or in a selective pass before it what is likely.

use crate::eval::{Eval, Evaluator};
use reversi_rules::{Geometry, Goal};

/// What a worker searches for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// What can be proved.
    Exact,
    /// What is likely.
    Selective {
        /// So many units of an estimate must lie between a shallow search and a window that is given up.
        spread: i32,
    },
    /// What can be proved, after a selective pass: where no move is remembered, its move is tried first.
    Guided,
}

/// Searches of fewer empty squares are over before a pass would pay.
const PASS_FROM: u32 = 16;
/// With fewer empty squares nothing is given up, so that all is proved that is found below.
pub(crate) const GIVES_UP_FROM: u32 = 12;

/// How far outside of a window a shallow search must lie; found by trying where the search of both passes is
/// shortest. Rarely is the score so far from what a few plies say.
fn spread(evaluator: &Evaluator) -> i32 {
    let discs = match (evaluator.goal(), evaluator.geometry()) {
        (Goal::Normal, Geometry::EIGHT) => 12,
        (Goal::Normal, _) => 6,
        (Goal::Reversed, _) => 4,
    };
    discs * Eval::UNITS_PER_DISC
}

impl Mode {
    /// The pass for a search of so many empty squares, if it is worth one.
    pub fn selective(evaluator: Option<&Evaluator>, empties: u32) -> Option<Mode> {
        let evaluator = evaluator.filter(|_| empties >= PASS_FROM)?;
        Some(Mode::Selective { spread: spread(evaluator) })
    }

    /// Whether what it finds of a position with so many empty squares is no proof.
    #[inline(always)]
    pub fn only_believes(self, count: u32) -> bool {
        count >= GIVES_UP_FROM && matches!(self, Mode::Selective { .. })
    }
}
