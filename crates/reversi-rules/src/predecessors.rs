//! The positions one move before a position.

use super::geometry::squares_of;
use super::{Geometry, Move, Position, Square};

/// Steps in columns and rows along the eight directions.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Position {
    /// The positions from which one move leads to this one, each with that move: [`Position::children`] backwards. Each
    /// occurs once, and many of them occur in no game.
    ///
    /// ```
    /// use reversi_rules::{Board, Geometry, Start};
    /// let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    /// let (mv, child) = start.children(Geometry::SIX)[0];
    /// assert!(child.predecessors(Geometry::SIX).contains(&(mv, start)));
    /// ```
    pub fn predecessors(self, geometry: Geometry) -> Vec<(Move, Position)> {
        let mut found = Vec::new();
        for square in squares_of(self.opponent) {
            let without = self.opponent ^ square.bit();
            if Position::new(without, self.player).flips(square) != 0 {
                // A disc put here would have turned more.
                continue;
            }
            let turned = possible_flips(geometry, square, without).into_iter().filter(|&flips| flips != 0);
            found.extend(turned.map(|flips| {
                let before = Position::new(without ^ flips, self.player | flips);
                (Move::Play(square), before)
            }));
        }
        let passed = self.pass();
        if passed.must_pass(geometry) {
            found.push((Move::Pass, passed));
        }
        found
    }
}

/// The sets of `discs` that a disc put on `square` may have turned: in each direction any number of the run of discs
/// next to it but the last, since a disc that had not turned must end them.
fn possible_flips(geometry: Geometry, square: Square, discs: u64) -> Vec<u64> {
    let mut sets = vec![0];
    for direction in DIRECTIONS {
        let run: Vec<u64> =
            squares_from(geometry, square, direction).take_while(|bit| discs & bit != 0).collect();
        let shorter = sets.clone();
        let mut flips = 0;
        for bit in run.iter().take(run.len().saturating_sub(1)) {
            flips |= bit;
            sets.extend(shorter.iter().map(|others| others | flips));
        }
    }
    sets
}

/// The squares after `square` in a direction, up to the edge of the board, as bits.
fn squares_from(geometry: Geometry, square: Square, (right, down): (i32, i32)) -> impl Iterator<Item = u64> {
    let (column, row) = (square.column() as i32, square.row() as i32);
    (1..).map_while(move |steps| {
        let (column, row) = (column + right * steps, row + down * steps);
        let is_on =
            (0..geometry.width() as i32).contains(&column) && (0..geometry.height() as i32).contains(&row);
        is_on.then(|| Square::at(column as u32, row as u32).bit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::{Rng, playout};
    use crate::{Board, Start};
    use std::collections::HashMap;

    /// Every placement of discs on 4x3 and every legal move, forwards: the twin.
    #[test]
    fn they_are_the_positions_whose_children_include_this_one() {
        let geometry = Geometry::new(4, 3).unwrap();
        let squares: Vec<u64> = geometry.squares().map(Square::bit).collect();
        let position = |number: u32| {
            let side = |digit| {
                let is_ours = |place: &usize| number / 3u32.pow(*place as u32) % 3 == digit;
                (0..squares.len()).filter(is_ours).fold(0, |mask, place| mask | squares[place])
            };
            Position::new(side(1), side(2))
        };
        let mut expected: HashMap<Position, Vec<(Move, Position)>> = HashMap::new();
        let all = || (0..3u32.pow(squares.len() as u32)).map(position);
        for before in all() {
            for (mv, child) in before.children(geometry) {
                expected.entry(child).or_default().push((mv, before));
            }
        }
        for position in all() {
            let mut found = position.predecessors(geometry);
            let mut expected = expected.remove(&position).unwrap_or_default();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{position:?}");
        }
    }

    #[test]
    fn each_leads_to_the_position_and_the_one_of_the_game_is_among_them() {
        let mut random = Rng::with_seed(9);
        for geometry in ["6x6", "8x8", "5x7", "8x4"].map(|size| size.parse::<Geometry>().unwrap()) {
            for _ in 0..20 {
                let start = Board::start(geometry, Start::Diagonal).position();
                let game: Vec<Position> = playout(geometry, start, &mut random).collect();
                for (before, after) in game.iter().zip(&game[1..]) {
                    let mut found = after.predecessors(geometry);
                    assert!(found.iter().any(|(_, found)| found == before), "{geometry} {after:?}");
                    for (mv, before) in &found {
                        assert!(before.is_on(geometry) && before.is_legal(geometry, *mv), "{before:?} {mv}");
                        assert_eq!(before.after(*mv), *after);
                    }
                    let all = found.len();
                    found.sort_unstable();
                    found.dedup();
                    assert_eq!(found.len(), all, "{geometry} {after:?}");
                }
            }
        }
    }
}
