//! The search of one position: one depth after the other, in a window around the value before.

use super::cuts::Sureness;
use super::memory::BEYOND;
use super::order::Child;
use super::search::{Ground, Search};
use reversi_rules::{Move, Passing, Position, Square};
use reversi_solver::search::NO_MOVE;

/// Half the width of the first window around the value of the depth before, in units of an estimate.
const ASPIRATION: i32 = 200;

/// One search of the position after the other: how deep and how sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// Plies.
    pub depth: u32,
    pub sureness: Sureness,
}

impl Step {
    /// As sure as usual.
    pub fn usual(depth: u32) -> Step {
        Step { depth, sureness: Sureness::Usual }
    }
}

/// What a search has found.
#[derive(Clone, Debug)]
pub(super) struct Found {
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
pub(super) fn deepen(
    search: &mut Search,
    position: Position,
    steps: &mut dyn Iterator<Item = Step>,
    enough: impl Fn() -> bool,
) -> Option<Found> {
    let remembered = search.ground.memory.probe(position).map_or(NO_MOVE, |memo| memo.best);
    let children = search.children_in_order(position, remembered).to_vec();
    let first = children.first()?.square;
    let best = Found { square: first, value: None, depth: 0, pv: Vec::new() };
    let mut root = Root { search, position, children, best };
    for Step { depth, sureness } in steps {
        root.search.be_sure(sureness);
        if root.aspire(depth).is_none() || enough() {
            break;
        }
    }
    let Root { search, mut best, .. } = root;
    best.pv = principal_variation(&search.ground, position, best.square, best.depth);
    Some(best)
}

struct Root<'r, 'a> {
    search: &'r mut Search<'a>,
    position: Position,
    /// The best so far first.
    children: Vec<Child>,
    best: Found,
}

impl Root<'_, '_> {
    /// One depth: first near the value of the depth before, then wide open on the side where it is not.
    /// `None` if stopped on the way.
    fn aspire(&mut self, depth: u32) -> Option<()> {
        let (mut low, mut high) = match self.best.value {
            Some(value) => ((value - ASPIRATION).max(-BEYOND), (value + ASPIRATION).min(BEYOND)),
            None => (-BEYOND, BEYOND),
        };
        loop {
            let value = self.search_within(depth, low, high)?;
            if value <= low && low > -BEYOND {
                low = -BEYOND;
            } else if value >= high && high < BEYOND {
                high = BEYOND;
            } else {
                return Some(());
            }
        }
    }

    /// All moves in one window. A move counts as the best when it is proved to be above the window's lower
    /// end; it then comes to the front.
    fn search_within(&mut self, depth: u32, low: i32, high: i32) -> Option<i32> {
        let (mut most, mut best) = (-BEYOND, NO_MOVE);
        for place in 0..self.children.len() {
            let child = self.children[place];
            let value = self.search.child_value(child.position, depth, place == 0, most.max(low), high)?;
            if value > most {
                (most, best) = (value, child.square.index() as u8);
                if value > low {
                    self.best = Found { square: child.square, value: Some(value), depth, pv: Vec::new() };
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
fn principal_variation(ground: &Ground, root: Position, first: Square, depth: u32) -> Vec<Move> {
    let mut line = vec![Move::Play(first)];
    let mut position = root.play(first, root.flips(first));
    while line.len() < depth as usize {
        if position.must_pass(ground.geometry) && ground.passing == Passing::Allowed {
            line.push(Move::Pass);
            position = position.pass();
        }
        let remembered = ground.memory.probe(position).map_or(NO_MOVE, |memo| memo.best);
        if remembered == NO_MOVE {
            break;
        }
        let square = Square::from_index(remembered.into());
        let Some(next) = position.try_play(ground.geometry, square) else { break };
        line.push(Move::Play(square));
        position = next;
    }
    line
}
