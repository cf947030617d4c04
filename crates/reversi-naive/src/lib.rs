//! The rules on a plain array, slow and obvious, for any board from 3x3 to 24x24.
//!
//! The fast rules are tested against this crate, the table verifier walks the game with it alone, and games on boards
//! beyond 8x8 are played on it. It shares no code with the bitboards, only names such as [`Color`] and the notation.
//! `masks` alone knows the bit layout, to carry positions over.

mod masks;
mod notation;
mod perft;
mod symmetry;

pub use notation::SizeError;
pub use perft::perft;
pub use symmetry::{image_of, symmetries};

use reversi_terms::{Color, Goal, Passing, Scoring, Start};

/// The shortest side of a board.
pub const MIN_SIDE: u32 = 3;
/// The longest side of a board.
pub const MAX_SIDE: u32 = reversi_terms::notation::MAX_SIDE;

/// How many columns and rows a board has: 3 to 24 each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// A board of `width` columns and `height` rows, each 3 to 24.
    ///
    /// # Errors
    /// [`SizeError::Range`] when a side is out of range.
    pub fn new(width: u32, height: u32) -> Result<Size, SizeError> {
        let sides = MIN_SIDE..=MAX_SIDE;
        if sides.contains(&width) && sides.contains(&height) {
            Ok(Size { width, height })
        } else {
            Err(SizeError::Range(width, height))
        }
    }

    /// Columns, 3 to 24.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Rows, 3 to 24.
    pub fn height(self) -> u32 {
        self.height
    }

    /// Number of squares, 9 to 576.
    pub fn square_count(self) -> u32 {
        self.width * self.height
    }

    /// Whether a column and a row (both from 0) are on the board.
    pub fn contains(self, column: u32, row: u32) -> bool {
        column < self.width && row < self.height
    }

    /// All squares as (column, row), row by row.
    pub fn squares(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.height).flat_map(move |row| (0..self.width).map(move |column| (column, row)))
    }
}

/// What the side to move does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Puts a disc in this column and row, both from 0.
    Play(u32, u32),
    /// Has no move and lets the other side go on.
    Pass,
}

/// The discs of any board and the side to move. Any placement is valid.
///
/// ```
/// use reversi_naive as naive;
/// use reversi_terms::Start;
/// let size = naive::Size::new(12, 12).unwrap();
/// let start = naive::Board::start(size, Start::Diagonal);
/// assert_eq!(start.legal_moves(), [(5, 4), (4, 5), (7, 6), (6, 7)]);
/// let next = start.play(5, 4).unwrap();
/// assert_eq!(next.flips(4, 4), [(5, 5)]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    /// Row by row.
    cells: Vec<Option<Color>>,
    to_move: Color,
}

/// The eight directions, as steps in columns and rows.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Board {
    /// A board without discs.
    pub fn empty(size: Size, to_move: Color) -> Board {
        Board { size, cells: vec![None; size.square_count() as usize], to_move }
    }

    /// The first position, Black to move: the central 2x2 block, the one nearest a1 where a side is odd.
    pub fn start(size: Size, start: Start) -> Board {
        let mut board = Board::empty(size, Color::Black);
        let (left, top) = ((size.width - 2) / 2, (size.height - 2) / 2);
        let block = match start {
            Start::Diagonal => [Color::White, Color::Black, Color::Black, Color::White],
            Start::Parallel => [Color::White, Color::White, Color::Black, Color::Black],
        };
        for (place, color) in (0..).zip(block) {
            board.set(left + place % 2, top + place / 2, Some(color));
        }
        board
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// What stands in a column and a row, both from 0.
    ///
    /// # Panics
    /// If the square is not on the board.
    #[inline]
    pub fn cell(&self, column: u32, row: u32) -> Option<Color> {
        self.cells[self.place(column, row)]
    }

    /// Sets a square to a disc or to empty, without turning anything.
    ///
    /// # Panics
    /// If the square is not on the board.
    pub fn set(&mut self, column: u32, row: u32, cell: Option<Color>) {
        let place = self.place(column, row);
        self.cells[place] = cell;
    }

    fn place(&self, column: u32, row: u32) -> usize {
        assert!(
            self.size.contains(column, row),
            "column {column}, row {row} is not on a {} board",
            self.size
        );
        (row * self.size.width + column) as usize
    }

    /// Number of discs of a colour.
    pub fn count(&self, color: Color) -> u32 {
        self.cells.iter().filter(|&&cell| cell == Some(color)).count() as u32
    }

    /// Number of empty squares.
    pub fn empty_count(&self) -> u32 {
        self.cells.iter().filter(|cell| cell.is_none()).count() as u32
    }

    /// The discs that a move to this square turns, in no particular order. Empty if the move is not legal, also if the
    /// square is occupied or off the board.
    pub fn flips(&self, column: u32, row: u32) -> Vec<(u32, u32)> {
        let mut flips = Vec::new();
        for direction in DIRECTIONS {
            for distance in 1..=self.closed_run(column, row, direction) {
                flips
                    .push(self.neighbour(column, row, direction, distance).expect("the run is on the board"));
            }
        }
        flips
    }

    /// How many of the other side's discs lie between this empty square and the nearest disc of the
    /// side to move in that direction; 0 if they reach an empty square or the edge first.
    fn closed_run(&self, column: u32, row: u32, direction: (i32, i32)) -> u32 {
        if !self.size.contains(column, row) || self.cell(column, row).is_some() {
            return 0;
        }
        let mut run = 0;
        while let Some((column, row)) = self.neighbour(column, row, direction, run + 1) {
            match self.cell(column, row) {
                Some(color) if color == self.to_move => return run,
                Some(_) => run += 1,
                None => return 0,
            }
        }
        0
    }

    /// The square `distance` steps away; `None` beyond the edge.
    fn neighbour(&self, column: u32, row: u32, step: (i32, i32), distance: u32) -> Option<(u32, u32)> {
        let column = column.checked_add_signed(step.0 * distance as i32)?;
        let row = row.checked_add_signed(step.1 * distance as i32)?;
        self.size.contains(column, row).then_some((column, row))
    }

    /// Whether the side to move may put a disc here: on an empty square, turning at least one disc.
    pub fn is_legal(&self, column: u32, row: u32) -> bool {
        DIRECTIONS.iter().any(|&direction| self.closed_run(column, row, direction) > 0)
    }

    /// All legal moves as (column, row), row by row.
    pub fn legal_moves(&self) -> Vec<(u32, u32)> {
        self.size.squares().filter(|&(column, row)| self.is_legal(column, row)).collect()
    }

    /// Whether the side to move has a move.
    pub fn has_move(&self) -> bool {
        self.size.squares().any(|(column, row)| self.is_legal(column, row))
    }

    /// The board after a disc on this square; `None` if that is not legal.
    pub fn play(&self, column: u32, row: u32) -> Option<Board> {
        let flips = self.flips(column, row);
        if flips.is_empty() {
            return None;
        }
        let mut next = self.clone();
        next.set(column, row, Some(self.to_move));
        for (column, row) in flips {
            next.set(column, row, Some(self.to_move));
        }
        next.to_move = self.to_move.other();
        Some(next)
    }

    /// The same discs with the other side to move, whether or not the rules ask for a pass.
    pub fn pass(&self) -> Board {
        Board { to_move: self.to_move.other(), ..self.clone() }
    }

    /// Whether the side to move has no move but the other side has one.
    pub fn must_pass(&self) -> bool {
        !self.has_move() && self.pass().has_move()
    }

    /// Whether the game is over: neither side has a move, or only the side to move has none and
    /// passing is not [`Passing::Allowed`].
    pub fn is_over(&self, passing: Passing) -> bool {
        !self.has_move() && (passing == Passing::EndsGame || !self.pass().has_move())
    }

    /// The board after a legal move, a pass included; `None` if the move is not legal here.
    pub fn after(&self, mv: Move, passing: Passing) -> Option<Board> {
        match mv {
            Move::Play(column, row) => self.play(column, row),
            Move::Pass => (passing == Passing::Allowed && self.must_pass()).then(|| self.pass()),
        }
    }

    /// The score of this position as a finished game, in discs, for the side to move. Does not check that the game is
    /// over.
    pub fn final_score(&self, goal: Goal, scoring: Scoring) -> i32 {
        let mut own = self.count(self.to_move) as i32;
        let mut other = self.count(self.to_move.other()) as i32;
        if scoring == Scoring::Winner && own > other {
            own += self.empty_count() as i32;
        } else if scoring == Scoring::Winner && own < other {
            other += self.empty_count() as i32;
        }
        match goal {
            Goal::Normal => own - other,
            Goal::Reversed => other - own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        Board::parse(None, text).unwrap()
    }

    #[test]
    fn a_run_is_turned_up_to_the_nearest_own_disc_in_every_direction() {
        let drawing = "X - - X - -
                       - O - O - O
                       - - O O O -
                       X O O - O X
                       - - O O O -
                       - X - X - X X";
        let next = board(drawing).play(3, 3).unwrap();
        let expected = "X - - X - -
                        - X - X - O
                        - - X X O -
                        X X X X X X
                        - - X X X -
                        - X - X - X O";
        assert_eq!(next, board(expected), "the run towards f1 ends at the edge");
    }

    #[test]
    fn the_game_without_passes_ends_where_the_other_rule_passes() {
        // White has no disc that touches a free line; Black could go on.
        let stuck = board("XO-- ---- ---- ---- O");
        assert!(!stuck.has_move() && stuck.pass().has_move());
        assert!(stuck.must_pass());
        assert!(!stuck.is_over(Passing::Allowed));
        assert!(stuck.is_over(Passing::EndsGame));
        assert_eq!(stuck.after(Move::Pass, Passing::EndsGame), None);
        assert_eq!(stuck.after(Move::Pass, Passing::Allowed), Some(stuck.pass()));
    }

    #[test]
    fn a_wiped_out_side_loses_everything_or_wins_it() {
        let wiped_out = board("XXX- ---- ---- ---- O");
        assert!(wiped_out.is_over(Passing::Allowed));
        assert_eq!(wiped_out.final_score(Goal::Normal, Scoring::Raw), -3);
        assert_eq!(wiped_out.final_score(Goal::Normal, Scoring::Winner), -16);
        assert_eq!(wiped_out.final_score(Goal::Reversed, Scoring::Raw), 3);
        assert_eq!(wiped_out.final_score(Goal::Reversed, Scoring::Winner), 16);
        let level = board("XO-- ---- ---- ---- X");
        assert_eq!(level.final_score(Goal::Reversed, Scoring::Winner), 0);
    }

    #[test]
    fn moves_outside_the_board_and_onto_discs_are_refused() {
        let start = Board::start(Size::new(4, 4).unwrap(), Start::Diagonal);
        for (column, row) in [(4, 0), (0, 4), (u32::MAX, u32::MAX), (1, 1), (0, 0)] {
            assert_eq!(start.play(column, row), None, "{column} {row}");
        }
    }
}
