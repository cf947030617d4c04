//! How the endgame search lays a board out in 64 bits: row by row, with one empty guard column.
//!
//! The square in column `c` and row `r` is bit `1 + r * S + c`, where the *stride* `S` is one more than the columns of
//! the board; a board with more rows than columns is laid on its side, its columns taken for rows. So a step along a
//! row that leaves the board lands on a guard bit, and one up or down leaves all rows. No disc ever stands on a guard,
//! hence no run of discs wraps around an edge. Bit 0 is a guard too.
//!
//! ```text
//! 4x4, S = 5:   1  2  3  4 |  5
//!               6  7  8  9 | 10
//!              11 12 13 14 | 15
//!              16 17 18 19 | 20
//! ```

use super::Seen;
use reversi_naive::{Board, Size};

/// The bits of a layout lie below this one: 1 + 6 * 8 + 6 of 7x7 is the highest.
pub(super) const BITS: usize = 56;
/// The largest boards are 7x7 and 8x6.
pub(crate) const MOST_SQUARES: usize = PACKED_BITS as usize;
/// The search is built for strides up to that of a row of eight squares and its guard.
pub(crate) const LONGEST_SIDE: u32 = 8;
/// The bits of [`Layout::packed`].
pub(super) const PACKED_BITS: u32 = 49;

/// A position as seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Discs {
    /// Those of the side to move.
    pub own: u64,
    /// Those of the other side.
    pub other: u64,
}

/// The masks of one board.
#[derive(Clone)]
pub(crate) struct Layout {
    /// Of the board as it lies here, with no more rows than columns.
    size: Size,
    /// Whether columns are taken for rows.
    on_its_side: bool,
    /// All squares.
    pub(super) board: u64,
    /// The four corners.
    pub(super) corners: u64,
    /// For each bit the squares that touch it.
    pub(super) neighbours: [u64; BITS],
    /// For each bit what is seen from it.
    seen: [Seen; BITS],
    /// The four quarters of the board: with an odd side one of two is larger. For the order of moves only.
    pub(super) quarters: [u64; 4],
    /// For each bit its quarter.
    pub(super) quarter_of: [u64; BITS],
}

impl Layout {
    /// Whether a board of this size can be laid out: at most 49 squares, no side beyond 8.
    pub fn has_room_for(size: Size) -> bool {
        size.width().max(size.height()) <= LONGEST_SIDE && size.square_count() as usize <= MOST_SQUARES
    }

    /// # Panics
    /// If the board has more than 49 squares, or a side beyond 8.
    pub fn new(size: Size) -> Layout {
        assert!(Layout::has_room_for(size), "{size} is too large");
        let (width, height) = (size.width().max(size.height()), size.width().min(size.height()));
        let on_its_side = size.width() < size.height();
        let size = Size::new(width, height).expect("a board on its side is one");
        let mut layout = Layout {
            size,
            on_its_side,
            board: 0,
            corners: 0,
            neighbours: [0; BITS],
            seen: [Seen::default(); BITS],
            quarters: [0; 4],
            quarter_of: [0; BITS],
        };
        for (column, row) in size.squares() {
            let bit = 1u64 << layout.place(column, row);
            layout.board |= bit;
            if (column == 0 || column == width - 1) && (row == 0 || row == height - 1) {
                layout.corners |= bit;
            }
            layout.quarters[usize::from(column < width / 2) + 2 * usize::from(row < height / 2)] |= bit;
        }
        for (column, row) in size.squares() {
            let near = |here: u32, there: u32| here.abs_diff(there) <= 1;
            let touching =
                size.squares().filter(|&(c, r)| near(c, column) && near(r, row) && (c, r) != (column, row));
            let place = layout.place(column, row) as usize;
            layout.neighbours[place] = touching.map(|(c, r)| 1u64 << layout.place(c, r)).sum();
            let quarter = layout.quarters.into_iter().find(|quarter| quarter >> place & 1 == 1);
            layout.quarter_of[place] = quarter.expect("the quarters are the board");
            let [up, down] = layout.rays_from((column, row));
            layout.seen[place] = Seen::new(up, down);
        }
        layout
    }

    /// The column and row here of a square of the board.
    pub fn laid(&self, (column, row): (u32, u32)) -> (u32, u32) {
        if self.on_its_side { (row, column) } else { (column, row) }
    }

    /// The squares seen along the four lines, upwards and downwards in bits.
    fn rays_from(&self, (column, row): (u32, u32)) -> [[u64; 4]; 2] {
        let (width, height) = (self.size.width() as i32, self.size.height() as i32);
        let ray = |(right, below): (i32, i32)| {
            let steps = (1..8).map(|step| (column as i32 + step * right, row as i32 + step * below));
            let seen = steps.take_while(|&(c, r)| (0..width).contains(&c) && (0..height).contains(&r));
            seen.map(|(c, r)| 1u64 << self.place(c as u32, r as u32)).sum::<u64>()
        };
        let rising = [(1, 0), (-1, 1), (0, 1), (1, 1)];
        [rising.map(ray), rising.map(|(c, r)| ray((-c, -r)))]
    }

    /// The same for a square of the board.
    #[cfg(all(test, target_arch = "x86_64", target_feature = "bmi2"))]
    pub(super) fn rays_of(&self, square: (u32, u32)) -> [[u64; 4]; 2] {
        self.rays_from(self.laid(square))
    }

    /// One more than the columns here.
    pub fn stride(&self) -> u32 {
        self.size.width() + 1
    }

    /// The bit of a square, by its column and row here.
    fn place(&self, column: u32, row: u32) -> u32 {
        1 + row * self.stride() + column
    }

    /// The bit of a square of the board.
    pub fn place_of(&self, square: (u32, u32)) -> u32 {
        let (column, row) = self.laid(square);
        self.place(column, row)
    }

    /// The columns of the board.
    fn columns(&self) -> u32 {
        if self.on_its_side { self.size.height() } else { self.size.width() }
    }

    /// The number, row by row from 0, of the square at a bit.
    pub fn number_of_place(&self, place: u32) -> u8 {
        let (row, column) = ((place - 1) / self.stride(), (place - 1) % self.stride());
        let (column, row) = self.laid((column, row));
        (row * self.columns() + column) as u8
    }

    /// The same discs without the guards, below bit [`PACKED_BITS`].
    #[inline(always)]
    pub(super) fn packed(&self, discs: Discs) -> Discs {
        let (width, stride) = (self.size.width(), self.stride());
        let pack = |bits: u64| {
            let row = |row: u32| (bits >> (1 + row * stride) & ((1 << width) - 1)) << (row * width);
            (0..self.size.height()).map(row).sum::<u64>()
        };
        Discs { own: pack(discs.own), other: pack(discs.other) }
    }

    /// The discs of a plain-array board.
    pub fn discs(&self, board: &Board) -> Discs {
        let mut discs = Discs::default();
        for (column, row) in board.size().squares() {
            let bit = 1u64 << self.place_of((column, row));
            match board.cell(column, row) {
                Some(color) if color == board.to_move() => discs.own |= bit,
                Some(_) => discs.other |= bit,
                None => {}
            }
        }
        discs
    }

    /// The empty squares.
    #[inline]
    pub fn empties(&self, discs: Discs) -> u64 {
        self.board & !(discs.own | discs.other)
    }

    /// The discs of `other` that a disc of `own` on an empty square, given by its bit, turns; 0 if the move is not
    /// legal.
    #[inline(always)]
    pub(super) fn flips(&self, place: u32, own: u64, other: u64) -> u64 {
        let place = place as usize;
        // Most squares that are not legal are excluded by their neighbours.
        if self.neighbours[place] & other == 0 { 0 } else { self.seen[place].flips(own, other) }
    }

    /// How many discs a disc of either side on the only empty square, given by its bit, turns: that of the side to move
    /// first.
    #[inline(always)]
    pub(super) fn last_flips(&self, place: u32, discs: Discs) -> (i32, i32) {
        self.seen[place as usize].last_flips(discs.own, discs.other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_a_bit_of_its_own_below_the_limit() {
        for width in 3..=8 {
            for height in (3..=8).filter(|height| width * height <= MOST_SQUARES as u32) {
                let size = Size::new(width, height).unwrap();
                let layout = Layout::new(size);
                assert_eq!(layout.board.count_ones(), size.square_count());
                assert!(layout.board >> BITS == 0 && layout.board & 1 == 0);
                for (number, square) in (0..).zip(size.squares()) {
                    assert_eq!(layout.number_of_place(layout.place_of(square)), number);
                }
                assert_eq!(layout.quarters.iter().sum::<u64>(), layout.board);
                assert_eq!(layout.corners.count_ones(), 4);
            }
        }
    }

    #[test]
    fn packed_discs_differ_where_discs_do() {
        for (width, height) in [(7, 7), (8, 6), (6, 8), (6, 6)] {
            let layout = Layout::new(Size::new(width, height).unwrap());
            let mut seen = 0;
            for place in (0..64).filter(|place| layout.board >> place & 1 == 1) {
                let packed = layout.packed(Discs { own: 1 << place, other: layout.board ^ 1 << place });
                assert!(packed.own.is_power_of_two() && packed.own >> PACKED_BITS == 0);
                assert_eq!(packed.own & (packed.other | seen), 0, "{width}x{height}, bit {place}");
                seen |= packed.own;
            }
        }
    }
}
