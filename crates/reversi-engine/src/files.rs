//! Checks of the files that a player uses, before its games.

use super::names::PlayerSpec;
use super::resources::Resources;
use reversi_rules::game::Size;
use reversi_rules::{Geometry, Goal, Rules, Start};
use reversi_solver::eval::Weights;
use reversi_solver::eval::weights::WeightsError;
use reversi_table::library::{FileError, Library, Source};

/// A file that a player needs and cannot use.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// A table of exact values.
    #[error(transparent)]
    Table(#[from] FileError),
    /// Weights of the evaluation.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl PlayerSpec {
    /// Reads every file that the player would use in games of this size and rules, to the last byte: damage found in
    /// the middle of a game would look like a fault of the player.
    ///
    /// # Errors
    /// The first file that is damaged, or made for another board or other rules.
    pub fn check_files(&self, resources: &Resources, size: Size, rules: Rules) -> Result<(), ResourceError> {
        let Some(geometry) = Geometry::from_size(size) else { return Ok(()) };
        let library = Library::new(resources.data.as_deref());
        if self.asks_tables() {
            check_tables(&library, geometry, rules)?;
        }
        if let Some(goal) = self.goal_of_weights(rules.goal) {
            check_weights(&library, geometry, goal)?;
        }
        Ok(())
    }

    /// The CRC-32 of the weights that the player would use in games of this size and rules; `None` if it uses none.
    ///
    /// # Errors
    /// A file that cannot be used.
    pub fn weights_checksum(
        &self,
        resources: &Resources,
        size: Size,
        rules: Rules,
    ) -> Result<Option<u32>, ResourceError> {
        let goal = Geometry::from_size(size).zip(self.goal_of_weights(rules.goal));
        let Some((geometry, goal)) = goal else { return Ok(None) };
        let library = Library::new(resources.data.as_deref());
        let found = Weights::find(geometry, goal, library.directories())?;
        let shipped = || Weights::shipped(geometry, goal)?.ok();
        Ok(found.or_else(shipped).map(|weights| crc32fast::hash(&weights.to_bytes())))
    }
}

fn check_tables(library: &Library, geometry: Geometry, rules: Rules) -> Result<(), ResourceError> {
    for start in Start::ALL {
        let Some(found) = library.find(geometry, rules, start)? else { continue };
        let Source::File(path) = found.source else { continue };
        found.table.check_all_blocks().map_err(|error| FileError { path, error })?;
    }
    Ok(())
}

fn check_weights(library: &Library, geometry: Geometry, goal: Goal) -> Result<(), ResourceError> {
    Ok(Weights::find(geometry, goal, library.directories()).map(drop)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::game::GameSetup;
    use std::fs;

    fn check(name: &str, resources: &Resources, size: &str) -> Result<(), ResourceError> {
        let spec: PlayerSpec = name.parse().unwrap();
        spec.check_files(resources, size.parse().unwrap(), Rules::default())
    }

    #[test]
    fn other_weights_have_another_checksum_and_players_without_have_none() {
        let directory = tempfile::tempdir().unwrap();
        let resources = Resources { data: Some(directory.path().to_owned()), ..Resources::default() };
        let checksum = |name: &str, resources: &Resources| {
            let spec: PlayerSpec = name.parse().unwrap();
            spec.weights_checksum(resources, "6x6".parse().unwrap(), Rules::default()).unwrap()
        };
        let shipped = checksum("engine", &resources);
        assert!(shipped.is_some() && checksum("engine:turned=on", &resources) != shipped);
        assert_eq!(checksum("corners:2", &resources), None);
        let mut weights = Weights::shipped(Geometry::SIX, Goal::Normal).unwrap().unwrap();
        fs::write(directory.path().join("6x6-normal.rvw"), weights.to_bytes()).unwrap();
        assert_eq!(checksum("engine", &resources), shipped, "the same weights in a file");
        let stages = weights.stages().map(|stage| stage.iter().map(|weight| weight / 2).collect()).collect();
        weights = Weights::new(Geometry::SIX, weights.rules(), weights.stage_width(), stages);
        fs::write(directory.path().join("6x6-normal.rvw"), weights.to_bytes()).unwrap();
        assert_ne!(checksum("engine", &resources), shipped);
    }

    #[test]
    fn only_players_that_would_use_a_damaged_file_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let resources = Resources { data: Some(directory.path().to_owned()), ..Resources::default() };
        fs::write(directory.path().join("6x6-normal.rvw"), "junk").unwrap();
        assert!(matches!(check("engine", &resources, "6x6"), Err(ResourceError::Weights(_))));
        assert!(check("engine", &resources, "8x8").is_ok() && check("engine", &resources, "16x16").is_ok());
        // Its searches order moves by them.
        assert!(matches!(check("perfect", &resources, "6x6"), Err(ResourceError::Weights(_))));
        assert!(check("phases", &resources, "6x6").is_ok());
        assert!(check("engine:turned=on", &resources, "6x6").is_ok(), "it uses those of the other goal");
        fs::rename(directory.path().join("6x6-normal.rvw"), directory.path().join("6x6-reversed.rvw"))
            .unwrap();
        assert!(
            check("engine:turned=on", &resources, "6x6").is_err()
                && check("engine", &resources, "6x6").is_ok()
        );
    }

    #[test]
    fn damage_in_the_middle_of_a_table_is_found_beforehand() {
        let directory = tempfile::tempdir().unwrap();
        let resources = Resources { data: Some(directory.path().to_owned()), ..Resources::default() };
        let name = "4x4-normal-raw-parallel.rvt";
        let mut bytes =
            fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/4x4-normal-raw-parallel.rvt")).unwrap();
        bytes[30_000] ^= 1;
        fs::write(directory.path().join(name), bytes).unwrap();
        for player in ["engine", "perfect", "worst"] {
            let error = check(player, &resources, "4x4").unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
        }
        // Those that are not refused do not even open it.
        let size: Size = "4x4".parse().unwrap();
        fs::write(directory.path().join("4x4-normal-raw-diagonal.rvt"), "junk").unwrap();
        for player in ["random", "engine:tables=off", "engine:level=3"] {
            assert!(check(player, &resources, "4x4").is_ok(), "{player}");
            let mut player = player.parse::<PlayerSpec>().unwrap().build(&resources, 1);
            player.prepare(&GameSetup::new(size).new_game()).unwrap();
        }
    }
}
