//! The proved bounds in a solver's table, for another solver, which need not prove them again.

use super::solver::Solver;
use crate::search::tt::exact::{Bounds, NO_MOVE, hash};
use reversi_rules::{Geometry, Position, key};

/// Proved bounds of a position as a table holds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remembered {
    /// The position as it was searched, which may be a turned image of the one asked for.
    pub position: Position,
    /// Lower bound of the score in discs for the side to move.
    pub lower: i8,
    /// Upper bound of the score in discs for the side to move.
    pub upper: i8,
    /// Index of the square of the move to be tried first; 255 if there is none.
    pub best: u8,
    /// Binary logarithm of the nodes of the search, at most 31.
    pub cost: u8,
}

impl Remembered {
    /// Whether a table of this board can hold the entry: a position of the board, bounds between which a score can lie,
    /// a legal move. This does not check that the bounds are true.
    pub fn is_sound(&self, geometry: Geometry) -> bool {
        let squares = geometry.square_count() as i8;
        let is_legal = |square: u8| square < 64 && self.position.legal_moves(geometry) >> square & 1 != 0;
        self.position.is_on(geometry)
            && -squares <= self.lower
            && self.lower <= self.upper
            && self.upper <= squares
            && (self.best == NO_MOVE || is_legal(self.best))
            && self.cost < 32
    }
}

impl Solver {
    /// How many positions the table can hold.
    pub fn capacity(&self) -> usize {
        self.table.whole().capacity()
    }

    /// The entries that the whole table still holds and whose search took `2^least_cost` nodes or more.
    ///
    /// # Panics
    /// If the board has more than [`key::MAX_SQUARES`] squares. An entry that two threads wrote at the same time
    /// decodes to arbitrary discs. On smaller boards these are practically never a position of the board, which has at
    /// least 48 bits that are 0; on larger boards a torn entry could pass for one.
    pub fn remembered(&self, least_cost: u8) -> impl Iterator<Item = Remembered> {
        let geometry = self.board.geometry;
        assert!(geometry.square_count() <= key::MAX_SQUARES, "the board is too large to tell torn entries");
        let entries = self.table.whole().entries().filter(move |(.., cost)| *cost >= least_cost);
        let remembered = entries.map(|(player, opponent, Bounds { lower, upper, best }, cost)| Remembered {
            position: Position { player, opponent },
            lower,
            upper,
            best,
            cost,
        });
        // Neither torn entries nor the marks of the selective pass are positions.
        remembered.filter(move |entry| entry.is_sound(geometry))
    }

    /// Stores what a solver for the same board and rules has proved. The bounds must be true, since later scores rest
    /// on them; if both are equal, `best` must be a best move, since searches return it. Only searches that use the
    /// whole table are sure to find the entry, see [`Sizing`](super::Sizing).
    ///
    /// # Panics
    /// If [`Remembered::is_sound`] says no.
    pub fn remember(&self, remembered: &Remembered) {
        assert!(remembered.is_sound(self.board.geometry), "no entry for this board: {remembered:?}");
        let Remembered { position: Position { player, opponent }, lower, upper, best, cost } = *remembered;
        let bounds = Bounds { lower, upper, best };
        self.table.whole().store(player, opponent, hash(player, opponent), bounds, cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Sizing, SolverOptions, Stop};
    use reversi_rules::playout::playout;
    use reversi_rules::{Board, Rules, Start};

    fn solver(geometry: Geometry, rules: Rules) -> Solver {
        let options = SolverOptions { memory_bytes: 1 << 22, threads: 1, sizing: Sizing::Whole };
        Solver::new(geometry, rules, options).unwrap()
    }

    /// Positions of random games with this number of empty squares.
    fn positions(geometry: Geometry, empties: u32, games: u32) -> Vec<Position> {
        let mut random = fastrand::Rng::with_seed(3);
        let root = Board::start(geometry, Start::Diagonal).position();
        let mut game = || {
            playout(geometry, root, &mut random).find(|position| position.empty_count(geometry) == empties)
        };
        (0..games).filter_map(|_| game()).collect()
    }

    #[test]
    fn another_solver_goes_on_with_what_was_taken_over() {
        let geometry = Geometry::new(6, 5).unwrap();
        let stop = Stop::never();
        for rules in Rules::ALL {
            let (first, second) = (solver(geometry, rules), solver(geometry, rules));
            let (mut before, mut after) = (0, 0);
            let searched: Vec<_> = positions(geometry, 16, 20)
                .into_iter()
                .map(|position| {
                    let solution = first.solve(position, &stop).unwrap();
                    before += solution.nodes;
                    (position, solution.score)
                })
                .collect();
            let entries: Vec<Remembered> = first.remembered(0).collect();
            assert!(entries.len() > 1000, "{} entries", entries.len());
            entries.iter().for_each(|entry| second.remember(entry));
            for (position, score) in searched {
                let solution = second.solve(position, &stop).unwrap();
                after += solution.nodes;
                assert_eq!(solution.score, score, "{rules} {position:?}");
            }
            assert!(after * 20 < before, "{rules}: {before} nodes, then {after}");
        }
    }

    /// With a selective pass, whose marks stand in the same table.
    #[test]
    fn what_is_remembered_is_true() {
        let geometry = Geometry::new(6, 5).unwrap();
        let stop = Stop::never();
        for rules in Rules::ALL {
            let (first, second) = (solver(geometry, rules), solver(geometry, rules));
            for position in positions(geometry, 18, 4) {
                first.solve(position, &stop).unwrap();
            }
            let entries: Vec<Remembered> = first.remembered(9).collect();
            assert!(entries.len() > 50, "{} entries", entries.len());
            for Remembered { position, lower, upper, .. } in entries {
                let score = second.solve(position, &stop).unwrap().score.discs() as i8;
                assert!((lower..=upper).contains(&score), "{rules} {position:?} {lower} {score} {upper}");
            }
        }
    }

    #[test]
    fn what_no_table_of_the_board_can_hold_is_told() {
        let geometry = Geometry::new(6, 5).unwrap();
        let position = Board::start(geometry, Start::Diagonal).position();
        let best = position.legal_moves(geometry).trailing_zeros() as u8;
        let sound = Remembered { position, lower: -30, upper: 30, best, cost: 31 };
        assert!(sound.is_sound(geometry) && Remembered { best: NO_MOVE, ..sound }.is_sound(geometry));
        let outside = Position { player: position.player | 1 << 63, ..position };
        let doubled = Position { player: position.player | position.opponent, ..position };
        for unsound in [
            Remembered { position: outside, ..sound },
            Remembered { position: doubled, ..sound },
            Remembered { lower: 2, upper: 1, ..sound },
            Remembered { lower: -31, ..sound },
            Remembered { lower: i8::MIN, ..sound },
            Remembered { upper: 31, ..sound },
            Remembered { best: 0, ..sound },
            Remembered { best: 64, ..sound },
            Remembered { best: 254, ..sound },
            Remembered { cost: 32, ..sound },
        ] {
            assert!(!unsound.is_sound(geometry), "{unsound:?}");
        }
    }
}
