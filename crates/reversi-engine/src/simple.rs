//! The two players without a search: the first legal move, and a random legal move.

use super::player::{Choice, Limits, Player, PlayerError};
use fastrand::Rng;
use reversi_rules::game::Game;
use reversi_solver::search::Stop;

/// The first legal move in row-major order (DumAI of the Copenhagen system).
#[derive(Clone, Debug, Default)]
pub struct First;

impl Player for First {
    fn name(&self) -> &str {
        "first"
    }

    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, game: &Game, _: &Limits, _: &Stop) -> Result<Choice, PlayerError> {
        let mv = game.legal_moves().first().copied().ok_or(PlayerError::GameOver)?;
        Ok(Choice::plain(mv))
    }
}

/// A random legal move, all with equal probability.
#[derive(Clone, Debug)]
pub struct Anything {
    random: Rng,
}

impl Anything {
    /// A random player seeded with `seed`.
    pub fn new(seed: u64) -> Anything {
        Anything { random: Rng::with_seed(seed) }
    }
}

impl Player for Anything {
    fn name(&self) -> &str {
        "random"
    }

    fn new_game(&mut self, seed: u64) {
        self.random = Rng::with_seed(seed);
    }

    fn choose(&mut self, game: &Game, _: &Limits, _: &Stop) -> Result<Choice, PlayerError> {
        let moves = game.legal_moves();
        let mv = self.random.choice(moves).ok_or(PlayerError::GameOver)?;
        Ok(Choice::plain(mv))
    }
}
