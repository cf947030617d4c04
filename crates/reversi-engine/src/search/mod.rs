//! The engine: iterative deepening within depth and time, exact endgames, and tables of exact values.

mod experiment;
mod level;
mod options;
mod searcher;
mod stability;

pub use level::MAX_LEVEL;
pub(super) use options::EngineOptions;

use crate::player::{Choice, Limits, Player, PlayerError, forced_move};
use crate::resources::Resources;
use crate::time::{self, Delay};
use reversi_rules::game::Clock;
use reversi_rules::game::{Game, Size};
use reversi_rules::{Board, Geometry, Passing};
use reversi_solver::search::Stop;
use searcher::{SearchTask, Searcher, SearcherError};
use std::time::Instant;

/// The engine as a player.
pub struct Engine {
    name: String,
    options: EngineOptions,
    resources: Resources,
    /// Created for the first game and kept while board and rules stay the same.
    searcher: Option<Searcher>,
    /// How late its answers have come.
    delay: Delay,
}

impl Engine {
    /// An engine with these options; `name` is the result of [`Player::name`].
    pub(super) fn new(name: String, options: EngineOptions, resources: Resources) -> Engine {
        Engine { name, options, resources, searcher: None, delay: Delay::default() }
    }

    fn failed(&self, error: &SearcherError) -> PlayerError {
        let (player, reason) = (self.name.clone(), error.to_string());
        match error {
            SearcherError::Memory(_) => PlayerError::NoMemory { player, reason },
            _ => PlayerError::Failed { player, reason },
        }
    }

    fn unsupported(&self, size: Size) -> PlayerError {
        let reason = format!("it plays on boards from 3x3 to 8x8, not on {size}");
        PlayerError::Unsupported { player: self.name.clone(), reason }
    }

    /// Takes out the searcher of this board and rules, or creates it.
    fn take_searcher(&mut self, geometry: Geometry, game: &Game) -> Result<Searcher, PlayerError> {
        let rules = game.rules();
        let mut searcher = match self
            .searcher
            .take()
            .filter(|searcher| searcher.geometry == geometry && searcher.rules == rules)
        {
            Some(kept) => kept,
            None => Searcher::new(geometry, rules, &self.options, &self.resources)
                .map_err(|error| self.failed(&error))?,
        };
        searcher.set_passing(game.passing());
        Ok(searcher)
    }

    fn task(&self, started: Instant, game: &Game, board: Board, limits: &Limits, stop: &Stop) -> SearchTask {
        let strength = self.options.strength();
        let budget = time::budget(limits.clock, self.options.time, game, self.delay);
        SearchTask {
            position: board.position(),
            passing: game.passing(),
            strength: strength.within(limits.depth, budget.is_some()),
            budget,
            stop: stop.and_until(budget.map(|budget| budget.ends(started))),
        }
    }
}

impl Player for Engine {
    fn name(&self) -> &str {
        &self.name
    }

    fn reach(&self, empties: u32) -> Option<u32> {
        self.options.reach(empties)
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn supports(&self, size: Size, _: Passing) -> Result<(), PlayerError> {
        Geometry::from_size(size).map(|_| ()).ok_or_else(|| self.unsupported(size))
    }

    fn new_game(&mut self, _seed: u64) {
        if let Some(searcher) = &mut self.searcher {
            searcher.forget();
        }
    }

    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        let board = game.board().small().ok_or_else(|| self.unsupported(game.size()))?;
        self.searcher = Some(self.take_searcher(board.geometry, game)?);
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        let board = game.board().small().ok_or_else(|| self.unsupported(game.size()))?;
        if let Some(choice) = forced_move(game, self.options.time.is_some() || limits.clock != Clock::None)? {
            return Ok(choice);
        }
        let task = self.task(started, game, board, limits, stop);
        let searcher = self.take_searcher(board.geometry, game)?;
        // Creating it counts as time of the move, but says nothing about how late later answers will be.
        let searching = Instant::now();
        let result = searcher.find_move(&task);
        if let Some(budget) = task.budget {
            self.delay.observe(budget, searching.elapsed());
        }
        self.searcher = Some(searcher);
        match result.map_err(|error| self.failed(&error))? {
            Some(result) => Ok(result.into_choice(started)),
            None => Err(PlayerError::GameOver),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameBoard;
    use reversi_rules::{Passing, Rules, Start};

    /// A game after a few random moves without a pass; `None` where such a game is over.
    fn random_game(seed: u64) -> Option<Game> {
        let mut random = fastrand::Rng::with_seed(seed);
        let first = GameBoard::start("5x4".parse().unwrap(), Start::Diagonal);
        let mut game = Game::new(first, Rules::default(), Passing::EndsGame);
        for _ in 0..5 {
            game.play(random.choice(game.legal_moves())?).unwrap();
        }
        (game.legal_moves().len() > 1).then_some(game)
    }

    /// Table entries are valid under one passing rule only.
    #[test]
    fn a_change_of_the_passing_rule_needs_no_new_game() {
        let engine = || {
            let mut options = EngineOptions::default();
            options.set("depth", "9").unwrap();
            Engine::new("engine".to_owned(), options, Resources::default())
        };
        let value = |engine: &mut Engine, game: &Game, passing| {
            let mut other = Game::new(game.first_board().clone(), game.rules(), passing);
            other.play_transcript(&game.transcript()).unwrap();
            engine.choose(&other, &Limits::default(), &Stop::never()).unwrap().info.value
        };
        let mut changed = 0;
        for game in (0..12).filter_map(random_game) {
            let (mut kept, mut fresh) = (engine(), engine());
            let ending = value(&mut kept, &game, Passing::EndsGame);
            let going_on = value(&mut kept, &game, Passing::Allowed);
            assert_eq!(going_on, value(&mut fresh, &game, Passing::Allowed), "{}", game.transcript());
            changed += u32::from(ending != going_on);
        }
        assert!(changed > 0, "the rule decides no game");
    }
}
