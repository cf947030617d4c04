//! What is proved of the position asked about, told to whoever looks on as soon as it is.

use super::node::Node;
use super::outcome::Proved;
use crate::search::Watch;
use crate::search::board_tables::BoardTables;
use crate::search::tt::exact::NO_MOVE;
use reversi_rules::{Move, Position, Score, Square, Symmetry, symmetry};
use std::cell::Cell;

/// The bounds of one position, narrowed move by move and window by window.
pub(crate) struct Proof<'a> {
    board: &'a BoardTables,
    watch: &'a Watch,
    /// What is searched: the position or a twin of it.
    form: Position,
    empties: u32,
    /// From the position to what is searched.
    symmetry: Symmetry,
    bounds: Cell<Proved>,
}

impl<'a> Proof<'a> {
    /// Nothing is proved yet.
    pub fn new(board: &'a BoardTables, watch: &'a Watch, position: Position) -> Proof<'a> {
        let empties = position.empty_count(board.geometry);
        let (form, symmetry) = if empties >= board.canonical_empties {
            symmetry::canonical(board.geometry, position)
        } else {
            (position, Symmetry::IDENTITY)
        };
        let most = Score::new(board.square_count as i32);
        let nothing = Proved { lower: -most, upper: most, best: None, nodes: 0 };
        Proof { board, watch, form, empties, symmetry, bounds: Cell::new(nothing) }
    }

    /// What is to be searched: the position or a twin of it.
    pub fn form(&self) -> Position {
        self.form
    }

    /// What is proved by now; nodes are not counted here.
    pub fn bounds(&self) -> Proved {
        self.bounds.get()
    }

    /// Whether a node is what is searched, or where its forced pass leads: no other has as many empty squares.
    pub fn is_about(&self, node: Node) -> bool {
        node.count == self.empties
    }

    /// So many moves are done in this window.
    pub fn moves_done(&self, done: usize, all: usize) {
        self.watch.moves(done, all);
    }

    /// A move at a node that this is about is worth at least `score`. That is a lower bound for the player
    /// there, whatever the other moves are worth and whether or not the window will be finished. After a
    /// forced pass that player is the opponent, and the bound an upper one.
    #[cold]
    pub fn move_is_worth(&self, node: Node, score: i32, square: u8) {
        let mut bounds = self.bounds.get();
        if node.player == self.form.player {
            self.raise(&mut bounds, score, square);
        } else {
            bounds.upper = bounds.upper.min(Score::new(-score));
        }
        self.note(bounds);
    }

    /// A window was searched to its end: `score` is an upper bound at or below alpha, a lower bound at or above
    /// beta, else the score.
    pub fn window_done(&self, (alpha, beta): (i32, i32), score: i32, square: u8) {
        let mut bounds = self.bounds.get();
        if score < beta {
            bounds.upper = bounds.upper.min(Score::new(score));
        }
        if score > alpha {
            self.raise(&mut bounds, score, square);
        } else if bounds.best.is_none() && bounds.lower == bounds.upper {
            // Where everything is lost by as much as can be, any move is best.
            bounds.best = self.move_to(square);
        }
        self.note(bounds);
    }

    /// The best move is the one that proves the lower bound.
    fn raise(&self, bounds: &mut Proved, score: i32, square: u8) {
        let score = Score::new(score);
        if score > bounds.lower {
            (bounds.lower, bounds.best) = (score, self.move_to(square));
        }
    }

    fn note(&self, bounds: Proved) {
        self.bounds.set(bounds);
        self.watch.proved(bounds.lower, bounds.upper, bounds.best);
    }

    /// The move of the position to a square of what is searched.
    fn move_to(&self, square: u8) -> Option<Move> {
        let geometry = self.board.geometry;
        if square != NO_MOVE {
            let square = Square::from_index(square.into());
            return Some(Move::Play(self.symmetry.inverse().apply_square(geometry, square)));
        }
        self.form.must_pass(geometry).then_some(Move::Pass)
    }
}
