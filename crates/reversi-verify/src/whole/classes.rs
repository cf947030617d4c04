//! Which entries of a table are searched, and why.

use super::super::content::Content;
use super::super::position::{children, decode};
use super::super::roles::{Extent, Role, Roles};
use super::Sampling;
use reversi_naive::Move;
use reversi_table_raw::RawEntry;
use std::collections::{BTreeMap, HashMap};

/// Whether all entries of a class are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Each of them, however long it takes.
    All,
    /// Some, drawn at random.
    Sample,
}

/// Entries that are searched for the same reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// `ends`, `prefix`, or `walk-20` for those with 20 empty squares.
    pub name: String,
    /// What a search of an entry shows, in words.
    pub claim: &'static str,
    /// All, or a sample.
    pub coverage: Coverage,
    /// How many entries of the table belong to it.
    pub population: u64,
    /// The most empty squares of any of them.
    pub empties: u32,
    /// Those to search.
    pub(super) chosen: Vec<RawEntry>,
}

impl Class {
    /// How many are to be searched.
    pub fn chosen(&self) -> u64 {
        self.chosen.len() as u64
    }

    /// Entries of a chunk, chosen so that it takes seconds.
    pub(super) fn chunk_entries(&self) -> usize {
        match self.empties {
            0..=14 => 2000,
            15..=16 => 500,
            17..=19 => 20,
            _ => 2,
        }
    }

    /// The size of a search's table (`2^(bits + 6)` bytes): half a megabyte, which stays in a cache, or four where
    /// searches are long. With 64, searches of 24 empty squares look at 4 % fewer positions, but take a fifth more
    /// time.
    pub(super) fn memory_bits(&self) -> u32 {
        if self.empties <= 15 { 13 } else { 16 }
    }
}

const END: &str = "the value, and that a stored move is the first of the best";
const PREFIX: &str =
    "the value, and that a stored move is the first of the best: with it the values of the prefix";
const WALK: &str = "the value, proved on one side only: that it holds on the other side too; and that the stored move is \
                    the first of the best";

/// Ends, then the walk upwards, then the prefix.
pub(super) fn classes(
    content: &Content,
    extent: Extent,
    reached: &HashMap<u64, Roles>,
    sampling: Sampling,
) -> Vec<Class> {
    let (mut ends, mut prefix, mut walks) = (Vec::new(), Vec::new(), BTreeMap::<u32, Vec<RawEntry>>::new());
    let mut prefix_empties = 0;
    // In the order of keys: neighbours have much of their games in common, and so of the search's table.
    for entry in content.entries() {
        let (Some(roles), Some(board)) = (reached.get(&entry.key), decode(content.size, entry.key)) else {
            continue;
        };
        let empties = board.empty_count();
        let is_walked = roles.chooses || roles.free;
        if is_walked && empties <= extent.down_to {
            ends.push(entry);
            continue;
        }
        let is_forced = matches!(children(&board).as_slice(), [] | [(Move::Pass, _)]);
        match place_of(*roles, extent, empties) {
            _ if is_forced => {}
            Place::LastPly => {
                prefix_empties = prefix_empties.max(empties);
                prefix.push(entry);
            }
            Place::Walk => walks.entry(empties).or_default().push(entry),
            Place::Follows => {}
        }
    }
    let all = Class {
        name: "ends".to_owned(),
        claim: END,
        coverage: Coverage::All,
        population: ends.len() as u64,
        empties: extent.down_to,
        chosen: ends,
    };
    let mut classes = vec![all];
    for (empties, entries) in walks {
        classes.push(sample(
            format!("walk-{empties}"),
            WALK,
            empties,
            &entries,
            sampling.walk,
            sampling.seed,
        ));
    }
    if !prefix.is_empty() {
        classes.push(sample(
            "prefix".to_owned(),
            PREFIX,
            prefix_empties,
            &prefix,
            sampling.prefix,
            sampling.seed,
        ));
    }
    classes
}

enum Place {
    /// The last ply of the prefix: not all positions after it are stored.
    LastPly,
    /// Above the ends, met in one way only.
    Walk,
    /// Its value follows, on both sides, from other entries.
    Follows,
}

fn place_of(roles: Roles, extent: Extent, empties: u32) -> Place {
    match (roles.prefix, roles.chooses, roles.free) {
        (Some(left), _, _) if extent.goes_on(Role::Prefix(left), empties) => Place::Follows,
        // Met both ways, its value is proved from below and from above.
        (_, true, true) => Place::Follows,
        (Some(_), _, _) => Place::LastPly,
        (None, _, _) => Place::Walk,
    }
}

/// `count` entries drawn at random; all if there are no more.
fn sample(
    name: String,
    claim: &'static str,
    empties: u32,
    entries: &[RawEntry],
    count: usize,
    seed: u64,
) -> Class {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut chosen: Vec<RawEntry> =
        rng.choose_multiple(entries.iter(), count.min(entries.len())).into_iter().copied().collect();
    chosen.sort_unstable_by_key(|entry| entry.key);
    let coverage = Coverage::Sample;
    Class { name, claim, coverage, population: entries.len() as u64, empties, chosen }
}
