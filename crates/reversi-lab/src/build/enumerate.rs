//! Solves a small board completely: finds every reachable position, then computes their values from the end backwards.
//!
//! Positions are canonical keys (see [`reversi_rules::key`]), in one layer for each number of discs. A move leads to
//! the next layer. A pass stays in its layer: the position that must pass and its twin after the pass are both in it.
//! So a layer is complete once the twins of the positions that moves lead to have been added. A twin has a move, so no
//! pass follows a pass.
//!
//! Layers are sorted lists. Sorting the positions that the threads found and dropping duplicates gives the same list
//! however the work was divided, and takes little more memory than the keys.

use super::layer;
use rayon::prelude::*;
use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Position, Rules, Start, Symmetry};
use reversi_solver::search::Stop;
use reversi_table::{RawEntry, TableError, key};

/// Bytes per position while a board is solved, 25 to 28 on 4x6 and 5x5: its key, its score and move under each of four
/// rules, and the keys of the largest layer's children before duplicates are dropped.
pub const BYTES_PER_POSITION: u64 = 28;

/// Positions that a thread expands before it sorts their children.
const CHUNK: usize = 1 << 14;

/// An estimate of the number of positions that can be reached from a start, up to symmetry, without any work.
///
/// Exact for boards of up to 25 squares, whose positions were counted. For larger ones a rough guess: about one in 75
/// placements of discs with the four central squares taken can be reached.
pub fn expected_positions(geometry: Geometry, start: Start) -> f64 {
    let (width, height) = (geometry.width(), geometry.height());
    if let Some((_, counted)) = COUNTED.into_iter().find(|(sides, _)| *sides == (width, height)) {
        return f64::from(counted[usize::from(start == Start::Parallel)]);
    }
    let placements = 2f64.powi(4) * 3f64.powi(geometry.square_count() as i32 - 4);
    placements / Symmetry::all(geometry).len() as f64 / 75.0
}

/// Reachable positions up to symmetry, by columns and rows: from the diagonal start, from the parallel start.
const COUNTED: [((u32, u32), [u32; 2]); 17] = [
    ((3, 3), [21, 24]),
    ((3, 4), [241, 292]),
    ((4, 3), [241, 78]),
    ((3, 5), [1_680, 2_169]),
    ((5, 3), [1_680, 527]),
    ((3, 6), [16_154, 20_593]),
    ((6, 3), [16_154, 2_154]),
    ((3, 7), [119_110, 154_056]),
    ((7, 3), [119_110, 13_386]),
    ((3, 8), [954_890, 1_244_528]),
    ((8, 3), [954_890, 61_267]),
    ((4, 4), [12_351, 19_859]),
    ((4, 5), [2_426_921, 1_746_630]),
    ((5, 4), [2_426_921, 2_389_256]),
    ((4, 6), [121_195_225, 135_377_635]),
    ((6, 4), [121_195_225, 102_766_059]),
    ((5, 5), [361_701_112, 490_635_777]),
];

/// Why an enumeration ended early.
#[derive(Debug, thiserror::Error)]
pub enum EnumerateError {
    /// The board has no keys.
    #[error(transparent)]
    Table(#[from] TableError),
    /// More positions than the memory holds.
    #[error(
        "{positions} positions with up to {discs} discs were found, more than {memory} bytes of memory can take"
    )]
    Memory {
        /// Positions found so far.
        positions: u64,
        /// Discs in the last layer that was finished.
        discs: u32,
        /// The limit that was given, in bytes.
        memory: u64,
    },
    /// The stop was set.
    #[error("stopped before it was done")]
    Stopped,
}

/// How far an enumeration may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Discs of the last layer.
    pub discs: u32,
    /// Bytes of memory, roughly.
    pub memory: u64,
}

/// The canonical keys of every position that can be reached from `roots`, ascending, by number of
/// discs from 0 to `limits.discs`. Each finished layer is reported as (discs, positions).
///
/// # Errors
/// A board that is too large for keys, more positions than the memory takes, or a stop.
///
/// ```
/// use reversi_rules::{Board, Geometry, Start};
/// use reversi_solver::search::Stop;
/// use reversi_lab::build::enumerate::{Limits, layers};
/// let start = Board::start(Geometry::SIX, Start::Diagonal).position();
/// let limits = Limits { discs: 8, memory: 1 << 20 };
/// let layers = layers(Geometry::SIX, &[start], limits, &Stop::never(), |_, _| {}).unwrap();
/// assert_eq!(layers[4..].iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 3, 14, 60]);
/// ```
pub fn layers(
    geometry: Geometry,
    roots: &[Position],
    limits: Limits,
    stop: &Stop,
    mut each_layer: impl FnMut(u32, usize),
) -> Result<Vec<Vec<u64>>, EnumerateError> {
    reversi_table::check_size(geometry)?;
    let mut layers: Vec<Vec<u64>> = Vec::new();
    let mut positions = 0;
    for discs in 0..=limits.discs {
        let mut layer = layers.last().map_or_else(Vec::new, |below| children(geometry, below, stop));
        let roots_here = roots.iter().filter(|root| root.disc_count() == discs);
        layer.extend(roots_here.map(|&root| key::canonical(geometry, root).0));
        add_passed(geometry, &mut layer);
        if stop.is_set() {
            return Err(EnumerateError::Stopped);
        }
        positions += layer.len() as u64;
        if positions.saturating_mul(BYTES_PER_POSITION) > limits.memory {
            return Err(EnumerateError::Memory { positions, discs, memory: limits.memory });
        }
        if !layer.is_empty() {
            each_layer(discs, layer.len());
        }
        layers.push(layer);
    }
    Ok(layers)
}

/// The keys of all positions one disc later, ascending, each once.
fn children(geometry: Geometry, layer: &[u64], stop: &Stop) -> Vec<u64> {
    let expand = |chunk: &[u64]| {
        if stop.is_set() {
            return Vec::new();
        }
        let positions = chunk.iter().map(|&key| position_of(geometry, key));
        let children = positions.flat_map(|position| layer::children(geometry, position));
        let mut found: Vec<u64> = children.map(|child| key::canonical(geometry, child).0).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let found: Vec<Vec<u64>> = layer.par_chunks(CHUNK).map(expand).collect();
    ascending(found.concat())
}

/// Completes a layer with the twins of the positions that must pass.
fn add_passed(geometry: Geometry, layer: &mut Vec<u64>) {
    let passed: Vec<u64> = layer
        .par_iter()
        .map(|&key| position_of(geometry, key))
        .filter(|position| position.must_pass(geometry))
        .map(|position| key::canonical(geometry, position.pass()).0)
        .collect();
    layer.extend(passed);
    *layer = ascending(std::mem::take(layer));
}

fn ascending(mut keys: Vec<u64>) -> Vec<u64> {
    keys.par_sort_unstable();
    keys.dedup();
    keys
}

/// Every position that can be reached from some roots, up to symmetry.
#[derive(Debug)]
pub struct Reachable {
    geometry: Geometry,
    layers: Vec<Vec<u64>>,
}

impl Reachable {
    /// Finds all positions; see [`layers`].
    ///
    /// # Errors
    /// Those of [`layers`].
    pub fn from_roots(
        geometry: Geometry,
        roots: &[Position],
        memory: u64,
        stop: &Stop,
        each_layer: impl FnMut(u32, usize),
    ) -> Result<Reachable, EnumerateError> {
        let limits = Limits { discs: geometry.square_count(), memory };
        Ok(Reachable { geometry, layers: layers(geometry, roots, limits, stop, each_layer)? })
    }

    /// Number of positions by number of discs, from 0 up.
    pub fn counts(&self) -> Vec<u64> {
        self.layers.iter().map(|layer| layer.len() as u64).collect()
    }

    /// Gives every position its score and canonical best move under each of the rules, from the full board backwards.
    /// The children of a position, which take most of the time, are found once for all rules. `each_layer` gets the
    /// number of discs of each finished layer. `None` if stopped.
    ///
    /// # Panics
    /// Without any rules.
    pub fn solve(&self, rules: &[Rules], stop: &Stop, mut each_layer: impl FnMut(u32)) -> Option<Solved<'_>> {
        let mut solved: Vec<Vec<BestEntry>> = vec![Vec::new(); self.layers.len()];
        let mut above = Places::new(&[]);
        for discs in (0..self.layers.len()).rev() {
            let values_above = solved.get(discs + 1).map_or(&[][..], Vec::as_slice);
            let here = Places::new(&self.layers[discs]);
            solved[discs] = values_of(self.geometry, rules, &here, (&above, values_above));
            above = here;
            if stop.is_set() {
                return None;
            }
            if !self.layers[discs].is_empty() {
                each_layer(discs as u32);
            }
        }
        Some(Solved { reachable: self, rules: rules.to_vec(), values: solved })
    }
}

/// Every reachable position with its score and canonical best move under some rules.
pub struct Solved<'a> {
    reachable: &'a Reachable,
    rules: Vec<Rules>,
    /// By number of discs: for each position one entry for each of the rules.
    values: Vec<Vec<BestEntry>>,
}

impl Solved<'_> {
    /// The rules under which they are solved.
    pub fn rules(&self) -> &[Rules] {
        &self.rules
    }

    /// The entries under some of the rules in the order of a table: most empty squares first, then by key.
    ///
    /// # Panics
    /// If they are not solved under these rules.
    pub fn entries(&self, rules: Rules) -> impl Iterator<Item = RawEntry> + '_ {
        let number = self.rules.iter().position(|&solved| solved == rules).expect("solved under these rules");
        let keys = self.reachable.layers.iter().flatten();
        let values =
            self.values.iter().flat_map(move |layer| layer.iter().skip(number).step_by(self.rules.len()));
        keys.zip(values).map(|(&key, value)| RawEntry { key, score: value.score, best: value.best })
    }
}

/// The score and best move of a position, as in [`RawEntry`].
#[derive(Clone, Copy, Debug)]
struct BestEntry {
    score: i8,
    best: u8,
}

impl BestEntry {
    /// For a position without a move, until its score is known.
    const NO_MOVE: BestEntry = BestEntry { score: 0, best: RawEntry::NO_MOVE };
}

/// Finds keys in a sorted list, with an index by their leading bits.
struct Places<'a> {
    keys: &'a [u64],
    /// Number of low bits in which the keys of one part differ.
    shift: u32,
    /// The index of the first key of each part, and at the end the number of keys.
    starts: Vec<usize>,
}

impl<'a> Places<'a> {
    /// Keys per part if the keys are spread evenly.
    const KEYS_OF_A_PART: usize = 8;

    fn new(keys: &'a [u64]) -> Places<'a> {
        let bits = |number: u64| u64::BITS - number.leading_zeros();
        let parts_wanted = (keys.len() / Self::KEYS_OF_A_PART) as u64;
        // At least one part: a shift by 64 bits would overflow.
        let shift = keys.last().map_or(0, |&last| bits(last).saturating_sub(bits(parts_wanted.max(1))));
        let parts = keys.last().map_or(0, |&last| (last >> shift) as usize + 1);
        let starts =
            (0..=parts as u64).into_par_iter().map(|part| keys.partition_point(|&key| key >> shift < part));
        Places { keys, shift, starts: starts.collect() }
    }

    /// # Panics
    /// If the position is not among the keys.
    fn place_of(&self, geometry: Geometry, position: Position) -> usize {
        let key = key::canonical(geometry, position).0;
        let part = (key >> self.shift) as usize;
        let (start, end) = (self.starts[part], self.starts[part + 1]);
        let place = self.keys[start..end].binary_search(&key);
        start + place.expect("what a reachable position leads to is reachable")
    }
}

/// The values of one layer, for each position one for each of the rules, from those of the layer above.
fn values_of(
    geometry: Geometry,
    rules: &[Rules],
    here: &Places,
    (above, values_above): (&Places, &[BestEntry]),
) -> Vec<BestEntry> {
    let rules_count = rules.len();
    let mut values = vec![BestEntry::NO_MOVE; here.keys.len() * rules_count];
    let value = |(&key, best): (&u64, &mut [BestEntry])| {
        let position = position_of(geometry, key);
        let moves = position.legal_moves(geometry);
        if moves == 0 {
            for (value, &rules) in best.iter_mut().zip(rules) {
                value.score = position.final_score(geometry, rules).discs() as i8;
            }
        }
        for square in squares_of(moves) {
            let child = above.place_of(geometry, position.play(square, position.flips(square)));
            let after = &values_above[child * rules_count..][..rules_count];
            best_so_far(best, after, geometry.row_major(square) as u8);
        }
    };
    here.keys.par_iter().zip(values.par_chunks_exact_mut(rules_count)).for_each(value);

    // Positions without a move were scored as finished games. If the other side can move, the score is that of the twin
    // after the pass, which has a move and so its value already.
    let pass = |(place, &key): (usize, &u64)| {
        if values[place * rules_count].best != RawEntry::NO_MOVE {
            return None;
        }
        let position = position_of(geometry, key);
        position.must_pass(geometry).then(|| (place, here.place_of(geometry, position.pass())))
    };
    let passes: Vec<(usize, usize)> = here.keys.par_iter().enumerate().filter_map(pass).collect();
    for (place, twin) in passes {
        for number in 0..rules_count {
            let score = -values[twin * rules_count + number].score;
            values[place * rules_count + number] = BestEntry { score, best: RawEntry::PASS };
        }
    }
    values
}

/// Replaces the best move under each of the rules for which this move is better. Among equal moves the first stays, the
/// one on the lowest square; the position is a canonical form, so this is its canonical best move.
fn best_so_far(best: &mut [BestEntry], after: &[BestEntry], square: u8) {
    for (best, after) in best.iter_mut().zip(after) {
        if best.best == RawEntry::NO_MOVE || -after.score > best.score {
            *best = BestEntry { score: -after.score, best: square };
        }
    }
}

/// The position of a key that was made here.
fn position_of(geometry: Geometry, key: u64) -> Position {
    key::unpack(geometry, key).expect("a key of this board")
}
