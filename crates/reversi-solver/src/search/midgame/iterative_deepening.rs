//! The search of one position: one depth after the other, in a window around the value before.

use crate::search::midgame::ordering::Child;
use crate::search::midgame::search::{MidgameContext, MidgameSearch};
use crate::search::probcut::Selectivity;
use crate::search::tt::exact::NO_MOVE;
use crate::search::tt::midgame::INFINITE_EVAL;
use reversi_rules::{Move, Passing, Position, Square};

/// Half the width of the first window around the value of the depth before, in units of an estimate.
const ASPIRATION: i32 = 200;

/// One search of the position after the other: how deep and how sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Plies.
    pub depth: u32,
    pub selectivity: Selectivity,
}

impl Iteration {
    /// As sure as usual.
    pub fn usual(depth: u32) -> Iteration {
        Iteration { depth, selectivity: Selectivity::Usual }
    }
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct MidgameResult {
    /// The best move.
    pub square: Square,
    /// Its value in units of an estimate; `None` if not even one ply was searched.
    pub value: Option<i32>,
    /// Plies of the search that found it.
    pub depth: u32,
    /// The moves expected, as far as they are remembered.
    pub pv: Vec<Move>,
}

/// The best move at each of the steps in turn, or until `enough` says so between two of them. Stopped
/// within one, the best of the moves searched so far counts, the former best being the first.
/// `None` if there is no square to put a disc on.
pub fn deepen(
    search: &mut MidgameSearch,
    position: Position,
    steps: &mut dyn Iterator<Item = Iteration>,
    enough: impl Fn() -> bool,
) -> Option<MidgameResult> {
    let remembered = search.context.table.probe(position).map_or(NO_MOVE, |entry| entry.best);
    let children = search.children_in_order(position, remembered).to_vec();
    let first = children.first()?.square;
    let best = MidgameResult { square: first, value: None, depth: 0, pv: Vec::new() };
    let mut root = Root { search, position, children, best };
    for Iteration { depth, selectivity } in steps {
        root.search.set_selectivity(selectivity);
        if root.aspire(depth).is_none() || enough() {
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
    /// The best so far first.
    children: Vec<Child>,
    best: MidgameResult,
}

impl Root<'_, '_> {
    /// One depth: first near the value of the depth before, then wide open on the side where it is not.
    /// `None` if stopped on the way.
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

    /// All moves in one window. A move counts as the best when it is proved to be above the window's lower
    /// end; it then comes to the front.
    fn search_within(&mut self, depth: u32, low: i32, high: i32) -> Option<i32> {
        let (mut most, mut best) = (-INFINITE_EVAL, NO_MOVE);
        for place in 0..self.children.len() {
            let child = self.children[place];
            let value = self.search.child_value(child.position, depth, place == 0, most.max(low), high)?;
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
        self.search.remember(self.position, depth, low, high, most, best);
        Some(most)
    }
}

/// The moves expected, as far as they are remembered.
fn principal_variation(context: &MidgameContext, root: Position, first: Square, depth: u32) -> Vec<Move> {
    let mut line = vec![Move::Play(first)];
    let mut position = root.play(first, root.flips(first));
    while line.len() < depth as usize {
        if position.must_pass(context.geometry) && context.passing == Passing::Allowed {
            line.push(Move::Pass);
            position = position.pass();
        }
        let remembered = context.table.probe(position).map_or(NO_MOVE, |entry| entry.best);
        if remembered == NO_MOVE {
            break;
        }
        let square = Square::from_index(remembered.into());
        let Some(next) = position.try_play(context.geometry, square) else { break };
        line.push(Move::Play(square));
        position = next;
    }
    line
}
