//! Players and games for them.

use reversi::engine::{Choice, Game, GameBoard, Limits, Player, PlayerSpec, Resources};
use reversi::rules::{Goal, Passing, Rules, Scoring, Start};
use reversi::search::Stop;

/// The player of this name with little memory.
pub fn player(name: &str, seed: u64) -> Box<dyn Player> {
    let resources = Resources { memory_bytes: 4 << 20, ..Resources::default() };
    name.parse::<PlayerSpec>().unwrap().build(&resources, seed)
}

/// A game from the diagonal start, with raw scores.
pub fn new_game(size: &str, goal: Goal, passing: Passing) -> Game {
    let first = GameBoard::start(size.parse().unwrap(), Start::Diagonal);
    Game::new(first, Rules::new(goal, Scoring::Raw), passing)
}

/// What the player does with all the time it wants.
pub fn choose(player: &mut dyn Player, game: &Game) -> Choice {
    player.choose(game, &Limits::default(), &Stop::never()).unwrap()
}
