//! Modes of the exact search: a proof, or the selective pass before it.

use crate::eval::{Eval, Evaluator};
use reversi_rules::{Geometry, Goal};

/// Search mode of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Full width: every result is proved.
    Exact,
    /// Selective: results at [`PROBCUT_EMPTIES`] and more empty squares are probable, not proved.
    Selective {
        /// Required distance in units of an [`Eval`] between the value of a shallow search and a window that ProbCut
        /// cuts.
        margin: i32,
    },
    /// Full width after a selective pass: without a hash move of its own a node tries that of the pass.
    Guided,
}

/// With fewer empty squares the search ends before a selective pass would pay.
const SELECTIVE_PASS_EMPTIES: u32 = 16;
/// With fewer empty squares ProbCut is off, so that all results below are proved.
pub(crate) const PROBCUT_EMPTIES: u32 = 12;

/// ProbCut's margin in units of an [`Eval`]; chosen for the shortest total time of both passes. The score rarely
/// differs that much from the value of a few plies.
fn margin(evaluator: &Evaluator) -> i32 {
    let discs = match (evaluator.goal(), evaluator.geometry()) {
        (Goal::Normal, Geometry::EIGHT) => 12,
        (Goal::Normal, _) => 6,
        (Goal::Reversed, _) => 4,
    };
    discs * Eval::UNITS_PER_DISC
}

impl Mode {
    /// The selective pass of a search of `empties` empty squares; `None` where it does not pay.
    pub fn selective(evaluator: Option<&Evaluator>, empties: u32) -> Option<Mode> {
        let evaluator = evaluator.filter(|_| empties >= SELECTIVE_PASS_EMPTIES)?;
        Some(Mode::Selective { margin: margin(evaluator) })
    }

    /// Whether results for positions with `count` empty squares are unproved in this mode.
    #[inline(always)]
    pub fn is_unproved(self, count: u32) -> bool {
        count >= PROBCUT_EMPTIES && matches!(self, Mode::Selective { .. })
    }
}
