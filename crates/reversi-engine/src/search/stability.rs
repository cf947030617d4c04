//! How settled the choice of a move is, judged by the iterations of its search.

use reversi_rules::Square;
use reversi_solver::eval::Eval;

// The part of its target that the search of a move takes is SETTLED + CHANGE * (how recently the best move changed, at
// most 1) + DISC * (by how many discs the value fell, at most MAX_FALL): from 0.45 to 1.85.

/// For a move that is settled.
const SETTLED: f64 = 0.45;
/// More for a best move that has just changed.
const CHANGE: f64 = 0.6;
/// Factor of a change after each iteration that confirms the move.
const CHANGE_DECAY: f64 = 0.6;
/// More for each disc by which the value has fallen.
const DISC: f64 = 0.2;
/// Discs beyond which a fall adds no more.
const MAX_FALL: f64 = 4.0;

/// What the iterations so far have found.
#[derive(Clone, Debug, Default)]
pub(super) struct Stability {
    best: Option<Square>,
    /// How recently the best move has changed: 1 in the last iteration, less with each that confirms it.
    change: f64,
    /// Depths and values in discs of the last two iterations, the latest last.
    values: [Option<(u32, f64)>; 2],
    /// Discs by which the last value is below the value two plies less deep. Values of depths of the same parity are
    /// compared, since estimates may depend on whether the depth is odd.
    fall: f64,
}

impl Stability {
    /// An iteration of this depth has ended with this best move and value, in units of an [`Eval`].
    pub fn observe(&mut self, depth: u32, best: Square, value: Option<i32>) {
        let changed = self.best.is_some_and(|before| before != best);
        self.change = if changed { 1.0 } else { self.change * CHANGE_DECAY };
        self.best = Some(best);
        let now = value.map(|units| (depth, Eval::new(units).discs()));
        self.fall = match (self.values[0], now) {
            (Some((before_depth, before)), Some((depth, now))) if depth == before_depth + 2 => before - now,
            _ => 0.0,
        };
        self.values = [self.values[1], now];
    }

    /// The part of the target after which no further iteration begins.
    pub fn part(&self) -> f64 {
        SETTLED + CHANGE * self.change + DISC * self.fall.clamp(0.0, MAX_FALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(results: &[(u32, f64)]) -> f64 {
        let mut stability = Stability::default();
        for (depth, &(square, discs)) in (1..).zip(results) {
            let units = Eval::from_discs(discs).units();
            stability.observe(depth, Square::from_index(square), Some(units));
        }
        stability.part()
    }

    #[test]
    fn a_change_of_the_best_move_asks_for_more_time_and_wears_off() {
        let settled = part(&[(19, 2.0), (19, 2.0), (19, 2.0)]);
        let changed = part(&[(19, 2.0), (19, 2.0), (26, 2.0)]);
        let confirmed = part(&[(19, 2.0), (26, 2.0), (26, 2.0)]);
        assert_eq!(settled, SETTLED);
        assert!(settled < confirmed && confirmed < changed);
    }

    #[test]
    fn a_value_that_falls_asks_for_more_time_up_to_a_limit() {
        let fallen = |discs: f64| part(&[(19, 0.0), (19, 9.0), (19, -discs)]);
        assert!(fallen(1.0) > fallen(0.0));
        assert_eq!(fallen(-3.0), fallen(0.0), "more is no reason");
        assert_eq!(fallen(20.0), fallen(40.0));
    }
}
