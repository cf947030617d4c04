//! A position, for serde, as the masks of its two sides.

use reversi_rules::Position;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(position: &Position, serializer: S) -> Result<S::Ok, S::Error> {
    (position.player, position.opponent).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
    let (player, opponent) = Deserialize::deserialize(deserializer)?;
    Ok(Position { player, opponent })
}
