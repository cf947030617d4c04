//! A table that is to be built, and where its unfinished work is kept.

use reversi_lab::build::checkpoint;
use reversi_lab::build::plan::BuildPlan;
use std::path::PathBuf;

/// A region to be built and the file it goes to.
pub(super) struct BuildJob {
    pub plan: BuildPlan,
    pub path: PathBuf,
}

impl BuildJob {
    /// Where an unfinished build is kept.
    pub fn workspace(&self) -> PathBuf {
        self.path.with_extension("build")
    }

    /// What an unfinished build has kept.
    pub fn checkpoint(&self) -> PathBuf {
        checkpoint::file_in(&self.workspace())
    }
}
