//! The historical players: fixed-depth tree search with an evaluation of one of the five systems.

use super::any_evaluation::{AnyEvaluation, defined_on};
use super::node::{DiscDifference, Node, SmallNode};
use super::plain_search::{Found, PlainSearch, SearchSettings, Shuffle};
use super::player::{Choice, Info, Limits, Player, PlayerError, Value, forced_move};
use super::time;
use crate::historical::{Historical, STAGES_LATE, STAGES_MIDDLE};
use fastrand::Rng;
use reversi_rules::game::Clock;
use reversi_rules::game::GameBoard;
use reversi_rules::game::{Game, GameMove, Size};
use reversi_rules::{Color, Passing};
use reversi_solver::search::Stop;
use std::time::{Duration, Instant};

/// Search depth of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// A fixed number of plies.
    Fixed(u32),
    /// A number of plies (3 to 5 in the source), plus one with at most [`FEW_EMPTIES`] empty squares or [`FEW_MOVES`]
    /// legal moves: "when the situation allows it" (the numbers are ours).
    Rising(u32),
    /// By the number of discs: 3 below [`STAGES_MIDDLE`], 4 below [`STAGES_LATE`], then to the end.
    Staged,
}

/// See [`Depth::Rising`].
pub const FEW_EMPTIES: u32 = 12;
/// See [`Depth::Rising`].
pub const FEW_MOVES: usize = 4;
/// With fewer discs, a player with a random opening moves at random inside the centre: its first four moves from the
/// start (ours).
pub const OPENING_DISCS: u32 = 12;
/// "To the end": more than twice the squares of the largest board, so that passes cannot exhaust it.
const TO_THE_END: u32 = 2000;

/// The complete parameters of a historical player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The evaluation.
    pub evaluation: Historical,
    /// The search depth.
    pub depth: Depth,
    /// The search options.
    pub settings: SearchSettings,
    /// Whether the first moves are random inside the central 4x4 squares.
    pub random_opening: bool,
    /// The player's own time for each move, after which it plays the best move so far.
    pub time: Option<Duration>,
}

impl Recipe {
    /// Whether the player is deterministic: no random numbers, no time.
    pub fn repeats_itself(&self) -> bool {
        self.settings.shuffle == Shuffle::Off && !self.random_opening && self.time.is_none()
    }
}

/// A historical player.
pub struct Classic {
    name: String,
    recipe: Recipe,
    memory_bytes: usize,
    random: Rng,
}

impl Classic {
    /// The player of a recipe; `name` is the result of [`Player::name`]. `memory_bytes` bounds its transposition
    /// table.
    pub fn new(name: String, recipe: Recipe, memory_bytes: usize, seed: u64) -> Classic {
        Classic { name, recipe, memory_bytes, random: Rng::with_seed(seed) }
    }

    fn opening_move(&mut self, game: &Game) -> Option<GameMove> {
        if !self.recipe.random_opening || discs(game.board()) >= OPENING_DISCS {
            return None;
        }
        let central: Vec<GameMove> =
            game.board().placements().into_iter().filter(|&mv| is_central(game.size(), mv)).collect();
        self.random.choice(central)
    }

    fn depth(&self, game: &Game) -> u32 {
        let discs = discs(game.board());
        match self.recipe.depth {
            Depth::Fixed(depth) => depth,
            Depth::Rising(depth) => {
                let few_empties = game.size().square_count() - discs <= FEW_EMPTIES;
                let few_moves = game.board().placements().len() <= FEW_MOVES;
                depth + u32::from(few_empties || few_moves)
            }
            Depth::Staged if discs < STAGES_MIDDLE => 3,
            Depth::Staged if discs < STAGES_LATE => 4,
            Depth::Staged => TO_THE_END,
        }
    }

    fn search(&mut self, game: &Game, depth: u32, stop: &Stop) -> Option<Found> {
        match game.board().small() {
            Some(board) => {
                let root = SmallNode { geometry: board.geometry, position: board.position() };
                let evaluation = AnyEvaluation::Historical(self.recipe.evaluation);
                self.search_on(&root, &evaluation, game, depth, stop)
            }
            None => self.search_on(&game.board().to_naive(), &DiscDifference, game, depth, stop),
        }
    }

    fn search_on<N: Node>(
        &mut self,
        root: &N,
        evaluation: &N::Evaluation,
        game: &Game,
        depth: u32,
        stop: &Stop,
    ) -> Option<Found> {
        let (settings, goal, passing) = (self.recipe.settings, game.rules().goal, game.passing());
        let (random, memory_bytes) = (&mut self.random, self.memory_bytes);
        PlainSearch::new(evaluation, settings, goal, passing, random, stop, memory_bytes)
            .best_move(root, depth)
    }
}

impl Player for Classic {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, size: Size, _: Passing) -> Result<(), PlayerError> {
        defined_on(self.recipe.evaluation, size)
            .map_err(|reason| PlayerError::Unsupported { player: self.name.clone(), reason })
    }

    fn new_game(&mut self, seed: u64) {
        self.random = Rng::with_seed(seed);
    }

    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        self.supports(game.size(), game.passing())?;
        let started = Instant::now();
        let is_timed = self.recipe.time.is_some() || limits.clock != Clock::None;
        if let Some(choice) = forced_move(game, is_timed)? {
            return Ok(choice);
        }
        if let Some(mv) = self.opening_move(game) {
            return Ok(Choice::plain(mv));
        }
        let budget = time::budget(limits.clock, self.recipe.time, game, time::Delay::default());
        let stop = stop.and_until(budget.map(|budget| budget.target_ends(started)));
        let depth = self.depth(game);
        let found = self.search(game, depth, &stop).ok_or(PlayerError::GameOver)?;
        let info = Info {
            value: found.points.map(Value::Points),
            depth: found.points.map_or(0, |_| depth.min(game.board().empty_count())),
            nodes: found.nodes,
            pv: vec![found.mv],
            seconds: started.elapsed().as_secs_f64(),
            ..Info::default()
        };
        Ok(Choice { mv: found.mv, info })
    }
}

fn discs(board: &GameBoard) -> u32 {
    board.count(Color::Black) + board.count(Color::White)
}

/// Whether a move lies inside the central 4x4 squares (those nearest a1 where a side is odd).
fn is_central(size: Size, mv: GameMove) -> bool {
    let near = |place: u32, side: u32| {
        let first = (side - 2) / 2;
        (first.saturating_sub(1)..first + 3).contains(&place)
    };
    match mv {
        GameMove::Play(column, row) => near(column, size.width()) && near(row, size.height()),
        GameMove::Pass => false,
    }
}
