//! A plain solver for `reversi bench solver --prototype`: the ratio of the times of two programs on one machine says
//! more than seconds.
//!
//! It is a first straightforward version: alpha-beta with a full first window, null windows after the first move, move
//! ordering by the opponent's mobility, corners and frontier, and one transposition table. It has no stable discs, no
//! learned evaluation and no special code for the last squares. Its scores are exact, and are compared.

use reversi_rules::geometry::{around, squares_of};
use reversi_rules::{Geometry, Goal, Position, Rules, Score};
use reversi_solver::search::Stop;

/// Least number of empty squares at which moves are sorted.
const LEAST_EMPTIES_SORTED: u32 = 5;
/// Least number of empty squares at which positions are stored in the transposition table.
const LEAST_EMPTIES_STORED: u32 = 7;
/// Entries of the table.
const ENTRIES: usize = 1 << 22;
/// Nodes between two polls of the stop.
const POLL_NODES: u64 = 1 << 12;

/// The solver, with its transposition table.
pub struct Prototype<'a> {
    geometry: Geometry,
    rules: Rules,
    stop: &'a Stop,
    table: Vec<Entry>,
    /// Nodes, those with a single empty square not counted.
    pub nodes: u64,
    stopped: bool,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    /// Without discs: the entry is empty.
    position: Position,
    lower: i8,
    upper: i8,
    best: u8,
}

impl Prototype<'_> {
    /// A solver for one board and its rules.
    pub fn new(geometry: Geometry, rules: Rules, stop: &Stop) -> Prototype<'_> {
        let table = vec![Entry::default(); ENTRIES];
        Prototype { geometry, rules, stop, table, nodes: 0, stopped: false }
    }

    /// The score; `None` when it was stopped.
    ///
    /// # Panics
    /// If the position is not one of its board ([`Position::is_on`]).
    pub fn solve(&mut self, position: Position) -> Option<Score> {
        position.assert_on(self.geometry);
        let most = self.geometry.square_count() as i32;
        let score = self.search(position, -most, most);
        (!self.stopped).then(|| Score::new(score))
    }

    /// An upper bound of the score if the result is at or below alpha, a lower bound if it is at or above beta, else
    /// the score; once stopped, any number.
    fn search(&mut self, position: Position, mut alpha: i32, beta: i32) -> i32 {
        let empties = position.empty_count(self.geometry);
        if empties == 0 {
            return position.final_score(self.geometry, self.rules).discs();
        }
        self.nodes += u64::from(empties > 1);
        if self.stopped || self.nodes.is_multiple_of(POLL_NODES) && self.stop.is_set() {
            self.stopped = true;
            return 0;
        }
        if position.legal_moves(self.geometry) == 0 {
            return match position.must_pass(self.geometry) {
                true => -self.search(position.pass(), -beta, -alpha),
                false => position.final_score(self.geometry, self.rules).discs(),
            };
        }
        let known = self.table[self.place(position)];
        let known = (empties >= LEAST_EMPTIES_STORED && known.position == position).then_some(known);
        if let Some(Entry { lower, upper, .. }) = known {
            let (lower, upper) = (i32::from(lower), i32::from(upper));
            if lower >= beta || upper <= alpha || lower == upper {
                return if lower >= beta { lower } else { upper };
            }
        }
        let first_alpha = alpha;
        let (mut best, mut best_square) = (i32::MIN, 0);
        for (square, child) in self.moves(position, empties, known.map(|known| known.best)) {
            let is_first = best == i32::MIN;
            let low = if is_first { -beta } else { -alpha - 1 };
            let mut score = -self.search(child, low, -alpha);
            if !is_first && score > alpha && score < beta {
                score = -self.search(child, -beta, -alpha);
            }
            if score > best {
                (best, best_square) = (score, square);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        if empties >= LEAST_EMPTIES_STORED && !self.stopped {
            let most = self.geometry.square_count() as i8;
            let lower = if best > first_alpha { best as i8 } else { -most };
            let upper = if best < beta { best as i8 } else { most };
            let place = self.place(position);
            self.table[place] = Entry { position, lower, upper, best: best_square };
        }
        best
    }

    /// The positions after the legal moves, the most promising first.
    fn moves(&self, position: Position, empties: u32, first: Option<u8>) -> Vec<(u8, Position)> {
        let squares = squares_of(position.legal_moves(self.geometry));
        let mut moves: Vec<(u8, Position)> = squares
            .map(|square| (square.index() as u8, position.play(square, position.flips(square))))
            .collect();
        if empties >= LEAST_EMPTIES_SORTED {
            let promise = |&(square, child): &(u8, Position)| match first {
                Some(first) if first == square => i32::MAX,
                _ => self.promise(square, child),
            };
            moves.sort_by_cached_key(|entry| std::cmp::Reverse(promise(entry)));
        }
        moves
    }

    /// The rank of a move: the highest is tried first.
    fn promise(&self, square: u8, child: Position) -> i32 {
        let mobility = child.legal_moves(self.geometry).count_ones() as i32;
        let frontier = (around(child.opponent) & child.empties(self.geometry)).count_ones() as i32;
        let of_goal = match self.rules.goal {
            Goal::Normal => 16 * (self.geometry.corners() >> square & 1) as i32,
            Goal::Reversed => -10 * child.opponent.count_ones() as i32,
        };
        of_goal - 16 * mobility - 2 * frontier
    }

    fn place(&self, Position { player, opponent }: Position) -> usize {
        let mixed = player.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ opponent.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as usize % ENTRIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::playout::with_empties;
    use reversi_rules::{Board, Start};
    use reversi_solver::search::reference::minimax::minimax;

    #[test]
    fn it_is_right() {
        let mut random = fastrand::Rng::with_seed(3);
        for geometry in [Geometry::FOUR, Geometry::SIX, Geometry::new(4, 5).unwrap()] {
            let start = Board::start(geometry, Start::Diagonal).position();
            for rules in Rules::ALL {
                let stop = Stop::never();
                let mut prototype = Prototype::new(geometry, rules, &stop);
                for position in with_empties(geometry, start, 8, &mut random).take(20) {
                    let expected = minimax(geometry, rules, position);
                    assert_eq!(prototype.solve(position), Some(expected), "{geometry} {rules} {position:?}");
                }
            }
        }
    }

    #[test]
    fn stopped_it_says_nothing() {
        let start = Board::start(Geometry::SIX, Start::Diagonal).position();
        let stop = Stop::after_looks(2);
        assert_eq!(Prototype::new(Geometry::SIX, Rules::default(), &stop).solve(start), None);
    }
}
