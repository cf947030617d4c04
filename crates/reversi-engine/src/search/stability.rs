//! How settled the choice of a move is, by what the iterations of its search have shown.

use reversi_rules::Square;
use reversi_solver::eval::Eval;

/// The part of its target that the search of a settled move takes.
const SETTLED_PART: f64 = 0.45;
/// What a best move that has just changed adds to it.
const CHANGE_PART: f64 = 0.6;
/// How much of that remains with each iteration which confirms the move.
const CHANGE_DECAY: f64 = 0.6;
/// What each disc adds by which the value has fallen.
const DISC_PART: f64 = 0.2;
/// More discs than these add nothing.
const MAX_FALL: f64 = 4.0;

/// The best moves and values of the iterations so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Stability {
    best: Option<Square>,
    /// How recently the best move has changed: 1 in the last iteration, less with each that confirms it.
    change: f64,
    /// The values of the last iterations, the latest last. An estimate may lean to one side by whether its depth is odd, so
    /// that those of every other depth are compared.
    values: [Option<f64>; 3],
}

impl Stability {
    /// An iteration has ended with this best move and value, in units of an [`Eval`].
    pub fn observe(&mut self, best: Square, value: Option<i32>) {
        let changed = self.best.is_some_and(|before| before != best);
        self.change = if changed { 1.0 } else { self.change * CHANGE_DECAY };
        self.best = Some(best);
        self.values = [self.values[1], self.values[2], value.map(|units| Eval::new(units).discs())];
    }

    /// The part of the target after which no further iteration begins.
    pub fn part(&self) -> f64 {
        let fall = match self.values {
            [Some(before), _, Some(now)] => (before - now).clamp(0.0, MAX_FALL),
            _ => 0.0,
        };
        SETTLED_PART + CHANGE_PART * self.change + DISC_PART * fall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(results: &[(usize, f64)]) -> f64 {
        let mut stability = Stability::default();
        for &(square, discs) in results {
            let units = Eval::from_discs(discs).units();
            stability.observe(Square::from_index(square as u32), Some(units));
        }
        stability.part()
    }

    #[test]
    fn a_change_of_the_best_move_asks_for_more_time_and_wears_off() {
        let settled = part(&[(19, 2.0), (19, 2.0), (19, 2.0)]);
        let changed = part(&[(19, 2.0), (19, 2.0), (26, 2.0)]);
        let confirmed = part(&[(19, 2.0), (26, 2.0), (26, 2.0)]);
        assert_eq!(settled, SETTLED_PART);
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
