//! The best moves of the last ply of a table's prefix. A build searches only the scores there, unless the moves are
//! asked for; a table has room for them, so they can be added later.

use super::job::{SearchJob, work};
use super::known_values::{KnownValue, KnownValues};
use super::layer::{Layer, Roles, children};
use crate::batch;
use hashbrown::HashMap;
use reversi_rules::{Geometry, Position, key};
use reversi_solver::search::{Solver, Stop};
use reversi_table::format::OUTPUT_REVISION;
use reversi_table::{RawEntry, Region, Table, TableError};

/// The canonical best moves that the last ply of a table's prefix lacks.
pub struct MissingMoves {
    geometry: Geometry,
    /// The known values of the prefix and of the ply after it.
    known_values: KnownValues,
    jobs: Vec<SearchJob>,
}

/// A move that was found, and the nodes of its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoundMove {
    /// The canonical key of the position.
    pub key: u64,
    /// The canonical best move, as in [`RawEntry`].
    pub best: u8,
    /// Nodes of the search.
    pub nodes: u64,
}

/// Moves by canonical key, as in [`RawEntry`].
pub type Moves = HashMap<u64, u8>;

impl MissingMoves {
    /// The moves that a table lacks: none if it is complete.
    ///
    /// # Errors
    /// A damaged table.
    pub fn of(table: &Table) -> Result<MissingMoves, TableError> {
        let contents = &table.header().contents;
        let geometry = contents.geometry;
        let mut missing =
            MissingMoves { geometry, known_values: KnownValues::new(geometry), jobs: Vec::new() };
        let Region::SemiStrong { prefix, .. } = contents.region else {
            table.check_all_blocks()?;
            return Ok(missing);
        };
        let most_discs = contents.roots.iter().map(|root| root.disc_count()).max().unwrap_or(0);
        for entry in table.raw_entries() {
            let RawEntry { key, score, best } = entry?;
            let position = key::unpack(geometry, key).expect("a key of the table's board");
            if position.disc_count() > most_discs + u32::from(prefix) + 1 {
                break;
            }
            missing.known_values.insert(KnownValue { key, score, best });
        }
        for &root in &contents.roots {
            missing.list(root, prefix.into());
        }
        Ok(missing)
    }

    /// Adds the entries of one ply that lack a move. Entries with a common parent are adjacent, since their searches
    /// overlap. Families that random games reach most often come first, so that a stop leaves the moves that matter
    /// most.
    fn list(&mut self, root: Position, plies: u32) {
        let geometry = self.geometry;
        let mut layer = Layer::default();
        layer.add(geometry, root, Roles::PREFIX);
        layer.add_passed(geometry);
        let mut chances = HashMap::from([(key_to_move(geometry, root), 1.0)]);
        for _ in 0..plies {
            let mut next = layer.after_all(geometry);
            next.add_passed(geometry);
            chances = chances_after(geometry, &layer, &chances);
            layer = next;
        }
        let mut families: HashMap<u32, (f64, Vec<SearchJob>)> = HashMap::new();
        for node in &layer.nodes {
            let score = self.known_values.score(node.position);
            if let Some(score) = score
                && node.position.legal_moves(geometry) != 0
                && self.known_values.best(node.key).is_none()
            {
                let (chance, jobs) = families.entry(node.family).or_default();
                *chance += chances.get(&node.key).copied().unwrap_or(0.0);
                jobs.push(SearchJob::Move(node.position, score));
            }
        }
        let mut families: Vec<(u32, f64, Vec<SearchJob>)> = families
            .into_iter()
            .map(|(family, (chance, jobs))| (family, chance / jobs.len() as f64, jobs))
            .collect();
        families.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        self.jobs.extend(families.into_iter().flat_map(|(_, _, jobs)| jobs));
    }

    /// Number of missing moves.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether none is missing.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Takes the moves that another table for the same board and rules has for positions of the same score; they are
    /// then no longer missing. Nothing is taken from a table of another output revision, whose builder chose moves
    /// differently. Other moves are taken unchecked, since no other entry shows whether they reach the score.
    ///
    /// # Errors
    /// A damaged table.
    pub fn take_over(&mut self, other: &Table) -> Result<Moves, TableError> {
        let geometry = self.geometry;
        let mut moves = Moves::new();
        if other.header().revision() != OUTPUT_REVISION {
            return Ok(moves);
        }
        for job in &self.jobs {
            let SearchJob::Move(position, score) = *job else { continue };
            let key = key::canonical(geometry, position).0;
            moves.extend(move_of(other, position, key, score)?.map(|best| (key, best)));
        }
        self.jobs.retain(|job| !moves.contains_key(&key::canonical(geometry, job.position()).0));
        Ok(moves)
    }

    /// Searches for all missing moves. `each` gets every move, in any order, and `None` about once a second while none
    /// is found. `None` if stopped. The moves do not depend on threads or solver.
    ///
    /// `solver` must be for the table's board and rules. Best is one that uses the whole of its table and has a single
    /// thread.
    pub fn find(
        &self,
        solver: &Solver,
        threads: usize,
        stop: &Stop,
        mut each: impl FnMut(Option<FoundMove>),
    ) -> Option<()> {
        let search = |job: &SearchJob| {
            let found = work(solver, &self.known_values, job, stop)?;
            let KnownValue { key, best, .. } = found.known_value;
            Some(FoundMove { key, best, nodes: found.nodes })
        };
        batch::run(&self.jobs, threads, search, || solver.help_search(), &mut each)
    }
}

/// The chances that random games reach the positions of the next layer, by [`key_to_move`], given the chances of this
/// layer.
fn chances_after(geometry: Geometry, layer: &Layer, chances: &HashMap<u64, f64>) -> HashMap<u64, f64> {
    let mut after = HashMap::new();
    for node in &layer.nodes {
        let chance = chances.get(&node.key).copied().unwrap_or(0.0);
        let next: Vec<Position> = children(geometry, node.position).collect();
        for position in &next {
            *after.entry(key_to_move(geometry, *position)).or_default() += chance / next.len() as f64;
        }
    }
    after
}

/// The key of a position, or of its twin after the pass if the side to move must pass.
fn key_to_move(geometry: Geometry, position: Position) -> u64 {
    let position = if position.must_pass(geometry) { position.pass() } else { position };
    key::canonical(geometry, position).0
}

/// The moves that another table with the same root, board and rules has for entries of this ply that have the same
/// score and no move. As in [`MissingMoves::take_over`], nothing is taken from a table of another output revision.
///
/// # Errors
/// A damaged table.
pub fn moves_for(entries: &[RawEntry], discs: u32, other: &Table) -> Result<Moves, TableError> {
    let geometry = other.geometry();
    let mut moves = Moves::new();
    if other.header().revision() != OUTPUT_REVISION {
        return Ok(moves);
    }
    for &RawEntry { key, score, best } in entries {
        let position = key::unpack(geometry, key).expect("a key of the table's board");
        if best == RawEntry::NO_MOVE && position.disc_count() == discs {
            moves.extend(move_of(other, position, key, score)?.map(|best| (key, best)));
        }
    }
    Ok(moves)
}

/// The legal move that a table has for a position of this key, if it has this score there.
fn move_of(table: &Table, position: Position, key: u64, score: i8) -> Result<Option<u8>, TableError> {
    let geometry = table.geometry();
    let stored = table.raw().find(position.empty_count(geometry), key)?;
    let is_sound = |&(stored, best): &(i8, u8)| {
        stored == score && (KnownValue { key, score, best }).after(geometry).is_some()
    };
    Ok(stored.filter(is_sound).map(|(_, best)| best))
}

/// An entry, with its move from `moves` if it has none.
pub fn with_move(entry: RawEntry, moves: &Moves) -> RawEntry {
    match moves.get(&entry.key) {
        Some(&best) if entry.best == RawEntry::NO_MOVE => RawEntry { best, ..entry },
        _ => entry,
    }
}

/// The entries of a table, with their moves from `moves` where they have none.
pub fn with_moves<'a>(
    table: &'a Table,
    moves: &'a Moves,
) -> impl Iterator<Item = Result<RawEntry, TableError>> + 'a {
    table.raw_entries().map(move |entry| entry.map(|entry| with_move(entry, moves)))
}

#[cfg(test)]
mod tests {
    use super::super::layer::LayerNode;
    use super::*;
    use reversi_rules::{Board, Start};

    #[test]
    fn a_pass_loses_no_chance() {
        let geometry = Geometry::FOUR;
        let root = Board::start(geometry, Start::Diagonal).position();
        let (mut layer, mut chances) =
            (Layer::default(), HashMap::from([(key_to_move(geometry, root), 1.0)]));
        layer.add(geometry, root, Roles::PREFIX);
        let (mut passes, mut ended) = (0, 0.0);
        for ply in 1..=12 {
            chances = chances_after(geometry, &layer, &chances);
            let mut next = layer.after_all(geometry);
            let met = next.nodes.len();
            next.add_passed(geometry);
            passes += next.nodes.len() - met;
            layer = next;
            let sum: f64 = chances.values().sum();
            assert!((sum + ended - 1.0).abs() < 1e-9, "{ply} plies: {sum} and {ended}");
            let is_over = |node: &&LayerNode| node.position.is_over(geometry);
            let over = layer.nodes.iter().filter(is_over).filter_map(|node| chances.get(&node.key));
            ended += over.sum::<f64>();
        }
        assert!(passes > 100, "{passes}");
    }
}
