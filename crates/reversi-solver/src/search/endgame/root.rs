//! The search of one position: its threads, and the windows that close in on the score.

use super::mode::Mode;
use super::node::Node;
use super::outcome::Proved;
use super::search::{ExactSearch, SearchContext};
use crate::search::endgame::proof::Proof;
use crate::search::rule_set::RuleSet;
use crate::search::threads::split::Finish;
use reversi_rules::Position;
use std::thread;

/// Proves as much of a position as the window asks for, with so many threads beside this one.
pub(crate) fn search<L: RuleSet>(
    context: SearchContext,
    helpers: usize,
    position: Position,
    window: (i32, i32),
    guess: i32,
) -> Proved {
    let proof = Proof::new(context.board, context.watch, position);
    thread::scope(|scope| {
        // Also where a thread cannot be had: those before it would wait for ever.
        let _finish = Finish(context.threads);
        for _ in 0..helpers {
            // With fewer helpers than asked for, where the system gives no more, it only takes longer.
            if thread::Builder::new().spawn_scoped(scope, move || help::<L>(context)).is_err() {
                break;
            }
        }
        Root::<L>::new(context, &proof).narrow(window, guess);
    });
    Proved { nodes: context.threads.nodes(), ..proof.bounds() }
}

/// Does what the search's first thread shares out, until the search has ended.
pub(crate) fn help<L: RuleSet>(context: SearchContext) {
    let mut search = ExactSearch::<L>::new(context);
    context.threads.serve(|split| search.work_on(split));
}

/// The search of one position by its first thread.
struct Root<'a, L: RuleSet> {
    search: ExactSearch<'a, L>,
    context: SearchContext<'a>,
    proof: &'a Proof<'a>,
    node: Node,
}

impl<'a, L: RuleSet> Root<'a, L> {
    fn new(context: SearchContext<'a>, proof: &'a Proof<'a>) -> Root<'a, L> {
        let mut search = ExactSearch::<L>::new(context);
        search.prove(proof);
        let node = search.node(proof.form().player, proof.form().opponent);
        Root { search, context, proof, node }
    }

    /// Proves as much as the window asks for, or what it can until it is told to stop.
    fn narrow(&mut self, (lowest, highest): (i32, i32), guess: i32) {
        if let Some(guess) = self.guess_again((lowest, highest), guess) {
            close_in((lowest, highest), guess, |alpha, beta| self.step(alpha, beta));
        }
    }

    /// The score that a selective pass believes in, or an end of the window beyond which it lies; the guess as it was
    /// where a pass would not pay; `None` when told to stop.
    fn guess_again(&mut self, window: (i32, i32), guess: i32) -> Option<i32> {
        let Some(mode) = Mode::selective(self.context.evaluator, self.node.count) else {
            return Some(guess);
        };
        self.search.mode = mode;
        let search = |alpha, beta| self.search.principal(self.node, alpha, beta).map(|found| found.0);
        let guess = close_in(window, guess, search)?;
        self.search.mode = Mode::Guided;
        Some(guess)
    }

    /// One window; afterwards more is proved. Told to stop, what single moves have proved remains.
    fn step(&mut self, alpha: i32, beta: i32) -> Option<i32> {
        self.context.watch.window(alpha, beta);
        let (score, square) = self.search.principal(self.node, alpha, beta)?;
        self.proof.window_done((alpha, beta), score, square);
        Some(score)
    }
}

/// How far the ends of a window are from the guess. Most games fill the board, and then the scores of one board differ
/// by even numbers: nearer ends would not tell more scores apart.
const WIDTH: i32 = 2;
/// Where so many windows have failed the guess was far off, and the next ones are ever wider.
const STEPS: u32 = 5;

/// Narrow windows around a guess that follows what they find, until the score is known or known to be
/// outside the window asked about; `None` when told to stop.
fn close_in(
    (mut lower, mut upper): (i32, i32),
    mut guess: i32,
    mut search: impl FnMut(i32, i32) -> Option<i32>,
) -> Option<i32> {
    guess = guess.clamp(lower, upper);
    let mut steps = 0;
    while lower < upper {
        let width = WIDTH << u32::saturating_sub(steps, STEPS - 1);
        let (alpha, beta) = ((guess - width).max(lower), (guess + width).min(upper));
        guess = search(alpha, beta)?;
        if guess > alpha {
            lower = guess;
        }
        if guess < beta {
            upper = guess;
        }
        steps += 1;
    }
    Some(guess)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is guessed; what fails tells no more than it must (`slack` 0) or some discs more.
    #[test]
    fn any_guess_closes_in_on_the_score_or_the_end_beyond_which_it_lies() {
        for (lower, upper) in [(-36, 36), (-1, 1), (-5, -4), (0, 4)] {
            for guess in -40..=40 {
                for (score, slack) in (-36..=36).flat_map(|score| [(score, 0), (score, 3)]) {
                    let mut windows = 0;
                    let found = close_in((lower, upper), guess, |alpha, beta| {
                        assert!(lower <= alpha && alpha < beta && beta <= upper, "({alpha}, {beta})");
                        windows += 1;
                        Some(match score {
                            _ if score <= alpha => score.max(alpha - slack),
                            _ if score >= beta => score.min(beta + slack),
                            _ => score,
                        })
                    });
                    let found = found.expect("nobody stops it");
                    assert!(windows <= 11, "{windows} windows");
                    assert_eq!(found.clamp(lower, upper), score.clamp(lower, upper), "{guess} {slack}");
                }
            }
        }
        assert_eq!(close_in((-36, 36), 0, |_, _| None), None);
    }
}
