//! What a solver's table holds, taken out of it and put into that of another solver: what was proved at great cost outlives
//! the process.

use super::solver::Solver;
use crate::search::tt::exact::{Bounds, NO_MOVE, hash};
use reversi_rules::{Geometry, Position, Score, Square};

/// Proved bounds of a position as a table holds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remembered {
    /// As it was searched, which may be a turned image of the position asked for.
    pub position: Position,
    /// Lower bound of the score in discs for the side to move.
    pub lower: Score,
    /// Upper bound of the score in discs for the side to move.
    pub upper: Score,
    /// The move that proved the lower bound or is to be tried first, if there is one.
    pub best: Option<Square>,
    /// Binary logarithm of the nodes of the search, at most 31.
    pub cost: u8,
}

impl Remembered {
    /// Whether a search on this board can use it: a position of the board, bounds that a score can lie between, a legal
    /// move. Whether the bounds are true it does not tell.
    pub fn is_sound(&self, geometry: Geometry) -> bool {
        let squares = geometry.square_count() as i32;
        let is_legal = |square: Square| self.position.legal_moves(geometry) & square.bit() != 0;
        self.position.is_on(geometry)
            && -squares <= self.lower.discs()
            && self.lower <= self.upper
            && self.upper.discs() <= squares
            && self.best.is_none_or(is_legal)
    }
}

impl Solver {
    /// What the searches until now have proved in `2^least_cost` nodes or more each, as far as the table still holds it.
    ///
    /// No search can go on meanwhile: while an entry is written, its words are not those of one position.
    pub fn remembered(&mut self, least_cost: u8) -> impl Iterator<Item = Remembered> {
        let geometry = self.board.geometry;
        let entries = self.table.whole().entries().filter(move |(.., cost)| *cost >= least_cost);
        let remembered = entries.map(|(player, opponent, Bounds { lower, upper, best }, cost)| Remembered {
            position: Position { player, opponent },
            lower: Score::new(lower.into()),
            upper: Score::new(upper.into()),
            best: (best != NO_MOVE).then(|| Square::from_index(best.into())),
            cost,
        });
        // The marks of the selective pass stand in words that are no position.
        remembered.filter(move |entry| entry.is_sound(geometry))
    }

    /// Takes over what a solver for the same board and rules has proved, as if it had been proved here. It has to be true:
    /// later scores rest on it.
    ///
    /// # Panics
    /// If [`Remembered::is_sound`] says no.
    pub fn remember(&self, remembered: &Remembered) {
        assert!(remembered.is_sound(self.board.geometry), "no entry for this board: {remembered:?}");
        let Remembered { position: Position { player, opponent }, lower, upper, best, cost } = *remembered;
        let best = best.map_or(NO_MOVE, |square| square.index() as u8);
        let bounds = Bounds { lower: lower.discs() as i8, upper: upper.discs() as i8, best };
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
    fn positions(geometry: Geometry, empties: u32) -> Vec<Position> {
        let mut random = fastrand::Rng::with_seed(3);
        let root = Board::start(geometry, Start::Diagonal).position();
        let mut game = || {
            playout(geometry, root, &mut random).find(|position| position.empty_count(geometry) == empties)
        };
        (0..20).filter_map(|_| game()).collect()
    }

    #[test]
    fn another_solver_goes_on_with_what_was_taken_over() {
        let geometry = Geometry::new(6, 5).unwrap();
        let stop = Stop::never();
        for rules in Rules::ALL {
            let (mut first, second) = (solver(geometry, rules), solver(geometry, rules));
            let (mut before, mut after) = (0, 0);
            let searched: Vec<_> = positions(geometry, 16)
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

    #[test]
    fn what_is_remembered_is_true() {
        let geometry = Geometry::new(5, 5).unwrap();
        let stop = Stop::never();
        for rules in Rules::ALL {
            let mut first = solver(geometry, rules);
            for position in positions(geometry, 13) {
                first.solve(position, &stop).unwrap();
            }
            let entries: Vec<Remembered> = first.remembered(6).collect();
            assert!(entries.len() > 50, "{} entries", entries.len());
            for Remembered { position, lower, upper, .. } in entries {
                let score = solver(geometry, rules).solve(position, &stop).unwrap().score;
                assert!((lower..=upper).contains(&score), "{rules} {position:?} {lower} {score} {upper}");
            }
        }
    }
}
