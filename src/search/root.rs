//! The search of one position: its threads, and the windows that close in on the score.

use super::exact::Proved;
use super::law::Law;
use super::parallel::Finish;
use super::proof::Proof;
use super::worker::{Common, Mode, Node, Worker};
use crate::rules::Position;
use std::thread;

/// Proves as much of a position as the window asks for, with so many threads beside this one.
pub(super) fn search<L: Law>(
    common: Common,
    helpers: usize,
    position: Position,
    window: (i32, i32),
    guess: i32,
) -> Proved {
    let proof = Proof::new(common.layout, common.watch, position);
    thread::scope(|scope| {
        // Also where a thread cannot be had: those before it would wait for ever.
        let _finish = Finish(common.crew);
        for _ in 0..helpers {
            // With fewer helpers than asked for, where the system gives no more, it only takes longer.
            if thread::Builder::new().spawn_scoped(scope, move || help::<L>(common)).is_err() {
                break;
            }
        }
        Root::<L>::new(common, &proof).narrow(window, guess);
    });
    Proved { nodes: common.crew.nodes(), ..proof.bounds() }
}

/// Does what the search's first thread shares out, until the search has ended.
pub(super) fn help<L: Law>(common: Common) {
    let mut worker = Worker::<L>::new(common);
    common.crew.serve(|split| worker.work_on(split));
}

/// The search of one position by its first thread.
struct Root<'a, L: Law> {
    worker: Worker<'a, L>,
    common: Common<'a>,
    proof: &'a Proof<'a>,
}

impl<'a, L: Law> Root<'a, L> {
    fn new(common: Common<'a>, proof: &'a Proof<'a>) -> Root<'a, L> {
        let mut worker = Worker::<L>::new(common);
        worker.prove(proof);
        Root { worker, common, proof }
    }

    /// What is searched.
    fn node(&self) -> Node {
        self.worker.node(self.proof.form().player, self.proof.form().opponent)
    }

    /// Narrow windows around a guess that follows what they prove, until the score is known or known
    /// to be outside the window asked about; or until told to stop.
    fn narrow(&mut self, (lowest, highest): (i32, i32), guess: i32) {
        let Some(guess) = self.guess_again((lowest, highest), guess) else { return };
        let mut guess = guess.clamp(lowest, highest);
        let mut width = 1;
        loop {
            let proved = self.proof.bounds();
            let (lower, upper) = (proved.lower.discs(), proved.upper.discs());
            if lower >= upper || lower >= highest || upper <= lowest {
                return;
            }
            let alpha = (guess - width).max(lower).max(lowest);
            let beta = (guess + width).min(upper).min(highest);
            match self.step(alpha, beta) {
                Some(score) => guess = score,
                None => return,
            }
            width *= 2;
        }
    }

    /// The score that a selective pass believes in, or an end of the window beyond which it lies; the guess as it was
    /// where a pass would not pay; `None` when told to stop.
    fn guess_again(&mut self, (mut lower, mut upper): (i32, i32), mut guess: i32) -> Option<i32> {
        let Some(mode) = Mode::selective(self.common.evaluator, self.node().count) else {
            return Some(guess);
        };
        self.worker.mode = mode;
        let node = self.node();
        let mut width = 1;
        while lower < upper {
            let (alpha, beta) = ((guess - width).max(lower), (guess + width).min(upper));
            guess = self.worker.principal(node, alpha, beta)?.0;
            if guess > alpha {
                lower = guess;
            }
            if guess < beta {
                upper = guess;
            }
            width *= 2;
        }
        self.worker.mode = Mode::Guided;
        Some(guess)
    }

    /// One window; afterwards more is proved. Told to stop, what single moves have proved remains.
    fn step(&mut self, alpha: i32, beta: i32) -> Option<i32> {
        self.common.watch.window(alpha, beta);
        let (score, square) = self.worker.principal(self.node(), alpha, beta)?;
        self.proof.window_done((alpha, beta), score, square);
        Some(score)
    }
}
