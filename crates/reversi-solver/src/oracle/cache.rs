//! A cache of one oracle.

use super::{Oracle, OracleError};
use reversi_rules::{Geometry, Rules};

/// The oracle of the latest board and rules, for a caller that goes through games one after the other.
#[derive(Debug, Default)]
pub struct OracleCache(Option<Oracle>);

impl OracleCache {
    /// Forgets the searches of the cached oracle, see [`Oracle::forget`].
    pub fn forget(&mut self) {
        self.0.iter_mut().for_each(Oracle::forget);
    }

    /// The oracle of a board and rules: the cached one if it matches, else a new one from `find`, which replaces it.
    ///
    /// # Errors
    /// The error of `find`; the cache is empty afterwards.
    pub fn of(
        &mut self,
        geometry: Geometry,
        rules: Rules,
        find: impl FnOnce() -> Result<Oracle, OracleError>,
    ) -> Result<&Oracle, OracleError> {
        let kept = self.0.take().filter(|oracle| (oracle.geometry, oracle.rules) == (geometry, rules));
        let oracle = kept.map_or_else(find, Ok)?;
        Ok(self.0.insert(oracle))
    }
}
