//! Gives hints on any board: what every move is worth, as far as the time allows.

use crate::cli::games::ResourceOptions;
use reversi_engine::hints::{self, Hint};
use reversi_engine::{Game, Player, PlayerError, Size};
use reversi_solver::search::Stop;
use std::time::{Duration, Instant};

/// The players that are asked, each stronger than the one before it; kept between hints.
#[derive(Default)]
pub struct Adviser {
    size: Option<Size>,
    advisers: Vec<Box<dyn Player>>,
}

impl Adviser {
    /// All legal moves, best first, at the greatest depth that was reached before the stop or within the time, which
    /// begins when the players are ready; none if the stop came at once.
    ///
    /// # Errors
    /// [`PlayerError`] if a player cannot go on.
    pub fn hints(
        &mut self,
        game: &Game,
        resources: &ResourceOptions,
        stop: &Stop,
        time: Duration,
    ) -> Result<Vec<Hint>, PlayerError> {
        if self.size != Some(game.size()) {
            self.size = Some(game.size());
            self.advisers = advisers(game.size(), resources);
        }
        for player in &mut self.advisers {
            player.prepare(game)?;
        }
        let stop = &stop.and_at(Instant::now() + time);
        let mut best = Vec::new();
        for player in &mut self.advisers {
            let report = |round: &[Hint], _| best = round.to_vec();
            hints::deepen(&mut **player, game, hints::MAX_DEPTH, stop, report)?;
            if stop.is_set() {
                break;
            }
        }
        Ok(best)
    }
}

/// The engine on boards that it plays on, and plain searches of increasing depth on larger ones.
fn advisers(size: Size, resources: &ResourceOptions) -> Vec<Box<dyn Player>> {
    let names: &[&str] = match reversi_rules::Geometry::from_size(size) {
        Some(_) => &["engine:depth=60,cuts=on,tables=on"],
        None => &["alphabeta:1,discs", "alphabeta:2,discs", "alphabeta:3,discs", "alphabeta:4,discs"],
    };
    // A hint in a game is a second opinion: it is searched, also where the computer plays from a book.
    let resources = ResourceOptions { book: None, ..resources.clone() };
    names.iter().filter_map(|name| name.parse().ok()).map(|spec| resources.build(&spec)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::Passing;

    #[test]
    fn every_board_has_advisers_that_play_on_it() {
        for size in ["3x3", "8x8", "9x9", "24x24"] {
            let size: Size = size.parse().unwrap();
            let advisers = advisers(size, &ResourceOptions::default());
            assert!(!advisers.is_empty());
            for player in advisers {
                assert_eq!(player.supports(size, Passing::Allowed), Ok(()), "{} on {size}", player.name());
            }
        }
    }
}
