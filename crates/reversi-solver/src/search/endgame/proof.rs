//! The proved bounds of the root position, published to the watch as soon as they change.

use super::node::Node;
use super::outcome::Proved;
use crate::search::Watch;
use crate::search::board_tables::BoardTables;
use crate::search::tt::exact::NO_MOVE;
use reversi_rules::{Move, Position, Score, Square, Symmetry, symmetry};
use std::cell::Cell;

/// The bounds of the root position, narrowed move by move and window by window.
pub(crate) struct Proof<'a> {
    board: &'a BoardTables,
    watch: &'a Watch,
    /// The position searched: the root position or its canonical form.
    form: Position,
    empties: u32,
    /// Maps the root position to the position searched.
    symmetry: Symmetry,
    bounds: Cell<Proved>,
}

impl<'a> Proof<'a> {
    /// A proof with trivial bounds.
    pub fn new(board: &'a BoardTables, watch: &'a Watch, position: Position) -> Proof<'a> {
        let empties = position.empty_count(board.geometry);
        let (form, symmetry) = if empties >= board.canonical_empties {
            symmetry::canonical(board.geometry, position)
        } else {
            (position, Symmetry::IDENTITY)
        };
        let most = Score::new(board.square_count as i32);
        let nothing = Proved { lower: -most, upper: most, best: None, nodes: 0, nodes_as_edax: 0 };
        Proof { board, watch, form, empties, symmetry, bounds: Cell::new(nothing) }
    }

    /// The position searched: the root position or its canonical form.
    pub fn form(&self) -> Position {
        self.form
    }

    /// The bounds proved so far, without the node count.
    pub fn bounds(&self) -> Proved {
        self.bounds.get()
    }

    /// Whether a node is the position searched, or the position after its forced pass: no other node has as many
    /// empty squares.
    pub fn is_root(&self, node: Node) -> bool {
        node.count == self.empties
    }

    /// Publishes the number of root moves searched in this window.
    pub fn moves_done(&self, done: usize, all: usize) {
        self.watch.moves(done, all);
    }

    /// A move at a root node has a score of at least `score`. That is a lower bound for the player there, independent
    /// of the other moves and of the rest of the window. After a forced pass that player is the root's opponent, and
    /// the bound is an upper one.
    #[cold]
    pub fn move_reaches(&self, node: Node, score: i32, square: u8) {
        let mut bounds = self.bounds.get();
        if node.player == self.form.player {
            self.raise(&mut bounds, score, square);
        } else {
            bounds.upper = bounds.upper.min(Score::new(-score));
        }
        self.publish(bounds);
    }

    /// A window was searched to its end: `score` is an upper bound at or below alpha, a lower bound at or above beta,
    /// else exact.
    pub fn window_done(&self, (alpha, beta): (i32, i32), score: i32, square: u8) {
        let mut bounds = self.bounds.get();
        if score < beta {
            bounds.upper = bounds.upper.min(Score::new(score));
        }
        if score > alpha {
            self.raise(&mut bounds, score, square);
        } else if bounds.best.is_none() && bounds.lower == bounds.upper {
            // At the minimum score every move is a best move.
            bounds.best = self.move_to(square);
        }
        self.publish(bounds);
    }

    /// Raises the lower bound; the best move is the one that proves it. The minimum score is a lower bound from the
    /// beginning, and then no move is known yet.
    fn raise(&self, bounds: &mut Proved, score: i32, square: u8) {
        let score = Score::new(score);
        if score > bounds.lower || (score == bounds.lower && bounds.best.is_none()) {
            (bounds.lower, bounds.best) = (score, self.move_to(square));
        }
    }

    fn publish(&self, bounds: Proved) {
        self.bounds.set(bounds);
        self.watch.proved(bounds.lower, bounds.upper, bounds.best);
    }

    /// The root position's move to a square of the position searched.
    fn move_to(&self, square: u8) -> Option<Move> {
        let geometry = self.board.geometry;
        if square != NO_MOVE {
            let square = Square::from_index(square.into());
            return Some(Move::Play(self.symmetry.inverse().apply_square(geometry, square)));
        }
        self.form.must_pass(geometry).then_some(Move::Pass)
    }
}
