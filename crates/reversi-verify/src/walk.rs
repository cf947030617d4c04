//! Every position that play can reach from the starts, by the plain-array rules alone.

use super::content::Content;
use super::position::{canonical_key, children, decode};
use rayon::prelude::*;
use reversi_naive::{Board, Size};
use std::collections::HashSet;

/// The canonical keys of all positions reachable from `starts`, ascending; passes and finished games
/// included, as far as [`Content::leads_on`].
pub(super) fn reachable<'a>(content: &Content, starts: impl Iterator<Item = &'a Board>) -> Vec<u64> {
    let mut frontier: Vec<u64> = starts.map(canonical_key).collect();
    let mut seen: HashSet<u64> = HashSet::new();
    frontier.retain(|&key| seen.insert(key));
    while !frontier.is_empty() {
        let leading_on = frontier.par_iter().filter(|&&key| content.leads_on(key, seen.len()));
        let mut next: Vec<u64> = leading_on.flat_map_iter(|&key| keys_after(content.size, key)).collect();
        // One thread fills the set; what is met several times is dropped by all of them first.
        next.par_sort_unstable();
        next.dedup();
        next.retain(|&key| seen.insert(key));
        frontier = next;
    }
    let mut keys: Vec<u64> = seen.into_iter().collect();
    keys.sort_unstable();
    keys
}

fn keys_after(size: Size, key: u64) -> Vec<u64> {
    let board = decode(size, key).expect("the walk made this key from a position");
    children(&board).iter().map(|(_, child)| canonical_key(child)).collect()
}
