//! Stable discs, which can never be flipped, and the bounds that follow from them.
//!
//! Stability follows from the rules of play and is the same under either goal. The bounds are not: a side's stable
//! discs count for it at the end, which is good under the normal goal and bad under the reversed goal.

use reversi_rules::Geometry;
use std::sync::{Arc, OnceLock};

/// Finds stable discs on one board.
#[derive(Clone)]
pub struct Stability {
    /// The squares that are on no edge.
    inner: u64,
    mask: u64,
    width: u32,
    height: u32,
    rows: Arc<EdgeTable>,
    columns: Arc<EdgeTable>,
}

impl Stability {
    /// For boards of this geometry.
    pub fn new(geometry: Geometry) -> Stability {
        let (width, height) = (geometry.width(), geometry.height());
        let columns_inside = ((1u64 << (width - 2)) - 1) << 1;
        let rows_inside = (1u64 << (8 * (height - 1))) - (1 << 8);
        Stability {
            inner: (columns_inside * 0x0101_0101_0101_0101) & rows_inside,
            mask: geometry.mask(),
            width,
            height,
            rows: EdgeTable::of_length(width),
            columns: EdgeTable::of_length(height),
        }
    }

    /// Stable discs of `side`: discs that no sequence of moves can flip. Perhaps not all of them, but never a disc that
    /// is not stable.
    ///
    /// On an edge every sequence of placements along the edge is tried (by table). In the interior a disc is stable
    /// if on each of its four lines either the line is full or a neighbour is a stable disc of the same side.
    pub fn stable(&self, side: u64, other: u64) -> u64 {
        let mut stable = self.stable_on_edges(side, other);
        let lines = full_lines(self.mask & !(side | other));
        let inner = side & self.inner;
        stable |= inner & lines[0] & lines[1] & lines[2] & lines[3];
        if stable == 0 {
            return 0;
        }
        loop {
            let next = stable
                | inner
                    & (stable << 1 | stable >> 1 | lines[0])
                    & (stable << 8 | stable >> 8 | lines[1])
                    & (stable << 7 | stable >> 7 | lines[2])
                    & (stable << 9 | stable >> 9 | lines[3]);
            if next == stable {
                return stable;
            }
            stable = next;
        }
    }

    fn stable_on_edges(&self, side: u64, other: u64) -> u64 {
        let bottom = 8 * (self.height - 1);
        let right = self.width - 1;
        self.rows.stable(side, other)
            | self.rows.stable(side >> bottom, other >> bottom) << bottom
            | spread_column(self.columns.stable(column(side), column(other)))
            | spread_column(self.columns.stable(column(side >> right), column(other >> right))) << right
    }
}

/// Column a as a number with row 1 in the lowest bit.
#[inline]
fn column(mask: u64) -> u64 {
    (mask & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The inverse of [`column`]. The eighth bit is treated separately: the product would put it on the first.
#[inline]
fn spread_column(bits: u64) -> u64 {
    ((bits & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & 0x0101_0101_0101_0101) | bits >> 7 << 56
}

/// The squares whose row, column, falling and rising diagonal hold no empty square, in this order.
#[inline]
fn full_lines(empties: u64) -> [u64; 4] {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_AB: u64 = 0xFCFC_FCFC_FCFC_FCFC;
    const NOT_ABCD: u64 = 0xF0F0_F0F0_F0F0_F0F0;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    const NOT_GH: u64 = 0x3F3F_3F3F_3F3F_3F3F;
    const NOT_EFGH: u64 = 0x0F0F_0F0F_0F0F_0F0F;

    let rows = (((empties & NOT_H) + NOT_H) | empties) >> 7 & 0x0101_0101_0101_0101;
    let rows = rows * 0xFF;
    let mut columns = empties | empties.rotate_left(8);
    columns |= columns.rotate_left(16);
    columns |= columns.rotate_left(32);

    let (mut up, mut down) = (empties, empties);
    up |= (up << 7) & NOT_H;
    down |= (down >> 7) & NOT_A;
    up |= (up << 14) & NOT_GH;
    down |= (down >> 14) & NOT_AB;
    up |= (up << 28) & NOT_EFGH;
    down |= (down >> 28) & NOT_ABCD;
    let falling = up | down;

    let (mut up, mut down) = (empties, empties);
    up |= (up << 9) & NOT_A;
    down |= (down >> 9) & NOT_H;
    up |= (up << 18) & NOT_AB;
    down |= (down >> 18) & NOT_GH;
    up |= (up << 36) & NOT_ABCD;
    down |= (down >> 36) & NOT_EFGH;
    let rising = up | down;
    [!rows, !columns, !falling, !rising]
}

/// For each filling of an edge the discs that no sequence of placements along the edge flips.
struct EdgeTable {
    length: u32,
    stable: Box<[u8]>,
}

impl EdgeTable {
    /// The table of an edge of 3 to 8 squares; created once.
    fn of_length(length: u32) -> Arc<EdgeTable> {
        static TABLES: [OnceLock<Arc<EdgeTable>>; 9] = [const { OnceLock::new() }; 9];
        TABLES[length as usize].get_or_init(|| Arc::new(EdgeTable::new(length))).clone()
    }

    fn new(length: u32) -> EdgeTable {
        let size = 1u32 << length;
        let mut table = EdgeTable { length, stable: vec![0; (size * size) as usize].into_boxed_slice() };
        // A placement gives a larger number, so the entries of all successors exist already.
        for filled in (0..size).rev() {
            for side in (0..=filled).filter(|side| side & !filled == 0) {
                let place = (filled & !side) << length | side;
                table.stable[place as usize] = table.stay(side, filled & !side) as u8;
            }
        }
        table
    }

    /// The discs of `side` that stay after a placement by either side on any empty square, and after any
    /// continuation. Either side may place anywhere: the move may flip along other lines.
    fn stay(&self, side: u32, other: u32) -> u32 {
        let empty = |square: &u32| (side | other) >> square & 1 == 0;
        (0..self.length).filter(empty).fold(side, |stable, square| {
            let ours = edge_flips(self.length, square, side, other);
            let theirs = edge_flips(self.length, square, other, side);
            let after_ours = self.stable((side | ours | 1 << square).into(), (other & !ours).into());
            let after_theirs = self.stable((side & !theirs).into(), (other | theirs | 1 << square).into());
            stable & (after_ours & after_theirs) as u32
        })
    }

    /// The stable discs of `side`; squares beyond the length of the edge are ignored.
    #[inline]
    fn stable(&self, side: u64, other: u64) -> u64 {
        let edge = (1 << self.length) - 1;
        self.stable[((other & edge) << self.length | side & edge) as usize].into()
    }
}

/// The discs of `other` that a disc of `mover` on `square` flips along the edge.
fn edge_flips(length: u32, square: u32, mover: u32, other: u32) -> u32 {
    let mut flips = 0;
    for step in [-1i32, 1] {
        let mut run = 0;
        let mut at = square as i32 + step;
        while (0..length as i32).contains(&at) && other >> at & 1 != 0 {
            run |= 1 << at;
            at += step;
        }
        if (0..length as i32).contains(&at) && mover >> at & 1 != 0 {
            flips |= run;
        }
    }
    flips
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::reference::minimax::minimax;
    use reversi_rules::playout::playout;
    use reversi_rules::{Board, Goal, Position, Rules, Scoring, Start};

    fn random_games(geometry: Geometry, games: u64, mut visit: impl FnMut(&[Position])) {
        for seed in 0..games {
            let mut random = fastrand::Rng::with_seed(seed);
            let start = Board::start(geometry, Start::Diagonal).position();
            visit(&playout(geometry, start, &mut random).collect::<Vec<_>>());
        }
    }

    #[test]
    fn stable_discs_keep_their_colour_to_the_end() {
        for (width, height) in [(8, 8), (6, 6), (5, 7), (4, 4), (3, 8)] {
            let geometry = Geometry::new(width, height).unwrap();
            let stability = Stability::new(geometry);
            let mut seen = 0;
            random_games(geometry, 200, |game| {
                for (ply, position) in game.iter().enumerate() {
                    let of_player = stability.stable(position.player, position.opponent);
                    let of_opponent = stability.stable(position.opponent, position.player);
                    assert_eq!(of_player & !position.player, 0);
                    seen += of_player.count_ones();
                    for (later, after) in game.iter().enumerate().skip(ply) {
                        let same_side = (later - ply) % 2 == 0;
                        let (player, opponent) = if same_side {
                            (after.player, after.opponent)
                        } else {
                            (after.opponent, after.player)
                        };
                        assert_eq!(of_player & !player, 0, "{geometry} {position:?} {after:?}");
                        assert_eq!(of_opponent & !opponent, 0, "{geometry} {position:?} {after:?}");
                    }
                }
            });
            assert!(seen > 1000, "{geometry}: {seen} stable discs found");
        }
    }

    /// The discs of `stable` left after every sequence of placements: the slow twin of the table.
    fn stable_after_every_sequence(length: u32, side: u32, other: u32, stable: u32) -> u32 {
        let mut stable = stable & side;
        let empties = !(side | other) & ((1 << length) - 1);
        for square in (0..length).filter(|square| empties >> square & 1 != 0) {
            if stable == 0 {
                return 0;
            }
            let flips = edge_flips(length, square, side, other);
            stable = stable_after_every_sequence(length, side | flips | 1 << square, other & !flips, stable);
            let flips = edge_flips(length, square, other, side);
            stable = stable_after_every_sequence(length, side & !flips, other | flips | 1 << square, stable);
        }
        stable
    }

    #[test]
    fn edge_tables_agree_with_every_sequence_of_placements() {
        for length in 3..=8 {
            let table = EdgeTable::of_length(length);
            for other in 0..1 << length {
                for side in (0..1 << length).filter(|side| side & other == 0) {
                    let expected = u64::from(stable_after_every_sequence(length, side, other, side));
                    assert_eq!(
                        table.stable(side.into(), other.into()),
                        expected,
                        "{length} {side:b} {other:b}"
                    );
                }
            }
        }
    }

    #[test]
    fn columns_are_extracted_and_put_back() {
        for bits in 0..256 {
            assert_eq!(column(spread_column(bits)), bits);
            assert_eq!(spread_column(bits) & !0x0101_0101_0101_0101, 0);
            assert_eq!(spread_column(bits).count_ones(), bits.count_ones());
        }
    }

    #[test]
    fn a_full_board_is_stable() {
        let stability = Stability::new(Geometry::SIX);
        let side = 0x0000_1234_3C2A_0911 & Geometry::SIX.mask();
        assert_eq!(stability.stable(side, Geometry::SIX.mask() & !side), side);
    }

    #[test]
    fn the_goal_decides_which_side_stable_discs_bound() {
        let geometry = Geometry::FOUR;
        let stability = Stability::new(geometry);
        let mut would_be_wrong = 0;
        random_games(geometry, 60, |game| {
            for &position in game.iter().filter(|position| position.empty_count(geometry) <= 7) {
                let own = 16 - 2 * stability.stable(position.player, position.opponent).count_ones() as i32;
                let others =
                    16 - 2 * stability.stable(position.opponent, position.player).count_ones() as i32;
                for scoring in Scoring::ALL {
                    let normal = minimax(geometry, Rules::new(Goal::Normal, scoring), position).discs();
                    let reversed = minimax(geometry, Rules::new(Goal::Reversed, scoring), position).discs();
                    assert!(-own <= normal && normal <= others, "{position:?}");
                    assert!(-others <= reversed && reversed <= own, "{position:?}");
                    would_be_wrong += u32::from(reversed > others);
                }
            }
        });
        assert!(
            would_be_wrong > 0,
            "under the reversed goal the opponent's stable discs bound nothing from above"
        );
    }
}
