//! The games of a tournament in one file, for `reversi review` and for other programs.

use super::Standing;
use crate::cli::{Failure, places, saved};
use reversi_formats::ggf::Record;
use reversi_lab::arena::tournament::Played;
use std::path::Path;

/// Writes the games in the order of the list, as GGF.
pub fn save(standing: &Standing, path: &Path) -> Result<(), Failure> {
    let text: String =
        standing.games.iter().map(|played| format!("{}\n", record(standing, played))).collect();
    places::write_file("--out", path, text.as_bytes())
}

fn record(standing: &Standing, played: &Played) -> Record {
    let game = standing.tournament.replay(played).expect("it was played, or read with care");
    let names = [played.pairing.black, played.pairing.white].map(|place| standing.names[place].as_str());
    saved::as_ggf(&game, names, "reversi tournament", played.forfeit())
}
