//! The sum of the learned weights of a position: the evaluation that the searches call.

use super::Eval;
use super::features::{Features, MAX_BANKS, MAX_MOBILITY};
use super::lanes::{BLOCKS, Indices, Table};
use super::weights::{Weights, WeightsError};
use reversi_rules::{Geometry, Goal, Position, Square};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;
use std::{fmt, fs};

/// The learned evaluation of one board and goal. Create it once and share it between threads: an evaluation allocates
/// nothing and depends on the position alone.
///
/// ```
/// use reversi_solver::eval::Evaluator;
/// use reversi_rules::{Board, Geometry, Goal, Start};
/// let evaluator = Evaluator::shipped(Geometry::SIX, Goal::Normal).unwrap();
/// let start = Board::start(Geometry::SIX, Start::Diagonal).position();
/// assert!(evaluator.evaluate(start).discs().abs() < 36.0);
/// ```
pub struct Evaluator {
    geometry: Geometry,
    goal: Goal,
    features: Features,
    /// The stage of each number of empty squares.
    stage_of: [u8; 65],
    /// The weights of the shapes.
    shapes: Table,
    stages: Vec<Stage>,
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Evaluator({} {})", self.geometry, self.goal)
    }
}

/// The state of a file that was read, and what it was read for: if both are the same, so is its evaluation.
#[derive(PartialEq, Eq)]
struct FileState {
    path: PathBuf,
    length: u64,
    modified: SystemTime,
    asked: (Geometry, Goal),
}

impl FileState {
    /// `None` if the system does not report it.
    fn of(path: PathBuf, geometry: Geometry, goal: Goal) -> Option<FileState> {
        let metadata = fs::metadata(&path).ok()?;
        let (length, modified) = (metadata.len(), metadata.modified().ok()?);
        Some(FileState { path, length, modified, asked: (geometry, goal) })
    }
}

/// The other weights of one stage.
struct Stage {
    mobility: [i16; MAX_MOBILITY + 1],
    opponent_mobility: [i16; MAX_MOBILITY + 1],
    parity: [i16; 2],
}

impl Evaluator {
    /// Converts weights to the layout of the look-ups.
    ///
    /// # Panics
    /// If a few megabytes of memory are not available.
    pub fn new(weights: &Weights) -> Evaluator {
        let features = weights.features();
        let stages = weights.stages().map(|stage| Stage::new(&features, stage)).collect();
        let stage_of = std::array::from_fn(|empties| weights.stage_of(empties as u32) as u8);
        let shapes = features.table(weights.stages());
        let (geometry, goal) = (weights.geometry(), weights.rules().goal);
        Evaluator { geometry, goal, features, stage_of, shapes, stages }
    }

    /// The evaluation with the weights compiled in; `None` for boards without, see [`Weights::shipped`]. The first call
    /// converts the weights, which takes some tens of milliseconds; later calls share the result.
    ///
    /// # Panics
    /// If a few megabytes of memory are not available. The weights themselves are read whole by this crate's tests.
    pub fn shipped(geometry: Geometry, goal: Goal) -> Option<Arc<Evaluator>> {
        static LAID_OUT: Mutex<Vec<Arc<Evaluator>>> = Mutex::new(Vec::new());
        let mut laid_out = LAID_OUT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = laid_out.iter().find(|known| (known.geometry, known.goal) == (geometry, goal)) {
            return Some(known.clone());
        }
        let weights = Weights::shipped(geometry, goal)?.expect("the shipped weights are tested to be sound");
        let made = Arc::new(Evaluator::new(&weights));
        laid_out.push(made.clone());
        Some(made)
    }

    /// The evaluation from the first directory with a file for this board and goal, else the one compiled in; `None`
    /// for boards without learned weights.
    ///
    /// # Errors
    /// A file that exists but cannot be used.
    pub fn find(
        geometry: Geometry,
        goal: Goal,
        directories: &[impl AsRef<Path>],
    ) -> Result<Option<Arc<Evaluator>>, WeightsError> {
        match Weights::place(geometry, goal, directories) {
            Some(path) => Evaluator::of_file(geometry, goal, path).map(Some),
            None => Ok(Evaluator::shipped(geometry, goal)),
        }
    }

    /// The evaluation of a file. It takes some megabytes, so it is shared while it is in use and the file does not
    /// change.
    fn of_file(geometry: Geometry, goal: Goal, path: PathBuf) -> Result<Arc<Evaluator>, WeightsError> {
        static LAID_OUT: Mutex<Vec<(FileState, Weak<Evaluator>)>> = Mutex::new(Vec::new());
        let Some(state) = FileState::of(path.clone(), geometry, goal) else {
            return Ok(Arc::new(Evaluator::new(&Weights::load_for(geometry, goal, &path)?)));
        };
        // Held while a file is read: another thread that asks for the same file then shares the result.
        let mut laid_out = LAID_OUT.lock().unwrap_or_else(PoisonError::into_inner);
        laid_out.retain(|(_, evaluator)| evaluator.strong_count() > 0);
        let shared = laid_out.iter().find(|(known, _)| *known == state);
        if let Some(evaluator) = shared.and_then(|(_, evaluator)| evaluator.upgrade()) {
            return Ok(evaluator);
        }
        let evaluator = Arc::new(Evaluator::new(&Weights::load_for(geometry, goal, &path)?));
        laid_out.push((state, Arc::downgrade(&evaluator)));
        Ok(evaluator)
    }

    /// The same evaluation with its sign inverted, for the other goal. Comparing it with the evaluation learned for
    /// that goal shows the gain of learning each goal separately.
    pub fn turned(&self) -> Evaluator {
        let stages = self.stages.iter().map(Stage::turned).collect();
        let Evaluator { geometry, goal, ref features, stage_of, .. } = *self;
        let (goal, features, shapes) = (goal.other(), features.clone(), self.shapes.turned());
        Evaluator { geometry, goal, features, stage_of, shapes, stages }
    }

    /// The board.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The goal for which the weights were learned.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The estimated final score for the side to move. A finished game gets no special case: use its exact score
    /// instead.
    #[inline]
    pub fn evaluate(&self, position: Position) -> Eval {
        self.evaluate_with_moves(position, position.legal_moves(self.geometry))
    }

    /// The same where the legal moves of the position are known already.
    #[inline]
    pub fn evaluate_with_moves(&self, position: Position, moves: u64) -> Eval {
        let empties = position.empty_count(self.geometry);
        let stage = self.stage_of[empties as usize].into();
        let indices = self.indices(position);
        let shapes = self.shapes.sum(stage, &self.features.banks, &indices);
        self.add_up(&self.stages[stage], shapes, position, moves, empties)
    }

    /// Prepares the evaluation of the children of a position.
    ///
    /// ```
    /// use reversi_solver::eval::Evaluator;
    /// use reversi_rules::{Board, Geometry, Goal, Start, geometry::squares_of};
    /// let evaluator = Evaluator::shipped(Geometry::SIX, Goal::Normal).unwrap();
    /// let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    /// let children = evaluator.child_evaluator(start);
    /// for square in squares_of(start.legal_moves(Geometry::SIX)) {
    ///     let flips = start.flips(square);
    ///     assert_eq!(children.evaluate(square, flips), evaluator.evaluate(start.play(square, flips)));
    /// }
    /// ```
    #[inline]
    pub fn child_evaluator(&self, parent: Position) -> ChildEvaluator<'_> {
        let empties = parent.empty_count(self.geometry).saturating_sub(1);
        let stage = self.stage_of[empties as usize].into();
        ChildEvaluator { evaluator: self, parent, empties, stage, indices: self.indices(parent.pass()) }
    }

    /// The index of the weight of each shape, bank by bank.
    #[inline(always)]
    fn indices(&self, position: Position) -> [Indices; MAX_BANKS] {
        let mut all = [Indices::NONE; MAX_BANKS];
        for (indices, bank) in all.iter_mut().zip(&self.features.banks) {
            *indices = match self.geometry.height() {
                ..=5 => bank.indices::<10>(position),
                6 => bank.indices::<12>(position),
                7 => bank.indices::<14>(position),
                _ => bank.indices::<BLOCKS>(position),
            };
        }
        all
    }

    /// The sum of the shape weights and the mobility and parity weights.
    #[inline(always)]
    fn add_up(&self, stage: &Stage, shapes: i32, position: Position, moves: u64, empties: u32) -> Eval {
        let mobility = stage.mobility[most_counted(moves)];
        let opponent_moves = position.pass().legal_moves(self.geometry);
        let opponent_mobility = stage.opponent_mobility[most_counted(opponent_moves)];
        let parity = stage.parity[empties as usize % 2];
        Eval::new(shapes + i32::from(mobility) + i32::from(opponent_mobility) + i32::from(parity))
    }
}

/// Evaluates the children of one position. Parent and child share most indices, so this takes half the time of
/// separate evaluations.
pub struct ChildEvaluator<'a> {
    evaluator: &'a Evaluator,
    parent: Position,
    /// Number of empty squares of each child.
    empties: u32,
    stage: usize,
    /// The indices of the parent with the colours exchanged.
    indices: [Indices; MAX_BANKS],
}

impl ChildEvaluator<'_> {
    /// Equal to [`Evaluator::evaluate`] of the child: a disc on the empty `square` that flips the opponent's discs
    /// `flips`. For arguments that are no legal move the result is meaningless, without a panic.
    #[inline]
    pub fn evaluate(&self, square: Square, flips: u64) -> Eval {
        let moves = self.parent.play(square, flips).legal_moves(self.evaluator.geometry);
        self.evaluate_with_moves(square, flips, moves)
    }

    /// The same where the legal moves of the child are known already.
    #[inline]
    pub fn evaluate_with_moves(&self, square: Square, flips: u64, moves: u64) -> Eval {
        let child = self.parent.play(square, flips);
        let evaluator = self.evaluator;
        let shapes = match evaluator.features.banks.len() {
            1 => self.shapes::<1>(square, flips),
            2 => self.shapes::<2>(square, flips),
            _ => self.shapes::<MAX_BANKS>(square, flips),
        };
        evaluator.add_up(&evaluator.stages[self.stage], shapes, child, moves, self.empties)
    }

    /// The sum of the shape weights of a child on a board with this number of banks.
    #[inline(always)]
    fn shapes<const BANKS: usize>(&self, square: Square, flips: u64) -> i32 {
        let Evaluator { features, shapes, .. } = self.evaluator;
        let banks = &features.banks[..BANKS];
        let mut moved = [Indices::NONE; BANKS];
        for ((moved, bank), &parent) in moved.iter_mut().zip(banks).zip(&self.indices) {
            *moved = bank.moved(parent, square.index(), flips);
        }
        shapes.sum(self.stage, banks, &moved)
    }
}

#[inline]
fn most_counted(moves: u64) -> usize {
    (moves.count_ones() as usize).min(MAX_MOBILITY)
}

impl Stage {
    fn new(features: &Features, weights: &[i16]) -> Stage {
        Stage {
            mobility: std::array::from_fn(|moves| weights[features.mobility_weight(moves)]),
            opponent_mobility: std::array::from_fn(|moves| weights[features.opponent_mobility_weight(moves)]),
            parity: std::array::from_fn(|odd| weights[features.parity_weight(odd as u32)]),
        }
    }

    fn turned(&self) -> Stage {
        Stage {
            mobility: self.mobility.map(i16::saturating_neg),
            opponent_mobility: self.opponent_mobility.map(i16::saturating_neg),
            parity: self.parity.map(i16::saturating_neg),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::stage_count;
    use super::*;
    use reversi_rules::geometry::squares_of;
    use reversi_rules::playout::playout;
    use reversi_rules::{Board, Rules, Start, Symmetry};

    /// A drawn set of shapes, derived ones of a square, and of rectangles in both orientations with odd and even sides.
    fn boards() -> [Geometry; 6] {
        ["6x6", "8x8", "5x5", "4x7", "7x6", "8x5"].map(|size| size.parse().unwrap())
    }

    /// An evaluation with pseudo-random weights, and those weights.
    fn arbitrary(geometry: Geometry) -> (Evaluator, Weights) {
        let mut random = fastrand::Rng::with_seed(7);
        let count = Features::of(geometry).unwrap().weight_count();
        let stages = (0..stage_count(geometry, 3)).map(|_| (0..count).map(|_| random.i16(..)).collect());
        let stages = stages.map(|mut stage: Vec<i16>| {
            stage[0] = 0;
            stage
        });
        let weights = Weights::new(geometry, Rules::default(), 3, stages.collect());
        (Evaluator::new(&weights), weights)
    }

    /// Positions of random games.
    fn positions(geometry: Geometry) -> Vec<Position> {
        let mut random = fastrand::Rng::with_seed(8);
        let start = Board::start(geometry, Start::Diagonal).position();
        (0..40).flat_map(|_| playout(geometry, start, &mut random).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn the_table_layout_adds_up_the_weights_of_the_features() {
        for geometry in boards() {
            let (evaluator, weights) = arbitrary(geometry);
            let features = weights.features();
            let stages: Vec<&[i16]> = weights.stages().collect();
            let mut found = Vec::new();
            for position in positions(geometry) {
                features.weights_of(position, &mut found);
                let stage = stages[weights.stage_of(position.empty_count(geometry))];
                let sum = found.iter().map(|&weight| i32::from(stage[weight as usize])).sum();
                assert_eq!(evaluator.evaluate(position), Eval::new(sum), "{geometry} {position:?}");
            }
        }
    }

    #[test]
    fn turned_gives_the_opposite_for_the_other_goal() {
        for goal in Goal::ALL {
            let usual = Evaluator::shipped(Geometry::EIGHT, goal).unwrap();
            let turned = usual.turned();
            assert_eq!((turned.goal(), turned.geometry()), (goal.other(), Geometry::EIGHT));
            for position in positions(Geometry::EIGHT) {
                assert_eq!(turned.evaluate(position), -usual.evaluate(position));
            }
        }
    }

    #[test]
    fn all_symmetries_of_a_position_have_one_evaluation() {
        for geometry in boards() {
            let (evaluator, _) = arbitrary(geometry);
            for position in positions(geometry) {
                for symmetry in Symmetry::all(geometry) {
                    let image = symmetry.apply(geometry, position);
                    assert_eq!(evaluator.evaluate(image), evaluator.evaluate(position), "{position:?}");
                }
            }
        }
    }

    #[test]
    fn both_orientations_of_a_board_have_one_evaluation() {
        // The square 8x8 is transposed by its fifth symmetry, and smaller boards lie in its corner.
        let transposed = |position| Symmetry::all(Geometry::EIGHT)[4].apply(Geometry::EIGHT, position);
        for size in ["6x7", "4x8", "5x6"] {
            let upright: Geometry = size.parse().unwrap();
            let (evaluator, weights) = arbitrary(upright);
            let lying = Evaluator::new(&weights.turned_to(upright.transposed()));
            for position in positions(upright) {
                assert_eq!(lying.evaluate(transposed(position)), evaluator.evaluate(position), "{size}");
            }
        }
    }

    #[test]
    fn a_child_evaluator_agrees_with_evaluating_each_child() {
        for geometry in boards() {
            let (evaluator, _) = arbitrary(geometry);
            for position in positions(geometry) {
                for square in squares_of(position.legal_moves(geometry)) {
                    let flips = position.flips(square);
                    let expected = evaluator.evaluate(position.play(square, flips));
                    assert_eq!(
                        evaluator.child_evaluator(position).evaluate(square, flips),
                        expected,
                        "{position:?} {square}"
                    );
                }
            }
        }
    }

    #[test]
    fn any_placement_of_discs_can_be_evaluated() {
        for geometry in boards() {
            let (evaluator, _) = arbitrary(geometry);
            for position in [Position::new(0, 0), Position::new(geometry.mask(), 0), Position::new(0, 1)] {
                evaluator.evaluate(position);
                evaluator.child_evaluator(position).evaluate(Square::at(0, 0), u64::MAX);
            }
        }
    }
}
