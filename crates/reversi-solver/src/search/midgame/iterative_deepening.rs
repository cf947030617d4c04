//! Iterative deepening with an aspiration window around the value of the previous depth.

use crate::search::midgame::ordering::Child;
use crate::search::midgame::search::{MidgameContext, MidgameSearch};
use crate::search::probcut::Selectivity;
use crate::search::tt::exact::NO_MOVE;
use crate::search::tt::midgame::INFINITE_EVAL;
use reversi_rules::{Move, Passing, Position, Square};
use std::ops::RangeInclusive;

/// Half width of the aspiration window, in units of an [`Eval`].
const ASPIRATION: i32 = 200;

/// Depths in plies of an iteration: an entry of the table has six bits for the depth.
pub const DEPTHS: RangeInclusive<u32> = 1..=63;

/// One iteration: depth and selectivity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Depth in plies, in [`DEPTHS`].
    pub depth: u32,
    /// Selectivity of the search.
    pub selectivity: Selectivity,
}

impl Iteration {
    /// An iteration with the usual selectivity.
    pub fn usual(depth: u32) -> Iteration {
        Iteration { depth, selectivity: Selectivity::Usual }
    }
}

/// Result of a midgame search.
#[derive(Clone, Debug)]
pub struct MidgameResult {
    /// The best move.
    pub square: Square,
    /// Value of the move in units of an [`Eval`](crate::eval::Eval) for the side to move; `None` if stopped before the
    /// end of the first ply.
    pub value: Option<i32>,
    /// Depth in plies of the iteration that found the move.
    pub depth: u32,
    /// The principal variation, as far as the transposition table holds it.
    pub pv: Vec<Move>,
}

/// The best move after the given iterations, or after fewer if `enough` returns true for the result of one. A stop
/// within an iteration keeps the best of the moves searched so far, of which the previous best move is the first.
/// `None` if there is no legal placement.
///
/// # Panics
/// If an iteration has a depth that is not in [`DEPTHS`].
pub fn deepen(
    search: &mut MidgameSearch,
    position: Position,
    steps: &mut dyn Iterator<Item = Iteration>,
    mut enough: impl FnMut(&MidgameResult) -> bool,
) -> Option<MidgameResult> {
    let hash_move = search.context.table.probe(position).map_or(NO_MOVE, |entry| entry.best);
    let children = search.children_in_order(position, hash_move);
    let first = children.first()?.square;
    let best = MidgameResult { square: first, value: None, depth: 0, pv: Vec::new() };
    let mut root = Root { search, position, children, best };
    for Iteration { depth, selectivity } in steps {
        assert!(DEPTHS.contains(&depth), "no depth of a search: {depth}");
        root.search.set_selectivity(selectivity);
        if root.aspire(depth).is_none() || enough(&root.best) {
            break;
        }
    }
    let Root { search, mut best, .. } = root;
    best.pv = principal_variation(&search.context, position, best.square, best.depth);
    Some(best)
}

struct Root<'r, 'a> {
    search: &'r mut MidgameSearch<'a>,
    position: Position,
    /// The root moves, the best first.
    children: Vec<Child>,
    best: MidgameResult,
}

impl Root<'_, '_> {
    /// One iteration: first in the aspiration window, then with the window opened on the side of the failure. `None`
    /// if stopped.
    fn aspire(&mut self, depth: u32) -> Option<()> {
        let (mut low, mut high) = match self.best.value {
            Some(value) => {
                ((value - ASPIRATION).max(-INFINITE_EVAL), (value + ASPIRATION).min(INFINITE_EVAL))
            }
            None => (-INFINITE_EVAL, INFINITE_EVAL),
        };
        loop {
            let value = self.search_within(depth, low, high)?;
            if value <= low && low > -INFINITE_EVAL {
                low = -INFINITE_EVAL;
            } else if value >= high && high < INFINITE_EVAL {
                high = INFINITE_EVAL;
            } else {
                return Some(());
            }
        }
    }

    /// All root moves in one window. A move becomes the best move when its value is above the window's lower end; it
    /// then moves to the front.
    fn search_within(&mut self, depth: u32, low: i32, high: i32) -> Option<i32> {
        let (mut most, mut best) = (-INFINITE_EVAL, NO_MOVE);
        for place in 0..self.children.len() {
            let child = self.children[place];
            let value = self.search.child_value(&child, depth, place == 0, most.max(low), high)?;
            if value > most {
                (most, best) = (value, child.square.index() as u8);
                if value > low {
                    self.best =
                        MidgameResult { square: child.square, value: Some(value), depth, pv: Vec::new() };
                    self.children[..=place].rotate_right(1);
                }
            }
            if most >= high {
                break;
            }
        }
        self.search.store(self.position, depth, low, high, most, best);
        Some(most)
    }
}

/// The principal variation, as far as the transposition table holds it.
fn principal_variation(context: &MidgameContext, root: Position, first: Square, depth: u32) -> Vec<Move> {
    let mut line = vec![Move::Play(first)];
    let mut position = root.play(first, root.flips(first));
    while line.len() < depth as usize {
        if position.must_pass(context.geometry) && context.passing == Passing::Allowed {
            line.push(Move::Pass);
            position = position.pass();
        }
        let hash_move = context.table.probe(position).map_or(NO_MOVE, |entry| entry.best);
        if hash_move == NO_MOVE {
            break;
        }
        let square = Square::from_index(hash_move.into());
        let Some(next) = position.try_play(context.geometry, square) else { break };
        line.push(Move::Play(square));
        position = next;
    }
    line
}
