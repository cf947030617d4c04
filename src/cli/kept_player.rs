//! A player that is asked about one game after the other.

use super::games::ResourceOptions;
use super::{Failure, output::Output};
use reversi_engine::{Game, Player, PlayerError, PlayerSpec, Size};
use reversi_rules::{Passing, Rules};

/// A player that is made anew only when another one is asked for, or the board or the rules change. Everything it knew of
/// the game before is forgotten, so that its answer depends on nothing else.
pub struct KeptPlayer<'a> {
    resources: &'a ResourceOptions,
    output: Output,
    last: Option<(Kind, Box<dyn Player>)>,
}

/// What a player is made for.
type Kind = (PlayerSpec, Size, Rules, Passing);

impl<'a> KeptPlayer<'a> {
    pub fn new(resources: &'a ResourceOptions, output: Output) -> KeptPlayer<'a> {
        KeptPlayer { resources, output, last: None }
    }

    /// The player of this name for a game.
    ///
    /// # Errors
    /// As [`ResourceOptions::ready`].
    pub fn of<E: From<PlayerError> + From<Failure>>(
        &mut self,
        spec: &PlayerSpec,
        game: &Game,
    ) -> Result<&mut dyn Player, E> {
        let kind = (spec.clone(), game.size(), game.rules(), game.passing());
        let player = match self.last.take().filter(|(last, _)| *last == kind) {
            Some((_, mut player)) => {
                player.new_game(self.resources.seed);
                player
            }
            None => self.resources.ready::<E>(spec, game, self.output)?,
        };
        let (_, player) = self.last.insert((kind, player));
        Ok(&mut **player)
    }
}
