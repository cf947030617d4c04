//! One oracle after the other.

use super::{Oracle, OracleError};
use reversi_rules::{Geometry, Rules};

/// The oracle of the board and rules that were asked about last, for who goes through games one after the other.
#[derive(Debug, Default)]
pub struct OracleCache(Option<Oracle>);

impl OracleCache {
    /// See [`Oracle::forget`].
    pub fn forget(&mut self) {
        self.0.iter_mut().for_each(Oracle::forget);
    }

    /// The oracle of a board under some rules, found anew unless the last one was of the same.
    ///
    /// # Errors
    /// What `find` says.
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
