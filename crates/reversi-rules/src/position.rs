//! The discs on the board, and what a move does to them.

use super::geometry::{Geometry, Square};
use super::kernel;
use reversi_naive as naive;
use reversi_terms::{Rules, Score};
use std::fmt;

/// What the side to move does. Squares are ordered as everywhere, row by row; a pass comes last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Puts a disc on the square.
    Play(Square),
    /// Has no move and lets the other side go on.
    Pass,
}

impl Move {
    /// The same move for boards up to 8x8; `None` for a square beyond them.
    pub fn from_naive(mv: naive::Move) -> Option<Move> {
        match mv {
            naive::Move::Play(column, row) if column < 8 && row < 8 => {
                Some(Move::Play(Square::at(column, row)))
            }
            naive::Move::Play(..) => None,
            naive::Move::Pass => Some(Move::Pass),
        }
    }
}

impl From<Move> for naive::Move {
    fn from(mv: Move) -> naive::Move {
        match mv {
            Move::Play(square) => naive::Move::Play(square.column(), square.row()),
            Move::Pass => naive::Move::Pass,
        }
    }
}

/// The discs of the side to move and of the other side. Any placement is valid; colour is not kept.
///
/// The [`Geometry`] says which squares exist: both masks must lie inside its mask, see [`Position::is_on`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Position {
    /// The position of two disjoint sets of discs.
    ///
    /// # Panics
    /// With debug assertions, if a square is in both masks. Without them the overlap is not checked, since searches
    /// make positions by the million, and the position is meaningless. [`Position::is_on`] checks.
    pub const fn new(player: u64, opponent: u64) -> Position {
        debug_assert!(player & opponent == 0);
        Position { player, opponent }
    }

    /// Whether this is a position of the board: no disc lies outside, and no square holds two.
    #[inline]
    pub const fn is_on(self, geometry: Geometry) -> bool {
        self.player & self.opponent == 0 && self.discs() & !geometry.mask() == 0
    }

    /// Checks [`Position::is_on`], for the entry points of searches: an answer about squares that do not exist would be
    /// wrong.
    ///
    /// # Panics
    /// If it is not a position of this board.
    #[inline]
    #[track_caller]
    pub fn assert_on(self, geometry: Geometry) {
        assert!(self.is_on(geometry), "{self:?} is no position of a {geometry} board");
    }

    /// Squares with a disc.
    #[inline]
    pub const fn discs(self) -> u64 {
        self.player | self.opponent
    }

    /// Squares without a disc.
    #[inline]
    pub const fn empties(self, geometry: Geometry) -> u64 {
        geometry.mask() & !self.discs()
    }

    /// Number of discs on the board.
    #[inline]
    pub const fn disc_count(self) -> u32 {
        self.discs().count_ones()
    }

    /// Number of empty squares.
    #[inline]
    pub const fn empty_count(self, geometry: Geometry) -> u32 {
        geometry.square_count() - self.disc_count()
    }

    /// The squares where the side to move may put a disc.
    #[inline]
    pub fn legal_moves(self, geometry: Geometry) -> u64 {
        kernel::moves(self.player, self.opponent) & self.empties(geometry)
    }

    /// The opponent's discs that a disc on `square` turns; none where the move is not legal.
    ///
    /// `square` must be empty; on an occupied square the result means nothing.
    #[inline]
    pub fn flips(self, square: Square) -> u64 {
        kernel::flips(square.index(), self.player, self.opponent)
    }

    /// The position after a disc on `square` has turned `flips`; the other side is to move.
    #[inline]
    pub const fn play(self, square: Square, flips: u64) -> Position {
        Position { player: self.opponent ^ flips, opponent: self.player ^ (flips | square.bit()) }
    }

    /// The same discs with the other side to move.
    #[inline]
    pub const fn pass(self) -> Position {
        Position { player: self.opponent, opponent: self.player }
    }

    /// The position after a legal move. Legality is not checked.
    #[inline]
    pub fn after(self, mv: Move) -> Position {
        match mv {
            Move::Play(square) => self.play(square, self.flips(square)),
            Move::Pass => self.pass(),
        }
    }

    /// Whether the side to move may make this move. A pass is legal if the side to move has no other move and the other
    /// side has one.
    pub fn is_legal(self, geometry: Geometry, mv: Move) -> bool {
        match mv {
            Move::Play(square) => geometry.contains(square) && self.legal_moves(geometry) & square.bit() != 0,
            Move::Pass => self.must_pass(geometry),
        }
    }

    /// Plays `square`, or says that it is not legal: the checked twin of [`Position::play`].
    pub fn try_play(self, geometry: Geometry, square: Square) -> Option<Position> {
        self.is_legal(geometry, Move::Play(square)).then(|| self.play(square, self.flips(square)))
    }

    /// Whether the side to move has no move but the other side has one.
    pub fn must_pass(self, geometry: Geometry) -> bool {
        self.legal_moves(geometry) == 0 && self.pass().legal_moves(geometry) != 0
    }

    /// Whether neither side has a move.
    pub fn is_over(self, geometry: Geometry) -> bool {
        self.legal_moves(geometry) == 0 && self.pass().legal_moves(geometry) == 0
    }

    /// The positions one move on, with the move, in row-major order: one with [`Move::Pass`] where
    /// the side to move must pass, none when the game is over.
    pub fn children(self, geometry: Geometry) -> Vec<(Move, Position)> {
        let moves = self.legal_moves(geometry);
        if moves == 0 {
            let passed = self.pass();
            let over = passed.legal_moves(geometry) == 0;
            return if over { Vec::new() } else { vec![(Move::Pass, passed)] };
        }
        super::geometry::squares_of(moves)
            .map(|square| (Move::Play(square), self.play(square, self.flips(square))))
            .collect()
    }

    /// The score of this position as a finished game. Does not check that the game is over.
    pub const fn final_score(self, geometry: Geometry, rules: Rules) -> Score {
        rules.score(self.player.count_ones(), self.opponent.count_ones(), geometry.square_count())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position {{ player: {:#018x}, opponent: {:#018x} }}", self.player, self.opponent)
    }
}
