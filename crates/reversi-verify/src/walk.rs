//! Every position that play can reach from the starts, by the plain-array rules alone.

use super::content::Content;
use super::position::{canonical_key, children, decode};
use rayon::iter::Either;
use rayon::prelude::*;
use reversi_naive::{Board, Move, Size};

/// Positions whose children are listed at a time. Repeated children are dropped before the next ones are listed.
const AT_ONCE: usize = 1 << 20;

/// A position in canonical form, and what its moves lead to.
pub(super) struct Visited {
    pub key: u64,
    pub board: Board,
    /// Its moves in row-major order, or its pass, and the canonical keys after them; none where the game is over.
    pub next: Vec<(Move, u64)>,
}

impl Visited {
    /// `None` if the key is no position.
    pub fn of(size: Size, key: u64) -> Option<Visited> {
        let board = decode(size, key)?;
        let next = children(&board).iter().map(|(mv, child)| (*mv, canonical_key(child))).collect();
        Some(Visited { key, board, next })
    }
}

/// The canonical keys of all positions reachable from `starts`, ascending; passes and finished games included. Each
/// position from which the walk goes on (see [`Content::leads_on`]) is passed to `visit` once, in any order.
///
/// The walk goes by number of discs, which every move but a pass raises by one, so that only two numbers of discs are
/// listed at a time.
pub(super) fn reachable<'a>(
    content: &Content,
    starts: impl Iterator<Item = &'a Board>,
    visit: impl Fn(&Visited) + Sync,
) -> Vec<u64> {
    let squares = content.size.square_count();
    let mut by_discs: Vec<Vec<u64>> = vec![Vec::new(); squares as usize + 2];
    for start in starts {
        by_discs[(squares - start.empty_count()) as usize].push(canonical_key(start));
    }
    let mut reached = Vec::new();
    for discs in 0..=squares as usize {
        let mut layer = Vec::new();
        let mut fresh = unique(std::mem::take(&mut by_discs[discs]));
        while !fresh.is_empty() {
            let met = reached.len() + layer.len() + fresh.len();
            let (passed, placed) = after(content, &fresh, met, &visit);
            by_discs[discs + 1].extend(placed);
            layer.append(&mut fresh);
            layer.par_sort_unstable();
            fresh = passed.into_iter().filter(|key| layer.binary_search(key).is_err()).collect();
        }
        reached.append(&mut layer);
    }
    reached.par_sort_unstable();
    reached
}

/// The keys after a pass (each once) and after a disc (perhaps repeated) of those of `keys` from which a walk that has
/// met `met` positions goes on.
fn after(
    content: &Content,
    keys: &[u64],
    met: usize,
    visit: &(impl Fn(&Visited) + Sync),
) -> (Vec<u64>, Vec<u64>) {
    let (mut passed, mut placed) = (Vec::new(), Vec::new());
    for keys in keys.chunks(AT_ONCE) {
        let leading_on = keys.par_iter().filter(|&&key| content.leads_on(key, met));
        let next = leading_on.flat_map_iter(|&key| {
            let visited = Visited::of(content.size, key).expect("the walk made this key from a position");
            visit(&visited);
            visited.next
        });
        let (after_pass, after_disc): (Vec<_>, Vec<_>) = next.partition_map(|(mv, key)| match mv {
            Move::Pass => Either::Left(key),
            Move::Play(..) => Either::Right(key),
        });
        passed.extend(unique(after_pass));
        placed.extend(unique(after_disc));
    }
    (unique(passed), placed)
}

/// Each key once, ascending.
fn unique(mut keys: Vec<u64>) -> Vec<u64> {
    keys.par_sort_unstable();
    keys.dedup();
    keys
}
