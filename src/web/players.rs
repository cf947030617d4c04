//! Which players can play a game, and with which parameters.

use super::answers::read_player;
use super::game::GameSpec;
use super::object::object;
use super::refusal::Refusal;
use crate::json;
use reversi_engine::catalogue::{CATALOGUE, Entry};
use reversi_engine::{Game, PlayerError, PlayerSpec, Resources};
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// A request for the players that can play a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayersQuestion {
    #[serde(deserialize_with = "object")]
    game: GameSpec,
}

impl PlayersQuestion {
    /// The object of the schema `reversi.players/1`, with these players.
    ///
    /// # Errors
    /// An invalid game.
    pub fn answer(&self) -> Result<Json, Refusal> {
        let game = self.game.game()?;
        let can_play = |entry: &&Entry| entry.name.parse().is_ok_and(|spec| check(&spec, &game).is_ok());
        let entries: Vec<Entry> = CATALOGUE.iter().filter(can_play).copied().collect();
        Ok(json::players(&entries))
    }
}

/// A request whether a player, with its parameters, can play a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerQuestion {
    #[serde(deserialize_with = "object")]
    game: GameSpec,
    player: String,
}

impl PlayerQuestion {
    /// The object of the schema `reversi.player/1`: the player's full name.
    ///
    /// # Errors
    /// An invalid game or player, or a player that cannot play it.
    pub fn answer(&self) -> Result<Json, Refusal> {
        let spec = read_player(&self.player)?;
        check(&spec, &self.game.game()?)?;
        Ok(json!({"schema": "reversi.player/1", "player": spec.to_string()}))
    }
}

/// Checks whether a player plays such games. Nothing is read or reserved for it.
fn check(spec: &PlayerSpec, game: &Game) -> Result<(), PlayerError> {
    let player = spec.build(&Resources { memory_bytes: 0, ..Resources::default() }, 0);
    player.supports(game.size(), game.passing())
}
