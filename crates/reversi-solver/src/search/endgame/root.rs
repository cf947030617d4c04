//! The search of a root position: its threads and its aspiration windows.

use super::mode::Mode;
use super::node::Node;
use super::outcome::Proved;
use super::search::{ExactSearch, SearchContext};
use crate::search::endgame::proof::Proof;
use crate::search::endgame::split::FinishOnDrop;
use crate::search::rule_set::RuleSet;
use reversi_rules::Position;
use std::thread;

/// Proves as much of a position as the window requires, with `helpers` threads beside this one.
pub(crate) fn search<L: RuleSet>(
    context: SearchContext,
    helpers: usize,
    position: Position,
    window: (i32, i32),
    guess: i32,
) -> Proved {
    let proof = Proof::new(context.board, context.watch, position);
    // Before the helpers, which may take the last of the memory.
    let mut root = Root::<L>::new(context, &proof);
    thread::scope(|scope| {
        // Ends the helpers even if a thread cannot be spawned; otherwise those before it would wait for ever.
        let _finish = FinishOnDrop(context.threads);
        for _ in 0..helpers {
            // With fewer helpers than requested, where the system refuses threads, the search only takes longer.
            if thread::Builder::new().spawn_scoped(scope, move || help::<L>(context)).is_err() {
                break;
            }
        }
        root.narrow(window, guess);
    });
    // Reports its nodes.
    drop(root);
    let (nodes, nodes_as_edax) = (context.threads.nodes(), context.threads.nodes_as_edax());
    Proved { nodes, nodes_as_edax, ..proof.bounds() }
}

/// Main loop of a helper thread: works on split points until the search ends. Without memory for its table it does not
/// help, and the search only takes longer.
pub(crate) fn help<L: RuleSet>(context: SearchContext) {
    if let Some(mut search) = ExactSearch::<L>::try_new(context) {
        context.threads.serve(|split| {
            search.work_on(split);
            // The owner of the split point may end its search next, and counts the nodes then.
            search.report_nodes();
        });
    }
}

/// The root search of the first thread.
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

    /// Proves as much as the window requires, or as much as it can before a stop.
    fn narrow(&mut self, (lowest, highest): (i32, i32), guess: i32) {
        if let Some(guess) = self.selective_guess((lowest, highest), guess) {
            aspire((lowest, highest), guess, |alpha, beta| self.step(alpha, beta));
        }
    }

    /// The score of the selective pass, or the end of the window beyond which it lies; the unchanged guess where the
    /// pass does not pay; `None` if stopped.
    fn selective_guess(&mut self, window: (i32, i32), guess: i32) -> Option<i32> {
        let Some(mode) = Mode::selective(self.context.evaluator, self.node.count) else {
            return Some(guess);
        };
        self.search.mode = mode;
        let search = |alpha, beta| self.search.principal(self.node, alpha, beta).map(|found| found.0);
        let guess = aspire(window, guess, search)?;
        self.search.mode = Mode::Guided;
        Some(guess)
    }

    /// Searches one window and records its result. After a stop the bounds proved by single moves remain.
    fn step(&mut self, alpha: i32, beta: i32) -> Option<i32> {
        self.context.watch.window(alpha, beta);
        let (score, square) = self.search.principal(self.node, alpha, beta)?;
        self.proof.window_done((alpha, beta), score, square);
        Some(score)
    }
}

/// Half width of an aspiration window in discs. Most games fill the board, and then all scores of a board have the
/// same parity: a narrower window would not separate more scores.
const HALF_WIDTH: i32 = 2;
/// After this many failed windows the guess was far off, and each further window is twice as wide.
const NARROW_WINDOWS: u32 = 5;

/// Aspiration windows around a guess that follows their results, until the score is exact or proved to lie outside
/// the given window; `None` if stopped.
fn aspire(
    (mut lower, mut upper): (i32, i32),
    mut guess: i32,
    mut search: impl FnMut(i32, i32) -> Option<i32>,
) -> Option<i32> {
    guess = guess.clamp(lower, upper);
    let mut steps = 0;
    while lower < upper {
        let width = HALF_WIDTH << u32::saturating_sub(steps, NARROW_WINDOWS - 1);
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

    /// For any guess; a failing window returns the tightest bound (`slack` 0) or a bound 3 discs looser.
    #[test]
    fn any_guess_converges_to_the_score_or_the_end_beyond_which_it_lies() {
        for (lower, upper) in [(-36, 36), (-1, 1), (-5, -4), (0, 4)] {
            for guess in -40..=40 {
                for (score, slack) in (-36..=36).flat_map(|score| [(score, 0), (score, 3)]) {
                    let mut windows = 0;
                    let found = aspire((lower, upper), guess, |alpha, beta| {
                        assert!(lower <= alpha && alpha < beta && beta <= upper, "({alpha}, {beta})");
                        windows += 1;
                        Some(match score {
                            _ if score <= alpha => score.max(alpha - slack),
                            _ if score >= beta => score.min(beta + slack),
                            _ => score,
                        })
                    });
                    let found = found.expect("never stopped");
                    assert!(windows <= 11, "{windows} windows");
                    assert_eq!(found.clamp(lower, upper), score.clamp(lower, upper), "{guess} {slack}");
                }
            }
        }
        assert_eq!(aspire((-36, 36), 0, |_, _| None), None);
    }
}
