//! The search of one position: its threads, and the windows that close in on the score.

use super::exact::Unfinished;
use super::law::Law;
use super::parallel::Finish;
use super::transposition::NO_MOVE;
use super::worker::{Common, Node, Worker};
use crate::rules::{Move, Position, Score, Square, Symmetry};

/// Proves as much of a position as the window asks for, with so many threads beside this one.
pub(super) fn search<L: Law>(
    common: Common,
    helpers: usize,
    position: Position,
    window: (i32, i32),
    guess: i32,
) -> Unfinished {
    let proved = std::thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(move || {
                let mut worker = Worker::<L>::new(common);
                common.crew.serve(|split| worker.work_on(split));
            });
        }
        let _finish = Finish(common.crew);
        let mut root = Root::<L>::new(common, position);
        root.narrow(window, guess);
        root.proved
    });
    Unfinished { nodes: common.watch.nodes(), ..proved }
}

/// The search of one position by its first thread.
struct Root<'a, L: Law> {
    worker: Worker<'a, L>,
    common: Common<'a>,
    /// What is searched: the position or a twin of it.
    node: Node,
    /// From the position to what is searched.
    symmetry: Symmetry,
    proved: Unfinished,
}

impl<'a, L: Law> Root<'a, L> {
    fn new(common: Common<'a>, position: Position) -> Root<'a, L> {
        let most = Score::new(common.layout.square_count as i32);
        let mut worker = Worker::<L>::new(common);
        let (form, symmetry) = worker.form(position);
        let node = worker.node(form.player, form.opponent);
        worker.report_moves_of(node);
        let proved = Unfinished { lower: -most, upper: most, best: None, nodes: 0 };
        Root { worker, common, node, symmetry, proved }
    }

    /// Narrow windows around a guess that follows what they prove, until the score is known or known
    /// to be outside the window asked about; or until told to stop.
    fn narrow(&mut self, (lowest, highest): (i32, i32), mut guess: i32) {
        let mut width = 1;
        while self.proved.lower < self.proved.upper
            && self.proved.lower.discs() < highest
            && self.proved.upper.discs() > lowest
        {
            let alpha = (guess - width).max(self.proved.lower.discs()).max(lowest);
            let beta = (guess + width).min(self.proved.upper.discs()).min(highest);
            match self.step(alpha, beta) {
                Some(score) => guess = score,
                None => return,
            }
            width *= 2;
        }
    }

    /// One window; afterwards more is proved.
    fn step(&mut self, alpha: i32, beta: i32) -> Option<i32> {
        self.common.watch.window(alpha, beta);
        let (score, square) = self.worker.principal(self.node, alpha, beta)?;
        if score > alpha {
            self.proved.lower = self.proved.lower.max(Score::new(score));
        }
        if score < beta {
            self.proved.upper = self.proved.upper.min(Score::new(score));
        }
        // Where everything is lost by as much as can be, any move is best.
        if score > alpha || (self.proved.best.is_none() && self.proved.lower == self.proved.upper) {
            self.proved.best = self.best_move(square);
        }
        self.common.watch.proved(self.proved.lower, self.proved.upper, self.proved.best);
        Some(score)
    }

    /// The move of the position to a square of what is searched.
    fn best_move(&self, square: u8) -> Option<Move> {
        let geometry = self.common.layout.geometry;
        if square != NO_MOVE {
            let square = Square::from_index(square.into());
            return Some(Move::Play(self.symmetry.inverse().apply_square(geometry, square)));
        }
        let position = Position::new(self.node.player, self.node.opponent);
        position.must_pass(geometry).then_some(Move::Pass)
    }
}
